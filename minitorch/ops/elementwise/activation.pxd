# The activation functions of neural networks. Scalars are Python numbers.

from minitorch.core.tensor_impl cimport TensorImpl

cdef TensorImpl relu(TensorImpl self, TensorImpl out=*)
cdef TensorImpl relu6(TensorImpl self, TensorImpl out=*)
cdef TensorImpl threshold(TensorImpl self, object threshold, object value, TensorImpl out=*)
cdef TensorImpl hardtanh(TensorImpl self, object min_val=*, object max_val=*, TensorImpl out=*)
cdef TensorImpl leaky_relu(TensorImpl self, object negative_slope=*, TensorImpl out=*)
cdef TensorImpl elu(TensorImpl self, object alpha=*, object scale=*, object input_scale=*,
                    TensorImpl out=*)
cdef TensorImpl selu(TensorImpl self, TensorImpl out=*)
cdef TensorImpl celu(TensorImpl self, object alpha=*, TensorImpl out=*)
cdef TensorImpl gelu(TensorImpl self, str approximate=*, TensorImpl out=*)
cdef TensorImpl silu(TensorImpl self, TensorImpl out=*)
cdef TensorImpl mish(TensorImpl self, TensorImpl out=*)
cdef TensorImpl softplus(TensorImpl self, object beta=*, object threshold=*, TensorImpl out=*)
cdef TensorImpl log_sigmoid(TensorImpl self, TensorImpl out=*)
cdef TensorImpl hardsigmoid(TensorImpl self, TensorImpl out=*)
cdef TensorImpl hardswish(TensorImpl self, TensorImpl out=*)
cdef TensorImpl hardshrink(TensorImpl self, object lambd=*, TensorImpl out=*)
cdef TensorImpl softshrink(TensorImpl self, object lambd=*, TensorImpl out=*)
# weight has the sizes of self or broadcasts to them
cdef TensorImpl _prelu_kernel(TensorImpl self, TensorImpl weight)
