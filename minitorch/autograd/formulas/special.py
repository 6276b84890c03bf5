"""Derivatives of special functions."""


def refuse_16_bits(self: Tensor, name: str) -> None:
    """Raise an error for 16-bit dtypes, for which PyTorch has no formula."""
    kind = class_name(self.scalar_type())
    if kind == "BFloat16" or kind == "Half":
        raise NotImplementedError('"' + name + "\" not implemented for '" + kind + "'")


def slope_of_i1(self: Tensor, result: Tensor) -> Tensor:
    """Return I0(x) - I1(x) / x, and one half at 0."""
    refuse_16_bits(self, "i1_backward")
    steep = abs(self) > 2.220446049250313e-16
    safe = where(steep, self, 2.220446049250313e-16)
    tail = result * reciprocal(safe)
    return where(steep, i0(safe) - tail, 0.5)


def slope_of_i1e(self: Tensor, result: Tensor) -> Tensor:
    """Return the derivative of exp(-|x|) I1(x), and one half at 0."""
    refuse_16_bits(self, "i1e_backward")
    steep = abs(self) > 2.220446049250313e-16
    safe = where(steep, self, 2.220446049250313e-16)
    tail = result * (sgn(safe) + reciprocal(safe))
    return where(steep, special_i0e(safe) - tail, 0.5)


def logit_gradient(grad: Tensor, self: Tensor, eps: "float?") -> Tensor:
    """Multiply by 1 / (x (1 - x)); the result is 0 outside of [eps, 1 - eps], nan without eps."""
    if not records():
        return logit_backward(grad, self, eps)
    bounded = eps is not None and eps >= 0
    low = eps if bounded else 0
    dtype = self.scalar_type()
    rest = zeros((), dtype) if bounded else fill_(empty((), dtype), float("nan"))
    slope = grad / (self * (1 - self))
    below = self <= 1 - low
    return where(logical_and(self >= low, below), slope, rest)


def sinc_backward(grad: Tensor, self: Tensor) -> Tensor:
    """Multiply by (cos(pi x) - sinc(x)) / x, and by 0 at 0."""
    turned = self * 3.141592653589793
    square = self * self * 3.141592653589793
    slope = grad * ((turned * cos(turned) - sin(turned)) / square).conj()
    return where(square == 0, zero_of(slope), slope)


def mvlgamma_backward(grad: Tensor, self: Tensor, p: int) -> Tensor:
    """Multiply by the sum of digamma(x - j/2)."""
    halves = arange(-float(p) / 2 + 0.5, 0.5, 0.5, self.scalar_type())
    return grad * sum_dim(digamma_(halves + unsqueeze(self, -1)), (-1,), False)


def reversed_logcumsumexp(self: Tensor, dim: int) -> Tensor:
    """Compute logcumsumexp from the other end."""
    return flip(logcumsumexp(flip(self, (dim,)), dim), (dim,))


def logcumsumexp_tangent(self_t: Tensor, self: Tensor, dim: int) -> Tensor:
    """Return the sum of t_k exp(x_k) over k up to x's place, divided by the sum of exp(x_k)."""
    if self.dim() == 0 or self.numel() == 0:
        return self_t
    size = real(self) if self.is_complex() else self
    weight = exp(self - amax(size, (dim,), True))
    # the constant avoids a division by 0: the sum may vanish beside the largest number
    return cumsum(weight * self_t, dim) / (cumsum(weight, dim) + 1e-13)


def logcumsumexp_backward(grad: Tensor, self: Tensor, result: Tensor, dim: int) -> Tensor:
    """Return the sum of grad_k exp(x - result_k) over k from x's place on.

    It is computed in logarithms, separately for positive and negative gradients.
    """
    if self.dim() == 0 or self.numel() == 0:
        return grad
    # used as the logarithm of 0; 5 is float16
    lowest = -65504.0 if self.scalar_type() == 5 else -3.38e38
    if self.is_complex():
        sums = masked_fill(log(grad), grad == 0, lowest)
        sums = reversed_logcumsumexp(sums - result.conj(), dim)
        return exp(sums + self.conj())
    size = log(abs(grad))
    rising = where(grad > 0, size, lowest)
    falling = where(grad < 0, size, lowest)
    rising = exp(reversed_logcumsumexp(rising - result, dim) + self)
    return rising - exp(reversed_logcumsumexp(falling - result, dim) + self)
