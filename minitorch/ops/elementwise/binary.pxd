# Sums and products of two tensors. A Python number is passed as a 0-dim tensor with is_wrapped_number.

from minitorch.core.dtype cimport is_complex, is_reduced_floating
from minitorch.core.result_type cimport result_type
from minitorch.core.tensor_impl cimport TensorImpl

cdef TensorImpl add(TensorImpl self, TensorImpl other, object alpha=*, TensorImpl out=*)
cdef TensorImpl sub(TensorImpl self, TensorImpl other, object alpha=*, TensorImpl out=*)
cdef TensorImpl rsub(TensorImpl self, TensorImpl other, object alpha=*, TensorImpl out=*)
cdef TensorImpl mul(TensorImpl self, TensorImpl other, TensorImpl out=*)

cdef inline bint is_reduced_and_scalar(TensorImpl self, TensorImpl other) except -1:
    """Return whether `self` has 16 bits and `other` is a 0-dim tensor that PyTorch uses in its own precision."""
    return (is_reduced_floating(self.dtype) and other.geometry.ndim == 0
            and not is_complex(other.dtype) and other.dtype != self.dtype
            and result_type(self, other, None) == self.dtype)

# The operator of two such tensors, computed in float32
cdef TensorImpl reduced_by_scalar(int op, TensorImpl self, TensorImpl other, str name, TensorImpl out)
