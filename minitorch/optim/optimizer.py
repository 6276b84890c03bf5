"""`Optimizer`: groups of parameters, the state of each, what all optimizers have in common."""

import warnings
from collections import OrderedDict, defaultdict
from copy import deepcopy

from minitorch._tensor import Tensor
from minitorch.autograd.grad_mode import enable_grad, no_grad
from minitorch.core.handles import RemovableHandle


class _Required:
    def __repr__(self):
        return "<required parameter>"


required = _Required()


class Optimizer:
    """The base class. A subclass gives the defaults of a group and `_update(group)`.

    Parameters
    ----------
    params : iterable of Tensor or of dict
        The parameters, or groups of them with options of their own.
    defaults : dict
        The options of groups that do not say otherwise.
    """

    def __init__(self, params, defaults):
        self.defaults = defaults
        self._step_pre_hooks = OrderedDict()
        self._step_post_hooks = OrderedDict()
        if isinstance(params, Tensor):
            raise TypeError(
                "params argument given to the optimizer should be an iterable of Tensors or dicts, "
                "but got " + params.type()
            )
        self.state = defaultdict(dict)
        self.param_groups = []
        groups = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        for group in groups:
            self.add_param_group(group)

    def add_param_group(self, param_group):
        """One more group; what it does not say is taken from the defaults."""
        if not isinstance(param_group, dict):
            raise TypeError(f"param_group must be a dict, but got {type(param_group)}")
        params = param_group["params"]
        if isinstance(params, Tensor):
            params = [params]
        elif isinstance(params, set):
            raise TypeError(
                "optimizer parameters need to be organized in ordered collections, but the ordering of "
                "tensors in sets will change between runs. Please use a list instead."
            )
        params = list(params)
        names = None
        if params and isinstance(params[0], tuple):
            names = [name for name, _ in params]
            params = [param for _, param in params]
        for param in params:
            if not isinstance(param, Tensor):
                raise TypeError(
                    "optimizer can only optimize Tensors, but one of the params is "
                    + type(param).__name__
                )
            if not self.defaults.get("differentiable", None) and not (
                param.is_leaf or param.retains_grad
            ):
                raise ValueError("can't optimize a non-leaf Tensor")
        for name, default in self.defaults.items():
            if default is required and name not in param_group:
                raise ValueError(
                    f"parameter group didn't specify a value of required optimization parameter {name}"
                )
            param_group.setdefault(name, default)
        if len({id(p) for p in params}) != len(params):
            warnings.warn(
                "optimizer contains a parameter group with duplicate parameters; in future, this will "
                "cause an error; see github.com/pytorch/pytorch/issues/40967 for more information",
                stacklevel=3,
            )
        known = {id(p) for group in self.param_groups for p in group["params"]}
        if not known.isdisjoint(id(p) for p in params):
            raise ValueError("some parameters appear in more than one parameter group")
        param_group["params"] = params
        if names is not None:
            param_group["param_names"] = names
        self.param_groups.append(param_group)

    def zero_grad(self, set_to_none=True):
        """Take the gradients away, or fill them with zeros."""
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
        """Change the parameters once.

        Parameters
        ----------
        closure : callable, optional
            Computes the loss again and its gradients; the loss is returned.
        """
        for hook in list(self._step_pre_hooks.values()):
            hook(self, (closure,), {})
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        with no_grad():
            for group in self.param_groups:
                self._update(group)
        for hook in list(self._step_post_hooks.values()):
            hook(self, (closure,), {})
        return loss

    def _update(self, group):
        """One step for one group."""
        raise NotImplementedError

    def register_step_pre_hook(self, hook):
        """Call ``hook(optimizer, args, kwargs)`` before each step."""
        handle = RemovableHandle(self._step_pre_hooks)
        self._step_pre_hooks[handle.id] = hook
        return handle

    def register_step_post_hook(self, hook):
        """Call ``hook(optimizer, args, kwargs)`` after each step."""
        handle = RemovableHandle(self._step_post_hooks)
        self._step_post_hooks[handle.id] = hook
        return handle

    def state_dict(self):
        """The state and the groups, parameters being numbers."""
        numbers, groups = {}, []
        for group in self.param_groups:
            packed = {key: value for key, value in group.items() if key != "params"}
            for p in group["params"]:
                numbers.setdefault(id(p), len(numbers))
            packed["params"] = [numbers[id(p)] for p in group["params"]]
            groups.append(packed)
        state = {
            numbers[id(key)] if isinstance(key, Tensor) else key: value
            for key, value in self.state.items()
        }
        return {"state": state, "param_groups": groups}

    def load_state_dict(self, state_dict):
        """Take over a state that `state_dict` has returned."""
        groups, saved = self.param_groups, state_dict["param_groups"]
        if len(groups) != len(saved):
            raise ValueError("loaded state dict has a different number of parameter groups")
        if any(len(a["params"]) != len(b["params"]) for a, b in zip(groups, saved, strict=True)):
            raise ValueError(
                "loaded state dict contains a parameter group that doesn't match the size of "
                "optimizer's group"
            )
        owners = {}
        for group, packed in zip(groups, saved, strict=True):
            owners.update(zip(packed["params"], group["params"], strict=True))
        self.state = defaultdict(dict)
        for key, value in state_dict["state"].items():
            if key in owners:
                self.state[owners[key]] = {
                    name: _taken_over(v, name, owners[key]) for name, v in value.items()
                }
            else:
                self.state[key] = value
        self.param_groups = [
            {
                **deepcopy({k: v for k, v in packed.items() if k != "params"}),
                "params": group["params"],
            }
            for group, packed in zip(groups, saved, strict=True)
        ]

    def __repr__(self):
        lines = [f"{type(self).__name__} ("]
        for k, group in enumerate(self.param_groups):
            if k:
                lines.append("")
            lines.append(f"Parameter Group {k}")
            lines += [f"    {key}: {group[key]}" for key in sorted(group) if key != "params"]
        return "\n".join([*lines, ")"])


def _taken_over(value, name, param):
    if not isinstance(value, Tensor):
        return deepcopy(value)
    if name != "step" and param.is_floating_point():
        value = value.to(param.dtype)
    return value.detach().clone()
