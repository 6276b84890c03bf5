"""Tools around training: batches of data, checkpoints, handles of hooks."""

from minitorch.core.lazy import lazy_attributes
from minitorch.utils import dlpack, hooks, serialization
from minitorch.utils._swap import swap_tensors

__all__ = ["checkpoint", "data", "dlpack", "hooks", "serialization", "set_module", "swap_tensors"]


# submodules that few programs use are imported on first access
_SUBMODULES = (
    "_config_module", "_contextlib", "_device", "_dtype_abbrs", "_foreach_utils", "_import_utils", "_mode_utils", "_ordered_set",
    "_pallas", "_python_dispatch", "_pytree", "_traceback", "_triton", "benchmark", "checkpoint", "collect_env", "data", "deterministic", "weak",
)  # fmt: skip


def set_module(obj, mod):
    """Set the `__module__` of an object."""
    if not isinstance(mod, str):
        raise TypeError("The mod argument should be a string")
    obj.__module__ = mod


__getattr__ = lazy_attributes(
    __name__, *_SUBMODULES, names={"ThroughputBenchmark": "minitorch.utils.throughput_benchmark"}
)
