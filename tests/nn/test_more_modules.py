"""Losses, padding, pooling, norms, shuffles, embedding bags and lazy modules against PyTorch's."""

import copy
import inspect
import itertools

import pytest

pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")

from tests.both import compare, like_pytorch  # noqa: E402
from tests.nn.differential import PACKAGES, assert_close, errors, real, run  # noqa: E402

SCOPE = {
    "x": lambda t: real(t, 2, 4, 6, 6),
    "line": lambda t: real(t, 2, 4, 7),
    "volume": lambda t: real(t, 1, 2, 4, 4, 4),
    "rows": lambda t: real(t, 3, 5),
    "more": lambda t: real(t, 3, 5, seed=1),
    "third": lambda t: real(t, 3, 5, seed=2),
    "sign": lambda t: t.tensor([1.0, -1.0, 1.0]),
    "classes": lambda t: t.tensor([4, 0, 2]),
    "labels": lambda t: t.tensor([[3, 0, -1, 1, 2], [1, 1, 2, -1, 0], [-1, 0, 1, 2, 3]]),
    "ids": lambda t: t.tensor([[0, 2, 2], [5, 1, 3]]),
    "logits": lambda t: real(t, 6, 2, 5),
}
CALLS = [
    *[(f"nn.{kind}Pad1d((2, 1){v})", "m(line)") for kind, v in
      (("Reflection", ""), ("Replication", ""), ("Circular", ""), ("Constant", ", 3.5"), ("Zero", ""))],
    *[(f"nn.{kind}Pad2d(2{v})", "m(x)") for kind, v in
      (("Reflection", ""), ("Replication", ""), ("Circular", ""), ("Constant", ", 3.5"), ("Zero", ""))],
    *[(f"nn.{kind}Pad3d(1{v})", "m(volume)") for kind, v in
      (("Reflection", ""), ("Replication", ""), ("Circular", ""), ("Constant", ", 3.5"), ("Zero", ""))],
    ("nn.ZeroPad2d((1, -1, 0, 2))", "m(x)"),
    ("nn.MarginRankingLoss(0.5)", "m(rows[:, 0], more[:, 0], sign)"),
    ("nn.HingeEmbeddingLoss(0.5, reduction='sum')", "m(rows[:, 0], sign)"),
    ("nn.CosineEmbeddingLoss(0.1)", "m(rows, more, sign)"),
    ("nn.MultiMarginLoss()", "m(rows, classes)"),
    ("nn.MultiMarginLoss(2, 0.5, torch.arange(5.0).double(), reduction='none')", "m(rows, classes)"),
    ("nn.MultiMarginLoss()", "m(rows[0], classes[0])"),
    ("nn.MultiLabelMarginLoss()", "m(rows, labels)"),
    ("nn.MultiLabelMarginLoss(reduction='none')", "m(rows[0], labels[0])"),
    ("nn.MultiLabelSoftMarginLoss(torch.arange(5.0).double())", "m(rows, (labels > 0).double())"),
    ("nn.TripletMarginLoss(swap=True, p=1)", "m(rows, more, third)"),
    ("nn.TripletMarginWithDistanceLoss(margin=2.0, swap=True)", "m(rows, more, third)"),
    ("nn.PoissonNLLLoss(full=True)", "m(rows, labels.abs())"),
    ("nn.PoissonNLLLoss(False)", "m(rows.exp(), labels.abs())"),
    ("nn.GaussianNLLLoss(full=True)", "m(rows, more, third.exp())"),
    ("nn.GaussianNLLLoss(reduction='sum')", "m(rows, more, third[:, 0].exp())"),
    ("nn.LinearCrossEntropyLoss(5, 6, bias=True)", "m(rows, classes)"),
    ("nn.LinearCrossEntropyLoss(5, 6, out_features=(2,))", "m(rows, labels[:, :2].abs())"),
    ("nn.NLLLoss2d()", "m(x, x[:, 0].long().abs())"),
    ("nn.CTCLoss()", "m(logits.log_softmax(2), torch.tensor([[1, 1, 2], [3, 4, 0]]), (6, 5), (3, 2))"),
    ("nn.CTCLoss(2, 'none')", "m(logits.log_softmax(2), torch.tensor([1, 1, 3, 4]), (6, 5), (3, 1))"),
    ("nn.CTCLoss(zero_infinity=True)",
     "m(logits.log_softmax(2), torch.tensor([[1, 1, 1], [3, 4, 0]]), (3, 6), (3, 0))"),
    ("nn.CTCLoss(reduction='sum')",
     "m(logits[:, 0].log_softmax(1), torch.tensor([1, 2]), torch.tensor(6), torch.tensor(2))"),
    ("nn.LPPool1d(2, 3, 2, True)", "m(line.abs())"),
    ("nn.LPPool2d(1.5, 2)", "m(x.abs())"),
    ("nn.LPPool3d(3, 2)", "m(volume.abs())"),
    ("nn.AdaptiveAvgPool3d((1, 2, None))", "m(volume)"),
    ("nn.AdaptiveMaxPool3d(2, return_indices=True)", "m(volume)"),
    ("nn.FractionalMaxPool2d(2, output_size=3, return_indices=True)", "m(x)"),
    ("nn.FractionalMaxPool2d((2, 1), output_ratio=(0.5, 0.7))", "m(x[0])"),
    ("nn.FractionalMaxPool3d(2, output_ratio=0.6)", "m(volume)"),
    ("nn.MaxUnpool1d(2)", "m(*F.max_pool1d(line, 2, return_indices=True), output_size=(7,))"),
    ("nn.MaxUnpool2d(2)", "m(*F.max_pool2d(x, 2, return_indices=True))"),
    ("nn.MaxUnpool3d(2)", "m(*F.max_pool3d(volume, 2, return_indices=True))"),
    ("nn.RMSNorm(6)", "m(x)"),
    ("nn.RMSNorm((6, 6), 1e-3, False)", "m(x)"),
    ("nn.InstanceNorm3d(2, affine=True)", "m(volume)"),
    ("nn.LocalResponseNorm(3, 0.5)", "m(x)"),
    ("nn.LocalResponseNorm(2, 0.5, 0.6, 2.0)", "m(line)"),
    ("nn.CrossMapLRN2d(3, 0.5)", "m(x.detach())"),
    ("nn.SyncBatchNorm(4).eval()", "m(x)"),
    ("nn.Bilinear(5, 5, 2)", "m(rows, more)"),
    ("nn.Bilinear(6, 6, 2, bias=False)", "m(x, x)"),
    ("nn.PairwiseDistance(3, 1e-3, True)", "m(rows, more)"),
    ("nn.Softmax2d()", "m(x)"),
    ("nn.RReLU(0.2, 0.4).eval()", "m(x)"),
    ("nn.FeatureAlphaDropout().eval()", "m(x)"),
    ("nn.PixelShuffle(2)", "m(x)"),
    ("nn.PixelUnshuffle(3)", "m(x)"),
    ("nn.ChannelShuffle(2)", "m(x)"),
    ("nn.Unfold((2, 3), dilation=(1, 2), padding=1, stride=(2, 1))", "m(x)"),
    ("nn.Unfold(2)", "m(x[0])"),
    ("nn.Fold((4, 5), (2, 2), padding=1, stride=2)", "m(real(torch, 2, 12, 9))"),
    *[(f"nn.Upsample({how})", "m(x)") for how in
      ("3", "(9, 4)", "scale_factor=1.7", "scale_factor=(2, 0.5), mode='nearest-exact'",
       "scale_factor=1.7, mode='bilinear'", "(9, 4), mode='bilinear', align_corners=True",
       "scale_factor=1.7, mode='bicubic'", "(9, 4), mode='bicubic', align_corners=True",
       "(4, 3), mode='area'", "scale_factor=1.7, mode='bilinear', recompute_scale_factor=True")],
    ("nn.Upsample(scale_factor=2.5, mode='linear')", "m(line)"),
    ("nn.Upsample(scale_factor=1.5, mode='trilinear')", "m(volume)"),
    ("nn.UpsamplingBilinear2d(scale_factor=2)", "m(x)"),
    *[("", f"F.interpolate(x, (4, 9), mode='{mode}', antialias=True, align_corners={corners})")
      for mode in ("bilinear", "bicubic") for corners in (True, False)],
    *[(f"nn.EmbeddingBag(6, 3, mode='{mode}')", "m(ids)") for mode in ("sum", "mean", "max")],
    *[(f"nn.EmbeddingBag(6, 3, mode='{mode}', padding_idx=2)", "m(ids.reshape(-1), torch.tensor([0, 0, 3]))")
      for mode in ("sum", "mean", "max")],
    ("nn.EmbeddingBag(6, 3, mode='sum', include_last_offset=True)",
     "m(ids.reshape(-1), torch.tensor([0, 2, 6]), torch.arange(6.0).double())"),
    ("nn.AdaptiveLogSoftmaxWithLoss(5, 8, [2, 5], div_value=2.0, head_bias=True)", "m(rows, classes)"),
    ("nn.AdaptiveLogSoftmaxWithLoss(5, 8, [2, 5], div_value=2.0)", "m.log_prob(rows)"),
    ("nn.LazyConv2d(2, 3)", "m(x)"),
    ("nn.LazyConvTranspose1d(2, 3)", "m(line)"),
    ("nn.LazyLinear(2)", "m(rows)"),
    ("nn.LazyBatchNorm2d()", "m(x)"),
    ("nn.LazyInstanceNorm1d()", "m(line)"),
]  # fmt: skip


