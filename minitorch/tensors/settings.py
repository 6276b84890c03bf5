"""Settings of the whole program: determinism, precision of products, the default device."""

import sys
import warnings

from minitorch.autograd.functions.creation import _fill_found_memory
from minitorch.core import types as _types
from minitorch.core.denormals import set_flush_denormal
from minitorch.core.determinism import mode as _determinism
from minitorch.core.once import warn_once
from minitorch.core.types import device

__all__ = [
    "SymBool",
    "SymFloat",
    "SymInt",
    "are_deterministic_algorithms_enabled",
    "compiled_with_cxx11_abi",
    "get_default_device",
    "get_deterministic_debug_mode",
    "get_device_module",
    "get_float32_matmul_precision",
    "get_num_interop_threads",
    "is_deterministic_algorithms_warn_only_enabled",
    "is_vulkan_available",
    "set_default_device",
    "set_default_tensor_type",
    "set_deterministic_debug_mode",
    "set_float32_matmul_precision",
    "set_flush_denormal",
    "set_num_interop_threads",
    "sym_float",
    "sym_int",
    "sym_ite",
    "sym_max",
    "sym_min",
    "sym_not",
    "sym_sum",
    "use_deterministic_algorithms",
]

_settings = {
    "fill": True,
    "precision": "highest",
    "interop": 1,
    "interop_was_set": False,
}


def use_deterministic_algorithms(mode, *, warn_only=False):
    """Ask for algorithms that give the same result each time; where PyTorch has none, neither have we."""
    for name, value in (("'mode' (position 1)", mode), ("'warn_only'", warn_only)):
        if not isinstance(value, bool):
            raise TypeError(
                f"_set_deterministic_algorithms(): argument {name} must be bool, not "
                f"{type(value).__name__}"
            )
    _determinism["deterministic"] = mode
    _determinism["warn_only"] = warn_only
    _fill_if_asked()


def _fill_if_asked():
    _fill_found_memory(_determinism["deterministic"] and _settings["fill"])


def get_deterministic_fill():
    """Whether deterministic algorithms include that `empty` and its relatives fill what they give."""
    return _settings["fill"]


def set_deterministic_fill(mode):
    """Set what `get_deterministic_fill` returns."""
    if not isinstance(mode, bool):
        raise RuntimeError(f"expected a bool, but got {type(mode).__name__}")
    _settings["fill"] = mode
    _fill_if_asked()


def is_deterministic_algorithms_warn_only_enabled():
    """Whether algorithms that do not give the same result each time were to warn only."""
    return _determinism["warn_only"]


def set_deterministic_debug_mode(debug_mode):
    """`use_deterministic_algorithms` by a number or a name: 0 default, 1 warn, 2 error."""
    names = ("default", "warn", "error")
    if not isinstance(debug_mode, (int, str)):
        raise TypeError(f"debug_mode must be str or int, but got {type(debug_mode)}")
    if isinstance(debug_mode, str):
        if debug_mode not in names:
            raise RuntimeError(
                "invalid value of debug_mode, expected one of `default`, `warn`, `error`, but got "
                f"{debug_mode}"
            )
        debug_mode = names.index(debug_mode)
    if debug_mode not in (0, 1, 2):
        raise RuntimeError(
            f"invalid value of debug_mode, expected 0, 1, or 2, but got {debug_mode}"
        )
    use_deterministic_algorithms(debug_mode > 0, warn_only=debug_mode == 1)


def get_deterministic_debug_mode():
    """What `set_deterministic_debug_mode` was given, as a number."""
    if not _determinism["deterministic"]:
        return 0
    return 1 if _determinism["warn_only"] else 2


def compiled_with_cxx11_abi():
    """Whether libraries of C++ fit PyTorch's: they have the modern interface."""
    return True


def is_vulkan_available():
    """Whether Vulkan can be used: no."""
    return False


def _register_device_module(device_type, module):
    """Let a module be ``torch.name`` for a kind of device.

    Parameters
    ----------
    device_type : str
    module : module

    Raises
    ------
    RuntimeError
        If there is one.
    """
    name = device(device_type).type
    package = sys.modules[__name__.partition(".")[0]]
    if hasattr(package, name):
        raise RuntimeError(
            f"The runtime module of '{name}' has already been registered with "
            f"'{getattr(package, name)}'"
        )
    setattr(package, name, module)
    sys.modules[f"{package.__name__}.{name}"] = module


