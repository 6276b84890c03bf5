"""Tensors on the device ``meta``, which have a shape and no elements, compared with PyTorch's."""

import subprocess
import sys

import pytest

import minitorch
from tests.both import compare, like_pytorch

META = {"device": "meta"}


def describe(value):
    """Shapes, strides, dtypes and devices of all tensors in a result."""
    if isinstance(value, (list, tuple)):
        return [describe(item) for item in value]
    if hasattr(value, "stride"):
        return tuple(value.shape), value.stride(), str(value.dtype), value.device.type
    return value


def program_of(text):
    """A program that evaluates an expression of a few meta tensors."""

    def program(torch):
        names = {
            "torch": torch,
            "nn": torch.nn,
            "F": torch.nn.functional,
            "m": torch.empty(2, 3, **META),
            "square": torch.empty(3, 3, **META),
            "image": torch.empty(1, 2, 8, 8, **META),
            "k": torch.zeros(2, dtype=torch.long, **META),
            "number": torch.empty((), **META),
        }
        return describe(eval(text, names))

    return program


@pytest.mark.parametrize(
    "text",
    [
        "(m.is_meta, m.is_cpu, m.get_device(), m.type(), m.data_ptr(), m.nbytes, m.is_shared())",
        "str(m), str(k), str(nn.Parameter(m) * 2), str(nn.Parameter(m)), str(m.untyped_storage())",
        "torch.zeros(2, 3, device='meta')",
        "torch.empty(2, 3, 4, 5, device='meta', memory_format=torch.channels_last)",
        "[f(3, device='meta') for f in (torch.rand, torch.randn, torch.arange, torch.eye, torch.randperm)]",
        "torch.full((2,), 1, device='meta'), torch.linspace(0, 1, 3, device='meta')",
        "torch.empty_strided((2, 3), (1, 2), device='meta'), torch.hann_window(4, device='meta')",
        "torch.tensor([1, 2], device='meta'), torch.as_tensor([1.0], device='meta'), m.new(3)",
        "torch.zeros_like(m), torch.rand_like(m.t()), m.new_zeros(2), m.new_tensor([1]), m.new_full((2,), 1)",
        "torch.empty_like(m, device='cpu'), torch.ones_like(torch.ones(2), device='meta')",
        "torch.ones(2).to('meta'), m.to('meta') is m, m.to(torch.float64), m.half(), torch.ones(2).to(m)",
        "torch.ones(2).type_as(m.double()), m.type_as(m.half()), torch.ones(2).type_as(torch.ones(1).half())",
        "m + 1, 1 / m, m + torch.tensor(1.0), k / 2, k // k, m > 0, torch.where(m > 0, m, 0.0)",
        "m @ m.t(), m @ torch.ones(3, 2), torch.einsum('ij,kj->ik', m, m)",
        "m.view(3, 2), m[:, 1:], m[k], m[torch.tensor([0, 1])], m.expand(4, 2, 3), m.t().contiguous()",
        "m.sort(), m.topk(2), m.max(), m.max(0), m.sum(0, keepdim=True), m.var(1), m.argmax()",
        "torch.linalg.qr(m), torch.linalg.inv(square), torch.linalg.cholesky(square), torch.linalg.eigh(square)",
        "torch.fft.rfft(m), torch.bernoulli(m), torch.multinomial(m, 2), torch.stft(m[0].repeat(9), 8, return_complex=True)",
        "nn.Conv2d(2, 4, 3, device='meta')(image), F.interpolate(image, scale_factor=2), F.unfold(image, 2)",
        "nn.LSTM(3, 5, num_layers=2, device='meta')(m)",
        "nn.TransformerEncoderLayer(8, 2, 16, device='meta')(torch.empty(4, 2, 8, device='meta'))",
        "F.cross_entropy(m, k), F.one_hot(k, 4), F.embedding(k, m), F.dropout(m), F.mse_loss(m, m)",
        "F.scaled_dot_product_attention(*[torch.empty(2, 4, 8, device='meta')] * 3, is_causal=True)",
        "torch.vmap(torch.sin)(m), torch.func.grad(lambda x: x.sin().sum())(m)",
        "torch.add(m, 1, out=torch.empty(0, device='meta')), torch.empty(0, device='meta').resize_(2, 3)",
        "torch.ones(2, 3).add_(m), m.copy_(torch.ones(3)), m.add_(torch.ones(2, 3))",
        "sum(p.numel() for p in nn.Transformer(device='meta', batch_first=True).parameters())",
        "torch.empty(100000, 1000000, device='meta').shape",
        "nn.init.trunc_normal_(m), nn.init.orthogonal_(square), nn.init.kaiming_uniform_(m)",
        "nn.utils.parametrizations.weight_norm(nn.Linear(3, 4, device='meta'))(m)",
        "nn.LazyLinear(3, device='meta')(m), nn.LazyConv2d(3, 2, device='meta')(image)",
        "nn.utils.skip_init(nn.Linear, 3, 4).weight.device.type",
    ],
)
def test_same(text):
    compare(program_of(text))


