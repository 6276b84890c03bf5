"""Modules that infer the sizes of their parameters in the first call.

Until then, the parameters are `UninitializedParameter`s. The first call allocates and initializes
them, and turns the module into an instance of the ordinary class.
"""

from minitorch.autograd.grad_mode import no_grad
from minitorch.core.dtype import _dtypes
from minitorch.nn._making import tensor
from minitorch.nn.modules import conv, normalization
from minitorch.nn.modules.linear import Linear
from minitorch.nn.parameter import UninitializedBuffer, UninitializedParameter, is_lazy


class LazyModuleMixin:
    """Mixin that makes a module lazy: ``class LazyLinear(LazyModuleMixin, Linear)``.

    A subclass creates its parameters of unknown shape as `UninitializedParameter`s and materializes
    them in `initialize_parameters`. `cls_to_become` is the class of the module after the first
    call.
    """

    cls_to_become: type | None = None

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self._load_hook = self.register_load_state_dict_pre_hook(type(self)._lazy_load_hook)
        self._initialize_hook = self.register_forward_pre_hook(
            type(self)._infer_parameters, with_kwargs=True
        )

    def _save_to_state_dict(self, destination, prefix, keep_vars):
        super()._save_to_state_dict(destination, prefix, True)
        if keep_vars:
            return
        for name, value in (*self._parameters.items(), *self._buffers.items()):
            if prefix + name in destination and not is_lazy(value):
                destination[prefix + name] = value.detach()

    def _lazy_load_hook(self, state_dict, prefix, *rest):
        """Give uninitialized parameters the shape of the values that are about to be loaded."""
        for name, value in (*self._parameters.items(), *self._buffers.items()):
            given = state_dict.get(prefix + name)
            if is_lazy(value) and given is not None and not is_lazy(given):
                value.materialize(given.shape)

    def initialize_parameters(self, *args, **kwargs):
        """Materialize the parameters for the arguments of the first call; subclasses override."""
        raise NotImplementedError(
            f"initialize_parameters is not implemented for {type(self).__name__}"
        )

    def has_uninitialized_params(self):
        """Check whether a parameter or buffer is uninitialized."""
        return any(map(is_lazy, (*self._parameters.values(), *self._buffers.values())))

    def _infer_parameters(self, args, kwargs=None):
        self.initialize_parameters(*args, **(kwargs or {}))
        if self.has_uninitialized_params():
            raise RuntimeError(f"module {self._get_name()} has not been fully initialized")
        self._initialize_hook.remove()
        self._load_hook.remove()
        del self._initialize_hook, self._load_hook
        if self.cls_to_become is not None:
            self.__class__ = self.cls_to_become


class LazyLinear(LazyModuleMixin, Linear):
    """Apply a `Linear` that infers `in_features` from its first input.

    The first input has the shape ``(*, in_features)``. After the first call the layer is a `Linear`.

    Parameters
    ----------
    out_features : int
        The size of the last dimension of the output.
    bias : bool, default True
        Learn a bias.
    device, dtype : optional
        Where the parameters are stored ("cpu" or "meta"), and their dtype; by default that of
        `torch.get_default_dtype()`.

    Examples
    --------
    >>> import minitorch as torch
    >>> layer = torch.nn.LazyLinear(3)
    >>> layer(torch.zeros(1, 2)).shape
    torch.Size([1, 3])
    >>> layer
    Linear(in_features=2, out_features=3, bias=True)
    """

    cls_to_become = Linear

    def __init__(self, out_features, bias=True, device=None, dtype=None):
        super().__init__(0, 0, False, device, dtype)
        self.weight = UninitializedParameter(device=device, dtype=dtype)
        self.out_features = out_features
        if bias:
            self.bias = UninitializedParameter(device=device, dtype=dtype)

    def reset_parameters(self):
        """Reset the parameters as `Linear` does, once they are initialized."""
        if not self.has_uninitialized_params() and self.in_features != 0:
            super().reset_parameters()

    def initialize_parameters(self, input):
        if self.has_uninitialized_params():
            with no_grad():
                self.in_features = input.shape[-1]
                self.weight.materialize((self.out_features, self.in_features))
                if self.bias is not None:
                    self.bias.materialize((self.out_features,))
                self.reset_parameters()
        if self.in_features == 0:  # loaded, not inferred
            if input.shape[-1] != self.weight.shape[-1]:
                raise AssertionError(
                    f"The in_features inferred from input: {input.shape[-1]} is not equal to "
                    f"in_features from self.weight: {self.weight.shape[-1]}"
                )
            self.in_features = input.shape[-1]


class _LazyConvXdMixin(LazyModuleMixin):
    def reset_parameters(self):
        """Reset the parameters as the convolution does, once they are initialized."""
        if not self.has_uninitialized_params() and self.in_channels != 0:
            super().reset_parameters()

    def _become_lazy(self, out_channels, bias, device, dtype):
        self.out_channels = out_channels
        self.weight = UninitializedParameter(device=device, dtype=dtype)
        if bias:
            self.bias = UninitializedParameter(device=device, dtype=dtype)

    def initialize_parameters(self, input, *args, **kwargs):
        if not self.has_uninitialized_params():
            return
        if input.dim() not in (self.dims + 1, self.dims + 2):
            raise RuntimeError(
                f"Expected {self.dims + 1}D (unbatched) or {self.dims + 2}D (batched) input to "
                f"{type(self).__name__}, but got input of size: {input.shape}"
            )
        self.in_channels = input.shape[-self.dims - 1]
        if self.in_channels % self.groups != 0:
            raise ValueError("in_channels must be divisible by groups")
        first, second = self.out_channels, self.in_channels // self.groups
        if self.transposed:
            first, second = self.in_channels, self.out_channels // self.groups
        self.weight.materialize((first, second, *self.kernel_size))
        if self.bias is not None:
            self.bias.materialize((self.out_channels,))
        self.reset_parameters()


