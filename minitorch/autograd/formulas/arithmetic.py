"""Derivatives of arithmetic and of functions of one tensor."""


def maybe_multiply(t: Tensor, s: Scalar) -> Tensor:
    """Return t * s, skipping the multiplication by one."""
    return t if s == 1 else t * s


def none() -> "Tensor?":
    """Return no gradient, for an argument that only decides whether another result is needed."""
    return None


def multiplied(t: Tensor, s: Scalar) -> Tensor:
    """Return t * s, skipping the multiplication by one only if no mode or subclass would see it."""
    return t if s == 1 and unseen(t) else t * s


def not_implemented_derivative(name: str) -> Tensor:
    """Raise an error for an operator that PyTorch does not differentiate either."""
    raise RuntimeError("derivative for aten::" + name + " is not implemented")


def not_implemented(name: str) -> Tensor:
    """Raise NotImplementedError for an operator that PyTorch's table marks as not implemented."""
    raise NotImplementedError("the derivative for '" + name + "' is not implemented.")


def raised(message: str, missing: bool) -> Tensor:
    """Raise an error instead of computing a second derivative."""
    if missing:
        raise NotImplementedError(message)
    raise RuntimeError(message)


def refused_if_derived(grad: Tensor, self: Tensor, message: str) -> Tensor:
    """Return the gradient, whose own derivative raises an error."""
    return _delayed_error(grad, self, message, False)


def div_backward_self(grad: Tensor, other: Tensor, rounding_mode: "str?") -> Tensor:
    """Return the gradient of the numerator; 0 for rounded division, which is piecewise constant."""
    if rounding_mode is not None:
        return zeros_like(grad)
    return grad / other.conj()


def div_backward_other(grad: Tensor, self: Tensor, other: Tensor, rounding_mode: "str?") -> Tensor:
    """Return the gradient of the divisor: d(a/b)/db = -(a/b)/b."""
    if rounding_mode is not None:
        return zeros_like(grad)
    return -grad * (self / other / other).conj()


def div_tangent(
    self_t: "Tensor?", other_t: "Tensor?", other: Tensor, result: Tensor, rounding_mode: "str?"
) -> Tensor:
    """Return (da - db (a/b)) / b; 0 for rounded division, which is piecewise constant."""
    if rounding_mode is not None:
        return zeros_like(result)
    if other_t is None:
        return self_t / other
    change = other_t * result
    if self_t is None:
        return change / -other
    return (self_t - change) / other


def pow_backward(grad: Tensor, self: Tensor, exponent: Scalar) -> Tensor:
    """Return the gradient of x**number; x**0 is constant, also at x = 0."""
    if exponent == 0:
        return zeros_like(grad)
    power = exponent if isinstance(exponent, complex) else float(exponent)
    return grad * (power * pow_scalar(self, power - 1)).conj()


def pow_backward_self(grad: Tensor, self: Tensor, exponent: Tensor) -> Tensor:
    """Return the gradient of the base for a tensor of exponents; 0 where the exponent is 0."""
    slope = grad * (exponent * pow(self, exponent - 1)).conj()
    return where(exponent == 0.0, zero_of(slope, 0.0), slope)


def pow_backward_exponent(grad: Tensor, self: Tensor, exponent: Tensor, result: Tensor) -> Tensor:
    """Return the gradient x**y * log(x), and 0 where x is 0 and y is real and >= 0."""
    rising = not_falling(exponent)
    flat = logical_and(self == 0, rising)
    # the result may be complex for a negative base, and then the logarithm has to be complex as
    # well
    base = self if self.scalar_type() == result.scalar_type() else cast(self, result.scalar_type())
    slope = (result * log(base)).conj()
    return grad * where(flat, zero_of(slope, 0.0), slope)


def not_falling(exponent: Tensor) -> Tensor:
    """Return where the exponent is real and not negative."""
    if exponent.is_complex():
        rising = real(exponent) >= 0
        return logical_and(imag(exponent) == 0, rising)
    return exponent >= 0


