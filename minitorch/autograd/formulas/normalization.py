"""Layer, batch, group and instance norm with checks of their arguments, and their derivatives."""


def layer_norm_double_backward(
    ggi: "Tensor?",
    ggw: "Tensor?",
    ggb: "Tensor?",
    grad_out: Tensor,
    input: Tensor,
    normalized_shape: "int[]",
    mean: Tensor,
    rstd: Tensor,
    weight: "Tensor?",
) -> any:
    """Return the gradients of the arguments of `native_layer_norm_backward`."""
    lead = tuple(range(input.dim() - len(normalized_shape)))
    dims = tuple(range(len(lead), input.dim()))
    if records():
        mean, rstd = statistics_again(input, rstd, dims)
    grads = norm_double_backward(
        ggi, ggw, ggb, grad_out, (input - mean) * rstd, rstd, weight, dims, True
    )
    return grads[0], grads[1], None if grads[2] is None else sum_leading(grads[2], lead)


def statistics_again(input: Tensor, rstd: Tensor, dims: "int[]") -> any:
    """Return mean and inverse deviation with a history, keeping the known value of the latter."""
    mean = mean_dim(input, dims, True)
    centered = input - mean
    var = mean_dim(centered * centered, dims, True)
    return mean, rsqrt(var - detach(var) + reciprocal(detach(rstd * rstd)))


def norm_double_backward(
    ggi: "Tensor?",
    ggw: "Tensor?",
    ggb: "Tensor?",
    grad: Tensor,
    normal: Tensor,
    scale: Tensor,
    weight: "Tensor?",
    dims: "int[]",
    training: bool,
) -> any:
    """Return the gradients of grad, input and weight, the last one elementwise.

    `normal` is the input minus its mean, times `scale`.
    The gradient of the input is scale * P(grad * weight) with P(v) = v - mean(v) - normal * mean(v
    * normal). P is its own adjoint. The derivative of `normal` is scale * P, the derivative of
    `scale` is -scale ** 2 * normal / n. With fixed statistics P(v) is v, and mean and scale are
    constants.
    """
    ggo = None
    gi = None
    gw = None
    slope = grad if weight is None else grad * weight
    if ggi is not None:
        if training:
            turned = scale * without_statistics(ggi, normal, dims)
            along = mean_dim(ggi * normal, dims, True)
            slope_along = mean_dim(slope * normal, dims, True)
            common = mean_dim(ggi * slope, dims, True) - along * slope_along
            common = common - mean_dim(ggi, dims, True) * mean_dim(slope, dims, True)
            crossed = without_statistics(slope_along * ggi + along * slope, normal, dims)
            gi = -(scale * scale) * (crossed + normal * common)
        else:
            turned = scale * ggi
        ggo = turned if weight is None else turned * weight
        gw = grad * turned
    if ggw is not None:
        part = normal * ggw
        ggo = part if ggo is None else ggo + part
        part = scale * (without_statistics(grad * ggw, normal, dims) if training else grad * ggw)
        gi = part if gi is None else gi + part
    if ggb is not None:
        part = expand(ggb, grad.sizes())
        ggo = part if ggo is None else ggo + part
    return ggo, gi, gw


def without_statistics(v: Tensor, normal: Tensor, dims: "int[]") -> Tensor:
    """Remove from v the parts that change the mean and the deviation."""
    return v - mean_dim(v, dims, True) - normal * mean_dim(v * normal, dims, True)


def sum_leading(t: Tensor, lead: "int[]") -> Tensor:
    """Sum over these dimensions; return the tensor itself if there are none."""
    return sum_dim(t, lead, False) if len(lead) else t


def batch_norm_double_backward(
    ggi: "Tensor?",
    ggw: "Tensor?",
    ggb: "Tensor?",
    grad_out: Tensor,
    input: Tensor,
    weight: "Tensor?",
    running_mean: "Tensor?",
    running_var: "Tensor?",
    save_mean: "Tensor?",
    save_invstd: "Tensor?",
    train: bool,
    eps: float,
) -> any:
    """Return the gradients of the arguments of `native_batch_norm_backward`."""
    dims = (0,) + tuple(range(2, input.dim()))
    mean, scale = batch_statistics(
        input, running_mean, running_var, save_mean, save_invstd, train, eps
    )
    shape = (1, -1) + (1,) * (input.dim() - 2)
    grads = norm_double_backward(
        ggi,
        None if ggw is None else view(ggw, shape),
        None if ggb is None else view(ggb, shape),
        grad_out,
        (input - mean) * scale,
        scale,
        None if weight is None else view(weight, shape),
        dims,
        train,
    )
    return grads[0], grads[1], None if grads[2] is None else sum_dim(grads[2], dims, False)


