# `simd` is the return type of a function that the compiler compiles once for each level of the instruction set;
# the processor's version is chosen at load time. For Cython it is `void`.
#
# Note [Vector clones]
# The package is compiled for the oldest processor of its architecture. On x86-64 Linux with glibc, the compiler
# makes three versions of a `simd` function (AVX-512, AVX2, SSE2), and the dynamic linker binds the best one. gcc
# 12 names them by level, which includes FMA in AVX2. clang compares a level, like any `arch=`, with the exact
# model of the processor. So for clang and older versions of gcc the instruction sets are named instead, and their
# AVX2 version has no FMA. On other platforms the attribute is absent. Functions that are inlined into a clone are
# compiled with its instructions; functions that are called from it are not.

cdef extern from *:
    """
    #if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__)
    #if __GNUC__ >= 12 && !defined(__clang__)
    #define MINITORCH_SIMD \
        __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default"))) void
    #else
    #define MINITORCH_SIMD __attribute__((target_clones("avx512f", "avx2", "default"))) void
    #endif
    #else
    #define MINITORCH_SIMD void
    #endif
    """
    ctypedef void simd "MINITORCH_SIMD"