@pytest.mark.parametrize(("make", "call"), CALLS)
def test_outputs_gradients_text_and_state_are_pytorchs(make, call):
    scope = SCOPE | {"real": lambda t: real}
    if make.startswith("nn.Lazy"):
        # the first values are drawn in float64 by one and float32 by the other unless made so
        make = make[:-1] + (", " if make[-2] != "(" else "") + "dtype=torch.float64)"
    run(scope, make, call)


ERRORS = [
    "nn.CircularPad2d(1)(torch.zeros(2, 2))",
    "nn.CircularPad1d(5)(torch.zeros(2, 2))",
    "nn.ReflectionPad1d(2)(torch.zeros(2, 2))",
    "F.pad(torch.zeros(1, 2, 3, 4), (1, 1), 'reflect')",
    "nn.MultiMarginLoss(3)",
    "nn.MultiMarginLoss()(torch.zeros(2, 3), torch.tensor([0, 3]))",
    "nn.TripletMarginLoss(0.0)",
    "nn.TripletMarginWithDistanceLoss(margin=-1)",
    "nn.TripletMarginWithDistanceLoss()(torch.zeros(2), torch.zeros(1, 2), torch.zeros(2))",
    "nn.GaussianNLLLoss()(torch.zeros(2, 3), torch.zeros(2, 3), torch.ones(4))",
    "nn.FractionalMaxPool2d(2)",
    "nn.FractionalMaxPool2d(2, output_size=2, output_ratio=0.5)",
    "nn.FractionalMaxPool3d(2, output_ratio=2.0)",
    "nn.MaxUnpool2d(2)(torch.zeros(1, 2, 2), torch.zeros(1, 2, 2).long(), (9, 9))",
    "nn.Softmax2d()(torch.zeros(2))",
    "nn.PixelShuffle(2)(torch.zeros(3, 1, 1))",
    "nn.PixelUnshuffle(2)(torch.zeros(3, 1, 2))",
    "nn.ChannelShuffle(2)(torch.zeros(1, 3, 2))",
    "nn.Unfold(3)(torch.zeros(1, 2, 2))",
    "nn.Fold((4, 5), 2)(torch.zeros(1, 12, 11))",
    "nn.Upsample()(torch.zeros(1, 1, 2))",
    "nn.Upsample(2, 2)(torch.zeros(1, 1, 2))",
    "nn.Upsample(2, mode='bilinear')(torch.zeros(1, 1, 2))",
    "nn.Upsample(2, mode='nearest', align_corners=True)(torch.zeros(1, 1, 2))",
    "nn.EmbeddingBag(3, 2)(torch.tensor([0, 1]))",
    "nn.EmbeddingBag(3, 2, mode='foo')(torch.tensor([[0, 1]]))",
    "nn.EmbeddingBag(3, 2)(torch.tensor([0, 1]), torch.tensor([1]))",
    "nn.EmbeddingBag(3, 2)(torch.tensor([[0, 1]]), None, torch.ones(1, 2))",
    "nn.EmbeddingBag(3, 2, padding_idx=4)",
    "nn.AdaptiveLogSoftmaxWithLoss(8, 10, [])",
    "nn.AdaptiveLogSoftmaxWithLoss(8, 10, [5, 4])",
    "nn.AdaptiveLogSoftmaxWithLoss(8, 10, [5])(torch.zeros(1, 8), torch.tensor([10]))",
    "nn.Bilinear(0, 1, 1)",
    "nn.LazyConv2d(2, 3)(torch.zeros(2, 2))",
    "nn.LazyLinear(2).weight.shape",
    "nn.SyncBatchNorm(2)(torch.zeros(2))",
    "nn.CTCLoss()(torch.zeros(2, 1, 3), torch.tensor([[1]]), (3,), (1,))",
    "nn.ParameterDict({1: torch.ones(1)})",
    "nn.ParameterDict(3)",
    "nn.ParameterList(3)",
    "nn.LinearCrossEntropyLoss(3, 2)(torch.zeros(1, 4), torch.tensor([0]))",
    "nn.LinearCrossEntropyOptions(acc_policy='foo')",
]


