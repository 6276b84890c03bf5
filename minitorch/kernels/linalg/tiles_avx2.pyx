"""The tiles for AVX2 with FMA; see tiles.pxi."""

cdef extern from *:
    """
    #define MINITORCH_VECTOR(type) \
        type __attribute__((vector_size(32), aligned(sizeof(type)), may_alias))
    typedef MINITORCH_VECTOR(float) minitorch_floats;
    typedef MINITORCH_VECTOR(double) minitorch_doubles;
    #define MINITORCH_INLINED inline __attribute__((always_inline)) void
    #if defined(__x86_64__)
    #define MINITORCH_TARGETED __attribute__((target("avx2,fma"))) void
    #else
    #define MINITORCH_TARGETED void
    #endif
    """
    ctypedef float floats "minitorch_floats"
    ctypedef double doubles "minitorch_doubles"
    ctypedef void inlined "MINITORCH_INLINED"
    ctypedef void targeted "MINITORCH_TARGETED"

cdef enum:
    ROWS = 4

include "tiles.pxi"


cdef void fill_avx2(Tiles* tiles32, Tiles* tiles64) noexcept:
    _fill(tiles32, tiles64)
