"""Functions that are written in Python here: what their argument parser says is what PyTorch's says."""

import pytest

from minitorch.autograd.functions.signature_table import SIGNATURES
from tests.both import compare, like_pytorch
from tests.expressions import check, lines

# but for those that only functions in Python call: `torch.lu` and `nn.functional.pad`
NAMES = sorted(SIGNATURES.keys() - {"_lu_with_info", "pad"})


class Thing:
    """Fits no type."""


def function_of(torch, name):
    if name.startswith("linalg_"):
        return getattr(torch.linalg, name.removeprefix("linalg_"))
    if name in ("scaled_dot_product_attention", "hardtanh_", "elu_", "leaky_relu_", "pdist"):
        return getattr(torch.nn.functional, name)
    return getattr(torch._C._VariableFunctions, name)


def said(function, *args, **kwargs):
    try:
        function(*args, **kwargs)
    except TypeError as error:
        return str(error)
    return "nothing"


@pytest.mark.parametrize("name", NAMES)
def test_signatures_are_those_of_pytorch(name):
    def program(torch):
        function, x = function_of(torch, name), torch.ones(2)
        return [
            said(function),
            said(function, *[Thing()] * 3),
            said(function, *[Thing()] * 20),
            said(function, *[Thing()] * 20, unknown=1),
            said(function, Thing()),
            said(function, [Thing()], x),
            said(function, unknown=1),
            *(said(function, *[x] * k, Thing(), Thing()) for k in (1, 2, 3)),
            *(said(function, *[[x]] * k, Thing(), Thing()) for k in (1, 2, 3)),
        ]

    compare(program)


