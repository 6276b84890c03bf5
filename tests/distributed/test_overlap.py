"""Buckets are reduced while backward is running, as its trace shows."""

import pytest

import minitorch
from tests.distributed.ranks import needs_mpi, run, written

LAYERS = 6


@pytest.fixture(scope="module")
def traces(tmp_path_factory):
    """The names of the applied nodes and the notes of a backward pass, of each rank."""
    folder = tmp_path_factory.mktemp("traces")
    run("overlap.py", 2, folder)
    return [[text for _, text, _ in written(folder, f"{rank}.json")] for rank in range(2)]


@needs_mpi
def test_each_bucket_starts_as_soon_as_its_layer_is_done(traces):
    for trace in traces:
        trace = [text for text in trace if not text.endswith("is reduced")]
        assert [text for text in trace if text.endswith("starts")] == [
            f"bucket {k} starts" for k in range(LAYERS)
        ]
        for k in range(LAYERS):
            start = trace.index(f"bucket {k} starts")
            assert trace[start - 1] == f"AccumulateGrad of {LAYERS - 1 - k}.weight"
            if k < LAYERS - 1:
                assert trace[start + 1].startswith("AddmmBackward0")


@needs_mpi
def test_reductions_end_between_the_nodes_of_the_pass(traces):
    def of_first_bucket(trace):
        assert sorted(text for text in trace if text.endswith("is reduced")) == [
            f"bucket {k} is reduced" for k in range(LAYERS)
        ]
        last_node = max(k for k, text in enumerate(trace) if text.startswith("AccumulateGrad"))
        return trace.index("bucket 0 is reduced") < last_node

    # a rank that is far ahead waits for the other one at the end, and the other one for none
    assert any([of_first_bucket(trace) for trace in traces])


def test_a_note_is_an_event_of_a_trace():
    from minitorch.autograd.events import note

    x = minitorch.ones(2, requires_grad=True)
    x.register_post_accumulate_grad_hook(lambda leaf: note("the gradient is there", leaf.grad))
    note("nobody watches")
    with minitorch.autograd.trace({"x": x}) as steps:
        (x * 2).sum().backward()
        note("at the end")
    first, last = steps.of("note")
    assert (first.detail, [str(g) for g in first.gradients]) == (
        "the gradient is there",
        ["float32[2]"],
    )
    assert str(first).endswith("note        the gradient is there: float32[2]")
    assert (last.detail, last.gradients, last.task, last.node) == ("at the end", (), None, None)
    sentences = [e["sentence"] for e in steps.recording()["events"] if e["kind"] == "note"]
    assert sentences == ["The gradient is there, with float32[2].", "At the end."]
