"""Anomaly mode: which forward call a failing backward belongs to; PyTorch is the oracle."""

import re
import traceback
import warnings

import pytest

import minitorch
from tests.both import like_pytorch, real


def failing(torch):
    class Failing(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, grad):
            raise ValueError("bad")

    return Failing


def shape_of(run, torch):
    """What `run` raises, and its warnings with the traceback's lines left out."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            run(torch)
        except Exception as error:
            # who wrote to a tensor last is told of the one the user holds, or of the one unpacked
            outcome = type(error).__name__, re.sub(r"output \d of \w+", "", str(error))
        else:
            outcome = None
    texts = []
    for warning in caught:
        text = str(warning.message).split(" (Triggered internally")[0].rstrip()
        names = re.findall(r"File \".*?test_anomaly.py\", line \d+, in (\w+)", text)
        head = re.split(r"  File \"", text)[0]
        texts.append((warning.category.__name__, head.strip(), names[-1:]))
    return outcome, texts


def nan(torch):
    with torch.autograd.detect_anomaly():
        a = torch.zeros(1, requires_grad=True)
        (a / a).sum().backward()


def nan_unchecked(torch):
    with torch.autograd.detect_anomaly(check_nan=False):
        a = torch.zeros(1, requires_grad=True)
        (a / a).sum().backward()


def nan_in_a_hook(torch):
    with torch.autograd.detect_anomaly():
        a = torch.ones(1, requires_grad=True)
        b = a * 2
        b.register_hook(lambda g: g * float("nan"))
        b.sum().backward()


def recorded_outside(torch):
    a = failing(torch).apply(torch.ones(1, requires_grad=True))
    with torch.autograd.detect_anomaly():
        a.backward()


def recorded_inside(torch):
    with torch.autograd.detect_anomaly():
        failing(torch).apply(torch.ones(1, requires_grad=True)).backward()


def second_derivative(torch):
    with torch.autograd.detect_anomaly():
        a = torch.ones(1, requires_grad=True)
        b = a.exp()
        c = b.sin()
        (g,) = torch.autograd.grad(c, a, create_graph=True)
        b.add_(1)
        g.backward()


def second_derivative_of_an_outside_graph(torch):
    a = torch.ones(1, requires_grad=True)
    b = a.exp()
    with torch.autograd.detect_anomaly():
        (g,) = torch.autograd.grad(b.sin(), a, create_graph=True)
        b.add_(1)
        g.backward()


def second_backward(torch):
    with torch.autograd.detect_anomaly():
        a = torch.ones(1, requires_grad=True)
        b = a.exp()
        b.backward()
        b.backward()


def written_in_place(torch):
    with torch.autograd.detect_anomaly():
        a = torch.ones(1, requires_grad=True)
        b = a.exp()
        c = b * 1
        b.mul_(2)
        c.backward()


PROGRAMS = [
    nan,
    nan_unchecked,
    nan_in_a_hook,
    recorded_outside,
    recorded_inside,
    second_derivative,
    second_derivative_of_an_outside_graph,
    second_backward,
    written_in_place,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
def test_errors_and_warnings(program):
    assert shape_of(program, minitorch) == shape_of(program, real)


@like_pytorch
def test_metadata_of_a_node(torch):
    x = torch.ones(1, requires_grad=True)
    before = (x * 2).grad_fn
    with torch.autograd.set_detect_anomaly(True):
        inside = (x * 2).grad_fn
        (g,) = torch.autograd.grad(
            inside(torch.ones(1)) if False else (x * x).sum(), x, create_graph=True
        )
    trace = inside.metadata["traceback_"]
    parents = [k for k in g.grad_fn.metadata]
    return (
        before.metadata,
        list(inside.metadata),
        type(trace).__name__,
        "x * 2" in trace[-1],
        parents,
    )


@like_pytorch
def test_the_parent_is_the_node_that_ran(torch):
    x = torch.ones(1, requires_grad=True)
    with torch.autograd.set_detect_anomaly(True):
        y = x.exp()
        (g,) = torch.autograd.grad(y, x, create_graph=True)
        return g.grad_fn.metadata["parent_"].name(), g.grad_fn.metadata["parent_"] is y.grad_fn


@like_pytorch
def test_the_switches(torch):
    seen = []

    def note():
        seen.append((torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled()))

    note()
    with torch.autograd.set_detect_anomaly(True, check_nan=False):
        note()
        with torch.autograd.set_detect_anomaly(False):
            note()
        note()
        with torch.autograd.detect_anomaly():
            note()
        note()
    note()
    torch.autograd.set_detect_anomaly(True)
    note()
    torch.autograd.set_detect_anomaly(False)
    note()
    return seen


@pytest.mark.parametrize("mode", ["x", 1, None])
def test_the_switch_takes_a_bool(mode):
    @like_pytorch
    def program(torch):
        torch.autograd.set_detect_anomaly(mode)

    program()


@like_pytorch
def test_entering_warns(torch):
    with torch.autograd.detect_anomaly():
        pass


@like_pytorch
def test_anomaly_mode_and_hooks_on_saved_tensors(torch):
    x = torch.ones(1, requires_grad=True)
    with torch.autograd.set_detect_anomaly(True):
        with torch.autograd.graph.saved_tensors_hooks(lambda t: t.tolist(), torch.tensor):
            y = x.exp()
    y.backward()
    return x.grad, "traceback_" in y.grad_fn.metadata


@like_pytorch
def test_after_an_error_nothing_is_left_on(torch):
    try:
        with torch.autograd.set_detect_anomaly(True), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            failing(torch).apply(torch.ones(1, requires_grad=True)).backward()
    except ValueError:
        pass
    y = torch.ones(1, requires_grad=True) * 2
    return torch.is_anomaly_enabled(), y.grad_fn.metadata


# ---- what is ours


def test_notes_name_the_line_of_the_forward_pass():
    x = minitorch.ones(1, requires_grad=True)
    with minitorch.autograd.graph.record_origin():
        y = failing(minitorch).apply(x)  # the line
    with pytest.raises(ValueError) as caught:
        y.backward()
    notes = "\n".join(caught.value.__notes__)
    assert "FailingBackward" in notes
    assert "test_anomaly.py" in notes and "# the line" in notes


def test_origins_are_kept_inside_alone():
    x = minitorch.ones(1, requires_grad=True)
    with minitorch.autograd.graph.record_origin():
        inside = (x * 2).grad_fn
    assert "test_anomaly.py" in inside.metadata["origin_"]
    assert (x * 2).grad_fn.metadata == {}


def test_notes_name_the_line_of_a_tensor_written_in_place():
    x = minitorch.ones(1, requires_grad=True)
    with minitorch.autograd.graph.record_origin():
        y = x * 1
        z = y * y  # saves y
    y.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace") as caught:
        z.backward()
    assert "# saves y" in "\n".join(caught.value.__notes__)


def test_origins_as_a_switch():
    switch = minitorch.autograd.graph.record_origin()
    x = minitorch.ones(1, requires_grad=True)
    try:
        assert "origin_" in (x * 2).grad_fn.metadata
    finally:
        switch.remove()
    switch.remove()
    assert "origin_" not in (x * 2).grad_fn.metadata


def test_the_traceback_of_the_users_backward_is_kept():
    y = failing(minitorch).apply(minitorch.ones(1, requires_grad=True))
    with pytest.raises(ValueError) as caught:
        y.backward()
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert last.name == "backward" and last.filename.endswith("test_anomaly.py")