LINES = lines(
    r"""
torch.meshgrid()
torch.meshgrid(3)
torch.meshgrid(x, indexing=3)
torch.meshgrid([x, 3], indexing="ij")
torch.meshgrid([x, x], indexing="ji")
torch.meshgrid(x, i, indexing="ij")
torch.broadcast_tensors([x, x])
torch.broadcast_tensors(x, None)
torch.broadcast_tensors(x, m)
torch.cartesian_prod([x, x])
torch.cartesian_prod(x, "a")
torch.block_diag(x, 3)
torch.block_diag([x])
torch.atleast_1d({})
torch.atleast_2d([x, 3])
torch.atleast_3d(x, None)
torch.atleast_1d([x, torch.tensor(2.0)])
torch.atleast_2d(x)
torch.chain_matmul(m, 3)
torch.einsum("ij", 3)
torch.einsum(3, m)
torch.tensordot(m, 3)
torch.tensordot(m, m, [[0], ["a"]])
torch.cdist(m, 3)
torch.cdist(m, m, compute_mode="fast")
torch.split(m, "a")
torch.stft(x, 2, hop_length="a", center=False)
torch.stft(x, n_fft=2, window=3, return_complex=True, center=False)
torch.ones(8).stft(4, window=torch.ones(4), return_complex=True)
torch._C._VariableFunctions.stft(torch.ones(8), 4, None, None, torch.ones(4), True, "reflect", False, None, True)
torch._C._VariableFunctions.stft(torch.ones(8), 4, None, None, torch.ones(4), False, None, True)
torch._C._VariableFunctions.norm(m, "fro")
torch._C._VariableFunctions.norm(m, 2, [0], True)
torch._C._VariableFunctions.einsum("ij->i", [m])
torch._C._VariableFunctions.meshgrid([x, x], indexing="xy")
torch._C._VariableFunctions.cdist(m, m, 2.0, 1)
torch._C._VariableFunctions.tensordot(m, m, [0, 1], [0, 1])
torch._C._VariableFunctions.split(i, [2, 4])
torch._C._VariableFunctions.unique_consecutive(i)
torch._C._VariableFunctions.add(x, 1)
torch.unique(i, "a")
torch.unique(m, dim="a")
torch.unique_consecutive(i, return_counts=3)
i.unique(sort=True)
i.unique_consecutive(1, 2, 3, 4)
m.lu("a")
m.norm(out=m)
m.istft("a")
m.cuda("a")
m.cuda([1])
m.cuda()
m.xpu(3.5)
torch.nuclear_norm(m, True)
torch.nuclear_norm(m, keepdim=True)
torch.nuclear_norm(m, [0, 1], True)
torch.frobenius_norm(m)
torch.frobenius_norm(m, 1)
torch.frobenius_norm(i, 0)
torch.frobenius_norm(m, [0, 1, 0])
torch.var_mean(m, "a")
torch.var_mean(m, 1, False)
torch.var_mean(m, unbiased=False)
torch.var_mean(m, dim=(0, 1), correction=2, keepdim=True)
torch.std_mean(m, False)
torch.std_mean(m, None, True, True)
torch.histogramdd(m, 2, range=3)
torch.segment_reduce(x, 3)
torch.segment_reduce(x, "sum", lengths=[3])
torch.diag_embed(m, 0.5)
torch.rms_norm(m, 4)
torch.rms_norm(m, [2, 3, 4])
torch.nn.functional.rms_norm(m, (4,), 3)
torch.nn.functional.rms_norm(m, (4,), None, "a")
torch.norm_except_dim(m, 2, 0.5)
torch._weight_norm(m, m, 5)
torch._safe_softmax(m, "a")
torch._safe_softmax(torch.tensor([[-torch.inf, -torch.inf]]), 1)
torch.is_signed(3)
torch.is_conj("a")
torch.native_channel_shuffle(torch.arange(4.0).reshape(1, 4, 1, 1), 2)
torch.channel_shuffle(m, 2.0)
torch.pixel_shuffle(m, "a")
torch.conv_tbc(m, m, 3)
torch.bilinear(x, x, m)
torch.nn.functional.bilinear(x, x.double(), torch.ones(1, 3, 3))
torch.nn.functional.scaled_dot_product_attention(m, m, 3)
torch.nn.functional.scaled_dot_product_attention(m, m, m, dropout_p="a")
torch.nn.functional.pdist(m, "a")
torch.nn.functional.hardtanh_(m, "a")
torch.nn.functional.softmax(m, "a")
torch.nn.functional.softmin(m, 0, dtype=3)
torch.nn.functional.log_softmax(3, 0)
torch.margin_ranking_loss(x, x, x)
torch.hinge_embedding_loss(x, x, 1.0, 2)
torch.cosine_embedding_loss(m, m, torch.ones(3), reduction=0)
torch.cosine_embedding_loss(m, x, torch.ones(3))
torch.triplet_margin_loss(m, m, x)
torch.triplet_margin_loss(m, m, 2 * m)
torch.nn.functional.triplet_margin_loss(m, m, 2 * m, p=[2])
torch.poisson_nll_loss(x, x, 1, False, 1e-8, 1)
torch.ctc_loss(m, i, [1], torch.tensor([1]))
torch.ctc_loss(torch.zeros(3, 1, 2).log_softmax(2), torch.tensor([[1]]), (3,), (1,))
torch.embedding_bag(m, i[:3], i[:1], False, 0, False, None, False, 0)[0]
torch.embedding_bag(m, i[:3], [0])
torch.embedding_renorm_(x, i, 1.0, 2.0)
torch.embedding_renorm_(m, x, 1.0, 2.0)
torch.lstm(m, m, [m], True, 1, 0.0, False, False, False)
torch.lstm(m, [m], [m] * 4, True, 1, 0.0, False, False, False)
torch.gru(m, m, [m] * 3, True, 1, 0.0, False, False, False)
torch.gru(m, m[None], [m] * 4, True, 1, 0.0, False, True, False)
torch.gru(m, m[None], [m] * 4, True, 2, 0.0, False, False, False)
torch.rnn_tanh(m, m[None], [m] * 8, True, 1, 0.0, False, False, False)
torch.lstm_cell(m, [m], m, m)
torch.gru_cell(m, m, m, m)
torch.rnn_relu_cell(m, m, torch.ones(4, 4), m)
torch.rnn_relu_cell(m, m, torch.ones(4, 4), torch.ones(4, 4))
torch.rnn_tanh_cell(x, m, torch.ones(5, 4), torch.ones(4, 4))
torch.gru_cell(m, x, torch.ones(5, 4), torch.ones(12, 4))
torch.lstm_cell(m, [x, x], torch.ones(5, 4), torch.ones(16, 4))
torch.lstm_cell(m[:, :2], [m, m], torch.ones(5, 4), torch.ones(16, 4))
torch.nn.functional.pad(m, 3)
torch.nn.functional.pad(m, (1, 1), 3)
torch.nn.functional.pad(i, (1, 1), value=2)
torch.nn.functional.max_pool2d(m)
torch.nn.functional.threshold(m, 1)
torch.svd(x)
torch._weight_norm(m, m.double())
torch._weight_norm(m, m.cfloat())
torch._weight_norm(m.cfloat(), m)
torch._weight_norm(m.cfloat(), m.cfloat(), 1)
torch._weight_norm(m.int(), m.int())
torch.nn.functional.poisson_nll_loss(m, m, reduction=None)
torch.nn.functional.poisson_nll_loss(m, m, reduction="elementwise_mean")
torch._foreach_add([x, x], 1.0)
torch._foreach_add([x, x], scalar=2)
torch._foreach_add([x, x], [x, x], alpha=2)
torch._foreach_add([x], [x, x])
torch._foreach_add([], 1)
torch._foreach_add([x], 2**70)
torch._foreach_add([x], m)
torch._foreach_sub([x], m)
torch._foreach_mul([x, x], [2, 3.0])
torch._foreach_mul([x, x], [2])
torch._foreach_div([x, 3], 2)
torch._foreach_pow(2, [x, i])
torch._foreach_addcmul([x, x], [x, x], [x, x], torch.tensor([1.0, 2.0]))
torch._foreach_addcmul([x, x], [x, x], [x, x], torch.tensor([1.0]))
torch._foreach_addcmul([x, x], [x, x], [x, x], m)
torch._foreach_addcdiv([x, x], [], [x, x])
torch._foreach_lerp([x], [x, x], 0.5)
torch._foreach_maximum([], [x])
torch.linalg.pinv(m, rtol="a")
torch.linalg.pinv(m, 1e-3)
torch.linalg.pinv(m, torch.tensor(1e-3), True)
torch.linalg.eigh(3)
torch.linalg.matrix_exp(m, out=m)
torch.linalg.lu(m, P=m)
torch.linalg.vector_norm(m, 2, 1)
torch.quantile(i, 0.5)
torch.nanquantile(x, 2.0)
torch.nanquantile(x, torch.ones(2, 2))
torch.isin(i, torch.tensor([True]))
torch.broadcast_shapes(1.5)
torch.broadcast_shapes((3,), (-1,))
torch.broadcast_shapes((-1,))
torch.dsplit(m, 2)
torch.lt(x, 2**70)
torch.divide([1], other=x)
torch.divide([1], x, rounding_mode=x)
x.lt(other=x, out=x)
torch.margin_ranking_loss(x, "a", input2=x)
x.dim_order(1, 2)
m._coalesced_("a")
torch.nn.init.eye_(3)
torch.nn.functional.adaptive_max_pool2d(torch.tensor(1.0), [2])
"""
)