def batch_statistics(
    input: Tensor,
    running_mean: "Tensor?",
    running_var: "Tensor?",
    save_mean: "Tensor?",
    save_invstd: "Tensor?",
    train: bool,
    eps: float,
) -> any:
    """Return mean and inverse deviation of each channel, along its dimension."""
    shape = (1, -1) + (1,) * (input.dim() - 2)
    if not train:
        return view(running_mean, shape), rsqrt(view(running_var, shape) + eps)
    if records():
        dims = (0,) + tuple(range(2, input.dim()))
        return statistics_again(input, view(save_invstd, shape), dims)
    return view(save_mean, shape), view(save_invstd, shape)


def batch_norm_tangent(
    input: Tensor,
    input_t: Tensor,
    weight: "Tensor?",
    weight_t: "Tensor?",
    bias_t: "Tensor?",
    running_mean: "Tensor?",
    running_var: "Tensor?",
    training: bool,
    eps: float,
) -> Tensor:
    """Return the tangent; the statistics of a batch depend on the input, running ones do not."""
    dims = (0,) + tuple(range(2, input.dim()))
    shape = (1, -1) + (1,) * (input.dim() - 2)
    if training:
        centered = input - mean_dim(input, dims, True)
        scale = rsqrt(mean_dim(centered * centered, dims, True) + eps)
        normal = centered * scale
        moved = input_t - mean_dim(input_t, dims, True)
        tangent = scale * (moved - normal * mean_dim(moved * normal, dims, True))
    else:
        scale = rsqrt(view(running_var, shape) + eps)
        normal = (input - view(running_mean, shape)) * scale
        tangent = input_t * scale
    if weight is not None:
        tangent = tangent * view(weight, shape) + normal * view(weight_t, shape)
    if bias_t is not None:
        tangent = tangent + view(bias_t, shape)
    return tangent


def group_norm_composed(
    input: Tensor, num_groups: int, weight: "Tensor?", bias: "Tensor?", eps: float
) -> Tensor:
    """Normalize each group of channels of each example to mean 0 and variance 1."""
    examples = size_in(input.sizes(), 0)
    channels = size_in(input.sizes(), 1)
    if num_groups <= 0:
        raise RuntimeError("num groups should be positive, but got " + str(num_groups))
    if channels % num_groups != 0:
        raise RuntimeError(
            "Expected number of channels in input to be divisible by num_groups, but got "
            f"input of shape {list(input.sizes())} and num_groups={num_groups}"
        )
    if weight is not None and weight.sizes() != (channels,):
        raise RuntimeError(
            "Expected weight to be a vector of size equal to the number of channels in input, "
            f"but got weight of shape {list(weight.sizes())} and input of shape "
            f"{list(input.sizes())}"
        )
    if bias is not None and bias.sizes() != (channels,):
        raise RuntimeError(
            "Expected bias to be a vector of size equal to the number of channels in input, "
            # the shape in PyTorch's message is the weight's
            f"but got bias of shape {list((bias if weight is None else weight).sizes())} "
            f"and input of shape {list(input.sizes())}"
        )
    return native_group_norm(
        contiguous(input),
        weight,
        bias,
        examples,
        channels,
        numel_of(input.sizes()[2:]),
        num_groups,
        eps,
    )[0]


