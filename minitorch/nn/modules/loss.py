"""Loss functions as modules."""

import warnings

from minitorch.nn import functional as F
from minitorch.nn._reduction import legacy_get_string
from minitorch.nn.modules.module import Module


class _Loss(Module):
    def __init__(self, size_average=None, reduce=None, reduction="mean"):
        super().__init__()
        if size_average is not None or reduce is not None:
            reduction = legacy_get_string(size_average, reduce)
        self.reduction = reduction


class _WeightedLoss(_Loss):
    def __init__(self, weight=None, size_average=None, reduce=None, reduction="mean"):
        super().__init__(size_average, reduce, reduction)
        self.register_buffer("weight", weight)


class L1Loss(_Loss):
    """Compute the absolute error |input - target|.

    `input` and `target` have the same shape. The result is a scalar, or has their shape if `reduction`
    is "none".

    Parameters
    ----------
    size_average, reduce : bool, optional
        Deprecated; use `reduction`.
    reduction : {"mean", "sum", "none"}, default "mean"
        Return the mean of all elements, their sum, or every element.

    Examples
    --------
    >>> import minitorch as torch
    >>> loss = torch.nn.L1Loss()
    >>> loss(torch.tensor([1.0, 2.0]), torch.tensor([0.0, 4.0]))
    tensor(1.5000)
    """

    def forward(self, input, target):
        return F.l1_loss(input, target, reduction=self.reduction)


class MSELoss(_Loss):
    """Compute the squared error (input - target)**2.

    `input` and `target` have the same shape. The result is a scalar, or has their shape if `reduction`
    is "none".

    Parameters
    ----------
    size_average, reduce : bool, optional
        Deprecated; use `reduction`.
    reduction : {"mean", "sum", "none"}, default "mean"
        Return the mean of all elements, their sum, or every element.

    Examples
    --------
    >>> import minitorch as torch
    >>> loss = torch.nn.MSELoss()
    >>> loss(torch.tensor([1.0, 2.0]), torch.tensor([0.0, 4.0]))
    tensor(2.5000)
    """

    def forward(self, input, target):
        return F.mse_loss(input, target, reduction=self.reduction)


class SmoothL1Loss(_Loss):
    """Compute a loss that is quadratic for errors below `beta` and linear beyond.

    For an error d it is ``d**2 / (2 * beta)`` if ``|d| < beta``, otherwise ``|d| - beta / 2``. `input`
    and `target` have the same shape. The result is a scalar, or has their shape if `reduction` is
    "none".

    Parameters
    ----------
    size_average, reduce : bool, optional
        Deprecated; use `reduction`.
    reduction : {"mean", "sum", "none"}, default "mean"
        Return the mean of all elements, their sum, or every element.
    beta : float, default 1.0
        Must not be negative; 0 gives `L1Loss`.

    Raises
    ------
    RuntimeError
        When the loss is computed and `beta` is negative.

    Examples
    --------
    >>> import minitorch as torch
    >>> loss = torch.nn.SmoothL1Loss(reduction="none")
    >>> loss(torch.tensor([0.5, 3.0]), torch.zeros(2))
    tensor([0.1250, 2.5000])
    """

    def __init__(self, size_average=None, reduce=None, reduction="mean", beta=1.0):
        super().__init__(size_average, reduce, reduction)
        self.beta = beta

    def forward(self, input, target):
        return F.smooth_l1_loss(input, target, reduction=self.reduction, beta=self.beta)


class HuberLoss(_Loss):
    """Compute a loss that is quadratic for errors below `delta` and linear beyond.

    For an error d it is ``d**2 / 2`` if ``|d| < delta``, otherwise ``delta * (|d| - delta / 2)``.
    `input` and `target` have the same shape. The result is a scalar, or has their shape if `reduction`
    is "none".

    Parameters
    ----------
    reduction : {"mean", "sum", "none"}, default "mean"
        Return the mean of all elements, their sum, or every element.
    delta : float, default 1.0
        Must be positive.

    Raises
    ------
    TypeError
        If `delta` is no number.
    RuntimeError
        When the loss is computed and `delta` is not positive.

    References
    ----------
    P. Huber, Robust Estimation of a Location Parameter, 1964.

    Examples
    --------
    >>> import minitorch as torch
    >>> loss = torch.nn.HuberLoss(reduction="none")
    >>> loss(torch.tensor([0.5, 3.0]), torch.zeros(2))
    tensor([0.1250, 2.5000])
    """

    def __init__(self, reduction="mean", delta=1.0):
        if not isinstance(delta, (float, int)):
            raise TypeError(f"delta must be a float or int, got: {type(delta)}")
        super().__init__(reduction=reduction)
        self.delta = delta

    def forward(self, input, target):
        return F.huber_loss(input, target, reduction=self.reduction, delta=self.delta)


