"""Derivatives of sums, products, extremes, moments and norms."""


def unsqueeze_reduced(grad: Tensor, sizes: "int[]", dim: "int[]?", keepdim: bool) -> Tensor:
    """Restore the dimensions that a reduction has removed, with size one."""
    if keepdim or dim is None or len(dim) == 0 or len(sizes) == 0:
        return grad
    if len(dim) == 1:
        return unsqueeze(grad, dim[0])
    for d in sorted([k % len(sizes) for k in dim]):
        grad = unsqueeze(grad, d)
    return grad


def reduced_numel(sizes: "int[]", dim: "int[]?") -> int:
    """Return the number of elements that are reduced to one."""
    count = 1
    for d in range(len(sizes)):
        if dim is None or len(dim) == 0 or d in dim or d - len(sizes) in dim:
            count = count * sizes[d]
    return count


def unsqueeze_one(grad: Tensor, sizes: "int[]", dim: int, keepdim: bool) -> Tensor:
    """Restore the dimension that a reduction has removed, with size one."""
    if keepdim or len(sizes) == 0:
        return grad
    return unsqueeze(grad, dim % len(sizes))


def prod_backward(grad: Tensor, self: Tensor, result: Tensor) -> Tensor:
    """Multiply by the product of all other elements."""
    if self.dim() == 0:
        return grad
    zeros = self.zero_count()
    if zeros == 0:
        return grad * (result / self).conj()
    if zeros > 1 and not grad_enabled():
        return zeros_like(self)
    flat = reshape(self, (-1,))
    return reshape(safe_prod_backward(grad, flat, 0), self.sizes())


def prod_dim_backward(grad: Tensor, self: Tensor, result: Tensor, dim: int) -> Tensor:
    """Multiply by result / self, or by the product of the other elements if there is a zero."""
    if self.dim() == 0:
        return grad
    if self.zero_count() == 0:
        return grad * (result / self).conj()
    return safe_prod_backward(grad, self, dim)


def safe_prod_backward(grad: Tensor, self: Tensor, dim: int) -> Tensor:
    """Multiply by the products of the elements before and after each one; safe for zeros."""
    length = self.size(dim)
    if length == 0:
        return expand(grad, self.sizes())
    if length == 1:
        return grad
    d = dim % self.dim()
    sizes = self.sizes()
    one = ones(sizes[:d] + (1,) + sizes[d + 1 :], self.scalar_type())
    before = cumprod(cat([one, slice(self, d, 0, length - 1, 1)], d), d)
    after = flip(cumprod(cat([one, flip(slice(self, d, 1, length, 1), (d,))], d), d), (d,))
    return grad * (before * after).conj()


def cumsum_backward(grad: Tensor, dim: int) -> Tensor:
    """Sum from each element to the end."""
    if grad.dim() == 0 or grad.numel() <= 1:
        return grad
    return flip(cumsum(flip(grad, (dim,)), dim), (dim,))


def cummaxmin_backward(grad: Tensor, self: Tensor, indices: Tensor, dim: int) -> Tensor:
    """Add each gradient to the position of its extreme."""
    if self.numel() == 0:
        return self
    tell_of(grad, "aten::cummaxmin_backward")
    return scatter_add(zeros(self.sizes(), grad.scalar_type()), dim, indices, grad)


def cumprod_backward(grad: Tensor, self: Tensor, dim: int, result: Tensor) -> Tensor:
    """Return the gradient: a reversed cumulative sum over self if there are no zeros.

    With zeros, the products are computed without the element.
    """
    if self.dim() == 0 or self.numel() <= 1:
        return grad
    d = dim % self.dim()
    length = self.size(d)
    if length == 1:
        return grad
    if self.is_plain() and grad.is_plain() and self.zero_count() == 0:
        return cumsum_backward(result.conj() * grad, d) / self.conj()
    weighted = result.conj() * grad
    is_zero = self == 0
    if records():
        return cumprod_backward_one_by_one(grad, self.conj(), d)
    return cumprod_backward_with_zeros(grad, weighted, self.conj(), is_zero, result, d)


