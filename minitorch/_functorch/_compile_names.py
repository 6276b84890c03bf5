"""Names of PyTorch's graph compilers, for programs that list them; none is implemented."""

from minitorch.namespace.absent import absent

__all__ = ["names"]


def names(module, listed):
    """Return placeholders by name; calling one raises an error that names the function."""
    return {name: absent(f"torch._functorch.{module}.{name}") for name in listed.split()}
