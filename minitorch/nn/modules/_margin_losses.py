"""Losses of pairs, triplets and labels, as modules.

Their arguments are those of the functions they call.
"""

import math

from minitorch.nn import functional as F
from minitorch.nn.modules.linear import Linear
from minitorch.nn.modules.loss import _Loss, _WeightedLoss


class MarginRankingLoss(_Loss):
    """Compute max(0, -target * (input1 - input2) + margin).

    The inputs and `target` have the same shape. A target of 1 says that `input1` should be larger, -1
    that `input2` should be.

    Parameters
    ----------
    margin : float, default 0.0
        The difference by which the right input should be larger.
    size_average, reduce : bool, optional
        Deprecated; use `reduction`.
    reduction : {"mean", "sum", "none"}, default "mean"
        Return the mean of all elements, their sum, or every element.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.zeros(2)
    >>> torch.nn.MarginRankingLoss(margin=1.0)(x, x, torch.ones(2))
    tensor(1.)
    """

    def __init__(self, margin=0.0, size_average=None, reduce=None, reduction="mean"):
        super().__init__(size_average, reduce, reduction)
        self.margin = margin

    def forward(self, input1, input2, target):
        return F.margin_ranking_loss(
            input1, input2, target, margin=self.margin, reduction=self.reduction
        )


class HingeEmbeddingLoss(_Loss):
    """Compute the input where the target is 1, and max(0, margin - input) where it is -1.

    The input is usually a distance of two embeddings. `input` and `target` have the same shape. The
    result is a scalar, or has their shape if `reduction` is "none".

    Parameters
    ----------
    margin : float, default 1.0
    size_average, reduce : bool, optional
        Deprecated; use `reduction`.
    reduction : {"mean", "sum", "none"}, default "mean"
        Return the mean of all elements, their sum, or every element.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.HingeEmbeddingLoss()(torch.zeros(2), torch.tensor([1.0, -1.0]))
    tensor(0.5000)
    """

    def __init__(self, margin=1.0, size_average=None, reduce=None, reduction="mean"):
        super().__init__(size_average, reduce, reduction)
        self.margin = margin

    def forward(self, input, target):
        return F.hinge_embedding_loss(input, target, margin=self.margin, reduction=self.reduction)


class CosineEmbeddingLoss(_Loss):
    """Compute 1 - cosine where the target is 1, and max(0, cosine - margin) where it is -1.

    The inputs have the shape ``(N, D)`` or ``(D,)``; `target` has the shape ``(N,)`` or ``()``.

    Parameters
    ----------
    margin : float, default 0.0
        Between -1 and 1.
    size_average, reduce : bool, optional
        Deprecated; use `reduction`.
    reduction : {"mean", "sum", "none"}, default "mean"
        Return the mean of all elements, their sum, or every element.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.ones(1, 3)
    >>> torch.nn.CosineEmbeddingLoss(margin=0.5)(x, x, torch.tensor([-1]))
    tensor(0.5000)
    """

    def __init__(self, margin=0.0, size_average=None, reduce=None, reduction="mean"):
        super().__init__(size_average, reduce, reduction)
        self.margin = margin

    def forward(self, input1, input2, target):
        return F.cosine_embedding_loss(
            input1, input2, target, margin=self.margin, reduction=self.reduction
        )


class MultiMarginLoss(_WeightedLoss):
    """Compute the mean over the other classes j of max(0, margin - input[target] + input[j])**p.

    `input` has the shape ``(N, C)`` or ``(C,)``, `target` the shape ``(N,)`` or ``()`` and dtype int64.

    Parameters
    ----------
    p : {1, 2}, default 1
    margin : float, default 1.0
    weight : Tensor, optional
        A factor for each of the C classes.
    size_average, reduce : bool, optional
        Deprecated; use `reduction`.
    reduction : {"mean", "sum", "none"}, default "mean"
        Return the mean of all elements, their sum, or every element.

    Raises
    ------
    ValueError
        For a `p` other than 1 and 2, or a weight that is not one-dimensional.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.MultiMarginLoss()(torch.tensor([[0.1, 0.2, 0.4, 0.8]]), torch.tensor([3]))
    tensor(0.3250)
    """

    def __init__(
        self, p=1, margin=1.0, weight=None, size_average=None, reduce=None, reduction="mean"
    ):
        super().__init__(weight, size_average, reduce, reduction)
        if p not in (1, 2):
            raise ValueError("only p == 1 and p == 2 supported")
        if weight is not None and weight.dim() != 1:
            raise ValueError(
                f"MultiMarginLoss: expected weight to be None or 1D tensor, got {weight.dim()}D instead"
            )
        self.p = p
        self.margin = margin

    def forward(self, input, target):
        return F.multi_margin_loss(
            input, target, p=self.p, margin=self.margin, weight=self.weight,
            reduction=self.reduction,
        )  # fmt: skip


