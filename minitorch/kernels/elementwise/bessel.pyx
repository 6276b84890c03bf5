# distutils: extra_compile_args = -fno-trapping-math -fno-math-errno
"""The modified Bessel functions I0 and I1, without and with the factor exp(-|x|).

SciPy's loops are scalar; these are vectorised. Up to 8 they use the power series, beyond 8 a polynomial in 8 / x
for exp(-x) sqrt(x) I(x) (vmath.pxd, Note [Polynomials]). float32 is computed in float64, by shorter polynomials.

References
----------
Abramowitz and Stegun 9.6.10 (the series) and 9.7.1 (the asymptotic expansion).
"""

from minitorch.kernels.common.blocks cimport Block, set_floating
from minitorch.kernels.common.horner cimport horner
from minitorch.kernels.common.simd cimport simd
from minitorch.kernels.common.table cimport *
from minitorch.kernels.common.types cimport Real
from minitorch.kernels.common.vmath cimport absolute, exp_, square_root, with_sign

# SERIES0, SERIES1: the sums of z**k / (k! (k + order)!). TAIL0, TAIL1: exp(-x) sqrt(x) I(x) for u = 16 / x - 1.
# Those named COARSE are for float32.
cdef extern from *:
    """
    static const double minitorch_series0_coarse[] = {
        1.3157800456783585951e-22, 2.5789288895295828463e-20, 4.3583898233049950103e-18,
        6.2760813455591928148e-16, 7.5940584281266233059e-14, 7.5940584281266233059e-12,
        6.1511873267825648778e-10, 3.9367598891408415218e-8, 1.9290123456790123457e-6,
        0.000069444444444444444444, 0.0017361111111111111111, 0.027777777777777777778, 0.25, 1.0, 1.0};
    static const double minitorch_tail0_coarse[] = {
        3.363580223518529902e-8, 1.0910232941075881724e-7, 3.0383309086686273465e-7,
        1.4754756356201013027e-6, 0.000011141542189580862728, 0.00013621740783454700512,
        0.0033605520313900632872, 0.40217650940530539874};
    static const double minitorch_series0[] = {
        2.5976979980828151499e-48, 1.4962740468957015263e-45, 7.9152897080782610742e-43,
        3.8310002187098783599e-40, 1.6894710964510563567e-37, 6.7578843858042254269e-35,
        2.4395962632753253791e-32, 7.9042918930120542283e-30, 2.284340357080483672e-27,
        5.8479113141260382003e-25, 1.3157800456783585951e-22, 2.5789288895295828463e-20,
        4.3583898233049950103e-18, 6.2760813455591928148e-16, 7.5940584281266233059e-14,
        7.5940584281266233059e-12, 6.1511873267825648778e-10, 3.9367598891408415218e-8,
        1.9290123456790123457e-6, 0.000069444444444444444444, 0.0017361111111111111111,
        0.027777777777777777778, 0.25, 1.0, 1.0};
    static const double minitorch_tail0[] = {
        1.088199478546893324e-10, 3.5253210197007955578e-11, -7.4738446218875914888e-10,
        -2.7481116372760330439e-10, 2.3981927228949236564e-9, 1.0924527246468664701e-9,
        -4.8482509221176967397e-9, -3.1185145612122401084e-9, 6.7897904038957360455e-9,
        7.3233107351228931088e-9, -5.1625178809390127298e-9, -1.331979859201994083e-8,
        -6.8059800751296778319e-9, 7.5323864175551228204e-9, 2.1556811109898742487e-8,
        3.9329265710912520681e-8, 8.8721546189446247695e-8, 2.973595658152815928e-7,
        1.4838475863096976578e-6, 0.000011143033802583682397, 0.00013621607439187192001,
        0.0033605519836677234953, 0.40217650944500807582};
    static const double minitorch_series1_coarse[] = {
        8.7718669711890573004e-24, 1.8420920639497020331e-21, 3.3526075563884577002e-19,
        5.2300677879659940123e-17, 6.9036894801151120963e-15, 7.5940584281266233059e-13,
        6.8346525853139609753e-11, 4.9209498614260519022e-9, 2.7557319223985890653e-7,
        0.000011574074074074074074, 0.00034722222222222222222, 0.0069444444444444444444,
        0.083333333333333333333, 0.5, 1.0};
    static const double minitorch_tail1_coarse[] = {
        -3.7856024793316297028e-8, -1.2318419674047784437e-7, -3.5481954165334105264e-7,
        -1.8250069387125121787e-6, -0.000015037047143805946774, -0.00021923738535629923713,
        -0.0097495772413154317494, 0.38939845907447128817};
    static const double minitorch_series1[] = {
        1.0390791992331260599e-49, 6.2344751953987563597e-47, 3.4414303078601135105e-44,
        1.7413637357772174363e-41, 8.0451004592907445558e-39, 3.3789421929021127135e-36,
        1.2839980333028028311e-33, 4.3912732738955856824e-31, 1.3437296218120492188e-28,
        3.6549445713287738752e-26, 8.7718669711890573004e-24, 1.8420920639497020331e-21,
        3.3526075563884577002e-19, 5.2300677879659940123e-17, 6.9036894801151120963e-15,
        7.5940584281266233059e-13, 6.8346525853139609753e-11, 4.9209498614260519022e-9,
        2.7557319223985890653e-7, 0.000011574074074074074074, 0.00034722222222222222222,
        0.0069444444444444444444, 0.083333333333333333333, 0.5, 1.0};
    static const double minitorch_tail1[] = {
        -1.1328888503425700024e-10, -3.267765608980332177e-11, 7.7906721790805898483e-10,
        2.5821694431523859289e-10, -2.5062162405593895697e-9, -1.0476127785270018731e-9,
        5.094016301574338749e-9, 3.0717395650769477872e-9, -7.2225241789539759371e-9,
        -7.4325353356237925939e-9, 5.7226775274541562607e-9, 1.3952625102162603016e-8,
        6.7950734901873859519e-9, -8.4073268395778165408e-9, -2.3382691353601083321e-8,
        -4.3132315623745797806e-8, -1.0001220638799957553e-7, -3.4838530713710779173e-7,
        -1.8349101539664522367e-6, -0.000015038547211274230909, -0.00021923576383382901054,
        -0.0097495771932356091387, 0.38939845902587232997};
    """
    const double* SERIES0_COARSE "minitorch_series0_coarse"
    const double* TAIL0_COARSE "minitorch_tail0_coarse"
    const double* SERIES0 "minitorch_series0"
    const double* TAIL0 "minitorch_tail0"
    const double* SERIES1_COARSE "minitorch_series1_coarse"
    const double* TAIL1_COARSE "minitorch_tail1_coarse"
    const double* SERIES1 "minitorch_series1"
    const double* TAIL1 "minitorch_tail1"


