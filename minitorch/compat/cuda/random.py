"""The generators of GPUs: there are none. Seeding them is allowed, reading them is not."""

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
    """The states of all GPUs' generators: an empty list."""
    return []


def set_rng_state(new_state, device="cuda"):
    """Set the state of a GPU's generator: nothing is done, as long as no GPU is used."""


def set_rng_state_all(new_states):
    """Set the states of all GPUs' generators: nothing is done."""
    for index, state in enumerate(new_states):
        set_rng_state(state, index)


def manual_seed(seed):
    """Seed the GPU's generator: there is none, and nothing is done."""


def manual_seed_all(seed):
    """Seed all GPUs' generators: there are none, and nothing is done."""


def seed():
    """Seed the GPU's generator by chance: nothing is done."""


def seed_all():
    """Seed all GPUs' generators by chance: nothing is done."""