class MultiLabelMarginLoss(_Loss):
    """Compute a margin loss of inputs with several labels each.

    It is the sum of ``max(0, 1 - input[y] + input[j])`` over the labels y and all other classes j,
    divided by the number C of classes. `input` and `target` have the shape ``(N, C)`` or ``(C,)``.
    `target` lists the labels of an example; -1 ends the list.

    Parameters
    ----------
    size_average, reduce : bool, optional
        Deprecated; use `reduction`.
    reduction : {"mean", "sum", "none"}, default "mean"
        Return the mean of all elements, their sum, or every element.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.tensor([[0.1, 0.2, 0.4, 0.8]])
    >>> torch.nn.MultiLabelMarginLoss()(x, torch.tensor([[3, 0, -1, 1]]))
    tensor(0.8500)
    """

    def forward(self, input, target):
        return F.multilabel_margin_loss(input, target, reduction=self.reduction)


class MultiLabelSoftMarginLoss(_WeightedLoss):
    """Compute the binary cross entropy of sigmoid(input), averaged over the classes.

    `input` and `target` have the shape ``(N, C)`` or ``(C,)``; the targets are 0 or 1.

    Parameters
    ----------
    weight : Tensor, optional
        A factor for each of the C classes.
    size_average, reduce : bool, optional
        Deprecated; use `reduction`.
    reduction : {"mean", "sum", "none"}, default "mean"
        Return the mean of all elements, their sum, or every element.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.MultiLabelSoftMarginLoss()(torch.zeros(1, 2), torch.ones(1, 2))
    tensor(0.6931)
    """

    def forward(self, input, target):
        return F.multilabel_soft_margin_loss(
            input, target, weight=self.weight, reduction=self.reduction
        )


class TripletMarginLoss(_Loss):
    """Compute max(0, |anchor - positive| - |anchor - negative| + margin).

    The three inputs have the shape ``(N, D)`` or ``(D,)``; the result has the shape ``(N,)`` or ``()``
    if `reduction` is "none".

    Parameters
    ----------
    margin : float, default 1.0
        Must be positive.
    p : float, default 2.0
        The p of the norm.
    eps : float, default 1e-06
        Added to each difference.
    swap : bool, default False
        Use the distance of `positive` and `negative` where it is smaller than that of `anchor` and
        `negative`.
    size_average, reduce : bool, optional
        Deprecated; use `reduction`.
    reduction : {"mean", "sum", "none"}, default "mean"
        Return the mean of all elements, their sum, or every element.

    Raises
    ------
    ValueError
        If `margin` is not positive.

    References
    ----------
    V. Balntas et al., Learning shallow convolutional feature descriptors with triplet losses, BMVC
    2016.

    Examples
    --------
    >>> import minitorch as torch
    >>> a, b = torch.zeros(1, 2), torch.ones(1, 2)
    >>> torch.nn.TripletMarginLoss(margin=2.0)(a, a, b)
    tensor(0.5858)
    """

    def __init__(
        self,
        margin=1.0,
        p=2.0,
        eps=1e-6,
        swap=False,
        size_average=None,
        reduce=None,
        reduction="mean",
    ):
        super().__init__(size_average, reduce, reduction)
        if margin <= 0:
            raise ValueError(
                f"TripletMarginLoss: expected margin to be greater than 0, got {margin} instead"
            )
        self.margin = margin
        self.p = p
        self.eps = eps
        self.swap = swap

    def forward(self, anchor, positive, negative):
        return F.triplet_margin_loss(
            anchor, positive, negative, margin=self.margin, p=self.p, eps=self.eps, swap=self.swap,
            reduction=self.reduction,
        )  # fmt: skip


