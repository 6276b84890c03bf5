# The tiles of tile_types.pxd for AVX2 with FMA.

from minitorch.kernels.linalg.tile_types cimport Tiles

cdef void fill_avx2(Tiles* tiles32, Tiles* tiles64) noexcept
