"""Connectionist temporal classification.

Note [The gradient of ctc_loss]
The gradient that flows back is exp(log_probs) minus the posterior probability of each class at each
time given the target. PyTorch returns this one, which is the gradient with respect to the input of
log_softmax. To produce it, the loss has an extra term whose value is zero and whose gradient is
exp(log_probs).

References
----------
Graves et al. 2006, Connectionist Temporal Classification.
"""

import math

from minitorch._tensor import Tensor
from minitorch.autograd.by_sample import without_batching_rule
from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.creation import arange, each_sample, full
from minitorch.autograd.functions.from_data import tensor
from minitorch.autograd.functions.gathered import Result, one_node
from minitorch.autograd.functions.python_signatures import parsed_as
from minitorch.autograd.vmap_steps import are_batched
from minitorch.nn._precision import reject_16_bits
from minitorch.nn._reduction import get_enum
from minitorch.tensors.gradient_checks import derived_once

# log-probability of impossible events; finite, so that no gradient becomes inf - inf
_NEVER = -1e30


def _numbers(lengths, name):
    if isinstance(lengths, Tensor):
        if lengths.is_floating_point() or lengths.is_complex():
            raise RuntimeError(f"{name} must be integral")
        return [int(n) for n in lengths.reshape(-1).tolist()]
    return [int(n) for n in lengths]


def _padded_targets(targets, lengths, batch, blank):
    """Return the targets as a matrix of shape (N, S), padded with blanks."""
    if targets.dim() not in (1, 2):
        raise RuntimeError(
            f"Expected 1 to 2 dimensions, but got {targets.dim()}-dimensional tensor for argument #2 'targets' "
            "(while checking arguments for ctc_loss_allocate_outputs)"
        )
    longest = max(lengths, default=0)
    flat = targets.reshape(-1).tolist()
    if targets.dim() == 1:
        starts = [sum(lengths[:n]) for n in range(batch)]
        if sum(lengths) != len(flat):
            raise RuntimeError(
                f"Expected tensor to have size {sum(lengths)} at dimension 0, but got size "
                f"{len(flat)} for argument #2 'targets' (while checking arguments for ctc_loss_allocate_outputs)"
            )
    else:
        if targets.size(0) != batch:
            raise RuntimeError(
                f"Expected tensor to have size {batch} at dimension 0, but got size {targets.size(0)} for "
                "argument #2 'targets' (while checking arguments for ctc_loss_allocate_outputs)"
            )
        width = targets.size(1)
        if longest > width:
            raise RuntimeError(
                f"Expected tensor to have size at least {longest} at dimension 1, but got size "
                f"{width} for argument #2 'targets' (while checking arguments for ctc_loss_allocate_outputs)"
            )
        starts = [n * width for n in range(batch)]
    rows = [
        flat[start : start + n] + [blank] * (longest - n)
        for start, n in zip(starts, lengths, strict=True)
    ]
    return tensor(rows).reshape(batch, longest).long()


def _between_blanks(labels, blank):
    """Return (N, 2 S + 1) labels with a blank before, between and after the labels."""
    batch, longest = labels.size()
    pairs = _ops.stack([full((batch, longest), blank).long(), labels], 2).reshape(batch, -1)
    return _ops.cat([pairs, full((batch, 1), blank).long()], 1)


def _likelihoods(log_probs, path, input_lengths):
    """Return the forward variables (log-probabilities) at the end of each input."""
    times, batch, _ = log_probs.size()
    width = path.size(1)
    emitted = log_probs.gather(2, path.unsqueeze(0).expand(times, batch, width))
    never = full((batch, 2), _NEVER, dtype=log_probs.dtype)
    # a label can follow the previous label without a blank between when the two differ
    skips = _ops.cat([full((batch, 2), 1).long(), (path[:, 2:] == path[:, :-2]).long()], 1)[
        :, :width
    ]
    no_skip = skips == 1
    alpha = emitted[0].masked_fill(arange(0, width) > 1, _NEVER)
    for t in range(1, times):
        moved = _ops.cat([never, alpha], 1)
        jump = moved[:, :width].masked_fill(no_skip, _NEVER)
        ways = _ops.stack([alpha, moved[:, 1 : width + 1], jump], 0)
        new = ways.logsumexp(0) + emitted[t]
        alpha = _ops.where((input_lengths > t).unsqueeze(1), new, alpha)
    return alpha


def _check(log_probs, input_lengths, target_lengths, blank):
    if log_probs.numel() == 0:
        raise RuntimeError("log_probs tensor must not be empty")
    if log_probs.dim() != 3:
        raise RuntimeError(
            f"Expected 3-dimensional tensor, but got {log_probs.dim()}-dimensional tensor for argument #1 "
            "'log_probs' (while checking arguments for ctc_loss_allocate_outputs)"
        )
    times, batch, classes = log_probs.size()
    if not 0 <= blank < classes:
        raise RuntimeError("blank must be in label range")
    if len(input_lengths) != batch:
        raise RuntimeError("input_lengths must be of size batch_size")
    if len(target_lengths) != batch:
        raise RuntimeError("target_lengths must be of size batch_size")
    for length in target_lengths:
        if length < 0:
            raise RuntimeError(
                f"Expected target_lengths to have value at least 0, but got value {length} "
                "(while checking arguments for ctc_loss_allocate_outputs)"
            )
    for length in input_lengths:
        if length < 0:
            raise RuntimeError(
                f"Expected input_lengths to have value at least 0, but got value {length} (while "
                "checking arguments for ctc_loss_allocate_outputs)"
            )
        if length > times:
            raise RuntimeError(
                f"Expected input_lengths to have value at most {times}, but got value {length} (while "
                "checking arguments for ctc_loss_allocate_outputs)"
            )


