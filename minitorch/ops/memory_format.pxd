# Which memory format an operator on images takes over from an input.

from minitorch.core.tensor_impl cimport TensorImpl

# CHANNELS_LAST_FORMAT or CHANNELS_LAST_3D_FORMAT when the strides of a 4- or 5-dim tensor say so,
# else CONTIGUOUS_FORMAT. Where sizes of one leave it open it is CONTIGUOUS_FORMAT.
cdef int suggest_memory_format(TensorImpl self) noexcept
# `self` in this format: itself when its strides are exactly those
cdef TensorImpl in_format(TensorImpl self, int memory_format)
