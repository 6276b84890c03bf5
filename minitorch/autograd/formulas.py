"""Derivatives that want more than one line; derivatives.toml calls them.

This file is not imported: tools/generate.py writes each function out twice, on TensorImpls and on
recorded Tensors, as it does with the formulas of the table. So it is restricted Python: operators of
the table, numbers, ``if`` and ``for``; annotations give the kind of each argument.
"""


def maybe_multiply(t: Tensor, s: Scalar) -> Tensor:
    """t * s, without the multiplication by one."""
    return t if s == 1 else t * s


def not_implemented_derivative(name: str) -> Tensor:
    """An operator PyTorch does not differentiate either."""
    raise RuntimeError("derivative for aten::" + name + " is not implemented")


def not_implemented(name: str) -> Tensor:
    """The same, of operators that PyTorch's own table lists so."""
    raise NotImplementedError("the derivative for '" + name + "' is not implemented.")


def div_backward_self(grad: Tensor, other: Tensor, rounding_mode: "str?") -> Tensor:
    """Rounded division is flat."""
    if rounding_mode is not None:
        return zeros_like(grad)
    return grad / other.conj()


def div_backward_other(grad: Tensor, self: Tensor, other: Tensor, rounding_mode: "str?") -> Tensor:
    """d(a/b)/db = -(a/b)/b."""
    if rounding_mode is not None:
        return zeros_like(grad)
    return -grad * (self / other / other).conj()


def pow_backward(grad: Tensor, self: Tensor, exponent: Scalar) -> Tensor:
    """A number as exponent: x**0 is flat, also where x is 0."""
    if exponent == 0:
        return zeros_like(grad)
    return grad * (exponent * pow_scalar(self, exponent - 1)).conj()


def pow_backward_self(grad: Tensor, self: Tensor, exponent: Tensor) -> Tensor:
    """As pow_backward, where each exponent may be 0."""
    slope = grad * (exponent * pow(self, exponent - 1)).conj()
    return where(exponent == 0, zeros_like(slope), slope)


def pow_backward_exponent(grad: Tensor, self: Tensor, exponent: Tensor, result: Tensor) -> Tensor:
    """x**y * log(x), and 0 where x is 0 and y does not fall below 0."""
    if exponent.is_complex():
        flat = logical_and(self == 0, logical_and(imag(exponent) == 0, real(exponent) >= 0))
    else:
        flat = logical_and(self == 0, exponent >= 0)
    # the logarithm of a negative number is complex where the power is
    slope = (result * log(cast(self, result.scalar_type()))).conj()
    return grad * where(flat, zeros_like(slope), slope)


def pow_number_backward(grad: Tensor, base: Scalar, exponent: Tensor, result: Tensor) -> Tensor:
    """base**y * log(base), and 0 where the base is 0 and y does not fall below 0."""
    if base == 0:
        slope = result * log_of(base)
        return grad * where(exponent >= 0, zeros_like(slope), slope)
    return grad * (result * log_of(base)).conj()


def share_of(wins: Tensor, ties: Tensor) -> Tensor:
    """1 where an operand is the maximum, one half where both are."""
    return wins + ties / 2


def inverse_square_sum(a: Tensor, b: Tensor) -> Tensor:
    """1 / (a*a + b*b), and 0 at the origin."""
    s = a * a + b * b
    return where(s == 0, zeros_like(s), reciprocal(s))


def copysign_backward(grad: Tensor, self: Tensor, result: Tensor) -> Tensor:
    """The sign that was given, 0 at 0."""
    ratio = result / self
    return grad * where(self == 0, zeros_like(ratio), ratio)


def clamp_backward(grad: Tensor, self: Tensor, min: "Scalar?", max: "Scalar?") -> Tensor:
    """1 inside the bounds, which belong to the inside."""
    if min is not None:
        grad = where(self >= min, grad, zeros_like(grad))
    if max is not None:
        grad = where(self <= max, grad, zeros_like(grad))
    return grad


def clamp_mask(self: Tensor, min: "Tensor?", max: "Tensor?") -> Tensor:
    """Where the value itself came through."""
    if min is None:
        return self <= max
    if max is None:
        return self >= min
    return logical_and(self >= min, self <= max)


def clamp_min_mask(self: Tensor, min: "Tensor?", max: "Tensor?") -> Tensor:
    """Where the lower bound is the result; the upper one wins where they cross."""
    if max is None:
        return self < min
    return logical_and(self < min, min < max)


def clamp_max_mask(self: Tensor, min: "Tensor?", max: "Tensor?") -> Tensor:
    """Where the upper bound is the result."""
    if min is None:
        return self > max
    return logical_or(self > max, max < min)


def sgn_backward(grad: Tensor, self: Tensor, sgn: Tensor) -> Tensor:
    """sgn(z) = z/|z| turns with z and does not grow with it; flat for real numbers."""
    if not self.is_complex():
        return zeros_like(grad)
    length = abs(self)
    turned = (grad - real(grad * sgn.conj()) * sgn) / length
    return where(length == 0, zeros_like(turned), turned)


def angle_backward(grad: Tensor, self: Tensor) -> Tensor:
    """The angle is flat for real numbers."""
    if not self.is_complex():
        return zeros_like(grad)
    length = abs(self)
    turned = grad * (self / length) * complex(zeros_like(length), reciprocal(length))
    return where(self == 0, zeros_like(turned), turned)


def elu_double_backward(
    grad: Tensor,
    grad_output: Tensor,
    alpha: Scalar,
    scale: Scalar,
    input_scale: Scalar,
    is_result: bool,
    self_or_result: Tensor,
) -> Tensor:
    """On the exponential side only."""
    if is_result:
        slope = grad * grad_output * input_scale
    else:
        slope = (
            grad
            * grad_output
            * (input_scale * input_scale * alpha * scale)
            * exp(self_or_result * input_scale)
        )
    return where(self_or_result < 0, slope, zeros_like(slope))


def gelu_double_backward(
    grad: Tensor, grad_output: Tensor, self: Tensor, approximate: str
) -> Tensor:
    """The second derivative of x * Phi(x): phi(x) * (2 - x*x); for tanh, that of the approximation."""
    if approximate == "tanh":
        beta = 0.7978845608028654
        kappa = 0.044715
        u = beta * (self + kappa * self * self * self)
        du = beta * (1 + 3 * kappa * self * self)
        d2u = 6 * beta * kappa * self
        t = tanh(u)
        s = 1 - t * t
        return grad * grad_output * (s * du + 0.5 * self * (s * d2u - 2 * t * s * du * du))
    return grad * grad_output * (0.3989422804014327 * exp(-0.5 * self * self) * (2 - self * self))


def silu_double_backward(grad: Tensor, grad_output: Tensor, self: Tensor) -> Tensor:
    """The second derivative of x * sigmoid(x)."""
    s = sigmoid(self)
    return grad * grad_output * s * (1 - s) * (2 + self * (1 - 2 * s))


