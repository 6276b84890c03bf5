# The memory format that an operator on images adopts from an input.

from minitorch.core.tensor_impl cimport TensorImpl

# CHANNELS_LAST_FORMAT or CHANNELS_LAST_3D_FORMAT if the strides of a 4- or 5-dim tensor are in that order, else
# CONTIGUOUS_FORMAT. If sizes of 1 make both possible, it is CONTIGUOUS_FORMAT.
cdef int suggest_memory_format(TensorImpl self) noexcept
# `self` in this format: itself if it has exactly these strides
cdef TensorImpl in_format(TensorImpl self, int memory_format)
