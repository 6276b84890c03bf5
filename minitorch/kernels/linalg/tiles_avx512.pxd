# The tiles of tile_types.pxd for AVX-512.

from minitorch.kernels.linalg.tile_types cimport Tiles

cdef void fill_avx512(Tiles* tiles32, Tiles* tiles64) noexcept
