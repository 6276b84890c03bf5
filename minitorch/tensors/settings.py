"""Global settings: determinism, matmul precision, the default device."""

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
    """Require deterministic algorithms; raise or warn for the operators for which PyTorch does.

    Parameters
    ----------
    mode : bool
        Whether to use only deterministic algorithms.
    warn_only : bool, default False
        Whether to warn where there is none; by default an error is raised.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.use_deterministic_algorithms(True, warn_only=True)
    >>> torch.are_deterministic_algorithms_enabled()
    True
    >>> torch.use_deterministic_algorithms(False)
    """
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
    """Return whether deterministic mode makes `empty` and similar functions fill their results."""
    return _settings["fill"]


def set_deterministic_fill(mode):
    """Set whether deterministic mode fills uninitialized memory, see `get_deterministic_fill`."""
    if not isinstance(mode, bool):
        raise RuntimeError(f"expected a bool, but got {type(mode).__name__}")
    _settings["fill"] = mode
    _fill_if_asked()


def is_deterministic_algorithms_warn_only_enabled():
    """Return the `warn_only` setting: whether nondeterministic operators warn instead of raise.

    Returns
    -------
    bool

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.is_deterministic_algorithms_warn_only_enabled()
    False
    """
    return _determinism["warn_only"]


def set_deterministic_debug_mode(debug_mode):
    """Set determinism by a number or name: 0 or "default", 1 or "warn", 2 or "error".

    Parameters
    ----------
    debug_mode : int or str
        0, 1 or 2, or ``"default"``, ``"warn"`` or ``"error"``.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.set_deterministic_debug_mode("warn")
    >>> torch.get_deterministic_debug_mode()
    1
    >>> torch.set_deterministic_debug_mode("default")
    """
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
    """Return the determinism setting as a number: 0 default, 1 warn, 2 error.

    Returns
    -------
    int

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.get_deterministic_debug_mode()
    0
    """
    if not _determinism["deterministic"]:
        return 0
    return 1 if _determinism["warn_only"] else 2


def compiled_with_cxx11_abi():
    """Return True: C++ extensions use the C++11 ABI, as PyTorch's do.

    Returns
    -------
    bool

    Examples
    --------
    >>> import minitorch as torch
    >>> isinstance(torch.compiled_with_cxx11_abi(), bool)
    True
    """
    return True


def is_vulkan_available():
    """Return False: Vulkan is not supported.

    Returns
    -------
    bool

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.is_vulkan_available()
    False
    """
    return False


