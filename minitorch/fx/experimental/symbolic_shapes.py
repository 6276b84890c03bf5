"""Sizes that are not known: there are none."""

__all__ = ["ShapeEnv"]


class ShapeEnv:
    """What is known of unknown sizes; there is no instance.

    Raises
    ------
    NotImplementedError
        When one is made.
    """

    def __init__(self, *args, **kwargs):
        raise NotImplementedError("torch.fx.experimental.symbolic_shapes.ShapeEnv")