def ctc_loss(
    log_probs,
    targets,
    input_lengths,
    target_lengths,
    blank=0,
    reduction="mean",
    zero_infinity=False,
):
    """Return the negative log-probability of the targets, summed over all alignments.

    Parameters
    ----------
    log_probs : Tensor
        (T, N, C) or (T, C), the result of `log_softmax`.
    targets : Tensor
        (N, S) or (sum of target_lengths,), labels.
    input_lengths, target_lengths : Tensor or tuple of int
        (N,) or ().
    blank : int, default 0
        The class of the blank label.
    reduction : str, default "mean"
        With "mean", each loss is first divided by the length of its target.
    zero_infinity : bool, default False
        Set the loss to 0 instead of inf if a target does not fit its input.

    Returns
    -------
    Tensor
        (), or (N,) without reduction.

    Raises
    ------
    RuntimeError
        For lengths that do not match, or a blank that is not a class.

    Examples
    --------
    >>> import minitorch as torch
    >>> log_probs = torch.zeros(3, 1, 2).log_softmax(2)
    >>> torch.nn.functional.ctc_loss(log_probs, torch.tensor([[1]]), (3,), (1,))
    tensor(0.2877)

    Notes
    -----
    See Note [The gradient of ctc_loss].
    """
    number = get_enum(reduction)
    return _ctc_loss(
        log_probs, targets, input_lengths, target_lengths, blank, number, zero_infinity
    )


def _overload(args, kwargs):
    return f"aten::ctc_loss.{'Tensor' if isinstance(args[2], Tensor) else 'IntList'}"


@parsed_as("ctc_loss")
@without_batching_rule(_overload)
def _ctc_loss(
    log_probs, targets, input_lengths, target_lengths, blank=0, reduction=0, zero_infinity=False
):
    """Compute the negative log-probability of label sequences, summed over all alignments.

    Parameters
    ----------
    log_probs : Tensor
        The shape ``(T, N, C)`` or ``(T, C)``.
    targets : Tensor
        The shape ``(N, S)``, or all labels in one dimension; integers.
    input_lengths, target_lengths : Tensor or tuple of int
        One number for each example.
    blank : int, default 0
        The class that stands for no label.
    reduction : int, default 0
        0 returns every loss, 1 the mean of the losses divided by the targets' lengths, 2 the sum.
    zero_infinity : bool, default False
        Replace an infinite loss and its gradient by 0.

    Returns
    -------
    Tensor
        A scalar, or the shape ``(N,)`` if `reduction` is 0.

    Raises
    ------
    RuntimeError
        If a length or a shape does not fit.

    References
    ----------
    A. Graves et al., Connectionist Temporal Classification, ICML 2006.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.full((2, 1, 2), 0.5).log()
    >>> torch.ctc_loss(x, torch.tensor([[1]]), torch.tensor([2]), torch.tensor([1]))
    tensor([0.2877])
    """
    if are_batched(targets, input_lengths, target_lengths):
        return each_sample(
            lambda *sample: _ctc_loss(*sample, blank, reduction, zero_infinity),
            (log_probs, targets, input_lengths, target_lengths),
        )
    is_batched = log_probs.dim() == 3
    if not is_batched:
        log_probs = log_probs.unsqueeze(1)
    in_lengths = _numbers(input_lengths, "input_lengths")
    out_lengths = _numbers(target_lengths, "target_lengths")
    _check(log_probs, in_lengths, out_lengths, blank)
    reject_16_bits(log_probs, "ctc_loss_cpu")
    batch = log_probs.size(1)
    path = _between_blanks(_padded_targets(targets, out_lengths, batch, blank), blank)
    ends, lengths = tensor(out_lengths), tensor(in_lengths)
    loss = one_node(
        "CtcLossBackward0",
        _negative_log_likelihood,
        (log_probs,),
        (path, ends, lengths),
        blank=blank,
        input_lengths=tuple(in_lengths),
        log_probs=log_probs,
        result=Result(),
        target_lengths=tuple(out_lengths),
        targets=targets,
        zero_infinity=zero_infinity,
    )
    if zero_infinity:
        loss = _ops.where(loss == math.inf, 0.0, loss)
    if reduction == 1:
        return (loss / ends.clamp_min(1).to(loss.dtype)).mean()
    if reduction == 2:
        return loss.sum()
    return loss if is_batched else loss.squeeze(0)


@without_batching_rule("aten::_ctc_loss", composed=False)
def _negative_log_likelihood(log_probs, path, ends, lengths):
    log_probs = derived_once(log_probs, "_ctc_loss", "_ctc_loss_backward")
    times = log_probs.size(0)
    alpha = _likelihoods(log_probs, path, lengths)
    last = alpha.gather(1, (2 * ends).unsqueeze(1))
    before = alpha.gather(1, (2 * ends - 1).clamp_min(0).unsqueeze(1))
    before = before.masked_fill((ends == 0).unsqueeze(1), _NEVER)
    loss = -_ops.cat([last, before], 1).logsumexp(1)
    inside = (arange(0, times).unsqueeze(1) < lengths).unsqueeze(2)
    weight = log_probs.exp().masked_fill(~inside, 0.0).sum((0, 2))
    loss = loss + (weight - weight.detach())
    impossible = (loss.detach() > -_NEVER / 2) | ((lengths == 0) & (ends > 0))
    loss = loss.masked_fill((lengths == 0) & (ends == 0), 0.0)
    return loss.masked_fill(impossible, math.inf)
