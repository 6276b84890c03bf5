"""Inner loops of NumPy's ufuncs.

For each signature, a ufunc holds the loop that a call would run on this processor (AVX-512, AVX2, NEON); if
several have the same signature, the first one is vectorised. The loops use neither Python objects nor the
interpreter, so they run without the GIL. Some advance the pointers that they are passed, which is why callers
pass copies.

Interface: ``borrow`` for one kernel (SciPy's ufuncs have the same layout), ``register`` for the lists below. The
lists leave out operators that NumPy and PyTorch define differently, or for which a loop of our own is faster. The
fields of a ufunc are read through ufunc_fields.h; before the first loop is used, the fields of a known ufunc are
compared with what Python shows.
"""

import numpy as np

from minitorch.core.dtype cimport (
    Bool, Complex64, Complex128, Float16, Float32, Float64, Int8, Int16, Int32, Int64, UInt8,
    numpy_types,
    to_real)
from minitorch.kernels.common.table cimport *


cdef extern from "minitorch/kernels/elementwise/ufunc_fields.h":
    ctypedef struct Fields "minitorch_ufunc":
        int nin, nargs, ntypes
        void** functions
        void** data
        const char* types

    Fields fields_of "minitorch_ufunc_fields"(object ufunc)

cdef extern from *:
    """
    /* set by setup.py */
    #ifndef MINITORCH_BUILT_WITH_NUMPY
    #define MINITORCH_BUILT_WITH_NUMPY "an unknown version"
    #endif
    """
    const char* MINITORCH_BUILT_WITH_NUMPY

cdef list _alive = []       # keeps the ufuncs alive, and with them their loops

INTEGERS = (UInt8, Int8, Int16, Int32, Int64)
REALS = (Float32, Float64)
COMPLEX = (Complex64, Complex128)
INEXACT = REALS + COMPLEX
NUMBERS = INTEGERS + INEXACT
ALL = NUMBERS + (Bool,)

# operator, ufunc, dtypes, cost (for float32); the result has the dtype of the operands
_UNARY = [
    (NEG, np.negative, COMPLEX, 2),
    (ABS, np.absolute, INTEGERS + (Bool,), 2),
    (SQRT, np.sqrt, INEXACT, 3),
    (SQUARE, np.square, NUMBERS, 2),
    (EXP, np.exp, COMPLEX, 5),
    (EXPM1, np.expm1, INEXACT, 3),
    (LOG, np.log, INEXACT, 3),
    (LOG2, np.log2, REALS, 2),
    (LOG10, np.log10, REALS, 2),
    (LOG1P, np.log1p, REALS, 3),
    (SIN, np.sin, INEXACT, 4),
    (COS, np.cos, INEXACT, 4),
    (TAN, np.tan, INEXACT, 3),
    (ASIN, np.arcsin, INEXACT, 3),
    (ACOS, np.arccos, INEXACT, 3),
    (ATAN, np.arctan, INEXACT, 2),
    (SINH, np.sinh, INEXACT, 2),
    (COSH, np.cosh, INEXACT, 2),
    (TANH, np.tanh, INEXACT, 2),
    (ASINH, np.arcsinh, INEXACT, 4),
    (ACOSH, np.arccosh, INEXACT, 4),
    (ATANH, np.arctanh, INEXACT, 3),
    (CEIL, np.ceil, REALS, 2),
    (ROUND, np.rint, REALS, 2),
    (BITWISE_NOT, np.invert, INTEGERS + (Bool,), 2),
    (CONJ, np.conjugate, NUMBERS, 2),
]

# operator, ufunc, dtypes, cost; the result is Bool
_PREDICATES = [
    (LOGICAL_NOT, np.logical_not, INTEGERS + COMPLEX + (Bool,), 2),
    (ISNAN, np.isnan, INTEGERS + COMPLEX + (Bool,), 2),
    (ISINF, np.isinf, INTEGERS + COMPLEX + (Bool,), 2),
    (ISFINITE, np.isfinite, INTEGERS + COMPLEX + (Bool,), 2),
]

_BINARY = [
    (ADD, np.add, ALL, 2),
    (SUB, np.subtract, NUMBERS, 2),
    (MUL, np.multiply, ALL, 2),
    (DIV, np.true_divide, REALS, 2),
    (POW, np.power, INEXACT, 5),
    (MAXIMUM, np.maximum, INTEGERS + (Bool,), 2),
    (MINIMUM, np.minimum, INTEGERS + (Bool,), 2),
    (FMAX, np.fmax, INTEGERS + (Bool,), 3),
    (FMIN, np.fmin, INTEGERS + (Bool,), 3),
    (ATAN2, np.arctan2, (Float64,), 4),
    (NEXTAFTER, np.nextafter, (Float16,), 25),
    (GCD, np.gcd, INTEGERS, 30),
    (LCM, np.lcm, INTEGERS, 40),
    (BITWISE_AND, np.bitwise_and, INTEGERS + (Bool,), 2),
    (BITWISE_OR, np.bitwise_or, INTEGERS + (Bool,), 2),
    (BITWISE_XOR, np.bitwise_xor, INTEGERS, 2),
    (BITWISE_XOR, np.logical_xor, (Bool,), 2),
]

