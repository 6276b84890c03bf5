"""Derivatives of scatter_reduce and index_reduce, and of writes to a part of a copy.

The two reductions differ in the unit that an index moves: one element, or with `slices` a whole
slice.
"""


def taken(self: Tensor, dim: int, index: Tensor, slices: bool) -> Tensor:
    """Return the elements at `index`."""
    if slices:
        return index_select(self, dim, index)
    return gather(self, dim, index)


def overwritten(self: Tensor, dim: int, index: Tensor, value: int, slices: bool) -> Tensor:
    """Return a copy with `value` at `index`."""
    if slices:
        return index_fill(self, dim, index, value)
    return scatter_value(self, dim, index, value)


def added(self: Tensor, dim: int, index: Tensor, src: Tensor, slices: bool) -> Tensor:
    """Return a copy with `src` added at `index`."""
    if slices:
        return index_add(self, dim, index, src)
    return scatter_add(self, dim, index, src)


def reduced(
    self: Tensor,
    dim: int,
    index: Tensor,
    src: Tensor,
    reduce: str,
    include_self: bool,
    slices: bool,
) -> Tensor:
    """Apply scatter_reduce, or with `slices` index_reduce."""
    if slices:
        return index_reduce(self, dim, index, src, reduce, include_self)
    return scatter_reduce(self, dim, index, src, reduce, include_self)


def scatter_reduce_backward(
    grad: Tensor,
    self: Tensor,
    dim: int,
    index: Tensor,
    src: Tensor,
    reduce: str,
    include_self: bool,
    result: Tensor,
) -> any:
    """Return the gradients of self and src.

    Without `include_self`, elements of self that were written to have no gradient.
    """
    grad_self, grad_src = reduce_backward(
        grad, self, dim, index, src, reduce, include_self, result, False
    )
    return (grad_self if include_self else scatter_value(grad_self, dim, index, 0), grad_src)


def index_reduce_backward(
    grad: Tensor,
    self: Tensor,
    dim: int,
    index: Tensor,
    source: Tensor,
    reduce: str,
    include_self: bool,
    result: Tensor,
) -> any:
    """Return the gradients of self and source for index_reduce, as scatter_reduce_backward does."""
    grad_self, grad_source = reduce_backward(
        grad, self, dim, index, source, reduce, include_self, result, True
    )
    return (grad_self if include_self else index_fill(grad_self, dim, index, 0), grad_source)


def reduce_backward(
    grad: Tensor,
    self: Tensor,
    dim: int,
    index: Tensor,
    src: Tensor,
    reduce: str,
    include_self: bool,
    result: Tensor,
    slices: bool,
) -> any:
    """Return the gradients of self, as if it were included, and of src.

    Equal extremes share their gradient, self's element among them. In a product with a single zero,
    only the zero has a gradient.
    """
    if reduce == "sum":
        return (grad, taken(grad, dim, index, slices))
    if reduce == "mean":
        counts = ones_like(grad) if include_self else zeros_like(grad)
        counts = added(counts, dim, index, ones_like(src), slices)
        masked_fill_(counts, counts == 0, 1)
        shares = grad / counts
        counted = taken(counts, dim, index, slices)
        return (shares, taken(grad, dim, index, slices) / counted)
    if reduce == "prod":
        others = masked_fill(self, self == 0, 1)
        others_result = reduced(others, dim, index, src, reduce, include_self, slices)
        shares = grad * others_result / others
        return (
            shares,
            product_backward(grad, self, dim, index, src, reduce, include_self, result, slices),
        )
    value = taken(result, dim, index, slices)
    dtype = self.scalar_type()
    chosen = cast(self == result, dtype)
    equal = cast(src == value, dtype)
    shared = grad / added(chosen, dim, index, equal, slices)
    if slices:
        return (chosen * shared, equal * taken(shared, dim, index, slices))
    shares = (self == result) * shared
    parts = taken(shared, dim, index, slices)
    return (shares, (src == value) * parts)


def product_backward(
    grad: Tensor,
    self: Tensor,
    dim: int,
    index: Tensor,
    src: Tensor,
    reduce: str,
    include_self: bool,
    result: Tensor,
    slices: bool,
) -> Tensor:
    """Return the gradient of a product's factors.

    Its second derivative raises an error if several factors at a position are zeros.
    """
    shares = product_shares(grad, self, dim, index, src, reduce, include_self, result, slices)
    if records():
        return refused_beside_zeros(shares, dim, index, src, result, slices)
    return shares


