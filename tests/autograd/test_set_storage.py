"""`set_` while a history is recorded: the tensor looks at other memory, and has no derivative."""

import pytest

import minitorch
from tests.both import compare

pytestmark = pytest.mark.core


@pytest.mark.parametrize("recorded", [False, True])
@pytest.mark.parametrize(
    "arguments",
    [
        lambda torch, needs: (torch.zeros(2, requires_grad=needs),),
        lambda torch, needs: (torch.zeros(4).untyped_storage(),),
        lambda torch, needs: (torch.zeros(4).untyped_storage(), 1, (2,), (1,)),
        lambda torch, needs: (torch.zeros(4, requires_grad=needs), 1, (2,), (2,)),
        lambda torch, needs: (),
    ],
)
@pytest.mark.parametrize("needs", [False, True])
def test_a_result_looks_at_other_memory(recorded, arguments, needs):
    def program(torch):
        x = torch.ones(3, requires_grad=recorded) * 2
        x.set_(*arguments(torch, needs))
        if not x.requires_grad:
            return x.shape, x.stride(), x.grad_fn
        name, edges = x.grad_fn.name(), len(x.grad_fn.next_functions)
        with pytest.raises(RuntimeError) as caught:
            x.sum().backward()
        return x.shape, x.stride(), name.rpartition("::")[2], edges, str(caught.value)

    compare(program)


def test_a_leaf_is_refused_and_without_grad_mode_nothing_is_recorded():
    def program(torch):
        x, y = torch.ones(3, requires_grad=True), torch.ones(3, requires_grad=True) * 2
        with pytest.raises(RuntimeError) as caught:
            x.set_(torch.zeros(2))
        with torch.no_grad():
            x.set_(torch.zeros(2))
            y.set_(torch.zeros(2))
        x.sum().backward()
        return str(caught.value), x.grad, type(y.grad_fn).__name__

    compare(program)


def test_a_view_leaves_its_base():
    x = minitorch.ones(3, requires_grad=True)
    y = x * 2
    view = y[:2]
    view.set_(minitorch.zeros(4))
    assert view.shape == (4,) and y._version == 0
    with pytest.raises(RuntimeError, match="derivative for set_ is not implemented"):
        view.sum().backward()
    y.sum().backward()
    assert x.grad.tolist() == [2, 2, 2]
