"""Layers computed by the kernels of recurrent networks: against PyTorch, and against the composition of operators."""

import subprocess
import sys

import numpy as np
import pytest

import minitorch
from minitorch.backends import mkldnn

pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")

import torch  # noqa: E402

SIZES = [(1, 1, 1, 1), (5, 3, 4, 6), (7, 9, 17, 33), (3, 17, 5, 130), (2, 8, 300, 400)]
SETTINGS = [
    "",
    "bias=False",
    "num_layers=2",
    "bidirectional=True",
    "num_layers=2, bidirectional=True",
]
MODULES = ["LSTM", "GRU", "RNN", "RNN_relu"]


def make(t, name, sizes, settings, dtype="float32"):
    """A network and its input, with the same numbers in both packages."""
    time, batch, features, hidden = sizes
    rng = np.random.default_rng(0)
    if name == "RNN_relu":
        name, settings = "RNN", f"nonlinearity='relu', {settings}"
    m = eval(f"t.nn.{name}({features}, {hidden}, {settings})", {"t": t}).to(getattr(t, dtype))
    with t.no_grad():
        for p in m.parameters():
            p.copy_(t.tensor(rng.uniform(-1, 1, tuple(p.shape)) / hidden**0.5))
    x = t.tensor(rng.standard_normal((time, batch, features)), dtype=getattr(t, dtype))
    return m, x


def states(h):
    return h if isinstance(h, tuple) else (h,)


def arrays(values):
    return [v.detach().numpy() for v in values]


def assert_equal(ours, theirs, tolerance):
    for a, b in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("name", MODULES)
def test_without_a_history_the_kernel_gives_pytorchs_values(name, sizes, settings, dtype):
    found = []
    for t in (minitorch, torch):
        m, x = make(t, name, sizes, settings, dtype)
        with t.no_grad():
            out, h = m(x)
        found.append(arrays([out, *states(h)]))
    assert_equal(*found, 2e-5 if dtype == "float32" else 1e-12)


@pytest.mark.parametrize("lengths", [[5, 4, 1], [5, 5, 5], [5, 1, 1]])
@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("name", MODULES)
def test_packed_sequences_end_and_begin_where_pytorchs_do(name, settings, lengths):
    found = []
    for t in (minitorch, torch):
        m, x = make(t, name, (5, 3, 4, 6), settings, "float64")
        with t.no_grad():
            out, h = m(t.nn.utils.rnn.pack_padded_sequence(x, lengths))
        found.append(arrays([out.data, *states(h)]))
    assert_equal(*found, 1e-12)


@pytest.mark.parametrize("lengths", [[41, 40, 23, 9, 2], [8, 8, 8, 8, 8]])
@pytest.mark.parametrize("name", MODULES)
def test_long_packed_sequences_are_pytorchs_in_both_directions(name, lengths):
    # the input is multiplied a few time steps at a time, which does not divide these lengths
    found = []
    for t in (minitorch, torch):
        m, x = make(t, name, (lengths[0], 5, 4, 6), "bidirectional=True", "float64")
        with t.no_grad():
            out, h = m(t.nn.utils.rnn.pack_padded_sequence(x, lengths))
        found.append(arrays([out.data, *states(h)]))
    assert_equal(*found, 1e-12)


@pytest.mark.parametrize("batch", [1, 4, 8, 9, 64, 65])
@pytest.mark.parametrize("name", MODULES)
def test_a_single_step_is_pytorchs(name, batch):
    found = []
    for t in (minitorch, torch):
        m, x = make(t, name, (1, batch, 140, 130), "")
        with t.no_grad():
            out, h = m(x)
        found.append(arrays([out, *states(h)]))
    assert_equal(*found, 2e-5)


@pytest.mark.parametrize(
    "settings", ["proj_size=3", "proj_size=3, num_layers=2, bidirectional=True"]
)
def test_a_projection_is_pytorchs(settings):
    found = []
    for t in (minitorch, torch):
        m, x = make(t, "LSTM", (5, 9, 4, 6), settings, "float64")
        with t.no_grad():
            out, h = m(x)
        found.append(arrays([out, *h]))
    assert_equal(*found, 1e-12)


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("sizes", SIZES)
def test_the_gradients_of_an_lstm_are_pytorchs(sizes, settings):
    found = []
    for t in (minitorch, torch):
        m, x = make(t, "LSTM", sizes, settings)
        x.requires_grad_()
        out, (h, c) = m(x)
        assert "MkldnnRnnLayer" in str(h.grad_fn.next_functions[0][0])
        (out.sin().sum() + (h * h).sum() + c.cos().sum()).backward()
        found.append(arrays([x.grad, *[p.grad for p in m.parameters()]]))
    for a, b in zip(*found, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-4 * np.abs(b).max())


def gradients(x, m, state, twice):
    """Of a scalar of all results, or of a scalar of its gradients."""
    out, (h, c) = m(x, state)
    wanted = [x, *state, *m.parameters()]
    total = (out.sin().sum() + (h * h).sum() + c.cos().sum()) / out.numel()
    found = minitorch.autograd.grad(total, wanted, create_graph=twice)
    if twice:
        total = sum((g * g).sum() for g in found)
        found = minitorch.autograd.grad(total, wanted, allow_unused=True)
    return arrays([g for g in found if g is not None])