@pytest.mark.parametrize(
    "text",
    [
        "number.item()",
        "bool(number)",
        "float(number)",
        "m.item()",
        "m.tolist()",
        "m.numpy()",
        "m.cpu()",
        "m.to('cpu')",
        "torch.ones(2, 3).copy_(m)",
        "m + torch.ones(2, 3)",
        "torch.ones(2, 3) + m",
        "torch.cat([m, torch.ones(1, 3)])",
        "nn.Linear(3, 4)(m)",
        "nn.Linear(3, 4, device='meta')(torch.ones(2, 3))",
        "torch.add(m, 1, out=torch.empty(0))",
        "m[m > 0]",
        "m.nonzero()",
        "m.masked_select(m > 0)",
        "m.unique()",
        "torch.bincount(k)",
        "torch.equal(m, m)",
        "torch.allclose(m, m)",
        "torch.cov(m)",
        "torch.corrcoef(m)",
        "torch.cov(m, correction=0, fweights=k[:3])",
        "torch.linalg.lstsq(m, m)",
        "torch.repeat_interleave(k)",
        "F.one_hot(k)",
        "nn.Linear(3, 4, device='meta').to('cpu')",
        "nn.Linear(3, 4).load_state_dict(nn.Linear(3, 4, device='meta').state_dict())",
        "torch.empty(2**61, device='meta')",
        "torch.zeros(2**40, 2**40, device='meta')",
        "setattr(torch.ones(2, 3), 'data', m)",
        "setattr(torch.ones(2, 3), 'grad', m)",
        "torch.testing.assert_close(m, torch.ones(2, 3))",
    ],
)
def test_same_error(text):
    compare(program_of(text))


def test_views_and_versions():
    def program(torch):
        m = torch.empty(2, 3, **META)
        view = m[0]
        view.add_(1)
        m.t_()
        m.unsqueeze_(0)
        return describe([m, view]), m._version, view._version, view._base is m

    compare(program)


def test_backward_and_steps():
    def program(torch):
        model = torch.nn.Sequential(
            torch.nn.Linear(3, 4, **META), torch.nn.BatchNorm1d(4, **META), torch.nn.ReLU()
        )
        found = []
        for optimizer in (
            torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9),
            torch.optim.Adam(model.parameters()),
        ):
            model(torch.empty(2, 3, **META)).sum().backward()
            model(torch.empty(2, 3, **META)).sum().backward()
            found.append(describe([p.grad for p in model.parameters()]))
            optimizer.step()
            optimizer.zero_grad()
        x = torch.empty(2, **META, requires_grad=True)
        (grad,) = torch.autograd.grad((x**3).sum(), x, create_graph=True)
        return found, describe(torch.autograd.grad(grad.sum(), x))

    compare(program)


