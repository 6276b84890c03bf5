"""Derivatives of activation functions, and the composed operators prelu and dropout."""


def elu_double_backward(
    grad: Tensor,
    grad_output: Tensor,
    alpha: Scalar,
    scale: Scalar,
    input_scale: Scalar,
    is_result: bool,
    self_or_result: Tensor,
) -> Tensor:
    """Return the second derivative, which is nonzero on the exponential side only."""
    if is_result:
        slope = grad * grad_output * input_scale
    else:
        slope = (
            grad
            * grad_output
            * (input_scale * input_scale * alpha * scale)
            * exp(self_or_result * input_scale)
        )
    return where(self_or_result < 0, slope, zero_of(slope))


def gelu_double_backward(
    grad: Tensor, grad_output: Tensor, self: Tensor, approximate: str
) -> Tensor:
    """Return the gradient by the second derivative of x * Phi(x): phi(x) * (2 - x*x).

    With approximate="tanh" the approximation itself is differentiated.
    """
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


def silu_gradient(grad: Tensor, self: Tensor) -> Tensor:
    """Multiply by s (1 + x (1 - s)) with s = sigmoid(x); if recording, in differentiable steps."""
    if not records():
        return silu_backward(grad, self)
    s = sigmoid(self)
    return grad * s * (1 + self * (1 - s))


def mish_gradient(grad: Tensor, self: Tensor) -> Tensor:
    """Multiply by t + x sigmoid(x) (1 - t^2) with t = tanh(softplus(x)).

    If recording, the steps are differentiable, as in silu_gradient.
    """
    if not records():
        return mish_backward(grad, self)
    s = sigmoid(self)
    t = tanh(log1p(exp(self)))
    return grad * (t + self * s * (1 - t * t))


def silu_double_backward(grad: Tensor, grad_output: Tensor, self: Tensor) -> Tensor:
    """Multiply by the second derivative of x * sigmoid(x)."""
    s = sigmoid(self)
    return grad * grad_output * s * (1 - s) * (2 + self * (1 - 2 * s))


def mish_double_backward(grad: Tensor, grad_output: Tensor, self: Tensor) -> Tensor:
    """Multiply by the second derivative of x * tanh(softplus(x))."""
    s = sigmoid(self)
    t = tanh(softplus(self, 1, 20))
    q = 1 - t * t
    first = s * q
    second = s * (1 - s) * q - 2 * t * q * s * s
    return grad * grad_output * (2 * first + self * second)


def softplus_double_backward(g: Tensor, self: Tensor, beta: Scalar, threshold: Scalar) -> Tensor:
    """Multiply by beta * s * (1 - s) below the threshold; softplus is linear above it."""
    s = sigmoid(self * beta)
    slope = g * s * (1 - s) * beta
    return where(self * beta >= threshold, zero_of(slope), slope)


def softmax_double_backward(grad: Tensor, grad_output: Tensor, dim: int, output: Tensor) -> Tensor:
    """Differentiate output * (grad_output - sum(output * grad_output)) by output."""
    inner = sum_dim(grad_output * output, (dim,), True)
    return grad_output * grad - sum_dim(output * grad, (dim,), True) * grad_output - inner * grad


def softmax_tangent(self_t: Tensor, result: Tensor, dim: int) -> Tensor:
    """Return the tangent of softmax; for a single number it is recorded, unlike its gradient in a batch."""
    if result.dim() == 0:
        return result * (self_t - result * self_t)
    return _softmax_backward_data(self_t, result, dim, result.scalar_type())


