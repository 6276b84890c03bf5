"""`GradScaler` and the two operators behind it."""

import pytest

from tests.both import compare
from tests.expressions import check, lines

LINES = lines(
    r"""
torch._amp_foreach_non_finite_check_and_unscale_([x], torch.zeros(2), torch.ones(1))
torch._amp_foreach_non_finite_check_and_unscale_([x], torch.zeros(1), torch.ones(1).double())
torch._amp_foreach_non_finite_check_and_unscale_([torch.ones(2).long()], torch.zeros(1), torch.ones(1))
torch._amp_foreach_non_finite_check_and_unscale_(torch.ones(2), torch.zeros(1), torch.ones(1))
torch._amp_update_scale_(torch.ones(1), torch.zeros(1), torch.zeros(1), 2.0, 0.5, 2)
torch._amp_update_scale_(torch.ones(2), torch.zeros(1).int(), torch.zeros(1), 2.0, 0.5, 2)
torch._amp_update_scale_(torch.ones(1), torch.zeros(1).int(), torch.ones(1), 2.0, 0.5, 2)
torch._amp_update_scale_(torch.full((1,), 3e38), torch.ones(1).int(), torch.zeros(1), 2.0, 0.5, 2)
    """
)


@pytest.mark.parametrize("line", LINES)
def test_operator_is_pytorchs(line):
    check(line)


def test_gradients_are_unscaled_and_looked_at():
    def program(torch):
        found, gradients = torch.zeros(1), [torch.full((2,), 4.0), torch.full((2, 2), 8.0).t()]
        torch._amp_foreach_non_finite_check_and_unscale_(gradients, found, torch.full((1,), 0.25))
        before = found.item()
        gradients[1][0, 0] = float("nan")
        torch._amp_foreach_non_finite_check_and_unscale_(gradients, found, torch.ones(1))
        return gradients[0], before, found

    compare(program)


def _scaled(torch, optimizer_class, **options):
    w = torch.ones(2, requires_grad=True)
    optimizer = optimizer_class([w], lr=0.5)
    scaler = torch.amp.GradScaler("cpu", **options)
    scaler.scale((w * w).sum()).backward()
    return w, optimizer, scaler


def test_the_scaler_keeps_its_counts_in_tensors():
    def program(torch):
        w, optimizer, scaler = _scaled(torch, torch.optim.SGD, growth_interval=2)
        scaler.unscale_(optimizer)
        found = list(scaler._found_inf_per_device(optimizer).values())
        scaler.step(optimizer)
        scaler.update()
        tracked = scaler._growth_tracker.clone()
        scaler.update(torch.tensor(3.0))
        return found, tracked, scaler._scale, scaler.state_dict(), w

    compare(program)


@pytest.mark.parametrize("new_scale", ["torch.ones(2)", "torch.ones(1, requires_grad=True)"])
def test_a_factor_must_be_one_number(new_scale):
    def program(torch):
        _scaled(torch, torch.optim.SGD)[2].update(eval(new_scale))

    compare(program)


@pytest.mark.parametrize("unscale", [False, True])
@pytest.mark.parametrize("keyword", [False, True])
def test_an_optimizer_that_unscales_gets_scale_and_found_inf(keyword, unscale):
    def program(torch):
        seen = []

        class ByKeyword(torch.optim.SGD):
            _step_supports_amp_scaling = True

            def step(self, closure=None, *, grad_scaler=None):
                seen.append(grad_scaler.get_scale())

        class ByAttributes(torch.optim.SGD):
            _step_supports_amp_scaling = True

            def step(self, closure=None):
                seen.extend([self.grad_scale, self.found_inf])

        w, optimizer, scaler = _scaled(torch, ByKeyword if keyword else ByAttributes)
        if unscale:
            scaler.unscale_(optimizer)
        scaler.step(optimizer)
        return seen, w.grad, hasattr(optimizer, "grad_scale")

    compare(program)