def cumprod_tangent(self_t: Tensor, self_p: Tensor, dim: int, result: Tensor) -> Tensor:
    """Return the tangent: without zeros, the sum of self_t / self so far, times the result.

    If there may be zeros, each element is replaced by its tangent in turn.
    """
    if self_p.dim() == 0:
        return masked_fill_(self_t + zeros_like(result), self_p == 0, self_t)
    d = dim % self_p.dim()
    if self_p.is_plain() and self_p.zero_count() == 0:
        return cumsum(self_t / self_p, d) * result
    length = self_p.size(d)
    total = zeros_like(result)
    for k in range(length):
        row = cat([slice(self_t, d, k, k + 1, 1), slice(self_p, d, k + 1, length, 1)], d)
        row = cumprod(row, d, result.scalar_type())
        if k > 0:
            row = row * slice(result, d, k - 1, k, 1)
            row = cat([zeros_like(slice(result, d, 0, k, 1)), row], d)
        total = total + row
    return total


def cumprod_backward_one_by_one(grad: Tensor, self: Tensor, dim: int) -> Tensor:
    """Compute each element's gradient from products without it; differentiable at zeros."""
    length = self.size(dim)
    plain = self.is_plain() and grad.is_plain()
    total = zeros(self.sizes(), grad.scalar_type()) if plain else grad
    parts = []
    for k in range(length):
        if k == 0:
            sizes = self.sizes()
            before = expand(ones((1,), grad.scalar_type()), sizes[:dim] + (1,) + sizes[dim + 1 :])
        else:
            before = prod_dim_int(slice(self, dim, 0, k, 1), dim, True)
        others = before
        if k + 1 < length:
            after = cumprod(slice(self, dim, k + 1, length, 1), dim)
            if k > 0:
                after = expand(before, after.sizes()) * after
            others = cat([before, after], dim)
        part = sum_dim(slice(grad, dim, k, length, 1) * others, (dim,), False)
        if plain:
            copy_(select(total, dim, k), part, False)
        else:
            parts.append(part)
    return total if plain else stack(parts, dim)


def cumprod_backward_with_zeros(
    grad: Tensor, weighted: Tensor, self: Tensor, is_zero: Tensor, result: Tensor, dim: int
) -> Tensor:
    """Return the gradient of a cumprod with zeros, without recording.

    Before the first zero the formula without zeros holds. At the first zero the products up to the
    second one count, and behind it the gradient is 0.
    """
    nothing = zeros(self.sizes(), grad.scalar_type())
    zeros_so_far = cumsum(is_zero, dim)
    before = zeros_so_far == 0
    summed = cumsum_backward(masked_fill(weighted, bitwise_not(before), 0.0), dim) / self
    at_others = where(before, summed, nothing)
    until_second = zeros_so_far == 1
    place = max_dim(until_second, dim, True)[1]
    first = logical_and_(scatter_value_(zeros_like(until_second), dim, place, 1), until_second)
    behind = bitwise_and_(until_second, bitwise_not(first))
    products = cumprod(masked_fill(self, bitwise_not(behind), 1.0), dim)
    reached = masked_fill(grad, zeros_so_far != 1, 0.0)
    last = gather(result.conj(), dim, relu_(place - 1))
    last = masked_fill_(last, place == 0, 1.0)
    at_first = sum_dim(reached * products, (dim,), True) * last
    return where(first, at_first, at_others)


def extreme_backward(
    grad: Tensor, self: Tensor, result: Tensor, dim: "int[]", keepdim: bool
) -> Tensor:
    """Give the gradient to the extreme elements, in equal shares; nan where the result is nan."""
    whole = sizes_restored(self.sizes(), dim)
    mask = (result if keepdim else view(result, whole)) == self
    return shared_among(grad if keepdim else view(grad, whole), mask, dim)


def shared_among(grad: Tensor, mask: Tensor, dim: "int[]") -> Tensor:
    """Share the gradient equally among the positions where the mask is set."""
    return grad / sum_dim(mask, dim, True) * mask


def sizes_restored(sizes: "int[]", dim: "int[]") -> "int[]":
    """Return the sizes of a reduction's result with keepdim."""
    if len(sizes) == 0:
        return (1,) * len(dim)
    wrapped = [d % len(sizes) for d in dim]
    if len(wrapped) == 0:
        return ()
    return tuple([1 if d in wrapped else sizes[d] for d in range(len(sizes))])