@pytest.mark.parametrize("line", LINES)
def test_a_call_ends_as_in_pytorch(line):
    check(line)


@pytest.mark.parametrize(
    "line",
    [
        "torch._foreach_add_([a, b], [1, 'x'])",
        "torch._foreach_mul_([a, 3], 2)",
        "torch._foreach_addcmul_([a, b], [b, b], [b, None])",
        "torch.embedding_renorm_(a, torch.tensor([0]), '1', 2)",
        "torch.alpha_dropout_(a, 0.5, 1)",
        "torch.celu_(a, 'x')",
        "torch.nn.functional.leaky_relu_(a, [1])",
    ],
)
def test_a_wrong_call_writes_nothing(line):
    def program(torch):
        a, b = torch.ones(2, 2), torch.ones(2, 2)
        try:
            eval(line, {"torch": torch, "a": a, "b": b})
        except TypeError as error:
            return a, a._version, b, b._version, str(error)

    compare(program)


@like_pytorch
def test_functions_in_c_have_their_own_namespace(torch):
    own = torch._C._VariableFunctions
    return [
        own.relu is torch.relu,
        own.meshgrid is torch.meshgrid,
        own.meshgrid.__name__,
        torch._VF.norm is own.norm,
        "norm" in dir(own),
        hasattr(own, "no_such_function"),
    ]
