# float16 by integer arithmetic, in a form that gcc vectorises. A half is stored in 16 bits as IEEE
# 754 lays them out; arithmetic is done in float32 and rounded once, to nearest even.

from libc.stdint cimport uint16_t, uint32_t
from libc.string cimport memcpy

ctypedef uint16_t half_t

cdef inline float float_of_bits(uint32_t bits) noexcept nogil:
    cdef float f
    memcpy(&f, &bits, 4)
    return f

cdef inline uint32_t bits_of_float(float f) noexcept nogil:
    cdef uint32_t bits
    memcpy(&bits, &f, 4)
    return bits

cdef inline float half_to_float(uint16_t h) noexcept nogil:
    # The exponent is moved up by a multiplication with 2**112, which also normalises subnormals.
    cdef uint32_t magnitude = (<uint32_t>h & 0x7fff) << 13
    cdef uint32_t bits = bits_of_float(float_of_bits(magnitude) * float_of_bits(0x77800000))
    bits |= 0x7f800000 if magnitude >= 0x0f800000 else 0      # infinity and nan
    return float_of_bits(bits | ((<uint32_t>h & 0x8000) << 16))

cdef inline uint16_t float_to_half(float f) noexcept nogil:
    cdef uint32_t bits = bits_of_float(f)
    cdef uint32_t sign = bits & <uint32_t>0x80000000
    cdef uint32_t magnitude = bits ^ sign
    # Normal numbers: rebias, add half a unit (and one more when odd), drop 13 bits.
    cdef uint32_t normal = (magnitude + <uint32_t>0xc8000fff + ((magnitude >> 13) & 1)) >> 13
    # Subnormals: adding 0.5 lets the floating-point unit shift and round.
    cdef uint32_t subnormal = (bits_of_float(float_of_bits(magnitude) + 0.5) - 0x3f000000)
    cdef uint32_t special = 0x7e00 if magnitude > 0x7f800000 else 0x7c00
    cdef uint32_t result = subnormal if magnitude < 0x38800000 else normal
    result = special if magnitude >= 0x47800000 else result
    return <uint16_t>(result | (sign >> 16))
