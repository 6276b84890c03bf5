"""The two operators of `GradScaler`: unscale and check gradients, and update the scale."""

from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.grad_mode import no_grad
from minitorch.core.dtype import _dtypes
from minitorch.parsing.parser import bind

__all__ = ["_amp_foreach_non_finite_check_and_unscale_", "_amp_update_scale_"]

_float32, _int32 = _dtypes()["float32"], _dtypes()["int32"]

_UNSCALE = [
    "_amp_foreach_non_finite_check_and_unscale_(TensorList self, Tensor found_inf, Tensor inv_scale)"
]
_UPDATE = [
    "_amp_update_scale_(Tensor input, Tensor growth_tracker, Tensor found_inf, "
    "double scale_growth_factor, double scale_backoff_factor, int64_t growth_interval)"
]


def _check(name, tensor, dtype):
    if tensor.numel() != 1:
        raise RuntimeError(f"{name} must be a 1-element tensor.")
    if tensor.dtype is not dtype:
        kind = "a float" if dtype is _float32 else "an int"
        raise RuntimeError(f"{name} must be {kind} tensor.")


@no_grad()
def _amp_foreach_non_finite_check_and_unscale_(*args, **kwargs):
    """Multiply gradients by a factor, and set `found_inf` to 1 if any element is not finite.

    Parameters
    ----------
    self : list of Tensor
        The gradients.
    found_inf, inv_scale : Tensor
        Tensors of one float32 element. With a factor of 1 the gradients are not modified.
    """
    name = "_amp_foreach_non_finite_check_and_unscale_"
    _, (gradients, found_inf, inv_scale) = bind(_UNSCALE, args, kwargs, name=name)
    _check("inv_scale", inv_scale, _float32)
    _check("found_inf", found_inf, _float32)
    for gradient in gradients:
        if not gradient.is_floating_point():
            raise NotImplementedError(
                f'"{name.removesuffix("_")}_cpu" not implemented for '
                f"'{gradient.dtype._class_name}'"
            )
    factor = inv_scale.item()
    for gradient in gradients:
        if not bool(_ops.isfinite(gradient).all()):
            found_inf.fill_(1)
        if factor != 1:
            gradient.mul_(factor)


@no_grad()
def _amp_update_scale_(*args, **kwargs):
    """Update the scale for the next step, in place.

    Parameters
    ----------
    input : Tensor
        The scale, one float32 element. It does not grow to infinity.
    growth_tracker : Tensor
        The number of consecutive finite steps, one int32 element.
    found_inf : Tensor
        Nonzero if the gradients of this step were not finite.
    scale_growth_factor, scale_backoff_factor : float
    growth_interval : int

    Returns
    -------
    Tensor
        `input`.
    """
    _, (scale, tracker, found_inf, growth, backoff, interval) = bind(
        _UPDATE, args, kwargs, name="_amp_update_scale_"
    )
    _check("growth_tracker", tracker, _int32)
    _check("current_scale", scale, _float32)
    _check("found_inf", found_inf, _float32)
    if found_inf.item():
        scale.mul_(backoff)
        tracker.zero_()
        return scale
    steps = tracker.item() + 1
    if steps == interval:
        grown = scale * growth
        if bool(_ops.isfinite(grown)):
            scale.copy_(grown)
        steps = 0
    tracker.fill_(steps)
    return scale
