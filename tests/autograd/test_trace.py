"""`trace`: every event of a backward pass, in order; and as text."""

import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import minitorch as torch
from minitorch.autograd.events import note
from minitorch.autograd.observe.tracing import KINDS

ROOT = Path(__file__).resolve().parents[2]


class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 2

    @staticmethod
    def backward(ctx, gradient):
        return gradient * 2


def leaves():
    w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    b = torch.tensor(2.0, requires_grad=True)
    return w, b


def traced():
    w, b = leaves()
    with torch.autograd.trace({"w": w, "b": b}) as steps:
        h = w * b
        (h * h).sum().backward()
    return steps, w, b


def about(steps, *kinds):
    return [(e.kind, e.node.name) for e in steps if not kinds or e.kind in kinds]


class TestEvents:
    def test_a_leaf_through_one_node(self):
        x = torch.tensor(2.0, requires_grad=True)
        with torch.autograd.trace() as steps:
            (x * x).backward()
        mul, sink = "MulBackward0", "AccumulateGrad"
        assert about(steps) == [
            ("root", mul),
            ("dependency", mul),
            ("dependency", sink),
            ("dependency", sink),
            ("buffer", mul),
            ("push", mul),
            ("pop", mul),
            ("apply", mul),
            ("validate", sink),
            ("validate", sink),
            ("free", mul),
            ("buffer", sink),
            ("buffer", sink),
            ("push", sink),
            ("pop", sink),
            ("apply", sink),
            ("accumulate", sink),
        ]
        assert [e.number for e in steps] == list(range(1, len(steps) + 1))

    def test_dependencies_count_up_along_named_edges(self):
        steps, _, _ = traced()
        counted = [
            (e.source and e.source.name, e.edge, e.node.name, e.count)
            for e in steps.of("dependency")
        ]
        assert counted == [
            (None, None, "SumBackward0", 1),
            ("SumBackward0", 0, "MulBackward0", 1),
            ("MulBackward0", 0, "MulBackward0", 1),
            ("MulBackward0", 1, "MulBackward0", 2),
            ("MulBackward0", 0, "AccumulateGrad", 1),
            ("MulBackward0", 1, "AccumulateGrad", 1),
        ]

    def test_every_node_is_pushed_popped_and_applied_once_in_this_order(self):
        steps, _, _ = traced()
        for node in steps.nodes:
            kinds = [e.kind for e in steps if e.node is node]
            assert [k for k in kinds if k in ("push", "pop", "apply")] == ["push", "pop", "apply"]

    def test_the_newest_ready_node_is_popped_first(self):
        steps, _, _ = traced()
        numbers = [e.node.sequence_nr for e in steps.of("pop")]
        assert numbers[:3] == sorted(numbers[:3], reverse=True)
        assert numbers[3:] == [None, None]

    def test_the_queue_is_counted(self):
        steps, _, _ = traced()
        size = 0
        for event in steps.of("push", "pop"):
            size += 1 if event.kind == "push" else -1
            assert event.count == size
        assert size == 0

    def test_gradients_have_shape_and_dtype_before_and_after_validation(self):
        steps, _, _ = traced()
        to_b = steps.of("validate")[-1]
        assert to_b.node.label == "b"
        assert [(g.shape, g.dtype) for g in to_b.gradients] == [
            ((3,), torch.float32),
            ((), torch.float32),
        ]

    def test_a_cast_is_recorded(self):
        x = torch.ones(2, dtype=torch.float64, requires_grad=True)
        with torch.autograd.trace() as steps:
            y = x * 2
            y.backward(torch.ones(2, dtype=torch.float32))
        assert steps.of("root")[0].gradients[0].dtype is torch.float64

    def test_gradients_that_meet(self):
        steps, _, _ = traced()
        product = steps.of("apply")[2].node
        details = [e.detail for e in steps.of("buffer") if e.node is product]
        assert details == ["first", "added"]

    @pytest.mark.parametrize("create_graph", [False, True])
    def test_what_becomes_of_grad(self, create_graph):
        x = torch.ones(2, requires_grad=True)
        with torch.autograd.trace() as steps:
            (x * 2).sum().backward(create_graph=create_graph)
            (x * 2).sum().backward(create_graph=create_graph)
            x.grad = None
            x.backward(torch.ones(2))
        details = [e.detail for e in steps.of("accumulate")]
        assert details == (
            ["copied", "added", "copied"] if create_graph else ["taken", "added in place", "copied"]
        )

    def test_tracing_changes_nothing_about_stealing(self):
        x = torch.ones(200, requires_grad=True)
        y = (x * 2).tanh() * 3
        with torch.autograd.trace() as steps:
            (y + y).sum().backward()
        assert [e.detail for e in steps.of("accumulate")] == ["taken"]

    def test_saved_tensors_are_let_go_unless_the_graph_is_kept(self):
        w, b = leaves()
        with torch.autograd.trace() as steps:
            y = w * b
            y.sum().backward(retain_graph=True)
            assert steps.of("free") == []
            y.sum().backward()
        ((names, shapes),) = [(e.detail, [g.shape for g in e.gradients]) for e in steps.of("free")]
        assert (names, shapes) == ("other, self", [(), (3,)])

    def test_a_packed_tensor_is_let_go_without_being_unpacked(self):
        unpacked = []
        x = torch.ones(2, requires_grad=True)
        with torch.autograd.graph.saved_tensors_hooks(
            lambda t: t.tolist(), lambda v: unpacked.append(v) or torch.tensor(v)
        ):
            y = x.exp()
        with torch.autograd.trace() as steps:
            y.sum().backward()
        (event,) = steps.of("free")
        assert (event.detail, event.gradients) == ("result", (None,))
        assert len(unpacked) == 1

    def test_hooks_are_recorded_with_their_place(self):
        def watch(*gradients):
            return None

        x = torch.ones(2, requires_grad=True)
        y = x * 3
        y.retain_grad()
        y.register_hook(watch)
        y.grad_fn.register_prehook(watch)
        y.grad_fn.register_hook(watch)
        x.register_hook(watch)
        x.register_post_accumulate_grad_hook(watch)
        with torch.autograd.trace() as steps:
            y.sum().backward()
        places = [e.detail.split(" ")[0] for e in steps.of("hook")]
        assert places == [
            "tensor_pre_hook",
            "retain_grad",
            "pre_hook",
            "post_hook",
            "tensor_pre_hook",
            "post_accumulate_grad_hook",
        ]
        assert steps.of("hook")[0].detail.endswith("watch")
        assert [g.shape for g in steps.of("hook")[2].gradients] == [(2,)]

    def test_only_what_leads_to_the_inputs_runs(self):
        w, b = leaves()
        y = (w * b).sum() + (w * w).sum()
        with torch.autograd.trace({"w": w, "b": b}) as steps:
            torch.autograd.grad(y, b)
        assert [(e.node.label, e.count) for e in steps.of("capture")] == [("b", 0)]
        assert about(steps, "skip") == [("skip", "AccumulateGrad")]
        assert [name for _, name in about(steps, "apply")] == [
            "AddBackward0",
            "SumBackward0",
            "MulBackward0",
        ]
        assert "accumulate" not in {e.kind for e in steps}

    def test_a_node_with_several_outputs(self):
        x = torch.ones(6, requires_grad=True)
        a, b = x.split(3)
        with torch.autograd.trace() as steps:
            b.sum().backward()
        assert [e.output_nr for e in steps.of("buffer") if e.node.name == "SplitBackward0"] == [1]
        (split,) = [e for e in steps.of("apply") if e.node.name == "SplitBackward0"]
        assert split.gradients[0] is None
        assert split.gradients[1].shape == (3,)

    def test_a_function_of_the_user(self):
        x = torch.ones(2, requires_grad=True)
        with torch.autograd.trace() as steps:
            Twice.apply(x).sum().backward()
        node = next(n for n in steps.nodes if n.name == "TwiceBackward")
        assert node.kind == "function"
        assert "apply" in [e.kind for e in steps if e.node is node]
        (free,) = steps.of("free")
        assert (free.node, free.detail) == (node, "saved_tensors[0]")

    def test_a_node_keeps_its_identity_over_two_passes(self):
        x = torch.ones(2, requires_grad=True)
        y = (x * x).sum()
        with torch.autograd.trace() as steps:
            y.backward(retain_graph=True)
            y.backward()
        assert len(steps.nodes) == 3
        assert len({e.task for e in steps}) == 2

    def test_a_backward_inside_a_backward_has_a_number_of_its_own(self):
        x = torch.ones(2, requires_grad=True)
        inner = torch.ones(1, requires_grad=True)
        y = x * 2

        def run_another(gradient):
            with torch.enable_grad():
                (inner * 3).backward()

        y.register_hook(run_another)
        with torch.autograd.trace() as steps:
            y.sum().backward()
        tasks = [e.task for e in steps.of("root")]
        assert len(set(tasks)) == 2
        assert steps[-1].task == tasks[0]

    def test_a_pass_on_nodes_that_another_pass_holds(self):
        x = torch.ones(2, requires_grad=True)
        y = (x * 2).sum()
        again = []

        def reenter(gradient):
            if not again:
                again.append(True)
                y.backward(retain_graph=True)

        x.register_hook(reenter)
        with torch.autograd.trace() as steps:
            y.backward(retain_graph=True)
        counts = [(e.node.name, e.count) for e in steps.of("dependency")]
        assert counts[:3] == counts[3:]
        assert [e.detail for e in steps.of("buffer")] == ["first"] * 6
        assert len(steps.nodes) == 3
        assert x.grad.tolist() == [4.0, 4.0]

    def test_every_thread_is_recorded(self):
        x = torch.ones(2, requires_grad=True)
        with torch.autograd.trace() as steps:
            thread = threading.Thread(target=lambda: (x * 2).sum().backward())
            thread.start()
            thread.join()
        assert ("accumulate", "AccumulateGrad") in about(steps)

    def test_what_ends_with_an_error_is_recorded_up_to_it(self):
        x = torch.ones(2, requires_grad=True)
        y = (x * x).sum()
        y.backward()
        with torch.autograd.trace() as steps, pytest.raises(RuntimeError, match="second time"):
            y.backward()
        assert (steps[-1].kind, steps[-1].node.name) == ("apply", "MulBackward0")

    def test_every_kind_has_been_seen(self):
        w, b = leaves()
        with torch.autograd.trace() as steps:
            h = w * b
            h.retain_grad()
            h.sum().backward()
            torch.autograd.grad((w * b).sum(), b)
            note("done")
        assert {e.kind for e in steps} == set(KINDS)


