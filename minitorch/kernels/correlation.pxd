# Correlations (conv_block.pxd) by register tiles.

from minitorch.kernels.conv_block cimport Correlation

# Runs it, over threads; dtype Float32 or Float64. Returns a ConvStatus.
cdef int correlate(int dtype, const Correlation* c) noexcept nogil

# The sums the other way: gw[r, c, t] += sum over images and outputs of gy * x, where gy is what
# lies at c.y, for correlations with few rows or few terms. gw is contiguous: groups, rows, channels,
# taps.
cdef int correlate_weight(int dtype, const Correlation* c, char* gw) noexcept nogil
