"""Errors of the kernel generator."""

__all__ = ["CppCompileError", "InvalidCxxCompiler"]


class InvalidCxxCompiler(RuntimeError):
    """There is no working C++ compiler."""


class CppCompileError(RuntimeError):
    """The generated code does not compile."""
