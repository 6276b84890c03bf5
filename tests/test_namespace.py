"""The public namespace: what is offered behaves as PyTorch's."""

import pytest

import minitorch
from tests.both import compare, real
from tests.expressions import check, lines

QUESTIONS = lines(
    r"""
torch.is_tensor(x)
torch.is_tensor(3)
torch.is_floating_point(x)
torch.is_floating_point(3)
torch.is_complex(x)
torch.is_nonzero(torch.tensor(1))
torch.is_nonzero(x)
torch.numel(m)
torch.numel(3)
torch.promote_types(torch.int64, torch.float32)
torch.promote_types(torch.int64, 3)
torch.promote_types(torch.uint8, torch.int8)
torch.result_type(x, 3)
torch.result_type(torch.ones(2).long(), 3.5)
torch.result_type(torch.tensor(1.), torch.ones(2).long())
torch.result_type(3, 3.5)
torch.result_type(3, x)
torch.result_type(1j, x)
torch.result_type(x.double(), torch.tensor(1j))
torch.can_cast(torch.float32, torch.int64)
torch.can_cast(torch.int64, torch.float32)
torch.get_default_dtype()
torch.set_default_dtype(3)
torch.finfo(torch.float32)
torch.finfo(torch.float64)
torch.finfo(torch.float16)
torch.finfo()
torch.finfo(torch.complex64)
torch.finfo(float), torch.finfo(complex), torch.iinfo(int)
torch.finfo(int)
torch.iinfo(bool)
torch.finfo(str)
torch.finfo(torch.int64)
torch.iinfo(torch.int64)
torch.iinfo(torch.uint8)
torch.iinfo(torch.bool)
torch.iinfo(torch.float32)
torch.finfo(torch.float32).eps
torch.finfo(torch.float32).tiny
torch.finfo(torch.float32).max
torch.finfo(torch.float32).resolution
torch.finfo(torch.float32).smallest_normal
torch.finfo(torch.float32).dtype
torch.iinfo(torch.int8).min, torch.iinfo(torch.int8).max, torch.iinfo(torch.int8).bits, torch.iinfo(torch.int8).dtype
torch.finfo(torch.float32) == torch.finfo(torch.float32)
torch.get_num_threads() >= 1
torch.set_num_threads(0)
torch.set_num_threads('a')
torch.float is torch.float32, torch.double is torch.float64, torch.half is torch.float16, torch.long is torch.int64, torch.int is torch.int32, torch.short is torch.int16, torch.cfloat is torch.complex64, torch.cdouble is torch.complex128
torch.inf, torch.nan, torch.pi, torch.e, torch.newaxis
torch.strided, torch.contiguous_format, torch.channels_last
torch.Size([1,2])
torch.device('cpu')
torch.typename(x)
torch.typename(3)
torch.get_default_device()
torch.are_deterministic_algorithms_enabled()
torch.use_deterministic_algorithms(True), torch.use_deterministic_algorithms(False)
torch.cuda.is_available()
torch.set_grad_enabled(True)
torch.is_grad_enabled()
torch.no_grad().__class__.__name__
torch.set_float32_matmul_precision('high')
torch.get_float32_matmul_precision()
"""
)