def mish_double_backward(grad: Tensor, grad_output: Tensor, self: Tensor) -> Tensor:
    """The second derivative of x * tanh(softplus(x))."""
    s = sigmoid(self)
    t = tanh(softplus(self, 1, 20))
    q = 1 - t * t
    first = s * q
    second = s * (1 - s) * q - 2 * t * q * s * s
    return grad * grad_output * (2 * first + self * second)


def softplus_double_backward(g: Tensor, self: Tensor, beta: Scalar, threshold: Scalar) -> Tensor:
    """beta * s * (1 - s) up to the threshold, from which softplus is the identity."""
    s = sigmoid(self * beta)
    slope = g * s * (1 - s) * beta
    return where(self * beta > threshold, zeros_like(slope), slope)


def softmax_double_backward(grad: Tensor, grad_output: Tensor, dim: int, output: Tensor) -> Tensor:
    """The derivative of output * (grad_output - sum(output * grad_output)) to output."""
    inner = sum_dim(grad_output * output, (dim,), True)
    return grad_output * grad - sum_dim(output * grad, (dim,), True) * grad_output - inner * grad


def filled(grads: "Tensor?[]", sizes: "int[]", dim: int, dtype: int) -> "Tensor[]":
    """Zeros where no gradient arrived."""
    shape = (
        sizes[:dim] + sizes[dim + 1 :]
        if dim >= 0
        else sizes[: len(sizes) + dim] + sizes[len(sizes) + dim + 1 :]
    )
    return [zeros(shape, dtype) if g is None else g for g in grads]


def unbind_backward(grads: "Tensor[]", dim: int) -> Tensor:
    """What unbind took apart, stacked."""
    return stack(grads, dim)


