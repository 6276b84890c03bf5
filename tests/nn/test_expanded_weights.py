"""`call_for_per_sample_grads`: parameters with a gradient for each sample, as PyTorch's."""

from importlib import import_module

import pytest

import minitorch
from tests.both import compare


def caller(torch):
    return import_module(f"{torch.__name__}.nn.utils._per_sample_grad").call_for_per_sample_grads


def helpers(torch):
    return import_module(f"{torch.__name__}.nn.utils._expanded_weights.expanded_weights_utils")


def expanded(torch):
    return import_module(f"{torch.__name__}.nn.utils._expanded_weights").ExpandedWeight


LAYERS = """
nn.Linear(2, 3), (4, 2), {}
nn.Linear(2, 3, bias=False), (4, 5, 2), {"loss_reduction": "mean"}
nn.Linear(2, 3), (4, 2), {"batch_size": 3}
nn.Linear(2, 3), (2,), {}
nn.Conv1d(2, 3, 2, padding=1), (4, 2, 5), {}
nn.Conv2d(2, 4, 2, padding="same", groups=2, dilation=2), (3, 2, 5, 4), {}
nn.Conv2d(2, 4, 2, padding_mode="circular", padding=1, stride=2), (3, 2, 5, 4), {}
nn.Conv3d(2, 2, 2, bias=False), (3, 2, 3, 4, 3), {}
nn.LayerNorm((4, 3)), (2, 4, 3), {}
nn.LayerNorm((2, 4, 3)), (2, 4, 3), {}
nn.GroupNorm(2, 4), (3, 4, 2), {}
nn.InstanceNorm1d(4, affine=True), (3, 4, 5), {}
nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2)), (3, 3), {}
nn.RNN(2, 3, batch_first=True), (3, 4, 2), {}
nn.LSTM(2, 3, 2, bidirectional=True), (4, 2, 2), {"batch_first": False}
nn.GRU(2, 3, batch_first=True, bias=False), (3, 4, 2), {}
nn.LSTM(2, 3), (4, 2, 2), {"batch_size": 3}
nn.BatchNorm1d(4), (3, 4), {}
nn.PReLU(), (3, 4), {}
nn.Linear(2, 3), (4, 2), {"batch_size": 0}
nn.Linear(2, 3), (4, 2), {"batch_size": "all"}
nn.Linear(2, 3), (4, 2), {"loss_reduction": "max"}
"""


def first_output(result):
    return result[0] if isinstance(result, tuple) else result


@pytest.mark.parametrize("case", LAYERS.strip().splitlines())
def test_a_layer(case):
    def program(torch):
        torch.manual_seed(0)
        module, shape, options = eval(case, {"nn": torch.nn})
        module = module.double()
        x = torch.randn(shape, dtype=torch.float64, requires_grad=True)
        first_output(caller(torch)(module, **options)(x)).pow(2).sum().backward()
        own = [(name, p.grad_sample.contiguous(), p.grad) for name, p in module.named_parameters()]
        return own, x.grad

    compare(program)


def test_an_embedding():
    def program(torch):
        torch.manual_seed(0)
        module = torch.nn.Embedding(4, 2, padding_idx=1)
        caller(torch)(module)(torch.tensor([[0, 1], [3, 3]])).sin().sum().backward()
        return module.weight.grad_sample

    compare(program)


def test_a_packed_sequence():
    def program(torch):
        torch.manual_seed(0)
        module = torch.nn.GRU(2, 3)
        packed = torch.nn.utils.rnn.pack_padded_sequence(
            torch.randn(4, 3, 2), [2, 4, 1], enforce_sorted=False
        )
        caller(torch)(module, batch_size=3)(packed)[0].data.pow(2).sum().backward()
        return [p.grad_sample for p in module.parameters()]

    compare(program)


def test_statistics_of_forward_are_kept():
    torch = minitorch
    module = torch.nn.InstanceNorm1d(2, affine=True, track_running_stats=True)
    x = torch.randn(3, 2, 4)
    caller(torch)(module)(x).sum().backward()
    before = module.running_mean.clone()
    again = torch.nn.InstanceNorm1d(2, affine=True, track_running_stats=True)
    again(x)
    assert torch.equal(before, again.running_mean)


def test_gradients_of_two_calls_are_added_and_a_third_is_refused():
    def program(torch):
        module = torch.nn.Linear(2, 1, bias=False)
        torch.nn.init.ones_(module.weight)
        call = caller(torch)(module)
        (call(torch.ones(2, 2)).sum() + call(torch.ones(2, 2)).sum()).backward()
        found = module.weight.grad_sample
        caller(torch)(module)
        return found

    compare(program)


MISTAKES = """
E(1, 2, "sum")
E(torch.ones(2), 2, "sum")
E(w, 2, "sum") + 1
F.linear(E(w, 2, "sum"), E(w, 2, "sum"))
F.linear(torch.ones(2, 2), E(w, 2, "sum"), E(b, 2, "mean"))
F.linear(torch.ones(2, 2), E(w, 2, "sum"), b).sum().backward()
F.linear(torch.ones(0, 2), E(w, 2, "sum"))
U.forward_helper(F.linear, (1, E(w, 2, "sum")), {})
U.forward_helper(F.linear, (torch.tensor(1.0), E(w, 2, "sum")), {})
U.forward_helper(F.linear, (torch.ones(3, 2), E(w, 2, "sum")), {})
U.unpack_expanded_weight_or_tensor(w)
U.sum_over_all_but_batch_and_last_n(torch.ones(2, 3, 4), 1)
E(w, 2, "sum").shape
call(3)
call(torch.nn.Linear(1, 1))("text")
call(torch.nn.Bilinear(2, 3, 4))(torch.ones(2, 2), torch.ones(3, 3))
"""


@pytest.mark.parametrize("expression", MISTAKES.strip().splitlines())
def test_an_expression_does_what_it_does_in_pytorch(expression):
    def program(torch):
        known = {"torch": torch, "F": torch.nn.functional, "E": expanded(torch)}
        known |= {"U": helpers(torch), "call": caller(torch)}
        known |= {"w": torch.ones(2, 2, requires_grad=True), "b": torch.ones(2, requires_grad=True)}
        return eval(expression, known)

    compare(program)


def test_dropout_between_layers_is_not_supported():
    module = minitorch.nn.GRU(2, 3, 2, dropout=0.5)
    with pytest.raises(NotImplementedError, match="with dropout"):
        caller(minitorch)(module, batch_first=False)(minitorch.ones(4, 2, 2))
