"""Errors of the generator of kernels."""

__all__ = ["CppCompileError", "InvalidCxxCompiler"]


class InvalidCxxCompiler(RuntimeError):
    """There is no compiler for C++ that works."""


class CppCompileError(RuntimeError):
    """The compiler refused what was generated."""
