"""Operators on images (pooling, padding, sampling): vmap's batch joins the images' own."""

from minitorch._functorch.batching._common import (
    expanded,
    for_each_sample,
    in_front,
    is_batched,
    rule,
    rules,
    wrapped,
)
from minitorch._tensor import Tensor

# the number of dimensions of an image, including its channels
_DIMENSIONS = {
    2: """
        reflection_pad1d reflection_pad1d_backward replication_pad1d replication_pad1d_backward
    """,
    3: """
        avg_pool2d avg_pool2d_backward _adaptive_avg_pool2d _adaptive_avg_pool2d_backward adaptive_max_pool2d
        adaptive_max_pool2d_backward max_pool2d_with_indices max_pool2d_with_indices_backward reflection_pad2d
        reflection_pad2d_backward replication_pad2d replication_pad2d_backward
    """,
    4: """
        avg_pool3d avg_pool3d_backward _adaptive_avg_pool3d _adaptive_avg_pool3d_backward adaptive_max_pool3d
        adaptive_max_pool3d_backward max_pool3d_with_indices max_pool3d_with_indices_backward reflection_pad3d
        reflection_pad3d_backward replication_pad3d replication_pad3d_backward
    """,
}
_PADDINGS = """circular_pad circular_pad_backward"""
_OF_IMAGE = {name: n for n, names in _DIMENSIONS.items() for name in names.split()}
# these take batches of images only
_BATCHES = """grid_sampler_2d_backward grid_sampler_3d_backward affine_grid_generator
    affine_grid_generator_backward"""
_RESOLUTIONS = """nearest1d nearest2d nearest3d nearest_exact1d nearest_exact2d nearest_exact3d
    linear1d bilinear2d trilinear3d bicubic2d"""
_UPSAMPLING = [
    f"{'_' * ('exact' in name)}upsample_{name}{way}"
    for name in _RESOLUTIONS.split()
    for way in ("", "_backward")
]


def folding(operator, arguments, level):
    """Apply an operator with the samples' batch as the images' batch dimension.

    If the images have a batch dimension of their own, the two are joined.
    """
    first = next(a for a in arguments if isinstance(a, Tensor))
    names = [name for name, _, _ in operator.parameters]
    if "padding" in names and operator.name in _PADDINGS.split():
        ndim = len(arguments[names.index("padding")]) // 2 + 1
    else:
        ndim = _OF_IMAGE.get(operator.name, first.dim() - 1)
    if first.dim() not in (ndim, ndim + 1) or level.batch_size == 0:
        return for_each_sample(operator, arguments, level)
    alone = first.dim() == ndim
    values = []
    for name, value in zip(names, arguments, strict=True):
        if isinstance(value, Tensor):
            value = expanded(value, level)
            value = value if alone else value.flatten(0, 1)
        elif name in ("input_sizes", "input_size", "size"):
            value = (
                (level.batch_size, *value) if alone else (level.batch_size * value[0], *value[1:])
            )
        values.append(value)
    result = operator(*values)
    return wrapped(result if alone else unfolded(result, level), level)


def unfolded(result, level):
    """Return the results of a folded call with the batch as a separate dimension."""
    if isinstance(result, (tuple, list)):
        return tuple(unfolded(item, level) for item in result)
    if result is None:
        return None
    return result.reshape(
        level.batch_size, result.shape[0] // max(level.batch_size, 1), *result.shape[1:]
    )


for _name in [*_OF_IMAGE, *_PADDINGS.split(), *_BATCHES.split(), *_UPSAMPLING]:
    rules[_name] = folding


@rule("im2col", "col2im")
def _columns(operator, arguments, level):
    self, *options = arguments
    if level.batch_size == 0 or self.dim() == 0:
        return for_each_sample(operator, arguments, level)
    # each channel is by itself, so a batch of single images is one image of all their channels
    return wrapped(unfolded(operator(in_front(self, level).flatten(0, 1), *options), level), level)


@rule("grid_sampler_2d", "grid_sampler_3d")
def _grid_sampler(operator, arguments, level):
    input, grid, *options = arguments
    n = level.batch_size
    if is_batched(input, level) and is_batched(grid, level):
        return folding(operator, arguments, level)
    if is_batched(input, level):
        result = operator(channels_together(in_front(input, level)), grid, *options)
        return wrapped(result.reshape(result.shape[0], n, -1, *result.shape[2:]), level, 1)
    result = operator(input, channels_together(in_front(grid, level)), *options)
    shape = (*result.shape[:2], n, -1, *result.shape[3:])
    return wrapped(result.reshape(shape), level, 2)


@rule("convolution")
def _convolution(operator, arguments, level):
    input, weight, bias, *options = arguments
    from_batch = [t is not None and is_batched(t, level) for t in (input, weight, bias)]
    if level.batch_size == 0 or input.dim() != weight.dim():
        return for_each_sample(operator, arguments, level)
    if not from_batch[1]:
        folded = expanded(input, level).flatten(0, 1)
        result = operator(folded, weight, None if from_batch[2] else bias, *options)
        result = unfolded(result, level)
        if from_batch[2]:
            result = result + _per_channel(expanded(bias, level), result)
        return wrapped(result, level)
    *options, groups = options
    together = operator(
        channels_together(expanded(input, level)),
        expanded(weight, level).flatten(0, 1),
        None if bias is None else expanded(bias, level).flatten(),
        *options,
        groups * level.batch_size,
    )
    return wrapped(channels_apart(together, level), level)


def _per_channel(values, like):
    """Return (batch, channel) in a shape that broadcasts to (batch, image, channel, ...)."""
    return values.reshape(values.shape[0], 1, values.shape[1], *(1,) * (like.dim() - 3))


def channels_together(t):
    """Return (batch, image, channel, ...) as (image, batch x channel, ...)."""
    return t.movedim(0, 1).flatten(1, 2)


def channels_apart(t, level):
    """Reverse `channels_together`."""
    n = level.batch_size
    return t.reshape(t.shape[0], n, t.shape[1] // n, *t.shape[2:]).movedim(1, 0)


@rule("convolution_backward")
def _convolution_backward(operator, arguments, level):
    grad_output, input, weight, bias_sizes, *options, groups, mask = arguments
    if level.batch_size == 0:
        return for_each_sample(operator, arguments, level)
    grad = expanded(grad_output, level)
    for_input, for_weight, for_bias = mask
    results = [None, None, None]
    if for_bias:
        results[2] = grad.sum((1, *range(3, grad.dim())))
    # of the tensor that it is the gradient of, each gradient uses the shape alone
    if for_input and not is_batched(weight, level):
        found = operator(
            grad.flatten(0, 1),
            expanded(input.detach(), level).flatten(0, 1),
            weight,
            None,
            *options,
            groups,
            (1, 0, 0),
        )
        results[0] = unfolded(found[0], level)
        for_input = 0
    if for_input or for_weight:
        grad = channels_together(grad)
        inputs = channels_together(expanded(input, level))
        weights = expanded(weight, level).flatten(0, 1)
        groups *= level.batch_size
    if for_input:
        found = operator(grad, inputs.detach(), weights, None, *options, groups, (1, 0, 0))
        results[0] = channels_apart(found[0], level)
    if for_weight:
        found = operator(grad, inputs, weights.detach(), None, *options, groups, (0, 1, 0))
        results[1] = unfolded(found[1], level)
    return wrapped(tuple(results), level)
