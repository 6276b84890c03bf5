"""Parameter groups: checks when a group is added, and conversion of loaded state."""

import warnings
from collections.abc import Iterable

from minitorch._tensor import Tensor
from minitorch.core.dtype import _dtypes
from minitorch.core.error_pages import explained
from minitorch.tensors.tensor_types import typename


class _RequiredParameter:
    """A marker in the defaults for an option that every group must specify."""

    def __repr__(self):
        return "<required parameter>"


required = _RequiredParameter()


def add_group(optimizer, group):
    """Check a group, fill in missing options from the defaults and append it."""
    if not isinstance(group, dict):
        raise TypeError(f"param_group must be a dict, but got {type(group)}")
    given = group["params"]
    if isinstance(given, set):
        raise TypeError(
            "optimizer parameters need to be organized in ordered collections, but the ordering of "
            "tensors in sets will change between runs. Please use a list instead."
        )
    given = [given] if isinstance(given, Tensor) else list(given)
    names = [entry[0] for entry in given if isinstance(entry, tuple)]
    group["params"] = params = [e[1] if isinstance(e, tuple) else e for e in given]
    if names:
        if len(names) != len(params):
            raise ValueError(
                "all optimizer params should be with/without names. Some param names are missing"
            )
        group["param_names"] = names
    for param in params:
        if not isinstance(param, Tensor):
            raise TypeError(
                "optimizer can only optimize Tensors, but one of the params is " + typename(param)
            )
        if not optimizer.defaults.get("differentiable") and not (
            param.is_leaf or param.retains_grad
        ):
            raise explained(ValueError("can't optimize a non-leaf Tensor"), "optimizer-non-leaf")
    for name, default in optimizer.defaults.items():
        if default is required and name not in group:
            raise ValueError(
                f"parameter group didn't specify a value of required optimization parameter {name}"
            )
        group.setdefault(name, default)
    if len(set(params)) != len(params):
        warnings.warn(
            "optimizer contains a parameter group with duplicate parameters; in future, this will "
            "cause an error; see github.com/pytorch/pytorch/issues/40967 for more information",
            stacklevel=4,
        )
    for other in optimizer.param_groups:
        if ("param_names" in group) != ("param_names" in other):
            text = "with names" if "param_names" in group else "without names"
            raise ValueError(
                "all optimizer param groups should be with/without names. "
                f"cannot add param group {text} to the optimizer"
            )
    known = {p for other in optimizer.param_groups for p in other["params"]}
    if not known.isdisjoint(params):
        raise ValueError("some parameters appear in more than one parameter group")
    optimizer.param_groups.append(group)


def taken_over(value, param, narrow_steps, key=None):
    """Return a loaded state value converted to the dtype of `param`, in new containers."""
    if isinstance(value, Tensor):
        if key == "step":
            return value.to(_dtypes()["float32"]) if narrow_steps else value
        return value.to(param.dtype) if param.is_floating_point() else value
    if isinstance(value, dict):
        return {k: taken_over(v, param, narrow_steps, k) for k, v in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, str | bytes):
        return type(value)(taken_over(v, param, narrow_steps) for v in value)
    return value
