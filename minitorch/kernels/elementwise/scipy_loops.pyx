"""Inner loops of scipy.special: Bessel functions and others that are rarely called.

Importing scipy.special takes as long as importing all of minitorch. So nothing happens here before an operator in
ops/elementwise/special.pyx needs it; float16 gets its kernels at that time, too.

Interface: ``load``.
"""

from minitorch.core.dtype cimport Float32, Float64
from minitorch.kernels.common.blocks cimport BLOCK, Block, set_block
from minitorch.kernels.common.table cimport *
from minitorch.kernels.common.types cimport Real
from minitorch.kernels.elementwise.fill_table cimport widen_halves
from minitorch.kernels.elementwise.ufunc_loops cimport borrow

cdef bint _loaded = False
cdef Kernel _airy[2]                    # for Float32 and Float64; four results


cdef void _airy_ai(Real** args, Py_ssize_t n, const double* _) noexcept nogil:
    """Compute the first of SciPy's four results; nan at the ends, 0 where it underflows."""
    cdef Real derivative[BLOCK]
    cdef Real bi[BLOCK]
    cdef Real bi_derivative[BLOCK]
    cdef Kernel* k = &_airy[0 if Real is float else 1]
    cdef Py_ssize_t* steps = [sizeof(Real), sizeof(Real), sizeof(Real), sizeof(Real), sizeof(Real)]
    cdef char* operands[5]
    cdef Py_ssize_t start = 0, count, i
    cdef Real* x
    cdef Real* out
    while start < n:
        count = n - start if n - start < BLOCK else BLOCK
        x = args[0] + start
        out = args[1] + start
        operands[0] = <char*>x
        operands[1] = <char*>out
        operands[2] = <char*>derivative
        operands[3] = <char*>bi
        operands[4] = <char*>bi_derivative
        k.loop(operands, &count, steps, k.data)
        for i in range(count):
            if x[i] - x[i] != 0:
                out[i] = x[i] - x[i]
            elif x[i] > 104:
                out[i] = 0
        start += count


cdef int _borrow_both(Kernel* row, object ufunc, int cost) except -1:
    for dtype in (Float32, Float64):
        if not borrow(&row[<int>dtype], ufunc, dtype, dtype, cost):
            raise ImportError(f"this SciPy's {ufunc.__name__} has no loop for {dtype}")
    return 0


cdef int load() except -1:
    global _loaded
    if _loaded:
        return 0
    # the ufuncs of scipy.special itself, which SCIPY_ARRAY_API hides behind functions
    import scipy.special._ufuncs as functions
    for op, ufunc, cost in (
            (ENTR, functions.entr, 80),
            (ERFCX, functions.erfcx, 100),
            (NDTRI, functions.ndtri, 150),
            (LOG_NDTR, functions.log_ndtr, 200),
            (BESSEL_J0, functions.j0, 200),
            (BESSEL_J1, functions.j1, 200),
            (BESSEL_Y0, functions.y0, 300),
            (BESSEL_Y1, functions.y1, 300),
            (BESSEL_K0, functions.k0, 300),
            (BESSEL_K1, functions.k1, 300),
            (BESSEL_K0E, functions.k0e, 300),
            (BESSEL_K1E, functions.k1e, 300)):
        _borrow_both(unary_row(op), ufunc, cost)
    _borrow_both(binary_row(IGAMMA), functions.gammainc, 1000)
    _borrow_both(binary_row(IGAMMAC), functions.gammaincc, 1000)
    if not (borrow(&_airy[0], functions.airy, Float32, Float32, 1000)
            and borrow(&_airy[1], functions.airy, Float64, Float64, 1000)):
        raise ImportError("this SciPy's airy has no loops for float32 and float64")
    set_block(&unary_table[<int>AIRY_AI][<int>Float32], <Block>_airy_ai[float], 1, 4, 4, 1000)
    set_block(&unary_table[<int>AIRY_AI][<int>Float64], <Block>_airy_ai[double], 1, 8, 8, 1000)
    widen_halves()
    _loaded = True
    return 0
