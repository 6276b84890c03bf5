"""reflection_pad, replication_pad and circular padding, by a map from output to input positions."""

from minitorch.core.dtype cimport Bool, Float32, Int64, is_reduced_floating, itemsizes
from minitorch.core.tensor_impl cimport TensorImpl, data, empty_tuple, numel, sizes_tuple
from minitorch.kernels.nn.index_padding cimport PadMaps, pad_from_input, pad_from_input_backward
from minitorch.ops.common.bulk cimport zeros_tuple
from minitorch.ops.common.checks cimport CARRIED, not_implemented, reject_dtypes
from minitorch.ops.common.copy cimport cast, contiguous
from minitorch.ops.common.memory_format cimport in_format, suggest_memory_format

cdef enum:
    REFLECT = 0
    REPLICATE = 1
    CIRCULAR = 2
    RELEASE_GIL = 20000                # elements from which a kernel runs without the GIL


cdef int _map_dimension(int mode, Py_ssize_t size, Py_ssize_t before, Py_ssize_t after,
                        Py_ssize_t* to) except -1:
    """Store for each position of the output the position of its element in the input."""
    cdef Py_ssize_t first = 0, last = size, k, at, place
    if mode == CIRCULAR:
        # elements that negative padding crops are not repeated
        first = -before if before < 0 else 0
        last = size + after if after < 0 else size
    for place in range(before + size + after):
        k = place - before
        if mode == REFLECT:
            at = -k if k < 0 else k
            at = 2 * (size - 1) - at if at >= size else at
        elif mode == REPLICATE:
            at = 0 if k < 0 else size - 1 if k >= size else k
        elif last > first:
            # in C the remainder has the sign of the dividend
            at = first + ((k - first) % (last - first) + (last - first)) % (last - first)
        else:
            at = -1
        if not 0 <= at < size:
            raise RuntimeError(f"padding ({before}, {after}) reaches beyond a dimension of {size}")
        to[place] = at
    return 0


cdef TensorImpl _fill_maps(PadMaps* m, tuple shape, tuple padding, int mode):
    """Fill in `m`; its maps are valid as long as the returned tensor is alive."""
    cdef int dims = len(padding) // 2, d, k
    if dims > len(shape) or dims > 3 or dims == 0:
        raise RuntimeError(f"padding of {dims} dimensions does not fit a tensor of {len(shape)}")
    cdef Py_ssize_t total = 0, before, after, start, end
    cdef Py_ssize_t[3] offset
    cdef TensorImpl memory
    cdef Py_ssize_t* base
    m.planes = 1
    for k in range(len(shape) - dims):
        m.planes *= shape[k]
    for d in range(3):
        k = 2 - d                      # position of the pair in `padding`
        m.in_size[d] = shape[len(shape) - 1 - k] if k < dims else 1
        m.out_size[d] = m.in_size[d] + (padding[2 * k] + padding[2 * k + 1] if k < dims else 0)
        if m.out_size[d] < 0:
            raise RuntimeError("Negative padding value is resulting in an empty dimension")
        offset[d] = total
        total += m.out_size[d]
    memory = empty_tuple((total,), Int64)
    base = <Py_ssize_t*>data(memory)
    for d in range(3):
        k = 2 - d
        before = padding[2 * k] if k < dims else 0
        after = padding[2 * k + 1] if k < dims else 0
        _map_dimension(mode, m.in_size[d], before, after, base + offset[d])
        m.map[d] = base + offset[d]
    # the longest ascending run, which the kernel copies in one piece, begins at the input's own position
    start = padding[0] if padding[0] > 0 else 0
    if start >= m.out_size[2]:
        start = 0
    end = start + 1 if m.out_size[2] else start
    while end < m.out_size[2] and m.map[2][end] == m.map[2][end - 1] + 1:
        end += 1
    m.run_start, m.run_end = start, end
    return memory


cdef int _check(tuple shape, tuple padding, int dims, int mode) except -1:
    cdef int n = len(shape), d, k
    cdef Py_ssize_t before, after, size
    cdef list given = list(shape), wanted
    if len(padding) != 2 * dims:
        raise RuntimeError(f"padding size is expected to be {2 * dims}, but got: {len(padding)}")
    if (n != dims + 1 and n != dims + 2) or 0 in (shape[1:] if n == dims + 2 else shape):
        raise RuntimeError(
            f"Expected {dims + 1}D or {dims + 2}D (batch mode) tensor with possibly 0 batch size "
            f"and other non-zero dimensions for input, but got: {given}")
    for k in range(dims):
        d = n - 1 - k
        before, after, size = padding[2 * k], padding[2 * k + 1], shape[d]
        if mode == REFLECT and (before >= size or after >= size):
            raise RuntimeError(
                f"Argument #{4 + 2 * k}: Padding size should be less than the corresponding input "
                f"dimension, but got: padding ({before}, {after}) at dimension {d} of input {given}")
    wanted = [shape[n - 1 - k] + padding[2 * k] + padding[2 * k + 1] for k in range(dims)]
    if max(wanted) < 1 or min(wanted) < 0:
        given = [f"{'WHD'[k]}: {shape[n - 1 - k]}" for k in range(dims)]
        wanted = [f"{'WHD'[k]}: {wanted[k]}" for k in range(dims)]
        raise RuntimeError(
            f"input ({', '.join(given[::-1])}{' ' if mode == REPLICATE and dims == 2 else ''}) is "
            f"too small. Calculated output {' '.join(wanted[::-1])}")
    return 0


