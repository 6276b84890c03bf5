"""Names of PyTorch's compilers of graphs, for programs that list them; none is here."""

from minitorch.namespace.absent import absent

__all__ = ["names"]


def names(module, listed):
    """Functions that tell whoever calls them what is missing, by name."""
    return {name: absent(f"torch._functorch.{module}.{name}") for name in listed.split()}
