"""Printed tensors: every text is compared with PyTorch's for the same elements."""

import time

import numpy as np
import pytest

import minitorch
from minitorch.autograd.functions.interchange import elements_to_read
from tests.both import compare

torch = pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")

FLOATS = ["float16", "float32", "float64"]
COMPLEXES = ["complex64", "complex128"]
INTEGERS = ["uint8", "int8", "int16", "int32", "int64"]
DTYPES = [*FLOATS, *COMPLEXES, *INTEGERS, "bool"]


@pytest.fixture(autouse=True)
def default_options():
    yield
    for library in (minitorch, torch):
        library.set_printoptions(profile="default")
        library.set_default_dtype(library.float32)


def set_options(**options):
    for library in (minitorch, torch):
        library.set_printoptions(profile="default")
        library.set_printoptions(**options)


def assert_prints_alike(array, change=lambda tensor, library: tensor):
    ours = change(minitorch.from_numpy(array.copy()), minitorch)
    theirs = change(torch.from_numpy(array.copy()), torch)
    assert repr(ours) == repr(theirs)
    assert str(ours) == str(theirs)


def real_values(rng, n):
    """Values that meet every branch of the choice of a notation."""
    scale = 10.0 ** rng.uniform(-10, 10)
    makers = [
        lambda: rng.standard_normal(n) * scale,
        lambda: rng.integers(-9, 10, n) * 1.0,
        lambda: np.round(rng.standard_normal(n) * scale),
        lambda: rng.standard_normal(n) * 10.0 ** rng.uniform(-10, 10, n),
        lambda: rng.uniform(0, 1, n),
        lambda: rng.choice([0.0, -0.0, 1, 1000, 1001, 1e8, 1e8 + 1, 1e-4, 9.9e-5, 0.5, 999.5], n),
        lambda: rng.choice([5e-324, 1e308, 1e-45, 1.0], n),
        lambda: rng.choice([0.0, -0.0], n),
        lambda: rng.choice([1.0, 99999, 99999.5], n) * rng.choice([1, 10], n),
    ]
    values = makers[rng.integers(len(makers))]()
    if rng.random() < 0.25:
        values = np.where(rng.random(n) < 0.3, rng.choice([np.nan, np.inf, -np.inf], n), values)
    return values


def random_array(rng):
    ndim = int(rng.integers(0, 6))
    sizes = [0, 1, 1, 2, 2, 3, 3, 4, 5, 7, 8, *([13, 40, 1500] if ndim < 3 else [])]
    shape = tuple(int(size) for size in rng.choice(sizes, ndim))
    n = int(np.prod(shape))
    dtype = np.dtype(str(rng.choice([*FLOATS, *DTYPES])))
    if dtype.kind == "c":
        values = real_values(rng, n) + 0j
        values.imag = real_values(rng, n)
    elif dtype.kind == "f":
        values = real_values(rng, n)
    else:
        values = rng.integers(-(10 ** int(rng.integers(0, 18))), 10 ** int(rng.integers(1, 18)), n)
    with np.errstate(all="ignore"):
        return values.reshape(shape).astype(dtype)


@pytest.mark.parametrize("seed", range(40))
def test_random_tensors_print_as_in_pytorch(seed):
    rng = np.random.default_rng(seed)
    for _ in range(15):
        assert_prints_alike(random_array(rng))


@pytest.mark.parametrize("seed", range(40))
def test_random_options_change_the_text_as_in_pytorch(seed):
    rng = np.random.default_rng(1000 + seed)
    choices = {
        "precision": [0, 1, 2, 6, 8],
        "threshold": [0, 5, 20, 100],
        "edgeitems": [0, 1, 2, 5],
        "linewidth": [1, 10, 40, 120],
        "profile": ["short", "default"],
        "sci_mode": [True, False],
    }
    for _ in range(15):
        set_options(
            **{
                name: values[rng.integers(len(values))]
                for name, values in choices.items()
                if rng.random() < 0.4
            }
        )
        assert_prints_alike(random_array(rng))


@pytest.mark.parametrize(
    "shape", [(), (0,), (1,), (0, 3), (3, 0), (2, 0, 4), (1, 1), (3,), (2, 3, 4)]
)
@pytest.mark.parametrize("dtype", DTYPES)
def test_each_dtype_and_shape(dtype, shape):
    assert_prints_alike(np.ones(shape, dtype))


@pytest.mark.parametrize(
    "shape", [(1001,), (2000, 2), (2, 2000), (7, 1, 200), (6, 6, 6, 6), (40, 40, 40)]
)
@pytest.mark.parametrize("dtype", ["float32", "int64", "complex64"])
def test_large_tensors_are_summarised(dtype, shape):
    values = np.arange(int(np.prod(shape))).reshape(shape).astype(dtype)
    assert_prints_alike(values)
    assert_prints_alike(values / 3)


@pytest.mark.parametrize("dtype", ["float32", "int64", "float64", "complex64"])
def test_no_edge_items_leave_dots_and_a_size(dtype):
    set_options(edgeitems=0)
    for shape in [(), (3,), (0, 2), (2000,), (2, 1000), (10, 20, 30)]:
        assert_prints_alike(np.ones(shape, dtype))


