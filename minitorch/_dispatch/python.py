"""Context managers that switch PyTorch's dispatcher to Python kernels; no effect in minitorch."""

from minitorch.namespace.absent import absent

__all__ = ["enable_pre_dispatch", "enable_python_dispatcher", "no_python_dispatcher"]

enable_crossref_functionalize = absent("torch._dispatch.python.enable_crossref_functionalize")


class enable_python_dispatcher:
    """Context manager without effect: minitorch has no dispatcher with kernels in Python."""

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass


no_python_dispatcher = enable_pre_dispatch = enable_python_dispatcher
