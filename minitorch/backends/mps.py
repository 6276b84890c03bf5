"""Queries about Apple's GPUs."""


def is_available():
    """Return False, since there is no MPS support."""
    return False


def is_built():
    """Return False, since there is no MPS support."""
    return False


def is_macos_or_newer(major, minor):
    """Return False, since there is no MPS support."""
    return False


def is_macos13_or_newer(minor=0):
    """Return False, since there is no MPS support."""
    return False