_COMPARISONS = [
    (EQ, np.equal, INTEGERS + COMPLEX + (Bool,), 2),
    (NE, np.not_equal, INTEGERS + COMPLEX + (Bool,), 2),
    (LT, np.less, INTEGERS + (Bool,), 2),
    (LE, np.less_equal, INTEGERS + (Bool,), 2),
    (GT, np.greater, INTEGERS + (Bool,), 2),
    (GE, np.greater_equal, INTEGERS + (Bool,), 2),
    (LOGICAL_AND, np.logical_and, INTEGERS + COMPLEX + (Bool,), 2),
    (LOGICAL_OR, np.logical_or, INTEGERS + COMPLEX + (Bool,), 2),
    (LOGICAL_XOR, np.logical_xor, INTEGERS + COMPLEX + (Bool,), 2),
]


cdef int _cost(int cost, int dtype):
    """Return the cost for a dtype; NumPy's complex functions are scalar, except for arithmetic."""
    if dtype == Float64:
        return cost * 2
    if dtype in COMPLEX:
        return cost * 50 if cost > 2 else 3
    return cost


cdef int _raise_unreadable(object ufunc) except -1:
    raise ImportError(
        f"minitorch was built with NumPy {MINITORCH_BUILT_WITH_NUMPY.decode()} and cannot read the loops "
        f"of {ufunc.__name__} in NumPy {np.__version__}: install a version of NumPy that minitorch "
        "supports, or build minitorch again with this one (pip install --no-binary)")


cdef int _check_layout() except -1:
    """Raise ImportError unless the fields of np.add agree with Python, type number by type number."""
    cdef Fields add = fields_of(np.add)
    shown = bytes(
        np.dtype(code).num for signature in np.add.types for code in signature.replace("->", ""))
    if (add.nin != np.add.nin or add.nargs != np.add.nargs or add.ntypes != np.add.ntypes
            or add.functions == NULL or add.types == NULL
            or add.types[:add.nargs * add.ntypes] != shown):
        _raise_unreadable(np.add)
    return 0


cdef bint borrow(Kernel* k, object ufunc, int source, int target, int cost) except -1:
    if not isinstance(ufunc, np.ufunc):
        raise TypeError(f"expected a ufunc, got {type(ufunc).__name__}")
    cdef Fields u = fields_of(ufunc)
    cdef int signature, operand, wanted
    cdef bint matches
    if u.nin != ufunc.nin or u.nargs != ufunc.nargs or u.ntypes != ufunc.ntypes:
        _raise_unreadable(ufunc)
    for signature in range(u.ntypes):
        matches = True
        for operand in range(u.nargs):
            wanted = numpy_types[source if operand < u.nin else target]
            if u.types[signature * u.nargs + operand] != wanted:
                matches = False
        if matches and u.functions[signature] != NULL:
            k.loop = <Loop>u.functions[signature]
            k.data = u.data[signature] if u.data != NULL else NULL
            k.cost = cost
            _alive.append(ufunc)
            return True
    return False


cdef int _require(Kernel* k, object ufunc, int source, int target, int cost) except -1:
    if not borrow(k, ufunc, source, target, cost):
        raise ImportError(
            f"this NumPy's {ufunc.__name__} has no loop for the element types {source} -> {target}")
    return 0


cdef void register() except *:
    cdef int op, dtype, cost
    _check_layout()
    for op, ufunc, dtypes, cost in _UNARY:
        for dtype in dtypes:
            _require(&unary_table[op][dtype], ufunc, dtype, dtype, _cost(cost, dtype))
    for op, ufunc, dtypes, cost in _PREDICATES:
        for dtype in dtypes:
            _require(&unary_table[op][dtype], ufunc, dtype, Bool, cost)
    for op, ufunc, dtypes, cost in _BINARY:
        for dtype in dtypes:
            _require(&binary_table[op][dtype], ufunc, dtype, dtype, _cost(cost, dtype))
    for op, ufunc, dtypes, cost in _COMPARISONS:
        for dtype in dtypes:
            _require(&binary_table[op][dtype], ufunc, dtype, Bool, cost)
    for dtype in COMPLEX:
        _require(&unary_table[<int>ABS][dtype], np.absolute, dtype, to_real(dtype), 4)
