"""`Optimizer`: parameter groups, per-parameter state, and hooks.

A subclass calls ``super().__init__(params, defaults)`` and implements `step`. The base class wraps
that method once per class so that step hooks run around it. `_rule` contains what the optimizers of
this package share.
"""

import functools
from collections import OrderedDict, defaultdict
from collections.abc import Iterable
from copy import deepcopy
from typing import Any

from minitorch._tensor import Tensor
from minitorch.autograd.grad_mode import grad_mode_set_to
from minitorch.autograd.observe.profiled_blocks import named_block
from minitorch.core.dtype import _dtypes
from minitorch.core.error_pages import explained
from minitorch.optim._for_packages import (  # noqa: F401
    _capturable_doc,
    _device_dtype_check_for_fused,
    _differentiable_doc,
    _disable_dynamo_if_unsupported,
    _foreach_doc,
    _fused_doc,
    _maximize_doc,
    _params_doc,
    _stack_if_compiling,
    _view_as_real,
)
from minitorch.optim._groups import add_group, required, taken_over  # noqa: F401
from minitorch.tensors.tensor_types import typename
from minitorch.tensors.type_info import get_default_dtype
from minitorch.utils._foreach_utils import (  # noqa: F401
    _get_foreach_kernels_supported_devices,
    _get_fused_kernels_supported_devices,
)
from minitorch.utils.hooks import RemovableHandle

__all__ = ["Optimizer", "register_optimizer_step_post_hook", "register_optimizer_step_pre_hook"]

# the type of the argument `params`, for annotations in subclasses
ParamsT = Iterable[Tensor] | Iterable[dict[str, Any]] | Iterable[tuple[str, Tensor]]

_global_optimizer_pre_hooks: OrderedDict[int, Any] = OrderedDict()
_global_optimizer_post_hooks: OrderedDict[int, Any] = OrderedDict()
_HOOK_TABLES = tuple(
    f"_optimizer_{moment}_{side}_hooks"
    for moment in ("step", "state_dict", "load_state_dict")
    for side in ("pre", "post")
)


def _use_grad_for_differentiable(func):
    """Wrap `step` to record gradients only if the optimizer is differentiable."""

    @functools.wraps(func)
    def stepping(self, *args, **kwargs):
        with grad_mode_set_to(self.defaults.get("differentiable", False)):
            return func(self, *args, **kwargs)

    return stepping


def _get_value(x):
    return x.item() if isinstance(x, Tensor) else x


def _to_scalar(x):
    """Return a one-element tensor as a scalar tensor, and a number unchanged."""
    return x.squeeze() if isinstance(x, Tensor) and x.dim() != 0 else x


def _get_scalar_dtype(is_fused=None):
    """Return the dtype of step counters."""
    default = get_default_dtype()
    return default if default == _dtypes()["float64"] and not is_fused else _dtypes()["float32"]


def _default_to_fused_or_foreach(params, differentiable, use_fused=False):
    """Return default values of `fused` and `foreach`; the latter is always False on the CPU."""
    fused = use_fused and not differentiable
    return fused and all(p is None or p.is_floating_point() for p in params), False


def _get_capturable_supported_devices(supports_xla=True):
    """Return the device types that support graph capture."""
    return ["cuda", "xpu", "hpu", "privateuseone", *(["xla"] if supports_xla else [])]


def _added(hooks, hook, prepend=False):
    handle = RemovableHandle(hooks)
    hooks[handle.id] = hook
    if prepend:
        hooks.move_to_end(handle.id, last=False)
    return handle


def register_optimizer_step_pre_hook(hook):
    """Call ``hook(optimizer, args, kwargs)`` before each step of every optimizer.

    Parameters
    ----------
    hook : callable
        A function that returns None, or a pair ``(args, kwargs)`` that replaces the arguments.

    Returns
    -------
    minitorch.utils.hooks.RemovableHandle
        A handle whose `remove` method unregisters the hook.

    Examples
    --------
    >>> import minitorch as torch
    >>> show = lambda optimizer, args, kwargs: print("before")
    >>> with register_optimizer_step_pre_hook(show):
    ...     torch.optim.SGD([torch.ones(1, requires_grad=True)]).step()
    before
    """
    return _added(_global_optimizer_pre_hooks, hook)


def register_optimizer_step_post_hook(hook):
    """Call ``hook(optimizer, args, kwargs)`` after each step of every optimizer.

    Parameters
    ----------
    hook : callable
        A function whose result is ignored.

    Returns
    -------
    minitorch.utils.hooks.RemovableHandle
        A handle whose `remove` method unregisters the hook.

    Examples
    --------
    >>> import minitorch as torch
    >>> show = lambda optimizer, args, kwargs: print("after")
    >>> with register_optimizer_step_post_hook(show):
    ...     torch.optim.SGD([torch.ones(1, requires_grad=True)]).step()
    after
    """
    return _added(_global_optimizer_post_hooks, hook)