COMPOSED = lines(
    r"""
torch.where(x>0)
torch.where(m>5)
torch.where(x>0, 1, 0)
torch.where(x>0, 1., 0)
torch.where(x>0, x, 0)
torch.where(x>0, x)
torch.where(x, x, x)
x.where(x>0, 0)
torch.nonzero(m>5, as_tuple=True)
(m>5).nonzero(as_tuple=True)
(m>5).nonzero()
torch.isclose(x, x+1e-9)
torch.isclose(x, x.double())
torch.isclose(x, x, rtol=-1)
torch.isclose(x, x, atol=-1)
torch.isclose(torch.tensor([float('nan')]), torch.tensor([float('nan')]), equal_nan=True)
torch.isclose(torch.tensor([float('inf')]), torch.tensor([float('inf')]))
torch.isclose(i, i+1)
torch.allclose(x, x)
x.allclose(x+1)
torch.equal(x, x)
torch.equal(x, m)
torch.equal(x, x.double())
torch.equal(torch.tensor(float('nan')), torch.tensor(float('nan')))
x.equal(3)
torch.einsum('ij->ji', m)
torch.einsum('ij,kj->ik', m, m)
torch.einsum('ij,jk', m, m.t())
torch.einsum('ii', torch.ones(3,3))
torch.einsum('ii->i', torch.arange(9.).reshape(3,3))
torch.einsum('i,j->ij', x, x)
torch.einsum('bij,bjk->bik', torch.ones(2,3,4), torch.ones(2,4,5))
torch.einsum('...ij,...jk->...ik', torch.ones(2,3,4), torch.ones(2,4,5)).shape
torch.einsum('i...->...', m)
torch.einsum('ij->', m)
torch.einsum(m, [0,1], [1,0])
torch.einsum(m, [0,1], m, [0,1])
torch.einsum('ij,jk->ik', m, m)
torch.einsum('ij', x)
torch.einsum('ij->ijk', m)
torch.einsum('ij,jk,kl->il', m, m.t(), m)
torch.einsum('ij,', m)
torch.einsum('bi,bj->bij', m, m).shape
torch.einsum('i j -> j i', m)
torch.einsum('ij->jj', m)
torch.einsum('i1->i', m)
torch.einsum('bhid,bhjd->bhij', torch.ones(2,3,4,5), torch.ones(2,3,6,5)).shape
torch.einsum('ab,cd->', m, m)
torch.einsum('iJ,Jk->ik', m, m.t())
torch.tensordot(m, m, dims=([1],[1]))
torch.tensordot(m, m.t(), dims=1)
torch.tensordot(m, m, dims=2)
torch.tensordot(x, x, dims=0)
torch.tensordot(m, m, dims=1)
torch.broadcast_tensors(x, m[:, :3])
torch.broadcast_tensors(x, m)
torch.broadcast_shapes((3,), (2,1))
torch.broadcast_shapes((3,), (2,))
torch.broadcast_shapes(3, (2,1))
torch.meshgrid(x, x)
torch.meshgrid(x, x, indexing='ij')
torch.meshgrid(x, i, indexing='xy')
torch.meshgrid([x, x + 1], indexing='xy')
torch.meshgrid(x, m[0], x, indexing='xy')
torch.meshgrid(x, x, indexing='a')
torch.cartesian_prod(x, i)
torch.cartesian_prod(x)
torch.combinations(i[:3])
torch.block_diag(m, x)
torch.block_diag()
torch.atleast_1d(torch.tensor(1.))
torch.atleast_2d(x)
torch.atleast_3d(x).shape
torch.atleast_1d(x, m)
torch.atleast_2d([x, x])
torch.cdist(m, m)
torch.cdist(m, m, p=1)
torch.norm(m)
torch.norm(m, dim=0)
torch.norm(m, p=1)
torch.norm(m, p=float('inf'), dim=1)
torch.norm(m, p='fro')
torch.norm(m, p='fro', dim=(0,1), keepdim=True)
torch.norm(m, p=2, dim=1, keepdim=True)
torch.norm(i)
torch.norm(m, dtype=torch.float64)
m.norm()
m.norm(2, 1)
m.norm(dim=1, p=1)
m.norm(p=3)
torch.unique(torch.tensor([3,1,2,1]))
torch.unique(torch.tensor([3,1,2,1]), return_inverse=True)
torch.unique(torch.tensor([3,1,2,1]), return_inverse=True, return_counts=True)
torch.unique(torch.tensor([3,1,2,1]), return_counts=True)
torch.unique(torch.tensor([[3,1],[2,1],[3,1]]), dim=0)
torch.tensor([3,1,2,1]).unique()
torch.unique_consecutive(torch.tensor([3,3,1,1,3]))
torch.unique_consecutive(torch.tensor([3,3,1,1,3]), return_counts=True)
torch.std(m)
torch.std(m, 1)
torch.std(m, dim=1, keepdim=True)
torch.std(m, unbiased=False)
torch.std(m, 1, False)
torch.std(m, correction=0)
torch.std(m, dim=(0,1), correction=2)
torch.var(m)
torch.var(m, dim=0, unbiased=False)
m.var(0)
m.std(correction=1)
torch.std_mean(m)
torch.var_mean(m, dim=1)
torch.var_mean(m, 1, keepdim=True)
torch.split(m, 2)
torch.split(m, [1,2])
torch.split(m, [1,1])
m.split(2, dim=1)
m.split([1,3], 1)
m.split((1,3), -1)
m.split(-1)
torch.split(x, 0)
torch.chunk(m, 2)
m.chunk(3, 1)
m.chunk(0)
torch.chunk(torch.tensor(1.), 2)
torch.chunk(torch.ones(0,2), 3)
torch.tensor_split(m, 2)
torch.tensor_split(m, (1,2), dim=1)
torch.tensor_split(m, torch.tensor([1,2]))
m.tensor_split(3, 1)
torch.hsplit(m, 2)
torch.vsplit(m, 3)
torch.dsplit(torch.ones(2,2,4), 2)
torch.unbind(m)
m.unbind(1)
m.narrow(1, 1, 2)
m.narrow(1, 3, 2)
m.narrow(0, torch.tensor(1), 1)
torch.narrow(m, 0, 0, 2)
m.flatten()
m.flatten(0)
torch.ones(2,3,4).flatten(1).shape
m.flatten(1) is m
torch.flatten(torch.tensor(1.))
torch.ones(2,3,4).flatten(2, 1)
m.unflatten(1, (2,2)).shape
m.unflatten(1, (-1,2)).shape
m.unflatten(1, (3,2))
m.movedim(0,1).shape
torch.movedim(torch.ones(2,3,4), (0,1), (1,2)).shape
torch.moveaxis(m, 0, 1).shape
torch.swapaxes(m, 0, 1).shape
torch.swapdims(m, 0, 1).shape
m.ravel()
torch.permute(m, (1,0)).shape
m.permute(1,0).shape
m.permute(0,0)
m.t().shape
torch.t(torch.ones(2,3,4))
m.transpose(0,1).shape
torch.hstack([x, x])
torch.vstack([x, x])
torch.dstack([x, x]).shape
torch.column_stack([x, x])
torch.row_stack([x, x])
torch.cat([x, x])
torch.concat([x, x])
torch.concatenate([m, m], axis=1)
torch.stack([x, x], dim=1)
torch.cat([x, m])
torch.cat([])
torch.cat(x)
torch.tile(x, (2,))
x.tile(2, 2)
torch.rot90(m)
torch.rot90(m, 1, [0, 3])
torch.rot90(m, 0, [0, -2])
torch.fliplr(m)
torch.flipud(m)
m.repeat(2, 1).shape
x.repeat_interleave(2)
torch.repeat_interleave(x, torch.tensor([1,2,0]))
torch.repeat_interleave(torch.tensor([1,2,0]))
m.repeat_interleave(2, dim=1)
m.repeat_interleave(2, dim=1, output_size=8)
torch.repeat_interleave(m, 2, output_size=8)
torch.split(m, torch.tensor(2))
m.split(torch.tensor([1, 2]))
m.split(np.int64(1))
torch.unbind_copy(m, out=[torch.empty(4), torch.empty(4), torch.empty(4)])
torch.unbind_copy(m, out=[torch.empty(4)])
a=torch.empty(4);;torch.split_with_sizes_copy(i, [4, 2], out=[a.long(), a.long()])
torch.sort(x, out=(torch.empty(0),))
torch.median(x, 0, out=(torch.empty(0), torch.empty(0)))
torch.nanmedian(x, 0, out=(torch.empty(0).double(), torch.empty(0).long()))
torch.mode(x, 0, out=(torch.empty(0), torch.empty(0)))
torch.kthvalue(x, 1, 0, out=(torch.empty(0), torch.empty(0)))
torch.zeros(2, out=torch.empty(2), device="meta")
torch.nanmean(m, dtype=torch.int)
torch.isin(i, torch.arange(40) * 2)
torch.hann_window(6, False)[-1] == 0
torch.hann_window(6, layout=torch.sparse_coo)
torch.kaiser_window(6, layout=torch.sparse_coo, dtype=torch.float64)
torch.bartlett_window(6, layout=torch.strided)
torch.isin(m.reshape(2, 6), torch.arange(40).reshape(4, 10) * 3, invert=True)
torch.isin(torch.tensor([0., np.nan, np.inf]), torch.tensor([np.nan, np.inf] * 20))
torch.isin(m, torch.tensor([np.nan] * 40))
torch.isin(i.int()[::2], torch.arange(40.) * 4)
torch.isin(i.to(torch.uint16), torch.arange(4).to(torch.uint16))
torch.isin(i.to(torch.uint16), torch.arange(40).to(torch.uint16) * 3)
torch.isin(i[:0], torch.arange(40))
torch.isin(c, torch.arange(40))
torch.isin(3, torch.arange(40))
torch.quantile(torch.ones(4).to(torch.uint64), 0.5)
torch._index_put_impl_(torch.zeros(3), (torch.tensor([0, 0]),), torch.ones(2), True)
torch.return_types.max((1, 2), {}).indices
torch.return_types.max in torch.return_types.all_return_types
torch.diag(x)
torch.diag(m)
torch.diagonal(m)
m.diag(1)
torch.diagflat(x)
torch.diag_embed(x)
torch.trace(m)
torch.vander(i)
torch.hann_window(4)
torch.hamming_window(4)
torch.bartlett_window(4)
torch.blackman_window(4)
torch.numel(m)
torch.diff(m)
torch.diff(x, n=2)
torch.cov(m)
torch.corrcoef(m)
torch.cross(x, x)
torch.kron(x, x)
torch.inner(x, x)
torch.outer(x, x)
torch.addr(torch.zeros(3,3), x, x)
torch.chain_matmul(m, m.t())
torch.clip(m, 1, 2)
torch.absolute(-x)
torch.multiply(x, 2)
torch.subtract(x, 2)
torch.divide(x, 2)
torch.true_divide(x, 2)
torch.negative(x)
torch.greater(x, 0)
torch.less_equal(x, 0)
torch.not_equal(x, 0)
torch.arccos(x)
torch.fix(x)
torch.float_power(x, 2)
torch.logit(x/2)
torch.deg2rad(x)
torch.rad2deg(x)
torch.square(x)
torch.sinc(x)
torch.bucketize(x, x)
torch.searchsorted(x, x)
torch.histc(m, 4)
torch.bincount(i)
torch.take_along_dim(m, torch.tensor([[0]]), 1)
torch.index_fill(x, 0, torch.tensor([0]), 5.)
torch.heaviside(x, x)
torch.lerp(x, x+1, 0.5)
torch.addcmul(x, x, x)
torch.amax(m, 0)
torch.aminmax(m)
torch.logsumexp(m, 0)
torch.cumsum(m, 0)
torch.trapezoid(x)
torch.trapz(x)
torch.gradient(x)
torch.polar(x, x)
torch.view_as_real(torch.complex(x, x))
torch.complex(x, x)
torch.complex(x, x.double())
torch.is_same_size(x, x)
torch.quantile(m, 0.5)
torch.nanquantile(m, 0.5)
torch.median(m)
torch.mode(i)
torch.dist(x, x+1)
torch.renorm(m, 2, 0, 1.)
torch.isin(i, torch.tensor([1,2]))
torch.isreal(x)
torch.isposinf(x)
torch.isneginf(x)
torch.bitwise_and(i, 3)
torch.pow(2, x)
torch.softmax(x, 0)
torch.log_softmax(x, 0)
torch.relu(x)
torch.sigmoid(x)
torch.tanh(x)
torch.dropout(x, 0.5, False)
torch.nn.functional.relu(x)
torch.count_nonzero(m)
torch.nanmean(m)
torch.nansum(m)
torch.sum(m, dim=0)
torch.argsort(x)
torch.msort(x)
torch.topk(x, 2)
torch.sort(x)
torch.triu_indices(3, 3)
torch.empty_like(x).shape
torch.clone(x)
torch.detach(x)
torch.squeeze(m)
torch.unsqueeze(m, 0).shape
torch.select(m, 0, 0)
torch.masked_select(m, m>5)
torch.masked_fill(m, m>5, 0)
torch.gather(m, 1, torch.tensor([[0]]))
torch.scatter(m, 1, torch.tensor([[0]]), 5.)
torch.index_select(m, 0, torch.tensor([0]))
torch.addmm(torch.zeros(3,3), m, m.t())
torch.bmm(torch.ones(2,3,4), torch.ones(2,4,5)).shape
torch.baddbmm(torch.zeros(2,3,5), torch.ones(2,3,4), torch.ones(2,4,5)).shape
torch.mv(m, torch.ones(4))
torch.matmul(m, m.t())
torch.mm(m, m.t())
torch.dot(x, x)
torch.vdot(x, x)
"""
)


