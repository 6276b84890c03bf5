"""The package opt_einsum, which optimizes the contraction order of an `einsum`."""

enabled = False
strategy = None


def is_available():
    """Return False, since the package is not used."""
    return False


def get_opt_einsum():
    """Return None, since the package is not used."""
    return None