class Optimizer:
    """The base class of all optimizers.

    Parameters
    ----------
    params : iterable of Tensor, of (str, Tensor) or of dict
        The parameters, optionally named, or parameter groups with their own options.
    defaults : dict
        The default options of the groups.

    Attributes
    ----------
    param_groups : list of dict
        The groups; each has ``"params"`` and all options.
    state : defaultdict
        The state of each parameter.

    Raises
    ------
    TypeError
        If `params` is a single tensor, or a parameter is not a tensor.
    ValueError
        If there are no parameters, a parameter is in two groups or is not a leaf, or only some are
        named.

    Examples
    --------
    >>> import minitorch as torch
    >>> class Halving(torch.optim.Optimizer):
    ...     def __init__(self, params):
    ...         super().__init__(params, {})
    ...
    ...     @torch.no_grad()
    ...     def step(self, closure=None):
    ...         for group in self.param_groups:
    ...             for p in group["params"]:
    ...                 p.mul_(0.5)
    >>> w = torch.ones(2, requires_grad=True)
    >>> Halving([w]).step()
    >>> w
    tensor([0.5000, 0.5000], requires_grad=True)
    """

    def __init__(self, params, defaults):
        self.defaults = defaults
        for table in _HOOK_TABLES:
            setattr(self, table, OrderedDict())
        self._patch_step_function()
        if isinstance(params, Tensor):
            raise explained(
                TypeError(
                    "params argument given to the optimizer should be an iterable of Tensors or dicts, "
                    "but got " + typename(params)
                ),
                "optimizer-single-tensor",
            )
        self.state = defaultdict(dict)
        self.param_groups = []
        groups = list(params)
        if not groups:
            raise explained(ValueError("optimizer got an empty parameter list"), "optimizer-empty")
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        for group in groups:
            self.add_param_group(group)

    def __getstate__(self):
        return {name: getattr(self, name) for name in ("defaults", "state", "param_groups")}

    def __setstate__(self, state):
        self.__dict__.update(state)
        for table in _HOOK_TABLES:
            self.__dict__.setdefault(table, OrderedDict())
        self._patch_step_function()
        self.defaults.setdefault("differentiable", False)

    def __repr__(self):
        lines = [f"{type(self).__name__} ("]
        for k, group in enumerate(self.param_groups):
            if k:
                lines.append("")
            lines.append(f"Parameter Group {k}")
            lines += [f"    {key}: {group[key]}" for key in sorted(group) if key != "params"]
        return "\n".join([*lines, ")"])

    def _accelerator_graph_capture_health_check(self):
        """Do nothing; subclasses written for PyTorch call this for accelerator graphs."""

    _cuda_graph_capture_health_check = _accelerator_graph_capture_health_check

    def _optimizer_step_code(self):
        """Do nothing; called between a step and its post hooks, for tracing tools."""

    @staticmethod
    def profile_hook_step(func):
        """Wrap a `step` method so that hooks run before and after it."""

        @functools.wraps(func)
        def wrapper(*args, **kwargs):
            self = args[0]
            before, after = self._optimizer_step_pre_hooks, self._optimizer_step_post_hooks
            for hook in [*_global_optimizer_pre_hooks.values(), *before.values()]:
                changed = hook(self, args, kwargs)
                if changed is None:
                    continue
                if not (isinstance(changed, tuple) and len(changed) == 2):
                    raise RuntimeError(
                        f"{func} must return None or a tuple of (new_args, new_kwargs), "
                        f"but got {changed}."
                    )
                args, kwargs = changed
            with named_block(f"Optimizer.step#{type(self).__name__}.step"):
                result = func(*args, **kwargs)
                self._optimizer_step_code()
                for hook in [*after.values(), *_global_optimizer_post_hooks.values()]:
                    hook(self, args, kwargs)
            return result

        return wrapper

    def _patch_step_function(self):
        cls = type(self)
        self._zero_grad_profile_name = f"Optimizer.zero_grad#{cls.__name__}.zero_grad"
        if not getattr(cls.step, "hooked", None):
            cls.step = self.profile_hook_step(cls.step)
            cls.step.hooked = True

    def register_step_pre_hook(self, hook):
        """Call ``hook(optimizer, args, kwargs)`` before each step; it may return new arguments."""
        return _added(self._optimizer_step_pre_hooks, hook)

    def register_step_post_hook(self, hook):
        """Call ``hook(optimizer, args, kwargs)`` after each step."""
        return _added(self._optimizer_step_post_hooks, hook)

    def register_state_dict_pre_hook(self, hook, prepend=False):
        """Call ``hook(optimizer)`` before `state_dict`; with `prepend`, before all other hooks."""
        return _added(self._optimizer_state_dict_pre_hooks, hook, prepend)

    def register_state_dict_post_hook(self, hook, prepend=False):
        """Call ``hook(optimizer, state_dict)`` after `state_dict`; it may return a replacement."""
        return _added(self._optimizer_state_dict_post_hooks, hook, prepend)

    def register_load_state_dict_pre_hook(self, hook, prepend=False):
        """Call ``hook(optimizer, state_dict)`` before loading; it may return a replacement."""
        return _added(self._optimizer_load_state_dict_pre_hooks, hook, prepend)

    def register_load_state_dict_post_hook(self, hook, prepend=False):
        """Call ``hook(optimizer)`` after `load_state_dict`."""
        return _added(self._optimizer_load_state_dict_post_hooks, hook, prepend)

    def state_dict(self):
        """Return the state and the groups, with parameters replaced by their index.

        Returns
        -------
        dict
            A dict with ``"state"``, keyed by the parameter's index, and ``"param_groups"``. Its
            tensors are shared with the optimizer, not copied.
        """
        for hook in self._optimizer_state_dict_pre_hooks.values():
            hook(self)
        numbers, groups, start = {}, [], 0
        for group in self.param_groups:
            packed = {key: value for key, value in group.items() if key != "params"}
            # the last index counts for a parameter that occurs twice
            known = set(numbers)
            for number, p in enumerate(group["params"], start):
                if id(p) not in known:
                    numbers[id(p)] = number
            packed["params"] = [numbers[id(p)] for p in group["params"]]
            start += len(packed["params"])
            groups.append(packed)
        state = {
            numbers[id(key)] if isinstance(key, Tensor) else key: value
            for key, value in self.state.items()
        }
        result = {"state": state, "param_groups": groups}
        for hook in self._optimizer_state_dict_post_hooks.values():
            changed = hook(self, result)
            result = result if changed is None else changed
        return result

    def load_state_dict(self, state_dict):
        """Load a state returned by `state_dict`.

        Parameters
        ----------
        state_dict : dict
            A state whose groups match the optimizer's in length. Tensors are converted to the
            parameter's dtype, except step counters. Tensors that already have that dtype are
            shared.

        Raises
        ------
        ValueError
            If the number or the lengths of the groups differ.
        """
        state_dict = state_dict.copy()
        for hook in self._optimizer_load_state_dict_pre_hooks.values():
            changed = hook(self, state_dict)
            state_dict = state_dict if changed is None else changed
        groups, saved = self.param_groups, deepcopy(state_dict["param_groups"])
        if len(groups) != len(saved):
            raise ValueError("loaded state dict has a different number of parameter groups")
        if any(len(a["params"]) != len(b["params"]) for a, b in zip(groups, saved, strict=True)):
            raise ValueError(
                "loaded state dict contains a parameter group that doesn't match the size of "
                "optimizer's group"
            )
        owners = {}
        for group, packed in zip(groups, saved, strict=True):
            narrow_steps = packed.get("fused") or packed.get("capturable")
            for number, p in zip(packed["params"], group["params"], strict=True):
                owners[number] = p, narrow_steps
        state = defaultdict(dict)
        for key, value in state_dict["state"].items():
            if key in owners:
                p, narrow_steps = owners[key]
                state[p] = taken_over(value, p, narrow_steps)
            else:
                state[key] = value
        for group, packed in zip(groups, saved, strict=True):
            packed["params"] = group["params"]
            if "param_names" in group:
                packed.setdefault("param_names", group["param_names"])
        self.__setstate__({"state": state, "param_groups": saved})
        for hook in self._optimizer_load_state_dict_post_hooks.values():
            hook(self)

    def zero_grad(self, set_to_none=True):
        """Reset the gradients of all parameters.

        Parameters
        ----------
        set_to_none : bool
            If True, set gradients to None. If False, detach them and fill them with zeros.
        """
        if not hasattr(self, "_zero_grad_profile_name"):
            self._patch_step_function()  # a subclass may not call `__init__`
        with named_block(self._zero_grad_profile_name):
            self._take_away_gradients(set_to_none)

    def _take_away_gradients(self, set_to_none):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                if set_to_none:
                    p.grad = None
                    continue
                if p.grad.grad_fn is not None:
                    p.grad.detach_()
                else:
                    p.grad.requires_grad_(False)
                p.grad.zero_()

    def step(self, closure=None):
        """Update the parameters once; implemented by subclasses.

        Parameters
        ----------
        closure : callable, optional
            A function that recomputes the loss and its gradients. Its result is returned.
        """
        raise NotImplementedError

    def add_param_group(self, param_group):
        """Add a parameter group, such as layers that are to be trained from now on.

        Parameters
        ----------
        param_group : dict
            ``"params"`` and options. Missing options are taken from the defaults.

        Raises
        ------
        TypeError, ValueError
            As for the constructor.
        """
        add_group(self, param_group)