def prelu_composed(self: Tensor, weight: Tensor) -> Tensor:
    """Check the arguments and compute prelu with one slope for all elements or one per channel."""
    if self.scalar_type() != weight.scalar_type():
        raise RuntimeError(
            "prelu: Type promoting not supported. Got "
            + class_name(self.scalar_type())
            + " and "
            + class_name(weight.scalar_type())
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


def prelu_tangent(
    self_t: "Tensor?", self_p: Tensor, weight_t: "Tensor?", weight_p: Tensor
) -> Tensor:
    """Return self_t where x >= 0, and the product rule's tangent elsewhere.

    An operand without a tangent adds no term, so that an infinite self_p does not give nan.
    """
    below = None
    if self_t is None:
        self_t = zeros_like(self_p)
    else:
        below = weight_p * self_t
    if weight_t is not None:
        below = add_to(below, weight_t * self_p)
    return where(self_p >= 0, self_t, below)


def prelu_double_backward(
    grad0: "Tensor?", grad1: "Tensor?", grad_output: Tensor, self: Tensor, weight: Tensor
) -> any:
    """Differentiate _prelu_kernel_backward.

    Its results are g or w g, and 0 or x g, depending on the sign of x.
    """
    positive = self >= 0
    nothing = zeros((), grad_output.scalar_type())
    go = None
    gi = None
    gw = None
    if grad0 is not None:
        gi = zeros_like(grad0)
        go = where(positive, grad0, grad0 * weight)
        gw = where(positive, nothing, grad0 * grad_output)
    if grad1 is not None:
        part = where(positive, nothing, grad1 * self)
        go = part if go is None else go + part
        gi = where(positive, nothing, grad_output * grad1)
    return go, gi, gw


def leaky_relu_backward_tangent(
    grad_output_t: "Tensor?", self: Tensor, negative_slope: Scalar
) -> "Tensor?":
    """Return the tangent, to which that of self adds nothing; None if only self has one."""
    if grad_output_t is None:
        return None
    return leaky_relu_backward(grad_output_t, self, negative_slope, False)


def hardtanh_backward_tangent(
    grad_output_t: "Tensor?", self: Tensor, min_val: Scalar, max_val: Scalar
) -> "Tensor?":
    """Return the tangent of grad_output between the bounds; None if only self has one."""
    if grad_output_t is None:
        return None
    inside = logical_and(self > min_val, self < max_val)
    return where(inside, grad_output_t, zero_of(grad_output_t))


def shrink_backward_tangent(grad_output_t: "Tensor?", self: Tensor, lambd: Scalar) -> "Tensor?":
    """Return the tangent of grad_output outside of [-lambd, lambd]; None if only self has one."""
    if grad_output_t is None:
        return None
    outside = logical_or(self > lambd, self < -lambd)
    return where(outside, grad_output_t, zero_of(grad_output_t))


def glu_tangent(self_t: Tensor, self_p: Tensor, dim: int) -> Tensor:
    """Return the tangent: glu's derivative, whose transpose is the formula for gradients."""
    tell_of(self_t, "aten::glu_jvp")
    return glu_backward_grad_output(self_t, self_p, dim)


def glu_backward_grad_output(grad: Tensor, self: Tensor, dim: int) -> Tensor:
    """Apply the transpose of glu_backward, which is linear in its gradient."""
    size = self.size(dim)
    value = slice(self, dim, 0, size // 2, 1)
    gate = sigmoid(slice(self, dim, size // 2, size, 1))
    along = slice(grad, dim, size // 2, size, 1) * value * gate * (1 - gate)
    return slice(grad, dim, 0, size // 2, 1) * gate + along


def glu_double_backward(grad: Tensor, grad_output: Tensor, self: Tensor, dim: int) -> Tensor:
    """Differentiate grad_output s and grad_output v s(1 - s) by the value v and by the gate.

    Here s is the sigmoid of the gate.
    """
    size = self.size(dim)
    value = slice(self, dim, 0, size // 2, 1)
    gate = sigmoid(slice(self, dim, size // 2, size, 1))
    slope = grad_output * gate * (1 - gate)
    to_gate = slice(grad, dim, size // 2, size, 1)
    curved = slice(grad, dim, 0, size // 2, 1) * slope + to_gate * value * slope * (1 - 2 * gate)
    return cat([to_gate * slope, curved], dim)


def glu_backward_tangent(
    grad_output_t: Tensor, grad_output_p: Tensor, self_t: Tensor, self_p: Tensor, dim: int
) -> Tensor:
    """Return the tangent of glu_backward, which is linear in its gradient.

    The second derivative of glu is symmetric, so its product with `self_t` is the formula for gradients.
    """
    tell_of(self_t, "aten::glu_backward_jvp")
    by_input = glu_double_backward(self_t, grad_output_p, self_p, dim)
    return glu_backward(grad_output_t, self_p, dim) + by_input


def dropout_composed(input: Tensor, p: float, train: bool, feature: bool) -> Tensor:
    """Zero elements (whole channels if `feature`) with probability p, and scale up the rest."""
    if not (p >= 0 and p <= 1):  # true for nan as well
        raise RuntimeError(
            "dropout probability has to be between 0 and 1, but got " + format(p, "g")
        )
    if p == 0 or not train or input.numel() == 0:
        return input
    if p == 1:
        return input * zeros((), input.scalar_type())
    return input * dropout_noise(input, p, feature)
