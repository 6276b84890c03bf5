# Questions that formulas ask about tensors, sizes and numbers.

from minitorch.autograd.variable cimport TensorBase
from minitorch.core.tensor_impl cimport TensorImpl

cdef list all_sizes(object tensors)
cdef list all_dtypes(object tensors)
cdef object number_conj(object number)
cdef Py_ssize_t size_of(TensorImpl t, Py_ssize_t dim) except -1
cdef object sizes_or_none(TensorBase t)
cdef object unsigned(object number)                   # an int, or several, as `_saved_dim` shows them
cdef int dtype_code(TensorImpl t) noexcept
cdef Py_ssize_t offset_of(TensorImpl t) noexcept
cdef bint complex_impl(TensorImpl t) noexcept
cdef bint conj_impl(TensorImpl t) except -1          # a lazy conjugate
cdef bint inexact_impl(TensorImpl t) noexcept        # floating or complex
cdef bint can_view(object t, tuple shape) except -1   # whether reshape(t, shape) is a view
cdef str matmul_plan_of(TensorBase a, TensorBase b)   # how matmul(a, b) is computed, see ops/linalg/matmul.pxd
cdef tuple inverse_permutation(tuple dims)
cdef int lonely_batch_of(TensorBase a, TensorBase b) noexcept
cdef tuple matmul_shapes_of(TensorBase a, TensorBase b)
cdef Py_ssize_t numel_of(tuple sizes) except -1
cdef bint is_contiguous_of(TensorBase t) noexcept
cdef bint is_fusable(TensorImpl bias) noexcept
cdef bint is_plain(TensorImpl t) except -1

cdef inline bint is_number(TensorImpl t) noexcept:
    return t.is_wrapped_number

cdef int check_history(object t) except -1
cdef Py_ssize_t zero_count(TensorImpl t) except -1
cdef object told_number(TensorBase t)                 # its only element, as modes and classes say
# Queries of formulas that run on Tensors; on TensorImpls the answers are constant: no, yes, no
cdef bint records() noexcept                          # grad mode is on, or a level of forward mode
cdef bint unseen(TensorBase t) noexcept               # nothing is recorded, and no mode or class sees operators on t
cdef bint computed_by_python(object t) except -1      # not recorded, and PyTorch's operators are seen
cdef bint is_transformed(object t) except -1          # a tensor of vmap, or of func.grad or func.jvp
cdef bint is_sample(object t) except -1               # a tensor of vmap
cdef bint is_floating_code(int dtype) noexcept
cdef int result_type_of(object a, object b) except -1     # of two tensors
cdef int warn_of_padded_copy() except -1              # once, of padding="same" that pads one side more
cdef double float32_of(object number) except? -1.0      # rounded as PyTorch's formulas round some parameters
cdef object log_of(object number)                     # -inf at 0, complex below it
