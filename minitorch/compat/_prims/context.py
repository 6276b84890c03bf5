"""`TorchRefsMode`: computation with reference implementations."""

from minitorch.overrides import TorchFunctionMode

__all__ = ["TorchRefsMode"]


class TorchRefsMode(TorchFunctionMode):
    """Mode that replaces functions by their references.

    It has no effect, because each reference is the function itself.

    Parameters
    ----------
    strict : bool, default False
        Whether functions without a reference raise an error; ignored.
    should_fallback_fn : callable, optional
        Selects functions to call directly; ignored.
    prims_mode_cls : type, optional
        Mode for primitive operators; ignored.
    """

    def __init__(self, strict=False, should_fallback_fn=None, prims_mode_cls=None):
        self.strict = strict
        self.should_fallback_fn = should_fallback_fn
        self.prims_mode_cls = prims_mode_cls

    def __torch_function__(self, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))
