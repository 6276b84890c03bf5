"""Layers that programs derive from PyTorch's bases, or put together from their parts."""

import importlib

import pytest

from tests.both import compare


def _of_a_base(torch):
    class Plain(torch.nn.modules.conv._ConvNd):
        def __init__(self):
            super().__init__(2, 4, (3, 3), (1, 1), (1, 2), (1, 1), False, (0, 0), 1, True, "zeros")

        def forward(self, x):
            padded = torch.nn.functional.pad(x, self._reversed_padding_repeated_twice)
            return torch.nn.functional.conv2d(padded, self.weight * 0 + 1, self.bias * 0)

    return Plain()(torch.arange(32.0).view(1, 2, 4, 4)), repr(Plain())


def _ends_of_padding(torch):
    nn = torch.nn
    layers = (
        nn.Conv1d(1, 1, 3, padding=1),
        nn.Conv2d(1, 1, (2, 4), padding="same", dilation=(1, 3)),
        nn.Conv3d(1, 1, 2, padding="valid"),
        nn.ConvTranspose2d(1, 1, 3, padding=(1, 2)),
    )
    return [(m._reversed_padding_repeated_twice, m.transposed, repr(m)) for m in layers]


def _transposed(torch):
    layer = torch.nn.ConvTranspose2d(1, 1, 3, stride=2)
    x = torch.zeros(1, 1, 4, 4)
    args = (x, [10, 9], layer.stride, layer.padding, layer.kernel_size, 2, layer.dilation)
    return list(layer._output_padding(*args)), isinstance(
        layer, torch.nn.modules.conv._ConvTransposeNd
    )


def _norms(torch):
    class Any(torch.nn.modules.batchnorm._BatchNorm):
        def _check_input_dim(self, input):
            pass

    x = torch.arange(48.0).view(2, 3, 2, 2, 2)
    return Any(3, eps=1e-3)(x), repr(Any(3)), torch.nn.modules.batchnorm._BatchNorm(3)(x)


def _kinds(torch):
    modules = torch.nn.modules
    bases = (
        modules.dropout._DropoutNd,
        modules.pooling._MaxPoolNd,
        modules.pooling._AvgPoolNd,
        modules.pooling._AdaptiveAvgPoolNd,
        modules.pooling._AdaptiveMaxPoolNd,
        modules.pooling._LPPoolNd,
        modules.pooling._MaxUnpoolNd,
        modules.padding._ConstantPadNd,
        modules.padding._ReflectionPadNd,
        modules.padding._ReplicationPadNd,
        modules.padding._CircularPadNd,
        modules.conv._LazyConvXdMixin,
        modules.batchnorm._LazyNormBase,
        modules.batchnorm._NormBase,
        modules.loss._WeightedLoss,
        torch.nn.Hardtanh,
    )
    layers = [value for value in vars(torch.nn).values() if isinstance(value, type)]
    return {
        base.__name__: sorted({layer.__name__ for layer in layers if issubclass(layer, base)})
        for base in bases
    }


def _transformer(torch):
    calls = []

    class Encoder(torch.nn.TransformerEncoderLayer):
        def _sa_block(self, x, attn_mask, key_padding_mask, is_causal=False):
            calls.append(("attention", attn_mask is None, is_causal))
            return x * 2

        def _ff_block(self, x):
            calls.append("feed")
            return x * 3

    class Decoder(torch.nn.TransformerDecoderLayer):
        def _mha_block(self, x, mem, attn_mask, key_padding_mask, is_causal=False):
            calls.append(("memory", tuple(mem.shape)))
            return x

        def _sa_block(self, x, attn_mask, key_padding_mask, is_causal=False):
            return super()._sa_block(x, attn_mask, key_padding_mask, is_causal) * 0

        def _ff_block(self, x):
            return super()._ff_block(x) * 0

    x = torch.arange(24.0).view(3, 2, 4)
    results = [Encoder(4, 2, norm_first=first)(x) for first in (True, False)]
    return results, Decoder(4, 2)(x, torch.ones(5, 2, 4)), calls


def _parts_of_attention(torch):
    F = torch.nn.functional
    x, y = torch.arange(12.0).view(3, 4), torch.ones(3, 4)
    weight = torch.arange(48.0).view(12, 4)
    mask = F._canonical_mask(
        torch.tensor([True, False]), "mask", F._none_or_dtype(x), "other", x.dtype, False
    )
    return (
        [
            [t.contiguous() for t in F._in_projection_packed(*args, weight)]
            for args in ((x, x, x), (x, y, y))
        ],
        F._in_projection(x, x, y, *weight.split(4)),
        F._mha_shape_check(x, x, x, None, None, 2),
        mask,
        F._Reduction.get_enum("sum"),
        F._Reduction.legacy_get_enum(True, True, emit_warning=False),
        F._get_softmax_dim("softmax", 3, 3),
    )


def _helpers(torch):
    transformer = torch.nn.modules.transformer
    prune = importlib.import_module(f"{torch.__name__}.nn.utils.prune")
    mask = transformer._generate_square_subsequent_mask(3)
    return (
        torch.nn.modules.module._addindent("a\nb", 2),
        len(transformer._get_clones(torch.nn.ReLU(), 3)),
        transformer._detect_is_causal_mask(mask),
        transformer._get_seq_len(torch.ones(2, 3, 4), True),
        torch.nn.modules.rnn.apply_permutation(torch.arange(4.0).view(1, 4), torch.tensor([3, 0])),
        prune._compute_nparams_toprune(0.5, 5),
        prune._compute_norm(torch.arange(6.0).view(2, 3), 2, 0),
    )


def _buffers_without_persistent(torch):
    class Layer(torch.nn.Module):
        def register_buffer(self, name, tensor):
            super().register_buffer(name, tensor)

    layer = Layer()
    layer.kept = torch.nn.Buffer(torch.ones(1))
    layer.lost = torch.nn.Buffer(torch.ones(1), persistent=False)


@pytest.mark.parametrize(
    "program",
    [_of_a_base, _ends_of_padding, _transposed, _norms, _kinds, _transformer, _parts_of_attention,
     _helpers, _buffers_without_persistent],
)  # fmt: skip
def test_what_a_layer_is_made_of_has_the_names_of_pytorch(program):
    compare(program)


@pytest.mark.parametrize("size", ["Conv1d", "ConvTranspose2d", "BatchNorm1d", "Linear"])
def test_a_lazy_layer_has_the_dtype_it_was_given_from_the_start(size):
    def program(torch):
        args = {"Conv1d": (3, 2), "ConvTranspose2d": (3, 2), "Linear": (3,)}.get(size, ())
        layer = getattr(torch.nn, f"Lazy{size}")(*args, dtype=torch.float64)
        tensors = [*layer.parameters(), *layer.buffers()]
        return [str(t.dtype) for t in tensors]

    compare(program)
