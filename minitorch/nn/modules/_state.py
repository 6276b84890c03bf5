"""`state_dict` and `load_state_dict`, the methods of Module."""

from collections import OrderedDict, namedtuple

from minitorch._tensor import Tensor
from minitorch.autograd.grad_mode import no_grad


class _IncompatibleKeys(namedtuple("IncompatibleKeys", ["missing_keys", "unexpected_keys"])):
    def __repr__(self):
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return super().__repr__()

    __str__ = __repr__


def _own_state(module):
    """(name, tensor) of what is saved of one module, without those below it."""
    for name, param in module._parameters.items():
        if param is not None:
            yield name, param
    for name, buffer in module._buffers.items():
        if buffer is not None and name not in module._non_persistent_buffers_set:
            yield name, buffer


def state_dict(self, *, destination=None, prefix="", keep_vars=False):
    """Names and values of all parameters and persistent buffers; the memory is shared."""
    if destination is None:
        destination = OrderedDict()
        destination._metadata = OrderedDict()
    metadata = {"version": self._version}
    if hasattr(destination, "_metadata"):
        destination._metadata[prefix[:-1]] = metadata
    for name, value in _own_state(self):
        destination[prefix + name] = value if keep_vars else value.detach()
    for name, module in self._modules.items():
        if module is not None:
            module.state_dict(
                destination=destination, prefix=f"{prefix}{name}.", keep_vars=keep_vars
            )
    return destination


def load_state_dict(self, state_dict, strict=True, assign=False):
    """Copy the values in; with `assign` take the given tensors themselves.

    Raises
    ------
    RuntimeError
        When a size differs or, with `strict`, names are missing or not expected.
    """
    if not hasattr(state_dict, "keys"):
        raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
    missing, expected, errors = [], set(), []
    for path, module in self.named_modules(remove_duplicate=False):
        prefix = f"{path}." if path else ""
        for name, value in _own_state(module):
            key = prefix + name
            expected.add(key)
            if key not in state_dict:
                if name != "num_batches_tracked":
                    missing.append(key)
                continue
            _load_one(module, name, value, key, state_dict[key], assign, errors)
    unexpected = [key for key in state_dict if key not in expected]
    if strict:
        if missing:
            errors.insert(0, f"Missing key(s) in state_dict: {_quoted(missing)}. ")
        if unexpected:
            errors.insert(0, f"Unexpected key(s) in state_dict: {_quoted(unexpected)}. ")
            if missing:
                errors[0], errors[1] = errors[1], errors[0]
    if errors:
        raise RuntimeError(
            f"Error(s) in loading state_dict for {type(self).__name__}:\n\t" + "\n\t".join(errors)
        )
    return _IncompatibleKeys(missing, unexpected)


def _quoted(keys):
    return ", ".join(f'"{key}"' for key in keys)


def _load_one(module, name, value, key, given, assign, errors):
    if not isinstance(given, Tensor):
        errors.append(
            f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like object '
            f"from checkpoint but received {type(given)}"
        )
        return
    if given.shape != value.shape:
        errors.append(
            f"size mismatch for {key}: copying a param with shape {given.shape} from checkpoint, "
            f"the shape in current model is {value.shape}."
        )
        return
    if not assign:
        with no_grad():
            value.copy_(given)
    elif name in module._parameters:
        if type(given) is not type(value):
            given = type(value)(given, requires_grad=value.requires_grad)
        module._parameters[name] = given
    else:
        module._buffers[name] = given
