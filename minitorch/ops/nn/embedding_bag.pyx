"""embedding_bag: the checks, the limits of the bags, and the call of the kernel."""

from minitorch.core.dtype cimport Float32, Float64, Int32, Int64, class_name, has_float_kernels, is_reduced_floating
from minitorch.core.tensor_impl cimport (
    TensorImpl, data, empty_tuple, ndim, numel, sizes, sizes_tuple, strides)
from minitorch.kernels.nn.embedding_bag cimport Bags, embedding_bag_max, embedding_bag_sum
from minitorch.ops.common.addresses cimport find_bad_index, long_index
from minitorch.ops.common.copy cimport cast, contiguous
from minitorch.ops.common.type_names cimport tensor_type_name

cdef enum:
    SUM = 0
    MEAN = 1
    MAX = 2


cdef int _check_index(TensorImpl t) except -1:
    if t.dtype != Int64 and t.dtype != Int32:
        raise RuntimeError(
            "Expected tensor for argument #1 'indices' to have one of the following "
            f"scalar types: Long, Int; but got {tensor_type_name(t.dtype)} instead (while "
            "checking arguments for embedding_bag)")
    return 0


cdef int _check(TensorImpl weight, TensorImpl indices, TensorImpl offsets, Py_ssize_t mode,
                TensorImpl factors, bint include_last_offset) except -1:
    cdef long long first, last
    if ndim(indices) != 1 and ndim(indices) != 2:
        raise RuntimeError(f"input has to be a 1D or 2D Tensor, but got Tensor of dimension "
                           f"{ndim(indices)}")
    if ndim(weight) != 2:
        raise RuntimeError(
            f"weight has to be a 2D Tensor, but got Tensor of dimension {ndim(weight)}")
    if ndim(offsets) != 1:
        raise RuntimeError(
            f"offsets has to be a 1D Tensor, but got Tensor of dimension {ndim(offsets)}")
    # PyTorch promotes both to one dtype first, so its error names the first argument
    _check_index(indices)
    _check_index(offsets)
    if not has_float_kernels(weight.dtype):
        raise RuntimeError(
            "Expected tensor for argument #1 'weight' to have one of the following scalar types: "
            f"Half, BFloat16, Float, Double; but got {tensor_type_name(weight.dtype)} "
            "instead (while checking arguments for embedding_bag)")
    if include_last_offset and numel(offsets) < 1:
        raise RuntimeError("include_last_offset: number of offset should be at least 1")
    if numel(offsets):
        first = (<const long long*>data(offsets))[0]
        last = (<const long long*>data(offsets))[numel(offsets) - 1]
        if first != 0:
            raise RuntimeError(
                "offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start "
                f"from position 0. However, got {first}\n[ torch.LongTensor{{}} ]")
        if last > numel(indices):
            raise RuntimeError("offsets[-1] can not be greater than input's length "
                               f"{numel(indices)} but got offsets[-1] of {last}")
    if factors is not None:
        if mode != SUM:
            raise RuntimeError(
                "embedding_bag: per_sample_weights only supported with mode='sum'")
        if factors.dtype != weight.dtype:
            raise RuntimeError(
                "Expected tensor for argument #1 'weight' to have the same type as tensor for "
                f"argument #1 'per_sample_weights'; but type torch.{class_name(weight.dtype)}Tensor "
                f"does not equal torch.{class_name(factors.dtype)}Tensor (while checking arguments "
                "for embedding_bag)")
        if ndim(factors) != 1 or numel(factors) != numel(indices):
            raise RuntimeError(
                "embedding_bag: per_sample_weights must have the same shape as the indices, got "
                f"{list(sizes_tuple(factors))} and {list(sizes_tuple(indices))}")
    return 0