def shared_backward(grad: Tensor, self: Tensor, result: Tensor) -> Tensor:
    """Give the gradient to the elements equal to the result, in equal shares; nan equals nan."""
    missing = logical_and(isnan(self), isnan(result))
    mask = logical_or_(self == result, missing)
    if not grad.is_plain() or is_transformed(mask):
        return mask * (grad / sum(mask))
    return masked_fill(zeros(self.sizes(), grad.scalar_type()), mask, grad / sum(mask))


def shared_tangent(self_t: Tensor, self_p: Tensor, result: Tensor) -> Tensor:
    """Return the mean tangent of the elements that equal the result.

    If there are none, the result is nan, and so is the tangent.
    """
    mask = self_p == result
    return sum(mask * (self_t / sum(mask)))


def aminmax_backward(
    grad_min: "Tensor?",
    grad_max: "Tensor?",
    self: Tensor,
    min: Tensor,
    max: Tensor,
    dim: "int?",
    keepdim: bool,
) -> Tensor:
    """Return the sum of the two extremes' gradients."""
    dims = () if dim is None else (dim,)
    if grad_max is None:
        return one_of_aminmax(grad_min, self, min, dims, keepdim)
    if grad_min is None:
        return one_of_aminmax(grad_max, self, max, dims, keepdim)
    highest = one_of_aminmax(grad_max, self, max, dims, keepdim)
    return one_of_aminmax(grad_min, self, min, dims, keepdim) + highest


def one_of_aminmax(
    grad: Tensor, self: Tensor, result: Tensor, dim: "int[]", keepdim: bool
) -> Tensor:
    """Return the gradient of one extreme, as for amax and amin."""
    whole = sizes_restored(self.sizes(), dim)
    shown = grad if keepdim else view(grad, whole)
    extreme = result if keepdim else view(result, whole)
    return shared_among(shown, self == extreme, dim)


def logsumexp_backward(
    grad: Tensor, self: Tensor, result: Tensor, dim: "int[]", keepdim: bool
) -> Tensor:
    """Multiply by the softmax."""
    grad = unsqueeze_reduced(grad, self.sizes(), dim, keepdim)
    total = unsqueeze_reduced(result, self.sizes(), dim, keepdim)
    return grad * exp(self - total).conj()


def logsumexp_tangent(self_t: Tensor, self_p: Tensor, dim: "int[]", keepdim: bool) -> Tensor:
    """Return the mean of the tangent, weighted by the softmax.

    The weights are computed relative to the maximum: from the result they would be inexact for
    large elements.
    """
    if self_p.numel() == 0:
        weights = exp(self_p)
    else:
        weights = exp(self_p - amax(real_part_of(self_p), dim, True))
    return sum_dim(weights * self_t, dim, keepdim) / sum_dim(weights, dim, keepdim)


def value_selecting_reduction_backward(
    grad: Tensor, dim: int, indices: Tensor, sizes: "int[]", keepdim: bool
) -> Tensor:
    """Put the gradient at the position that the value was taken from."""
    if len(sizes) > 0 and not keepdim:
        grad = unsqueeze(grad, dim)
        indices = unsqueeze(indices, dim)
    return scatter_src(zeros_for(grad, sizes), dim, indices, grad)


def gather_reduced(self_t: Tensor, dim: int, indices: Tensor, keepdim: bool) -> Tensor:
    """Gather the tangents at the positions that the values were taken from."""
    if self_t.dim() == 0:
        return self_t
    if keepdim:
        return gather(self_t, dim, indices)
    return squeeze_dim(gather(self_t, dim, unsqueeze(indices, dim)), dim)


def var_backward(
    grad: Tensor, self: Tensor, dim: "int[]?", correction: "Scalar?", keepdim: bool
) -> Tensor:
    """Multiply by 2 (x - mean) / (n - correction)."""
    n = reduced_numel(self.sizes(), dim)
    freedom = n - (1 if correction is None else correction)
    keep = dim is not None and len(dim) != 0
    if keep and self.dim() > 1:
        grad = unsqueeze_reduced(grad, self.sizes(), dim, keepdim)
    center = mean_dim(self, dim, True) if keep else mean(self)
    if freedom <= 0 and (self.dim() == 0 or not keep):
        return grad * where(self == center, float("nan"), float("inf"))
    factor = 2.0 / freedom if freedom != 0 else float("inf")
    return factor * grad * (self - center)


