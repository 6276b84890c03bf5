"""Generation of wrapper code, which is absent."""

from minitorch.namespace.absent import Absent

__all__ = ["PythonWrapperCodegen"]


class PythonWrapperCodegen(Absent):
    """Generator of the Python code that calls kernels; absent."""
