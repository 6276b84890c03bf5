"""`make_fx`, which the package ``functorch`` names here."""

from minitorch.fx.experimental.proxy_tensor import make_fx

__all__ = ["make_fx", "pythonkey_decompose"]


def pythonkey_decompose(decomposition_table):
    """Not supported: tracing with other decompositions.

    Raises
    ------
    NotImplementedError
    """
    raise NotImplementedError("pythonkey_decompose")
