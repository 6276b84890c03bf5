"""Small functions of the public namespace that need compiled modules: dtypes and threads."""

from minitorch.autograd.functions.arguments cimport is_number, operand
from minitorch.autograd.sparse_tensor cimport is_sparse
from minitorch.autograd.variable cimport TensorBase
from minitorch.core cimport result_type as result_types
from minitorch.core.dtype cimport Bool, Complex32, dtype, dtype_of, promote_types as promote_codes
from minitorch.core.dtype_code cimport code_of
from minitorch.core.special cimport resolved_impl
from minitorch.core.tensor_impl cimport data, same_sizes
from minitorch.kernels.common cimport parallel
from minitorch.kernels.linalg.blas_threads cimport set_blas_threads
from minitorch.ops.common.scalar cimport read_scalar
from minitorch.ops.elementwise.compare cimport eq
from minitorch.ops.reduction.reduction cimport all as all_of

from minitorch.parsing.parser import bind
from minitorch.core.class_names import type_name

cdef list _PROMOTE = ["promote_types(ScalarType type1, ScalarType type2)"]
cdef list _RESULT = [
    "result_type(Tensor tensor, Tensor other)", "result_type(Scalar scalar, Tensor tensor)",
    "result_type(Tensor tensor, Scalar other)", "result_type(Scalar scalar1, Scalar scalar2)"]
cdef list _CAN_CAST = ["can_cast(ScalarType from_, ScalarType to)"]


def _equal(TensorBase a, TensorBase b):
    """Return whether two tensors have the same shape and the same elements."""
    if is_sparse(a.impl) or is_sparse(b.impl):
        raise NotImplementedError("Could not run 'aten::equal' with arguments from the 'SparseCPU' backend.")
    if not same_sizes(a.impl.geometry, b.impl.geometry):
        return False
    if a.impl.dtype == Complex32:
        raise NotImplementedError("\"equal_cpu\" not implemented for 'ComplexHalf'")
    return bool(read_scalar(data(all_of(eq(resolved_impl(a.impl), resolved_impl(b.impl)))), Bool))


def promote_types(*args, **kwargs):
    """promote_types(type1, type2): the smallest dtype that both convert to without loss of kind."""
    if len(args) == 2 and not kwargs and isinstance(args[0], dtype) and isinstance(args[1], dtype):
        a, b = args
    else:
        _, (a, b) = bind(_PROMOTE, args, kwargs, name="promote_types")
    return dtype_of(promote_codes(code_of(<dtype>a), code_of(<dtype>b)))


def result_type(*args, **kwargs):
    """result_type(tensor1, tensor2): the dtype that an operator of both computes in."""
    if len(args) == 2 and not kwargs and isinstance(args[0], TensorBase) and (
            isinstance(args[1], TensorBase) or is_number(args[1])):
        a, b = args
    else:
        _, (a, b) = bind(_RESULT, args, kwargs, name="result_type")
    return dtype_of(result_types.result_type(operand(a).impl, operand(b).impl, None))


def can_cast(*args, **kwargs):
    """can_cast(from_, to): whether a result of one dtype may be written to a tensor of the other."""
    _, (a, b) = bind(_CAN_CAST, args, kwargs, name="can_cast")
    return bool(result_types.can_cast(code_of(<dtype>a), code_of(<dtype>b)))


def get_num_threads():
    """Return the number of threads that one operator may use.

    Returns
    -------
    int

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.get_num_threads() >= 1
    True
    """
    return parallel.num_threads()


def set_num_threads(n):
    """Set the number of threads that one operator, or BLAS, may use.

    Parameters
    ----------
    n : int
        At least 1.

    Returns
    -------
    None

    Raises
    ------
    RuntimeError
        If `n` is not a positive integer.

    Examples
    --------
    >>> import minitorch as torch
    >>> before = torch.get_num_threads()
    >>> torch.set_num_threads(1)
    >>> torch.get_num_threads()
    1
    >>> torch.set_num_threads(before)
    """
    if not isinstance(n, int) or isinstance(n, bool):
        raise RuntimeError(f"set_num_threads expects an int, but got {type_name(n)}")
    if n <= 0:
        raise RuntimeError("set_num_threads expects a positive integer")
    parallel.set_num_threads(n)
    set_blas_threads(n)
