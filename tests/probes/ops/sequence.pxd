from minitorch.core.tensor_impl cimport TensorImpl

cdef TensorImpl impl_of(object value)      # for the class Tensor of the probe
