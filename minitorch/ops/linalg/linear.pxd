# Products of matrices and vectors. alpha and beta are Python numbers; with beta = 0 the values of `self` are
# ignored. All operands have the same dtype.

from minitorch.core.tensor_impl cimport TensorImpl

cdef TensorImpl mm(TensorImpl self, TensorImpl mat2, TensorImpl out=*)
cdef TensorImpl mv(TensorImpl self, TensorImpl vec, TensorImpl out=*)
cdef TensorImpl dot(TensorImpl self, TensorImpl tensor, TensorImpl out=*)
cdef TensorImpl vdot(TensorImpl self, TensorImpl other, TensorImpl out=*)      # self is conjugated
cdef TensorImpl bmm(TensorImpl self, TensorImpl mat2, TensorImpl out=*)
cdef TensorImpl outer(TensorImpl self, TensorImpl vec2, TensorImpl out=*)
cdef TensorImpl ger(TensorImpl self, TensorImpl vec2, TensorImpl out=*)        # outer

# beta * self + alpha * product; self is broadcast to the sizes of the product
cdef TensorImpl addmm(TensorImpl self, TensorImpl mat1, TensorImpl mat2, object beta=*,
                      object alpha=*, TensorImpl out=*)
cdef TensorImpl addmv(TensorImpl self, TensorImpl mat, TensorImpl vec, object beta=*,
                      object alpha=*, TensorImpl out=*)
cdef TensorImpl addr(TensorImpl self, TensorImpl vec1, TensorImpl vec2, object beta=*,
                     object alpha=*, TensorImpl out=*)
cdef TensorImpl baddbmm(TensorImpl self, TensorImpl batch1, TensorImpl batch2, object beta=*,
                        object alpha=*, TensorImpl out=*)
cdef TensorImpl addbmm(TensorImpl self, TensorImpl batch1, TensorImpl batch2, object beta=*,
                       object alpha=*, TensorImpl out=*)
