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
        flat = logical_and(self == 0, real(exponent) >= 0)
    else:
        flat = logical_and(self == 0, exponent >= 0)
    slope = grad * (result * log(self)).conj()
    return where(flat, zeros_like(slope), slope)


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


def elu_double_backward(grad: Tensor, grad_output: Tensor, alpha: Scalar, scale: Scalar, input_scale: Scalar,
                        is_result: bool, self_or_result: Tensor) -> Tensor:
    """On the exponential side only."""
    if is_result:
        slope = grad * grad_output * input_scale
    else:
        slope = grad * grad_output * (input_scale * input_scale * alpha * scale) * exp(self_or_result * input_scale)
    return where(self_or_result < 0, slope, zeros_like(slope))


def gelu_double_backward(grad: Tensor, grad_output: Tensor, self: Tensor, approximate: str) -> Tensor:
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
    shape = sizes[:dim] + sizes[dim + 1:] if dim >= 0 else sizes[:len(sizes) + dim] + sizes[len(sizes) + dim + 1:]
    return [zeros(shape, dtype) if g is None else g for g in grads]


def unbind_backward(grads: "Tensor[]", dim: int) -> Tensor:
    """What unbind took apart, stacked."""
    return stack(grads, dim)


def split_backward(grads: "Tensor?[]", split_size: int, dim: int, sizes: "int[]", dtype: int) -> Tensor:
    """The parts put together again."""
    total = sizes[dim]
    parts = max(1, -(-total // split_size)) if split_size else 1
    split_sizes = tuple([min(split_size, total - k * split_size) if split_size else 0 for k in range(parts)])
    return split_with_sizes_backward(grads, split_sizes, dim, sizes, dtype)


def split_with_sizes_backward(grads: "Tensor?[]", split_sizes: "int[]", dim: int, sizes: "int[]",
                              dtype: int) -> Tensor:
    """The parts put together again, zeros for those without gradient."""
    d = dim if dim >= 0 else dim + len(sizes)
    whole = []
    for k in range(len(split_sizes)):
        shape = sizes[:d] + (split_sizes[k],) + sizes[d + 1:]
        whole.append(zeros(shape, dtype) if grads[k] is None else grads[k])
    return cat(whole, d)


def repeat_backward(grad: Tensor, repeats: "int[]", sizes: "int[]") -> Tensor:
    """Sum over the copies."""
    lead = len(repeats) - len(sizes)
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
