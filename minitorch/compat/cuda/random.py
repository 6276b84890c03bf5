"""Random number generators of GPUs: seeding has no effect, reading a state raises."""

from minitorch.cuda._none import needs_cuda

__all__ = [
    "get_rng_state",
    "get_rng_state_all",
    "initial_seed",
    "manual_seed",
    "manual_seed_all",
    "seed",
    "seed_all",
    "set_rng_state",
    "set_rng_state_all",
]

get_rng_state = needs_cuda("get_rng_state")
initial_seed = needs_cuda("initial_seed")


def get_rng_state_all():
    """Return an empty list of generator states."""
    return []


def set_rng_state(new_state, device="cuda"):
    """Set the generator state of a GPU; no effect."""


def set_rng_state_all(new_states):
    """Set the generator states of all GPUs; no effect."""
    for index, state in enumerate(new_states):
        set_rng_state(state, index)


def manual_seed(seed):
    """Seed the generator of the current GPU; no effect."""


def manual_seed_all(seed):
    """Seed the generators of all GPUs; no effect."""


def seed():
    """Seed the generator of the current GPU randomly; no effect."""


def seed_all():
    """Seed the generators of all GPUs randomly; no effect."""
