# float16 and bfloat16 by integer arithmetic, in a form that gcc vectorises. A half has the layout of IEEE 754, a
# bfloat16 is the upper half of a float32. Arithmetic is done in float32 and rounded once, to nearest even.
#
# Interface: `to_float` and `store_float`, for a fused type that contains narrow_t. The types are structs, since
# `uint16_t` could not be distinguished from the other type or from integers.

from libc.stdint cimport uint16_t, uint32_t
from libc.string cimport memcpy

ctypedef struct half_t:
    uint16_t bits

ctypedef struct bfloat16_t:
    uint16_t bits

ctypedef fused narrow_t:
    half_t
    bfloat16_t

cdef inline float float_of_bits(uint32_t bits) noexcept nogil:
    cdef float f
    memcpy(&f, &bits, 4)
    return f

cdef inline uint32_t bits_of_float(float f) noexcept nogil:
    cdef uint32_t bits
    memcpy(&bits, &f, 4)
    return bits

cdef inline float half_to_float(uint16_t h) noexcept nogil:
    # The exponent of a float32 is 112 higher. A subnormal becomes the fraction of a number from 2**-14 on, from
    # which 2**-14 is subtracted: arithmetic on subnormal float32 numbers would be many times slower.
    cdef uint32_t magnitude = (<uint32_t>h & 0x7fff) << 13
    cdef float small = float_of_bits(magnitude + 0x38800000) - float_of_bits(0x38800000)
    cdef uint32_t bits = bits_of_float(small) if magnitude < 0x00800000 else magnitude + 0x38000000
    bits |= 0x7f800000 if magnitude >= 0x0f800000 else 0      # infinity and nan
    return float_of_bits(bits | ((<uint32_t>h & 0x8000) << 16))

cdef inline uint16_t float_to_half(float f) noexcept nogil:
    # The floating-point unit rounds: a power of two is added to the magnitude that is so much larger that the
    # last bit of the sum is the last bit of the half. Before that, the multiplication with 2**112 makes
    # overflowing numbers infinite. A lower bound for the power gives the subnormals. Numbers below 2**-25 round to
    # zero; they become zero first, since arithmetic on subnormal float32 numbers would be many times slower.
    cdef uint32_t bits = bits_of_float(f)
    cdef uint32_t shifted = bits + bits                          # without the sign
    cdef float magnitude = float_of_bits(bits & 0x7fffffff if shifted >= <uint32_t>0x66000000 else 0)
    cdef float scaled = (magnitude * float_of_bits(0x77800000)) * float_of_bits(0x08800000)
    cdef uint32_t power = shifted & <uint32_t>0xff000000
    power = 0x71000000 if power < 0x71000000 else power
    cdef uint32_t rounded = bits_of_float(float_of_bits((power >> 1) + 0x07800000) + scaled)
    cdef uint32_t result = ((rounded >> 13) & 0x7c00) + (rounded & 0x0fff)
    result = 0x7e00 if shifted > <uint32_t>0xff000000 else result       # nan
    return <uint16_t>(((bits >> 16) & 0x8000) | result)

cdef inline float bfloat16_to_float(uint16_t b) noexcept nogil:
    return float_of_bits(<uint32_t>b << 16)

cdef inline uint16_t float_to_bfloat16(float f) noexcept nogil:
    # Adds just below half of the last remaining bit to the bits that are dropped, or exactly half if that bit is
    # odd. A carry propagates into the exponent, and finally to infinity. Every nan becomes PyTorch's nan.
    cdef uint32_t bits = bits_of_float(f)
    cdef uint32_t rounded = (bits + 0x7fff + ((bits >> 16) & 1)) >> 16
    return <uint16_t>(0x7fc0 if bits + bits > <uint32_t>0xff000000 else rounded)

cdef inline float to_float(narrow_t value) noexcept nogil:
    if narrow_t is half_t:
        return half_to_float(value.bits)
    else:
        return bfloat16_to_float(value.bits)

cdef inline void store_float(narrow_t* p, float value) noexcept nogil:
    if narrow_t is half_t:
        p.bits = float_to_half(value)
    else:
        p.bits = float_to_bfloat16(value)
