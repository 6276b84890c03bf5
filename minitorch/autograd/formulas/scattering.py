"""Derivatives of scatter_reduce and index_reduce, and of writing into a part of a copy."""


def scatter_reduce_self(
    grad: Tensor,
    self: Tensor,
    dim: int,
    index: Tensor,
    src: Tensor,
    reduce: str,
    include_self: bool,
    result: Tensor,
) -> Tensor:
    """What was not written to keeps its gradient; without `include_self` the rest has none."""
    if not include_self:
        return scatter_value(grad, dim, index, 0)
    if reduce == "prod":
        others = masked_fill(self, self == 0, 1)
        return grad * (scatter_reduce(others, dim, index, src, reduce, True) / others).conj()
    if reduce == "mean":
        return grad / scatter_counts(grad, dim, index, src, True)
    if reduce == "sum":
        return grad
    chosen = self == result
    return chosen * (grad / scatter_winners(grad, chosen, dim, index, src, result))


def scatter_reduce_src(
    grad: Tensor,
    self: Tensor,
    dim: int,
    index: Tensor,
    src: Tensor,
    reduce: str,
    include_self: bool,
    result: Tensor,
) -> Tensor:
    """Of a product with a single zero, that zero alone has a gradient."""
    if reduce == "prod":
        is_zero = src == 0
        zeros_there = gather(
            scatter_add(zeros_like(grad), dim, index, cast(is_zero, grad.scalar_type())), dim, index
        )
        single = logical_and(is_zero, zeros_there == 1)
        others = scatter_reduce(self, dim, index, masked_fill(src, single, 1), reduce, include_self)
        return where(
            single,
            gather(grad * others.conj(), dim, index),
            gather(grad * result.conj(), dim, index) / masked_fill(src, is_zero, 1).conj(),
        )
    if reduce == "mean":
        return gather(grad / scatter_counts(grad, dim, index, src, include_self), dim, index)
    if reduce == "sum":
        return gather(grad, dim, index)
    chosen = self == result
    if not include_self:
        chosen = logical_and(chosen, scatter_value(ones_like(chosen), dim, index, 0))
    shared = grad / scatter_winners(grad, chosen, dim, index, src, result)
    return (src == gather(result, dim, index)) * gather(shared, dim, index)


def scatter_counts(
    grad: Tensor, dim: int, index: Tensor, src: Tensor, include_self: bool
) -> Tensor:
    """By how many a mean was divided, 1 where there was nothing."""
    counts = ones_like(grad)
    if not include_self:
        counts = scatter_value(counts, dim, index, 0)
    return scatter_add(counts, dim, index, ones_like(src))


def scatter_winners(
    grad: Tensor, chosen: Tensor, dim: int, index: Tensor, src: Tensor, result: Tensor
) -> Tensor:
    """Among how many equal extremes the gradient is shared."""
    equal = src == gather(result, dim, index)
    dtype = grad.scalar_type()
    return scatter_add(cast(chosen, dtype), dim, index, cast(equal, dtype))


def index_reduce_self(
    grad: Tensor,
    self: Tensor,
    dim: int,
    index: Tensor,
    source: Tensor,
    reduce: str,
    include_self: bool,
    result: Tensor,
) -> Tensor:
    """As scatter_reduce_self, of whole slices."""
    if not include_self:
        return index_fill(grad, dim, index, 0)
    if reduce == "prod":
        others = masked_fill(self, self == 0, 1)
        return grad * (index_reduce(others, dim, index, source, reduce, True) / others).conj()
    if reduce == "mean":
        return grad / index_counts(grad, dim, index, source, True)
    chosen = self == result
    return chosen * (grad / index_winners(grad, chosen, dim, index, source, result))


def index_reduce_source(
    grad: Tensor,
    self: Tensor,
    dim: int,
    index: Tensor,
    source: Tensor,
    reduce: str,
    include_self: bool,
    result: Tensor,
) -> Tensor:
    """As scatter_reduce_src, of whole slices."""
    if reduce == "prod":
        is_zero = source == 0
        zeros_there = index_select(
            index_add(zeros_like(grad), dim, index, cast(is_zero, grad.scalar_type())), dim, index
        )
        single = logical_and(is_zero, zeros_there == 1)
        others = index_reduce(
            self, dim, index, masked_fill(source, single, 1), reduce, include_self
        )
        return where(
            single,
            index_select(grad * others.conj(), dim, index),
            index_select(grad * result.conj(), dim, index) / masked_fill(source, is_zero, 1).conj(),
        )
    if reduce == "mean":
        return index_select(grad / index_counts(grad, dim, index, source, include_self), dim, index)
    chosen = self == result
    if not include_self:
        chosen = logical_and(chosen, index_fill(ones_like(chosen), dim, index, 0))
    shared = grad / index_winners(grad, chosen, dim, index, source, result)
    return (source == index_select(result, dim, index)) * index_select(shared, dim, index)


def index_counts(
    grad: Tensor, dim: int, index: Tensor, source: Tensor, include_self: bool
) -> Tensor:
    """By how many a mean was divided, 1 where there was nothing."""
    counts = ones_like(grad)
    if not include_self:
        counts = index_fill(counts, dim, index, 0)
    return index_add(counts, dim, index, ones_like(source))


def index_winners(
    grad: Tensor, chosen: Tensor, dim: int, index: Tensor, source: Tensor, result: Tensor
) -> Tensor:
    """Among how many equal extremes the gradient is shared."""
    equal = source == index_select(result, dim, index)
    dtype = grad.scalar_type()
    return index_add(cast(chosen, dtype), dim, index, cast(equal, dtype))


def as_strided_outside(
    grad: Tensor,
    input_sizes: "int[]",
    input_strides: "int[]",
    input_offset: int,
    size: "int[]",
    stride: "int[]",
    storage_offset: "int?",
) -> Tensor:
    """The gradient where as_strided_scatter has not written."""
    seen = as_strided_backward(
        ones(size, grad.scalar_type()),
        input_sizes,
        input_strides,
        input_offset,
        size,
        stride,
        storage_offset,
    )
    return masked_fill(grad, seen != 0, 0)
