"""Functions of sparse tensors that have no operator of their own here, and their gradients."""

import pytest

from tests.sparse.looks import like_pytorch


def names(torch):
    i = torch.tensor([[0, 1, 1], [1, 0, 2]])
    return {
        "torch": torch,
        "s": torch.sparse_coo_tensor(i, [1.0, 2.0, 3.0], (2, 3), is_coalesced=True),
        "h": torch.sparse_coo_tensor(i, torch.arange(6.0).view(3, 2), (2, 3, 2)),
        "d": torch.arange(6.0).view(3, 2),
        "w": torch.arange(9.0).view(3, 3) + 1,
        "offsets": torch.tensor([0, 1, -1]),
    }


EXPRESSIONS = """
torch.stack([s, d.T])
torch.stack([d.T, s])
torch.stack([s, s])
torch.stack([s, w])
torch.stack([s, h])
torch.cat([s, d.T])
torch.cat([d.T, s])
torch.ops.aten.threshold_backward(s, d.T.contiguous(), 0)
torch.ops.aten.threshold_backward(d.T.contiguous(), s, 0)
torch.ops.aten.threshold_backward(s, s, 1)
torch.sparse.softmax(s, 0)
torch.sparse.softmax(s, 1, dtype=torch.float64)
torch.sparse.softmax(h, 0)
torch.sparse.softmax(h, 2)
torch.sparse.log_softmax(h, -2)
torch.sparse.log_softmax(s, 1)
torch.sparse.softmax(s, 3)
torch.sparse.softmax(s.long(), 0)
torch.sparse.softmax(torch.sparse_coo_tensor((2, 3)), 1)
torch.sparse.spdiags(w, offsets, (3, 3))
torch.sparse.spdiags(w, offsets, (2, 4))
torch.sparse.spdiags(w[0], torch.tensor(1), (3, 3))
torch.sparse.spdiags(w, offsets[:2], (3, 3))
torch.sparse.spdiags(w, offsets, (3, 3, 3))
torch.sparse.spdiags(w, offsets * 0, (3, 3))
torch.sparse.spdiags(w, offsets * 1.0, (3, 3))
torch.sparse.spdiags(w[None], offsets, (3, 3))
torch.sparse.spdiags(w, offsets[None], (3, 3))
torch.sparse.spdiags(w, offsets, (3, 3), torch.strided)
torch.smm(s, d)
torch.smm(s, torch.ones(2, 2))
torch.smm(d, d)
torch.smm(s, s)
s.smm(d)
torch.hspmm(s, d)
torch.hspmm(s, torch.ones(3))
torch.sspaddmm(s, s, torch.ones(3, 3), beta=2, alpha=3)
torch.sspaddmm(s, s, torch.ones(3, 2))
s.sspaddmm(s, torch.ones(3, 3))
torch.native_norm(s)
torch.native_norm(h, 1)
torch.native_norm(h, p=float("inf"))
torch.native_norm(torch.sparse_coo_tensor([[0, 0]], [3.0, 4.0], (2,)))
torch.native_norm(s, None, [], False, None)
torch.native_norm(s, 1, (0, 1), False, None)
torch.native_norm(s, 1, 0, False, None)
torch.native_norm(s, 1, [0, 1], True, None)
torch.native_norm(s, 1, [0, 1], False, torch.float64)
torch.native_norm(s, None)
torch.native_norm(s, 1, [0, 1], False)
torch.native_norm(s.int())
s.int().norm()
torch.native_norm(d)
torch.bmm(torch.stack([d, d + 1]).to_sparse(), torch.ones(2, 2, 2))
torch.bmm(torch.stack([d, d + 1]).to_sparse(), torch.ones(1, 2, 2))
torch.bmm(torch.stack([d, d + 1]).to_sparse(), torch.ones(2, 2))
torch.bmm(h, torch.ones(2, 2, 2))
h.narrow_copy(0, 1, 1)
h.narrow_copy(2, 0, 1)
s.narrow_copy(1, 0, 2)
s.narrow_copy(1, 2, 2)
s.narrow_copy(5, 0, 1)
s.narrow_copy(1, 1, -1)
h.sparse_resize_((4, 5, 2), 2, 1)
h.sparse_resize_((1, 3, 2), 2, 1)
h.sparse_resize_((2, 3, 1), 2, 1)
h.sparse_resize_((2, 3, 2), 1, 2)
h.sparse_resize_((2, 3, 2, 2), 2, 2)
h.sparse_resize_((2, 3), 2, 1)
h.sparse_resize_and_clear_((2, 3), 1, 1)
s.clone().resize_as_(torch.ones(4, 4).to_sparse())
s.any()
s.nan_to_num()
s.clone().expm1_()
s.clone().floor_()
s.clone().round_()
s.round()
s.isinf()
s.signbit()
s.deg2rad()
s.norm()
s.norm(1)
s.norm(2, dim=0)
(s + s.clone())._coalesced_(False).log1p_()
s.long().sin_()
torch.sparse.mm(s, d.double())
torch.sparse.mm(s, d[0])
torch.pca_lowrank(torch.eye(6).to_sparse(), q=2)[1]
s.floor_divide(2)
s.t_()
s.transpose_(0, 1)
h.transpose_(0, 2)
s.permute(0, 0)
s.permute(0)
torch.cat([s, d])
torch.sparse.sum(s.long(), dtype=torch.int32)
torch.sparse.sum(s, (0, 0))
torch.sparse.sum(s, 5)
torch.zeros(2, 3, layout=torch.sparse_coo)
torch.empty((2,), layout=torch.sparse_coo, dtype=torch.int64)
torch.zeros(2, layout=torch.sparse_coo, requires_grad=True)
torch.ones(2, layout=torch.sparse_coo)
torch.full((2,), 1.0, layout=torch.sparse_coo)
torch.ones(2).new_zeros(2, layout=torch.sparse_coo)
s.new_zeros(2, 3)
s.new_empty((2,))
s.new_zeros(2, layout=torch.strided)
""".strip().splitlines()


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_an_expression_gives_what_pytorch_gives(expression):
    like_pytorch(lambda torch: eval(expression, names(torch)))()


@pytest.mark.parametrize("name", ["softmax", "log_softmax"])
@pytest.mark.parametrize("dim", [0, 1, 2])
def test_softmax_has_the_gradient_of_pytorch(name, dim):
    def program(torch):
        h = names(torch)["h"].coalesce().requires_grad_()
        result = getattr(torch.sparse, name)(h, dim)
        (result.to_dense() * torch.arange(12.0).view(2, 3, 2)).sum().backward()
        return type(result.grad_fn).__name__, h.grad

    like_pytorch(program)()


def test_the_native_norm_has_no_derivative():
    def program(torch):
        norm = torch.native_norm(names(torch)["s"].requires_grad_())
        required = norm.requires_grad
        norm.backward()
        return required

    like_pytorch(program)()


@pytest.mark.parametrize("name", ["hspmm", "smm"])
def test_products_without_a_derivative_say_so(name):
    def program(torch):
        given = names(torch)
        product = getattr(torch, name)(given["s"], given["d"].requires_grad_())
        required = product.requires_grad
        product.to_dense().sum().backward()
        return required

    like_pytorch(program)()