def pow_number_backward(grad: Tensor, base: Scalar, exponent: Tensor, result: Tensor) -> Tensor:
    """Return the gradient base**y * log(base), and 0 where the base is 0 and y is real and >= 0."""
    if base == 0:
        slope = (result * log_of(base)).conj()
        return grad * where(not_falling(exponent), zero_of(slope), slope)
    if exponent.is_complex():
        return grad * (result * log_of(base + 0j)).conj()
    return grad * (result * log_of(base)).conj()


def share_of_extremum(grad: Tensor, self: Tensor, other: Tensor, below: bool) -> Tensor:
    """Give the gradient to the extreme operand, and half of it to each of two equal ones.

    If one of them is nan, both get all of it.
    """
    shared = where(self == other, grad / 2, grad)
    loses = self < other if below else self > other
    return masked_fill_(shared, loses, 0)


def extremum_tangent(self_t: Tensor, other_t: Tensor, wins: Tensor, ties: Tensor) -> Tensor:
    """Return the tangent of the extreme operand, the mean of both where they are equal; nan of either one is kept."""
    ahead = self_t - other_t
    return other_t + where(ties, ahead / 2, wins * ahead)


def tangent_of_chosen(self_t: Tensor, other_t: Tensor, first: Tensor) -> Tensor:
    """Return the tangent of the first operand where `first` is set; nan of either one is kept."""
    return other_t + first * (self_t - other_t)


def atan2_backward(grad: Tensor, self: Tensor, other: Tensor, output_mask: "int[]") -> any:
    """Return the gradients y / (x^2 + y^2) and -x / (x^2 + y^2) of atan2(x, y); 0 at the origin."""
    square = self * self + other * other
    inverse = masked_fill(reciprocal(square), square == 0, 0)
    grad_self = grad * other * inverse if output_mask[0] else None
    return (grad_self, grad * -self * inverse if output_mask[1] else None)


def copysign_backward(grad: Tensor, self: Tensor, result: Tensor) -> Tensor:
    """Multiply by the sign that copysign has applied, and by 0 at 0."""
    sign = result / self
    return grad * masked_fill_(sign, self == 0, 0)


def copysign_tangent(self_t: "Tensor?", self: Tensor, result: Tensor) -> "Tensor?":
    """Return the tangent of self with the sign change; None if only the sign has a tangent."""
    return None if self_t is None else copysign_backward(self_t, self, result)


def nextafter_tangent(self_t: "Tensor?", self: Tensor, other: Tensor) -> "Tensor?":
    """Return the tangent of self, 0 where self equals other; None if only other has a tangent."""
    return None if self_t is None else masked_fill(self_t, self == other, 0)


def xlogy_backward(grad: Tensor, self: Tensor, other: Tensor) -> Tensor:
    """Multiply by log(y); the result is 0 where x is 0 and the logarithm is not finite."""
    product = xlogy(grad, other)
    if other.is_number():
        return product if other.item() > 0 else masked_fill(product, self == 0.0, 0.0)
    outside = other <= 0.0
    return masked_fill(product, bitwise_and(self == 0.0, outside), 0.0)


def xlog1py_backward(grad: Tensor, self: Tensor, other: Tensor) -> Tensor:
    """Multiply by log(1 + y); the result is 0 where x is 0 and the logarithm is not finite."""
    product = special_xlog1py(grad, other)
    if other.is_number():
        return product if other.item() > -1 else masked_fill(product, self == 0.0, 0.0)
    outside = other <= -1.0
    return masked_fill(product, bitwise_and(self == 0.0, outside), 0.0)