def get_device_module(device_or_name=None):
    """The module of a device: `minitorch.cpu` for the CPU."""
    import importlib

    name = "cpu" if device_or_name is None else device(device_or_name).type
    return importlib.import_module(f"minitorch.{name}")


class SymInt:
    """An integer that is not known yet; here all are, and there is no instance."""


class SymFloat:
    """A number that is not known yet; here all are, and there is no instance."""


class SymBool:
    """A truth value that is not known yet; here all are, and there is no instance."""


def sym_int(a):
    """The integer that a number is cut to, towards zero."""
    return int(a)


def sym_float(a):
    """A number as a float."""
    return float(a)


def sym_not(a):
    """The other truth value."""
    return not a


def sym_max(a, b):
    """The greater of two numbers; a float, if one is."""
    result = max(a, b)
    return float(result) if isinstance(a, float) or isinstance(b, float) else result


def sym_min(a, b):
    """The smaller of two numbers; a float, if one is."""
    result = min(a, b)
    return float(result) if isinstance(a, float) or isinstance(b, float) else result


def sym_ite(b, t, f):
    """One of two values, as a truth value says."""
    return t if b else f


def sym_sum(args):
    """The sum of integers."""
    return sum(args)


def are_deterministic_algorithms_enabled():
    """Whether `use_deterministic_algorithms` was asked for."""
    return _determinism["deterministic"]


def set_float32_matmul_precision(precision):
    """How exactly float32 products have to be computed; they are always exact to float32 here."""
    if precision not in ("highest", "high", "medium"):
        warnings.warn(
            f"{precision} is not one of 'highest', 'high', or 'medium'; the current"
            "setFloat32MatmulPrecision call has no effect.",
            stacklevel=2,
        )
        return
    _settings["precision"] = precision


def get_float32_matmul_precision():
    """What `set_float32_matmul_precision` was given."""
    return _settings["precision"]


def get_default_device():
    """Where new tensors are made in this thread."""
    return _types.default_device()


def set_default_device(device_or_name):
    """Where this thread is to make its tensors: the CPU, or ``meta``; None: the CPU."""
    wanted = device("cpu" if device_or_name is None else device_or_name)
    if wanted.type not in ("cpu", "meta"):
        raise AssertionError("Torch not compiled with CUDA enabled")
    _types.set_default_device(wanted)


def set_default_tensor_type(t):
    """Set the default dtype by the name of a type, such as ``torch.DoubleTensor``."""
    from minitorch.core.dtype import _dtypes
    from minitorch.tensors.type_info import set_default_dtype

    warn_once(
        "torch.set_default_tensor_type() is deprecated as of PyTorch 2.1, please use "
        "torch.set_default_dtype() and torch.set_default_device() as alternatives.",
        stacklevel=2,
    )
    names = {"torch.FloatTensor": "float32", "torch.DoubleTensor": "float64",
             "torch.HalfTensor": "float16", "torch.BFloat16Tensor": "bfloat16"}  # fmt: skip
    if isinstance(t, str):
        t = _found_by_name(t)
    if not isinstance(t, type):
        raise TypeError(
            "invalid type object: only floating-point types are supported as the default type"
        )
    name = f"{t.__module__}.{t.__name__}"
    if t.__module__ == "torch.cuda":
        raise TypeError(f"type {name} not available. Torch not compiled with CUDA enabled.")
    if name not in names:
        raise TypeError("only floating-point types are supported as the default type")
    set_default_dtype(_dtypes()[names[name]])


def _found_by_name(name):
    """What ``package.module.name`` names."""
    from importlib import import_module

    parts = name.split(".")
    found = sys.modules["minitorch"] if parts[0] == "torch" else import_module(parts[0])
    for part in parts[1:]:
        if not hasattr(found, part):
            raise AttributeError(f"module '{'.'.join(parts[:-1])}' has no attribute '{part}'")
        found = getattr(found, part)
    return found


def get_num_interop_threads():
    """How many operators may run side by side."""
    return _settings["interop"]


def set_num_interop_threads(n, /):
    """How many operators may run side by side, said once; one does here."""
    if not isinstance(n, int) or isinstance(n, bool):
        raise RuntimeError(f"set_num_interop_threads expects an int, but got {type(n).__name__}")
    if n <= 0:
        raise RuntimeError("set_num_interop_threads expects a positive integer")
    if _settings["interop_was_set"]:
        raise RuntimeError(
            "Error: cannot set number of interop threads after parallel work has started or "
            "set_num_interop_threads called"
        )
    _settings.update(interop=n, interop_was_set=True)
