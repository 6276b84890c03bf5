"""The generator's seeds, states and copies are PyTorch's; so are its errors."""

import copy
import pickle
import threading

import numpy as np
import pytest

from minitorch.core.generator import Generator, _get_default_generator
from tests.probes.kernels import random as probe

SEEDS = [0, 1, 42, 2**31, 2**32 + 1, 2**63, 2**64 - 1, -1, -(2**63)]
BAD_SEEDS = [2**64, -(2**63) - 1, 1.5, "a", None, True, np.float64(3), np.int64(3)]

# PyTorch's state: the fields that are not zero, by their place
STATE = np.dtype(
    {
        "names": ["seed", "left", "seeded", "next", "state", "normal_y", "normal_is_valid"],
        "formats": ["u8", "i4", "i4", "u8", ("u8", 624), "f8", "i4"],
        "offsets": [0, 8, 12, 16, 24, 5024, 5040],
        "itemsize": 5056,
    }
)


@pytest.fixture
def torch():
    return pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")


def error_of(function, *args):
    try:
        function(*args)
    except (TypeError, ValueError, RuntimeError) as error:
        return type(error), str(error)
    raise AssertionError("nothing was raised")


def uniform(generator, n):
    return probe.fill("uniform", generator, np.empty(n), 0, 1)


def normal(generator, n):
    return probe.fill("normal", generator, np.empty(n), 0, 1)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_seed_gives_the_state_that_it_gives_in_pytorch(torch, seed):
    ours = Generator().manual_seed(seed)
    theirs = torch.Generator().manual_seed(seed)
    assert ours.initial_seed() == theirs.initial_seed()
    np.testing.assert_array_equal(ours.get_state(), theirs.get_state().numpy())


@pytest.mark.parametrize("seed", [0, 42, 2**32 - 1])
def test_the_words_are_those_of_numpys_mersenne_twister(seed):
    words = probe.fill("random", Generator().manual_seed(seed), np.empty(5000, np.int32))
    expected = np.random.RandomState(seed).randint(0, 2**32, 5000, dtype=np.uint32)
    np.testing.assert_array_equal(words, (expected & 0x7FFFFFFF).astype(np.int32))


def test_a_new_generator_has_pytorchs_default_seed(torch):
    np.testing.assert_array_equal(Generator().get_state(), torch.Generator().get_state().numpy())


@pytest.mark.parametrize("seed", BAD_SEEDS, ids=repr)
def test_a_bad_seed_is_refused_as_in_pytorch_and_changes_nothing(torch, seed):
    generator = Generator()
    before = generator.get_state()
    assert error_of(generator.manual_seed, seed) == error_of(torch.Generator().manual_seed, seed)
    np.testing.assert_array_equal(generator.get_state(), before)


def test_manual_seed_returns_the_generator():
    generator = Generator()
    assert generator.manual_seed(3) is generator


def test_seed_draws_from_the_system_and_restarts():
    generator = Generator()
    first, second = generator.seed(), generator.seed()
    assert first != second
    assert generator.initial_seed() == second
    np.testing.assert_array_equal(
        generator.get_state(), Generator().manual_seed(second).get_state()
    )


def test_reseeding_forgets_the_kept_normal_number():
    generator = Generator().manual_seed(0)
    first = normal(generator, 3)
    np.testing.assert_array_equal(normal(generator.manual_seed(0), 3), first)


@pytest.mark.parametrize("drawn", [0, 1, 3, 623, 624, 625, 1248])
@pytest.mark.parametrize("normals", [0, 1, 2])
def test_states_are_exchanged_with_pytorch_in_both_directions(torch, drawn, normals):
    ours, theirs = Generator().manual_seed(5), torch.Generator().manual_seed(5)
    probe.fill("random", ours, np.empty(drawn, np.int32))
    torch.empty(drawn, dtype=torch.int32).random_(generator=theirs)
    normal(ours, normals)
    torch.empty(normals, dtype=torch.float64).normal_(generator=theirs)
    np.testing.assert_array_equal(ours.get_state(), theirs.get_state().numpy())

    resumed = Generator()
    resumed.set_state(theirs.get_state().numpy())
    theirs_resumed = torch.Generator()
    theirs_resumed.set_state(torch.from_numpy(ours.get_state()))
    expected = torch.empty(700, dtype=torch.float64).uniform_(generator=theirs_resumed).numpy()
    np.testing.assert_array_equal(uniform(resumed, 700), expected)
    np.testing.assert_array_equal(uniform(ours, 700), expected)
    kept = torch.empty(1, dtype=torch.float64).normal_(generator=theirs_resumed).numpy()
    np.testing.assert_array_equal(normal(resumed, 1), kept)


