"""`state_dict` and `load_state_dict`: saving and loading the state of a module."""

import warnings
from collections import OrderedDict, namedtuple

from minitorch.__future__ import get_swap_module_params_on_conversion
from minitorch._tensor import Tensor
from minitorch.autograd.grad_mode import no_grad
from minitorch.core.error_pages import explained
from minitorch.nn.parameter import Parameter, is_lazy
from minitorch.utils._swap import swap_tensors

_EXTRA_STATE = "_extra_state"


class _IncompatibleKeys(namedtuple("IncompatibleKeys", ["missing_keys", "unexpected_keys"])):
    def __repr__(self):
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return super().__repr__()

    __str__ = __repr__


def _own_state(module):
    """Yield the (name, tensor) pairs that are saved for a module, without its children."""
    for name, param in module._parameters.items():
        if param is not None:
            yield name, param
    for name, buffer in module._buffers.items():
        if buffer is not None and name not in module._non_persistent_buffers_set:
            yield name, buffer


def _quoted(keys):
    return ", ".join(f'"{key}"' for key in keys)


class State:
    """Mixin of `Module` that saves and loads its state."""

    def get_extra_state(self):
        """Return state that is saved besides parameters and buffers; subclasses override it.

        Returns
        -------
        object

        Raises
        ------
        RuntimeError
            When the subclass does not override it.
        """
        raise RuntimeError(_NEVER_CALLED.format("get"))

    def set_extra_state(self, state):
        """Restore the state that `get_extra_state` returned; subclasses override it.

        Parameters
        ----------
        state : object

        Raises
        ------
        RuntimeError
            When the subclass does not override it.
        """
        raise RuntimeError(_NEVER_CALLED.format("set"))

    # ---- saving

    def _save_to_state_dict(self, destination, prefix, keep_vars):
        """Write the module's own state to `destination`, without its children."""
        for name, value in _own_state(self):
            destination[prefix + name] = value if keep_vars else value.detach()
        if type(self).get_extra_state is not State.get_extra_state:
            destination[prefix + _EXTRA_STATE] = self.get_extra_state()

    def state_dict(self, *args, destination=None, prefix="", keep_vars=False):
        """Return all parameters and persistent buffers by name; the tensors share memory.

        Parameters
        ----------
        destination : dict, optional
            The dictionary to write to; by default an OrderedDict with the modules' versions in
            ``_metadata``.
        prefix : str, default ""
            A prefix for every name.
        keep_vars : bool, default False
            Return the tensors themselves; otherwise they are detached.

        Returns
        -------
        dict

        Raises
        ------
        RuntimeError
            When a hook of `register_state_dict_post_hook` returns a value other than None.

        Warns
        -----
        FutureWarning
            When arguments are passed by position.

        Examples
        --------
        >>> import minitorch as torch
        >>> list(torch.nn.Linear(2, 3).state_dict(prefix="layer."))
        ['layer.weight', 'layer.bias']
        """
        if args:
            warnings.warn(
                "Positional args are being deprecated, use kwargs instead. Refer to "
                "https://pytorch.org/docs/main/generated/torch.nn.Module.html#torch.nn.Module.state_dict "
                "for details.",
                FutureWarning,
                stacklevel=2,
            )
            given = dict(zip(("destination", "prefix", "keep_vars"), args, strict=False))
            destination = destination if destination is not None else given["destination"]
            prefix = prefix if prefix != "" else given.get("prefix", "")
            keep_vars = keep_vars if keep_vars is not False else given.get("keep_vars", False)
        if destination is None:
            destination = OrderedDict()
            destination._metadata = OrderedDict()
        metadata = {"version": self._version}
        if hasattr(destination, "_metadata"):
            destination._metadata[prefix[:-1]] = metadata
        for hook in self._state_dict_pre_hooks.values():
            hook(self, prefix, keep_vars)
        self._save_to_state_dict(destination, prefix, keep_vars)
        for name, module in self._modules.items():
            if module is not None:
                module.state_dict(
                    destination=destination, prefix=prefix + name + ".", keep_vars=keep_vars
                )
        for hook in self._state_dict_hooks.values():
            result = hook(self, destination, prefix, metadata)
            if result is None:
                continue
            if getattr(hook, "_from_public_api", False):
                raise RuntimeError("state_dict post-hook must return None")
            destination = result
        return destination

    # ---- loading

    def load_state_dict(self, state_dict, strict=True, assign=False):
        """Copy the tensors of a `state_dict` into the module, or with `assign` adopt them.

        Parameters
        ----------
        state_dict : dict
        strict : bool, default True
            Require the same names as in `state_dict()`.
        assign : bool, default False

        Returns
        -------
        named tuple (missing_keys, unexpected_keys)

        Raises
        ------
        TypeError
            When `state_dict` is not dict-like.
        RuntimeError
            When a shape differs or, with `strict`, names are missing or unexpected.
        AssertionError
            When a hook of `register_load_state_dict_post_hook` returns a value other than None.

        Examples
        --------
        >>> import minitorch as torch
        >>> layer = torch.nn.Linear(2, 3)
        >>> layer.load_state_dict({"weight": torch.zeros(3, 2)}, strict=False)
        _IncompatibleKeys(missing_keys=['bias'], unexpected_keys=[])
        """
        if not hasattr(state_dict, "keys"):
            raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
        metadata = getattr(state_dict, "_metadata", None)
        # copy, because hooks may modify it
        state_dict = OrderedDict(state_dict)
        if metadata is not None:
            state_dict._metadata = metadata
        keys = _IncompatibleKeys([], [])
        errors = []
        _load(self, state_dict, metadata or {}, "", assign, keys, errors)
        if strict:
            if keys.unexpected_keys:
                errors.insert(
                    0, f"Unexpected key(s) in state_dict: {_quoted(keys.unexpected_keys)}. "
                )
            if keys.missing_keys:
                errors.insert(0, f"Missing key(s) in state_dict: {_quoted(keys.missing_keys)}. ")
        if errors:
            error = RuntimeError(
                f"Error(s) in loading state_dict for {type(self).__name__}:\n\t"
                + "\n\t".join(errors)
            )
            if strict and (keys.unexpected_keys or keys.missing_keys):
                raise explained(error, "load-state-dict-keys")
            raise explained(error, "load-state-dict-shapes")
        return keys

    def _load_from_state_dict(
        self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs
    ):
        """Load the module's own state; append problems to the last three arguments."""
        for hook in self._load_state_dict_pre_hooks.values():
            hook(
                state_dict,
                prefix,
                local_metadata,
                strict,
                missing_keys,
                unexpected_keys,
                error_msgs,
            )
        own = dict(_own_state(self))
        assign = local_metadata.get("assign_to_params_buffers", False)
        for name, value in own.items():
            key = prefix + name
            if key in state_dict:
                _load_one(self, name, value, key, state_dict[key], assign, error_msgs)
            elif strict:
                missing_keys.append(key)
        extra = prefix + _EXTRA_STATE
        if type(self).set_extra_state is not State.set_extra_state:
            if extra in state_dict:
                self.set_extra_state(state_dict[extra])
            elif strict:
                missing_keys.append(extra)
        elif strict and extra in state_dict:
            unexpected_keys.append(extra)
        if not strict:
            return
        for key in state_dict:
            if not key.startswith(prefix) or key == extra:
                continue
            name, dot, _ = key[len(prefix) :].partition(".")
            if name not in (self._modules if dot else own):
                unexpected_keys.append(key)


