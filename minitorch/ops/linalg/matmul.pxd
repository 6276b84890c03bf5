# matmul and linear: the choice of the product of ops/linalg/linear for a pair of tensors.
#
# When gradients are recorded these are not operators of their own: their results carry the nodes of the products
# and views that they consist of. `matmul_steps` names these steps, and a recording caller repeats them.

from minitorch.core.tensor_impl cimport TensorImpl

cdef enum MatmulPlan:
    MATMUL_DOT           # dot(a, b)
    MATMUL_MV            # mv(a, b)
    MATMUL_VECTOR_MM     # squeeze(mm(unsqueeze(a, 0), b), 0)
    MATMUL_MM            # mm(a, b)
    MATMUL_FOLD          # view(mm(reshape(a, (-1, k)), b), shape), or mv for a vector b
    MATMUL_FOLD_RIGHT    # the same for mT(b) and a transposed; the mT of its result, made contiguous
    MATMUL_BMM           # view(bmm(reshape(expand(a)), reshape(expand(b))), shape)

# Which of two batches has a single matrix while the other has several, and so loses its batch dimension: 1 or 2;
# 0 for neither
cdef int lonely_batch(TensorImpl self, TensorImpl other) noexcept
# How matmul(self, other) is computed. `second_requires_grad` refers to the operand with fewer dimensions. If it
# is true, the product is folded, so that the gradient is one product and no large temporary. RuntimeError for
# 0-dim operands.
cdef MatmulPlan matmul_plan(TensorImpl self, TensorImpl other, bint second_requires_grad) except *
# For MATMUL_BMM: (sizes of a expanded, of a as 3-dim, of b expanded, of b as 3-dim, of the result). A vector b is
# expanded to (..., k) and then unsqueezed, so its sizes are 2-dim
cdef tuple matmul_shapes(TensorImpl self, TensorImpl other)

cdef TensorImpl matmul(TensorImpl self, TensorImpl other, TensorImpl out=*)
# whether linear adds this bias within the matrix product to which it flattens its input
cdef bint fuses(TensorImpl bias) noexcept
# input @ weight.T + bias; bias may be None
cdef TensorImpl linear(TensorImpl input, TensorImpl weight, TensorImpl bias=*)
