"""Settings of the whole program: determinism, precision of products, the default device."""

from minitorch.core.types import device

__all__ = [
    "are_deterministic_algorithms_enabled",
    "compile",
    "get_default_device",
    "get_float32_matmul_precision",
    "get_num_interop_threads",
    "set_default_device",
    "set_default_tensor_type",
    "set_float32_matmul_precision",
    "set_num_interop_threads",
    "use_deterministic_algorithms",
]

_settings = {"deterministic": False, "precision": "highest", "interop": 1}


def use_deterministic_algorithms(mode, *, warn_only=False):
    """Ask for algorithms that give the same result each time; all of them do here."""
    _settings["deterministic"] = bool(mode)


def are_deterministic_algorithms_enabled():
    """Whether `use_deterministic_algorithms` was asked for."""
    return _settings["deterministic"]


def set_float32_matmul_precision(precision):
    """How exactly float32 products have to be computed; they are always exact to float32 here."""
    if precision not in ("highest", "high", "medium"):
        raise RuntimeError(f"Invalid float32 matmul precision: {precision}")
    _settings["precision"] = precision


def get_float32_matmul_precision():
    """What `set_float32_matmul_precision` was given."""
    return _settings["precision"]


def get_default_device():
    """Where new tensors are: the CPU."""
    return device("cpu")


def set_default_device(device_or_name):
    """Accepts the CPU, and nothing else."""
    if device_or_name is not None and device(device_or_name).type != "cpu":
        raise AssertionError("Torch not compiled with CUDA enabled")


def set_default_tensor_type(t):
    """Set the default dtype by the name of a type, such as ``torch.DoubleTensor``."""
    from minitorch._type_info import set_default_dtype
    from minitorch.core.dtype import _dtypes

    names = {"torch.FloatTensor": "float32", "torch.DoubleTensor": "float64",
             "torch.HalfTensor": "float16", "torch.BFloat16Tensor": "bfloat16"}  # fmt: skip
    name = t if isinstance(t, str) else f"{t.__module__}.{t.__name__}"
    if name not in names:
        raise TypeError("only floating-point types are supported as the default type")
    set_default_dtype(_dtypes()[names[name]])


def get_num_interop_threads():
    """How many operators may run side by side."""
    return _settings["interop"]


def set_num_interop_threads(n):
    """How many operators may run side by side; one does here."""
    _settings["interop"] = n


def compile(model=None, **options):
    """The function or module itself: there is nothing to compile it to here."""
    if model is None:
        return lambda function: function
    return model