class _LazyForward(_LazyConvXdMixin):
    def __init__(
        self,
        out_channels,
        kernel_size,
        stride=1,
        padding=0,
        dilation=1,
        groups=1,
        bias=True,
        padding_mode="zeros",
        device=None,
        dtype=None,
    ):
        super().__init__(0, 0, kernel_size, stride, padding, dilation, groups, False, padding_mode,
                         device, dtype)  # fmt: skip
        self._become_lazy(out_channels, bias, device, dtype)


class _LazyTransposed(_LazyConvXdMixin):
    def __init__(
        self,
        out_channels,
        kernel_size,
        stride=1,
        padding=0,
        output_padding=0,
        groups=1,
        bias=True,
        dilation=1,
        padding_mode="zeros",
        device=None,
        dtype=None,
    ):
        super().__init__(0, 0, kernel_size, stride, padding, output_padding, groups, False, dilation,
                         padding_mode, device, dtype)  # fmt: skip
        self._become_lazy(out_channels, bias, device, dtype)


def _lazy_conv(base, mixin):
    name = "Lazy" + base.__name__
    sizes = ", ".join(["4"] * base.dims)
    more = ", output_padding" if mixin is _LazyTransposed else ""
    text = f"""Apply a `{base.__name__}` that infers `in_channels` from its first input.

    The first input has {base.dims} dimensions for space, one for channels, and perhaps one for a batch. After the
    first call the layer is a `{base.__name__}`.

    Parameters
    ----------
    out_channels : int
    kernel_size, stride, padding, dilation, groups, bias{more}
        As for `{base.__name__}`.
    padding_mode : str, default "zeros"
    device, dtype : optional
        Where the parameters are stored ("cpu" or "meta"), and their dtype.

    Raises
    ------
    RuntimeError
        When the first input has another number of dimensions.

    Examples
    --------
    >>> import minitorch as torch
    >>> layer = torch.nn.{name}(3, 1)
    >>> layer(torch.zeros(1, 2, {sizes})).shape
    torch.Size([1, 3, {sizes}])
    """
    body = {"__doc__": text, "__module__": __name__, "cls_to_become": base}
    return type(name, (mixin, base), body)


LazyConv1d = _lazy_conv(conv.Conv1d, _LazyForward)
LazyConv2d = _lazy_conv(conv.Conv2d, _LazyForward)
LazyConv3d = _lazy_conv(conv.Conv3d, _LazyForward)
LazyConvTranspose1d = _lazy_conv(conv.ConvTranspose1d, _LazyTransposed)
LazyConvTranspose2d = _lazy_conv(conv.ConvTranspose2d, _LazyTransposed)
LazyConvTranspose3d = _lazy_conv(conv.ConvTranspose3d, _LazyTransposed)


class _LazyNormBase(LazyModuleMixin):
    def __init__(
        self,
        eps=1e-5,
        momentum=0.1,
        affine=True,
        track_running_stats=True,
        device=None,
        dtype=None,
        *,
        bias=True,
    ):
        super().__init__(0, eps, momentum, False, False, device, dtype, bias=False)
        self.affine = affine
        self.track_running_stats = track_running_stats
        if affine:
            self.weight = UninitializedParameter(device=device, dtype=dtype)
            if bias:
                self.bias = UninitializedParameter(device=device, dtype=dtype)
        if track_running_stats:
            self.running_mean = UninitializedBuffer(device=device, dtype=dtype)
            self.running_var = UninitializedBuffer(device=device, dtype=dtype)
            self.num_batches_tracked = tensor(0, device=device, dtype=_dtypes()["int64"])

    def reset_parameters(self):
        """Reset the parameters as the norm does, once they are initialized."""
        if not self.has_uninitialized_params() and self.num_features != 0:
            super().reset_parameters()

    def initialize_parameters(self, input):
        if not self.has_uninitialized_params():
            return
        self.num_features = input.shape[1]
        for value in (self.weight, self.bias, self.running_mean, self.running_var):
            if value is not None:
                value.materialize((self.num_features,))
        self.reset_parameters()


def _lazy_norm(base):
    name = "Lazy" + base.__name__
    sizes = ", ".join(["2"] * (base.dims[-1] - 2))
    text = f"""Apply a `{base.__name__}` that infers `num_features` from its first input.

    The number of features is the size of the second dimension. After the first call the layer is a
    `{base.__name__}`.

    Parameters
    ----------
    eps, momentum, affine, track_running_stats, bias
        As for `{base.__name__}`.
    device, dtype : optional
        Where the parameters are stored ("cpu" or "meta"), and their dtype.

    Examples
    --------
    >>> import minitorch as torch
    >>> layer = torch.nn.{name}()
    >>> layer(torch.zeros(2, 3, {sizes})).shape
    torch.Size([2, 3, {sizes}])
    """
    body = {"__doc__": text, "__module__": __name__, "cls_to_become": base}
    return type(name, (_LazyNormBase, base), body)


LazyBatchNorm1d = _lazy_norm(normalization.BatchNorm1d)
LazyBatchNorm2d = _lazy_norm(normalization.BatchNorm2d)
LazyBatchNorm3d = _lazy_norm(normalization.BatchNorm3d)
LazyInstanceNorm1d = _lazy_norm(normalization.InstanceNorm1d)
LazyInstanceNorm2d = _lazy_norm(normalization.InstanceNorm2d)
LazyInstanceNorm3d = _lazy_norm(normalization.InstanceNorm3d)
