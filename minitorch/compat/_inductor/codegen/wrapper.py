"""The code around kernels."""

from minitorch.namespace.absent import Absent

__all__ = ["PythonWrapperCodegen"]


class PythonWrapperCodegen(Absent):
    """What writes the Python that calls kernels."""