def split_backward(
    grads: "Tensor?[]", split_size: int, dim: int, sizes: "int[]", dtype: int
) -> Tensor:
    """The parts put together again."""
    total = sizes[dim]
    parts = max(1, -(-total // split_size)) if split_size else 1
    split_sizes = tuple(
        [min(split_size, total - k * split_size) if split_size else 0 for k in range(parts)]
    )
    return split_with_sizes_backward(grads, split_sizes, dim, sizes, dtype)


def split_with_sizes_backward(
    grads: "Tensor?[]", split_sizes: "int[]", dim: int, sizes: "int[]", dtype: int
) -> Tensor:
    """The parts put together again, zeros for those without gradient."""
    d = dim if dim >= 0 else dim + len(sizes)
    whole = []
    for k in range(len(split_sizes)):
        shape = sizes[:d] + (split_sizes[k],) + sizes[d + 1 :]
        whole.append(zeros(shape, dtype) if grads[k] is None else grads[k])
    return cat(whole, d)


def repeat_backward(grad: Tensor, repeats: "int[]", sizes: "int[]") -> Tensor:
    """Sum over the copies."""
    lead = len(repeats) - len(sizes)
    if 0 in repeats:
        return zeros(sizes, grad.scalar_type())
    shape = ()
    reduced = ()
    for k in range(len(repeats)):
        if k < lead:
            reduced = reduced + (len(shape),)
            shape = shape + (repeats[k],)
        else:
            reduced = reduced + (len(shape),)
            shape = shape + (repeats[k], sizes[k - lead])
    if len(reduced) == 0:
        return grad
    return sum_dim(reshape(grad, shape), reduced, False)


def negated(shifts: "int[]") -> "int[]":
    """Rolling back."""
    return tuple([-s for s in shifts])


def unsqueeze_reduced(grad: Tensor, sizes: "int[]", dim: "int[]?", keepdim: bool) -> Tensor:
    """Give the dimensions that a reduction took away back, with size one."""
    if keepdim or dim is None or len(dim) == 0 or len(sizes) == 0:
        return grad
    for d in sorted([k % len(sizes) for k in dim]):
        grad = unsqueeze(grad, d)
    return grad


def reduced_numel(sizes: "int[]", dim: "int[]?") -> int:
    """How many elements a reduction takes together."""
    count = 1
    for d in range(len(sizes)):
        if dim is None or len(dim) == 0 or d in dim or d - len(sizes) in dim:
            count = count * sizes[d]
    return count


def cat_backward(grad: Tensor, sizes: any, dim: int) -> "Tensor[]":
    """The part of each tensor; an empty one of one dimension was passed over."""
    parts = []
    start = 0
    for shape in sizes:
        if shape == (0,) and grad.dim() != 1:
            parts.append(zeros(shape, grad.scalar_type()))
            continue
        length = shape[dim]
        parts.append(slice(grad, dim, start, start + length, 1))
        start = start + length
    return parts


def unsqueeze_one(grad: Tensor, sizes: "int[]", dim: int, keepdim: bool) -> Tensor:
    """unsqueeze_reduced for one dimension."""
    if keepdim or len(sizes) == 0:
        return grad
    return unsqueeze(grad, dim % len(sizes))


def prod_backward(grad: Tensor, self: Tensor) -> Tensor:
    """The product of all others, for each element."""
    if self.dim() == 0:
        return grad
    flat = reshape(self, (self.numel(),))
    return reshape(prod_dim_backward(unsqueeze(grad, 0), flat, 0), self.sizes())


def prod_dim_backward(grad: Tensor, self: Tensor, dim: int) -> Tensor:
    """The product of those before times the product of those after: right also where one is 0."""
    if self.dim() == 0 or self.size(dim) <= 1:
        return grad.expand(self.sizes())
    length = self.size(dim)
    d = dim % self.dim()
    one = ones_like(slice(self, d, 0, 1, 1))
    before = cumprod(cat([one, slice(self, d, 0, length - 1, 1)], d), d)
    after = flip(cumprod(cat([one, slice(flip(self, (d,)), d, 0, length - 1, 1)], d), d), (d,))
    return grad * (before * after).conj()


def cumsum_backward(grad: Tensor, dim: int) -> Tensor:
    """Each element is in every sum from its own on."""
    if grad.dim() == 0 or grad.numel() <= 1:
        return grad
    return flip(cumsum(flip(grad, (dim,)), dim), (dim,))


def cumprod_backward(grad: Tensor, self: Tensor, dim: int) -> Tensor:
    """For each element the products it is in, without it."""
    if self.dim() == 0 or self.numel() <= 1:
        return grad
    d = dim % self.dim()
    length = self.size(d)
    parts = []
    before = ones_like(slice(self, d, 0, 1, 1))
    for k in range(length):
        rest = slice(self, d, k + 1, length, 1)
        products = cumprod(cat([before, rest], d), d)
        parts.append(sum_dim(slice(grad, d, k, length, 1) * products.conj(), (d,), True))
        before = before * slice(self, d, k, k + 1, 1)
    return cat(parts, d)


def extreme_backward(grad: Tensor, self: Tensor, result: Tensor, dim: "int[]") -> Tensor:
    """To the extreme elements, in equal shares where there are several."""
    mask = logical_or(self == result, logical_and(isnan(self), isnan(result)))
    if len(dim) == 0:
        return mask * (grad / sum(mask))
    return grad * mask / sum_dim(mask, None if len(dim) == 0 else dim, len(dim) != 0)


def aminmax_backward(
    grad_min: "Tensor?",
    grad_max: "Tensor?",
    self: Tensor,
    min: Tensor,
    max: Tensor,
    dim: "int?",
    keepdim: bool,
) -> Tensor:
    """The two extremes' gradients added up."""
    dims = () if dim is None else (dim,)
    total = zeros_like(self)
    if grad_min is not None:
        total = total + extreme_backward(
            unsqueeze_reduced(grad_min, self.sizes(), dims, keepdim),
            self,
            unsqueeze_reduced(min, self.sizes(), dims, keepdim),
            dims,
        )
    if grad_max is not None:
        total = total + extreme_backward(
            unsqueeze_reduced(grad_max, self.sizes(), dims, keepdim),
            self,
            unsqueeze_reduced(max, self.sizes(), dims, keepdim),
            dims,
        )
    return total


def value_selecting_reduction_backward(
    grad: Tensor, dim: int, indices: Tensor, sizes: "int[]", keepdim: bool
) -> Tensor:
    """Back to where the value came from."""
    if len(sizes) == 0:
        return grad
    if not keepdim:
        grad = unsqueeze(grad, dim)
        indices = unsqueeze(indices, dim)
    return scatter_src(zeros(sizes, grad.scalar_type()), dim, indices, grad)


def var_backward(grad: Tensor, self: Tensor, dim: "int[]?", correction: "Scalar?") -> Tensor:
    """2 (x - mean) / (n - correction)."""
    n = reduced_numel(self.sizes(), dim)
    freedom = n - (1 if correction is None else correction)
    keep = dim is not None and len(dim) != 0
    mean = mean_dim(self, dim, keep)
    if freedom <= 0 and (self.dim() == 0 or not keep):
        return grad * where(self == mean, float("nan"), float("inf"))
    factor = 2.0 / freedom if freedom != 0 else float("inf")
    return factor * grad * (self - mean)


def std_backward(
    grad: Tensor, self: Tensor, result: Tensor, dim: "int[]?", correction: "Scalar?"
) -> Tensor:
    """Half the variance's over the deviation; 0 where nothing varies."""
    scaled = masked_fill(grad / (2 * result), result == 0, 0)
    return var_backward(scaled, self, dim, correction)


def norm_backward(
    grad: Tensor, self: Tensor, p: Scalar, norm: Tensor, dim: "int[]?", keepdim: bool
) -> Tensor:
    """The derivative of (sum |x|**p) ** (1/p); a subgradient of 0 where the norm is 0."""
    grad = unsqueeze_reduced(grad, self.sizes(), dim, keepdim)
    norm = unsqueeze_reduced(norm, self.sizes(), dim, keepdim)
    if p == 0:
        return zeros_like(self)
    if p == 1:
        return sgn(self) * grad
    if p == 2:
        return grad * masked_fill(self / norm, norm == 0, 0)
    if p == float("inf") or p == -float("inf"):
        mask = abs(self) == norm
        count = sum_dim(mask, dim, dim is not None and len(dim) != 0)
        return sgn(self) * (mask / count) * grad
    if p < 2:
        scaled = sgn(self) * masked_fill(pow_scalar(abs(self), p - 1), self == 0, 0)
    else:
        scaled = self * pow_scalar(abs(self), p - 2)
    return scaled * masked_fill(grad / pow_scalar(norm, p - 1), norm == 0, 0)


def logsumexp_backward(grad: Tensor, self: Tensor, result: Tensor) -> Tensor:
    """The softmax."""
    return grad * exp(self - masked_fill(result, abs(result) == float("inf"), 0)).conj()


def gather_gradient(grad: Tensor, sizes: "int[]", dim: int, index: Tensor) -> Tensor:
    """Each element back to where it came from, and added up there."""
    if not RECORDED:
        return gather_backward(grad, sizes, dim, index)
    return scatter_add(zeros(sizes, grad.scalar_type()), dim, index, grad)


def index_select_gradient(grad: Tensor, sizes: "int[]", dim: int, index: Tensor) -> Tensor:
    """The same of whole slices."""
    if not RECORDED:
        return index_select_backward(grad, sizes, dim, index)
    return index_add(zeros(sizes, grad.scalar_type()), dim, index, grad, 1)


def masked_select_gradient(grad: Tensor, self: Tensor, mask: Tensor) -> Tensor:
    """Where the mask is set, in order."""
    if not RECORDED:
        return masked_select_backward(grad, self, mask)
    return masked_scatter(masked_select_backward(zeros_like(grad), self, mask), mask, grad)


def outer_composed(self: Tensor, vec2: Tensor) -> Tensor:
    """Every product of two elements."""
    if self.dim() != 1:
        raise RuntimeError(f"outer: Expected 1-D argument self, but got {self.dim()}-D")
    if vec2.dim() != 1:
        raise RuntimeError(f"outer: Expected 1-D argument vec2, but got {vec2.dim()}-D")
    return unsqueeze(self, 1) * vec2


def embedding_double_backward(
    grad: Tensor, indices: Tensor, padding_idx: int, scale_grad_by_freq: bool
) -> Tensor:
    """The rows that were looked up; the padding row has no gradient."""
    if scale_grad_by_freq:
        raise RuntimeError("embedding: scale_grad_by_freq does not support double backward")
    rows = embedding(grad, indices)
    if padding_idx < 0:
        return rows
    return masked_fill(rows, unsqueeze(indices == padding_idx, -1), 0)


def mm_mat1_grad(
    grad: Tensor, mat2: Tensor, sizes: "int[]", strides: "int[]", alpha: Scalar
) -> Tensor:
    """grad @ mat2.H, column-major if the matrix was."""
    if strides[0] == 1 and strides[1] == sizes[0]:
        return maybe_multiply(t(mm(mat2.conj(), t(grad))), alpha.conj())
    return maybe_multiply(mm(grad, t(mat2).conj()), alpha.conj())


def mm_mat2_grad(
    grad: Tensor, mat1: Tensor, sizes: "int[]", strides: "int[]", alpha: Scalar
) -> Tensor:
    """mat1.H @ grad, column-major if the matrix was."""
    if strides[0] == 1 and strides[1] == sizes[0]:
        return maybe_multiply(t(mm(t(grad), mat1.conj())), alpha.conj())
    return maybe_multiply(mm(t(mat1).conj(), grad), alpha.conj())


def matmul_composed(self: Tensor, other: Tensor) -> Tensor:
    """The products and views PyTorch makes of a matmul, so that the graph is the same."""
    if not RECORDED:
        return _matmul(self, other)
    plan = matmul_plan_of(self, other)
    if plan == "dot":
        return dot(self, other)
    if plan == "mv":
        return mv(self, other)
    if plan == "vector_mm":
        return r_squeeze_dim_(mm(unsqueeze(self, 0), other), 0)
    if plan == "mm":
        return mm(self, other)
    if plan == "fold":
        lead = self.sizes()[:-1]
        folded = reshape(self, (numel_of(lead), self.sizes()[-1]))
        if other.dim() == 1:
            return _unsafe_view(mv(folded, other), lead)
        return _unsafe_view(mm(folded, other), lead + other.sizes()[-1:])
    if plan == "fold_right":
        turned = transpose(other, -1, -2)
        lead = turned.sizes()[:-1]
        folded = reshape(turned, (numel_of(lead), turned.sizes()[-1]))
        if self.dim() == 1:
            return _unsafe_view(mv(folded, self), lead)
        return contiguous(
            transpose(_unsafe_view(mm(folded, t(self)), lead + self.sizes()[:1]), -1, -2)
        )
    shapes = matmul_shapes_of(self, other)
    right = expand(other, shapes[2])
    if other.dim() == 1:
        right = unsqueeze(right, -1)
    return _unsafe_view(
        bmm(reshape(expand(self, shapes[0]), shapes[1]), reshape(right, shapes[3])), shapes[4]
    )


def linear_composed(input: Tensor, weight: Tensor, bias: "Tensor?") -> Tensor:
    """input @ weight.T + bias, one addmm where it can be."""
    if not RECORDED:
        return _linear(input, weight, bias)
    if not records():
        return _linear(input, weight, bias)
    if input.dim() == 0 or weight.dim() == 0:
        raise RuntimeError(
            "both arguments to linear need to be at least 1D, but they are "
            f"{input.dim()}D and {weight.dim()}D"
        )
    if bias is None:
        return matmul(input, t(weight))
    if input.dim() == 2:
        return addmm(bias, input, t(weight))
    if is_contiguous_of(input) and bias.dim() > 0:
        lead = input.sizes()[:-1]
        return view(
            addmm(bias, view(input, (numel_of(lead), input.sizes()[-1])), t(weight)),
            lead + weight.sizes()[:1],
        )
    return matmul(input, t(weight)) + bias


def convolution_double_backward(
    ggi: "Tensor?",
    ggw: "Tensor?",
    ggb: "Tensor?",
    grad_output: Tensor,
    input: Tensor,
    weight: Tensor,
    stride: "int[]",
    padding: "int[]",
    dilation: "int[]",
    transposed: bool,
    output_padding: "int[]",
    groups: int,
    mask: "any",
) -> any:
    """Convolution is linear in both operands, so its derivative is made of convolutions too."""
    ggo = None
    gi = None
    gw = None
    if ggi is not None:
        ggo = convolution(
            ggi, weight, None, stride, padding, dilation, transposed, output_padding, groups
        )
        gw = convolution_backward(
            grad_output,
            ggi,
            weight,
            None,
            stride,
            padding,
            dilation,
            transposed,
            output_padding,
            groups,
            (False, True, False),
        )[1]
    if ggw is not None:
        part = convolution(
            input, ggw, None, stride, padding, dilation, transposed, output_padding, groups
        )
        ggo = part if ggo is None else add(ggo, part)
        gi = convolution_backward(
            grad_output,
            input,
            ggw,
            None,
            stride,
            padding,
            dilation,
            transposed,
            output_padding,
            groups,
            (True, False, False),
        )[0]
    if ggb is not None:
        shape = (1, -1) + (1,) * (grad_output.dim() - 2)
        part = expand(view(ggb, shape), grad_output.sizes())
        ggo = part if ggo is None else add(ggo, part)
    return ggo, gi, gw


def layer_norm_backward(
    grad: Tensor,
    input: Tensor,
    normalized_shape: "int[]",
    mean: Tensor,
    rstd: Tensor,
    weight: "Tensor?",
    bias: "Tensor?",
    eps: float,
    mask: "any",
) -> any:
    """With create_graph the statistics are computed again, as functions of the input."""
    if not RECORDED:
        return native_layer_norm_backward(
            grad, input, normalized_shape, mean, rstd, weight, bias, mask
        )
    lead = tuple(range(input.dim() - len(normalized_shape)))
    dims = tuple(range(len(lead), input.dim()))
    centered = input - mean_dim(input, dims, True)
    scale = rsqrt(mean_dim(centered * centered, dims, True) + eps)
    normal = centered * scale
    slope = grad if weight is None else grad * weight
    gi = scale * (
        slope - mean_dim(slope, dims, True) - normal * mean_dim(slope * normal, dims, True)
    )
    return gi, sum_leading(grad * normal, lead), sum_leading(grad, lead)


def sum_leading(t: Tensor, lead: "int[]") -> Tensor:
    """Over these dimensions; over none is the tensor itself."""
    return sum_dim(t, lead, False) if len(lead) else t


def batch_norm_backward(
    grad: Tensor,
    input: Tensor,
    weight: "Tensor?",
    running_mean: "Tensor?",
    running_var: "Tensor?",
    save_mean: Tensor,
    save_invstd: Tensor,
    training: bool,
    eps: float,
    mask: "any",
) -> any:
    """With create_graph the statistics are computed again, as functions of the input."""
    if not RECORDED:
        return native_batch_norm_backward(
            grad,
            input,
            weight,
            running_mean,
            running_var,
            save_mean,
            save_invstd,
            training,
            eps,
            mask,
        )
    dims = (0,) + tuple(range(2, input.dim()))
    shape = (1, -1) + (1,) * (input.dim() - 2)
    slope = grad if weight is None else grad * view(weight, shape)
    if training:
        centered = input - mean_dim(input, dims, True)
        scale = rsqrt(mean_dim(centered * centered, dims, True) + eps)
        normal = centered * scale
        gi = scale * (
            slope - mean_dim(slope, dims, True) - normal * mean_dim(slope * normal, dims, True)
        )
    else:
        scale = rsqrt(view(running_var, shape) + eps)
        normal = (input - view(running_mean, shape)) * scale
        gi = slope * scale
    return gi, sum_dim(grad * normal, dims, False), sum_dim(grad, dims, False)


def loss_scale(grad: Tensor, numel: int, reduction: int) -> Tensor:
    """The gradient of one element's loss."""
    return grad / numel if reduction == 1 else grad


def reduce_loss(loss: Tensor, reduction: int) -> Tensor:
    """0: as it is, 1: the mean, 2: the sum."""
    if reduction == 1:
        return mean(loss)
    if reduction == 2:
        return sum(loss)
    return loss


def smooth_l1_double_backward(
    grad: Tensor, self: Tensor, target: Tensor, reduction: int, beta: float
) -> Tensor:
    """1 / beta near zero."""
    if beta == 0:
        return zeros_like(grad)
    near = abs(self - target) < beta
    return loss_scale(grad * near / beta, self.numel(), reduction)


def huber_double_backward(
    grad: Tensor, self: Tensor, target: Tensor, reduction: int, delta: float
) -> Tensor:
    """1 near zero."""
    return loss_scale(grad * (abs(self - target) < delta), self.numel(), reduction)


def soft_margin_double_backward(
    grad: Tensor, self: Tensor, target: Tensor, reduction: int
) -> Tensor:
    """y^2 s (1 - s) for s = sigmoid(-y x)."""
    share = sigmoid(-target * self)
    slope = target * target * share * (1 - share)
    return loss_scale(grad * slope, self.numel(), reduction)


def bce_double_backward(
    grad: Tensor, self: Tensor, target: Tensor, weight: "Tensor?", reduction: int
) -> Tensor:
    """(p^2 - 2 p t + t) / (p (1 - p))^2, kept finite at 0 and 1."""
    scale = (self + 1e-12) * (1 - self + 1e-12)
    slope = (self * self - 2 * self * target + target) / (scale * scale)
    if weight is not None:
        slope = slope * weight
    return loss_scale(grad * slope, self.numel(), reduction)


def bce_double_backward_target(
    grad: Tensor, self: Tensor, numel: int, weight: "Tensor?", reduction: int
) -> Tensor:
    """-1 / (p (1 - p)), kept finite at 0 and 1."""
    slope = -grad / clamp_min((1 - self) * self, 1e-12)
    if weight is not None:
        slope = slope * weight
    return loss_scale(slope, numel, reduction)


def bce_target_backward(grad: Tensor, self: Tensor, weight: "Tensor?", reduction: int) -> Tensor:
    """log(1 - p) - log(p)."""
    slope = clamp_min(log(1 - self), -100) - clamp_min(log(self), -100)
    if weight is not None:
        slope = slope * weight
    return loss_scale(grad, self.numel(), reduction) * slope


def kl_div_composed(self: Tensor, target: Tensor, reduction: int, log_target: bool) -> Tensor:
    """t (log t - x)."""
    if self.is_complex() or target.is_complex():
        raise RuntimeError("kl_div: Complex inputs not supported.")
    if not is_floating_code(self.scalar_type()) or not is_floating_code(target.scalar_type()):
        raise RuntimeError("kl_div: Integral inputs not supported.")
    if log_target:
        return reduce_loss(exp(target) * (target - self), reduction)
    return reduce_loss(xlogy(target, target) - target * self, reduction)


def bce_logits_backward(
    grad: Tensor,
    self: Tensor,
    target: Tensor,
    weight: "Tensor?",
    pos_weight: "Tensor?",
    reduction: int,
) -> Tensor:
    """sigmoid(x) - t, the positive part weighted."""
    if not RECORDED:
        return binary_cross_entropy_with_logits_backward(
            grad, self, target, weight, pos_weight, reduction
        )
    if pos_weight is not None:
        weighted = pos_weight * target
        slope = (weighted + 1 - target) * sigmoid(self) - weighted
    else:
        slope = sigmoid(self) - target
    if weight is not None:
        slope = slope * weight
    return loss_scale(grad, self.numel(), reduction) * slope


def bce_logits_target_backward(
    grad: Tensor, self: Tensor, weight: "Tensor?", pos_weight: "Tensor?", reduction: int
) -> Tensor:
    """-x, or by the weight of the positive class."""
    if pos_weight is not None:
        slope = log_sigmoid(-self) - pos_weight * log_sigmoid(self)
    else:
        slope = -self
    if weight is not None:
        slope = slope * weight
    return loss_scale(grad, self.numel(), reduction) * slope


def nll_loss_of(
    grad: Tensor, target: Tensor, weight: "Tensor?", reduction: int, ignore_index: int
) -> Tensor:
    """nll_loss is linear in its input."""
    return nll_loss_forward(grad, target, weight, reduction, ignore_index)[0]


def nll_loss2d_of(
    grad: Tensor, target: Tensor, weight: "Tensor?", reduction: int, ignore_index: int
) -> Tensor:
    """The same over images."""
    return nll_loss2d_forward(grad, target, weight, reduction, ignore_index)[0]


# ---- layers


def gather_pooled(grad: Tensor, indices: Tensor, dims: int) -> Tensor:
    """What stands where each maximum came from."""
    lead = grad.sizes()[: grad.dim() - dims]
    each = numel_of(grad.sizes()[grad.dim() - dims :])
    windows = numel_of(indices.sizes()[indices.dim() - dims :])
    flat = gather(reshape(grad, lead + (each,)), len(lead), reshape(indices, lead + (windows,)))
    return reshape(flat, indices.sizes())


def pool1d_input(self: Tensor, name: str) -> Tensor:
    """Pooling along one dimension is pooling of an image one row high."""
    if self.dim() != 2 and self.dim() != 3:
        raise RuntimeError(
            f"Expected 2 to 3 dimensions, but got {self.dim()}-dimensional tensor for argument #1 "
            f"'self' (while checking arguments for {name})"
        )
    return unsqueeze(self, -2)


def max_pool1d_input(
    self: Tensor,
    kernel_size: "int[]",
    stride: "int[]",
    padding: "int[]",
    dilation: "int[]",
    ceil_mode: bool,
) -> Tensor:
    """The same with checks of its own; PyTorch has a kernel for floating-point inputs alone."""
    plane = self.sizes()[-2:]
    if (self.dim() != 2 and self.dim() != 3) or numel_of(plane) == 0:
        raise RuntimeError(
            "max_pool1d: Expected 2D or 3D (batch mode) tensor with optional 0 dim batch size for "
            f"input, but got:{list(self.sizes())}"
        )
    k = kernel_size[0]
    s = stride[0] if len(stride) else k
    p = padding[0]
    d = dilation[0]
    if k <= 0:
        raise RuntimeError(f"max_pool1d() kernel_size must be greater than zero, but got {k}")
    if s <= 0:
        raise RuntimeError(f"max_pool1d() stride must be greater than zero, but got {s}")
    if p < 0:
        raise RuntimeError(f"max_pool1d() padding must be non-negative, but got {p}")
    if p > k // 2:
        raise RuntimeError(
            "max_pool1d() padding should be at most half of kernel size, but got "
            f"padding={p} and kernel_size={k}"
        )
    if d <= 0:
        raise RuntimeError(f"max_pool1d() dilation must be greater than zero, but got {d}")
    length = self.size(-1)
    windows = (length + 2 * p - d * (k - 1) - 1 + (s - 1 if ceil_mode else 0)) // s + 1
    if ceil_mode and (windows - 1) * s >= length + p:
        windows = windows - 1
    if windows <= 0:
        raise RuntimeError(f"max_pool1d() Invalid computed output size: {windows}")
    if not is_floating_code(self.scalar_type()) and not self.is_complex():
        raise NotImplementedError(
            f"\"max_pool1d_impl\" not implemented for '{dtype_name(self.scalar_type())}'"
        )
    return unsqueeze(self, -2)


def squeeze_pair(pair: "any") -> any:
    """Values and indices without the dimension that one-dimensional pooling has put in."""
    return squeeze_dim(pair[0], -2), squeeze_dim(pair[1], -2)


def check_batch(input: Tensor, dims: int, name: str) -> int:
    """The batch dimension may be missing."""
    if input.dim() != dims + 1 and input.dim() != dims + 2:
        raise RuntimeError(
            f"Expected {dims + 1}D (unbatched) or {dims + 2}D (batched) input to {name}, "
            f"but got input of size: {list(input.sizes())}"
        )
    return 0


def conv_composed(
    input: Tensor,
    weight: Tensor,
    bias: "Tensor?",
    stride: "int[]",
    padding: "int[]",
    dilation: "int[]",
    transposed: bool,
    output_padding: "int[]",
    groups: int,
    dims: int,
    name: str,
) -> Tensor:
    """The batch dimension may be missing."""
    if bias is not None and not transposed and bias.scalar_type() != input.scalar_type():
        raise RuntimeError(
            f"Input type ({cpp_name(input.scalar_type())}) and bias type "
            f"({cpp_name(bias.scalar_type())}) should be the same"
        )
    check_batch(input, dims, name)
    if input.dim() == dims + 2:
        return convolution(
            input, weight, bias, stride, padding, dilation, transposed, output_padding, groups
        )
    return squeeze_dim(
        convolution(
            unsqueeze(input, 0),
            weight,
            bias,
            stride,
            padding,
            dilation,
            transposed,
            output_padding,
            groups,
        ),
        0,
    )


def conv_padded(
    input: Tensor,
    weight: Tensor,
    bias: "Tensor?",
    stride: "int[]",
    padding: str,
    dilation: "int[]",
    groups: int,
    dims: int,
    name: str,
) -> Tensor:
    """padding="valid" is none; "same" keeps the size, and an odd total puts one more behind."""
    check_batch(input, dims, name)
    if input.dim() == dims + 1:
        return squeeze_dim(
            conv_of_batch(
                unsqueeze(input, 0), weight, bias, stride, padding, dilation, groups, dims
            ),
            0,
        )
    return conv_of_batch(input, weight, bias, stride, padding, dilation, groups, dims)


def conv_of_batch(
    input: Tensor,
    weight: Tensor,
    bias: "Tensor?",
    stride: "int[]",
    padding: str,
    dilation: "int[]",
    groups: int,
    dims: int,
) -> Tensor:
    """conv_padded, with a batch dimension."""
    none = (0,) * dims
    if padding == "valid":
        return convolution(input, weight, bias, stride, none, dilation, False, none, groups)
    if padding != "same":
        raise RuntimeError("Invalid padding string: '" + padding + "'")
    if weight.dim() < 3:
        raise RuntimeError("weight should have at least three dimensions")
    if groups <= 0:
        raise RuntimeError("non-positive groups is not supported")
    if weight.dim() != input.dim():
        raise RuntimeError(
            f"Expected {weight.dim()}-dimensional input for {weight.dim()}-dimensional weight"
            f"{list(weight.sizes())}, but got {input.dim()}-dimensional input of size "
            f"{list(input.sizes())} instead"
        )
    if max(stride) != 1 or min(stride) != 1:
        raise RuntimeError("padding='same' is not supported for strided convolutions")
    before = ()
    extra = ()
    for k in range(dims):
        total = dilation[k] * (weight.size(k + 2) - 1)
        before = before + (total // 2,)
        extra = (0, total % 2) + extra
    if max(extra) == 0:
        return convolution(input, weight, bias, stride, before, dilation, False, none, groups)
    warn_of_padded_copy()
    padded = constant_pad_nd(input, extra, 0)
    return convolution(padded, weight, bias, stride, before, dilation, False, none, groups)


def group_norm_composed(
    input: Tensor, num_groups: int, weight: "Tensor?", bias: "Tensor?", eps: float
) -> Tensor:
    """Each group of channels of each example has mean 0 and variance 1."""
    examples = size_in(input.sizes(), 0)
    channels = size_in(input.sizes(), 1)
    if num_groups <= 0:
        raise RuntimeError("num groups should be positive, but got " + str(num_groups))
    if channels % num_groups != 0:
        raise RuntimeError(
            "Expected number of channels in input to be divisible by num_groups, but got "
            f"input of shape {list(input.sizes())} and num_groups={num_groups}"
        )
    if weight is not None and weight.sizes() != (channels,):
        raise RuntimeError(
            "Expected weight to be a vector of size equal to the number of channels in input, "
            f"but got weight of shape {list(weight.sizes())} and input of shape "
            f"{list(input.sizes())}"
        )
    if bias is not None and bias.sizes() != (channels,):
        raise RuntimeError(
            "Expected bias to be a vector of size equal to the number of channels in input, "
            # the shape in PyTorch's message is the weight's
            f"but got bias of shape {list((bias if weight is None else weight).sizes())} "
            f"and input of shape {list(input.sizes())}"
        )
    return native_group_norm(
        contiguous(input),
        weight,
        bias,
        examples,
        channels,
        numel_of(input.sizes()[2:]),
        num_groups,
        eps,
    )[0]


def group_norm_backward(
    grad: "Tensor?",
    grad_mean: "Tensor?",
    grad_rstd: "Tensor?",
    input: Tensor,
    mean: Tensor,
    rstd: Tensor,
    weight: "Tensor?",
    N: int,
    C: int,
    HxW: int,
    group: int,
    eps: float,
    mask: "any",
) -> any:
    """With create_graph the statistics are computed again, as functions of the input."""
    gi = None
    gw = None
    gb = None
    if not RECORDED and grad is not None:
        gi, gw, gb = native_group_norm_backward(
            contiguous(grad), input, mean, rstd, weight, N, C, HxW, group, mask
        )
        if grad_mean is None and grad_rstd is None:
            return gi, gw, gb
    shape = (N, group, -1)
    grouped = reshape(input, shape)
    centered = grouped - mean_dim(grouped, (2,), True)
    scale = rsqrt(mean_dim(centered * centered, (2,), True) + eps)
    if RECORDED and grad is not None:
        normal = centered * scale
        weighted = reshape(grad, (N, C, -1))
        if weight is not None:
            weighted = weighted * view(weight, (1, C, 1))
        slope = reshape(weighted, shape)
        part = scale * (
            slope - mean_dim(slope, (2,), True) - normal * mean_dim(slope * normal, (2,), True)
        )
        gi = reshape(part, input.sizes())
        by_channel = reshape(grad, (N, C, -1))
        gw = sum_dim(by_channel * reshape(normal, (N, C, -1)), (0, 2), False)
        gb = sum_dim(by_channel, (0, 2), False)
    count = C // group * HxW
    if grad_mean is not None:
        part = expand(unsqueeze(grad_mean, 2) / count, grouped.sizes())
        gi = add_to(gi, reshape(part, input.sizes()))
    if grad_rstd is not None:
        part = unsqueeze(grad_rstd, 2) * (scale * scale * scale) * centered / -count
        gi = add_to(gi, reshape(part, input.sizes()))
    return gi, gw, gb


def add_to(sum: "Tensor?", part: Tensor) -> Tensor:
    """The first part is the sum."""
    return part if sum is None else part + sum


def batch_norm_composed(
    input: Tensor,
    weight: "Tensor?",
    bias: "Tensor?",
    running_mean: "Tensor?",
    running_var: "Tensor?",
    training: bool,
    momentum: float,
    eps: float,
) -> Tensor:
    """Of no elements nothing is computed; the result hangs on the parameters all the same."""
    if input.numel() > 0:
        return native_batch_norm(
            input, weight, bias, running_mean, running_var, training, momentum, eps
        )[0]
    out = clone(input)
    if weight is not None:
        out = out * select(weight, 0, 0)
    if bias is not None:
        out = out + select(bias, 0, 0)
    return out


def instance_norm_composed(
    input: Tensor,
    weight: "Tensor?",
    bias: "Tensor?",
    use_input_stats: bool,
    momentum: float,
    eps: float,
    running_mean: "Tensor?",
    running_var: "Tensor?",
) -> Tensor:
    """A batch norm over one example with batch * channels channels."""
    if not use_input_stats and (running_mean is None or running_var is None):
        raise RuntimeError(
            "Expected running_mean and running_var to be defined when use_input_stats is false"
        )
    n = size_in(input.sizes(), 0)
    c = size_in(input.sizes(), 1)
    shape = (1, n * c) + input.sizes()[2:]
    w = None if weight is None else repeat(weight, (n,))
    b = None if bias is None else repeat(bias, (n,))
    # statistics are counted in the type of the parameters or the input, whatever they are kept in
    kept = input.scalar_type() if weight is None else weight.scalar_type()
    m = None if running_mean is None else cast(repeat(running_mean, (n,)), kept)
    v = None if running_var is None else cast(repeat(running_var, (n,)), kept)
    out = batch_norm_composed(
        view(contiguous(input), shape), w, b, m, v, use_input_stats, momentum, eps
    )
    if use_input_stats:
        if running_mean is not None:
            set_to(running_mean, mean_dim(view(m, (n, c)), (0,), False))
        if running_var is not None:
            set_to(running_var, mean_dim(view(v, (n, c)), (0,), False))
    return view(out, input.sizes())


def prelu_composed(self: Tensor, weight: Tensor) -> Tensor:
    """One slope for all, or one for each channel."""
    if self.scalar_type() != weight.scalar_type():
        raise RuntimeError(
            "prelu: Type promoting not supported. Got "
            + dtype_name(self.scalar_type())
            + " and "
            + dtype_name(weight.scalar_type())
        )
    if weight.numel() != 1:
        if self.dim() == 0:
            raise RuntimeError("Not allow zero-dim input tensor.")
        channels = self.size(1) if self.dim() > 1 else 1
        if channels != weight.numel():
            raise RuntimeError(
                "Mismatch of parameter numbers and input channel size. Found parameter numbers"
                f" = {weight.numel()} and channel size = {channels}."
            )
    if weight.dim() > 1:
        raise RuntimeError(
            f"prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = {weight.dim()}"
        )
    if weight.dim() == self.dim():
        return _prelu_kernel(self, weight)
    if self.dim() < 2:
        return _prelu_kernel(self, view(weight, (1,) * self.dim()))
    return _prelu_kernel(self, view(weight, (1, weight.numel()) + (1,) * (self.dim() - 2)))


def prelu_double_backward(
    grad0: "Tensor?", grad1: "Tensor?", grad_output: Tensor, self: Tensor, weight: Tensor
) -> any:
    """_prelu_kernel_backward is (g or w g, 0 or x g), by the sign of x."""
    positive = self >= 0
    nothing = zeros((), grad_output.scalar_type())
    go = None
    gi = None
    gw = None
    if grad0 is not None:
        go = where(positive, grad0, grad0 * weight)
        gw = where(positive, nothing, grad0 * grad_output)
    if grad1 is not None:
        part = where(positive, nothing, grad1 * self)
        go = part if go is None else go + part
        gi = where(positive, nothing, grad_output * grad1)
    return go, gi, gw


def glu_gradient(grad: Tensor, self: Tensor, dim: int) -> Tensor:
    """To the value, and to the gate in front of the sigmoid."""
    size = self.size(dim)
    value = slice(self, dim, 0, size // 2, 1)
    gate = sigmoid(slice(self, dim, size // 2, size, 1))
    return cat([grad * gate, grad * value * gate * (1 - gate)], dim)


def dropout_composed(input: Tensor, p: float, train: bool, feature: bool) -> Tensor:
    """Zero with probability p, the rest scaled up; for `feature` whole channels."""
    if p < 0 or p > 1:
        raise RuntimeError(
            "dropout probability has to be between 0 and 1, but got " + format(p, "g")
        )
    if p == 0 or not train or input.numel() == 0:
        return input
    if p == 1:
        return input * zeros((), input.scalar_type())
    return input * dropout_noise(input, p, feature)


def nll_loss_composed(
    self: Tensor, target: Tensor, weight: "Tensor?", reduction: int, ignore_index: int
) -> Tensor:
    """Classes stand in dimension 1, or 0 of a single example."""
    if self.dim() < 1:
        raise ValueError(f"Expected 1 or more dimensions (got {self.dim()})")
    batch = target.size(0) if target.dim() > 0 else 0
    if self.dim() != 1 and self.size(0) != batch:
        raise ValueError(
            f"Expected input batch_size ({self.size(0)}) to match target batch_size ({batch})."
        )
    if self.dim() <= 2:
        return nll_loss_forward(self, target, weight, reduction, ignore_index)[0]
    if self.dim() == 4:
        return nll_loss2d_forward(self, target, weight, reduction, ignore_index)[0]
    n = self.size(0)
    c = self.size(1)
    wanted = (n,) + self.sizes()[2:]
    if target.sizes()[1:] != wanted[1:]:
        raise RuntimeError(f"Expected target size {list(wanted)}, got {list(target.sizes())}")
    if self.numel() > 0:
        flat = reshape(contiguous(self), (n, c, 1, -1))
        classes = reshape(contiguous(target), (n, 1, -1))
    else:
        flat = reshape(contiguous(self), (n, c, 0, 0))
        classes = reshape(contiguous(target), (n, 0, 0))
    if reduction == 0:
        return view(nll_loss2d_forward(flat, classes, weight, reduction, ignore_index)[0], wanted)
    return nll_loss2d_forward(flat, classes, weight, reduction, ignore_index)[0]


def cross_entropy_composed(
    self: Tensor,
    target: Tensor,
    weight: "Tensor?",
    reduction: int,
    ignore_index: int,
    label_smoothing: float,
) -> Tensor:
    """Targets of the input's shape are probabilities, others are classes."""
    d = 0 if self.dim() == 1 else 1
    if self.sizes() == target.sizes():
        if not is_floating_code(target.scalar_type()):
            raise RuntimeError(
                "Expected floating point type for target with class probabilities, got "
                + dtype_name(target.scalar_type())
            )
        if ignore_index >= 0:
            raise RuntimeError("ignore_index is not supported for floating point target")
        return cross_entropy_probabilities(self, target, weight, reduction, label_smoothing, d)
    if label_smoothing > 0:
        if label_smoothing > 1:
            raise RuntimeError(
                "label_smoothing must be between 0.0 and 1.0. Got: " + format(label_smoothing, "g")
            )
        return cross_entropy_smoothed(
            self, target, weight, reduction, ignore_index, label_smoothing, d
        )
    return nll_loss_composed(_log_softmax(self, d, False), target, weight, reduction, ignore_index)


def class_weights(self: Tensor, weight: Tensor, d: int) -> Tensor:
    """One weight for each class, in the classes' dimension."""
    if weight.dim() != 1 or weight.numel() != self.size(d):
        raise RuntimeError(
            "cross_entropy: weight tensor should be defined either for all "
            f"{self.size(d)} classes or no classes but got weight tensor of shape: "
            f"{list(weight.sizes())}"
        )
    return view(weight, (1,) * d + (-1,) + (1,) * (self.dim() - d - 1))


def cross_entropy_probabilities(
    self: Tensor, target: Tensor, weight: "Tensor?", reduction: int, label_smoothing: float, d: int
) -> Tensor:
    """-sum(target * log_softmax(input))."""
    n = self.size(d)
    if label_smoothing > 0:
        if label_smoothing > 1:
            raise RuntimeError(
                "label_smoothing must be between 0.0 and 1.0. Got: " + format(label_smoothing, "g")
            )
        target = target * (1 - label_smoothing) + label_smoothing / n
    terms = _log_softmax(self, d, False) * target
    if weight is not None:
        terms = terms * class_weights(self, weight, d)
    if reduction == 1:
        if self.numel() == 0:
            return -sum(terms) * float("nan")
        return -sum(terms) / (self.numel() // n)
    if reduction == 2:
        return -sum(terms)
    return -sum_dim(terms, (d,), False)


def cross_entropy_smoothed(
    self: Tensor,
    target: Tensor,
    weight: "Tensor?",
    reduction: int,
    ignore_index: int,
    label_smoothing: float,
    d: int,
) -> Tensor:
    """A share of every class's loss beside that of the target's class."""
    input = _log_softmax(self, d, False)
    sharp = nll_loss_composed(input, target, weight, reduction, ignore_index)
    ignored = target == ignore_index
    terms = input
    if weight is not None:
        terms = input * class_weights(self, weight, d)
    smooth = masked_fill(-sum_dim(terms, (d,), False), ignored, 0)
    if reduction == 1:
        if weight is not None:
            chosen = reshape(masked_select(target, logical_not(ignored)), (-1,))
            smooth = sum(smooth) / sum(gather(weight, 0, chosen))
        else:
            smooth = sum(smooth) / sum(logical_not(ignored))
    elif reduction == 2:
        smooth = sum(smooth)
    return (1 - label_smoothing) * sharp + smooth * (label_smoothing / self.size(d))


def broadcast_pair(a: Tensor, b: Tensor) -> any:
    """Both expanded to their common size."""
    if a.sizes() == b.sizes():
        return a, b
    sizes = broadcast_sizes(a.sizes(), b.sizes())
    return expand(a, sizes), expand(b, sizes)


def length_at_least(x: Tensor, dim: int, eps: float) -> Tensor:
    """The length; the lower limit has no part in the gradient."""
    length = linalg_vector_norm(x, 2, (dim,), True)
    known = detach(length)
    return length + (clamp_min(known, eps) - known)


def cosine_composed(x1: Tensor, x2: Tensor, dim: int, eps: float) -> Tensor:
    """The inner product of the vectors over their lengths, each at least eps."""
    common = result_type_of(x1, x2)
    if not is_floating_code(common):
        raise RuntimeError(
            "expected common dtype to be floating point, yet common dtype is " + dtype_name(common)
        )
    # integers have no length
    a = x1 if is_floating_code(x1.scalar_type()) else cast(x1, common)
    b = x2 if is_floating_code(x2.scalar_type()) else cast(x2, common)
    pair = broadcast_pair(a, b)
    x = pair[0] / length_at_least(pair[0], dim, eps)
    y = pair[1] / length_at_least(pair[1], dim, eps)
    return sum_dim(x * y, (dim,), False)


def imag_part(self: Tensor) -> Tensor:
    """The second of each pair of numbers: a view."""
    if not self.is_complex():
        raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")
    return select(view_as_real(self), -1, 1)


def sum_to_shape(self: Tensor, size: "int[]") -> Tensor:
    """The sum over the dimensions that broadcasting to self's shape would have stretched."""
    sizes = self.sizes()
    lead = len(sizes) - len(size)
    fits = lead >= 0
    for k in range(len(size)):
        if fits and size[k] != 1 and size[k] != sizes[k + lead]:
            fits = False
    if not fits:
        raise RuntimeError(
            "size {" + str(list(size)) + "} is not expandable to size {" + str(list(sizes)) + "}."
        )
    if lead > 0 and len(size) == 0:
        return sum(self)
    dims = [k for k in range(len(sizes)) if k < lead or (size[k - lead] == 1 and sizes[k] != 1)]
    result = sum_dim(self, tuple(dims), True) if len(dims) else self
    return view(result, size) if lead > 0 else result


def trigamma(self: Tensor) -> Tensor:
    """Six steps of the recurrence, then the asymptotic series; below one half by reflection."""
    low = self < 0.5
    x = where(low, 1 - self, self)
    total = 1 / (x * x)
    for _ in range(5):
        x = x + 1
        total = total + 1 / (x * x)
    x = x + 1
    inverse = 1 / (x * x)
    series = 1 / 6 - inverse * (1 / 30 - inverse / 42)
    total = total + (1 + 1 / (2 * x) + inverse * series) / x
    s = sin(3.141592653589793 * self)
    return where(low, 9.869604401089358 / (s * s) - total, total)
