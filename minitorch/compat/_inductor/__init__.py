"""The interface of PyTorch's kernel generator; no kernels are generated."""

from minitorch._inductor import config, utils
from minitorch.compiler import cudagraph_mark_step_begin
from minitorch.core.lazy import lazy_attributes

__all__ = ["config", "cudagraph_mark_step_begin", "list_mode_options", "utils"]


def list_mode_options(mode=None, dynamic=None):
    """Return the options of the named mode or of all modes, which are empty."""
    modes = {
        "default": {},
        "reduce-overhead": {},
        "max-autotune-no-cudagraphs": {},
        "max-autotune": {},
    }
    return modes if mode is None else modes[mode]


__getattr__ = lazy_attributes(__name__, "custom_graph_pass", "exc")
