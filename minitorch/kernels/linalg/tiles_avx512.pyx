"""The tiles for AVX-512; see tiles.pxi."""

cdef extern from *:
    """
    #define MINITORCH_VECTOR(type) \
        type __attribute__((vector_size(64), aligned(sizeof(type)), may_alias))
    typedef MINITORCH_VECTOR(float) minitorch_floats;
    typedef MINITORCH_VECTOR(double) minitorch_doubles;
    #define MINITORCH_INLINED inline __attribute__((always_inline)) void
    #if defined(__x86_64__)
    #define MINITORCH_TARGETED \
        __attribute__((target("avx512f,avx512vl,avx512bw,avx512dq,fma"))) void
    #else
    #define MINITORCH_TARGETED void
    #endif
    """
    ctypedef float floats "minitorch_floats"
    ctypedef double doubles "minitorch_doubles"
    ctypedef void inlined "MINITORCH_INLINED"
    ctypedef void targeted "MINITORCH_TARGETED"

cdef enum:
    ROWS = 8

include "tiles.pxi"


cdef void fill_avx512(Tiles* tiles32, Tiles* tiles64) noexcept:
    _fill(tiles32, tiles64)
