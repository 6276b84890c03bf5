"""Sparse tensors made, taken apart, computed with and refused, as PyTorch does."""

import pytest

from tests.sparse.looks import like_pytorch

MADE = """
torch.sparse_coo_tensor(i, v, (3, 3))
torch.sparse_coo_tensor(i, v)
torch.sparse_coo_tensor(i, v, (3, 3), dtype=torch.float64)
torch.sparse_coo_tensor(i, v, (3, 3), requires_grad=True)
torch.sparse_coo_tensor(i, w, (3, 3))
torch.sparse_coo_tensor(i, w, (3, 3), requires_grad=True)
torch.sparse_coo_tensor(i.float(), v)
torch.sparse_coo_tensor([[0, 1]], [[1, 2], [3, 4]], dtype=torch.float64)
torch.sparse_coo_tensor([[0, 1]], torch.ones(2, 0))
torch.sparse_coo_tensor([[0, 1]], torch.ones(2, 30))
torch.sparse_coo_tensor([[0, 1]], torch.tensor([True, False]))
torch.sparse_coo_tensor((2, 3))
torch.sparse_coo_tensor((2, 3), dtype=torch.float64, requires_grad=True)
torch.sparse_coo_tensor([[0]], [1.0], (3,))
torch.sparse_coo_tensor([[2, 1]], [1.0, 2.0], (3,), is_coalesced=True)
torch.sparse_coo_tensor(i, v, (3,))
torch.sparse_coo_tensor(i, v[:2])
torch.sparse_coo_tensor(i - 1, v)
torch.sparse_coo_tensor(i[0], v)
torch.sparse_coo_tensor(size=(2, 3))
torch.sparse_coo_tensor()
torch.sparse_coo_tensor(3)
torch.sparse_coo_tensor([2], size=(1, 2))
torch.sparse_coo_tensor(i, v, (3, 3)).coalesce()
torch.sparse_coo_tensor(i, w, (3, 3)).coalesce()
torch.sparse_coo_tensor(i, w, (3, 3)).coalesce().values()
torch.sparse_coo_tensor(i, w, (3, 3))._values()
torch.sparse_coo_tensor(i, w, (3, 3)).to_dense()
torch.eye(3).to_sparse()
torch.eye(3).to_sparse(1)
torch.eye(3).to_sparse(5)
torch.eye(3).to_sparse(layout=torch.sparse_coo)
torch.eye(3).requires_grad_().to_sparse()
torch.ones(()).to_sparse()
torch.ones(2).to_sparse(0)
torch.zeros(2, 3).to_sparse()
torch.eye(3).sparse_mask(e)
torch.eye(3).requires_grad_().sparse_mask(s.coalesce())
e.sparse_mask(e)
torch.ones(2, 2).sparse_mask(e)
torch.eye(3).sparse_mask(torch.eye(3))
torch.zeros_like(s)
torch.empty_like(s)
torch.ones_like(s)
torch.nn.Parameter(s)
torch.sparse.FloatTensor()
torch.sparse.FloatTensor(2, 3)
torch.sparse.FloatTensor(torch.Size([2, 3]))
torch.sparse.DoubleTensor(i, v)
torch.sparse.FloatTensor(i, w, [3, 3])
torch.sparse.FloatTensor(v, i)
torch.sparse.FloatTensor(i.float(), v)
torch.sparse.FloatTensor(i)
torch.sparse.FloatTensor([[1]], v, [3])
torch.sparse.FloatTensor(device="cuda")
torch.sparse.FloatTensor([2, 3])
torch.sparse.FloatTensor(size=[2, 3])
s.new()
s.new(2, 3)
s.new(s.shape)
s.new((2, 3))
s.new(size=(2, 3))
s.new(s._indices(), s._values(), s.shape)
s.new(s._indices(), s._values().double())
s.new(s._indices().int(), s._values())
s.new(s._indices())
s.new(2, device="meta")
s.double().new(2)
"""
ASKED = """
s.type(torch.sparse.DoubleTensor).type()
torch.ones(2).type("torch.sparse.DoubleTensor").type()
[isinstance(x, kind) for x in (s, v) for kind in (torch.sparse.FloatTensor, torch.FloatTensor)]
repr(torch.sparse.FloatTensor.layout), repr(torch.sparse.FloatTensor)
str(s.layout), s.is_sparse, torch.eye(2).is_sparse, str(torch.sparse_coo)
s.sparse_dim(), s.dense_dim(), s._nnz(), s.dim(), s.numel(), len(s), tuple(s.shape), str(s.dtype)
d.sparse_dim(), d.dense_dim(), d._nnz()
torch.ones(2).sparse_dim(), torch.ones(2).dense_dim(), torch.ones(2).to_dense()
s.type(), s.element_size(), s.stride(), s.is_contiguous(), s.storage_offset()
s.indices()
s.values()
s.coalesce().indices().tolist()
torch.ones(2).values()
torch.ones(2).indices()
torch.ones(2).coalesce()
torch.ones(2).is_coalesced()
torch.ones(2)._nnz()
torch.ones(2)._indices()
s.numpy()
s.tolist()
s.data_ptr()
s.untyped_storage()
s.nbytes
s.item()
bool(s)
torch.sparse_coo_tensor([[0, 0]], [1.0, 2.0], (1,)).item()
s.to_dense(dtype=torch.float64)
"""
COMPUTED = """
torch.dsmm(s, torch.ones(3, 2))
torch.spmm(torch.ones(3, 2), torch.ones(3, 2))
torch.spmm(1, s)
s * 2
2 * s
s * torch.tensor(2.0)
s * torch.tensor([2.0, 3.0, 4.0])
s * torch.arange(9.0).reshape(3, 3)
torch.arange(9.0).reshape(3, 3) * s
s * s
s * u
u * s
e * u
u * e
e * e
s * 2j
s / 2
-s
s + s
s + u
e + e
e + s.coalesce()
e + u.coalesce()
s.double() + u
torch.ones(3, 3) + s
torch.add(torch.ones(3, 3), s, alpha=3)
torch.ones(3, 3) - s
s - u
s - 2 * u
s.abs()
s.pow(2)
s.sqrt()
s.sin()
torch.isnan(s)
s.sum()
s.sum(0)
s.sum(1, keepdim=True)
s.sum((0, 1))
d.sum(1)
d.sum(0)
torch.sparse.sum(s)
torch.sparse.sum(s, 0)
torch.sparse.sum(s, (0, 1))
torch.sparse.sum(d, 1)
torch.sparse.sum(s, dtype=torch.float64)
s.t()
s.T
e.t()
s.transpose(0, 1)
s.transpose(-1, 0)
s.permute(1, 0)
s[0]
s[0, 1]
s[2]
s[:, 1].to_dense()
d[1]
list(s)
list(d)
s.unsqueeze(0)
s.unsqueeze(-1)
d.unsqueeze(2)
torch.stack([e, e])
torch.cat([s, e])
torch.cat([s, e], 1)
torch.cat([d, d], 1)
s.index_select(0, torch.tensor([2, 0, 2]))
d.index_select(1, torch.tensor([1]))
s @ torch.arange(6.0).reshape(3, 2)
torch.arange(6.0).reshape(2, 3) @ s
s @ s
s @ u
s.mv(torch.arange(3.0))
torch.sparse.mm(s, torch.ones(3, 2))
torch.sparse.mm(torch.ones(2, 3), s)
torch.sparse.mm(s, s)
torch.sparse.addmm(torch.ones(3, 3), s, torch.eye(3), beta=2, alpha=3)
torch.addmm(torch.ones(3, 3), s, torch.eye(3))
s.to(torch.float64)
s.double()
s.int()
s.clone()
s.coalesce().clone()
s.detach()
s.data
s.cpu()
s.detach().clone().requires_grad_()
s.zero_()
s.mul_(2)
s.add_(u)
s.add_(s.double())
s.sub_(u, alpha=2)
s.copy_(u)
s.neg_()
torch.ones(3, 3).add_(s, alpha=-0.5)
torch.ones(3, 3).sub_(s)
torch.is_same_size(s, e)
"""
REFUSED = """
s + 1
s + torch.ones(3, 3)
s - torch.ones(3, 3)
s + torch.sparse_coo_tensor((5, 5))
d + torch.sparse_coo_tensor((3, 2))
torch.ones(3) + s
s * torch.sparse_coo_tensor((5, 5))
s / s
s / torch.ones(3, 3)
s @ torch.ones(2, 2)
torch.sparse.mm(s, torch.ones(2, 2))
d @ torch.ones(2, 2)
s.transpose(0, 5)
d.transpose(0, 1)
d.permute(1, 0)
d.t()
s.pow(0)
s.copy_(torch.ones(3, 3))
torch.ones(3, 3).copy_(s)
s.int().add_(s)
s.to_sparse(1)
s.sigmoid()
s.exp()
s.view(9)
s.reshape(9)
s.expand(2, 3, 3)
s.nonzero()
s.fill_(1)
s.__setitem__((0, 0), 1.0)
torch.equal(s, e)
s.requires_grad_().fill_(1)
torch.sparse.sum(torch.ones(2))
torch.nn.utils.clip_grad_norm_([leaf], 1.0)
"""


