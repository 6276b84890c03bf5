"""The discrete Fourier transform, computed by SciPy's pocketfft.

As in PyTorch, the transformed dimensions are last in the memory of the result; the others precede them, in the
memory order of the input. So pocketfft gets the input with its dimensions permuted to that order, and its
row-major result is used as the memory of the result without a copy.

scipy.fft is imported when the first transform runs.
"""

cimport numpy as cnp

from minitorch.core.dtype cimport (
    Complex128, Complex32, Complex64, Float32, Float64, class_name, from_numpy_type, has_float_kernels, is_complex,
    itemsizes, numpy_types)
from minitorch.core.tensor_impl cimport (
    MAX_DIMS, TensorImpl, data, empty, external, ndim, numel, sizes, strides, wrap_dim)
from minitorch.kernels.common.parallel cimport num_threads
from minitorch.ops.common.copy cimport cast, clone

cnp.import_array()

cdef enum:
    # number of points above which SciPy's threads are faster
    THREADS_FROM = 100000

cdef object _scipy_fft = None
# SciPy's name of each normalization for a forward and a backward transform
cdef tuple _FORWARD = ("backward", "ortho", "forward")
cdef tuple _BACKWARD = ("forward", "ortho", "backward")


cdef object _functions():
    global _scipy_fft
    if _scipy_fft is None:
        import scipy.fft
        _scipy_fft = scipy.fft
    return _scipy_fft


cdef list _by_stride(TensorImpl self, list dims):
    """Sort dimensions from the largest stride to the smallest."""
    cdef Py_ssize_t* steps = strides(self)
    keys = [(-steps[<int>d], k, d) for k, d in enumerate(dims)]
    return [d for _, _, d in sorted(keys)]


cdef list _layout(TensorImpl self, list transformed):
    """Return all dimensions in the memory order of the result."""
    others = [d for d in range(ndim(self)) if d not in transformed]
    return _by_stride(self, others) + transformed


cdef list _layout_after(TensorImpl self, list order, int last):
    """Return the memory order after a transform along `last`, for an input whose dimensions are in `order`."""
    steps, step = {}, 1
    for d in reversed(order):
        steps[d] = step
        step *= max(sizes(self)[<int>d], 1)
    keys = [(-steps[d], d) for d in order if d != last]
    return [d for _, d in sorted(keys)] + [last]


cdef object _array(TensorImpl self, list order):
    """Return the input as an array with its dimensions permuted to `order`, without a copy."""
    cdef cnp.npy_intp[MAX_DIMS] n
    cdef cnp.npy_intp[MAX_DIMS] steps
    cdef int k, d
    for k, d in enumerate(order):
        n[k] = sizes(self)[d]
        steps[k] = strides(self)[d] * itemsizes[self.dtype]
    return cnp.PyArray_New(cnp.ndarray, ndim(self), n, numpy_types[self.dtype], steps, data(self), 0,
                           cnp.NPY_ARRAY_WRITEABLE, None)


cdef TensorImpl _result(object array, list order):
    """Return a row-major array as a tensor, without a copy, with the dimensions permuted back."""
    cdef cnp.ndarray a = array
    cdef Py_ssize_t[MAX_DIMS] n
    cdef Py_ssize_t[MAX_DIMS] steps
    cdef Py_ssize_t step = 1
    cdef int k, d
    for k in range(a.ndim - 1, -1, -1):
        d = order[k]
        n[d] = a.shape[k]
        steps[d] = step
        step *= a.shape[k]
    return external(<char*>cnp.PyArray_DATA(a), a.nbytes, a, a.ndim, n, steps,
                    from_numpy_type(cnp.PyArray_TYPE(a)))


cdef TensorImpl _nothing(TensorImpl self, list order, int last, Py_ssize_t last_size, int dtype):
    """Return an empty tensor of the result's shape."""
    cdef Py_ssize_t[MAX_DIMS] n
    cdef int d
    for d in range(ndim(self)):
        n[d] = last_size if d == last else sizes(self)[d]
    return empty(ndim(self), n, dtype)


cdef int _workers(TensorImpl self) except -1:
    return num_threads() if numel(self) >= THREADS_FROM else 1


