# The exp and log of softmax and related operators, for the intervals needed there and without branches, so that
# gcc vectorises the loops they are inlined into. They are faster than the general functions in vmath.pxd, which
# describes the methods.

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memcpy

from minitorch.kernels.common.horner cimport horner, hornerf
from minitorch.kernels.common.types cimport Real
from minitorch.kernels.common.vmath cimport _expm1_reduced_d, _expm1_reduced_f

cdef extern from *:
    """
    static const float minitorch_log_float[] = {0.29872155, 0.39977527, 0.66666776};
    static const double minitorch_log_double[] = {
        0.14796479046150088, 0.15314000030709765, 0.1818356620633918, 0.22222198538833215,
        0.2857142874270474, 0.39999999999413327, 0.6666666666666735};
    """
    const float* LOG_FLOAT "minitorch_log_float"
    const double* LOG_DOUBLE "minitorch_log_double"

cdef inline Real exp_nonpositive(Real x) noexcept nogil:
    """Return exp(x) for x <= 0 (and a little above), or 0 if the result would be subnormal."""
    # The magic number includes the exponent's bias, so the sum only has to be shifted.
    cdef Real t, n, r
    cdef uint32_t bits
    cdef uint64_t wide_bits
    if Real is float:
        r = <float>-88.0 if x < <float>-88.0 else x
        t = r * <float>1.44269504 + <float>12583039.0
        n = t - <float>12583039.0
        r = (r - n * <float>0.693359375) + n * <float>2.12194440e-4
        r = _expm1_reduced_f(r)
        memcpy(&bits, &t, 4)
        bits <<= 23
        memcpy(&t, &bits, 4)
        r = r * t + t
        return <float>0.0 if x < <float>-87.33654 else r
    else:
        r = -709.0 if x < -709.0 else x
        t = r * 1.44269504088896340736 + 6755399441056767.0
        n = t - 6755399441056767.0
        r = (r - n * 0.693147180369123816490) - n * 1.90821492927058770002e-10
        r = _expm1_reduced_d(r)
        memcpy(&wide_bits, &t, 8)
        wide_bits <<= 52
        memcpy(&t, &wide_bits, 8)
        r = r * t + t
        return 0.0 if x < -708.3964185322641 else r

cdef inline Real log_above_one(Real x) noexcept nogil:
    """Return log(x) for finite x >= 1, and nan for infinity and nan."""
    # x = 2**power m with m between sqrt(1/2) and sqrt(2); log(m) = 2 artanh(s), s = (m-1)/(m+1),
    # an odd series with s*s <= 0.0295
    cdef Real power, m, s, z, q
    cdef uint32_t bits, exponent
    cdef uint64_t wide_bits, wide_exponent
    if Real is float:
        memcpy(&bits, &x, 4)
        exponent = (bits - 0x3f3504f3) >> 23
        bits -= exponent << 23
        memcpy(&m, &bits, 4)
        exponent |= 0x4b000000
        memcpy(&power, &exponent, 4)
        power -= <float>8388608.0
        s = (m - <float>1.0) / (m + <float>1.0)
        z = s * s
        q = hornerf(LOG_FLOAT, z)
        q = (s * z * q + power * <float>-2.12194440e-4) + <float>2.0 * s
        return (q + power * <float>0.693359375) + (x - x)
    else:
        memcpy(&wide_bits, &x, 8)
        wide_exponent = (wide_bits - 0x3fe6a09e667f3bcdULL) >> 52
        wide_bits -= wide_exponent << 52
        memcpy(&m, &wide_bits, 8)
        wide_exponent |= 0x4330000000000000ULL
        memcpy(&power, &wide_exponent, 8)
        power -= 4503599627370496.0
        s = (m - 1.0) / (m + 1.0)
        z = s * s
        q = horner(LOG_DOUBLE, z)
        q = (s * z * q + power * 1.90821492927058770002e-10) + 2.0 * s
        return (q + power * 0.693147180369123816490) + (x - x)
