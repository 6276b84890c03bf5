"""Names by which programs switch PyTorch's dispatcher to kernels in Python (`OpOverload.py_impl`); nothing is called here."""

from minitorch.namespace.absent import absent

__all__ = ["enable_pre_dispatch", "enable_python_dispatcher", "no_python_dispatcher"]

enable_crossref_functionalize = absent("torch._dispatch.python.enable_crossref_functionalize")


class enable_python_dispatcher:
    """Inside, operators would be found by Python's tables; here nothing changes."""

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass


no_python_dispatcher = enable_pre_dispatch = enable_python_dispatcher
