"""Names of the tensors by which PyTorch's compiler traces writes; `minitorch.func.functionalize` is how it is done here."""

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
    """A tensor whose writes are kept."""


class FunctionalTensorMode(Absent, TorchDispatchMode):
    """The mode that makes such tensors."""


class BaseFunctionalizeAPI(Absent):
    """What an operator of functions needs of such tensors."""


class PythonFunctionalizeAPI(BaseFunctionalizeAPI):
    """The same of tensors of Python's."""


class CppFunctionalizeAPI(BaseFunctionalizeAPI):
    """The same of tensors of C++'s."""


class FunctorchFunctionalizeAPI(BaseFunctionalizeAPI):
    """The same inside of transforms."""


@contextlib.contextmanager
def disable_functional_mode():
    """Inside, the mode is not entered; it never is."""
    yield


def mb_unwrap_functional_tensor(tensor):
    """The tensor behind a functional one, or the tensor itself."""
    return tensor
