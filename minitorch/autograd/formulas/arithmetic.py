"""Derivatives of arithmetic and of functions of one tensor."""


def maybe_multiply(t: Tensor, s: Scalar) -> Tensor:
    """t * s, without the multiplication by one."""
    return t if s == 1 else t * s


def none() -> "Tensor?":
    """No gradient, of what only decides whether another result is wanted."""
    return None


def multiplied(t: Tensor, s: Scalar) -> Tensor:
    """t * s; who looks at the operators sees the multiplication by one too."""
    return t if s == 1 and unseen(t) else t * s


def not_implemented_derivative(name: str) -> Tensor:
    """An operator PyTorch does not differentiate either."""
    raise RuntimeError("derivative for aten::" + name + " is not implemented")


def not_implemented(name: str) -> Tensor:
    """The same, of operators that PyTorch's own table lists so."""
    raise NotImplementedError("the derivative for '" + name + "' is not implemented.")


def raised(message: str, missing: bool) -> Tensor:
    """An error in the place of a second derivative."""
    if missing:
        raise NotImplementedError(message)
    raise RuntimeError(message)


def refused_if_derived(grad: Tensor, self: Tensor, message: str) -> Tensor:
    """The gradient, which has no derivative."""
    return _delayed_error(grad, self, message, False)


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


def div_tangent(
    self_t: "Tensor?", other_t: "Tensor?", other: Tensor, result: Tensor, rounding_mode: "str?"
) -> Tensor:
    """(da - db (a/b)) / b; rounded division is flat."""
    if rounding_mode is not None:
        return zeros_like(result)
    if other_t is None:
        return self_t / other
    change = other_t * result
    if self_t is None:
        return -change / other
    return (self_t - change) / other


def pow_backward(grad: Tensor, self: Tensor, exponent: Scalar) -> Tensor:
    """A number as exponent: x**0 is flat, also where x is 0."""
    if exponent == 0:
        return zeros_like(grad)
    power = exponent if isinstance(exponent, complex) else float(exponent)
    return grad * (power * pow_scalar(self, power - 1)).conj()


def pow_backward_self(grad: Tensor, self: Tensor, exponent: Tensor) -> Tensor:
    """As pow_backward, where each exponent may be 0."""
    slope = grad * (exponent * pow(self, exponent - 1)).conj()
    return where(exponent == 0.0, zero_of(slope, 0.0), slope)


def pow_backward_exponent(grad: Tensor, self: Tensor, exponent: Tensor, result: Tensor) -> Tensor:
    """x**y * log(x), and 0 where x is 0 and y does not fall below 0."""
    rising = not_falling(exponent)
    flat = logical_and(self == 0, rising)
    # the logarithm of a negative number is complex where the power is
    base = self if self.scalar_type() == result.scalar_type() else cast(self, result.scalar_type())
    slope = (result * log(base)).conj()
    return grad * where(flat, zero_of(slope, 0.0), slope)


def not_falling(exponent: Tensor) -> Tensor:
    """Return where the exponent is a real number from 0 on."""
    if exponent.is_complex():
        rising = real(exponent) >= 0
        return logical_and(imag(exponent) == 0, rising)
    return exponent >= 0


def pow_number_backward(grad: Tensor, base: Scalar, exponent: Tensor, result: Tensor) -> Tensor:
    """base**y * log(base), and 0 where the base is 0 and y does not fall below 0."""
    if base == 0:
        slope = (result * log_of(base)).conj()
        return grad * where(not_falling(exponent), zero_of(slope), slope)
    if exponent.is_complex():
        return grad * (result * log_of(base + 0j)).conj()
    return grad * (result * log_of(base)).conj()


def share_of_extremum(grad: Tensor, self: Tensor, other: Tensor, below: bool) -> Tensor:
    """All to the extreme operand, half to each of equal ones; both have it all where one is nan."""
    shared = where(self == other, grad / 2, grad)
    loses = self < other if below else self > other
    return masked_fill_(shared, loses, 0)


def extremum_tangent(self_t: Tensor, other_t: Tensor, wins: Tensor, ties: Tensor) -> Tensor:
    """Of the extreme operand, the mean of equal ones."""
    return where(ties, (self_t + other_t) / 2, where(wins, self_t, other_t))


def tangent_of_chosen(self_t: Tensor, other_t: Tensor, first: Tensor) -> Tensor:
    """Of the first operand where `first`; a nan of either is passed on all the same."""
    return other_t + first * (self_t - other_t)


