"""`FlopCounterMode` beside PyTorch's."""

import importlib
import sys
from types import SimpleNamespace

import pytest

from tests.both import compare, like_pytorch


def _module(torch):
    return importlib.import_module(f"{torch.__name__}.utils.flop_counter")


def _counted(torch, run, **options):
    with _module(torch).FlopCounterMode(display=False, **options) as counter:
        run()
    total = counter.get_total_flops()
    counts = counter.get_flop_counts().items()
    return total, {name: {str(op): n for op, n in each.items()} for name, each in counts}


def _leaf(torch, *shape):
    return torch.ones(*shape, requires_grad=True)


RUNS = {
    "a product of vectors": lambda t, f: t.ones(5) @ t.ones(5),
    "baddbmm": lambda t, f: t.baddbmm(t.ones(6), t.ones(2, 4, 5), t.ones(2, 5, 6)),
    "a batch of inputs": lambda t, f: t.nn.Linear(3, 4)(t.ones(2, 5, 3)).sum().backward(),
    "in groups": lambda t, f: f.conv2d(_leaf(t, 2, 4, 9, 9), _leaf(t, 8, 2, 3, 3), groups=2).sum().backward(),
    "transposed": lambda t, f: f.conv_transpose2d(_leaf(t, 2, 3, 5, 5), _leaf(t, 3, 4, 3, 3)).sum().backward(),
    "attention": lambda t, f: t.nn.MultiheadAttention(8, 2)(t.ones(3, 1, 8), t.ones(3, 1, 8), t.ones(3, 1, 8)),
    "einsum": lambda t, f: t.einsum("bij,bjk->bik", t.ones(2, 3, 4), t.ones(2, 4, 5)),
    "of meta tensors": lambda t, f: t.ones(4, 5, device="meta") @ t.ones(5, 6, device="meta"),
    "func.grad": lambda t, f: t.func.grad(lambda x: (x @ x).sum())(t.ones(3, 3)),
}  # fmt: skip


@pytest.mark.parametrize("name", RUNS)
def test_counts(name):
    compare(lambda torch: _counted(torch, lambda: RUNS[name](torch, torch.nn.functional)))


def _table(rows, headers, colalign):
    return "\n".join(map(str, [headers, colalign, *rows]))


@pytest.mark.parametrize("depth", [None, 1, 3])
def test_the_table(depth, monkeypatch):
    monkeypatch.setitem(sys.modules, "tabulate", SimpleNamespace(tabulate=_table))

    def program(torch):
        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.a = torch.nn.Linear(3, 4)
                self.b = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Linear(4, 2))

            def forward(self, x):
                return self.b(self.a(x)).sum()

        net, mode = Net(), _module(torch).FlopCounterMode
        with mode(display=False) as counter:
            net(torch.ones(500, 3)).backward()
        with mode(display=False) as nothing:
            pass
        return counter.get_table(depth).split("\n"), nothing.get_table(), counter.flop_counts["new"]

    compare(program)


@like_pytorch
def test_custom_formulas(torch):
    def seven(*args, out_shape=None, **kwargs):
        return 7

    def of_result(*args, out_val=None, **kwargs):
        return out_val.numel()

    of_result._get_raw = True
    add, mul = torch.ops.aten.add, torch.ops.aten.mul
    total, _ = _counted(
        torch, lambda: (torch.ones(3) + 1) * 2, custom_mapping={add: seven, mul: of_result}
    )
    return total, _module(torch).register_flop_formula(torch.ops.aten.mm)(seven)


@pytest.mark.parametrize(
    "call",
    [
        "sdpa_flop_count((2, 4, 8, 16), (2, 2, 9, 16), (2, 2, 9, 5))",
        "sdpa_flop_count((2, 4, 8, 16), (2, 3, 9, 16), (2, 3, 9, 5))",
        "sdpa_flop_count((2, 4, 8, 16), (2, 2, 9, 6), (2, 2, 9, 5))",
        "sdpa_backward_flop_count((2, 4, 8, 5), (2, 4, 8, 16), (2, 2, 9, 16), (2, 2, 9, 5))",
        "sdpa_backward_flop_count((2, 3, 8, 5), (2, 4, 8, 16), (2, 2, 9, 16), (2, 2, 9, 5))",
        "sdpa_backward_flop_count((2, 4, 8, 6), (2, 4, 8, 16), (2, 2, 9, 16), (2, 2, 9, 5))",
        "normalize_tuple(1), normalize_tuple((1, 2))",
        "[convert_num_with_suffix(n, get_suffix_str(n)) for n in (0, 99, 1000, 123456, 10**9, 10**16)]",
        "convert_to_percent_str(num=1, denom=3), convert_to_percent_str(1, 0)",
    ],
)
def test_formulas(call):
    compare(lambda torch: eval(call, vars(_module(torch))))
