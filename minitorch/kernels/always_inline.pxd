# `inlined`: the return type of a function that gcc must expand where it is called. It is `void` to
# Cython; write `cdef inline inlined name(...)`.
#
# A template (a fused function whose last arguments select the operation) pays only when it becomes
# part of its `simd` caller: then the constants fold, and it is compiled with the instructions of
# each clone (Note [Vector clones] in simd.pxd). Left to itself gcc shares one copy for the oldest
# processor as soon as the template has several callers.

cdef extern from *:
    """
    #if defined(__GNUC__)
    #define MINITORCH_INLINED __attribute__((always_inline)) void
    #else
    #define MINITORCH_INLINED void
    #endif
    """
    ctypedef void inlined "MINITORCH_INLINED"
