"""Calls by name of operators that have no row in derivatives/."""

import math

from minitorch._tensor import Tensor
from minitorch.autograd.grad_mode import enable_grad
from minitorch.composed.linalg_support import check_errors
from minitorch.namespace import public


def call_composed(overload, args, kwargs):
    """Call the function or method that has an operator's name.

    Raises
    ------
    NotImplementedError
        There is no such function or method.
    """
    name = overload._opname
    own = _OWN.get(name)
    if own is not None:
        return own(*args, **kwargs)
    if name in _TAKE_TENSORS and len(args) == 1 and isinstance(args[0], (list, tuple)):
        args = args[0]
    kwargs = {
        key: value for key, value in kwargs.items() if not (key == "pin_memory" and not value)
    }
    outs = [a.name for a in overload._schema.arguments if a.is_out]
    if len(outs) > 1:
        kwargs["out"] = tuple(kwargs.pop(name) for name in outs)
    place, _, rest = name.partition("_")
    function = public.names.get(name)
    if callable(function):
        return function(*args, **_with_reduction(overload._schema, args, kwargs))
    function = getattr(public.names["nn"].functional, name, None)
    if callable(function):
        return function(*args, **kwargs)
    if place in ("special", "linalg", "fft"):
        function = getattr(public.names[place], rest, None)
        if function is not None:
            return function(*args, **kwargs)
    if args and isinstance(args[0], Tensor) and callable(getattr(Tensor, name, None)):
        return getattr(args[0], name)(*args[1:], **kwargs)
    raise NotImplementedError(f"{overload} is not an operator of minitorch")


def _with_reduction(schema, args, kwargs):
    """Return the keywords, with the operator's default reduction if the call gives none.

    The namespace's functions default to no reduction, operators to the mean.
    """
    for place, a in enumerate(schema.arguments):
        if a.name == "reduction" and place >= len(args) and a.has_default_value():
            return {"reduction": a.default_value, **kwargs}
    return kwargs


# functions that take tensors as separate arguments, where the operators take one list
_TAKE_TENSORS = ("block_diag", "broadcast_tensors", "cartesian_prod", "chain_matmul")


def _batch_norm_with_update(input, weight, bias, running_mean, running_var, momentum, eps):
    statistics = (running_mean, running_var, True, momentum, eps)
    results = public.names["native_batch_norm"](input, weight, bias, *statistics)
    return *results, input.new_empty(0, dtype=public.names["uint8"])


def _upsample_bilinear2d_aa(
    self, output_size, align_corners, scales_h=None, scales_w=None, scale_factors=None
):
    if scale_factors is None:
        from minitorch.nn._upsampling import filtered

        scales = (scales_h, scales_w)
        return filtered(self, tuple(output_size), scales, "bilinear", True, align_corners)
    return public.names["nn"].functional.interpolate(
        self,
        None if output_size is None else tuple(output_size),
        None if scale_factors is None else tuple(scale_factors),
        mode="bilinear",
        align_corners=align_corners,
        antialias=True,
    )


def _new_zeros_with_same_feature_meta(self, other, *, self_num_batch_dims=0):
    lead = self.shape[:self_num_batch_dims]
    numel = other.untyped_storage().nbytes() // other.element_size()
    size, stride = [*lead, *other.shape], list(other.stride())
    step = numel
    for length in reversed(lead):
        stride.insert(0, step)
        step *= max(length, 1)
    zeros = other.new_zeros(numel * math.prod(lead))
    return zeros.as_strided(size, stride, other.storage_offset())


_REDUCTIONS = ("none", "mean", "sum")


def _multi_margin_loss(self, target, p=1, margin=1, weight=None, reduction=1):
    return public.names["nn"].functional.multi_margin_loss(
        self, target, p, margin, weight, reduction=_REDUCTIONS[reduction]
    )


def _gradient(function):
    """Return the operator that computes the gradient of a function's first argument."""

    def backward(grad_output, self, *args, **kwargs):
        x = self.detach().requires_grad_()
        with enable_grad():
            y = function(x, *args, **kwargs)
        return public.names["autograd"].grad(y, x, grad_output)[0]

    return backward