def test_the_decision_uses_only_the_elements_that_are_shown():
    values = np.ones(2000, np.float32)
    values[1000] = 1e-30
    assert_prints_alike(values)
    values[0] = 1e-30
    assert_prints_alike(values)


def test_a_strided_view_prints_its_own_elements():
    values = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    assert_prints_alike(values, lambda tensor, library: tensor.transpose(0, 2))
    assert_prints_alike(values, lambda tensor, library: tensor[:, 1:, ::2])


@pytest.mark.parametrize("length", [1, 3, 11, 12, 13, 14, 30])
def test_grad_fn_goes_to_a_new_line_where_the_last_one_is_full(length):
    values = np.linspace(0, 1, length, dtype=np.float32)
    assert_prints_alike(values, lambda tensor, library: tensor.requires_grad_())
    assert_prints_alike(values, lambda tensor, library: tensor.requires_grad_() * 2)
    assert_prints_alike(
        values.astype(np.float64), lambda tensor, library: (tensor.requires_grad_() * 2).sum()
    )


def test_an_empty_tensor_that_requires_grad():
    assert_prints_alike(
        np.ones((0, 3), np.float64), lambda tensor, library: tensor.requires_grad_()
    )


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128", "int64"])
def test_the_default_dtype_is_not_shown(dtype):
    for library in (minitorch, torch):
        library.set_default_dtype(library.float64)
    assert_prints_alike(np.ones(2, dtype))
    assert_prints_alike(np.ones(0, dtype))


def test_a_conjugate_view_and_its_imaginary_part():
    values = np.array([1 + 2j, -3.5 + 0j], np.complex64)
    assert_prints_alike(values, lambda tensor, library: tensor.conj())
    assert_prints_alike(values, lambda tensor, library: tensor.conj().imag)


def test_a_parameter_says_so():
    assert_prints_alike(
        np.ones((2, 3), np.float32), lambda tensor, library: library.nn.Parameter(tensor)
    )
    assert_prints_alike(
        np.ones(2, np.float32),
        lambda tensor, library: library.nn.Parameter(tensor, requires_grad=False),
    )


def test_given_contents_replace_the_elements():
    ours, theirs = minitorch.ones(2, 3), torch.ones(2, 3)
    assert ours.__repr__(tensor_contents="hi") == theirs.__repr__(tensor_contents="hi")


@pytest.mark.parametrize("spec", ["", "5.2f", ">10", "e"])
def test_only_a_tensor_without_dimensions_takes_a_format(spec):
    assert format(minitorch.tensor(1.5), spec) == format(torch.tensor(1.5), spec)
    if spec:
        with pytest.raises(TypeError) as theirs:
            format(torch.ones(2), spec)
        with pytest.raises(TypeError) as ours:
            format(minitorch.ones(2), spec)
        assert str(ours.value) == str(theirs.value)


def test_a_call_without_sci_mode_returns_to_the_automatic_choice():
    set_options(sci_mode=True)
    assert "e+" in repr(minitorch.tensor([1.5]))
    for library in (minitorch, torch):
        library.set_printoptions(precision=2)
    assert repr(minitorch.tensor([1.5])) == repr(torch.tensor([1.5]))


@pytest.mark.parametrize("profile", ["default", "short", "full", "unknown"])
def test_profiles_set_what_pytorchs_set(profile):
    from torch import _tensor_str as theirs

    from minitorch import _tensor_str as ours

    set_options(profile=profile)
    assert ours.get_printoptions() == theirs.get_printoptions()
    set_options(profile=profile, precision=7, edgeitems=1)
    assert ours.get_printoptions() == theirs.get_printoptions()


def test_printoptions_puts_the_old_options_back():
    from minitorch._tensor_str import get_printoptions, printoptions

    before = get_printoptions()
    with pytest.raises(KeyError), printoptions(precision=1, sci_mode=True):
        assert get_printoptions()["precision"] == 1
        raise KeyError
    assert get_printoptions() == before


def test_a_huge_tensor_prints_without_reading_it_all():
    huge = minitorch.ones(4000, 4000)
    start = time.perf_counter()
    repr(huge)
    assert time.perf_counter() - start < 0.05


def test_a_tensor_that_was_printed_can_still_be_resized():
    def program(torch):
        x, out, scalar = torch.zeros(3), torch.empty(0), torch.tensor(2.0).bfloat16()
        text = [repr(t) for t in (x, x[1:], out, scalar)]
        torch.add(torch.ones(3), 1, out=out)
        x.untyped_storage().resize_(0)
        return text, out, scalar.resize_(1), x.untyped_storage().nbytes()

    compare(program)


def test_the_array_that_is_read_keeps_the_memory_in_place():
    x = minitorch.zeros(3)
    array = elements_to_read(x)
    with pytest.raises(RuntimeError, match="not resizable"):
        x.resize_(100)
    del array
    assert x.resize_(100).shape == (100,)