cdef TensorImpl _edges(TensorImpl offsets, Py_ssize_t count, Py_ssize_t bags):
    """Return the limits of the bags, bags + 1 numbers in ascending order."""
    cdef TensorImpl result = empty_tuple((bags + 1,), Int64)
    cdef long long* to = <long long*>data(result)
    cdef const long long* of = <const long long*>data(offsets)
    cdef Py_ssize_t b
    for b in range(bags):
        to[b] = of[b]
        if of[b] < 0 or of[b] > count or b and of[b] < of[b - 1]:
            raise RuntimeError(
                "Expected i < index_size to be true, but got false.  (Could this error message be "
                "improved?  If so, please report an enhancement request to PyTorch.)")
    # with include_last_offset, indices after the last offset belong to no bag
    to[bags] = of[bags] if numel(offsets) > bags else count
    if bags and to[bags] < to[bags - 1]:
        raise RuntimeError(
            "Expected i < index_size to be true, but got false.  (Could this error message be "
            "improved?  If so, please report an enhancement request to PyTorch.)")
    return result


cdef TensorImpl _bag_of_each(TensorImpl edges, Py_ssize_t count, Py_ssize_t bags):
    """Return the number of the bag of each index, or `bags` for indices after the last bag."""
    cdef TensorImpl result = empty_tuple((count,), Int64)
    cdef long long* to = <long long*>data(result)
    cdef const long long* edge = <const long long*>data(edges)
    cdef Py_ssize_t b, i
    for b in range(bags):
        for i in range(edge[b], edge[b + 1]):
            to[i] = b
    for i in range(edge[bags] if bags else 0, count):
        to[i] = bags
    return result


cdef tuple _embedding_bag(TensorImpl weight, TensorImpl indices, TensorImpl offsets,
                          bint scale_grad_by_freq=False, Py_ssize_t mode=0, bint sparse=False,
                          TensorImpl per_sample_weights=None, bint include_last_offset=False,
                          Py_ssize_t padding_idx=-1):
    cdef Bags b
    cdef TensorImpl table, edges, output, size, chosen, factors = None
    cdef int dtype = weight.dtype
    cdef long long bad
    cdef char* to
    cdef const char* of
    cdef const char* by = NULL
    cdef long long* count
    cdef long long* best = NULL
    offsets = contiguous(long_index(offsets))
    _check(weight, indices, offsets, mode, per_sample_weights, include_last_offset)
    indices = contiguous(long_index(indices))
    if find_bad_index(indices, sizes(weight)[0], False, &bad):
        if mode == MAX or dtype == Float64 or padding_idx >= 0:     # PyTorch's slower path, which checks
            raise RuntimeError("embedding_bag: Expected idx >= 0 && idx < num_embeddings but found "
                               f"idx to be {bad}")
        for place in range(numel(indices)):
            if (<const long long*>data(indices))[<Py_ssize_t>place] == bad:
                raise RuntimeError(f"Index {place} of input takes value {bad} which is not in the "
                                   f"valid range [0, {sizes(weight)[0]})")
    table = cast(weight, Float32) if is_reduced_floating(dtype) else weight
    if numel(table) and strides(table)[1] != 1:
        table = contiguous(table)
    if per_sample_weights is not None:
        factors = contiguous(cast(per_sample_weights, table.dtype))
        by = data(factors)
    b.bags = numel(offsets) - include_last_offset
    b.cols = sizes(weight)[1]
    b.row_stride = strides(table)[0]
    b.padding_idx = padding_idx
    edges = _edges(offsets, numel(indices), b.bags)
    b.offsets = <const long long*>data(edges)
    b.index = <const long long*>data(indices)
    output = empty_tuple((b.bags, b.cols), table.dtype)
    size = empty_tuple((b.bags,), Int64)
    chosen = empty_tuple((b.bags if mode == MAX else 0, b.cols), Int64)
    to, of, count = data(output), data(table), <long long*>data(size)
    best = <long long*>data(chosen)
    with nogil:
        if mode == MAX:
            embedding_bag_max(output.dtype, &b, of, to, best, count)
        else:
            embedding_bag_sum(output.dtype, &b, mode == MEAN, of, by, to, count)
    return (cast(output, dtype), _bag_of_each(edges, numel(indices), b.bags), size, chosen)
