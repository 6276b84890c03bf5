"""torch.tensor(data): inference, elements and errors against PyTorch."""

import warnings

import numpy as np
import pytest

from tests.probes.ops import sequence as _probe_sequence
from tests.probes.ops import views as _probe_views

torch = pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")

DTYPES = {
    torch.uint8: 0, torch.int8: 1, torch.int16: 2, torch.int32: 3, torch.int64: 4, torch.float16: 5,
    torch.float32: 6, torch.float64: 7, torch.complex64: 9, torch.complex128: 10, torch.bool: 11,
}  # fmt: skip


class Index:
    def __index__(self):
        return 3


class Float:
    def __float__(self):
        return 3.0


class Sequence:
    def __len__(self):
        return 2

    def __getitem__(self, i):
        if i > 1:
            raise IndexError(i)
        return i


class Unreadable:
    def __len__(self):
        return 2

    def __getitem__(self, i):
        raise ValueError("unreadable")


class Export:
    """Knows DLPack and nothing else."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **arguments):
        return self.array.__dlpack__(**arguments)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class Mark:
    """Where a case has a tensor: each side makes one of its own."""

    def __init__(self, value, dtype=None):
        self.array = np.array(value, dtype)
        if self.array.dtype == np.float64 and dtype is None:
            self.array = self.array.astype(np.float32)


def convert(value, make):
    if isinstance(value, Mark):
        return make(value.array)
    if type(value) in (list, tuple):
        return type(value)(convert(v, make) for v in value)
    return value


def our_tensor(array):
    return _probe_sequence.Tensor(_probe_views.from_array(array))


def theirs(value, dtype):
    try:
        t = torch.tensor(convert(value, torch.from_numpy), dtype=dtype)
    except Exception as error:
        return type(error), str(error)
    geometry = tuple(t.shape), t.stride(), t.storage_offset(), str(t.dtype)[6:]
    return *geometry, repr(t.numpy().tolist())


def ours(value, dtype):
    try:
        t = _probe_sequence.tensor(convert(value, our_tensor), DTYPES.get(dtype, 16))
    except Exception as error:
        return type(error), str(error).replace("tests.probes.ops.sequence.", "")
    return *_probe_views.geometry(t), repr(_probe_views.to_array(t).tolist())


NAN, INF = float("nan"), float("inf")
LISTS = [
    [[1, 2], [3]], [[1, 2], [1, 2, 3]], [[1, 2], 3], [1, [2, 3]], [[1], [[2]]], "a", "", ["a"],
    ["ab", "cd"], [["a"]], [None], None, [1, None], [1, "a"], [1.0, "a"], {},
    [{}], {1, 2}, object(),
    [1, object()], [], [[]], [[], []], (), [1, 2.5], [1, True], [True, False], [1, 2j],
    [1.5, 2j, True], 2**63, [2**63], -(2**63), [2**63 - 1, -(2**63)], 2**64, [2**64], [2**63, 1.0],
    [1e39], 1e39, -0.0, [NAN, INF, -INF], [1e5], [70000], 3.5, True, 3 + 4j, 7, Index(), [Index()],
    [1, Index()], Float(), [Float()], [1.0, Float()], Sequence(), [Sequence(), Sequence()],
    Unreadable(), range(4), [range(2), range(2)], iter([1]), {1: 2}.keys(), {0: 2}, b"ab", [b"ab"],
    [1, b"ab"], bytearray(b"ab"), memoryview(b"abc"), [[1, 2], [3, "a"]], [[1, 2], "ab"],
    [[1, 2], (3, 4)], [[[1]], [[2, 3]]], [[[1], [2]], [[2]]], [[1, 2], {}], [[1, 2], 5.0],
    [5.0, [1, 2]], [[1, [2]]], len, [[], [1]], [[1], []], 10**400, [1, 10**400], [1.0, 10**400],
    [[1, 2], {3: 0, 4: 0}], [[[1.5, 2], [3, 4]], [[5, 6], [7, 8]]], [[1] * 3] * 2,
    torch.Size([2, 3]),
    [0.1, 1 / 3, 65504.0, 65519.9, 65520.0, 5.96e-8, 2.9e-8, 6.1e-5],
]  # fmt: skip
SCALARS = [
    300, 256, 255, -1, -128, -129, -255, -256, 2**40, 32768, 1.5, -1.5, -0.5, 255.5, 127.5, -128.5,
    NAN, INF, 1e30, 2.0**40, 2.0**63, -(2.0**63), 2.0**64, 1e-50, 1j, 1 + 0j, 1 + 1e300j, 2**63,
    2**200,
    10**400, True, 0, 0.5, "1", None, Index(), Float(),
]  # fmt: skip
NUMPY = [
    np.float32(2.5), np.float64(2.5), np.float16(3), np.int8(3), np.uint8(3), np.int16(3),
    np.int32(3),
    np.int64(2), np.bool_(True), np.complex64(2), np.complex128(1 + 2j), np.longdouble(3),
    np.datetime64("2020"), np.timedelta64(3), np.void(b"a"), np.str_("a"), np.bytes_(b"a"),
]  # fmt: skip
ARRAYS = [
    np.array([1, 2]), np.array(3.0), np.array(["a"]), np.ones(3)[::-1], np.ones(3, ">f4"),
    np.ones((3, 4)).T, np.arange(24.0).reshape(3, 8)[:, ::2], np.broadcast_to(np.ones(1), (3, 4)),
    np.ones((0, 3)), np.array([1 + 1j]), np.array([300, -1]), Export(np.arange(3.0)),
]  # fmt: skip
MIXED = [
    [np.int64(3), 2.5], [np.float64(3), 2.5], [2.5, np.float64(3)], [np.int32(3), 2],
    [np.float32(3), np.float64(1)], [np.bool_(True), 1], [np.complex128(1), "a"],
    [np.float16(1), 1], [np.float16(1), 1.0], [np.int8(1), True], [np.int8(1), np.uint8(1)],
    [np.array([1, 2]), np.array([3, 4])], [np.array([1.0, 2]), np.array([3, 4])],
    [np.array([1.0, 2]), np.array([3, 4, 5])], [np.array(1.0), np.array(3.0)],
    [np.array([[1, 2]]), np.array([[3, 4]])], [1.5, np.array([1, 2])], [np.array([1, 2], ">i4")],
]  # fmt: skip
TENSORS = [
    [Mark(1.0), Mark(2)], [Mark([1.0]), Mark([2])], [Mark([1.0, 2.0]), Mark([2.0, 3.0])],
    [Mark(1), 2.5], [Mark(1.0, "f8"), 2.5], [1, Mark([2])], [Mark(1, "f2")], [Mark(1, "i1")],
    [Mark([[1]])], [Mark([])], [[Mark(1)], [Mark(2.0)]], [Mark(True)], [Mark(1.0), np.float16(2)],
]  # fmt: skip


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "value", LISTS + NUMPY + [[v] for v in NUMPY] + ARRAYS + MIXED + TENSORS, ids=str
)
def test_inferred(value):
    if isinstance(value, type(iter([]))):
        assert ours(value, None) == theirs(iter([1]), None)
    else:
        assert ours(value, None) == theirs(value, None)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_with_a_dtype(dtype):
    for value in SCALARS + NUMPY:
        assert ours(value, dtype) == theirs(value, dtype), repr(value)
        assert ours([value], dtype) == theirs([value], dtype), repr([value])
    for value in LISTS:
        assert ours(value, dtype) == theirs(value, dtype), repr(value)
    for value in ARRAYS[:-2]:
        assert ours(value, dtype) == theirs(value, dtype), repr(value)


def test_the_default_dtype_is_inferred():
    torch.set_default_dtype(torch.float64)
    from minitorch.core import dtype

    before = dtype._get_default_dtype()
    dtype._set_default_dtype(dtype._dtypes()["float64"])
    try:
        for value in (1.5, [1.5], [1j], [], [[]], [np.float16(1), 1.0]):
            assert ours(value, None) == theirs(value, None)
    finally:
        torch.set_default_dtype(torch.float32)
        dtype._set_default_dtype(before)


def test_lists_in_a_circle_raise():
    itself = []
    itself.append(itself)
    assert ours(itself, None) == theirs(itself, None)
    a, b = [0], []
    b.append(a)
    a.append(b)
    assert ours(a, None)[0] is RecursionError
    a = [1]
    a.append(a)
    assert ours(a, None) == theirs(a, None)


def test_a_list_that_shrinks_while_it_is_read():
    class Shrink:
        def __float__(self):
            rows.clear()
            return 1.0

    rows = [Shrink(), 1.0, 2.0]
    with pytest.raises(ValueError, match="expected sequence of length 3"):
        _probe_sequence.tensor(rows, 6)


def test_lists_of_arrays_warn_once():
    import subprocess
    import sys

    program = (
        "import warnings, numpy as np\n"
        "from tests.probes.ops.sequence import tensor\n"
        "with warnings.catch_warnings(record=True) as seen:\n"
        "    warnings.simplefilter('always')\n"
        "    tensor([np.ones(2)]); tensor([np.ones(2)])\n"
        "assert len(seen) == 1 and 'extremely slow' in str(seen[0].message)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_the_array_is_copied():
    array = np.zeros(3)
    t = _probe_sequence.tensor(array)
    array[0] = 1
    assert _probe_views.to_array(t).tolist() == [0, 0, 0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        array.flags.writeable = False
        _probe_sequence.tensor(array)