def std_backward(
    grad: Tensor,
    self: Tensor,
    result: Tensor,
    dim: "int[]?",
    correction: "Scalar?",
    keepdim: bool,
) -> Tensor:
    """Return the variance's gradient for grad / (2 std); 0 where the deviation is 0."""
    scaled = masked_fill_(grad / (2 * result), result == 0, 0)
    return var_backward(scaled, self, dim, correction, keepdim)


def var_tangent(
    self_t: Tensor, self: Tensor, dim: "int[]?", correction: "Scalar?", keepdim: bool
) -> Tensor:
    """Return the sum of the variance's gradient times the tangent."""
    parts = var_backward(self_t.conj(), self, dim, correction, True)
    return sum_dim(real_part_of(parts), dim, keepdim)


def std_tangent(
    self_t: Tensor,
    self: Tensor,
    result: Tensor,
    dim: "int[]?",
    correction: "Scalar?",
    keepdim: bool,
) -> Tensor:
    """Return the variance's tangent / (2 std); 0 where the deviation is 0."""
    total = var_tangent(self_t, self, dim, correction, keepdim)
    return masked_fill(total / (2 * result), result == 0, 0)


def mean_tangent(self_t: Tensor, dim: "int[]?", keepdim: bool) -> Tensor:
    """Return the mean of the tangent, as a mean is linear."""
    return mean(self_t) if dim is None else mean_dim(self_t, dim, keepdim)


def real_part_of(self: Tensor) -> Tensor:
    """Return the real part; a real tensor is returned itself."""
    return real(self) if self.is_complex() else self


def mean_part(grad: Tensor, sizes: "int[]", dim: "int[]?", keepdim: bool) -> Tensor:
    """Return the gradient that a mean gives each of its elements."""
    grad = unsqueeze_reduced(grad, sizes, dim, keepdim)
    return grad.expand(sizes) / reduced_numel(sizes, dim)


def var_mean_backward(
    grad_var: "Tensor?",
    grad_mean: "Tensor?",
    self: Tensor,
    dim: "int[]?",
    correction: "Scalar?",
    keepdim: bool,
) -> Tensor:
    """Return the sum of the gradients of variance and mean."""
    if grad_var is None:
        return mean_part(grad_mean, self.sizes(), dim, keepdim)
    result = var_backward(grad_var, self, dim, correction, keepdim)
    if grad_mean is None:
        return result
    return result + mean_part(grad_mean, self.sizes(), dim, keepdim)


def std_mean_backward(
    grad_std: "Tensor?",
    grad_mean: "Tensor?",
    self: Tensor,
    std: Tensor,
    dim: "int[]?",
    correction: "Scalar?",
    keepdim: bool,
) -> Tensor:
    """Return the sum of the gradients of deviation and mean."""
    if grad_std is None:
        return mean_part(grad_mean, self.sizes(), dim, keepdim)
    result = std_backward(grad_std, self, std, dim, correction, keepdim)
    if grad_mean is None:
        return result
    return result + mean_part(grad_mean, self.sizes(), dim, keepdim)


def trace_backward(grad: Tensor, sizes: "int[]") -> Tensor:
    """Put the gradient everywhere on the diagonal."""
    rows, columns = sizes
    flat = zeros((rows * columns,), grad.scalar_type())
    places = arange(0, min(rows, columns) * (columns + 1), columns + 1)
    return view(index_fill_tensor(flat, 0, places, grad), sizes)


