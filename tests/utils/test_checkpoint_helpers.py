"""checkpoint_sequential and the smaller names of torch.utils.checkpoint against PyTorch's."""

import inspect
import warnings

import pytest

import minitorch
from tests.both import compare, real
from tests.utils.checkpoints import KINDS, checkpoints_of, gradients, network, numbers


@pytest.mark.parametrize(
    "name",
    [
        "checkpoint",
        "checkpoint_sequential",
        "create_selective_checkpoint_contexts",
        "detach_variable",
        "check_backward_validity",
        "get_device_states",
        "set_device_states",
        "noop_context_fn",
        "set_checkpoint_debug_enabled",
        "set_checkpoint_early_stop",
        "SelectiveCheckpointContext",
        "GraphExecGroup",
        "CheckpointPolicy",
    ],
)
def test_signatures_are_pytorchs(name):
    theirs, ours = (inspect.signature(getattr(checkpoints_of(t), name)) for t in (real, minitorch))
    shown = [
        [(p.name, p.kind, getattr(p.default, "__name__", p.default)) for p in s.parameters.values()]
        for s in (theirs, ours)
    ]
    assert shown[1] == shown[0]


def test_the_public_names_are_pytorchs():
    assert sorted(checkpoints_of(minitorch).__all__) == sorted(checkpoints_of(real).__all__)


# ---- checkpoint_sequential


@pytest.mark.parametrize("reentrant", (*KINDS, None))
@pytest.mark.parametrize("segments", (1, 2, 3, 6, 7, 0, -1, 2.0, "2"))
@pytest.mark.parametrize("as_list", (True, False))
def test_sequential(segments, reentrant, as_list):
    def program(torch):
        model = network(torch)
        x = numbers(torch, 5, 4)
        torch.manual_seed(2)
        functions = list(model) if as_list else model
        out = checkpoints_of(torch).checkpoint_sequential(
            functions, segments, x, use_reentrant=reentrant
        )
        out.sum().backward()
        return out, x.grad, gradients(model)

    compare(program)


@pytest.mark.parametrize(
    "call",
    [
        "checkpoint_sequential([], 1, x, use_reentrant=False)",
        "checkpoint_sequential([torch.sin], 1, x, foo=1)",
        "checkpoint_sequential([torch.sin], 1, x, use_reentrant=True, foo=1, bar=2)",
        "checkpoint_sequential([torch.sin, torch.cos], 2, x, True, preserve_rng_state=False)",
        "checkpoint_sequential([torch.sin, torch.cos], 2, x, False, preserve_rng_state=False)",
        "checkpoint_sequential(3, 2, x, False)",
        "checkpoint_sequential([3, 4], 2, x, False)",
        "checkpoint_sequential([torch.sin])",
    ],
)
def test_sequential_arguments(call):
    compare(lambda torch: eval(call, {**vars(checkpoints_of(torch)), "torch": torch,
                                      "x": numbers(torch, 3)}))  # fmt: skip


# ---- the rest


@pytest.mark.parametrize(
    "call",
    [
        "get_device_states()",
        "get_device_states(x, 3, [x])",
        "set_device_states([], [])",
        "set_device_states([0], [x], device_type='meta')",
        "set_device_states([0], [x])",
        "detach_variable([x])",
        "detach_variable(x)",
        "detach_variable((x, 3, None, torch.ones(1), torch.arange(2)))",
        "[t.is_leaf for t in detach_variable((x * 2, torch.ones(1)))]",
        "check_backward_validity([x])",
        "check_backward_validity([3, x.detach()])",
        "check_backward_validity(())",
        "DefaultDeviceType.get_device_type()",
        "[policy.name for policy in CheckpointPolicy]",
        "[policy.value for policy in CheckpointPolicy]",
        "vars(SelectiveCheckpointContext(is_recompute=True, op_output=4))",
        "vars(SelectiveCheckpointContext(is_recompute=False))",
        "SelectiveCheckpointContext()",
        "create_selective_checkpoint_contexts(3)",
        "create_selective_checkpoint_contexts([3])",
        "[type(c).__name__ for c in noop_context_fn()]",
        "CheckpointFunction.apply(torch.sin, True, x)",
        "CheckpointFunction.apply(torch.sin, False, x)",
    ],
)
def test_helpers(call):
    compare(lambda torch: eval(call, {**vars(checkpoints_of(torch)), "torch": torch,
                                      "x": numbers(torch, 3)}))  # fmt: skip


def test_the_default_type_of_device_can_be_set():
    def program(torch):
        kind = checkpoints_of(torch).DefaultDeviceType
        before = kind.get_device_type()
        kind.set_device_type()
        try:
            return before, kind.get_device_type()
        finally:
            kind.set_device_type(before)

    compare(program)


def test_warnings_point_to_the_caller():
    module = minitorch.utils.checkpoint
    x = minitorch.ones(2, requires_grad=True)
    for call in (
        lambda: module.checkpoint(minitorch.sin, x),
        lambda: module.checkpoint_sequential([minitorch.sin], 1, x),
        lambda: module.check_backward_validity([]),
    ):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            call()
        assert [w.filename for w in caught] == [__file__]