class SoftMarginLoss(_Loss):
    """Compute log(1 + exp(-target * input)) for targets of 1 or -1.

    `input` and `target` have the same shape. The result is a scalar, or has their shape if `reduction`
    is "none".

    Parameters
    ----------
    size_average, reduce : bool, optional
        Deprecated; use `reduction`.
    reduction : {"mean", "sum", "none"}, default "mean"
        Return the mean of all elements, their sum, or every element.

    Examples
    --------
    >>> import minitorch as torch
    >>> loss = torch.nn.SoftMarginLoss()
    >>> loss(torch.tensor([2.0, -1.0]), torch.tensor([1.0, -1.0]))
    tensor(0.2201)
    """

    def forward(self, input, target):
        return F.soft_margin_loss(input, target, reduction=self.reduction)


class KLDivLoss(_Loss):
    """Compute the terms target * (log(target) - input) of the Kullback-Leibler divergence.

    `input` holds log-probabilities. `input` and `target` have the same shape. The result is a scalar,
    or has their shape if `reduction` is "none".

    Parameters
    ----------
    size_average, reduce : bool, optional
        Deprecated; use `reduction`.
    reduction : {"mean", "batchmean", "sum", "none"}, default "mean"
        Return the mean of all elements, their sum, or every element.
        "batchmean" divides the sum by the size of the first dimension, which is the divergence.
    log_target : bool, default False
        `target` holds log-probabilities, as `input` always does.

    Examples
    --------
    >>> import minitorch as torch
    >>> loss = torch.nn.KLDivLoss(reduction="batchmean")
    >>> loss(torch.tensor([[0.5, 0.5]]).log(), torch.tensor([[0.25, 0.75]]))
    tensor(0.1308)
    """

    def __init__(self, size_average=None, reduce=None, reduction="mean", log_target=False):
        super().__init__(size_average, reduce, reduction)
        self.log_target = log_target

    def forward(self, input, target):
        return F.kl_div(input, target, reduction=self.reduction, log_target=self.log_target)


class BCELoss(_WeightedLoss):
    """Compute the binary cross entropy of probabilities.

    It is ``-(target * log(input) + (1 - target) * log(1 - input))``; logarithms are clamped to at least
    -100. `input` and `target` have the same shape. The result is a scalar, or has their shape if
    `reduction` is "none".

    Parameters
    ----------
    weight : Tensor, optional
        A factor for each element, of a shape that broadcasts with the input.
    size_average, reduce : bool, optional
        Deprecated; use `reduction`.
    reduction : {"mean", "sum", "none"}, default "mean"
        Return the mean of all elements, their sum, or every element.

    Raises
    ------
    RuntimeError
        When an element of `input` is not between 0 and 1.
    ValueError
        If the shapes of `input` and `target` differ.

    Examples
    --------
    >>> import minitorch as torch
    >>> loss = torch.nn.BCELoss()
    >>> loss(torch.tensor([0.9, 0.2]), torch.tensor([1.0, 0.0]))
    tensor(0.1643)
    """

    def forward(self, input, target):
        return F.binary_cross_entropy(input, target, weight=self.weight, reduction=self.reduction)


class BCEWithLogitsLoss(_Loss):
    """Compute the binary cross entropy of logits, the arguments of a sigmoid.

    It is more accurate than a sigmoid followed by `BCELoss`. `input` and `target` have the same shape.
    The result is a scalar, or has their shape if `reduction` is "none".

    Parameters
    ----------
    weight : Tensor, optional
        A factor for each element, of a shape that broadcasts with the input.
    size_average, reduce : bool, optional
        Deprecated; use `reduction`.
    reduction : {"mean", "sum", "none"}, default "mean"
        Return the mean of all elements, their sum, or every element.
    pos_weight : Tensor, optional
        A factor for the loss of positive targets, one for each class in the last dimension.

    Raises
    ------
    ValueError
        If the shapes of `input` and `target` differ.

    Examples
    --------
    >>> import minitorch as torch
    >>> loss = torch.nn.BCEWithLogitsLoss()
    >>> loss(torch.tensor([2.0, -1.0]), torch.tensor([1.0, 0.0]))
    tensor(0.2201)
    """

    def __init__(
        self, weight=None, size_average=None, reduce=None, reduction="mean", pos_weight=None
    ):
        super().__init__(size_average, reduce, reduction)
        self.register_buffer("weight", weight)
        self.register_buffer("pos_weight", pos_weight)

    def forward(self, input, target):
        return F.binary_cross_entropy_with_logits(
            input, target, self.weight, pos_weight=self.pos_weight, reduction=self.reduction
        )


