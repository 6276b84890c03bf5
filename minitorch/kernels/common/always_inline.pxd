# `inlined` is the return type of a function that gcc must inline at every call. For Cython it is `void`; write
# `cdef inline inlined name(...)`.
#
# A template (a fused function whose last arguments select the operation) is fast only if it is inlined into its
# `simd` caller. Then the constants fold, and it is compiled with the instructions of each clone (Note [Vector
# clones] in simd.pxd). Otherwise gcc shares one copy, for the oldest processor, as soon as the template has
# several callers.

cdef extern from *:
    """
    #if defined(__GNUC__)
    #define MINITORCH_INLINED __attribute__((always_inline)) void
    #else
    #define MINITORCH_INLINED void
    #endif
    """
    ctypedef void inlined "MINITORCH_INLINED"