def test_default_device():
    def program(torch):
        found = []
        with torch.device("meta"):
            tensors = [
                torch.ones(2),
                torch.tensor([1.0]),
                torch.arange(3),
                torch.ones(2, device="cpu"),
            ]
            tensors += [torch.empty_like(tensors[-1]), torch.Tensor(2)]
            tensors += torch.nn.MultiheadAttention(4, 2).parameters()
            tensors += torch.nn.BatchNorm1d(3).buffers()
            found.append(torch.get_default_device().type)
            with torch.device("cpu"):
                tensors.append(torch.ones(2))
        torch.set_default_device("meta")
        tensors.append(torch.zeros(2))
        torch.set_default_device(None)
        tensors.append(torch.zeros(2))
        return found, [t.device.type for t in tensors], torch.get_default_device().type

    compare(program)


def test_no_random_number_is_drawn():
    def program(torch):
        torch.manual_seed(0)
        torch.rand(2, **META)
        torch.nn.functional.dropout(torch.empty(5, **META))
        torch.native_dropout(torch.empty(5, **META), 0.5, True)
        noise = torch.nn.functional.dropout2d(torch.empty(2, 3, 4, 4, **META))
        torch.normal(torch.empty(5, **META), 1.0)
        torch.nn.Linear(3, 4, **META)
        torch.nn.init.normal_(torch.empty(5, **META))
        return torch.rand(2), describe(noise)

    compare(program)


def test_files_and_copies():
    def program(torch):
        import copy
        import io
        import pickle

        m = torch.empty(2, 3, **META)
        file = io.BytesIO()
        torch.save({"m": m, "part": m[:, 1:], "parameter": torch.nn.Parameter(m)}, file)
        file.seek(0)
        loaded = list(torch.load(file).values())
        file = io.BytesIO()
        torch.save(torch.nn.Linear(2, 3).state_dict(), file)
        file.seek(0)
        loaded += torch.load(file, map_location="meta").values()
        layer = copy.deepcopy(torch.nn.Linear(2, 3, **META))
        return describe(
            [*loaded, layer.weight, pickle.loads(pickle.dumps(m))]
        ), layer.weight.is_leaf

    compare(program)


def test_state_of_a_module():
    def program(torch):
        layer, empty = torch.nn.Linear(3, 4), torch.nn.Linear(3, 4, **META)
        empty.load_state_dict(layer.state_dict())
        stays = empty.weight.device.type
        empty.load_state_dict(layer.state_dict(), assign=True)
        moved = torch.nn.Linear(3, 4).to("meta")
        back = moved.to_empty(device="cpu")
        kinds = stays, moved is back, back.weight.device.type, type(back.weight).__name__
        return torch.equal(empty.weight, layer.weight), kinds

    compare(program)


def test_nothing_is_written_to_the_memory_of_meta_tensors():
    m = minitorch.zeros(5, **META)
    m.add_(1)
    m.copy_(minitorch.ones(5))
    minitorch.add(minitorch.ones(5, **META), 2, out=m)
    m[1] = 3.0
    assert minitorch.autograd.meta.stand_in(m).tolist() == [0.0] * 5


@like_pytorch
def test_a_tensor_moved_to_meta_keeps_its_strides_and_history(torch):
    x = torch.randn(3, 4, requires_grad=True)
    plain = x.detach()
    views = (plain, plain.t(), plain[:, ::2], plain.expand(2, 3, 4), plain[0])
    moved = [x.to("meta"), x.to("meta", torch.float64), *(view.to("meta") for view in views)]
    moved.append(torch.nn.Linear(2, 2).to("meta").weight)
    return [
        (tuple(t.shape), t.stride(), str(t.dtype), t.requires_grad, type(t.grad_fn).__name__)
        for t in moved
    ] + [x.is_meta, x._version]


@like_pytorch
def test_copies_of_meta_tensors_keep_their_formats_and_histories(torch):
    x = torch.ones(1, 2, 3, 4, requires_grad=True)
    meta = x.detach().to("meta").requires_grad_()
    copies = []
    for t in (x, meta):
        for view in (t, t.to(memory_format=torch.channels_last), t.mT, t.expand(2, 2, 3, 4)):
            for format in (torch.preserve_format, torch.contiguous_format, torch.channels_last):
                copies.append(view.to("meta", torch.float64, memory_format=format))
                copies.append(view.to("meta", copy=True, memory_format=format))
    copies += [meta.clone(), meta.mT.clone(), meta.mT.clone(memory_format=torch.contiguous_format)]
    return [
        (
            t.stride(),
            str(t.dtype),
            t.requires_grad,
            t.grad_fn.name(),
            t.grad_fn.next_functions[0][0].name(),
        )
        for t in copies
    ]