cdef inline double _series(int order, Real x, double z) noexcept nogil:
    """Return the power series of the order, in the precision of `x`."""
    if Real is float:
        return horner(SERIES1_COARSE, z) if order else horner(SERIES0_COARSE, z)
    else:
        return horner(SERIES1, z) if order else horner(SERIES0, z)


cdef inline double _tail(int order, Real x, double u) noexcept nogil:
    """Return the asymptotic expansion of the order, in the precision of `x`."""
    if Real is float:
        return horner(TAIL1_COARSE, u) if order else horner(TAIL0_COARSE, u)
    else:
        return horner(TAIL1, u) if order else horner(TAIL0, u)


cdef inline Real _bessel(int order, bint scaled, Real x) noexcept nogil:
    """Return I0 or I1 of x, by a constant order; times exp(-|x|) if it is scaled."""
    cdef double a = absolute(<double>x), z, u, near, far, e
    z = 64 if a > 8 else a * a
    u = 16 / (8 if a < 8 else a) - 1
    near = _series(order, x, z / 4)
    far = _tail(order, x, u) / square_root(a)
    if order:
        near = near * a / 2
    if scaled:
        near = near * exp_(-a)
    else:
        e = exp_(a / 2)
        far = far * e * e
    near = far if a > 8 else near
    return with_sign(<Real>near, x) if order else <Real>near


cdef simd i0(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* x = args[0]
    cdef Real* out = args[1]
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = _bessel(0, False, x[i])


cdef simd i0e(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* x = args[0]
    cdef Real* out = args[1]
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = _bessel(0, True, x[i])


cdef simd i1(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* x = args[0]
    cdef Real* out = args[1]
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = _bessel(1, False, x[i])


cdef simd i1e(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    cdef const Real* x = args[0]
    cdef Real* out = args[1]
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = _bessel(1, True, x[i])


cdef void register() except *:
    set_floating(unary_row(I0), 1, <Block>i0[float], <Block>i0[double], 20)
    set_floating(unary_row(I0E), 1, <Block>i0e[float], <Block>i0e[double], 20)
    set_floating(unary_row(I1), 1, <Block>i1[float], <Block>i1[double], 20)
    set_floating(unary_row(I1E), 1, <Block>i1e[float], <Block>i1e[double], 20)
