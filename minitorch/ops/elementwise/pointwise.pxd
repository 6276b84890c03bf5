# Common to all elementwise operators: dtypes, shape, output, kernel. The operators themselves are in unary,
# binary, compare, ternary, activation, activation_backward.

from minitorch.core.iterator cimport TensorIterator
from minitorch.core.tensor_impl cimport TensorImpl

# How the dtypes of the inputs determine the dtype of the computation and of the result
cdef enum Rule:
    SAME = 0            # compute in the common dtype and return it
    TO_FLOAT = 1        # compute integers and bool in the default floating-point dtype
    TO_BOOL = 2         # a predicate: the result is Bool
    TO_REAL = 3         # the result is real when the inputs are complex
    TO_FLOAT_REAL = 4   # both
    STRICT = 5          # like SAME, and `out` must have that dtype
    MASKED = 6          # the first of three inputs is a Bool mask, which is not promoted

cdef bint check_out_shape(TensorImpl out, bint is_input, TensorIterator* it) except -1
# `name` appears in PyTorch's message `"name" not implemented for 'Half'`; `params` are the doubles of a
# parametrised kernel, or NULL. `out` may be None.
cdef TensorImpl unary(int op, TensorImpl self, Rule rule, str name, double* params, TensorImpl out)
cdef TensorImpl binary(int op, TensorImpl self, TensorImpl other, Rule rule, str name,
                       double* params, TensorImpl out)
cdef TensorImpl ternary(int op, TensorImpl a, TensorImpl b, TensorImpl c, Rule rule, str name,
                        double* params, TensorImpl out)
