# The register tiles of tile_types.pxd for this processor.

from minitorch.kernels.linalg.tile_types cimport Tiles

cdef Tiles tiles32             # of Tile32, Dots32 and Dot32, lanes floats
cdef Tiles tiles64             # of Tile64, Dots64 and Dot64

cdef void choose_tiles(int level) noexcept   # for tests of what other processors use
