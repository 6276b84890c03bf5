# Correlations (conv_block.pxd) by register tiles.

from minitorch.kernels.nn.conv_block cimport Correlation

# Runs the correlation, over threads; dtype is Float32 or Float64. Returns a ConvStatus.
cdef int correlate(int dtype, const Correlation* c) noexcept nogil

# The transposed sums: gw[r, c, t] += sum over images and outputs of gy * x, where gy is the array at c.y. For
# correlations with few rows or few terms. gw is contiguous: groups, rows, channels, taps.
cdef int correlate_weight(int dtype, const Correlation* c, char* gw) noexcept nogil