@pytest.mark.parametrize("line", QUESTIONS)
def test_question_is_answered_as_pytorch_does(line):
    check(line)


@pytest.mark.parametrize("line", COMPOSED)
def test_composed_function_is_pytorchs(line):
    check(line)


def test_every_public_function_of_ours_is_one_of_pytorchs():
    own = {
        "commands",
        "composed",
        "core",
        "kernels",
        "legacy",
        "namespace",
        "ops",
        "parsing",
        "tensors",
    }
    own |= {"e", "main", "install_as_torch", "uninstall_as_torch"}
    ours = {name for name in dir(minitorch) if not name.startswith("_")} - own
    assert sorted(name for name in ours if not hasattr(real, name)) == []


def test_every_public_method_of_ours_is_one_of_pytorchs():
    ours = {name for name in dir(minitorch.Tensor) if not name.startswith("_")}
    assert sorted(name for name in ours if not hasattr(real.Tensor, name)) == []


def test_second_names_do_what_the_first_ones_do():
    x = minitorch.tensor([0.5, 0.25])
    for first, second in [("clamp", "clip"), ("asin", "arcsin"), ("abs", "absolute")]:
        assert getattr(minitorch, second)(x, *([0.3] * (first == "clamp"))).equal(
            getattr(minitorch, first)(x, *([0.3] * (first == "clamp")))
        )
    assert minitorch.concat([x, x]).equal(minitorch.cat([x, x]))
    assert minitorch.multiply(x, 2).equal(x.multiply_(2))


def test_compiled_functions_have_their_names_in_c():
    C, F = minitorch._C, minitorch.nn.functional
    assert C._nn.linear is F.linear
    assert C._nn.log_sigmoid is F.logsigmoid
    assert C._special.special_erf is minitorch.special.erf
    assert C._linalg.linalg_norm is minitorch.linalg.norm
    for module, name in ((C._nn, "nothing"), (C._fft, "fft"), (C._fft, "fft_nothing")):
        with pytest.raises(AttributeError, match=f"has no attribute '{name}'"):
            getattr(module, name)


def test_an_argument_without_a_default_says_so():
    def program(torch):
        arguments = torch.ops.aten.add.Tensor._schema.arguments
        return [(a.name, a.default_value, a.has_default_value()) for a in arguments]

    compare(program)
