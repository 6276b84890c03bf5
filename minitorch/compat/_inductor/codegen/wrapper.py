"""The code around kernels."""

from minitorch._absent import Absent

__all__ = ["PythonWrapperCodegen"]


class PythonWrapperCodegen(Absent):
    """What writes the Python that calls kernels."""