@pytest.mark.parametrize("text", ERRORS)
def test_errors_are_pytorchs(text):
    theirs, ours = errors(text)
    assert ours == theirs


def test_a_lazy_module_is_copied_loaded_and_becomes_ordinary():
    found = []
    for t in PACKAGES:
        lazy = t.nn.LazyLinear(2)
        loaded = t.nn.LazyLinear(2)
        loaded.load_state_dict({"weight": t.ones(2, 3), "bias": t.zeros(2)})
        other = copy.deepcopy(lazy)
        texts = [repr(lazy), repr(lazy.state_dict()), lazy.has_uninitialized_params()]
        result = loaded(t.ones(1, 3))
        other(t.ones(1, 4))
        found.append([*texts, repr(loaded), repr(other), repr(lazy), result.tolist()])
    assert found[1] == found[0]


def test_parameter_dict_and_list_hold_and_show_what_pytorchs_do():
    found = []
    for t in PACKAGES:
        d = t.nn.ParameterDict({"b": t.ones(2), "a": t.nn.Parameter(t.zeros(3)), "c": 3})
        d |= {"e": t.ones(1)}
        d.pop("a")
        listed = t.nn.ParameterList([t.nn.Parameter(t.ones(2)), t.ones(3), 4])
        listed += [t.zeros(1)]
        found.append([repr(d), list(d), list(d.state_dict()), repr(listed), list(listed.state_dict()),
                      "c" in d, len(d), len(listed), d.get("x", 1), repr(d | {"f": 5}), list({"b": 6} | d),
                      type({"b": 6} | d).__name__, d.popitem()[0]])  # fmt: skip
    assert found[1] == found[0]


