# What Python hands in, as the recording wrappers take it.

from cpython.bool cimport PyBool_Check
from cpython.complex cimport PyComplex_CheckExact
from cpython.float cimport PyFloat_CheckExact
from cpython.long cimport PyLong_CheckExact

from minitorch.autograd.variable cimport TensorBase

cdef inline bint is_number(object x) noexcept:
    return (PyFloat_CheckExact(x) or PyLong_CheckExact(x) or PyBool_Check(x)
            or PyComplex_CheckExact(x))

cdef bint is_tensor_list(object x) noexcept
cdef bint is_optional_tensor_list(object x) noexcept
cdef bint is_int_list(object x, bint one_is_enough) noexcept
cdef bint is_dtype(object x) noexcept
cdef bint is_dtype_or_none(object x) noexcept
cdef bint is_memory_format_or_none(object x) noexcept
cdef bint is_generator_or_none(object x) noexcept

cdef TensorBase writable_operand(object x)
cdef TensorBase operand(object x)                      # a tensor, or a number as a 0-dim tensor
cdef TensorBase operand_or_none(object x)              # None when it is neither
# Python's number for one of Python or NumPy, as PyTorch reads it; None when it is none
cdef object number_or_none(object x)
cdef TensorBase compared_or_none(object x)             # as operand_or_none; NumPy's arrays are tensors
cdef inline TensorBase tensor_or_none(object x):
    return <TensorBase>x if isinstance(x, TensorBase) else None
cdef tuple int_tuple(object x, int length)
cdef object int_tuple_or_none(object x, int length)
cdef int dtype_code_or_none(object x) except -1
cdef int memory_format_code(object x, int default) except -1
