"""Losses with the checks of the user-facing functions, and their derivatives."""


def loss_scale(grad: Tensor, numel: int, reduction: int) -> Tensor:
    """Return the gradient of one element's loss."""
    return grad / numel if reduction == 1 else grad


def mean_of_losses(terms: Tensor, numel: int, reduction: int) -> Tensor:
    """Divide by numel if the reduction is the mean; in place, so `terms` must be new."""
    return _div_scalar_(terms, numel) if reduction == 1 else terms


def weighted_losses(terms: Tensor, weight: "Tensor?", writes: bool) -> Tensor:
    """Return the terms times the weights; in place if `writes`, when `terms` must be new."""
    if weight is None:
        return terms
    return mul_(terms, weight) if writes and weight.is_plain() else terms * weight


def reduce_loss(loss: Tensor, reduction: int) -> Tensor:
    """Reduce the losses: 0 leaves them, 1 is the mean, 2 the sum."""
    if reduction == 1:
        return mean(loss)
    if reduction == 2:
        return sum(loss)
    return loss


def smooth_l1_double_backward(
    grad: Tensor, self: Tensor, target: Tensor, reduction: int, beta: float
) -> Tensor:
    """Multiply by the second derivative, 1 / beta near zero."""
    if beta == 0:
        return zeros_like(grad)
    near = abs(self - target) < beta
    return loss_scale(grad * near / beta, self.numel(), reduction)


def huber_double_backward(
    grad: Tensor, self: Tensor, target: Tensor, reduction: int, delta: float
) -> Tensor:
    """Multiply by the second derivative, 1 near zero."""
    return loss_scale(grad * (abs(self - target) < delta), self.numel(), reduction)


def soft_margin_double_backward(
    grad: Tensor, self: Tensor, target: Tensor, reduction: int
) -> Tensor:
    """Multiply by y^2 s (1 - s), where s = sigmoid(-y x)."""
    share = sigmoid(-target * self)
    slope = target * target * share * (1 - share)
    return loss_scale(grad * slope, self.numel(), reduction)


def bce_double_backward(
    grad: Tensor, self: Tensor, target: Tensor, weight: "Tensor?", reduction: int
) -> Tensor:
    """Multiply by (p^2 - 2 p t + t) / (p (1 - p))^2, kept finite at 0 and 1."""
    scale = (self + 1e-12) * (1 - self + 1e-12)
    slope = (self * self - 2 * self * target + target) / (scale * scale)
    if weight is not None:
        slope = slope * weight
    return loss_scale(grad * slope, self.numel(), reduction)


def bce_double_backward_target(
    grad: Tensor, self: Tensor, numel: int, weight: "Tensor?", reduction: int
) -> Tensor:
    """Multiply by -1 / (p (1 - p)), kept finite at 0 and 1."""
    slope = -grad / clamp_min((1 - self) * self, 1e-12)
    if weight is not None:
        slope = slope * weight
    return loss_scale(slope, numel, reduction)


def bce_target_backward(grad: Tensor, self: Tensor, weight: "Tensor?", reduction: int) -> Tensor:
    """Multiply by log(1 - p) - log(p)."""
    terms = weighted_losses(neg_(logit(self)) * grad, weight, True)
    return mean_of_losses(terms, self.numel(), reduction)


def kl_div_composed(self: Tensor, target: Tensor, reduction: int, log_target: bool) -> Tensor:
    """Return the divergence t (log t - x), reduced."""
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
    """Multiply by sigmoid(x) - t, with the positive part weighted by pos_weight."""
    if unseen(grad, self, target):
        return binary_cross_entropy_with_logits_backward(
            grad, self, target, weight, pos_weight, reduction
        )
    if pos_weight is not None:
        weighted = pos_weight * target
        both = weighted + 1 - target
        slope = both * sigmoid(self) - weighted
    else:
        slope = sigmoid(self) - target
    terms = weighted_losses(slope * grad, weight, not records())
    return mean_of_losses(terms, self.numel(), reduction)


def bce_logits_target_backward(
    grad: Tensor, self: Tensor, weight: "Tensor?", pos_weight: "Tensor?", reduction: int
) -> Tensor:
    """Multiply by -x, or with pos_weight by log sigmoid(-x) - pos_weight log sigmoid(x)."""
    if pos_weight is not None:
        negative = log_sigmoid(-self)
        slope = negative - pos_weight * log_sigmoid(self)
    else:
        slope = -self
    terms = weighted_losses(slope * grad, weight, not records())
    return mean_of_losses(terms, self.numel(), reduction)


