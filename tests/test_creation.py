"""Tensors from data, from sizes and from the shape of others: values, dtypes and errors are PyTorch's."""

import numpy as np
import pytest

from tests.both import compare
from tests.expressions import check, lines

CREATION = lines(
    r"""
torch.zeros(2, device='cuda')
torch.zeros(2, dtype=torch.float64, out=torch.ones(2))
torch.zeros(3, out=torch.ones(2))
torch.zeros(2, dtype=torch.int64, requires_grad=True)
torch.zeros(-1)
torch.zeros()
torch.zeros(2.0)
torch.zeros((2, 2.0))
torch.zeros(2, foo=1)
torch.zeros(size=(2,))
torch.zeros(2, names=('a',))
torch.zeros((2,), dtype=float)
torch.zeros((2,), dtype='float')
torch.full((2,), 1)
torch.full((2,), 'a')
torch.full((2,), torch.tensor(3.))
torch.full((2,), 1, out=torch.zeros(2))
torch.full((2,), 3.5, dtype=torch.uint8)
torch.arange()
torch.arange(3, dtype=torch.bool)
torch.arange(1, 3, 0)
torch.arange(1.0, 0)
torch.arange(3, out=torch.zeros(5))
torch.arange(3., out=torch.zeros(5, dtype=torch.long))
torch.arange(torch.tensor(3))
torch.arange(torch.tensor(3.))
torch.arange(start=1, end=3, step=2)
torch.arange(float('inf'))
torch.linspace(0, 1)
torch.linspace(0, 1, -1)
torch.linspace(torch.tensor(0.), torch.tensor([1.]), 3)
torch.linspace(torch.tensor(0), 1, 3)
torch.linspace(0, 1, steps=3, out=torch.zeros(1, dtype=torch.int64))
torch.eye(-1)
torch.eye(2, dtype=torch.bool)
torch.eye(2, 3, out=torch.zeros(0))
torch.tensor()
torch.tensor([1, 2.0])
torch.tensor([True, 2])
torch.tensor([1, 2j])
torch.tensor([[1,2],[3]])
torch.tensor([[1,2],3])
torch.tensor([1,[2,3]])
torch.tensor('a')
torch.tensor(['a'])
torch.tensor([1, 'a'])
torch.tensor(None)
torch.tensor([None])
torch.tensor(2**70)
torch.tensor([2**63])
torch.tensor(300, dtype=torch.uint8)
torch.tensor([300], dtype=torch.int8)
torch.tensor([1.5], dtype=torch.int64)
torch.tensor([1e40])
torch.tensor(1e40, dtype=torch.float16)
torch.tensor([1j], dtype=torch.float32)
torch.tensor([-1], dtype=torch.uint8)
torch.tensor({'a':1})
torch.tensor({1,2})
torch.tensor(range(3))
torch.tensor([[]]).shape
torch.tensor([[],[]], dtype=torch.int64)
torch.tensor([]).dtype
torch.tensor(np.array([1,2],dtype=np.int32))
torch.as_tensor(np.array([1,2],dtype=np.int32), dtype=torch.float32)
torch.as_tensor(np.array([1,2],dtype=np.int32), dtype=3)
torch.as_tensor(np.array([1,2],dtype=np.int32), dtpe=torch.float32)
a = np.zeros(2) ;; t = torch.as_tensor(a) ;; a[0] = 3 ;; t
torch.as_tensor(np.array(['a']))
torch.tensor([np.int32(2)]).dtype
torch.tensor(np.int32(2)).dtype
torch.tensor([np.bool_(True)]).dtype
torch.tensor([np.array([1,2]), np.array([3,4])])
torch.tensor([x, x])
torch.tensor([x[0], 2])
torch.tensor((1,2))
torch.tensor([1,2], requires_grad=True)
torch.tensor([1.,2], requires_grad=True)
torch.tensor([1.], device='cpu')
torch.tensor([1.], device='cuda')
torch.tensor(1, 2)
torch.tensor(b'ab')
torch.tensor(bytearray(b'ab'))
torch.tensor(np.array(['a']))
torch.tensor(np.array([1], dtype=object))
torch.as_tensor([1,2])
torch.as_tensor(x) is x
torch.as_tensor(x, dtype=torch.float64)
torch.asarray(3)
torch.asarray([1,2], copy=False)
torch.asarray(b'ab')
torch.asarray(b'ab', dtype=torch.uint8)
torch.asarray(x, copy=True) is x
torch.asarray(x, requires_grad=True)
torch.asarray(None)
torch.scalar_tensor(3)
torch.scalar_tensor(3, dtype=torch.int64)
torch.empty_strided((2,3),(1,2)).stride()
torch.empty_strided((2,3),(1,))
torch.empty_strided((2,3),(-1,1))
torch.empty((2,3,4,5), memory_format=torch.channels_last).stride()
torch.empty((2,3), memory_format=torch.channels_last).stride()
torch.empty((2,3), memory_format=torch.preserve_format).stride()
torch.zeros_like(3)
torch.zeros_like(x, dtype=torch.int64)
torch.full_like(x, 'a')
torch.set_default_dtype(torch.int64)
torch.range(0, 3)
torch.tril_indices(2,2)
torch.empty_permuted((2,3),(1,0)).stride()
torch.vander(torch.tensor([1,2,3]))
torch.hann_window(4)
torch.logspace(0, 1, 3)
torch.logspace(0, 1, 3, 2)
torch.Tensor([1, 2.5, 3])
torch.Tensor((1, 2.5))
torch.Tensor([1, True, torch.tensor(2.0)])
torch.LongTensor([1, 2.5])
torch.Tensor([1, 'a'])
torch.Tensor(torch.Size([2])).shape, torch.Tensor([2]).shape, torch.Tensor(2, 3).shape
x.new([1, 2.5]), x.new((3, 4)), x.new([])
"""
)