def group_norm_backward(
    grad: "Tensor?",
    grad_mean: "Tensor?",
    grad_rstd: "Tensor?",
    input: Tensor,
    mean: Tensor,
    rstd: Tensor,
    weight: "Tensor?",
    N: int,
    C: int,
    HxW: int,
    group: int,
    eps: float,
    mask: "any",
) -> any:
    """Return the gradients; with create_graph the statistics are recomputed from the input."""
    gi = None
    gw = None
    gb = None
    if grad is not None and not records():
        gi, gw, gb = native_group_norm_backward(
            contiguous(grad), input, mean, rstd, weight, N, C, HxW, group, mask
        )
        if grad_mean is None and grad_rstd is None:
            return gi, gw, gb
    count = C // group * HxW
    shape = (N, group, count)
    grouped = reshape(input, shape)
    centered = grouped - mean_dim(grouped, (2,), True)
    scale = rsqrt(mean_dim(centered * centered, (2,), True) + eps)
    if grad is not None and records():
        normal = centered * scale
        weighted = reshape(grad, (N, C, HxW))
        if weight is not None:
            weighted = weighted * view(weight, (1, C, 1))
        slope = reshape(weighted, shape)
        part = scale * (
            slope - mean_dim(slope, (2,), True) - normal * mean_dim(slope * normal, (2,), True)
        )
        gi = reshape(part, input.sizes())
        by_channel = reshape(grad, (N, C, HxW))
        gw = sum_dim(by_channel * reshape(normal, (N, C, HxW)), (0, 2), False)
        gb = sum_dim(by_channel, (0, 2), False)
    if grad_mean is not None:
        part = expand(unsqueeze(grad_mean, 2) / count, grouped.sizes())
        gi = add_to(gi, reshape(part, input.sizes()))
    if grad_rstd is not None:
        part = unsqueeze(grad_rstd, 2) * (scale * scale * scale) * centered / -count
        gi = add_to(gi, reshape(part, input.sizes()))
    return gi, gw, gb


def add_to(sum: "Tensor?", part: Tensor) -> Tensor:
    """Add a part to the sum; None stands for an empty sum."""
    return part if sum is None else part + sum


def check_features(running: "Tensor?", name: str, features: int) -> None:
    if running is not None and running.numel() != features:
        raise RuntimeError(f"{name} should contain {features} elements not {running.numel()}")


def batch_norm_composed(
    input: Tensor,
    weight: "Tensor?",
    bias: "Tensor?",
    running_mean: "Tensor?",
    running_var: "Tensor?",
    training: bool,
    momentum: float,
    eps: float,
) -> Tensor:
    """Compute batch norm; an empty input is only multiplied and added, to keep the history."""
    if input.numel() > 0:
        # checked before the error for statistics that require grad
        check_features(running_mean, "running_mean", size_in(input.sizes(), 1))
        check_features(running_var, "running_var", size_in(input.sizes(), 1))
        return native_batch_norm(
            input, weight, bias, running_mean, running_var, training, momentum, eps
        )[0]
    out = clone(input)
    if weight is not None:
        out = out * select(weight, 0, 0)
    if bias is not None:
        out = out + select(bias, 0, 0)
    return out


def instance_norm_composed(
    input: Tensor,
    weight: "Tensor?",
    bias: "Tensor?",
    use_input_stats: bool,
    momentum: float,
    eps: float,
    running_mean: "Tensor?",
    running_var: "Tensor?",
) -> Tensor:
    """Compute a batch norm over one example with batch * channels channels."""
    if not use_input_stats and (running_mean is None or running_var is None):
        raise RuntimeError(
            "Expected running_mean and running_var to be defined when use_input_stats is false"
        )
    n = size_in(input.sizes(), 0)
    c = size_in(input.sizes(), 1)
    shape = (1, n * c) + input.sizes()[2:]
    w = None if weight is None else repeat(weight, (n,))
    b = None if bias is None else repeat(bias, (n,))
    # computed in the dtype of the parameters or the input, whatever the dtype of the statistics
    kept = input.scalar_type() if weight is None else weight.scalar_type()
    m = repeated_statistic(running_mean, n, kept)
    v = repeated_statistic(running_var, n, kept)
    out = batch_norm_composed(
        view(contiguous(input), shape), w, b, m, v, use_input_stats, momentum, eps
    )
    if use_input_stats:
        if running_mean is not None:
            mean = alias(running_mean)
            copy_(mean, mean_dim(view(m, (n, c)), (0,), False), False)
        if running_var is not None:
            var = alias(running_var)
            copy_(var, mean_dim(view(v, (n, c)), (0,), False), False)
    return view(out, input.sizes())


def repeated_statistic(running: "Tensor?", count: int, dtype: int) -> "Tensor?":
    """Repeat a running statistic of the channels for each example."""
    if running is None:
        return None
    repeated = repeat(running, (count,))
    return repeated if repeated.scalar_type() == dtype else cast(repeated, dtype)
