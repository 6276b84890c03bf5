"""Kernels compiled for a graphics card: there is none."""

__all__: list[str] = []


def _create_jit_fn(code_string, **kwargs):
    """Not supported: an elementwise function compiled from its source.

    Raises
    ------
    NotImplementedError
    """
    raise NotImplementedError("torch.cuda.jiterator._create_jit_fn")
