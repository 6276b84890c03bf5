"""Convolution with the checks of the user-facing functions, and its second derivative."""


def convolution_double_backward(
    ggi: "Tensor?",
    ggw: "Tensor?",
    ggb: "Tensor?",
    grad_output: Tensor,
    input: Tensor,
    weight: Tensor,
    stride: "int[]",
    padding: "int[]",
    dilation: "int[]",
    transposed: bool,
    output_padding: "int[]",
    groups: int,
    mask: "any",
) -> any:
    """Return the second derivatives, which are convolutions because convolution is bilinear."""
    ggo = None
    gi = None
    gw = None
    if ggi is not None:
        ggo = convolution(
            ggi, weight, None, stride, padding, dilation, transposed, output_padding, groups
        )
        gw = convolution_backward(
            grad_output,
            ggi,
            weight,
            None,
            stride,
            padding,
            dilation,
            transposed,
            output_padding,
            groups,
            (False, True, False),
        )[1]
    if ggw is not None:
        part = convolution(
            input, ggw, None, stride, padding, dilation, transposed, output_padding, groups
        )
        ggo = part if ggo is None else add(ggo, part)
        gi = convolution_backward(
            grad_output,
            input,
            ggw,
            None,
            stride,
            padding,
            dilation,
            transposed,
            output_padding,
            groups,
            (True, False, False),
        )[0]
    if ggb is not None:
        shape = (1, -1) + (1,) * (grad_output.dim() - 2)
        part = expand(view(ggb, shape), grad_output.sizes())
        ggo = part if ggo is None else add(ggo, part)
    return ggo, gi, gw


def squeeze_pair(pair: "any") -> any:
    """Remove from values and indices the dimension that one-dimensional pooling has inserted."""
    return squeeze_dim(pair[0], -2), squeeze_dim(pair[1], -2)


def check_batch(input: Tensor, dims: int, name: str) -> int:
    """Check the number of dimensions; the batch dimension may be missing."""
    if input.dim() != dims + 1 and input.dim() != dims + 2:
        raise RuntimeError(
            f"Expected {dims + 1}D (unbatched) or {dims + 2}D (batched) input to {name}, "
            f"but got input of size: {list(input.sizes())}"
        )
    return 0


def conv_composed(
    input: Tensor,
    weight: Tensor,
    bias: "Tensor?",
    stride: "int[]",
    padding: "int[]",
    dilation: "int[]",
    transposed: bool,
    output_padding: "int[]",
    groups: int,
    dims: int,
    name: str,
) -> Tensor:
    """Check the arguments and convolve; an input without batch dimension gets one for the time."""
    if bias is not None and not transposed and bias.scalar_type() != input.scalar_type():
        raise RuntimeError(
            f"Input type ({c_name(input.scalar_type())}) and bias type "
            f"({c_name(bias.scalar_type())}) should be the same"
        )
    check_batch(input, dims, name)
    if input.dim() == dims + 2:
        return convolution(
            input, weight, bias, stride, padding, dilation, transposed, output_padding, groups
        )
    return squeeze_dim(
        convolution(
            unsqueeze(input, 0),
            weight,
            bias,
            stride,
            padding,
            dilation,
            transposed,
            output_padding,
            groups,
        ),
        0,
    )


def conv_padded(
    input: Tensor,
    weight: Tensor,
    bias: "Tensor?",
    stride: "int[]",
    padding: str,
    dilation: "int[]",
    groups: int,
    dims: int,
    name: str,
) -> Tensor:
    """Convolve with padding "valid" (none) or "same" (keeps the size).

    If "same" pads by an odd total, the extra element goes to the end.
    """
    check_batch(input, dims, name)
    if input.dim() == dims + 1:
        return squeeze_dim(
            conv_of_batch(
                unsqueeze(input, 0), weight, bias, stride, padding, dilation, groups, dims
            ),
            0,
        )
    return conv_of_batch(input, weight, bias, stride, padding, dilation, groups, dims)


def conv_of_batch(
    input: Tensor,
    weight: Tensor,
    bias: "Tensor?",
    stride: "int[]",
    padding: str,
    dilation: "int[]",
    groups: int,
    dims: int,
) -> Tensor:
    """Convolve an input with a batch dimension, for conv_padded."""
    none = (0,) * dims
    if padding == "valid":
        return convolution(input, weight, bias, stride, none, dilation, False, none, groups)
    if padding != "same":
        raise RuntimeError("Invalid padding string: '" + padding + "'")
    if weight.dim() < 3:
        raise RuntimeError("weight should have at least three dimensions")
    if groups <= 0:
        raise RuntimeError("non-positive groups is not supported")
    if weight.dim() != input.dim():
        raise RuntimeError(
            f"Expected {weight.dim()}-dimensional input for {weight.dim()}-dimensional weight"
            f"{list(weight.sizes())}, but got {input.dim()}-dimensional input of size "
            f"{list(input.sizes())} instead"
        )
    if max(stride) != 1 or min(stride) != 1:
        raise RuntimeError("padding='same' is not supported for strided convolutions")
    if min(dilation) < 0:
        raise RuntimeError("dilation should be greater than zero")
    before = ()
    extra = ()
    for k in range(dims):
        total = dilation[k] * (weight.size(k + 2) - 1)
        before = before + (total // 2,)
        extra = (0, total % 2) + extra
    if max(extra) == 0:
        return convolution(input, weight, bias, stride, before, dilation, False, none, groups)
    warn_of_padded_copy()
    padded = constant_pad_nd(input, extra, 0)
    return convolution(padded, weight, bias, stride, before, dilation, False, none, groups)
