"""`TorchRefsMode`: functions by their references, which here are the functions themselves."""

from minitorch.overrides import TorchFunctionMode

__all__ = ["TorchRefsMode"]


class TorchRefsMode(TorchFunctionMode):
    """Inside, functions are computed by their references: as everywhere, since a reference is the function here.

    Parameters
    ----------
    strict : bool, default False
        Whether a function without a reference is refused; every function has one.
    should_fallback_fn : callable, optional
        Which function is to be called itself; all of them are.
    prims_mode_cls : type, optional
        A context for primitive operators, of which there are none here.
    """

    def __init__(self, strict=False, should_fallback_fn=None, prims_mode_cls=None):
        self.strict = strict
        self.should_fallback_fn = should_fallback_fn
        self.prims_mode_cls = prims_mode_cls

    def __torch_function__(self, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))
