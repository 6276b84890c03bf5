# The one way of all elementwise operators: types, shape, output, kernel. The operators themselves
# stand in unary, binary, compare, ternary, activation, activation_backward.

from minitorch.core.tensor_impl cimport TensorImpl

# How the types of the inputs give the type that is computed in and that of the result
cdef enum Rule:
    SAME = 0            # compute in the common type, and that is the result's
    TO_FLOAT = 1        # integers and bool are computed in the default floating-point type
    TO_BOOL = 2         # a predicate: the result is Bool
    TO_REAL = 3         # the result is real when the inputs are complex
    TO_FLOAT_REAL = 4   # both
    STRICT = 5          # SAME, and `out` must have the type already
    MASKED = 6          # the first of three inputs is a Bool mask and has no say in the type

# `name` is what PyTorch's message `"name" not implemented for 'Half'` says; `params` the doubles of
# a parametrised kernel, or NULL. `out` may be None.
cdef TensorImpl unary(int op, TensorImpl self, Rule rule, str name, double* params, TensorImpl out)
cdef TensorImpl binary(int op, TensorImpl self, TensorImpl other, Rule rule, str name,
                       double* params,
                       TensorImpl out)
cdef TensorImpl ternary(int op, TensorImpl a, TensorImpl b, TensorImpl c, Rule rule, str name,
                        double* params, TensorImpl out)
