"""Globals that a file may use if ``weights_only`` is true: a fixed table and the user's additions.

Interface: `find_global`, `check_call`, `is_allowed`.
"""

from _codecs import encode as _codecs_encode
from _compat_pickle import IMPORT_MAPPING, NAME_MAPPING
from collections import Counter, OrderedDict
from pickle import UnpicklingError

from minitorch._files.global_names import name_of
from minitorch._tensor import Tensor
from minitorch.core.dtype import _dtypes
from minitorch.core.types import (
    Size,
    device,
    per_channel_affine,
    per_channel_affine_float_qparams,
    per_channel_symmetric,
    per_tensor_affine,
    per_tensor_symmetric,
)
from minitorch.nn.parameter import Parameter, _rebuild_parameter, _rebuild_parameter_with_state
from minitorch.tensors import rebuilding as _rebuild
from minitorch.tensors.storages_by_dtype import StorageType, _get_layout, storage_names
from minitorch.tensors.tensor_types import tensor_types
from minitorch.tensors.typed_storage import TypedStorage, UntypedStorage

# never allowed, even if the user adds them
_blocklisted_modules = ("sys", "os", "posix", "nt")

_schemes = (
    per_channel_affine,
    per_channel_affine_float_qparams,
    per_channel_symmetric,
    per_tensor_affine,
    per_tensor_symmetric,
)
_marked_safe_globals_set: set = set()


def _add_safe_globals(safe_globals):
    _marked_safe_globals_set.update(safe_globals)


def _get_safe_globals():
    return list(_marked_safe_globals_set)


def _clear_safe_globals():
    _marked_safe_globals_set.clear()


class _safe_globals:
    def __init__(self, safe_globals):
        self.safe_globals = safe_globals

    def __enter__(self):
        _add_safe_globals(self.safe_globals)

    def __exit__(self, type, value, traceback):
        _marked_safe_globals_set.difference_update(self.safe_globals)


def _get_user_allowed_globals():
    allowed = {}
    for entry in _marked_safe_globals_set:
        if not isinstance(entry, tuple):
            for name in _names_of(entry):
                allowed[name] = entry
            continue
        if len(entry) != 2:
            raise ValueError(
                "Expected tuple of length 2 (global, str of callable full path), but got tuple of "
                f"length: {len(entry)}"
            )
        if type(entry[1]) is not str:
            raise TypeError(
                "Expected second item in tuple to be str of callable full path, but got: "
                f"{type(entry[1])}"
            )
        allowed[entry[1]] = entry[0]
    return allowed


def _names_of(obj):
    """Yield the name of an object, and PyTorch's name if the object is minitorch's."""
    yield f"{obj.__module__}.{obj.__qualname__}"
    place = name_of(obj)
    if place is not None:
        yield ".".join(place)


def _encode(text, encoding="utf-8"):
    # protocol 2 writes bytes this way; other codecs would be imported by their name
    if encoding not in ("latin1", "latin-1", "utf-8", "ascii"):
        raise UnpicklingError(f"bytes in an unexpected encoding: {encoding!r}")
    return _codecs_encode(text, encoding)


def _bytearray(data=b"", encoding="latin1"):
    # a number would allocate that many bytes
    if not isinstance(data, (bytes, str)):
        raise UnpicklingError(f"a bytearray of an unexpected type: {type(data)}")
    return bytearray(data if isinstance(data, bytes) else _encode(data, encoding))


def check_call(function, args):
    """Raise UnpicklingError if a file may not call a function with these arguments."""
    if not is_allowed(function):
        text = f"Trying to call reduce for unrecognized function {function}"
        if hasattr(function, "__self__"):
            text += f" which belongs to {function.__self__}"
        raise UnpicklingError(text)
    # files create tensors only from storages; a number would allocate memory of that size
    if args and (function in tensor_types or function in (Tensor, UntypedStorage, TypedStorage)):
        raise UnpicklingError(f"Trying to construct a {function} from {len(args)} arguments")


def _rebuild_from_type(function, new_type, args, state):
    check_call(function, args)
    return _rebuild._rebuild_from_type_v2(function, new_type, args, state)


def _build_allowed_globals():
    allowed = {
        "collections.OrderedDict": OrderedDict,
        "collections.Counter": Counter,
        "torch.nn.parameter.Parameter": Parameter,
        "torch.serialization._get_layout": _get_layout,
        "torch.Size": Size,
        "torch.Tensor": Tensor,
        "torch.device": device,
        "torch.storage.UntypedStorage": UntypedStorage,
        "torch.storage.TypedStorage": TypedStorage,
        "torch._tensor._rebuild_from_type_v2": _rebuild_from_type,
        "torch._utils._rebuild_parameter": _rebuild_parameter,
        "torch._utils._rebuild_parameter_with_state": _rebuild_parameter_with_state,
        "torch._utils._rebuild_tensor": _rebuild._rebuild_tensor,
        "torch._utils._rebuild_tensor_v2": _rebuild._rebuild_tensor_v2,
        "torch._utils._rebuild_tensor_v3": _rebuild._rebuild_tensor_v3,
        "torch._utils._rebuild_sparse_tensor": _rebuild._rebuild_sparse_tensor,
        "torch._utils._rebuild_meta_tensor_no_storage": _rebuild._rebuild_meta_tensor_no_storage,
        "torch._utils._rebuild_wrapper_subclass": _rebuild._rebuild_wrapper_subclass,
        "_codecs.encode": _encode,
        "builtins.bytearray": _bytearray,
        "builtins.set": set,
        "builtins.complex": complex,
    }
    for name, dtype in _dtypes().items():
        allowed[f"torch.{name}"] = dtype
    allowed |= {str(scheme): scheme for scheme in _schemes}
    for tensor_type in tensor_types:
        allowed[f"torch.{tensor_type.__name__}"] = tensor_type
    for name in storage_names():
        allowed[f"torch.{name}"] = StorageType(name)
    return allowed


_allowed: dict = {}


def _get_allowed_globals():
    if not _allowed:
        _allowed.update(_build_allowed_globals())
    return _allowed


def _is_in(obj, table):
    return any(obj is value for value in table.values())


def is_allowed(obj):
    """Return whether a file may create instances of a class or call a function."""
    return _is_in(obj, _get_allowed_globals()) or _is_in(obj, _get_user_allowed_globals())


def find_global(module, name):
    """Return the object ``module.name`` for a file; raise UnpicklingError if it is not allowed."""
    module, name = NAME_MAPPING.get((module, name), (IMPORT_MAPPING.get(module, module), name))
    path = f"{module}.{name}"
    if module in _blocklisted_modules:
        raise UnpicklingError(
            f"Trying to load unsupported GLOBAL {path} whose module {module} is blocked."
        )
    for table in (_get_allowed_globals(), _get_user_allowed_globals()):
        if path in table:
            return table[path]
    path = path.removeprefix("builtins.")
    raise UnpicklingError(
        f"Unsupported global: GLOBAL {path} was not an allowed global by default. Please use "
        f"`torch.serialization.add_safe_globals([{path}])` or the "
        f"`torch.serialization.safe_globals([{path}])` context manager to allowlist this global if you "
        "trust this class/function."
    )
