"""Names that programs look up in `minitorch.autograd`, and that are not needed to differentiate."""

import sys

from minitorch.autograd.graph_api.legacy_variable import Variable, VariableMeta
from minitorch.core.lazy import lazy_attributes

# names that PyTorch has here and minitorch defines elsewhere; imported when they are first used
_ELSEWHERE = {
    "trace": "minitorch.autograd.observe.tracing",
    "SavedTensor": "minitorch.autograd.saved_tensor",
    "_pop_saved_tensors_default_hooks": "minitorch.autograd.saved_tensor_hooks",
    "_push_saved_tensors_default_hooks": "minitorch.autograd.saved_tensor_hooks",
    "_profiler_enabled": "minitorch.autograd.profiler",
    "_record_function_with_args_enter": "minitorch.autograd.observe.profiled_blocks",
    "_record_function_with_args_exit": "minitorch.autograd.observe.profiled_blocks",
    "DeviceType": "minitorch._C._autograd",
    "ProfilerActivity": "minitorch.profiler",
    "has_torch_function": "minitorch.overrides",
    "is_tensor_like": "minitorch.overrides",
}
_lazy = lazy_attributes(
    "minitorch.autograd",
    *("functional", "profiler", "profiler_legacy", "profiler_util", "_functions"),
    names=_ELSEWHERE,
)


def attributes(name):
    """Return an attribute of `minitorch.autograd` that is imported when it is first used."""
    if name == "torch":  # the library itself, as each module of PyTorch has it
        return sys.modules["minitorch"]
    return _lazy(name)


def variable(*args, **kwargs):
    """Raise RuntimeError: this old constructor is gone, `minitorch.tensor` makes tensors.

    Raises
    ------
    RuntimeError
        Always.
    """
    raise RuntimeError("torch.autograd.variable(...) is deprecated, use torch.tensor(...) instead")


# the function has the name of a module, and programs look up the module's classes in it
variable.Variable, variable.VariableMeta = Variable, VariableMeta


def kineto_available():
    """Return True, since the profiler can always record operators.

    Returns
    -------
    bool
        Always True.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.autograd.profiler.kineto_available()
    True
    """
    return True


kineto_available.__module__ = variable.__module__ = "minitorch.autograd"
