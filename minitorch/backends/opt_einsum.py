"""The package that finds an order for the products of an `einsum`."""

enabled = False
strategy = None


def is_available():
    """Whether it is used: no."""
    return False


def get_opt_einsum():
    """The package: None."""
    return None
