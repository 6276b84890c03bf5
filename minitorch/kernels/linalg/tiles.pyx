"""Register tiles: the choice of the tiles for this processor.

Note [Tiles]
A processor multiplies and adds two vectors per cycle, but only if the sums stay in registers and no operation
waits for another. 8 by 3 vectors of AVX-512 are 24 independent sums; with three vectors of `b` and a broadcast
element of `a` they take 28 of its 32 registers. AVX2 and SSE2 have 16 registers, so there a tile is computed as
two tiles of 4 by 3. The code of the tiles is in tiles.pxi. The vector types are gcc's; Cython sees them as plain
numbers and generates the same arithmetic for both. With constant `rows` and `vectors` the loops over them are
unrolled, and the array of sums is kept in registers.

The tiles are chosen once, when the module is loaded.
"""

from minitorch.kernels.linalg.tiles_any cimport fill_any
from minitorch.kernels.linalg.tiles_avx2 cimport fill_avx2
from minitorch.kernels.linalg.tiles_avx512 cimport fill_avx512

cdef extern from *:
    """
    #if defined(__x86_64__)
    static int minitorch_level(void) {
        __builtin_cpu_init();
        if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return 0;
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl")
            && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") ? 2 : 1;
    }
    #else
    static int minitorch_level(void) { return 0; }
    #endif
    """
    int minitorch_level() noexcept nogil


cdef void choose_tiles(int level) noexcept:
    """Select the tiles of a level: 0 for any processor, 1 for AVX2, 2 for AVX-512, at most the best available."""
    cdef int best = minitorch_level()
    level = level if 0 <= level < best else best
    if level == 2:
        fill_avx512(&tiles32, &tiles64)
    elif level == 1:
        fill_avx2(&tiles32, &tiles64)
    else:
        fill_any(&tiles32, &tiles64)


choose_tiles(-1)
