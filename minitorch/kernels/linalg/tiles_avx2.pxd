# The tiles of tiles.pxd for AVX2 with FMA.

from minitorch.kernels.linalg.tiles cimport Tiles

cdef void fill_avx2(Tiles* tiles32, Tiles* tiles64) noexcept
