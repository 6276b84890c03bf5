"""The errors that programs catch around what they compile.

Nothing is compiled, so none is raised but `InvalidBackend`.
"""

from minitorch.compiler._backends import InvalidBackend, TorchDynamoException

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
    """A function would be compiled again, which a switch forbids."""


class SkipFrame(TorchDynamoException):
    """A function is to be run as it is."""


class TorchRuntimeError(TorchDynamoException):
    """An operator fails with the tensors that stand for a function's arguments."""


class FailOnRecompileLimitHit(Exception):
    """A function was compiled as often as a switch allows."""


class Unsupported(TorchDynamoException):
    """A program has what cannot be compiled.

    Parameters
    ----------
    msg : str
        Says what it is.
    """

    def __init__(self, msg):
        super().__init__(msg)
        self.msg = msg


class BackendCompilerFailed(TorchDynamoException):
    """A compiler has raised an error of its own.

    Parameters
    ----------
    backend_fn : callable
        The compiler.
    inner_exception : Exception
        Its error.
    """

    def __init__(self, backend_fn, inner_exception):
        self.backend_name = getattr(backend_fn, "__name__", "?")
        self.inner_exception = inner_exception
        super().__init__(
            f"backend={self.backend_name!r} raised:\n"
            f"{type(inner_exception).__name__}: {inner_exception}"
        )
