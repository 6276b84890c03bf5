# matmul and linear: which product of ops/linear a pair of tensors wants.
#
# With gradients these are not operators of their own: their results carry the nodes of the products
# and views they are made of, which `matmul_steps` names, so a recording caller repeats the steps.

from minitorch.core.tensor_impl cimport TensorImpl

cdef enum MatmulPlan:
    MATMUL_DOT           # dot(a, b)
    MATMUL_MV            # mv(a, b)
    MATMUL_VECTOR_MM     # squeeze(mm(unsqueeze(a, 0), b), 0)
    MATMUL_MM            # mm(a, b)
    MATMUL_FOLD          # view(mm(reshape(a, (-1, k)), b), shape), or mv for a vector b
    MATMUL_FOLD_RIGHT    # the same for mT(b) and a transposed: mT of that, contiguous
    MATMUL_BMM           # view(bmm(reshape(expand(a)), reshape(expand(b))), shape)

# Which of two batches is one matrix beside several, and goes without its batch dimension: 1, 2; 0: neither
cdef int lonely_batch(TensorImpl self, TensorImpl other) noexcept
# How matmul(self, other) is computed. `second_requires_grad` is about the operand with fewer
# dimensions: then the product is always folded, so that its gradient is a sum and no large tensor.
# RuntimeError for 0-dim operands.
cdef MatmulPlan matmul_plan(TensorImpl self, TensorImpl other, bint second_requires_grad) except *
# For MATMUL_BMM: (sizes of a expanded, of a as 3-dim, of b expanded, of b as 3-dim, of the result);
# a vector b is expanded to (..., k) and then unsqueezed: its sizes are 2-dim
cdef tuple matmul_shapes(TensorImpl self, TensorImpl other)

cdef TensorImpl matmul(TensorImpl self, TensorImpl other, TensorImpl out=*)
# whether linear adds this bias within the product, of matrices that its input is flattened to
cdef bint fuses(TensorImpl bias) noexcept
# input @ weight.T + bias; bias may be None
cdef TensorImpl linear(TensorImpl input, TensorImpl weight, TensorImpl bias=*)
