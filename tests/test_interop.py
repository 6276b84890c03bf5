"""NumPy, DLPack, buffers, storages: shared memory, conversions and errors are PyTorch's."""

import copy
import gc
import operator
import pickle

import numpy as np
import pytest

import minitorch as torch
from tests.both import compare
from tests.expressions import check, lines

INTEROP = lines(
    r"""
x.numpy()
m.t().numpy()
torch.ones(2, requires_grad=True).numpy()
torch.ones(2, requires_grad=True).numpy(force=True)
x.numpy(1)
x.numpy(force=1)
x.numpy(foo=1)
np.asarray(x)
np.ones(3, dtype=np.float32) + x
np.ones(3) * x
np.mean(x)
np.sum(x)
np.concatenate([x, x])
np.float64(3) * x
x * np.float64(3)
x.storage_offset()
x.data_ptr() != 0
memoryview(x)
x.__array_priority__
torch.from_dlpack(np.ones(2))
torch.from_dlpack(x)
torch.from_dlpack(torch.ones(2,requires_grad=True))
np.from_dlpack(x)
torch.from_dlpack(3)
x.to_sparse().__dlpack__()
x.to("meta").__dlpack__()
torch.from_dlpack(x, device="cuda")
torch.from_dlpack(x, device="meta")
torch.from_dlpack(x, device="cpu")
x.to("meta").numpy(force=True)
x.to("meta").__dlpack_device__()
[(k.name, int(k)) for k in torch.utils.dlpack.DLDeviceType]
x.set_(torch.ones(2)).shape
x.set_().shape
y=torch.ones(2,3);;x.set_(y, 1, (2,), (2,));;x
y=torch.ones(2,3);;x.set_(y.untyped_storage(), 1, (2,), (2,));;x
y=torch.ones(2,3);;x.set_(y.storage(), 1, (2,), (2,));;x
x.set_(torch.ones(2).double())
y=x.numpy();;x.resize_(5)
x.is_shared()
x.share_memory_() is x
x.is_pinned()
x.pin_memory()
x.is_set_to(x)
x.is_set_to(x[:])
x.storage()
x.untyped_storage().nbytes()
x.storage().tolist()
len(x.storage())
x.storage().data_ptr() == x.data_ptr()
torch.Tensor(np.ones(2))
torch.Tensor(np.ones(2,dtype=np.float32))
torch.is_storage(x.storage())
torch.tensor(np.float32(2))
torch.tensor(np.float64(2)).dtype
torch.tensor([np.float64(2)]).dtype
torch.tensor([np.float32(2), 1]).dtype
torch.tensor([1.], pin_memory=True)
torch.tensor(memoryview(b'ab'))
torch.asarray(np.ones(2), dtype=torch.float32, copy=False)
torch.asarray(np.ones(2))
torch.frombuffer(b'abcd', dtype=torch.int16)
torch.frombuffer(b'abcd')
torch.from_numpy([1])
torch.from_numpy(np.float32(3))
"""
)


@pytest.mark.parametrize("line", INTEROP)
def test_exchange_is_pytorchs(line):
    check(line)


NUMPY_NUMBERS = lines(
    r"""
(i + np.int64(4), np.uint8(2) * i, i - np.float32(2))
(i ^ np.int64(1), np.int64(1) | i)
(x + np.bool_(True), np.bool_(True) * i, i == np.bool_(True))
(x + np.complex64(2), torch.full((2,), np.complex64(2)))
(torch.full((2,), np.bool_(True)), torch.where(x > 0, np.bool_(True), i[:3]))
np.float32(2) ** m
(np.int64(2) ** i, np.float64(2) ** x.requires_grad_())
x[0] = np.int64(7);;x
m[[0, 1]] = np.uint8(7);;m[:, 1] = np.int64(-1);;m
x[0] = np.float32(7)
x[0] = np.bool_(True)
i[0] = 2**63
t = torch.zeros(2, dtype=torch.uint64);;t[0] = np.int64(3);;t
t = torch.zeros(2, dtype=torch.uint64);;t[0] = "a"
torch.asarray(np.uint64(3))
torch.tensor([1.5], dtype=torch.uint64)
(torch.nn.LayerNorm(np.int64(4))(m), torch.nn.RMSNorm(np.int64(4))(m))
"""
)


@pytest.mark.parametrize("line", NUMPY_NUMBERS)
@pytest.mark.filterwarnings("ignore:Casting complex values")
def test_numbers_of_numpy_count_as_pytorchs_parser_takes_them(line):
    check(line)


ARRAYS_AS_OPERANDS = lines(
    r"""
(x == np.array([1.0, 2.0, 1.0]), np.array([1.0, 2.0, 1.0]) == x)
x == np.arange(2)
x == np.arange(3)[::-1]
(x == np.array(["a", "b", "c"])) is False
x < np.ones(3)
(np.arange(3) / (x + 1), np.float64(3) / x)
[1.0] / x
np.ones(3) / x.requires_grad_()
x += [1, 2, 3];;x
x += None;;x
"""
)


@pytest.mark.parametrize("line", ARRAYS_AS_OPERANDS)
def test_what_is_no_operand_is_left_to_numpy_or_refused(line):
    check(line)


def test_addition_in_place_asks_the_other_operand():
    class Label:
        def __radd__(self, other):
            return "added"

    def program(torch):
        t = torch.ones(2)
        t += Label()
        return t

    compare(program)


def test_numpy_array_shares_memory_with_the_tensor():
    t = torch.zeros(3)
    array = t.numpy()
    array[1] = 5
    t[2] = 7
    assert t.tolist() == [0, 5, 7]
    assert array.tolist() == [0, 5, 7]


def test_array_outlives_its_tensor():
    array = torch.arange(1000.0).numpy()
    gc.collect()
    assert array[999] == 999