class TripletMarginWithDistanceLoss(_Loss):
    """Compute max(0, d(anchor, positive) - d(anchor, negative) + margin) for a distance d.

    The three inputs have the same shape, and the shape of the result is that of the distances if
    `reduction` is "none".

    Parameters
    ----------
    distance_function : callable, optional
        Takes two tensors and returns their distances; by default a `PairwiseDistance`.
    margin : float, default 1.0
        Must be positive.
    swap : bool, default False
        Use d(positive, negative) where it is smaller than d(anchor, negative).
    reduction : {"mean", "sum", "none"}, default "mean"
        Return the mean of all elements, their sum, or every element.

    Raises
    ------
    ValueError
        If `margin` is not positive.

    Examples
    --------
    >>> import minitorch as torch
    >>> a, b = torch.zeros(1, 2), torch.ones(1, 2)
    >>> torch.nn.TripletMarginWithDistanceLoss(margin=2.0)(a, a, b)
    tensor(0.5858)
    """

    def __init__(self, *, distance_function=None, margin=1.0, swap=False, reduction="mean"):
        from minitorch.nn.modules.distance import PairwiseDistance

        super().__init__(reduction=reduction)
        if margin <= 0:
            raise ValueError(
                "TripletMarginWithDistanceLoss: expected margin to be greater than 0, "
                f"got {margin} instead"
            )
        self.distance_function = (
            PairwiseDistance() if distance_function is None else distance_function
        )
        self.margin = margin
        self.swap = swap

    def forward(self, anchor, positive, negative):
        return F.triplet_margin_with_distance_loss(
            anchor, positive, negative, distance_function=self.distance_function,
            margin=self.margin, swap=self.swap, reduction=self.reduction,
        )  # fmt: skip


class PoissonNLLLoss(_Loss):
    """Compute the negative log-likelihood of counts with a Poisson distribution.

    `input` and `target` have the same shape. The result is a scalar, or has their shape if `reduction`
    is "none".

    Parameters
    ----------
    log_input : bool, default True
        The input is the logarithm of the expected count: the loss is exp(input) - target * input. Otherwise
        it is
        input - target * log(input + eps).
    full : bool, default False
        Add Stirling's approximation of log(target!) for targets above 1.
    size_average, reduce : bool, optional
        Deprecated; use `reduction`.
    eps : float, default 1e-08
        Keeps the logarithm finite.
    reduction : {"mean", "sum", "none"}, default "mean"
        Return the mean of all elements, their sum, or every element.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.PoissonNLLLoss()(torch.zeros(2), torch.ones(2))
    tensor(1.)
    """

    def __init__(
        self,
        log_input=True,
        full=False,
        size_average=None,
        eps=1e-8,
        reduce=None,
        reduction="mean",
    ):
        super().__init__(size_average, reduce, reduction)
        self.log_input = log_input
        self.full = full
        self.eps = eps

    def forward(self, log_input, target):
        return F.poisson_nll_loss(
            log_input, target, log_input=self.log_input, full=self.full, eps=self.eps,
            reduction=self.reduction,
        )  # fmt: skip


class GaussianNLLLoss(_Loss):
    """Compute the negative log-likelihood of targets with a normal distribution.

    The loss is ``(log(var) + (input - target)**2 / var) / 2``. It is called with `input`, the expected
    values, with `target` and with the variances `var`, which have the same shape or a last dimension of
    size 1.

    Parameters
    ----------
    full : bool, default False
        Add the constant log(2 * pi) / 2.
    eps : float, default 1e-06
        The smallest variance; smaller ones are raised to it.
    reduction : {"mean", "sum", "none"}, default "mean"
        Return the mean of all elements, their sum, or every element.

    Raises
    ------
    ValueError
        When a variance is negative, or a shape does not fit.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.GaussianNLLLoss()(torch.zeros(2), torch.ones(2), torch.ones(2))
    tensor(0.5000)
    """

    def __init__(self, *, full=False, eps=1e-6, reduction="mean"):
        super().__init__(None, None, reduction)
        self.full = full
        self.eps = eps

    def forward(self, input, target, var):
        return F.gaussian_nll_loss(
            input, target, var, full=self.full, eps=self.eps, reduction=self.reduction
        )