@like_pytorch
def test_a_tensor_of_few_dimensions_has_no_image_format_on_meta(torch):
    return torch.ones(2, requires_grad=True).to("meta", memory_format=torch.channels_last)


def test_parameters_moved_to_meta_take_no_memory():
    program = """
import resource, minitorch as torch
weight = torch.nn.Parameter(torch.empty(10_000, 10_000))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
weight.to("meta").to(torch.float64).clone()
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert int(run.stdout) < 100_000  # of the 400,000 kilobytes of the weight


def _products(name, *shapes):
    """A program that multiplies meta tensors of these shapes, the last two in all layouts."""

    def program(torch):
        def layouts(shape):
            plain = torch.empty(shape, **META)
            return plain, torch.empty(shape[::-1], **META).permute(*range(len(shape))[::-1])

        product, given = getattr(torch, name), [torch.empty(s, **META) for s in shapes[:-2]]
        first, second = map(layouts, shapes[-2:])
        return [describe(product(*given, a, b)) for a in first for b in second]

    return program


@pytest.mark.parametrize(
    ("name", "shapes"),
    [
        ("mm", [(2, 3), (3, 4)]),
        ("mm", [(2, 0), (0, 4)]),
        ("mm", [(2, 3), (2, 3)]),
        ("mm", [(2, 3, 3), (3, 3)]),
        ("mm", [(3, 3), (3,)]),
        ("bmm", [(2, 3, 4), (2, 4, 5)]),
        ("bmm", [(2, 3, 4), (3, 4, 5)]),
        ("addmm", [(4,), (2, 3), (3, 4)]),
        ("addmm", [(4,), (2, 3), (2, 4)]),
        ("baddbmm", [(3, 1), (2, 3, 4), (2, 4, 5)]),
        ("baddbmm", [(3, 1), (2, 3, 4), (2, 3, 5)]),
    ],
)
def test_products_of_meta_tensors(name, shapes):
    compare(_products(name, *shapes))


@like_pytorch
def test_a_product_of_meta_tensors_is_not_computed(torch):
    many = 2**33  # what would be summed takes minutes to read
    first, second = torch.empty(4, many, **META), torch.empty(many, 4, **META)
    third = torch.empty(4, **META)
    return describe([first @ second, torch.addmm(third, first, second), first[None] @ second[None]])


COUNTED = {
    "counts": lambda torch, m: m(2, 1).repeat_interleave(m(2, dtype=torch.int64), 0, output_size=6),
    "counts on the CPU": lambda torch, m: m(2, 1).repeat_interleave(torch.tensor([1, 2]), 0),
    "linspace": lambda torch, m: torch.linspace(m(()), 2, 5),
    "logspace": lambda torch, m: torch.logspace(0, m(()), 5, dtype=torch.float64),
    "polygamma_": lambda torch, m: m(3).polygamma_(1),
    "argwhere": lambda torch, m: m(3, 3).argwhere(),
    "tensor_split": lambda torch, m: m(4).tensor_split(m(2, dtype=torch.int64)),
}


@pytest.mark.parametrize("case", COUNTED)
def test_operators_of_meta_tensors_and_numbers(case):
    def program(torch):
        made = COUNTED[case](torch, lambda *size, **options: torch.ones(*size, **META, **options))
        return tuple(made.shape), made.stride(), str(made.dtype), made.device.type

    compare(program)


@like_pytorch
def test_what_is_detached_shares_the_storage(torch):
    m = torch.ones(3, requires_grad=True, **META)
    views = (m.detach(), m.data, torch.nn.Parameter(m.detach()), m.detach()[1:])
    return [view.untyped_storage()._cdata == m.untyped_storage()._cdata for view in views]
