"""What the tests see of the elementwise kernels: one kernel applied to NumPy arrays."""

cimport numpy as cnp

from minitorch.core.dtype cimport from_numpy_type
from minitorch.kernels.common.table import BinaryOp, TernaryOp, UnaryOp
from minitorch.kernels.common.cast cimport cast_kernel, fill, has_zero
from minitorch.kernels.common.table cimport (
    Kernel, Widened, binary_kernel, loop_data, ternary_kernel, unary_kernel)

cnp.import_array()

cdef enum:
    MAX_PARAMS = 4

_KINDS = {"unary": (UnaryOp, 1), "binary": (BinaryOp, 2), "ternary": (TernaryOp, 3)}


cdef Kernel* _find(str kind, str name, list arrays) except? NULL:
    cdef cnp.ndarray out
    cdef int source = from_numpy_type((<cnp.ndarray?>arrays[len(arrays) - 2]).descr.type_num)
    if kind == "cast":
        out = <cnp.ndarray?>arrays[len(arrays) - 1]
        return cast_kernel(source, from_numpy_type(out.descr.type_num))
    cdef int op = int(_KINDS[kind][0][name])
    if kind == "unary":
        return unary_kernel(op, source)
    if kind == "binary":
        return binary_kernel(op, source)
    return ternary_kernel(op, source)


def has(str kind, str name, dtype):
    """Whether there is such a kernel for a NumPy dtype (a pair of dtypes for "cast")."""
    import numpy as np
    source, target = dtype if kind == "cast" else (dtype, dtype)
    return _find(kind, name, [np.empty(0, source), np.empty(0, target)]) != NULL


def cost(str kind, str name, dtype):
    """The cost that is noted in the table: ten times the nanoseconds per element."""
    import numpy as np
    source, target = dtype if kind == "cast" else (dtype, dtype)
    cdef Kernel* kernel = _find(kind, name, [np.empty(0, source), np.empty(0, target)])
    return None if kernel == NULL else kernel.cost


def apply(str kind, str name, *arrays, params=None, Py_ssize_t repeat=1):
    """Run a kernel on one-dimensional arrays, the inputs and then the output.

    Parameters
    ----------
    kind : {"unary", "binary", "ternary", "cast"}
    name : the operator's name in table.pxd; ignored for "cast"
    params : the doubles of a parametrised operator
    repeat : how often, for timing
    """
    cdef char* pointers[4]
    cdef char* scratch[4]
    cdef Py_ssize_t steps[4]
    cdef double doubles[MAX_PARAMS]
    cdef cnp.ndarray array
    cdef int k, count = len(arrays)
    cdef object out = arrays[count - 1]
    cdef Py_ssize_t n = len(out), _
    if count != (2 if kind == "cast" else _KINDS[kind][1] + 1):
        raise ValueError("wrong number of arrays")
    cdef Kernel* kernel = _find(kind, name, list(arrays))
    if kernel == NULL:
        raise NotImplementedError(f"{name} has no kernel for {arrays[count - 2].dtype}")
    for k in range(count):
        array = arrays[k]
        if array.ndim != 1 or array.shape[0] != n:
            raise ValueError("one-dimensional arrays of one length are needed")
        pointers[k] = <char*>cnp.PyArray_DATA(array)
        steps[k] = cnp.PyArray_STRIDE(array, 0)
    cdef Widened scratch_data
    cdef void* data = kernel.data
    if params is not None:
        for k in range(len(params)):
            doubles[k] = params[k]
        data = loop_data(kernel, doubles, &scratch_data)
    with nogil:
        for _ in range(repeat):
            for k in range(count):
                scratch[k] = pointers[k]
            kernel.loop(scratch, &n, steps, data)
    return out


def fill_array(cnp.ndarray array, value):
    """Fill a one-dimensional array with a NumPy scalar of its dtype."""
    import numpy as np
    cdef cnp.ndarray one = np.array([value], array.dtype)
    fill(<char*>cnp.PyArray_DATA(array), array.shape[0], cnp.PyArray_STRIDE(array, 0),
         from_numpy_type(array.descr.type_num), cnp.PyArray_DATA(one))


def any_zero(cnp.ndarray array):
    """``has_zero`` of a one-dimensional array."""
    return has_zero(<char*>cnp.PyArray_DATA(array), array.shape[0], cnp.PyArray_STRIDE(array, 0),
                    from_numpy_type(array.descr.type_num))