def test_gradients_are_clipped_as_by_pytorch():
    found = []
    for t in PACKAGES:
        utils, kept = t.nn.utils, []
        for clip in (
            lambda p, u=utils: u.clip_grad_norm_(p, 1.0),
            lambda p, u=utils: u.clip_grad_norm_(p, 2.0, float("inf")),
            lambda p, u=utils: u.clip_grad_norm_(p, 1.5, 1),
            lambda p, u=utils: u.clip_grad_value_(p, 0.5),
        ):
            a, b = real(t, 3), real(t, 2, 2)
            (a.pow(2).sum() + b.pow(3).sum()).backward()
            total = clip([a, b])
            kept += [a.grad, b.grad] + ([] if total is None else [total])
        layer = t.nn.Linear(2, 1)
        utils.vector_to_parameters(t.tensor([1.0, 2.0, 3.0]), layer.parameters())
        found.append(
            [*kept, layer.weight, layer.bias, utils.parameters_to_vector(layer.parameters())]
        )
    assert_close(found[1], found[0])


def test_layers_without_parameters_have_pytorchs_signatures():
    def program(torch):
        names = "ReLU ELU GELU Threshold GLU Softplus Tanh SELU Sigmoid LeakyReLU".split()
        return [
            str(inspect.signature(getattr(torch.nn, name).__init__).parameters.keys())
            for name in names
        ] + [inspect.getfullargspec(torch.nn.ELU.__init__).defaults]

    compare(program)