class TestContext:
    def test_nothing_is_recorded_before_and_after(self):
        x = torch.ones(2, requires_grad=True)
        (x * 2).sum().backward()
        with torch.autograd.trace() as steps:
            pass
        (x * 2).sum().backward()
        assert len(steps) == 0
        assert not any(steps)

    def test_traces_inside_each_other_each_record(self):
        x = torch.ones(2, requires_grad=True)
        with torch.autograd.trace() as outer:
            with torch.autograd.trace() as inner:
                (x * 2).sum().backward()
            (x * 2).sum().backward()
        assert len(outer) == 2 * len(inner)

    def test_a_trace_that_is_open_cannot_be_opened(self):
        with torch.autograd.trace() as steps:
            with pytest.raises(RuntimeError, match="open already"):
                steps.__enter__()

    def test_a_trace_can_be_entered_again(self):
        x = torch.ones(2, requires_grad=True)
        steps = torch.autograd.trace()
        for _ in range(2):
            with steps:
                (x * 2).sum().backward()
        assert len(steps.of("root")) == 2
        assert steps[-1].number == len(steps)

    def test_it_is_closed_by_an_exception(self):
        x = torch.ones(2, requires_grad=True)
        with pytest.raises(KeyError):
            with torch.autograd.trace() as steps:
                raise KeyError
        (x * 2).sum().backward()
        assert len(steps) == 0

    def test_nodes_are_let_go_at_the_end(self):
        import weakref

        x = torch.ones(2, requires_grad=True)
        with torch.autograd.trace():
            y = Twice.apply(x)
            context = y.grad_fn
            marker = type("Marker", (), {})()
            context.marker = marker
            there = weakref.ref(marker)
            y.sum().backward()
            del y, context, marker
            assert there() is not None
        import gc

        gc.collect()
        assert there() is None

    def test_the_line_of_the_forward_call(self):
        x = torch.ones(2, requires_grad=True)
        with torch.autograd.trace() as steps:
            y = x * 2  # the line
            y.sum().backward()
        node = next(n for n in steps.nodes if n.name == "MulBackward0")
        assert node.origin.endswith("y = x * 2  # the line")
        assert f"recorded at {node.origin}" in str(steps)

    def test_no_line_when_it_is_not_wanted_or_not_known(self):
        x = torch.ones(2, requires_grad=True)
        before = x * 2
        with torch.autograd.trace() as steps:
            before.sum().backward()
        node = next(n for n in steps.nodes if n.name == "MulBackward0")
        assert node.origin is None
        with torch.autograd.trace(origin=False) as steps:
            y = x * 2
            y.sum().backward()
        assert {n.origin for n in steps.nodes} == {None}
        assert y.grad_fn.metadata == {}

    def test_what_record_origin_noted_is_seen(self):
        x = torch.ones(2, requires_grad=True)
        with torch.autograd.graph.record_origin():
            y = x * 2
        with torch.autograd.trace(origin=False) as steps:
            y.sum().backward()
        node = next(n for n in steps.nodes if n.name == "MulBackward0")
        assert "y = x * 2" in node.origin

    def test_names_of_tensors_that_are_no_leaves(self):
        w, b = leaves()
        h = w * b
        with torch.autograd.trace([("h", h)]) as steps:
            h.sum().backward()
        assert {n.label for n in steps.nodes} == {None, "h"}

    def test_an_unknown_kind(self):
        with pytest.raises(ValueError, match="no kind of event is called 'poped'"):
            torch.autograd.trace().of("poped")


class TestText:
    def test_a_line_for_each_event(self):
        steps, _, _ = traced()
        text = str(steps)
        for event in steps:
            assert re.search(rf"^ *{event.number}  {event.kind} ", text, re.MULTILINE)
        assert "AccumulateGrad of b float32[3]: becomes float32[]" in text
        assert "frees other float32[], self float32[3]" in text

    def test_repr_is_short(self):
        steps, _, _ = traced()
        assert repr(steps) == f"<trace of {len(steps)} events at 5 nodes>"


def test_python_engines_are_traced_too():
    # the steps lent by engine_steps tell what they do
    from minitorch.autograd.engine_steps import call_function

    x = torch.ones(2, requires_grad=True)
    y = x * 2
    with torch.autograd.trace() as steps, torch.no_grad():
        call_function(y.grad_fn, [torch.ones(2)], False)
    assert [e.kind for e in steps] == ["apply", "validate"]
    assert {e.task for e in steps} == {None}


def test_nothing_is_left_on_after_the_import():
    code = (
        "import minitorch as torch\n"
        "with torch.autograd.trace(): pass\n"
        "x = torch.ones(1, requires_grad=True); y = x * 2\n"
        "assert y.grad_fn.metadata == {}\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
