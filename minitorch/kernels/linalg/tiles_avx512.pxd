# The tiles of tiles.pxd for AVX-512.

from minitorch.kernels.linalg.tiles cimport Tiles

cdef void fill_avx512(Tiles* tiles32, Tiles* tiles64) noexcept
