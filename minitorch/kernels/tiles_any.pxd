# The tiles of tiles.pxd for any processor: vectors of 16 bytes, as SSE2 and NEON have them.

from minitorch.kernels.tiles cimport Tiles

cdef void fill_any(Tiles* tiles32, Tiles* tiles64) noexcept