def nll_loss_of(
    grad: Tensor, target: Tensor, weight: "Tensor?", reduction: int, ignore_index: int
) -> Tensor:
    """Apply nll_loss to the tangent or gradient, as it is linear in its input."""
    return nll_loss_forward(grad, target, weight, reduction, ignore_index)[0]


def nll_loss2d_of(
    grad: Tensor, target: Tensor, weight: "Tensor?", reduction: int, ignore_index: int
) -> Tensor:
    """Apply nll_loss2d to the tangent or gradient, as it is linear in its input."""
    return nll_loss2d_forward(grad, target, weight, reduction, ignore_index)[0]


def nll_loss_composed(
    self: Tensor, target: Tensor, weight: "Tensor?", reduction: int, ignore_index: int
) -> Tensor:
    """Compute nll_loss for any number of dimensions.

    The classes are in dimension 1, or in dimension 0 for a single example.
    """
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
    """Compute the cross entropy; targets of the input's shape are probabilities, others classes."""
    d = 0 if self.dim() == 1 else 1
    if self.sizes() == target.sizes():
        if not is_floating_code(target.scalar_type()):
            raise RuntimeError(
                "Expected floating point type for target with class probabilities, got "
                + class_name(target.scalar_type())
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
    """Return the weight of each class, viewed along the dimension of the classes."""
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
    """Return -sum(target * log_softmax(input))."""
    if self.dim() == 0:
        raise IndexError("Dimension specified as 1 but tensor has no dimensions")
    n = self.size(d)
    if label_smoothing > 0:
        if label_smoothing > 1:
            raise RuntimeError(
                "label_smoothing must be between 0.0 and 1.0. Got: " + format(label_smoothing, "g")
            )
        share = label_smoothing / n if n > 0 else 0.0
        target = _add_scalar(_mul_scalar(target, 1 - label_smoothing), share)
    if weight is not None:
        each = class_weights(self, weight, d)
        terms = _log_softmax(self, d, False) * target * each
    else:
        terms = _log_softmax(self, d, False) * target
    if reduction == 1:
        if self.numel() == 0:
            return -fill_(sum(terms), float("nan"))
        return _div_scalar(-sum(terms), self.numel() // n)
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
    """Return the cross entropy with part of the weight spread over all classes."""
    input = _log_softmax(self, d, False)
    sharp = nll_loss_composed(input, target, weight, reduction, ignore_index)
    ignored = target == ignore_index
    terms = input
    if weight is not None:
        terms = input * class_weights(self, weight, d)
    smooth = masked_fill_(-sum_dim(terms, (d,), False), ignored, 0)
    if reduction == 1:
        if weight is not None:
            chosen = reshape(masked_select(target, logical_not(ignored)), (-1,))
            smooth = sum(smooth) / sum(gather(weight, 0, chosen))
        else:
            smooth = sum(smooth) / sum(logical_not(ignored))
    elif reduction == 2:
        smooth = sum(smooth)
    return _mul_scalar(sharp, 1 - label_smoothing) + _mul_scalar(
        smooth, label_smoothing / self.size(d)
    )


def broadcast_pair(a: Tensor, b: Tensor) -> any:
    """Return both tensors expanded to their common size."""
    if a.sizes() == b.sizes():
        return a, b
    sizes = broadcast_sizes(a.sizes(), b.sizes())
    last = expand(b, sizes)
    return expand(a, sizes), last


def cosine_composed(x1: Tensor, x2: Tensor, dim: int, eps: float) -> Tensor:
    """Return the inner product of the vectors divided by their lengths, each at least eps."""
    common = result_type_of(x1, x2)
    if not is_floating_code(common):
        raise RuntimeError(
            "expected common dtype to be floating point, yet common dtype is " + class_name(common)
        )
    # norms are not defined for integers
    a = x1 if is_floating_code(x1.scalar_type()) else cast(x1, common)
    b = x2 if is_floating_code(x2.scalar_type()) else cast(x2, common)
    pair = broadcast_pair(a, b)
    length = clone(linalg_vector_norm(pair[0], 2, (dim,), True))
    other = clone(linalg_vector_norm(pair[1], 2, (dim,), True))
    recording = stop_recording()  # the lower limit does not take part in the gradient
    try:
        least = zero_of(length, eps)
        clamp_min_tensor_(length, least)
        clamp_min_tensor_(other, least)
    finally:
        resume_recording(recording)
    y = pair[1] / other
    x = pair[0] / length
    return sum_dim(x * y, (dim,), False)
