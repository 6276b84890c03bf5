"""`GradScaler`: scales losses so that small gradients do not underflow in half precision."""

import enum
import inspect
import warnings
from collections import defaultdict
from collections.abc import Iterable

from minitorch._tensor import Tensor
from minitorch.amp._scaling import (
    _amp_foreach_non_finite_check_and_unscale_,
    _amp_update_scale_,
)
from minitorch.autograd.functions.creation import full
from minitorch.autograd.grad_mode import no_grad
from minitorch.core.dtype import _dtypes
from minitorch.core.types import cpu as _cpu

__all__ = ["GradScaler", "OptState"]


class OptState(enum.Enum):
    """The state of an optimizer between two calls of `GradScaler.update`."""

    READY = 0
    UNSCALED = 1
    STEPPED = 2


def _refresh_per_optimizer_state():
    return {"stage": OptState.READY, "found_inf_per_device": {}}


class GradScaler:
    """Scale losses, unscale gradients, and skip steps whose gradients are not finite.

    Parameters
    ----------
    device : str
        ``"cpu"``. For devices that are not available, the scaler warns and is disabled.
    init_scale : float
        The initial scale.
    growth_factor, backoff_factor : float
        The factors of the scale after `growth_interval` consecutive finite steps, and after a step
        that is not finite.
    growth_interval : int
    enabled : bool
        If False, every method passes its argument through.

    Examples
    --------
    >>> import minitorch as torch
    >>> w = torch.ones(2, requires_grad=True)
    >>> optimizer = torch.optim.SGD([w], lr=0.5)
    >>> scaler = torch.amp.GradScaler("cpu")
    >>> scaler.scale((w * w).sum()).backward()
    >>> scaler.step(optimizer)
    >>> scaler.update()
    >>> w
    tensor([0., 0.], requires_grad=True)
    """

    def __init__(
        self,
        device="cuda",
        init_scale=2.0**16,
        growth_factor=2.0,
        backoff_factor=0.5,
        growth_interval=2000,
        enabled=True,
    ):
        self._device = device
        self._enabled = enabled
        if device == "cuda" and enabled:
            warnings.warn(
                "torch.cuda.amp.GradScaler is enabled, but CUDA is not available.  Disabling.",
                stacklevel=2,
            )
            self._enabled = False
        if not self._enabled:
            return
        if not growth_factor > 1.0:
            raise AssertionError("The growth factor must be > 1.0.")
        if not backoff_factor < 1.0:
            raise AssertionError("The backoff factor must be < 1.0.")
        self._init_scale = init_scale
        self._scale = None
        self._growth_factor = growth_factor
        self._backoff_factor = backoff_factor
        self._growth_interval = growth_interval
        self._init_growth_tracker = 0
        self._growth_tracker = None
        self._per_optimizer_states = defaultdict(_refresh_per_optimizer_state)

    def _lazy_init_scale_growth_tracker(self, dev):
        if self._growth_tracker is not None:
            raise AssertionError("_growth_tracker initialized before _scale")
        self._scale = full((), self._init_scale, dtype=_dtypes()["float32"], device=dev)
        self._growth_tracker = full(
            (), self._init_growth_tracker, dtype=_dtypes()["int32"], device=dev
        )

    def _scale_as_tensor(self):
        if self._scale is None:
            self._lazy_init_scale_growth_tracker(_cpu)
        return self._scale

    def _check_scale(self, method):
        if self._scale is None:
            raise AssertionError(
                f"Attempted {method} but _scale is None.  This may indicate your script did not use "
                "scaler.scale(loss or outputs) earlier in the iteration."
            )

    def scale(self, outputs):
        """Multiply a tensor, or each tensor of an iterable, by the scale."""
        if not self._enabled:
            return outputs
        if isinstance(outputs, Tensor):
            return outputs * self._scale_as_tensor()
        if isinstance(outputs, Iterable):
            scaled = map(self.scale, outputs)
            return type(outputs)(scaled) if isinstance(outputs, (list, tuple)) else scaled
        raise ValueError("outputs must be a Tensor or an iterable of Tensors")

    def unscale_(self, optimizer):
        """Divide the gradients of the optimizer's parameters by the scale, e.g. to clip them."""
        if not self._enabled:
            return
        self._check_scale("unscale_")
        state = self._per_optimizer_states[id(optimizer)]
        if state["stage"] is OptState.UNSCALED:
            raise RuntimeError(
                "unscale_() has already been called on this optimizer since the last update()."
            )
        if state["stage"] is OptState.STEPPED:
            raise RuntimeError("unscale_() is being called after step().")
        # computed in float64, since the reciprocal of a small scale may overflow in float32
        inverse = self._scale.double().reciprocal().float()
        found_inf = full((), 0.0, dtype=_dtypes()["float32"])
        state["found_inf_per_device"] = self._unscale_grads_(optimizer, inverse, found_inf, False)
        state["stage"] = OptState.UNSCALED

    @no_grad()
    def _unscale_grads_(self, optimizer, inv_scale, found_inf, allow_fp16):
        """Unscale the gradients and return `found_inf` by device; empty without gradients."""
        gradients = []
        for group in optimizer.param_groups:
            for parameter in group["params"]:
                if parameter.grad is None:
                    continue
                half = parameter.grad.dtype is _dtypes()["float16"]
                if half and not allow_fp16:
                    raise ValueError("Attempting to unscale FP16 gradients.")
                if parameter.grad.is_sparse:
                    # coalescing adds up values, and the sums may not be finite
                    if half:
                        parameter.grad = parameter.grad.coalesce()
                    gradients.append(parameter.grad._values())
                else:
                    gradients.append(parameter.grad)
        if not gradients:
            return {}
        _amp_foreach_non_finite_check_and_unscale_(gradients, found_inf, inv_scale)
        return {_cpu: found_inf}

    def _check_inf_per_device(self, optimizer):
        """Check the gradients of an optimizer for non-finite values without modifying them."""
        self._check_scale("_check_inf_per_device")
        one, found_inf = (full((), x, dtype=_dtypes()["float32"]) for x in (1.0, 0.0))
        state = self._per_optimizer_states[id(optimizer)]
        state["found_inf_per_device"] = self._unscale_grads_(optimizer, one, found_inf, True)
        return state["found_inf_per_device"]

    def _found_inf_per_device(self, optimizer):
        return self._per_optimizer_states[id(optimizer)]["found_inf_per_device"]

    def step(self, optimizer, *args, **kwargs):
        """Call ``optimizer.step`` if the gradients are finite, and return its result."""
        if not self._enabled:
            return optimizer.step(*args, **kwargs)
        if "closure" in kwargs:
            raise RuntimeError("Closure use is not currently supported if GradScaler is enabled.")
        self._check_scale("step")
        state = self._per_optimizer_states[id(optimizer)]
        if state["stage"] is OptState.STEPPED:
            raise RuntimeError("step() has already been called since the last update().")
        if getattr(optimizer, "_step_supports_amp_scaling", False):
            return self._let_unscale(optimizer, state, args, kwargs)
        if state["stage"] is OptState.READY:
            self.unscale_(optimizer)
        if not state["found_inf_per_device"]:
            raise AssertionError("No inf checks were recorded for this optimizer.")
        result = self._maybe_opt_step(optimizer, state, *args, **kwargs)
        state["stage"] = OptState.STEPPED
        return result

    def _maybe_opt_step(self, optimizer, optimizer_state, *args, **kwargs):
        if any(found.item() for found in optimizer_state["found_inf_per_device"].values()):
            return None
        return optimizer.step(*args, **kwargs)

    def _let_unscale(self, optimizer, state, args, kwargs):
        """Call the step of an optimizer that unscales gradients itself.

        The scale is passed as an argument or by two attributes.
        """
        if "grad_scaler" in inspect.signature(optimizer.step).parameters:
            warnings.warn(
                "GradScaler is going to stop passing itself as a keyword argument to the passed "
                "optimizer. In the near future GradScaler registers `grad_scale: Tensor` and "
                "`found_inf: Tensor` to the passed optimizer and let the optimizer use them directly.",
                FutureWarning,
                stacklevel=3,
            )
            result = optimizer.step(*args, **kwargs, grad_scaler=self)
            state["stage"] = OptState.STEPPED
            return result
        if state["stage"] is OptState.READY:
            self._check_inf_per_device(optimizer)
        given = getattr(optimizer, "grad_scale", None)
        if state["stage"] is OptState.READY:
            given = self._scale * (1 if given is None else given)
        optimizer.grad_scale = given
        optimizer.found_inf = sum(state["found_inf_per_device"].values())
        result = optimizer.step(*args, **kwargs)
        state["stage"] = OptState.STEPPED
        del optimizer.grad_scale
        del optimizer.found_inf
        return result

    def update(self, new_scale=None):
        """Update the scale from the results of the steps since the last call.

        Parameters
        ----------
        new_scale : float or Tensor, optional
            The new scale, in place of the automatic update.
        """
        if not self._enabled:
            return
        self._check_scale("update")
        if new_scale is not None:
            self._set_scale(new_scale)
        else:
            found = [
                found_inf
                for state in self._per_optimizer_states.values()
                for found_inf in state["found_inf_per_device"].values()
            ]
            if not found:
                raise AssertionError("No inf checks were recorded prior to update.")
            _amp_update_scale_(
                self._scale,
                self._growth_tracker,
                sum(found),
                self._growth_factor,
                self._backoff_factor,
                self._growth_interval,
            )
        self._per_optimizer_states = defaultdict(_refresh_per_optimizer_state)

    def _set_scale(self, new_scale):
        if isinstance(new_scale, float):
            self._scale.fill_(new_scale)
        elif new_scale.device == _cpu and new_scale.numel() == 1 and not new_scale.requires_grad:
            self._scale.copy_(new_scale)
        else:
            raise AssertionError(
                "new_scale should be a float or a 1-element torch.cuda.FloatTensor or "
                "torch.FloatTensor with requires_grad=False."
            )

    def get_scale(self):
        """Return the scale; 1 if the scaler is disabled."""
        if not self._enabled:
            return 1.0
        return self._init_scale if self._scale is None else self._scale.item()

    def get_growth_factor(self):
        """Return the growth factor."""
        return self._growth_factor

    def set_growth_factor(self, new_factor):
        """Set the growth factor."""
        self._growth_factor = new_factor

    def get_backoff_factor(self):
        """Return the factor applied after a step that is not finite."""
        return self._backoff_factor

    def set_backoff_factor(self, new_factor):
        """Set the factor applied after a step that is not finite."""
        self._backoff_factor = new_factor

    def get_growth_interval(self):
        """Return the number of consecutive finite steps after which the scale grows."""
        return self._growth_interval

    def set_growth_interval(self, new_interval):
        """Set the number of consecutive finite steps after which the scale grows."""
        self._growth_interval = new_interval

    def _get_growth_tracker(self):
        if not self._enabled:
            return 0
        return self._init_growth_tracker if self._scale is None else self._growth_tracker.item()

    def is_enabled(self):
        """Return True if the scaler is enabled."""
        return self._enabled

    def state_dict(self):
        """Return the state for `load_state_dict`; empty if the scaler is disabled."""
        if not self._enabled:
            return {}
        return {
            "scale": self.get_scale(),
            "growth_factor": self._growth_factor,
            "backoff_factor": self._backoff_factor,
            "growth_interval": self._growth_interval,
            "_growth_tracker": self._get_growth_tracker(),
        }

    def load_state_dict(self, state_dict):
        """Load a state returned by `state_dict`."""
        if not self._enabled:
            return
        if not state_dict:
            raise RuntimeError(
                "The source state dict is empty, possibly because it was saved from a disabled "
                "instance of GradScaler."
            )
        self._init_scale = state_dict["scale"]
        self._growth_factor = state_dict["growth_factor"]
        self._backoff_factor = state_dict["backoff_factor"]
        self._growth_interval = state_dict["growth_interval"]
        self._init_growth_tracker = state_dict["_growth_tracker"]
        if self._scale is not None:
            self._scale.fill_(state_dict["scale"])
            self._growth_tracker.fill_(state_dict["_growth_tracker"])

    def __getstate__(self):
        state = self.__dict__.copy()
        if self._enabled:
            if self._per_optimizer_states:
                raise AssertionError(
                    "A GradScaler instance may only be pickled at the beginning of an iteration, or "
                    "at the end after scaler.update()."
                )
            state["_init_scale"] = self.get_scale()
            state["_init_growth_tracker"] = self._get_growth_tracker()
            state["_scale"] = state["_growth_tracker"] = None
        return state

    def __setstate__(self, state):
        self.__dict__.update(state)
