"""`make_fx`, which the package ``functorch`` exports from here."""

from minitorch.fx.experimental.proxy_tensor import make_fx

__all__ = ["make_fx", "pythonkey_decompose"]


def pythonkey_decompose(decomposition_table):
    """Raise NotImplementedError: tracing with other decompositions is not supported.

    Raises
    ------
    NotImplementedError
    """
    raise NotImplementedError("pythonkey_decompose")
