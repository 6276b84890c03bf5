# The checks of linear algebra, with PyTorch's messages. `name` is the function, such as "linalg.inv".

from minitorch.core.tensor_impl cimport TensorImpl

cdef int check_is_matrix(TensorImpl self, str name, str argument=*) except -1
cdef int check_square(TensorImpl self, str name, str argument=*) except -1
# RuntimeError for other dtypes, and with `wide` for float16
cdef int check_floating_or_complex(TensorImpl self, str name, bint wide=*) except -1
# A X = B, or X A = B
cdef int check_solver(TensorImpl A, TensorImpl B, bint left, str name) except -1
# The older version of that check
cdef int check_linear_solve(TensorImpl b, TensorImpl A, str name) except -1
# Raise the exception for a LapackStatus; `kernel` is the name in "not implemented for 'Half'"
cdef int check_status(int status, int dtype, str kernel) except -1
# NotImplementedError unless it is one of the four dtypes of LAPACK
cdef int check_lapack_dtype(int dtype, str kernel) except -1
# LinAlgError for the first info that is not 0; is_matrix: there is no batch dimension
cdef int check_infos(TensorImpl infos, str name, bint is_matrix) except -1