def names(torch):
    """What the expressions speak of."""
    i = torch.tensor([[0, 2, 0], [1, 0, 1]])
    v = torch.tensor([1.0, 2.0, 3.0])
    leaf = torch.ones(3, 2, requires_grad=True)
    leaf.grad = torch.sparse_coo_tensor([[1]], torch.ones(1, 2), (3, 2))
    return {
        "torch": torch,
        "i": i,
        "v": v,
        "w": torch.tensor([1.0, 2.0, 3.0], requires_grad=True),
        "s": torch.sparse_coo_tensor(i, v, (3, 3)),
        "u": torch.sparse_coo_tensor([[2, 1], [0, 0]], [4.0, -1.0], (3, 3)),
        "e": torch.eye(3).to_sparse(),
        "d": torch.sparse_coo_tensor([[2, 0]], torch.arange(4.0).reshape(2, 2), (3, 2)),
        "leaf": leaf,
    }


def lines(*texts):
    return [line for text in texts for line in text.strip().splitlines()]


@pytest.mark.parametrize("expression", lines(MADE, ASKED, COMPUTED, REFUSED))
def test_an_expression_gives_what_pytorch_gives(expression):
    like_pytorch(lambda torch: eval(expression, names(torch)))()


@pytest.mark.parametrize(
    "indices, size", [([[0, 5]], (3,)), ([[0, -1]], (3,)), ([[0, 1], [0, 9]], (2, 2))]
)
def test_indices_outside_of_the_size_are_refused(indices, size):
    """PyTorch refuses them when its checks are on; here they always are."""
    like_pytorch(
        lambda torch: torch.sparse_coo_tensor(indices, [1.0, 2.0], size, check_invariants=True)
    )()
