"""x[...] and x[...] = value: results, views, gradients and errors are PyTorch's."""

import pytest

from tests.both import compare
from tests.expressions import check, lines

INDEXING = lines(
    r"""
m[0]
m[-1]
m[3]
m[-4]
m[0, 1]
m[0][1]
m[:, 1]
m[1:]
m[::2]
m[:, ::2]
m[1:2, 1:3]
m[5:]
m[-2:, -1]
m[::-1]
m[..., 0]
m[0, ...]
m[...]
m[None].shape
m[:, None].shape
m[None, :, None, :, None].shape
m[()]
m[torch.tensor(1)]
m[torch.tensor([0, 2])]
m[torch.tensor([[0, 2], [1, 1]])].shape
m[:, torch.tensor([0, 2])]
m[torch.tensor([0, 2]), torch.tensor([1, 3])]
m[torch.tensor([0, 1]), 1:]
m[1:, torch.tensor([0, 1])]
m[[0, 2]]
m[[0, 2], [1, 3]]
m[[0, 2], 1]
m[m > 5]
m[m > 100]
m[(m > 5).numpy()]
m[torch.tensor([True, False, True])]
m[torch.tensor([True, False])]
m[:, torch.tensor([True, False, True, False])]
m[torch.tensor([3])]
m[torch.tensor([-1])]
m[torch.tensor([1.5])]
m[torch.tensor([0, 1], dtype=torch.int32)]
m[torch.tensor([0, 1]), torch.tensor([0, 1, 2])]
m[torch.tensor([], dtype=torch.long)].shape
m[True].shape
m[False].shape
m[True, 0].shape
m[np.array([0, 1])]
m[np.int64(1)]
m[1.0]
m['a']
m[0, 0, 0]
m[:, :, :]
m[0, None, 1:].shape
m[slice(0, 2)]
m[slice(None)].shape
m[torch.tensor(0):torch.tensor(2)]
m[0:2.5]
torch.tensor(5)[0]
torch.tensor(5)[...]
torch.tensor(5)[None]
torch.tensor(5)[()]
torch.tensor(5)[torch.tensor(True)]
torch.arange(24).reshape(2,3,4)[:, [0, 1], [0, 1]]
torch.arange(24).reshape(2,3,4)[[0, 1], :, [0, 1]]
torch.arange(24).reshape(2,3,4)[0, :, [0, 1]]
torch.arange(24).reshape(2,3,4)[..., [0, 1]].shape
torch.arange(24).reshape(2,3,4)[:, torch.tensor([[True]*4]*3)].shape
m[0] = 5;; m
m[:, 1] = torch.tensor([7., 8., 9.]);; m
m[:, 1] = torch.tensor([7, 8, 9]);; m
m[m > 5] = 0;; m
m[m > 5] = torch.arange(6.);; m
m[m > 5] = torch.arange(5.);; m
m[[0, 2]] = 1.5;; m
m[[0, 2], [1, 3]] = torch.tensor([100., 200.]);; m
m[torch.tensor([0, 0])] = torch.ones(2, 4);; m
m[...] = 3;; m
m[1:, 2:] = torch.zeros(1, 2);; m
m[1:, 2:] = torch.zeros(1, 1, 2, 2);; m
m[1:, 2:] = torch.zeros(3, 3);; m
m[0, 0] = True;; m
m[0, 0] = 2 + 1j;; m
m[0, 0] = None;; m
m[0] = [1, 2, 3, 4];; m
m[0, 0] = np.float64(3.5);; m
m[0, 0] = np.float32(3.5);; m
m[None, 0] = 1;; m
m[5] = 1;; m
m[[5]] = 1;; m
m[True] = 1;; m
m[:, [True, False, False, True]] = -1;; m
k = torch.zeros(3, dtype=torch.int64);; k[1] = 2.9;; k
k = torch.zeros(3, dtype=torch.bool);; k[1] = 2;; k
k = torch.zeros(3, dtype=torch.uint8);; k[1] = 256;; k
k = torch.zeros(3, dtype=torch.uint8);; k[1] = -1;; k
k = torch.zeros(3, dtype=torch.complex64);; k[1] = 1j;; k
m += 1;; m[0] += 1;; m
m[0] *= 2;; m
v = m[0];; v[0] = 50;; m
v = m[[0]];; v[0] = 50;; m
m._version
m[0] = 1;; m._version
m[[0]] = 1;; m._version
v = m[1:];; v[0] = 1;; (m._version, v._version)
m[0].storage_offset(), m[1].storage_offset(), m[:, 2].storage_offset(), m[:, 2].stride()
m[:, 1:3].stride(), m[::2].stride(), m[None].stride()
m[[0, 1]].stride(), m[:, [0, 1]].stride()
m[0]._is_view(), m[[0]]._is_view(), m[m > 5]._is_view()
list(m)[0]
[r.sum().item() for r in m]
len(m)
2. in m
100 in m
'a' in m
None in m
a, b, c = m;; b
torch.stack(list(reversed(m)))
m.unbind()[2]
torch.tensor(1.).tolist()
list(torch.tensor(1.))
p = torch.ones(3, 4, requires_grad=True);; (p[0] * p[1]).sum().backward();; p.grad
p = torch.ones(3, 4, requires_grad=True);; p[[0, 0]].sum().backward();; p.grad
p = torch.ones(3, 4, requires_grad=True);; p[p > 0].sum().backward();; p.grad
p = torch.ones(3, 4, requires_grad=True);; p[:, 1:3].sum().backward();; p.grad
p = torch.ones(3, 4, requires_grad=True);; p[None, 0, ..., 2].sum().backward();; p.grad
p = torch.ones(3, 4, requires_grad=True);; q = p * 2;; q[0] = 5;; q.sum().backward();; p.grad
p = torch.ones(3, 4, requires_grad=True);; q = p * 2;; q[[0, 1]] = 5;; q.sum().backward();; p.grad
p = torch.ones(3, 4, requires_grad=True);; q = p * 2;; q[q > 1] = 5;; q.sum().backward();; p.grad
p = torch.ones(4, requires_grad=True);; q = torch.zeros(3, 4);; q[1] = p;; (q * q).sum().backward();; p.grad
p = torch.ones(2, requires_grad=True);; q = torch.zeros(3, 4);; q[[0, 1], [0, 1]] = p;; (q * 3).sum().backward();; p.grad
p = torch.ones(3, requires_grad=True);; p[0] = 1
p = torch.ones(3, requires_grad=True);; q = p[0];; q.grad_fn
p = torch.ones(3, requires_grad=True);; p[[0]].grad_fn
p = torch.ones(3, requires_grad=True);; p[...].grad_fn
p = torch.ones(3, requires_grad=True);; p[:2].grad_fn
p = torch.ones(3, requires_grad=True);; p[None].grad_fn
p = torch.ones(3, requires_grad=True);; list(p)[0].grad_fn
"""
)


@pytest.mark.parametrize("line", INDEXING)
def test_indexing_is_pytorchs(line):
    check(line)


def test_a_slice_that_stands_alone_is_taken_even_if_it_is_whole():
    def program(torch):
        x = torch.ones(3, 2, requires_grad=True) * 2
        views = x[:], x[:3], x[0:9], x[...], x[:, :], x[:3, :2]
        return [(view.grad_fn.name(), view.shape == x.shape) for view in views]

    compare(program)


@pytest.mark.parametrize(
    "call",
    [
        "rand(3, 2).index_reduce(3, tensor([0]), rand(1, 2), 'sum')",
        "rand(3, 2).index_reduce(3, tensor([0.0]), rand(1, 2), 'prod')",
        "zeros(3, dtype=bool).index_reduce(0, tensor([0]), zeros(1, dtype=bool), 'prod')",
        "zeros(3, dtype=cfloat).index_reduce(0, tensor([0]), zeros(1, dtype=cfloat), 'amax')",
    ],
)
def test_what_index_reduce_refuses_first(call):
    compare(lambda torch: eval(call, vars(torch)))