def clamp_backward(grad: Tensor, self: Tensor, min: "Scalar?", max: "Scalar?") -> Tensor:
    """Return the gradient inside the bounds, including the bounds themselves, and 0 outside."""
    if min is not None and max is not None:
        return where(logical_and_(self >= min, self <= max), grad, zero_of(grad, 0.0))
    if min is not None:
        return where(self >= min, grad, zero_of(grad, 0.0))
    if max is not None:
        return where(self <= max, grad, zero_of(grad, 0.0))
    return grad


def clamp_mask(self: Tensor, min: "Tensor?", max: "Tensor?") -> Tensor:
    """Return where the result is self."""
    if min is None:
        return self <= max
    if max is None:
        return self >= min
    return logical_and(self >= min, self <= max)


def clamp_min_mask(self: Tensor, min: "Tensor?", max: "Tensor?") -> Tensor:
    """Return where the result is the lower bound; the upper one wins if they cross."""
    if max is None:
        return self < min
    return logical_and(self < min, min < max)


def clamp_max_mask(self: Tensor, min: "Tensor?", max: "Tensor?") -> Tensor:
    """Return where the result is the upper bound."""
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
    """Return the tangent of self, or of a bound where the bound is the result.

    Where self equals a single bound, the bound counts as the result.
    """
    if max is None:
        return where(self > min, self_t, min_t)
    if min is None:
        return where(self < max, self_t, max_t)
    inside = where(self < min, min_t, where(self > max, max_t, self_t))
    return where(min > max, max_t, inside)


def sgn_backward(grad: Tensor, self: Tensor, sgn: Tensor) -> Tensor:
    """Return the gradient of z/|z|; 0 for real numbers, whatever follows."""
    if not self.is_complex():
        return known_zeros(grad, sgn)
    return perpendicular(grad, self, sgn)


def sgn_tangent(self_t: Tensor, self: Tensor, sgn: Tensor) -> Tensor:
    """Return the tangent of z/|z|; 0 for real numbers."""
    if not self.is_complex():
        return zeros_like(self_t)
    return perpendicular(self_t, self, sgn)


def perpendicular(grad: Tensor, self: Tensor, sgn: Tensor) -> Tensor:
    """Return the part of `grad` perpendicular to z, divided by |z|; `sgn` is z/|z|."""
    length = abs(self)
    turned = (grad - sgn * sgn * grad.conj()) / (length * 2)
    return masked_fill_(turned, length == 0, 0)


def angle_backward(grad: Tensor, self: Tensor) -> Tensor:
    """Return the gradient of the angle, which is 0 for real numbers."""
    if not self.is_complex():
        return zeros_like(grad)
    square = pow_scalar(abs(self), 2)
    turned = grad * self / square * 1j
    return where(self == 0, zeros((), turned.scalar_type()), turned)


def angle_tangent(self_t: Tensor, self: Tensor) -> Tensor:
    """Apply the transpose of angle_backward."""
    turned = angle_backward(self_t.conj(), self)
    return real(turned) if self.is_complex() else turned


def imag_part(self: Tensor) -> Tensor:
    """Return a view of the imaginary parts."""
    if not self.is_complex():
        raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")
    if self.is_conj():
        return _neg_view(select(view_as_real(conj(self)), len(self.sizes()), 1))
    return select(view_as_real(self), len(self.sizes()), 1)


def itself(self: Tensor) -> Tensor:
    """Return the tensor itself, as unary `+` does."""
    if self.scalar_type() == Bool:
        raise RuntimeError("The `+` operator, on a bool tensor is not supported.")
    return self


def real_part(self: Tensor) -> Tensor:
    """Return a view of the real parts; a real tensor is returned itself."""
    if not self.is_complex():
        return self
    if self.is_conj():
        return select(view_as_real(conj(self)), len(self.sizes()), 0)
    return select(view_as_real(self), len(self.sizes()), 0)


def isfinite_composed(self: Tensor) -> Tensor:
    """Check the history first, because PyTorch composes isfinite of recorded operators."""
    check_history(self)
    return _isfinite(self)
