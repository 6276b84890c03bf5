"""Tracing what operators do: it is never on."""

__all__ = ["get_proxy_mode", "make_fx"]


def get_proxy_mode():
    """The mode that traces at the moment: None."""
    return None


def make_fx(f, *args, **kwargs):
    """Not supported: a function as a graph of the operators that it calls.

    Raises
    ------
    NotImplementedError
    """
    raise NotImplementedError("torch.fx.experimental.proxy_tensor.make_fx")