def _log_sigmoid_forward(self):
    return public.names["nn"].functional.logsigmoid(self), self.abs().neg().exp()


def _max_unpool2d(self, indices, output_size):
    return _put_back(2, self, indices, tuple(output_size))


def _max_unpool3d(self, indices, output_size, stride, padding):
    return _put_back(3, self, indices, tuple(output_size))


def _put_back(*args):
    from minitorch.nn._unpooling import _put_back

    return _put_back(*args)


def _foobar(self, arg1=True, arg2=True, *, arg3=True):
    """Return `self`: this is PyTorch's operator for tests of argument parsing."""
    return self


def _is_dense(self):
    """Return whether the elements fill their range of memory without gaps or overlaps."""
    expected = 1
    for step, length in sorted(zip(self.stride(), self.shape, strict=True)):
        if length != 1 and step != expected:
            return self.numel() == 0
        expected *= length
    return True


def _record_stream(self, s):
    raise NotImplementedError(
        "Could not run 'aten::record_stream' with arguments from the 'CPU' backend."
    )


def _fractional_max_pool(n):
    def pool(self, kernel_size, output_size, random_samples):
        function = getattr(public.names["nn"].functional, f"fractional_max_pool{n}d_with_indices")
        return function(
            self, tuple(kernel_size), tuple(output_size), _random_samples=random_samples
        )

    return pool


def _multilabel_margin_loss_forward(self, target, reduction):
    loss = public.names["nn"].functional.multilabel_margin_loss(
        self, target, reduction=_REDUCTIONS[reduction]
    )
    labels = target.reshape(-1, target.shape[-1] if target.dim() else 1)
    known = ((labels == -1).long().cumsum(1) == 0).unsqueeze(2)
    classes = public.names["arange"](labels.shape[1], device=labels.device)
    is_target = ((labels.unsqueeze(2) == classes) & known).any(1)
    return loss, is_target.to(self.dtype).reshape(target.shape)


_OWN = {
    "fractional_max_pool2d": _fractional_max_pool(2),
    "fractional_max_pool3d": _fractional_max_pool(3),
    "multilabel_margin_loss_forward": _multilabel_margin_loss_forward,
    "_foobar": _foobar,
    "is_non_overlapping_and_dense": _is_dense,
    "is_strides_like_format": lambda self, memory_format: self.is_contiguous(
        memory_format=memory_format
    ),
    "record_stream": _record_stream,
    "sym_size": lambda self, dim=None: self.size() if dim is None else self.size(dim),
    "sym_stride": lambda self, dim=None: self.stride() if dim is None else self.stride(dim),
    "sym_numel": lambda self: self.numel(),
    "sym_storage_offset": lambda self: self.storage_offset(),
    "numpy_T": lambda self: self.T,
    "matrix_H": lambda self: self.H,
    "mT": lambda self: self.mT,
    "mH": lambda self: self.mH,
    "max_unpool2d": _max_unpool2d,
    "max_unpool3d": _max_unpool3d,
    "multi_margin_loss": _multi_margin_loss,
    "multi_margin_loss_backward": _gradient(_multi_margin_loss),
    "log_sigmoid_forward": _log_sigmoid_forward,
    "log_sigmoid_backward": lambda grad_output, self, buffer: grad_output * (-self).sigmoid(),
    "_new_zeros_with_same_feature_meta": _new_zeros_with_same_feature_meta,
    "_batch_norm_with_update": _batch_norm_with_update,
    "_linalg_check_errors": lambda info, api_name, *, is_matrix: check_errors(
        info, api_name, is_matrix
    ),
    "_upsample_bilinear2d_aa": _upsample_bilinear2d_aa,
    "_local_scalar_dense": lambda self: self.item(),
    "lift_fresh": lambda self: self,
    "lift": lambda self: self,
    "lift_fresh_copy": lambda self: self.clone(),
    "_reshape_alias": lambda self, size, stride: self.view(size),
}
