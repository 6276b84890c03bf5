"""PyTorch's generator of kernels: what programs ask and set; nothing is generated here."""

from minitorch._inductor import config, utils
from minitorch.compiler import cudagraph_mark_step_begin
from minitorch.namespace.lazy_modules import lazy_modules

__all__ = ["config", "cudagraph_mark_step_begin", "list_mode_options", "utils"]


def list_mode_options(mode=None, dynamic=None):
    """What the names of modes stand for: nothing, for each of them."""
    modes = {
        "default": {},
        "reduce-overhead": {},
        "max-autotune-no-cudagraphs": {},
        "max-autotune": {},
    }
    return modes if mode is None else modes[mode]


__getattr__ = lazy_modules(__name__, "custom_graph_pass", "exc")
