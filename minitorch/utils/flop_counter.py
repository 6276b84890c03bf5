"""Counting arithmetic operations, which is not done here; packages name the class."""

__all__ = ["FlopCounterMode"]


class FlopCounterMode:
    """Count the operations in a block.

    Raises
    ------
    NotImplementedError
        When a block is entered.
    """

    def __init__(self, mods=None, depth=2, display=True, custom_mapping=None):
        self.depth = depth
        self.display = display

    def __enter__(self):
        raise NotImplementedError("torch.utils.flop_counter is not part of minitorch")

    def __exit__(self, *error):
        return None

    def get_total_flops(self):
        """The operations of the blocks so far: none was entered."""
        return 0

    def get_flop_counts(self):
        """The same by module."""
        return {}