def atan2_backward(grad: Tensor, self: Tensor, other: Tensor, output_mask: "int[]") -> any:
    """The other over the sum of the squares, which counts as flat at the origin, and minus this one."""
    square = self * self + other * other
    inverse = masked_fill(reciprocal(square), square == 0, 0)
    grad_self = grad * other * inverse if output_mask[0] else None
    return (grad_self, grad * -self * inverse if output_mask[1] else None)


def copysign_backward(grad: Tensor, self: Tensor, result: Tensor) -> Tensor:
    """The sign that was given, 0 at 0."""
    sign = result / self
    return grad * masked_fill_(sign, self == 0, 0)


def copysign_tangent(self_t: "Tensor?", self: Tensor, result: Tensor) -> "Tensor?":
    """None for the tangent of the sign."""
    return None if self_t is None else copysign_backward(self_t, self, result)


def nextafter_tangent(self_t: "Tensor?", self: Tensor, other: Tensor) -> "Tensor?":
    """The step is flat, and none for the tangent of where it leads."""
    return None if self_t is None else masked_fill(self_t, self == other, 0)


def xlogy_backward(grad: Tensor, self: Tensor, other: Tensor) -> Tensor:
    """log(y), and 0 where x is 0 and the logarithm is none."""
    product = xlogy(grad, other)
    if other.is_number():
        return product if other.item() > 0 else masked_fill(product, self == 0.0, 0.0)
    outside = other <= 0.0
    return masked_fill(product, bitwise_and(self == 0.0, outside), 0.0)


def xlog1py_backward(grad: Tensor, self: Tensor, other: Tensor) -> Tensor:
    """The same of log(1 + y)."""
    product = special_xlog1py(grad, other)
    if other.is_number():
        return product if other.item() > -1 else masked_fill(product, self == 0.0, 0.0)
    outside = other <= -1.0
    return masked_fill(product, bitwise_and(self == 0.0, outside), 0.0)


def clamp_backward(grad: Tensor, self: Tensor, min: "Scalar?", max: "Scalar?") -> Tensor:
    """1 inside the bounds, which belong to the inside."""
    if min is not None and max is not None:
        return where(logical_and_(self >= min, self <= max), grad, zero_of(grad, 0.0))
    if min is not None:
        return where(self >= min, grad, zero_of(grad, 0.0))
    if max is not None:
        return where(self <= max, grad, zero_of(grad, 0.0))
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


def clamp_tangent(
    self: Tensor,
    self_t: Tensor,
    min: "Tensor?",
    min_t: "Tensor?",
    max: "Tensor?",
    max_t: "Tensor?",
) -> Tensor:
    """That of what is the result; a bound is, where it is met."""
    if max is None:
        return where(self > min, self_t, min_t)
    if min is None:
        return where(self < max, self_t, max_t)
    inside = where(self < min, min_t, where(self > max, max_t, self_t))
    return where(min > max, max_t, inside)


def sgn_backward(grad: Tensor, self: Tensor, sgn: Tensor) -> Tensor:
    """sgn(z) = z/|z| turns with z and does not grow with it; flat for real numbers."""
    if not self.is_complex():
        return zeros_like(grad)
    length = abs(self)
    turned = (grad - sgn * sgn * grad.conj()) / (length * 2)
    return masked_fill_(turned, length == 0, 0)


def angle_backward(grad: Tensor, self: Tensor) -> Tensor:
    """The angle is flat for real numbers."""
    if not self.is_complex():
        return zeros_like(grad)
    square = pow_scalar(abs(self), 2)
    turned = grad * self / square * 1j
    return where(self == 0, zeros((), turned.scalar_type()), turned)


def angle_tangent(self_t: Tensor, self: Tensor) -> Tensor:
    """The backward formula, transposed."""
    turned = angle_backward(self_t.conj(), self)
    return real(turned) if self.is_complex() else turned


def imag_part(self: Tensor) -> Tensor:
    """The second of each pair of numbers: a view."""
    if not self.is_complex():
        raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")
    if self.is_conj():
        return _neg_view(select(view_as_real(conj(self)), len(self.sizes()), 1))
    return select(view_as_real(self), len(self.sizes()), 1)


def itself(self: Tensor) -> Tensor:
    """What the `+` before a tensor does."""
    if self.scalar_type() == Bool:
        raise RuntimeError("The `+` operator, on a bool tensor is not supported.")
    return self


def real_part(self: Tensor) -> Tensor:
    """The first of each pair of numbers: a view."""
    if not self.is_complex():
        return self
    if self.is_conj():
        return select(view_as_real(conj(self)), len(self.sizes()), 0)
    return select(view_as_real(self), len(self.sizes()), 0)


def isfinite_composed(self: Tensor) -> Tensor:
    """PyTorch composes it of operators that are recorded."""
    check_history(self)
    return _isfinite(self)
