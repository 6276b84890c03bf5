"""dtypes that are names: what they say of themselves, and that no tensor is made of one."""

import copy
import pickle

import pytest

import minitorch
from tests.both import compare

NAMES = """float4_e2m1fn_x2 qint8 quint8 qint32 quint4x2 quint2x4 bits1x8 bits2x4 bits4x2 bits8 bits16 bit
    int1 int4 int7 uint1 uint4 uint7""".split()
CARRIED = """uint16 uint32 uint64 complex32 chalf float8_e5m2 float8_e4m3fn float8_e5m2fnuz float8_e4m3fnuz
    float8_e8m0fnu""".split()

MAKING = {
    "zeros": lambda torch, d: torch.zeros(2, dtype=d),
    "empty": lambda torch, d: torch.empty(2, dtype=d),
    "full": lambda torch, d: torch.full((2,), 1, dtype=d),
    "zeros_like": lambda torch, d: torch.zeros_like(torch.ones(2), dtype=d),
    "new_ones": lambda torch, d: torch.ones(2).new_ones(2, dtype=d),
    "tensor": lambda torch, d: torch.tensor([1], dtype=d),
    "as_tensor": lambda torch, d: torch.as_tensor([1], dtype=d),
    "asarray": lambda torch, d: torch.asarray([1], dtype=d),
    "frombuffer": lambda torch, d: torch.frombuffer(b"12345678", dtype=d),
    "arange": lambda torch, d: torch.arange(3, dtype=d),
    "randint": lambda torch, d: torch.randint(3, (2,), dtype=d),
    "to": lambda torch, d: torch.ones(2).to(d),
    "to dtype=": lambda torch, d: torch.ones(2).to(dtype=d),
    "to device": lambda torch, d: torch.ones(2).to("cpu", d),
    "type": lambda torch, d: torch.ones(2).type(d),
    "view": lambda torch, d: torch.ones(2).view(d),
    "sum": lambda torch, d: torch.ones(2).sum(dtype=d),
    "cumsum": lambda torch, d: torch.ones(2).cumsum(0, dtype=d),
    "softmax": lambda torch, d: torch.softmax(torch.ones(2), 0, dtype=d),
    "promote_types": lambda torch, d: torch.promote_types(d, torch.int8),
    "can_cast": lambda torch, d: torch.can_cast(torch.int8, d),
    "Linear": lambda torch, d: torch.nn.Linear(2, 2, dtype=d),
}


def attempt(function):
    try:
        return function()
    except Exception as error:
        return type(error).__name__, str(error)


@pytest.mark.parametrize("name", NAMES + CARRIED)
def test_what_it_says_of_itself(name):
    def program(torch):
        d = getattr(torch, name)
        return (
            *(repr(d), str(d), d.itemsize, d.is_floating_point, d.is_complex),
            attempt(lambda: d.is_signed),
            d.abbr,
            repr(d.to_real()),
            attempt(lambda: repr(d.to_complex())),
            isinstance(d, torch.dtype),
            d == torch.int8,
            len({d, d}),
            pickle.loads(pickle.dumps(d)) is d,
            copy.deepcopy(d) is d,
        )

    compare(program)


@pytest.mark.parametrize("name", ["uint16", "uint32", "uint64"])
def test_limits(name):
    compare(lambda torch: (repr(torch.iinfo(getattr(torch, name))), torch.iinfo(torch.uint64).max))


@pytest.mark.parametrize("name", ["uint16", "uint32", "uint64", "qint8", "quint4x2"])
def test_windows_refuse_it_as_every_integer(name):
    compare(lambda torch: torch.bartlett_window(3, dtype=getattr(torch, name)))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("making", MAKING)
def test_no_tensor_is_made_of_it(name, making):
    d = getattr(minitorch, name)
    with pytest.raises(NotImplementedError, match=f"^{d} is not part of minitorch$"):
        MAKING[making](minitorch, d)


@pytest.mark.parametrize("name", [name for name in CARRIED if name.startswith("float8")])
def test_limits_of_eight_bits(name):
    compare(lambda torch: repr(torch.finfo(getattr(torch, name))))


@pytest.mark.parametrize("name", ["qint8", "quint8"])
def test_limits_that_are_not_implemented(name):
    d = getattr(minitorch, name)
    with pytest.raises(NotImplementedError, match=f"the limits of {d}"):
        (minitorch.finfo if d.is_floating_point else minitorch.iinfo)(d)


@pytest.mark.parametrize("name", ["int4", "uint7", "bits8"])
def test_limits_that_do_not_exist(name):
    compare(
        lambda torch: (
            attempt(lambda: torch.finfo(getattr(torch, name))),
            attempt(lambda: torch.iinfo(getattr(torch, name))),
        )
    )


def test_short_names():
    names = "bool uint8 int8 int64 float16 float32 bfloat16 complex64".split()
    compare(lambda torch: [getattr(torch, name).abbr for name in names])
