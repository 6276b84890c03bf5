"""The restricted unpickler of `load`, under the module name of PyTorch."""

from minitorch._files.safe_globals import (
    _add_safe_globals,
    _clear_safe_globals,
    _get_allowed_globals,
    _get_safe_globals,
    _get_user_allowed_globals,
    _safe_globals,
)
from minitorch._files.weights_only import (
    IMPORT_MAPPING,
    NAME_MAPPING,
    Counter,
    OrderedDict,
    Unpickler,
    UnpicklingError,
    decode_long,
    get_globals_in_pkl,
    load,
)

__all__ = [
    "IMPORT_MAPPING",
    "NAME_MAPPING",
    "Counter",
    "OrderedDict",
    "Unpickler",
    "UnpicklingError",
    "_add_safe_globals",
    "_clear_safe_globals",
    "_get_allowed_globals",
    "_get_safe_globals",
    "_get_user_allowed_globals",
    "_safe_globals",
    "decode_long",
    "get_globals_in_pkl",
    "load",
]