@pytest.mark.parametrize(
    "call",
    [
        lambda nn: nn.Sigmoid(3),
        lambda nn: nn.ReLU(1, 2),
        lambda nn: nn.Threshold(1, 2, 3, 4),
        lambda nn: nn.ReLU()(1, 2),
    ],
)
def test_layers_refuse_too_many_arguments_as_pytorch_does(call):
    compare(lambda torch: call(torch.nn))


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("shape", [(3, 1, 2), (3, 2)])
def test_concatenated_targets_of_ctc_are_as_many_as_their_lengths_say(shape, count):
    def program(torch):
        scores = torch.zeros(shape)
        return torch.nn.functional.ctc_loss(scores, torch.ones(count).long(), [3], [1])

    compare(program)


def test_star_imports_of_init_and_clip_grad_bring_pytorchs_names():
    compare(lambda torch: [sorted(torch.nn.init.__all__), sorted(torch.nn.utils.clip_grad.__all__)])


def test_arguments_of_containers_and_trees_have_pytorchs_names():
    def program(torch):
        nn = torch.nn
        shared = nn.ReLU()
        both = nn.Sequential(shared, shared)
        both.extend(sequential=[nn.PReLU(2, 0.5)])
        both[2].weight.data.zero_()
        both[2].reset_parameters()
        layers = nn.ModuleList([nn.Linear(1, 1)])
        layers.insert(index=0, module=shared)
        return [
            [type(m).__name__ for m in both.modules(remove_duplicate=False)],
            [type(m).__name__ for m in both.modules()],
            both[2].weight.detach(),
            repr(layers),
        ]

    compare(program)


@pytest.mark.parametrize("assign", (False, True))
@pytest.mark.parametrize("kind", ["LazyLinear", "LazyConv2d", "LazyBatchNorm2d"])
def test_states_of_lazy_modules_before_and_after_a_call(kind, assign):
    def program(torch):
        def module(called):
            arguments = {"LazyLinear": (3,), "LazyConv2d": (3, 2), "LazyBatchNorm2d": ()}[kind]
            made = getattr(torch.nn, kind)(*arguments)
            if called:
                made(torch.ones(2, 4, 5, 5))
            return made

        outcomes = []
        for into, out_of in itertools.product((False, True), repeat=2):
            target = module(into)
            try:
                outcomes.append(
                    str(target.load_state_dict(module(out_of).state_dict(), assign=assign))
                )
            except RuntimeError as error:
                outcomes.append(str(error))
            outcomes.append(repr(target))
        return outcomes

    compare(program)


@like_pytorch
def test_a_module_that_was_not_initialised_or_got_arguments(torch):
    class Without(torch.nn.Module):
        def __init__(self):
            pass

        def forward(self, x):
            return x

    class Plain(torch.nn.Module):
        pass

    def said(call):
        try:
            call()
        except (AttributeError, TypeError) as error:
            return str(error)

    return [
        said(call)
        for call in (
            lambda: Without()(1),
            lambda: Plain(1),
            lambda: Plain(a=1),
            lambda: torch.nn.Module(1, 2),
        )
    ]
