"""Seeding and the default generator."""

import contextlib

import minitorch.core.generator as _core
from minitorch.autograd.functions.from_data import from_numpy as _from_numpy
from minitorch.autograd.levels import outside_of_levels
from minitorch.core.class_names import register_type_name
from minitorch.core.python_classes import register_python_class
from minitorch.core.types import device as _device

__all__ = [
    "Generator",
    "default_generator",
    "fork_rng",
    "get_rng_state",
    "initial_seed",
    "manual_seed",
    "seed",
    "set_rng_state",
    "thread_safe_generator",
]


_LIBRARIES = {"cuda": "CUDA", "xpu": "XPU", "xla": "XLA", "hip": "HIP"}


def _check_device(given):
    """Raise unless a device has a generator, which only the CPU does."""
    if isinstance(given, int) and not isinstance(given, bool):
        raise RuntimeError("Cannot access accelerator device when none is available.")
    if not isinstance(given, (str, type(_device("cpu")))):
        raise TypeError(
            "Generator(): argument 'device' (position 1) must be torch.device, not "
            f"{type(given).__name__}"
        )
    kind = _device(given).type
    if kind in _LIBRARIES:
        name = _LIBRARIES[kind]
        raise RuntimeError(f"Cannot get {name} generator without ATen_{kind} library.")
    if kind == "meta":
        raise RuntimeError("META device type not an accelerator.")
    if kind == "mps":
        raise RuntimeError("Cannot execute getNewGenerator() without MPS backend.")
    if kind != "cpu":
        raise RuntimeError("Backend doesn`t support getNewGenerator()")


@contextlib.contextmanager
def _unseen():
    """Hide a block from modes and transforms, as PyTorch does."""
    from minitorch._dispatch.mode_stack import disabled  # few programs use the dispatch

    with disabled(), outside_of_levels():
        yield


class Generator(_core.Generator):
    """A stream of random numbers, equal to that of PyTorch's CPU generator.

    Parameters
    ----------
    device : device or str
        Must be the CPU.

    Examples
    --------
    >>> import minitorch as torch
    >>> g = torch.Generator().manual_seed(0)
    >>> torch.rand(2, generator=g)
    tensor([0.4963, 0.7682])
    """

    def __init__(self, device="cpu"):
        _check_device("cpu" if device is None else device)

    @property
    def device(self):
        """The device of the generator."""
        return _device("cpu")

    @property
    def _cdata(self):
        return id(self)

    def get_state(self):
        """Return the state as a tensor of bytes, in PyTorch's layout."""
        with _unseen():
            return _from_numpy(super().get_state())

    def set_state(self, new_state):
        """Restore a state that `get_state` returned."""
        with _unseen():
            new_state = new_state.numpy() if hasattr(new_state, "numpy") else new_state
        return super().set_state(new_state)


Generator.__module__ = "minitorch._C"
register_type_name(Generator, "torch._C.Generator")
register_python_class(Generator)
default_generator = _core._get_default_generator()


def manual_seed(seed):
    """Seed the default generator.

    Parameters
    ----------
    seed : int
        From ``-2**63`` to ``2**64 - 1``.

    Returns
    -------
    Generator
        The default generator.

    Examples
    --------
    >>> import minitorch as torch
    >>> _ = torch.random.manual_seed(0)
    >>> a = torch.rand(2)
    >>> _ = torch.random.manual_seed(0)
    >>> torch.equal(torch.rand(2), a)
    True
    """
    return default_generator.manual_seed(int(seed))


def seed():
    """Seed the default generator with an unpredictable number and return that number.

    Returns
    -------
    int
        The number.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.random.seed() == torch.random.initial_seed()
    True
    """
    return default_generator.seed()


def initial_seed():
    """Return the seed of the default generator.

    Returns
    -------
    int
        The number that it was seeded with.

    Examples
    --------
    >>> import minitorch as torch
    >>> _ = torch.manual_seed(3)
    >>> torch.random.initial_seed()
    3
    """
    return default_generator.initial_seed()


def get_rng_state():
    """Return the state of the default generator.

    Returns
    -------
    Tensor
        uint8, of one dimension.

    Examples
    --------
    >>> import minitorch as torch
    >>> state = torch.random.get_rng_state()
    >>> a = torch.rand(2)
    >>> torch.random.set_rng_state(state)
    >>> torch.equal(torch.rand(2), a)
    True
    >>> state.dtype
    torch.uint8
    """
    return default_generator.get_state()


def set_rng_state(new_state):
    """Set the state of the default generator.

    Parameters
    ----------
    new_state : Tensor
        A result of `get_rng_state`: uint8, of one dimension.

    Examples
    --------
    >>> import minitorch as torch
    >>> state = torch.random.get_rng_state()
    >>> a = torch.rand(2)
    >>> torch.random.set_rng_state(state)
    >>> torch.equal(torch.rand(2), a)
    True
    """
    default_generator.set_state(new_state)


@contextlib.contextmanager
def fork_rng(
    devices=None, enabled=True, _caller="fork_rng", _devices_kw="devices", device_type="cuda"
):
    """Restore the default generator's state when the context exits.

    Parameters
    ----------
    devices : iterable of int, optional
        Other devices whose states are restored; there are none here.
    enabled : bool, default True
        If False, nothing is restored.
    device_type : str, default "cuda"
        The kind of `devices`.

    Yields
    ------
    None

    Raises
    ------
    RuntimeError
        If `device_type` is not a kind of device.

    Examples
    --------
    >>> import minitorch as torch
    >>> _ = torch.manual_seed(0)
    >>> with torch.random.fork_rng():
    ...     inside = torch.manual_seed(1).initial_seed()
    >>> inside, torch.random.initial_seed()
    (1, 0)
    """
    if not enabled:
        yield
        return
    if device_type is not None:
        _device(device_type)  # raises for an unknown device type
    if devices and device_type == "cuda":
        raise AssertionError("Torch not compiled with CUDA enabled")
    state = get_rng_state()
    try:
        yield
    finally:
        set_rng_state(state)


def thread_safe_generator():
    """Return None: no data loader here has threads as workers, each with a generator.

    Returns
    -------
    None
        Functions with an argument `generator` of type Generator take it for the default generator.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.random.thread_safe_generator() is None
    True
    """
    return None