def reduce_tangent(
    self_t: Tensor,
    self: Tensor,
    dim: int,
    index: Tensor,
    src_t: Tensor,
    src: Tensor,
    reduce: str,
    include_self: bool,
    result: Tensor,
) -> Tensor:
    """Return the tangent of scatter_reduce.

    For equal extremes it is their mean, and for a product the sum of products with one factor
    replaced.
    """
    base = self_t
    if not include_self:
        base = overwritten(self_t, dim, index, 0, False)
    if reduce == "sum":
        return added(base, dim, index, src_t, False)
    if reduce == "mean":
        counts = reduce_counts(self_t, dim, index, src, include_self, False)
        return added(base, dim, index, src_t, False) / counts
    if reduce == "prod":
        if include_self:
            others = masked_fill(self, self == 0, 1)
            base = self_t * (reduced(others, dim, index, src, reduce, True, False) / others)
        factors = product_shares(
            ones_like(result), self, dim, index, src, reduce, include_self, result, False
        )
        return added(base, dim, index, src_t * factors, False)
    chosen = self == result
    if not include_self:
        chosen = logical_and(chosen, overwritten(ones_like(chosen), dim, index, 0, False))
    equal = src == taken(result, dim, index, False)
    total = added(chosen * self_t, dim, index, equal * src_t, False)
    return total / reduce_winners(self_t, chosen, dim, index, src, result, False)


def refused_beside_zeros(
    shares: Tensor, dim: int, index: Tensor, src: Tensor, result: Tensor, slices: bool
) -> Tensor:
    """Make the second derivative an error if several zeros are multiplied at a position."""
    is_zero = cast(src == 0, result.scalar_type())
    zeros = added(zeros_like(result), dim, index, is_zero, slices)
    if nonzero(zeros > 1).size(0) == 0:
        return shares
    name = "index_reduce(): Double backward is unsupported for source when >1 zeros in source"
    if not slices:
        name = "scatter_reduce(): Double backward is unsupported for src when >1 zeros in src"
    return _delayed_error(shares, None, name + " are scattered to the same position in self", False)


def product_shares(
    scale: Tensor,
    self: Tensor,
    dim: int,
    index: Tensor,
    src: Tensor,
    reduce: str,
    include_self: bool,
    result: Tensor,
    slices: bool,
) -> Tensor:
    """Return `scale` times the other factors of each element of src; 0 beside another zero."""
    is_zero = src == 0
    zeros = added(zeros_like(result), dim, index, cast(is_zero, result.scalar_type()), slices)
    lonely = taken(zeros, dim, index, slices) == 1
    single = bitwise_and(is_zero, lonely)
    others = reduced(self, dim, index, masked_fill(src, single, 1), reduce, include_self, slices)
    return where(
        single,
        taken(scale * others.conj(), dim, index, slices),
        taken(scale * result.conj(), dim, index, slices) / masked_fill(src, is_zero, 1).conj(),
    )


def reduce_counts(
    grad: Tensor, dim: int, index: Tensor, src: Tensor, include_self: bool, slices: bool
) -> Tensor:
    """Return the number of elements in each mean."""
    counts = ones_like(grad)
    if not include_self:
        counts = overwritten(counts, dim, index, 0, slices)
    return added(counts, dim, index, ones_like(src), slices)


def reduce_winners(
    grad: Tensor,
    chosen: Tensor,
    dim: int,
    index: Tensor,
    src: Tensor,
    result: Tensor,
    slices: bool,
) -> Tensor:
    """Return the number of equal extremes that share a gradient."""
    equal = src == taken(result, dim, index, slices)
    dtype = grad.scalar_type()
    return added(cast(chosen, dtype), dim, index, cast(equal, dtype), slices)


def as_strided_outside(
    grad: Tensor,
    input_sizes: "int[]",
    input_strides: "int[]",
    input_offset: int,
    size: "int[]",
    stride: "int[]",
    storage_offset: "int?",
) -> Tensor:
    """Set the gradient to 0 where as_strided_scatter has written."""
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