class CTCLoss(_Loss):
    """Compute the negative log-probability of label sequences, summed over all alignments.

    The loss is called with log-probabilities of the shape ``(T, N, C)``, targets of the shape ``(N,
    S)`` or all in one dimension, the lengths of the inputs and the lengths of the targets, each of the
    shape ``(N,)`` and an integer dtype.

    Parameters
    ----------
    blank : int, default 0
        The class that stands for no label.
    reduction : {"mean", "sum", "none"}, default "mean"
        "mean" divides each loss by the length of its target first.
    zero_infinity : bool, default False
        Replace an infinite loss, of a target that is too long for its input, and its gradient by 0.

    References
    ----------
    A. Graves et al., Connectionist Temporal Classification, ICML 2006.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.full((2, 1, 2), 0.5).log()
    >>> torch.nn.CTCLoss()(x, torch.tensor([[1]]), torch.tensor([2]), torch.tensor([1]))
    tensor(0.2877)
    """

    def __init__(self, blank=0, reduction="mean", zero_infinity=False):
        super().__init__(reduction=reduction)
        self.blank = blank
        self.zero_infinity = zero_infinity

    def forward(self, log_probs, targets, input_lengths, target_lengths):
        return F.ctc_loss(
            log_probs, targets, input_lengths, target_lengths, self.blank, self.reduction,
            self.zero_infinity,
        )  # fmt: skip


class LinearCrossEntropyLoss(_WeightedLoss):
    """A linear map followed by the cross entropy.

    Parameters
    ----------
    in_features, num_classes : int
    out_features : tuple of int, default ()
        Further class dimensions, for a target of (N, *out_features).
    bias : bool, default False
    reduction, weight, ignore_index, label_smoothing
        See `CrossEntropyLoss`.
    options : None
        PyTorch's options for chunks; they do not change the result.
    device, dtype : optional
        Where the parameters are stored ("cpu" or "meta"), and their dtype; by default that of
        `torch.get_default_dtype()`.

    Raises
    ------
    RuntimeError
        For a weight of another shape, or `label_smoothing` outside of [0, 1].

    Examples
    --------
    >>> import minitorch as torch
    >>> loss = torch.nn.LinearCrossEntropyLoss(3, 2)
    >>> loss(torch.zeros(4, 3), torch.tensor([0, 1, 1, 0]))
    tensor(0.6931, grad_fn=<NllLossBackward0>)
    """

    def __init__(
        self,
        in_features,
        num_classes,
        *,
        out_features=(),
        bias=False,
        device=None,
        dtype=None,
        reduction="mean",
        weight=None,
        ignore_index=None,
        label_smoothing=0.0,
        options=None,
    ):
        if weight is not None and tuple(weight.shape) != (num_classes,):
            raise RuntimeError(
                f"expected weight shape to be {(num_classes,)}, got {tuple(weight.shape)}"
            )
        if not 0 <= label_smoothing <= 1:
            raise RuntimeError(
                f"expected label_smoothing to be in range [0, 1], got {label_smoothing}"
            )
        super().__init__(weight=weight, reduction=reduction)
        self.num_classes = num_classes
        self.out_features = out_features
        rows = math.prod(out_features, start=num_classes)
        self.linear = Linear(in_features, rows, bias=bias, device=device, dtype=dtype)
        self.ignore_index = ignore_index
        self.label_smoothing = label_smoothing
        self.options = options

    def forward(self, input, target):
        """Return the loss for an `input` of (N, in_features) or (in_features,).

        See `CrossEntropyLoss` for `target`.
        """
        shape = (self.num_classes, *self.out_features)
        bias = self.linear.bias
        return F.linear_cross_entropy(
            input,
            self.linear.weight.view(*shape, self.linear.in_features),
            target,
            linear_bias=None if bias is None else bias.view(shape),
            weight=self.weight,
            reduction=self.reduction,
            ignore_index=self.ignore_index,
            label_smoothing=self.label_smoothing,
            options=self.options,
        )

    def extra_repr(self):
        return (
            f"in_features={self.linear.in_features}, num_classes={self.num_classes}, "
            f"out_features={self.out_features}, bias={self.linear.bias is not None}, "
            f"reduction={self.reduction}, ignore_index={self.ignore_index}, "
            f"label_smoothing={self.label_smoothing}, options={self.options}"
        )
