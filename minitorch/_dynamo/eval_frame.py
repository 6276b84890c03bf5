"""What the compiler makes of a module."""

from minitorch.compiler._optimized_module import OptimizedModule

__all__ = ["OptimizedModule"]
