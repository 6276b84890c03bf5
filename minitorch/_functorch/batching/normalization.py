"""Normalization: statistics of each sample, then the affine map, with weights per sample."""

from minitorch._functorch.batching._common import (
    expanded,
    for_each_sample,
    in_front,
    is_batched,
    rule,
    wrapped,
)
from minitorch._functorch.batching.images import channels_apart, channels_together, unfolded
from minitorch.autograd.vmap_steps import unwrapped


def _affine(result, weight, bias, level, shape):
    """Return `result` times `weight` plus `bias`, both reshaped to `shape` after the batch."""
    if weight is not None:
        result = result * expanded(weight, level).reshape(level.batch_size, *shape)
    if bias is not None:
        result = result + expanded(bias, level).reshape(level.batch_size, *shape)
    return result


@rule("native_layer_norm")
def _layer_norm(operator, arguments, level):
    input, normalized_shape, weight, bias, eps = arguments
    own = any(t is not None and is_batched(t, level) for t in (weight, bias))
    if own and not normalized_shape:
        raise RuntimeError(
            "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, but "
            "got normalized_shape = []"
        )
    for t in (weight, bias) if own else ():
        if t is not None and list(t.shape) != list(normalized_shape):
            seen, _ = unwrapped(t, level)
            raise RuntimeError(
                "Expected weight to be of same shape as normalized_shape, but got weight of shape "
                f"{list(seen.shape)} and normalized_shape = {list(normalized_shape)}"
            )
    if not own:
        return wrapped(operator(in_front(input, level), normalized_shape, weight, bias, eps), level)
    from_batch = is_batched(input, level)
    value = in_front(input, level) if from_batch else input
    result, mean, rstd = operator(value, normalized_shape, None, None, eps)
    ones = (1,) * (input.dim() - len(normalized_shape))
    result = _affine(result, weight, bias, level, (*ones, *normalized_shape))
    if not from_batch:
        return wrapped(result, level), mean, rstd
    return wrapped((result, mean, rstd), level)


@rule("native_layer_norm_backward")
def _layer_norm_backward(operator, arguments, level):
    grad_out, input, normalized_shape, mean, rstd, weight, bias, mask = arguments
    grad, value, mean, rstd = (expanded(t, level) for t in (grad_out, input, mean, rstd))
    ones = (1,) * (input.dim() - len(normalized_shape))
    outer = tuple(range(1, 1 + len(ones)))
    shape = (level.batch_size, *normalized_shape)
    results = [None, None, None]
    if mask[0]:
        scaled = _affine(grad, weight, None, level, (*ones, *normalized_shape))
        results[0] = operator(scaled, value, normalized_shape, mean, rstd, None, None, (1, 0, 0))[0]
    if mask[1]:
        slopes = grad * ((value - mean) * rstd)
        results[1] = (slopes.sum(outer) if outer else slopes).reshape(shape)
    if mask[2]:
        results[2] = (grad.sum(outer) if outer else grad).reshape(shape)
    return wrapped(tuple(results), level)


@rule("native_group_norm")
def _group_norm(operator, arguments, level):
    input, weight, bias, n, channels, area, groups, eps = arguments
    folded = expanded(input, level).flatten(0, 1)
    result, mean, rstd = operator(
        folded, None, None, n * level.batch_size, channels, area, groups, eps
    )
    result = unfolded(result, level)
    shape = (1, channels, *(1,) * (input.dim() - 2))
    result = _affine(result, weight, bias, level, shape)
    return wrapped((result, unfolded(mean, level), unfolded(rstd, level)), level)


@rule("native_group_norm_backward")
def _group_norm_backward(operator, arguments, level):
    grad_out, input, mean, rstd, weight, n, channels, area, groups, mask = arguments
    grad, value, mean, rstd = (expanded(t, level) for t in (grad_out, input, mean, rstd))
    shape = (1, channels, *(1,) * (input.dim() - 2))
    results = [None, None, None]
    if mask[0]:
        scaled = _affine(grad, weight, None, level, shape)
        found = operator(
            *(t.flatten(0, 1) for t in (scaled, value, mean, rstd)),
            None,
            n * level.batch_size,
            channels,
            area,
            groups,
            (1, 0, 0),
        )
        results[0] = unfolded(found[0], level)
    dims = (1, *range(3, grad.dim()))
    if mask[1]:
        of_group = value.reshape(level.batch_size, n, groups, -1)
        standard = (of_group - mean.unsqueeze(-1)) * rstd.unsqueeze(-1)
        results[1] = (grad * standard.reshape(value.shape)).sum(dims)
    if mask[2]:
        results[2] = grad.sum(dims)
    return wrapped(tuple(results), level)


@rule("native_batch_norm")
def _batch_norm(operator, arguments, level):
    input, weight, bias, running_mean, running_var, training, momentum, eps = arguments
    if level.batch_size == 0 or input.dim() < 2:
        return for_each_sample(operator, arguments, level)
    running = [running_mean, running_var]
    if not any(t is not None and is_batched(t, level) for t in (input, *running)):
        # there is one set of statistics, which is updated
        result, mean, rstd = operator(input, None, None, *running, training, momentum, eps)
        every = expanded(result, level)
        result = _affine(every, weight, bias, level, (1, -1, *(1,) * (input.dim() - 2)))
        return wrapped(result, level), mean, rstd
    if (
        training
        and is_batched(input, level)
        and any(t is not None and not is_batched(t, level) for t in running)
    ):
        raise RuntimeError(
            "Batch norm got a batched tensor as input while the running_mean or running_var, which will be "
            "updated in place, were not batched.\nIf you are using a module and do not need eval mode, please "
            "set `track_running_stats` to be False.If you are using a prebuilt module and do not need eval mode, "
            "please see the functorch website for resources on how to patch your module to work with vmap"
        )
    weight, bias, *flat = (_of_channels(t, level) for t in (weight, bias, *running))
    # as in PyTorch, only contiguous statistics are updated: of others this makes a copy
    flat = [t if t is None else t.contiguous() for t in flat]
    result, mean, rstd = operator(
        channels_together(expanded(input, level)), weight, bias, *flat, training, momentum, eps
    )
    return wrapped((channels_apart(result, level), *_apart((mean, rstd), level)), level)


def _of_channels(t, level):
    """Return a tensor of (channel,) per sample as (batch x channel,)."""
    return None if t is None else expanded(t, level).reshape(-1)


def _apart(tensors, level):
    # statistics that were not needed are empty
    return tuple(
        t.expand(level.batch_size, 0) if t.numel() == 0 else t.reshape(level.batch_size, -1)
        for t in tensors
    )


@rule("native_batch_norm_backward")
def _batch_norm_backward(operator, arguments, level):
    grad_out, input, weight, *statistics, train, eps, mask = arguments
    if level.batch_size == 0 or input.dim() < 2:
        return for_each_sample(operator, arguments, level)
    grad, value = (channels_together(expanded(t, level)) for t in (grad_out, input))
    found = operator(
        grad, value, *(_of_channels(t, level) for t in (weight, *statistics)), train, eps, mask
    )
    of_input, *others = found
    results = [None if of_input is None else channels_apart(of_input, level)]
    results += [None if t is None else t.reshape(level.batch_size, -1) for t in others]
    return wrapped(tuple(results), level)
