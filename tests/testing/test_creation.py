"""`make_tensor` draws PyTorch's numbers."""

import pytest

from tests.both import compare

DTYPES = "bool uint8 int8 int16 int32 int64 float16 float32 float64 complex64 complex128".split()
OPTIONS = [
    {},
    {"low": 0},
    {"high": 1},
    {"low": -2, "high": 3},
    {"low": -2.5, "high": 3.5},
    {"low": 0, "high": 1, "exclude_zero": True},
    {"low": -1000, "high": 1000},
    {"low": -1e39, "high": 1e39},
    {"low": 3, "high": 3},
    {"low": 3, "high": 2},
    {"low": float("nan")},
    {"low": float("-inf"), "high": float("inf")},
    {"low": 1e39, "high": 1e40},
    {"requires_grad": True},
    {"noncontiguous": True},
    {"noncontiguous": True, "exclude_zero": True, "low": 0, "high": 2},
]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_values_of_a_seed(dtype, options):
    def program(torch):
        torch.manual_seed(3)
        make = torch.testing.make_tensor
        made = make(3, 4, dtype=getattr(torch, dtype), device="cpu", **options)
        return made, made.is_contiguous(), made.requires_grad

    compare(program)


@pytest.mark.parametrize(
    "shape", [(), (1,), (0,), ([2, 3],), ((2, 3),), (2, 0, 3), (1, 1)], ids=str
)
@pytest.mark.parametrize("noncontiguous", [False, True])
def test_shapes(shape, noncontiguous):
    def program(torch):
        torch.manual_seed(3)
        return torch.testing.make_tensor(
            *shape, dtype=torch.float32, device="cpu", noncontiguous=noncontiguous
        )

    compare(program)


@pytest.mark.parametrize("contiguous", [False, True])
def test_memory_formats(contiguous):
    def program(torch):
        torch.manual_seed(3)
        return torch.testing.make_tensor(
            2, 3, 4, 5, dtype=torch.float32, device="cpu",
            memory_format=torch.channels_last, noncontiguous=not contiguous,
        )  # fmt: skip

    compare(program)


def test_what_is_no_dtype_is_refused():
    compare(lambda torch: torch.testing.make_tensor(2, dtype="float", device="cpu"))
