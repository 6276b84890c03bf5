"""``torch._C._fft`` and similar modules, whose function names begin with the namespace."""

from importlib import import_module
from types import ModuleType

from minitorch.namespace.absent import absent_in_c

__all__ = ["NamedApart"]


class NamedApart(ModuleType):
    """A module in which ``fft_fft``, for example, is ``torch.fft.fft``.

    Parameters
    ----------
    namespace : str
        The namespace, for example ``"fft"``.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch._C._fft.fft_fft is torch.fft.fft
    True
    """

    def __init__(self, namespace):
        super().__init__(f"torch._C._{namespace}")
        self.namespace = namespace

    def __getattr__(self, name):
        head, _, own = name.partition("_")
        if head == self.namespace and own:
            found = getattr(import_module(f"minitorch.{self.namespace}"), own, None)
            if callable(found):
                return found
        return absent_in_c(f"_{self.namespace}", name)