@pytest.mark.parametrize("twice", [False, True])
@pytest.mark.parametrize("settings", ["", "bias=False", "bidirectional=True", "num_layers=2"])
def test_kernel_and_composition_of_an_lstm_agree(settings, twice):
    m, x = make(minitorch, "LSTM", (5, 9, 4, 6), settings)
    layers = m.num_layers * (1 + m.bidirectional)
    state = [minitorch.full((layers, 9, 6), v).requires_grad_() for v in (0.1, -0.2)]
    x.requires_grad_()
    fused = gradients(x, m, state, twice)
    with mkldnn.flags(enabled=False):
        assert "Mkldnn" not in str(m(x, state)[0].grad_fn)
        composed = gradients(x, m, state, twice)
    assert_equal(fused, composed, 1e-5)


def test_the_graph_of_a_layer_is_one_node_with_pytorchs_attributes():
    found = []
    for t in (minitorch, torch):
        m, x = make(t, "LSTM", (2, 1, 3, 4), "")
        h, c = (t.zeros(1, 1, 4, requires_grad=True) for _ in range(2))
        out, (hn, cn) = m(x.requires_grad_(), (h, c))
        node = out.grad_fn
        names = (
            "mode",
            "reverse",
            "hidden_size",
            "num_layers",
            "has_biases",
            "batch_first",
            "train",
            "batch_sizes",
        )
        found.append([
            node.name(), [f.name() for f, _ in node.next_functions],
            [(s.grad_fn.next_functions[0][0] is node, s.grad_fn.next_functions[0][1]) for s in (hn, cn)],
            [getattr(node, "_saved_" + name) for name in names],
            [tuple(getattr(node, "_saved_" + name).shape) for name in ("input", "weight0", "hx_", "cx_", "result0")],
        ])  # fmt: skip
    assert found[0] == found[1]


def test_a_layer_can_be_composed_first_and_fused_afterwards():
    script = """
import minitorch as torch
torch.manual_seed(0)
layer, x = torch.nn.LSTM(4, 5), torch.ones(3, 2, 4, requires_grad=True)
with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
    layer(x)[0].sum().backward()
first, x.grad = x.grad, None
layer(x)[0].sum().backward()
print(torch.allclose(first, x.grad, 1e-4, 1e-6))
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert run.stdout == "True\n", run.stderr


@pytest.mark.parametrize("how", ["twice", "written"])
def test_a_backward_that_needs_what_is_gone_is_refused(how):
    found = []
    for t in (minitorch, torch):
        m, x = make(t, "LSTM", (2, 1, 3, 4), "")
        out, _ = m(x)
        if how == "written":
            out.mul_(2)
        else:
            out.sum().backward()
        with pytest.raises(RuntimeError) as error:
            out.sum().backward()
        found.append(str(error.value).partition("Hint")[0])
    assert found[0] == found[1]


def test_only_the_gradients_asked_for_are_given():
    m, x = make(minitorch, "LSTM", (3, 2, 4, 5), "")
    m.weight_hh_l0.requires_grad_(False)
    out, _ = m(x)
    (gradient,) = minitorch.autograd.grad(out.sum(), m.bias_ih_l0, retain_graph=True)
    out.sum().backward()
    assert m.weight_hh_l0.grad is None
    assert minitorch.equal(m.bias_ih_l0.grad, gradient)
    assert minitorch.equal(m.bias_hh_l0.grad, gradient)
    assert m.bias_hh_l0.grad.data_ptr() != m.bias_ih_l0.grad.data_ptr()


@pytest.mark.parametrize("threads", [1, 2])
def test_a_large_layer_is_the_same_on_all_threads(threads):
    before = minitorch.get_num_threads()
    found = []
    try:
        for n in (1, threads):
            minitorch.set_num_threads(n)
            m, x = make(minitorch, "LSTM", (10, 40, 64, 100), "")
            out, _ = m(x.requires_grad_())
            out.sin().sum().backward()
            found.append(arrays([out, x.grad, *[p.grad for p in m.parameters()]]))
    finally:
        minitorch.set_num_threads(before)
    assert_equal(*found, 1e-5)


@pytest.mark.parametrize("threads", [2, 3])
@pytest.mark.parametrize("batch", [5, 20])
@pytest.mark.parametrize("name", ["LSTM", "GRU"])
def test_threads_compute_long_sequences_like_pytorch(name, batch, threads):
    before = minitorch.get_num_threads()
    found = []
    try:
        minitorch.set_num_threads(threads)
        for t in (minitorch, torch):
            m, x = make(t, name, (2500 // batch, batch, 64, 32), "bidirectional=True")
            with t.no_grad():
                out, h = m(x)
            found.append(arrays([out, *states(h)]))
    finally:
        minitorch.set_num_threads(before)
    assert_equal(*found, 2e-5)
