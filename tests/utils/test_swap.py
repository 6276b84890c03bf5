"""`torch.utils.swap_tensors`, and the switches in ``torch.__future__`` that modules look at."""

import importlib
import weakref

import pytest

from tests.both import compare, like_pytorch


def _run(call):
    try:
        return call()
    except Exception as error:
        return type(error).__name__, str(error)


@like_pytorch
def test_data_classes_and_attributes_change_places(torch):
    class Sub(torch.Tensor):
        pass

    swap = torch.utils.swap_tensors
    a, b = torch.ones(2), torch.zeros(3, dtype=torch.float64).requires_grad_()
    a.note = 1
    swap(a, b)
    seen = [a.detach(), b, hasattr(a, "note"), b.note, a.requires_grad]
    c = torch.ones(2).as_subclass(Sub)
    swap(b, c)
    p, q = torch.nn.Parameter(torch.ones(1)), torch.zeros(1)
    swap(p, q)
    swap(p, p)
    return seen, [type(t).__name__ for t in (b, c, p, q)], c.note


@like_pytorch
def test_gradients_hooks_and_history_change_places(torch):
    swap = torch.utils.swap_tensors
    x, z = torch.ones(2, requires_grad=True), torch.zeros(2, requires_grad=True)
    (x * 3).sum().backward()
    swap(x, z)
    seen = [x.grad, z.grad + 0]
    (x * 5).sum().backward()
    h, k = torch.ones(2, requires_grad=True), torch.zeros(2, requires_grad=True)
    h.register_hook(lambda g: g * 10)
    swap(h, k)
    (h + k).sum().backward()
    n, m = torch.ones(2, requires_grad=True) * 2, torch.zeros(2)
    swap(n, m)
    return seen, x.grad, z.grad, h.grad, k.grad, n, m.grad_fn.name()


@like_pytorch
def test_what_is_refused(torch):
    class Slots(torch.Tensor):
        __slots__ = ["q"]

    swap = torch.utils.swap_tensors
    a, b = torch.ones(2), torch.zeros(2)
    reference = weakref.ref(a)
    return [
        _run(lambda: swap(a, b)),
        _run(lambda: swap(b, a)),
        reference() is a,
        _run(lambda: swap(torch.ones(1).as_subclass(Slots), torch.ones(1))),
        _run(lambda: swap(3, b)),
    ]


def test_a_graph_of_before_is_refused():
    import minitorch as torch

    x = torch.ones(2, requires_grad=True)
    y = (x * 2).sum()
    torch.utils.swap_tensors(x, torch.zeros(2))
    with pytest.raises(RuntimeError, match="poisoned by swap_tensors"):
        y.backward()
    assert x.tolist() == [0, 0] and x.grad is None


@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize("overwrite", [False, True])
def test_conversions_and_loading(swap, overwrite):
    def program(torch):
        future = importlib.import_module(f"{torch.__name__}.__future__")
        future.set_swap_module_params_on_conversion(swap)
        future.set_overwrite_module_params_on_conversion(overwrite)
        try:
            seen = []
            m = torch.nn.Linear(2, 2)
            w = m.weight
            m(torch.ones(1, 2)).sum().backward()
            g = w.grad
            m.double()
            same = [m.weight is w, m.weight.grad is g, str(w.dtype), str(g.dtype)]
            seen.append([*same, type(m.weight).__name__, m.weight._version])
            m.bias.requires_grad_(False)
            m.half()
            seen.append([m.weight.requires_grad, m.bias.requires_grad, str(m.weight.dtype)])
            state = {"weight": torch.ones(2, 2), "bias": torch.zeros(2)}
            for assign in (False, True):
                m = torch.nn.Linear(2, 2)
                w = m.weight
                m.load_state_dict(state, assign=assign)
                seen.append([m.weight is w, m.weight + 0, type(m.weight).__name__])
                seen.append(m.weight.data_ptr() == state["weight"].data_ptr())
            return seen
        finally:
            future.set_swap_module_params_on_conversion(False)
            future.set_overwrite_module_params_on_conversion(False)

    compare(program)


@like_pytorch
def test_module_load(torch):
    class Loads(torch.Tensor):
        def module_load(self, other, assign=False):
            return other.detach().clone() * 3

    future = importlib.import_module(f"{torch.__name__}.__future__")
    future.set_swap_module_params_on_conversion(True)
    try:
        m = torch.nn.Linear(1, 1)
        m.weight = torch.nn.Parameter(torch.ones(1, 1).as_subclass(Loads))
        m.load_state_dict({"weight": torch.ones(1, 1), "bias": torch.ones(1)})
    finally:
        future.set_swap_module_params_on_conversion(False)
    x = torch.ones(2)
    return m.weight + 0, type(m.weight).__name__, x.module_load(torch.zeros(2)), x
