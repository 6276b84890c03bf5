"""What functions that write operators into files are made with."""

__all__ = ["parse_args"]


def parse_args(*arg_descriptors):
    """Say of which kinds the arguments are: the function itself, which no export calls here."""
    return lambda fn: fn
