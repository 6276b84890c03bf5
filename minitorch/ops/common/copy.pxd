# Copying, converting and filling tensors.

from minitorch.core.tensor_impl cimport TensorImpl

cdef enum MemoryFormat:                # PyTorch's numbers
    CONTIGUOUS_FORMAT = 0
    PRESERVE_FORMAT = 1
    CHANNELS_LAST_FORMAT = 2
    CHANNELS_LAST_3D_FORMAT = 3

# Write `src`, broadcast and converted, into `self`; returns self. Raises a RuntimeError if the shapes do not
# broadcast or `self` overlaps itself.
cdef TensorImpl copy_(TensorImpl self, TensorImpl src)
# The same values in another dtype with the same strides; `self` if it has the dtype already.
cdef TensorImpl cast(TensorImpl self, int dtype)
cdef TensorImpl clone(TensorImpl self, int memory_format=*)        # default: PRESERVE_FORMAT
# `self` if it has the format already. Default: CONTIGUOUS_FORMAT
cdef TensorImpl contiguous(TensorImpl self, int memory_format=*)
cdef bint is_in_format(TensorImpl self, int memory_format)
# New memory for the shape of `self` in this format
cdef TensorImpl empty_in_format(TensorImpl self, int dtype, int memory_format)
# Set every element to a number; returns self
cdef TensorImpl fill_(TensorImpl self, object value)
cdef TensorImpl zero_(TensorImpl self)
# The UserWarning that every conversion from complex to real gives
cdef int warn_discards_imaginary() except -1
