"""Functional tensors of PyTorch's compiler; absent, see `minitorch.func.functionalize`."""

import contextlib

from minitorch.namespace.absent import Absent, absent
from minitorch.utils._python_dispatch import TorchDispatchMode

__all__ = [
    "BaseFunctionalizeAPI",
    "CppFunctionalizeAPI",
    "FunctionalTensor",
    "FunctionalTensorMode",
    "FunctorchFunctionalizeAPI",
    "PythonFunctionalizeAPI",
    "disable_functional_mode",
    "dispatch_functionalize",
    "mb_unwrap_functional_tensor",
]

dispatch_functionalize = absent("torch._subclasses.functional_tensor.dispatch_functionalize")


class FunctionalTensor(Absent):
    """A tensor that records in-place operations; absent."""


class FunctionalTensorMode(Absent, TorchDispatchMode):
    """The mode that creates functional tensors; absent."""


class BaseFunctionalizeAPI(Absent):
    """Functionalization interface of higher-order operators; absent."""


class PythonFunctionalizeAPI(BaseFunctionalizeAPI):
    """Functionalization interface for Python functional tensors; absent."""


class CppFunctionalizeAPI(BaseFunctionalizeAPI):
    """Functionalization interface for C++ functional tensors; absent."""


class FunctorchFunctionalizeAPI(BaseFunctionalizeAPI):
    """Functionalization interface inside of function transforms; absent."""


@contextlib.contextmanager
def disable_functional_mode():
    """Disable the functional mode inside the block; no effect, because it is never active."""
    yield


def mb_unwrap_functional_tensor(tensor):
    """Return the tensor unchanged, because there are no functional tensors."""
    return tensor