cdef tuple _checked(TensorImpl self, tuple dim, Py_ssize_t normalization, bint from_complex):
    """Check the arguments and return the dimensions counted from the front."""
    if from_complex and not is_complex(self.dtype):
        raise RuntimeError(f"Only supports complex dtypes, but found: {class_name(self.dtype)}")
    if not from_complex and not has_float_kernels(self.dtype):
        raise RuntimeError(f"Only supports floating-point dtypes, but found: {class_name(self.dtype)}")
    if not from_complex and self.dtype != Float32 and self.dtype != Float64:
        raise RuntimeError("MKL FFT doesn't support tensors of type: " + class_name(self.dtype))
    if self.dtype == Complex32:
        raise RuntimeError("MKL FFT doesn't support tensors of type: Half")
    if not 0 <= normalization <= 2:
        raise RuntimeError("Unsupported normalization type")
    if ndim(self) == 0 and dim:
        raise IndexError(f"Dimension specified as {dim[0]} but tensor has no dimensions")
    dim = tuple([wrap_dim(d, ndim(self)) for d in dim])
    if len(set(dim)) < len(dim):
        raise RuntimeError("FFT dims must be unique")
    return dim


cdef TensorImpl fft_c2c(TensorImpl self, tuple dim, Py_ssize_t normalization, bint forward):
    cdef list order
    dim = _checked(self, dim, normalization, True)
    if not dim:
        return clone(self)
    transformed = _by_stride(self, list(dim))
    order = _layout(self, transformed)
    if numel(self) == 0:
        return _nothing(self, order, -1, 0, self.dtype)
    array = _array(self, order)
    norm = (_FORWARD if forward else _BACKWARD)[normalization]
    if len(dim) == 1:
        run = _functions().fft if forward else _functions().ifft
        return _result(run(array, norm=norm, workers=_workers(self)), order)
    run = _functions().fftn if forward else _functions().ifftn
    axes = tuple(range(-len(dim), 0))
    return _result(run(array, axes=axes, norm=norm, workers=_workers(self)), order)


cdef TensorImpl fft_r2c(TensorImpl self, tuple dim, Py_ssize_t normalization, bint onesided):
    cdef list order
    cdef int last, dtype = Complex64 if self.dtype == Float32 else Complex128
    dim = _checked(self, dim, normalization, False)
    if not dim:
        return cast(self, dtype)
    last = dim[len(dim) - 1]
    transformed = _by_stride(self, list(dim[:len(dim) - 1])) + [last]
    order = _layout(self, transformed)
    if numel(self) == 0:
        size = sizes(self)[last] // 2 + 1 if onesided else sizes(self)[last]
        return _nothing(self, order, last, size, dtype)
    array = _array(self, order)
    norm = _FORWARD[normalization]
    if len(dim) == 1:
        if onesided:
            return _result(_functions().rfft(array, norm=norm, workers=_workers(self)), order)
        array = _functions().fft(array, norm=norm, workers=_workers(self))
        # the coefficients that are real get +0 as imaginary part, like in the one-sided transform
        points = array.shape[array.ndim - 1]
        array.imag[..., ::points // 2 if points % 2 == 0 else points] = 0
        return _result(array, order)
    run = _functions().rfftn if onesided else _functions().fftn
    axes = tuple(range(-len(dim), 0))
    return _result(run(array, axes=axes, norm=norm, workers=_workers(self)), order)


cdef TensorImpl fft_c2r(TensorImpl self, tuple dim, Py_ssize_t normalization,
                        Py_ssize_t last_dim_size):
    cdef list order
    cdef int last, dtype = Float32 if self.dtype == Complex64 else Float64
    dim = _checked(self, dim, normalization, True)
    if not dim:
        return cast(self, dtype)
    if last_dim_size < 1:
        raise RuntimeError(f"Invalid number of data points ({last_dim_size}) specified")
    last = dim[len(dim) - 1]
    transformed = _by_stride(self, list(dim[:len(dim) - 1])) + [last]
    order = _layout(self, transformed)
    if len(dim) > 1:
        order = _layout_after(self, _layout(self, transformed[:len(dim) - 1]), last)
    if numel(self) == 0:
        return _nothing(self, order, last, last_dim_size, dtype)
    array = _array(self, order)
    norm = _BACKWARD[normalization]
    if len(dim) == 1:
        return _result(_functions().irfft(array, last_dim_size, norm=norm, workers=_workers(self)),
                       order)
    points = [sizes(self)[<int>d] for d in transformed[:len(dim) - 1]] + [last_dim_size]
    axes = [order.index(d) for d in transformed]
    return _result(_functions().irfftn(array, points, axes, norm=norm, workers=_workers(self)),
                   order)
