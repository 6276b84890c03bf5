"""Pooling along one dimension, and the derivative of max pooling's gradient."""


def gather_pooled(grad: Tensor, indices: Tensor, dims: int) -> Tensor:
    """Gather the gradients at the positions of the maxima."""
    lead = grad.sizes()[: grad.dim() - dims]
    each = numel_of(grad.sizes()[grad.dim() - dims :])
    windows = numel_of(indices.sizes()[indices.dim() - dims :])
    flat = gather(reshape(grad, lead + (each,)), len(lead), reshape(indices, lead + (windows,)))
    return reshape(flat, indices.sizes())


def mean_of_images(self: Tensor, dims: "int[]") -> Tensor:
    """Return the mean over whole images, in channels-last strides if the images have them."""
    mean = mean_dim(self, dims, True)
    if self.suggest_memory_format() == 0:
        return mean
    if is_sample(mean):  # PyTorch changes the strides of each sample, and the batch keeps its own
        tell_of(mean, "aten::as_strided_")
        return mean
    channels = self.size(1)
    return as_strided(mean, mean.sizes(), (channels, 1) + (channels,) * len(dims), None)


def pool1d_input(self: Tensor, name: str) -> Tensor:
    """Check the input and make it an image that is one row high."""
    if self.dim() != 2 and self.dim() != 3:
        raise RuntimeError(
            f"Expected 2 to 3 dimensions, but got {self.dim()}-dimensional tensor for argument #1 "
            f"'self' (while checking arguments for {name})"
        )
    return unsqueeze(self, -2)


def windowed_pool1d_input(
    self: Tensor, name: str, kernel_size: "int[]", stride: "int[]", padding: "int[]"
) -> Tensor:
    """Check the input and sizes of a one-dimensional pool, and make it an image one row high."""
    row = pool1d_input(self, name)
    for what, given in (("kernel_size", kernel_size), ("stride", stride), ("padding", padding)):
        if len(given) != 1 and (what != "stride" or len(given) > 1):
            raise RuntimeError(
                f"{name}() argument '{what}' should contain one int (got {len(given)})"
            )
    return row


def adaptive_pool1d_input(self: Tensor, output_size: "int[]", name: str) -> Tensor:
    """Check the input and output size of an adaptive pool, and make it an image one row high."""
    row = pool1d_input(self, name)
    if len(output_size) != 1:
        raise RuntimeError(
            f"{name}() argument 'output_size' should contain one int (got {len(output_size)})"
        )
    if name == "adaptive_max_pool1d":
        for d in range(1, self.dim()):
            if self.size(d) == 0:
                raise RuntimeError(
                    f"{name}(): Expected input to have non-zero size for non-batch dimensions, but "
                    f"input has sizes {list(self.sizes())} with dimension {d} being empty"
                )
    return row


def max_pool1d_input(
    self: Tensor,
    kernel_size: "int[]",
    stride: "int[]",
    padding: "int[]",
    dilation: "int[]",
    ceil_mode: bool,
) -> Tensor:
    """Check the arguments of max_pool1d, and make the input an image one row high.

    PyTorch has a kernel for floating-point inputs alone.
    """
    plane = self.sizes()[-2:]
    if (self.dim() != 2 and self.dim() != 3) or numel_of(plane) == 0:
        raise RuntimeError(
            "max_pool1d: Expected 2D or 3D (batch mode) tensor with optional 0 dim batch size for "
            f"input, but got:{list(self.sizes())}"
        )
    if len(kernel_size) != 1:
        raise RuntimeError(
            "max_pool1d() kernel_size must be an int, list of ints or tuple of ints of size 1 but got "
            f"size {len(kernel_size)}"
        )
    if len(stride) > 1:
        raise RuntimeError(
            "max_pool1d() stride must be None, an int, list of ints, or tuple of ints of size 1 but got "
            f"size {len(stride)}"
        )
    if len(padding) != 1:
        raise RuntimeError(
            "max_pool1d() padding must be an int, list of ints, or tuple of ints of size 1 but got "
            f"size {len(padding)}"
        )
    if len(dilation) != 1:
        raise RuntimeError(
            "max_pool1d() dilation must be an int, list of ints or tuple of ints of size 1 but got "
            f"size {len(dilation)}"
        )
    k = kernel_size[0]
    s = stride[0] if len(stride) else k
    p = padding[0]
    d = dilation[0]
    if k <= 0:
        raise RuntimeError(f"max_pool1d() kernel_size must be greater than zero, but got {k}")
    if s <= 0:
        raise RuntimeError(f"max_pool1d() stride must be greater than zero, but got {s}")
    if p < 0:
        raise RuntimeError(f"max_pool1d() padding must be non-negative, but got {p}")
    if p > k // 2:
        raise RuntimeError(
            "max_pool1d() padding should be at most half of kernel size, but got "
            f"padding={p} and kernel_size={k}"
        )
    if d <= 0:
        raise RuntimeError(f"max_pool1d() dilation must be greater than zero, but got {d}")
    length = self.size(-1)
    windows = (length + 2 * p - d * (k - 1) - 1 + (s - 1 if ceil_mode else 0)) // s + 1
    if ceil_mode and (windows - 1) * s >= length + p:
        windows = windows - 1
    if windows <= 0:
        raise RuntimeError(f"max_pool1d() Invalid computed output size: {windows}")
    if not is_floating_code(self.scalar_type()) and not self.is_complex():
        raise NotImplementedError(
            f"\"max_pool1d_impl\" not implemented for '{class_name(self.scalar_type())}'"
        )
    return unsqueeze(self, -2)