@pytest.mark.parametrize(
    "fields",
    [
        {"normal_y": 2.5, "normal_is_valid": 1},
        {"normal_y": 2.5, "normal_is_valid": 0},
        {"left": 2, "next": 100},
        {"left": 1, "next": 624},
        {"seeded": 7},
        {"seed": 99},
        {"next": 2**32 + 1},
    ],
    ids=str,
)
def test_an_unusual_state_is_taken_as_in_pytorch(torch, fields):
    state = Generator().manual_seed(3).get_state()
    for name, value in fields.items():
        state.view(STATE)[name] = value
    ours, theirs = Generator(), torch.Generator()
    ours.set_state(state)
    theirs.set_state(torch.from_numpy(state))
    np.testing.assert_array_equal(ours.get_state(), theirs.get_state().numpy())
    np.testing.assert_array_equal(
        normal(ours, 3), torch.empty(3, dtype=torch.float64).normal_(generator=theirs).numpy()
    )
    np.testing.assert_array_equal(ours.get_state(), theirs.get_state().numpy())


@pytest.mark.parametrize(
    "fields", [{"seeded": 0}, {"left": 0}, {"left": 625}, {"left": -1}, {"next": 625}], ids=str
)
def test_an_invalid_state_is_refused_as_in_pytorch_and_changes_nothing(torch, fields):
    state = Generator().manual_seed(3).get_state()
    for name, value in fields.items():
        state.view(STATE)[name] = value
    generator = Generator()
    before = generator.get_state()
    expected = error_of(torch.Generator().set_state, torch.from_numpy(state))
    assert error_of(generator.set_state, state) == expected
    np.testing.assert_array_equal(generator.get_state(), before)


def test_a_state_that_would_draw_behind_its_words_is_refused():
    state = Generator().get_state()
    state.view(STATE)["left"] = 624
    state.view(STATE)["next"] = 2
    with pytest.raises(RuntimeError, match="^Invalid mt19937 state$"):
        Generator().set_state(state)


def test_a_state_of_another_shape_or_type_is_refused_as_in_pytorch(torch):
    for bad in (
        np.zeros(3, np.float32),
        np.zeros(10, np.uint8),
        np.zeros(5056, np.int8),
        np.zeros(2 * 5056, np.uint8)[::2],
    ):
        expected = error_of(torch.Generator().set_state, torch.from_numpy(bad))
        assert error_of(Generator().set_state, bad) == expected
    assert error_of(Generator().set_state, 3) == error_of(torch.Generator().set_state, 3)


@pytest.mark.parametrize(
    "clone",
    [
        copy.copy,
        copy.deepcopy,
        Generator.clone_state,
        lambda generator: pickle.loads(pickle.dumps(generator)),
    ],
    ids=["copy", "deepcopy", "clone_state", "pickle"],
)
def test_a_copy_continues_the_stream_on_its_own(clone):
    class Derived(Generator):
        pass

    globals()["Derived"] = Derived  # where pickle finds it
    Derived.__qualname__ = "Derived"
    for cls in (Generator, Derived):
        generator = cls().manual_seed(7)
        normal(generator, 5)
        other = clone(generator)
        assert type(other) is cls
        assert other.initial_seed() == 7
        expected = normal(generator, 5)
        np.testing.assert_array_equal(normal(other, 5), expected)


def test_what_a_cpu_generator_cannot_do_is_refused_as_in_pytorch(torch):
    ours, theirs = Generator(), torch.Generator()
    for name, args in (("get_offset", ()), ("set_offset", (3,)), ("graphsafe_get_state", ())):
        assert error_of(getattr(ours, name), *args) == error_of(getattr(theirs, name), *args)
    with pytest.raises(NotImplementedError, match="^graphsafe_set_state is not supported"):
        ours.graphsafe_set_state(ours)


def test_only_the_cpu_has_a_generator():
    for device in ("cpu", "cpu:0"):
        assert Generator(device).device == "cpu"
    with pytest.raises(RuntimeError, match="cuda"):
        Generator(device="cuda")


def test_there_is_one_default_generator():
    assert _get_default_generator() is _get_default_generator()
    assert isinstance(_get_default_generator(), Generator)


def test_threads_share_a_stream_without_losing_or_repeating_a_number():
    generator = Generator().manual_seed(11)
    calls, size, threads = 20, 501, 4
    drawn = [[] for _ in range(threads)]

    def draw(mine):
        for _ in range(calls):
            mine.append(uniform(generator, size))

    workers = [threading.Thread(target=draw, args=(mine,)) for mine in drawn]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    together = np.sort(np.concatenate([run for mine in drawn for run in mine]))
    stream = uniform(Generator().manual_seed(11), calls * size * threads)
    np.testing.assert_array_equal(together, np.sort(stream))