def _register_device_module(device_type, module):
    """Make a module available as ``torch.name`` for a device type.

    Parameters
    ----------
    device_type : str
    module : module

    Raises
    ------
    RuntimeError
        If there is already such a module.
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
    """Return the module of a device.

    Parameters
    ----------
    device_or_name : torch.device or str, optional
        By default the CPU.

    Returns
    -------
    module
        `torch.cpu` for the CPU.

    Raises
    ------
    RuntimeError
        If there is no module for the device.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.get_device_module("cpu").__name__
    'minitorch.cpu'
    """
    import importlib

    name = "cpu" if device_or_name is None else device(device_or_name).type
    return importlib.import_module(f"minitorch.{name}")


class SymInt:
    """A symbolic integer; never instantiated here, because all sizes are concrete.

    Examples
    --------
    >>> import minitorch as torch
    >>> isinstance(torch.ones(2).shape[0], torch.SymInt)
    False
    """


class SymFloat:
    """A symbolic float; never instantiated here, because all numbers are concrete.

    Examples
    --------
    >>> import minitorch as torch
    >>> isinstance(torch.ones(2).mean().item(), torch.SymFloat)
    False
    """


class SymBool:
    """A symbolic bool; never instantiated here, because all conditions are concrete.

    Examples
    --------
    >>> import minitorch as torch
    >>> isinstance(torch.ones(2).shape[0] == 2, torch.SymBool)
    False
    """


def sym_int(a):
    """Truncate a number to an integer.

    Parameters
    ----------
    a : number
        A number of Python.

    Returns
    -------
    int

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.sym_int(2.5)
    2
    """
    return int(a)


def sym_float(a):
    """Convert a number to a float.

    Parameters
    ----------
    a : number
        A number of Python.

    Returns
    -------
    float

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.sym_float(2)
    2.0
    """
    return float(a)


def sym_not(a):
    """Negate a bool.

    Parameters
    ----------
    a : bool
        A bool of Python.

    Returns
    -------
    bool

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.sym_not(True)
    False
    """
    return not a


def sym_max(a, b):
    """Return the larger of two numbers, as a float if either is one.

    Parameters
    ----------
    a, b : number
        Numbers of Python.

    Returns
    -------
    number

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.sym_max(1, 2)
    2
    """
    result = max(a, b)
    return float(result) if isinstance(a, float) or isinstance(b, float) else result


def sym_min(a, b):
    """Return the smaller of two numbers, as a float if either is one.

    Parameters
    ----------
    a, b : number
        Numbers of Python.

    Returns
    -------
    number

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.sym_min(1, 2)
    1
    """
    result = min(a, b)
    return float(result) if isinstance(a, float) or isinstance(b, float) else result


def sym_ite(b, t, f):
    """Return `t` if `b` is true, otherwise `f`.

    Parameters
    ----------
    b : bool
        The condition.
    t, f : object
        The values for True and for False, of any type.

    Returns
    -------
    object
        One of the two values.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.sym_ite(True, 1, 2)
    1
    """
    return t if b else f


def sym_sum(args):
    """Return the sum of integers.

    Parameters
    ----------
    args : sequence of number
        The numbers.

    Returns
    -------
    number

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.sym_sum([1, 2, 3])
    6
    """
    return sum(args)


def are_deterministic_algorithms_enabled():
    """Return whether `use_deterministic_algorithms` is enabled.

    Returns
    -------
    bool

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.are_deterministic_algorithms_enabled()
    False
    """
    return _determinism["deterministic"]


def set_float32_matmul_precision(precision):
    """Set the precision of float32 products; it has no effect, as all have full precision here.

    Parameters
    ----------
    precision : str
        ``"highest"``, ``"high"`` or ``"medium"``.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.set_float32_matmul_precision("high")
    >>> torch.get_float32_matmul_precision()
    'high'
    >>> torch.set_float32_matmul_precision("highest")
    """
    if precision not in ("highest", "high", "medium"):
        warnings.warn(
            f"{precision} is not one of 'highest', 'high', or 'medium'; the current"
            "setFloat32MatmulPrecision call has no effect.",
            stacklevel=2,
        )
        return
    _settings["precision"] = precision


def get_float32_matmul_precision():
    """Return the value set by `set_float32_matmul_precision`.

    Returns
    -------
    str

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.get_float32_matmul_precision()
    'highest'
    """
    return _settings["precision"]


def get_default_device():
    """Return the device on which this thread creates tensors by default.

    Returns
    -------
    device
        The device, an object with the str `type`.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.get_default_device().type
    'cpu'
    """
    return _types.default_device()


def set_default_device(device_or_name):
    """Set this thread's default device: the CPU (also for None) or ``meta``.

    Parameters
    ----------
    device_or_name : device, str or None
        The device; None stands for the CPU.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.set_default_device("meta")
    >>> torch.ones(2).device.type
    'meta'
    >>> torch.set_default_device(None)
    """
    wanted = device("cpu" if device_or_name is None else device_or_name)
    if wanted.type not in ("cpu", "meta"):
        raise AssertionError("Torch not compiled with CUDA enabled")
    _types.set_default_device(wanted)


def set_default_tensor_type(t):
    """Set the default dtype by an old type of tensors, such as ``torch.DoubleTensor``.

    Parameters
    ----------
    t : type or str
        The type, or its full name.

    Raises
    ------
    TypeError
        If the type does not have floating-point elements.

    Warns
    -----
    UserWarning
        Once, since `torch.set_default_dtype` replaces the function.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.set_default_tensor_type("torch.DoubleTensor")
    >>> torch.ones(1).dtype
    torch.float64
    >>> torch.set_default_tensor_type("torch.FloatTensor")
    """
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
    """Import and return the object named ``package.module.name``."""
    from importlib import import_module

    parts = name.split(".")
    found = sys.modules["minitorch"] if parts[0] == "torch" else import_module(parts[0])
    for part in parts[1:]:
        if not hasattr(found, part):
            raise AttributeError(f"module '{'.'.join(parts[:-1])}' has no attribute '{part}'")
        found = getattr(found, part)
    return found


def get_num_interop_threads():
    """Return the number of operators that may run in parallel.

    Returns
    -------
    int

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.get_num_interop_threads() > 0
    True
    """
    return _settings["interop"]


def set_num_interop_threads(n, /):
    """Set the number of operators that may run in parallel, once; only one ever runs here.

    Parameters
    ----------
    n : int
        The number of threads.

    Raises
    ------
    RuntimeError
        If `n` is not a positive integer, or if the number was set before.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.set_num_interop_threads(0)
    Traceback (most recent call last):
    ...
    RuntimeError: set_num_interop_threads expects a positive integer
    """
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
