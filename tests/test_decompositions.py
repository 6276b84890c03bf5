"""`torch._decomp`: each decomposition computes its operator, and programs register their own."""

import importlib

import pytest

import minitorch as torch
from minitorch._decomp import (
    core_aten_decompositions,
    decomposition_table,
    get_decompositions,
    remove_decompositions,
)
from minitorch.fx.experimental.proxy_tensor import make_fx
from tests.both import like_pytorch

aten = torch.ops.aten


def inputs(overload):
    """Arguments of an operator with a decomposition."""
    torch.manual_seed(0)
    x, y, z = torch.randn(3, 3), torch.randn(3, 3), torch.rand(3, 3)
    batch = torch.randn(2, 3, 3)
    special = {
        aten.baddbmm.default: (batch, batch + 1, batch - 1),
        aten.addmv.default: (torch.randn(3), x, torch.randn(3)),
        aten.lerp.Scalar: (x, y, 0.3),
        aten.rsub.Scalar: (x, 2.0),
        aten.threshold_backward.default: (x, y, 0.1),
        aten.mse_loss_backward.default: (torch.tensor(2.0), x, y, 1),
        aten._softmax.default: (x, 1, False),
        aten._log_softmax.default: (x, 0, False),
        aten._softmax_backward_data.default: (x, z, 1, torch.float32),
        aten._log_softmax_backward_data.default: (x, z, 0, torch.float32),
    }
    if overload in special:
        return special[overload]
    tensors = [a for a in overload._schema.arguments if a.kind == "Tensor"]
    return (x, y, z)[: len(tensors)]


@pytest.mark.parametrize("overload", list(decomposition_table), ids=str)
def test_a_decomposition_computes_its_operator(overload):
    args = inputs(overload)
    torch.testing.assert_close(decomposition_table[overload](*args), overload(*args))


@pytest.mark.parametrize("approximate", ["none", "tanh"])
def test_both_forms_of_gelu(approximate):
    x = torch.linspace(-3, 3, 7)
    found = decomposition_table[aten.gelu.default](x, approximate)
    torch.testing.assert_close(found, aten.gelu(x, approximate=approximate))


@pytest.mark.parametrize("reduction", [0, 1, 2])
def test_losses_are_reduced(reduction):
    x, y = torch.linspace(-3, 3, 7), torch.zeros(7)
    for overload in (aten.mse_loss.default, aten.huber_loss.default):
        torch.testing.assert_close(
            decomposition_table[overload](x, y, reduction), overload(x, y, reduction)
        )


def test_a_trace_has_the_operators_of_a_decomposition():
    table = get_decompositions([aten.silu])
    traced = make_fx(lambda x: aten.silu(x), decomposition_table=table)(torch.ones(2))
    called = [str(node.target) for node in traced.graph.nodes if node.op == "call_function"]
    assert called == ["aten.sigmoid.default", "aten.mul.Tensor"]


def test_decompositions_are_taken_out_of_a_table():
    table = core_aten_decompositions()
    remove_decompositions(table, [aten.lerp, aten.sin.default])
    assert aten.lerp.Tensor in decomposition_table
    assert aten.lerp.Tensor not in table


def module(torch):
    return importlib.import_module(f"{torch.__name__}._decomp")


@like_pytorch
def test_a_function_is_registered_for_all_overloads_of_an_operator(torch):
    table = {}

    @module(torch).register_decomposition(
        [torch.ops.aten.square, torch.ops.aten.relu.default], table
    )
    def function(x):
        return x

    return sorted(str(overload) for overload in table), table[torch.ops.aten.square.out] is function


@like_pytorch
def test_a_second_decomposition_is_refused(torch):
    register = module(torch).register_decomposition
    table = {}
    register(torch.ops.aten.sin.default, table)(lambda x: x)
    register(torch.ops.aten.sin.default, table)(lambda x: x)


@like_pytorch
def test_a_table_that_is_none(torch):
    module(torch).get_decompositions([torch.ops.aten.sin], type="none")


@like_pytorch
def test_what_is_no_operator(torch):
    module(torch).register_decomposition(3, {})(lambda x: x)
