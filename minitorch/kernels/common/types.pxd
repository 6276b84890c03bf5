# The element types that kernels are compiled for. A fused type for one file only is declared there.

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from minitorch.kernels.common.half cimport bfloat16_t, half_t

ctypedef float complex complex64
ctypedef double complex complex128

ctypedef struct Item16:
    uint64_t low
    uint64_t high

ctypedef fused Integer:                 # integral dtypes with arithmetic; bool is computed as uint8
    uint8_t
    int8_t
    int16_t
    int32_t
    int64_t

ctypedef fused Real:                    # dtypes that the processor computes with
    float
    double

ctypedef fused Floating:                # all floating dtypes; the narrow ones are computed in float32
    half_t
    bfloat16_t
    float
    double

ctypedef fused Complex:
    complex64
    complex128

ctypedef fused Field:                   # the four types of BLAS and LAPACK
    float
    double
    float complex
    double complex

ctypedef fused Numeric:                 # Integer and Floating
    uint8_t
    int8_t
    int16_t
    int32_t
    int64_t
    half_t
    bfloat16_t
    float
    double

ctypedef fused Unsigned:                # the bits of an element of 1 to 8 bytes
    uint8_t
    uint16_t
    uint32_t
    uint64_t

ctypedef fused Item:                    # the same, up to the 16 bytes of complex128: for copies
    uint8_t
    uint16_t
    uint32_t
    uint64_t
    Item16