@pytest.mark.parametrize("line", CREATION)
def test_creation_is_pytorchs(line):
    check(line)


REFUSED = """
torch.arange(1j)
torch.arange(0, 1j)
torch.arange(2**63)
torch.arange(2**64)
torch.arange(2**63 - 1, 2**63)
torch.linspace(0, 1j, 3, dtype=torch.float32)
torch.logspace(0, 1j, 3, dtype=torch.float64)
torch.linspace(torch.tensor(0), torch.tensor(1j), 3, dtype=torch.float32)
~torch.ones(2)
~torch.tensor([1j])
torch.return_types.max((1,))
torch.return_types.max((1, 2, 3))
torch.return_types.max(1)
torch.return_types.max()
torch.linalg.tensorsolve(torch.eye(4).reshape(2, 2, 4), torch.ones(2, 2), dims=(5,))
torch.linalg.tensorsolve(torch.eye(4).reshape(2, 2, 4), torch.ones(2, 2), dims=(0, 0))
""".strip().splitlines()


@pytest.mark.parametrize("call", REFUSED)
def test_numbers_that_do_not_fit_are_refused(call):
    def program(torch):
        with pytest.raises((TypeError, RuntimeError, OverflowError, IndexError)) as caught:
            eval(call, {"torch": torch})
        return type(caught.value), str(caught.value)

    compare(program)


def test_results_are_made_of_a_sequence_of_the_right_length():
    def program(torch):
        return tuple(torch.return_types.max([1, 2])), torch.return_types.max(sequence=(1, 2)).values

    compare(program)


def test_results_with_names_are_printed_and_are_sequences_of_c():
    def program(torch):
        _pytree = torch.utils._pytree

        result = torch.eye(2).max(0)
        kind = type(result)
        with pytest.raises(TypeError, match="max' is not an acceptable base type"):
            type("Derived", (kind,), {})
        return (
            repr(result),
            _pytree.is_structseq_instance(result),
            _pytree.is_structseq_class(kind),
            _pytree.tree_map(lambda x: x + 1, result),
            hasattr(result, "_fields"),
        )

    compare(program)


def test_asarray_sets_requires_grad_of_the_tensor_that_it_is_given():
    def program(torch):
        x = torch.arange(3.0)
        first = torch.asarray(x, requires_grad=True) is x, x.requires_grad
        second = torch.asarray(x, requires_grad=False) is x, x.requires_grad
        y = x.requires_grad_() * 2
        others = [torch.asarray(y, requires_grad=wanted) for wanted in (None, True, False)]
        copies = [torch.asarray(x, copy=True, requires_grad=wanted) for wanted in (True, False)]
        return first, second, [other is y for other in others], others, copies

    compare(program)


def test_asarray_refuses_a_gradient_of_integers():
    compare(lambda torch: torch.asarray(torch.arange(3), requires_grad=True))
    compare(lambda torch: torch.asarray(torch.ones(3, requires_grad=True), dtype=torch.int64))


@pytest.mark.parametrize(
    "call", ["s + [1]", "s + 1", "s + None", "s + (1.5,)", "s + np.ones(2)", "type(s[:1] + (2,))"]
)
def test_what_is_added_to_a_size(call):
    def program(torch):
        value = eval(call, {"s": torch.Size([2, 3]), "np": np})
        return getattr(value, "__name__", None) or value.tolist()

    compare(program)
