"""uint16 to uint64, complex32 and the types of 8 bits: conversions, promotion, what is made of them and how."""

import copy
import io

import numpy as np
import pytest

import minitorch
from tests.both import compare, real

UNSIGNED = ["uint16", "uint32", "uint64"]
FLOAT8 = ["float8_e5m2", "float8_e4m3fn", "float8_e5m2fnuz", "float8_e4m3fnuz", "float8_e8m0fnu"]
NEW = [*UNSIGNED, "complex32", *FLOAT8]
OLD = """uint8 int8 int16 int32 int64 bool float16 bfloat16 float32 float64 complex64
    complex128""".split()
ALL = OLD + NEW
INTEGERS = ["uint8", "int8", "int16", "int32", "int64", *UNSIGNED]


def attempt(function, *args, **kwargs):
    try:
        return function(*args, **kwargs)
    except Exception as error:
        return type(error).__name__, str(error).splitlines()[0]


def named(function, *args):
    return repr(function(*args))


def extremes(name):
    """An array of numbers that the type holds or rounds to; of a type that NumPy does not know, wider."""
    if name in INTEGERS:
        limits = np.iinfo(name)
        ends = [limits.min, limits.max, limits.max // 2, limits.max // 2 + 1, 0, 1, 3, 100]
        return np.array(ends, name)
    if name == "bool":
        return np.array([True, False, True])
    small = np.concatenate([2.0 ** np.arange(-20, 17), 1.5 * 2.0 ** np.arange(-20, 17)])
    real = np.array(
        [0, 1.1, 2.5, 3.5, 17, 100.3, 239, 247, 249, 447, 463, 465, 481, 500, 60000, 65504]
    )
    values = np.concatenate([small, real])
    values = np.concatenate(
        [values, -values, [np.inf, -np.inf, np.nan, 2.0**-127, 1.5 * 2.0**-127, 2.0**127]]
    )
    if "complex" in name:
        both = values.astype("complex128")
        both.imag = values[::-1]
        return both
    return values


def fits(values, source, target):
    """Those that a target of whole numbers holds; others give what a processor's conversion gives."""
    if target not in INTEGERS or values.dtype.kind not in "fc":
        return values
    limits = np.iinfo(target)
    if source in FLOAT8:
        # larger numbers become nan in some of them
        values = values[np.abs(values) < 200]
    whole = np.trunc(values.real)
    with np.errstate(invalid="ignore"):
        return values[
            np.isfinite(whole) & (whole >= limits.min) & (whole <= min(limits.max, 2**53))
        ]


@pytest.mark.parametrize("source", ALL)
@pytest.mark.parametrize("target", ALL)
def test_conversions(source, target):
    values = fits(extremes(source), source, target)

    def program(torch):
        made = torch.from_numpy(values).to(getattr(torch, source))
        out = torch.zeros(2 * len(made), dtype=getattr(torch, target))[::2]
        return (
            made.to(getattr(torch, target)),
            made[::2].to(getattr(torch, target)),
            out.copy_(made).clone(),
            made[1].to(getattr(torch, target)),
        )

    compare(program, tolerance=0)


@pytest.mark.parametrize("name", NEW)
def test_promotion(name):
    def program(torch):
        d = getattr(torch, name)
        answers = []
        for other in ALL:
            e = getattr(torch, other)
            answers.append(attempt(named, torch.promote_types, d, e))
            answers.append(attempt(named, torch.promote_types, e, d))
            answers.append((torch.can_cast(d, e), torch.can_cast(e, d)))
            for shapes in (((2,), ()), ((), (2,)), ((), ())):
                a, b = torch.ones(shapes[0], dtype=d), torch.ones(shapes[1], dtype=e)
                answers.append(attempt(named, torch.result_type, a, b))
        for number in (True, 1, -1, 2**63, 1.5, 1j):
            for shape in ((2,), ()):
                answers.append(
                    attempt(named, torch.result_type, torch.ones(shape, dtype=d), number)
                )
        return answers

    compare(program)


MAKING = {
    "tensor": lambda torch, d: [
        attempt(torch.tensor, [x], dtype=d)
        for x in (1, -1, 70000, -70000, 2**32, 2**63, 2**64, True, 1.5, -1.5, float("nan"), 1j)
    ],
    "full": lambda torch, d: [
        attempt(torch.full, (2,), x, dtype=d)
        for x in (1, -1, 70000, -70000, 2**32, 2**63, 2**64, True, 1.5, -1.5, 1e39, 1j)
    ],
    "zeros": lambda torch, d: (
        torch.zeros(2, dtype=d),
        torch.ones(2, dtype=d),
        torch.zeros((), dtype=d),
    ),
    "like": lambda torch, d: (
        torch.ones_like(torch.ones(2, dtype=d)),
        torch.ones(2).new_zeros(2, dtype=d),
    ),
    "frombuffer": lambda torch, d: torch.frombuffer(bytearray(b"12345678"), dtype=d),
    "view": lambda torch, d: torch.frombuffer(bytearray(b"12345678"), dtype=torch.uint8).view(d),
    "elements": lambda torch, d: [
        attempt(f)
        for f in (
            torch.ones(2, dtype=d).tolist,
            torch.ones((), dtype=d).item,
            lambda: int(torch.ones((), dtype=d)),
            lambda: float(torch.ones((), dtype=d)),
            lambda: bool(torch.ones((), dtype=d)),
            lambda: [0, 1][torch.ones((), dtype=d)],
        )
    ],
    "refused": lambda torch, d: [
        attempt(f)
        for f in (
            lambda: torch.arange(3, dtype=d),
            lambda: torch.eye(2, dtype=d),
            lambda: torch.linspace(0, 1, 3, dtype=d),
            lambda: torch.randperm(3, dtype=d),
            lambda: torch.ones(2, dtype=d).random_().dtype,
        )
    ],
    "kind": lambda torch, d: (
        torch.ones(2, dtype=d).type(),
        torch.ones(2).type(f"torch.{torch.ones(2, dtype=d).type()[6:]}"),
        torch.ones(2, dtype=d).element_size(),
        torch.ones(2, dtype=d).is_signed(),
        torch.ones(2, dtype=d).is_floating_point(),
        torch.ones(2, dtype=d).is_complex(),
        attempt(lambda: torch.ones(2, dtype=d, requires_grad=True).requires_grad),
    ),
    "arrays": lambda torch, d: attempt(lambda: torch.ones(2, dtype=d).numpy().dtype.name),
    "dlpack": lambda torch, d: torch.from_dlpack(torch.ones(2, dtype=d)),
    "copies": lambda torch, d: copy.deepcopy(torch.ones(2, dtype=d)),
    "printed": lambda torch, d: (
        repr(torch.ones(3, dtype=d)),
        repr(torch.full((), 2, dtype=d)),
        repr(torch.ones(2, 1200, dtype=d)),
        repr(torch.zeros(0, dtype=d)),
        repr(torch.tensor([1.0, 2.5, 3.25]).to(d)),
    ),
}


@pytest.mark.parametrize("name", NEW)
@pytest.mark.parametrize("making", MAKING)
def test_making(name, making):
    compare(lambda torch: MAKING[making](torch, getattr(torch, name)))


@pytest.mark.parametrize("name", UNSIGNED)
def test_arrays_are_shared(name):
    array = np.array([1, 2, np.iinfo(name).max], name)
    tensor = minitorch.from_numpy(array)
    assert repr(tensor.dtype) == f"torch.{name}"
    assert tensor.tolist() == array.tolist()
    assert tensor.numpy().ctypes.data == array.ctypes.data
    assert np.from_dlpack(tensor).tolist() == array.tolist()


@pytest.mark.parametrize("name", NEW)
def test_files_go_both_ways(name):
    for saving, loading in ((minitorch, real), (real, minitorch)):
        file = io.BytesIO()
        saving.save({"x": saving.ones(3, dtype=getattr(saving, name))}, file)
        file.seek(0)
        loaded = loading.load(file)["x"]
        assert repr(loaded.dtype) == f"torch.{name}"
        assert loaded.tolist() == [1, 1, 1]


@pytest.mark.parametrize("name", UNSIGNED)
def test_random_integers(name):
    def program(torch):
        d = getattr(torch, name)
        torch.manual_seed(0)
        return (
            torch.randint(0, 1000, (5,), dtype=d),
            torch.zeros(5, dtype=d).random_(10),
            torch.zeros(5, dtype=d).random_(3, 60000),
            attempt(lambda: torch.zeros(5, dtype=d).random_(-1, 5)),
            attempt(lambda: torch.zeros(5, dtype=d).random_(0, 70000)),
            attempt(lambda: torch.zeros(5, dtype=d).random_(0, None)),
            torch.testing.make_tensor(5, dtype=d, device="cpu"),
        )

    compare(program)


def test_what_a_complex32_warns_of_once():
    program = "import minitorch as torch, warnings; warnings.simplefilter('error'); torch.zeros(1, dtype=torch.chalf)"
    with pytest.raises(UserWarning, match="ComplexHalf support is experimental"):
        minitorch.set_warn_always(True)
        try:
            exec(program, {})
        finally:
            minitorch.set_warn_always(False)


@pytest.mark.parametrize("name", ["uint64", "complex32", "float8_e5m2"])
def test_how_they_are_compared(name):
    def program(torch):
        d = getattr(torch, name)
        a, b = torch.ones(2, 2).to(d), torch.tensor([[1.0, 1.0], [1.0, 2.0]]).to(d)
        return (
            attempt(torch.testing.assert_close, a, a),
            attempt(torch.testing.assert_close, a, b),
            attempt(torch.testing.assert_close, a, b, rtol=1, atol=1),
        )

    compare(program)


def test_complex_numbers_of_halves_show_their_type():
    def program(torch):
        torch.set_default_dtype(torch.float16)
        try:
            return repr(torch.tensor(1j)), repr(torch.tensor([1.0]) * 1j), repr(torch.tensor(1.0))
        finally:
            torch.set_default_dtype(torch.float32)

    compare(program)