cdef tuple _output_sizes(tuple shape, tuple padding):
    cdef int dims = len(padding) // 2, k
    cdef list result = list(shape)
    for k in range(dims):
        result[len(shape) - 1 - k] = shape[len(shape) - 1 - k] + padding[2 * k] + padding[2 * k + 1]
    return tuple(result)


cdef TensorImpl _padded(TensorImpl self, tuple padding, int mode):
    cdef PadMaps m
    cdef TensorImpl _memory, result, source = contiguous(self)
    cdef const char* of = data(source)
    cdef char* to
    cdef Py_ssize_t item = itemsizes[self.dtype]
    if mode != CIRCULAR and self.dtype == Bool:
        raise not_implemented(("reflection" if mode == REFLECT else "replication")
                              + f"_pad{len(padding) // 2}d", self.dtype)
    _memory = _fill_maps(&m, sizes_tuple(self), padding, mode)
    result = empty_tuple(_output_sizes(sizes_tuple(self), padding), self.dtype)
    to = data(result)
    if numel(result) >= RELEASE_GIL:
        with nogil:
            pad_from_input(&m, item, of, to)
    elif numel(result):
        pad_from_input(&m, item, of, to)
    return result if mode == CIRCULAR else in_format(result, suggest_memory_format(self))


cdef TensorImpl _padded_backward(TensorImpl grad, tuple input_sizes, tuple padding, int mode):
    cdef PadMaps m
    cdef int dtype = grad.dtype
    cdef TensorImpl _memory, result, slope
    cdef const char* of
    cdef char* to
    slope = contiguous(cast(grad, Float32) if is_reduced_floating(dtype) else grad)
    _memory = _fill_maps(&m, input_sizes, padding, mode)
    result = zeros_tuple(input_sizes, slope.dtype)
    of, to = data(slope), data(result)
    dtype = slope.dtype
    if numel(slope) >= RELEASE_GIL:
        with nogil:
            pad_from_input_backward(dtype, &m, of, to)
    elif numel(slope):
        pad_from_input_backward(dtype, &m, of, to)
    return cast(result, grad.dtype)


cdef TensorImpl _checked(TensorImpl self, tuple padding, int dims, int mode, str name):
    _check(sizes_tuple(self), padding, dims, mode)
    reject_dtypes(self.dtype, CARRIED, name)
    return _padded(self, padding, mode)


cdef TensorImpl reflection_pad1d(TensorImpl self, tuple padding):
    return _checked(self, padding, 1, REFLECT, "reflection_pad1d")


cdef TensorImpl reflection_pad2d(TensorImpl self, tuple padding):
    return _checked(self, padding, 2, REFLECT, "reflection_pad2d")


cdef TensorImpl reflection_pad3d(TensorImpl self, tuple padding):
    return _checked(self, padding, 3, REFLECT, "reflection_pad3d")


cdef TensorImpl replication_pad1d(TensorImpl self, tuple padding):
    return _checked(self, padding, 1, REPLICATE, "replication_pad1d")


cdef TensorImpl replication_pad2d(TensorImpl self, tuple padding):
    return _checked(self, padding, 2, REPLICATE, "replication_pad2d")


cdef TensorImpl replication_pad3d(TensorImpl self, tuple padding):
    return _checked(self, padding, 3, REPLICATE, "replication_pad3d")


cdef TensorImpl circular_pad(TensorImpl self, tuple padding):
    return _padded(self, padding, CIRCULAR)


cdef TensorImpl reflection_pad_backward(TensorImpl grad_output, TensorImpl self, tuple padding):
    return in_format(_padded_backward(grad_output, sizes_tuple(self), padding, REFLECT),
                     suggest_memory_format(self))


cdef TensorImpl replication_pad_backward(TensorImpl grad_output, TensorImpl self, tuple padding):
    return in_format(_padded_backward(grad_output, sizes_tuple(self), padding, REPLICATE),
                     suggest_memory_format(self))


cdef TensorImpl circular_pad_backward(TensorImpl grad_output, tuple input_sizes, tuple padding):
    return _padded_backward(grad_output, input_sizes, padding, CIRCULAR)