def test_tensor_outlives_its_array():
    t = torch.from_numpy(np.arange(1000.0))
    gc.collect()
    assert t[999].item() == 999


def test_pickle_keeps_values_flags_and_shared_memory():
    base = torch.arange(6.0).requires_grad_()
    view = base.detach()[2:]
    again, part = pickle.loads(pickle.dumps([base, view]))
    assert again.requires_grad and not part.requires_grad
    assert again.tolist() == base.tolist()
    assert part.tolist() == view.tolist()
    with torch.no_grad():
        again[2] = 100
    assert part[0].item() == 100


@pytest.mark.parametrize("dtype", ["float64", "float16", "int8", "bool", "complex64"])
def test_pickle_keeps_dtype_and_strides(dtype):
    t = torch.ones(2, 3).to(getattr(torch, dtype)).t()
    again = pickle.loads(pickle.dumps(t))
    assert again.dtype is t.dtype
    assert again.stride() == t.stride()
    assert torch.equal(again, t)


def test_pickle_keeps_attributes_and_subclass():
    t = Named(torch.ones(2))
    t.label = "weights"
    again = pickle.loads(pickle.dumps(t))
    assert type(again) is Named
    assert again.label == "weights"


class Named(torch.Tensor):
    """A subclass, where pickle finds it."""


def test_deepcopy_keeps_shared_memory_and_copies_the_gradient():
    base = torch.ones(3, requires_grad=True)
    (base * 2).sum().backward()
    view = base.detach()
    other, part = copy.deepcopy([base, view])
    assert other.grad.tolist() == [2, 2, 2] and other.grad is not base.grad
    with torch.no_grad():
        other[0] = 9
    assert part[0].item() == 9
    assert base[0].item() == 1


def test_deepcopy_of_a_computed_tensor_is_refused_as_by_pytorch():
    compare(lambda lib: copy.deepcopy(lib.ones(2, requires_grad=True) * 2))


def test_dtypes_and_constants_pickle_to_themselves():
    for value in (torch.float32, torch.int64, torch.strided, torch.channels_last):
        assert pickle.loads(pickle.dumps(value)) is value
        assert copy.deepcopy(value) is value


@pytest.mark.parametrize("kind", ["bool_", "int64", "uint8", "float32", "float64", "complex128"])
@pytest.mark.parametrize("dtype", ["bool", "uint8", "int32", "float64", "float32", "complex64"])
def test_operators_take_numbers_of_numpy_as_pytorch_does(kind, dtype):
    def attempt(function):
        try:
            return function()
        except Exception as error:
            return type(error).__name__, str(error)

    def program(torch):
        t = torch.tensor([1, 3]).to(getattr(torch, dtype))
        n = getattr(np, kind)(1)
        operators = (
            "add sub mul truediv floordiv mod pow and_ or_ xor lshift rshift eq ne lt ge".split()
        )
        operators = [getattr(operator, name) for name in operators]
        return [
            *(attempt(lambda f=f: f(t, n)) for f in operators),
            *(attempt(lambda f=f: f(n, t)) for f in operators[:-2]),
            *(attempt(lambda f=f: f(t, n)) for f in (torch.add, torch.mul, torch.pow, torch.fmod)),
        ]

    compare(program)


def test_powers_of_numpys_numbers_are_recorded_as_those_of_numbers():
    def program(torch):
        t = torch.tensor([1.0, 3.0], requires_grad=True)
        results = [t ** np.float64(2), np.float64(2) ** t, torch.full((2,), 2.0).pow_(np.int64(2))]
        return results[0].grad_fn.name(), results[1].grad_fn.name(), results

    compare(program)


def test_in_place_operators_keep_integers():
    def program(torch):
        t = torch.tensor([4, 7])
        t *= np.int64(2)
        t //= np.int64(3)
        t **= np.int64(2)
        return t

    compare(program)


@pytest.mark.parametrize(
    "array",
    [
        np.array([1.0, 3.0]),
        np.array(3),
        np.array([1]),
        np.array(["a", "b"]),
        np.array([1.0, 3.0, 4.0]),
    ],
    ids=str,
)
def test_comparing_with_an_array_is_elementwise(array):
    compare(lambda torch: torch.tensor([1, 3]) == array)
    compare(lambda torch: array == torch.tensor([1, 3]))
    compare(lambda torch: torch.nn.Parameter(torch.tensor([1.0, 3.0])) == array)


@pytest.mark.parametrize(
    "value",
    [
        np.int64(3),
        np.uint8(3),
        np.float64(2.5),
        np.float32(2.5),
        np.bool_(True),
        2**63,
        -(2**63) - 1,
    ],
)
@pytest.mark.parametrize("index", [0, slice(0, 2), [0, 2]], ids=str)
def test_numbers_that_can_be_assigned(value, index):
    def program(torch):
        t = torch.zeros(3)
        t[index] = value
        return t

    compare(program)


@pytest.mark.parametrize(
    "dim",
    [np.int64(1), np.int64(5), np.int8(-1), np.float64(0), np.bool_(True), True, "a"],
    ids=repr,
)
def test_a_dimension_may_be_a_number_of_numpy(dim):
    compare(lambda torch: torch.ones(2, 3).size(dim))
    compare(lambda torch: torch.ones(2, 3).stride(dim))
    compare(lambda torch: torch.ones(2, 3).size(torch.tensor(1)))
    compare(lambda torch: torch.nn.functional.normalize(torch.ones(2, 3), dim=dim))


def test_layers_take_sizes_of_numpy():
    def program(torch):
        n = np.int64(3)
        return torch.nn.LayerNorm(n)(torch.eye(3)), torch.nn.RMSNorm(n)(torch.eye(3))

    compare(program)
