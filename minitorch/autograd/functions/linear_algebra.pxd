# Questions that the derivatives of linear algebra ask about values; a tensor is given as a
# TensorImpl or a TensorBase.

from minitorch.core.tensor_impl cimport TensorImpl


cdef bint has_zero(object tensor) except -1                  # an element that is 0
cdef double epsilon(TensorImpl t) noexcept                   # the smallest step from 1
# Whether _linalg_solve_ex and its relatives have factored the transpose of this matrix
cdef bint is_factored_transposed(object A) except -1
# RuntimeError unless the imaginary parts of a (and minus those of b, where it is given) are the
# same within 1e-2, b None: are 0. `what` is the message.
cdef int check_phase(object a, object b, str what) except -1
# Whether B of solve(A, B) holds vectors, by their sizes
cdef bint holds_vectors(tuple A, tuple B) except -1