def norm_backward(
    grad: Tensor, self: Tensor, p: Scalar, norm: Tensor, dim: "int[]?", keepdim: bool
) -> Tensor:
    """Return the gradient of (sum |x|**p) ** (1/p); where the norm is 0, the subgradient 0."""
    if p == 0:
        return None
    grad = unsqueeze_reduced(grad, self.sizes(), dim, keepdim)
    norm = unsqueeze_reduced(norm, self.sizes(), dim, keepdim)
    if p == 1:
        return sgn(self) * grad
    if p == 2:
        return grad * masked_fill_(self / norm, norm == 0, 0)
    if p == float("inf") or p == -float("inf"):
        mask = (abs(self) == norm) | isnan(self)
        count = sum_dim(mask, dim, dim is not None and len(dim) != 0)
        return sgn(self) * (grad / count * mask)
    if p < 1:
        scaled = sgn(self) * masked_fill_(pow_scalar_(abs(self), p - 1), self == 0, 0)
        return scaled * grad * pow_scalar(norm, 1 - p)
    if p < 2:
        scaled = sgn(self) * pow_scalar_(abs(self), p - 1)
    else:
        scaled = self * pow_scalar_(abs(self), p - 2)
    return scaled * masked_fill_(grad / pow_scalar(norm, p - 1), norm == 0, 0)


def norm_tangent(
    self_t: Tensor, self: Tensor, p: Scalar, norm: Tensor, dim: "int[]?", keepdim: bool
) -> Tensor:
    """Return the sum of the norm's gradient times the tangent; 0 where the norm is 0."""
    if p == 0:
        return zeros_like(norm)
    if p == 1:
        return sum_dim(real_part_of(sgn(self) * self_t.conj()), dim, keepdim)
    if p == 2:
        total = sum_dim(real_part_of(self * self_t.conj()), dim, keepdim)
        return masked_fill(total / norm, norm == 0, 0)
    along = real_part_of(sgn(self) * self_t.conj())
    if p == float("inf") or p == -float("inf"):
        whole = unsqueeze_reduced(norm, self.sizes(), dim, keepdim)
        mask = (abs(self) == whole) | (isnan(self) & isnan(whole))
        return sum_dim(along * mask, dim, keepdim) / sum_dim(mask, dim, keepdim)
    if p < 1:
        slope = masked_fill_(pow_scalar_(abs(self), p - 1), self == 0, 0)
        return sum_dim(slope * along, dim, keepdim) * pow_scalar(norm, 1 - p)
    if p < 2:
        total = sum_dim(pow_scalar_(abs(self), p - 1) * along, dim, keepdim)
    else:
        inside = real_part_of(self * self_t.conj())
        total = sum_dim(pow_scalar_(abs(self), p - 2) * inside, dim, keepdim)
    return masked_fill(total / pow_scalar(norm, p - 1), norm == 0, 0)


def renorm_backward(grad: Tensor, self: Tensor, p: Scalar, dim: int, maxnorm: Scalar) -> Tensor:
    """Differentiate self * maxnorm / norm for the slices that were scaled; others keep grad."""
    dims = tuple([d for d in range(self.dim()) if d != dim % self.dim()])
    norm = linalg_vector_norm(self, p, dims, True)
    weight = self.conj() * grad
    if self.is_complex():
        weight = real(weight)
    weight = sum_dim(weight, dims, True)
    slope = norm_backward(weight, self, p, norm, dims, True)
    scale = reciprocal(norm + 1e-7)
    along = grad - scale * slope
    shrunk = maxnorm * scale * along
    if shrunk.scalar_type() != grad.scalar_type():
        shrunk = cast(shrunk, grad.scalar_type())
    return where(norm > maxnorm, shrunk, grad)


def renorm_tangent(self_t: Tensor, self_p: Tensor, p: Scalar, dim: int, maxnorm: Scalar) -> Tensor:
    """Differentiate self * maxnorm / norm for the slices that were scaled; others keep self_t."""
    dims = tuple([d for d in range(self_p.dim()) if d != dim % self_p.dim()])
    norm = linalg_vector_norm(self_p, p, dims, True)
    scale = reciprocal(norm + 1e-7)
    slope = norm_tangent(self_t, self_p, p, norm, dims, True)
    shrunk = maxnorm * scale * (self_t - self_p * scale * slope)
    if shrunk.scalar_type() != self_t.scalar_type():
        shrunk = cast(shrunk, self_t.scalar_type())
    return where(norm > maxnorm, shrunk, self_t)
