"""The tiles for any processor: vectors of 16 bytes, as in SSE2 and NEON; see tiles.pxi."""

cdef extern from *:
    """
    #define MINITORCH_VECTOR(type) \
        type __attribute__((vector_size(16), aligned(sizeof(type)), may_alias))
    typedef MINITORCH_VECTOR(float) minitorch_floats;
    typedef MINITORCH_VECTOR(double) minitorch_doubles;
    #define MINITORCH_INLINED inline __attribute__((always_inline)) void
    #define MINITORCH_TARGETED void
    """
    ctypedef float floats "minitorch_floats"
    ctypedef double doubles "minitorch_doubles"
    ctypedef void inlined "MINITORCH_INLINED"
    ctypedef void targeted "MINITORCH_TARGETED"

cdef enum:
    ROWS = 4

include "tiles.pxi"


cdef void fill_any(Tiles* tiles32, Tiles* tiles64) noexcept:
    _fill(tiles32, tiles64)
