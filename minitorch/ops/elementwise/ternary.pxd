# Elementwise operators on three tensors, and those whose bounds or values are numbers or tensors.

from minitorch.core.tensor_impl cimport TensorImpl

# min and max: a Python number or None; at least one is given
cdef TensorImpl clamp(TensorImpl self, object min=*, object max=*, TensorImpl out=*)
# Clamps between two finite or infinite numbers that the dtype of self can hold; all nan if a bound is nan
cdef TensorImpl clamp_between(TensorImpl self, double* bounds, TensorImpl out)
cdef TensorImpl clamp_min(TensorImpl self, object min, TensorImpl out=*)
cdef TensorImpl clamp_max(TensorImpl self, object max, TensorImpl out=*)
# min and max: a tensor or None
cdef TensorImpl clamp_tensor(TensorImpl self, TensorImpl min, TensorImpl max, TensorImpl out=*)
cdef TensorImpl clamp_min_tensor(TensorImpl self, TensorImpl min, TensorImpl out=*)
cdef TensorImpl clamp_max_tensor(TensorImpl self, TensorImpl max, TensorImpl out=*)
# condition: Bool or UInt8
cdef TensorImpl where(TensorImpl condition, TensorImpl self, TensorImpl other, TensorImpl out=*)
# self + value * tensor1 * tensor2, self + value * tensor1 / tensor2
cdef TensorImpl addcmul(TensorImpl self, TensorImpl tensor1, TensorImpl tensor2, object value=*,
                        TensorImpl out=*)
cdef TensorImpl addcdiv(TensorImpl self, TensorImpl tensor1, TensorImpl tensor2, object value=*,
                        TensorImpl out=*)
# weight: a tensor; a wrapped number is the Scalar form
cdef TensorImpl lerp(TensorImpl self, TensorImpl end, TensorImpl weight, TensorImpl out=*)
cdef TensorImpl lerp_scalar(TensorImpl self, TensorImpl end, object weight, TensorImpl out=*)
