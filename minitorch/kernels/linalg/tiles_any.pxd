# The tiles of tile_types.pxd for any processor: vectors of 16 bytes, as in SSE2 and NEON.

from minitorch.kernels.linalg.tile_types cimport Tiles

cdef void fill_any(Tiles* tiles32, Tiles* tiles64) noexcept
