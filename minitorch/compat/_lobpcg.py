"""`lobpcg` and its iteration, under the module name of PyTorch."""

from minitorch.composed.lobpcg import LOBPCG, lobpcg

__all__ = ["LOBPCG", "lobpcg"]