def _load(module, state_dict, metadata, prefix, assign, keys, errors):
    """Load into a module and its descendants."""
    local_metadata = metadata.get(prefix[:-1], {})
    if assign:
        local_metadata["assign_to_params_buffers"] = assign
    module._load_from_state_dict(
        state_dict, prefix, local_metadata, True, keys.missing_keys, keys.unexpected_keys, errors
    )
    for name, child in module._modules.items():
        if child is not None:
            path = prefix + name + "."
            part = {key: value for key, value in state_dict.items() if key.startswith(path)}
            _load(child, part, metadata, path, assign, keys, errors)
    for hook in module._load_state_dict_post_hooks.values():
        if hook(module, keys) is not None:
            raise AssertionError(
                "Hooks registered with ``register_load_state_dict_post_hook`` are not expected to return "
                "new values, if incompatible_keys need to be modified, it should be done inplace."
            )


def _load_one(module, name, value, key, given, assign, errors):
    if not isinstance(given, Tensor):
        errors.append(
            f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like object '
            f"from checkpoint but received {type(given)}"
        )
        return
    if not is_lazy(value):
        if value.dim() == 0 and given.dim() == 1:
            # old checkpoints store scalars as vectors of one element
            given = given[0]
        if given.shape != value.shape:
            errors.append(
                f"size mismatch for {key}: copying a param with shape {given.shape} from checkpoint, "
                f"the shape in current model is {value.shape}."
            )
            return
    try:
        _take(module, name, key, value, given, assign)
    except Exception as error:  # noqa: BLE001 (every failure is reported with the others)
        errors.append(
            f'While copying the parameter named "{key}", whose dimensions in the model are {value.size()} '
            f"and whose dimensions in the checkpoint are {given.size()}, an exception occurred : "
            f"{error.args}."
        )


def _take(module, name, key, value, given, assign):
    if get_swap_module_params_on_conversion():
        with no_grad():
            new = value.module_load(given, assign=assign)
        if isinstance(value, Parameter) and not isinstance(new, Parameter):
            new = Parameter(new, requires_grad=value.requires_grad)
        else:
            new.requires_grad_(value.requires_grad)
        swap_tensors(value, new)
        return
    if not assign:
        if value.is_meta and not given.is_meta:
            warnings.warn(
                f"for {key}: copying from a non-meta parameter in the checkpoint to a meta parameter in the "
                "current model, which is a no-op. (Did you mean to pass `assign=True` to assign items in the "
                "state dictionary to their corresponding key in the module instead of copying them in place?)",
                stacklevel=2,
            )
        with no_grad():
            value.copy_(given)
        return
    if isinstance(value, Parameter):
        if isinstance(given, Parameter):
            given.requires_grad_(value.requires_grad)
        else:
            given = Parameter(given, requires_grad=value.requires_grad)
    setattr(module, name, given)


_NEVER_CALLED = (
    "Reached a code path in Module.{}_extra_state() that should never be called. Please file an issue at "
    "https://github.com/pytorch/pytorch/issues/new?template=bug-report.yml to report this bug."
)
