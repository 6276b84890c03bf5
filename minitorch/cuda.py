"""What programs ask before they use a GPU. There is none here."""

__all__ = [
    "current_device",
    "device_count",
    "empty_cache",
    "is_available",
    "is_bf16_supported",
    "is_initialized",
    "manual_seed",
    "manual_seed_all",
    "synchronize",
]

_NONE = "Torch not compiled with CUDA enabled"


def is_available():
    """Whether CUDA can be used: no."""
    return False


def is_initialized():
    """Whether CUDA was used: no."""
    return False


def device_count():
    """How many GPUs there are: none."""
    return 0


def is_bf16_supported(including_emulation=True):
    """Whether a GPU computes in bfloat16: no."""
    return False


def manual_seed(seed):
    """Seed the GPU's generator: there is none, and nothing is done."""


def manual_seed_all(seed):
    """Seed all GPUs' generators: there are none, and nothing is done."""


def empty_cache():
    """Give back cached GPU memory: there is none, and nothing is done."""


def current_device():
    """The index of the current GPU; AssertionError, since there is none."""
    raise AssertionError(_NONE)


def synchronize(device=None):
    """Wait for the GPU; AssertionError, since there is none."""
    raise AssertionError(_NONE)
