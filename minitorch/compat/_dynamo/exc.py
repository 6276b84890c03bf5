"""Errors of the compiler, for programs that catch them.

Because nothing is compiled, only `InvalidBackend` is ever raised.
"""

from minitorch.nn.modules._compile_arguments import InvalidBackend, TorchDynamoException

__all__ = [
    "BackendCompilerFailed",
    "FailOnRecompileLimitHit",
    "InternalTorchDynamoError",
    "InvalidBackend",
    "RecompileError",
    "SkipFrame",
    "TorchDynamoException",
    "TorchRuntimeError",
    "Unsupported",
]


class InternalTorchDynamoError(TorchDynamoException):
    """An error in the compiler itself."""


class RecompileError(TorchDynamoException):
    """A function would be recompiled, which the configuration forbids."""


class SkipFrame(TorchDynamoException):
    """A function is skipped by the compiler."""


class TorchRuntimeError(TorchDynamoException):
    """An operator fails on the fake tensors of a function's arguments."""


class FailOnRecompileLimitHit(Exception):
    """The number of recompilations of a function exceeds the configured limit."""


class Unsupported(TorchDynamoException):
    """A program uses a feature that cannot be compiled.

    Parameters
    ----------
    msg : str
        The error message.
    """

    def __init__(self, msg):
        super().__init__(msg)
        self.msg = msg


class BackendCompilerFailed(TorchDynamoException):
    """A compiler backend raised an error.

    Parameters
    ----------
    backend_fn : callable
        The backend.
    inner_exception : Exception
        The error that it raised.
    """

    def __init__(self, backend_fn, inner_exception):
        self.backend_name = getattr(backend_fn, "__name__", "?")
        self.inner_exception = inner_exception
        super().__init__(
            f"backend={self.backend_name!r} raised:\n"
            f"{type(inner_exception).__name__}: {inner_exception}"
        )