class NLLLoss(_WeightedLoss):
    """Compute the negative log-likelihood -input[target] of an input of log-probabilities.

    `input` has the shape ``(N, C)``, ``(N, C, d1, ...)`` or ``(C,)``, and `target` holds class indices
    in ``(N,)``, ``(N, d1, ...)`` or ``()``, of dtype int64 or uint8.

    Parameters
    ----------
    weight : Tensor, optional
        A factor for each of the C classes; a mean divides by the sum of the targets' weights.
    size_average, reduce : bool, optional
        Deprecated; use `reduction`.
    ignore_index : int, default -100
        Targets of this class have no loss and no gradient.
    reduction : {"mean", "sum", "none"}, default "mean"
        Return the mean of all elements, their sum, or every element.

    Raises
    ------
    IndexError
        If a target is not a class and not `ignore_index`.
    RuntimeError
        If the dtype of the target is wrong.

    Examples
    --------
    >>> import minitorch as torch
    >>> loss = torch.nn.NLLLoss()
    >>> loss(torch.tensor([[0.25, 0.75]]).log(), torch.tensor([1]))
    tensor(0.2877)
    """

    def __init__(
        self, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"
    ):
        super().__init__(weight, size_average, reduce, reduction)
        self.ignore_index = ignore_index

    def forward(self, input, target):
        return F.nll_loss(
            input,
            target,
            weight=self.weight,
            ignore_index=self.ignore_index,
            reduction=self.reduction,
        )


class NLLLoss2d(NLLLoss):
    """Compute `NLLLoss`, under a deprecated name for images.

    `input` has the shape ``(N, C, H, W)`` and `target` the shape ``(N, H, W)``.

    Parameters
    ----------
    weight : Tensor, optional
        A factor for each of the C classes; a mean divides by the sum of the targets' weights.
    size_average, reduce : bool, optional
        Deprecated; use `reduction`.
    ignore_index : int, default -100
        Targets of this class have no loss and no gradient.
    reduction : {"mean", "sum", "none"}, default "mean"
        Return the mean of all elements, their sum, or every element.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.NLLLoss2d()(torch.ones(1, 2, 1, 1), torch.zeros(1, 1, 1).long())
    tensor(-1.)
    """

    def __init__(
        self, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"
    ):
        warnings.warn(
            "`NLLLoss2d` has been deprecated. Please use `NLLLoss` instead as a drop-in replacement and see "
            "https://pytorch.org/docs/main/nn.html#torch.nn.NLLLoss for more details.",
            FutureWarning,
            stacklevel=2,
        )
        super().__init__(weight, size_average, ignore_index, reduce, reduction)


class CrossEntropyLoss(_WeightedLoss):
    """Compute the cross entropy of the softmax of logits and a target.

    `input` has the shape ``(N, C)``, ``(N, C, d1, ...)`` or ``(C,)``, and `target` holds class indices
    in ``(N,)``, ``(N, d1, ...)`` or ``()``, of dtype int64 or uint8. A floating-point `target` of the
    shape of `input` holds a probability for each class instead.

    Parameters
    ----------
    weight : Tensor, optional
        A factor for each of the C classes; a mean divides by the sum of the targets' weights.
    size_average, reduce : bool, optional
        Deprecated; use `reduction`.
    ignore_index : int, default -100
        Targets of this class have no loss and no gradient.
    reduction : {"mean", "sum", "none"}, default "mean"
        Return the mean of all elements, their sum, or every element.
    label_smoothing : float, default 0.0
        The share of each target's probability that is spread evenly over all classes.

    Raises
    ------
    IndexError
        If a target is not a class and not `ignore_index`.
    RuntimeError
        If a dtype or shape of the target is wrong.

    Examples
    --------
    >>> import minitorch as torch
    >>> loss = torch.nn.CrossEntropyLoss()
    >>> loss(torch.tensor([[2.0, 0.0, 0.0]]), torch.tensor([0]))
    tensor(0.2395)
    >>> loss(torch.tensor([[2.0, 0.0, 0.0]]), torch.tensor([[0.5, 0.5, 0.0]]))
    tensor(1.2395)
    """

    def __init__(
        self,
        weight=None,
        size_average=None,
        ignore_index=-100,
        reduce=None,
        reduction="mean",
        label_smoothing=0.0,
    ):
        super().__init__(weight, size_average, reduce, reduction)
        self.ignore_index = ignore_index
        self.label_smoothing = label_smoothing

    def forward(self, input, target):
        return F.cross_entropy(
            input,
            target,
            weight=self.weight,
            ignore_index=self.ignore_index,
            reduction=self.reduction,
            label_smoothing=self.label_smoothing,
        )
