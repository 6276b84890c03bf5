"""Views, versions, writing in place: values, histories and errors; PyTorch is the oracle."""

import pytest

import minitorch
from tests.both import compare, like_pytorch

pytestmark = pytest.mark.core


def recorded(torch):
    x = torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], requires_grad=True)
    return x, x * 1


@like_pytorch
def test_inplace_on_a_result(torch):
    x, y = recorded(torch)
    y.mul_(2).add_(1)
    (y * y).sum().backward()
    return x.grad, y._version, type(y.grad_fn).__name__


@like_pytorch
def test_inplace_on_a_view_changes_the_base(torch):
    x, y = recorded(torch)
    y[1:3].mul_(10)
    (y * y).sum().backward()
    return x.grad, type(y.grad_fn).__name__


@like_pytorch
def test_the_view_sees_the_new_history(torch):
    x, y = recorded(torch)
    v = y[1:3]
    v.mul_(10)
    v.sum().backward()
    return x.grad


@like_pytorch
def test_another_view_sees_the_new_history(torch):
    x, y = recorded(torch)
    v, w = y[1:3], y[2:5]
    v.mul_(10)
    names = type(w.grad_fn).__name__
    w.sum().backward()
    return x.grad, names


@like_pytorch
def test_inplace_on_the_base_changes_the_view(torch):
    x, y = recorded(torch)
    v = y.view(2, 3)
    y.mul_(3)
    v.sum().backward()
    return x.grad, type(v.grad_fn).__name__


@like_pytorch
def test_inplace_with_another_leaf(torch):
    x, y = recorded(torch)
    w = torch.tensor([2.0, 3.0], requires_grad=True)
    y[1:3].mul_(w)
    (y * y).sum().backward()
    return x.grad, w.grad


@like_pytorch
def test_view_of_a_tensor_without_grad_joins_the_graph(torch):
    base = torch.zeros(4)
    w = torch.tensor([2.0, 3.0], requires_grad=True)
    base[1:3].add_(w)
    (base * base).sum().backward()
    return w.grad, base.requires_grad, type(base.grad_fn).__name__


@like_pytorch
def test_copy_into_a_slice(torch):
    x, y = recorded(torch)
    w = torch.tensor([2.0, 3.0], requires_grad=True)
    y[0:2].copy_(w)
    (y * y).sum().backward()
    return x.grad, w.grad


@like_pytorch
def test_double_backward_through_copy_slices(torch):
    x, y = recorded(torch)
    y[1:3].mul_(x[0:2])
    (g,) = torch.autograd.grad((y * y * y).sum(), x, create_graph=True)
    (g2,) = torch.autograd.grad(g.sum(), x)
    return g, g2


@like_pytorch
def test_transposed_view_written_in_place(torch):
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    y = x * 1
    y.t()[0].mul_(5)
    (y * y).sum().backward()
    return x.grad


@like_pytorch
def test_versions_are_shared_by_views_and_detach(torch):
    x = torch.zeros(4)
    v, d, data = x[1:], x.detach(), x.data
    v.add_(1)
    d.add_(1)
    data.add_(1)
    return x._version, v._version, d._version, data._version, x


@like_pytorch
def test_base_and_is_view(torch):
    x = torch.zeros(2, 3)
    v = x.view(3, 2)
    w = v[0]
    return v._is_view(), w._base is x, x._base, x.detach()._is_view(), (x + 1)._is_view()


@like_pytorch
def test_leaf_after_requires_grad_on_a_detached_view(torch):
    x = torch.zeros(3)
    y = x.detach()
    y.requires_grad_()
    return y.is_leaf, x.requires_grad


@like_pytorch
def test_assigning_data_keeps_the_graph_of_before(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = (x * x).sum()
    x.data = torch.tensor([5.0, 6.0])
    y.backward()
    return x.grad, x


@like_pytorch
def test_no_grad_inplace_on_a_leaf(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with torch.no_grad():
        x.add_(1)
    return x, x._version, x.is_leaf


@like_pytorch
def test_detach_inplace(torch):
    x, y = recorded(torch)
    y.detach_()
    return y.requires_grad, y.grad_fn, y.is_leaf


def with_result(write):
    def program(torch):
        x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
        y = x * 1
        write(torch, x, y)

    return program


ERRORS = {
    "leaf": with_result(lambda t, x, y: x.add_(1)),
    "leaf_by_operator": with_result(lambda t, x, y: x.__iadd__(1)),
    "view_of_leaf": with_result(lambda t, x, y: x[0:1].add_(1)),
    "unbind": with_result(lambda t, x, y: y.unbind(0)[0].add_(1)),
    "chunk": with_result(lambda t, x, y: y.chunk(3)[0].mul_(2)),
    "split_sizes": with_result(lambda t, x, y: y.split([1, 2])[1].mul_(2)),
    "expanded": with_result(lambda t, x, y: t.ones(3).expand(2, 3).add_(1)),
    "shape": with_result(lambda t, x, y: t.ones(1).add_(t.ones(3))),
    "dtype": with_result(lambda t, x, y: t.ones(3, dtype=t.int64).add_(1.5)),
    "detach_view": with_result(lambda t, x, y: y[0:1].detach_()),
    "out_with_grad": with_result(lambda t, x, y: t.add(y, y, out=t.ones(3))),
}


def _saved_result(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x.exp()
    z = y.sum()
    y.add_(1)
    z.backward()


def _no_grad_view(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 1
    with torch.no_grad():
        v = y[0:1]
    v.add_(1)


def _no_grad_view_of_plain_base(torch):
    b = torch.zeros(2)
    with torch.no_grad():
        v = b[0:1]
    v.add_(torch.ones(1, requires_grad=True))


def _no_grad_view_of_what_became_a_leaf(torch):
    b = torch.zeros(2)
    with torch.no_grad():
        v = b[0:1]
    b.requires_grad_()
    v.add_(1)


def _split_of_plain_base(torch):
    a, _ = torch.zeros(3).split([1, 2])
    a.mul_(torch.ones(1, requires_grad=True))


def _leaf_saved(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = (x * x).sum()
    with torch.no_grad():
        x.add_(1)
    y.backward()


ERRORS.update(
    saved_result=_saved_result,
    no_grad_view=_no_grad_view,
    no_grad_view_of_plain_base=_no_grad_view_of_plain_base,
    no_grad_view_of_what_became_a_leaf=_no_grad_view_of_what_became_a_leaf,
    split_of_plain_base=_split_of_plain_base,
    leaf_saved=_leaf_saved,
)


@pytest.mark.parametrize("name", ERRORS)
def test_bad_writes_get_pytorchs_error(name):
    compare(ERRORS[name])


def test_a_refused_write_changes_nothing():
    import minitorch as torch

    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with pytest.raises(RuntimeError):
        x.add_(1)
    assert x.tolist() == [1.0, 2.0]
    assert x._version == 0


def test_writing_to_a_saved_operand_is_noticed():
    import minitorch as torch

    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 1
    z = (y * y).sum()
    y.add_(1)
    with pytest.raises(RuntimeError, match="is at version 1; expected version 0 instead"):
        z.backward()


def written(write, use=lambda y: y * y, backward=lambda z: z.sum().backward()):
    """Something saves `y`, then it is written to; backward() says who wrote."""

    def program(torch):
        x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
        y = x * 1
        z = use(y)
        write(torch, x, y)
        backward(z)

    return program


WRITERS = {
    "operator": written(lambda t, x, y: y.add_(1)),
    "last_of_two": written(lambda t, x, y: y.add_(1).mul_(x)),
    "through_a_view": written(lambda t, x, y: y[0:2].mul_(2)),
    "base_of_what_was_saved": written(lambda t, x, y: y.add_(1), lambda y: y[0:2] * y[0:2]),
    "unrecorded": written(lambda t, x, y: y.detach().add_(1)),
    "its_own_result": written(lambda t, x, y: None, lambda y: y.mul_(2).add_(1).mul_(y)),
}


@pytest.mark.parametrize("name", WRITERS)
def test_the_error_names_who_wrote_last(name):
    compare(WRITERS[name])


@like_pytorch
def test_a_node_with_several_outputs_given_no_gradient(torch):
    x = torch.ones(3, 2, requires_grad=True)
    return [
        y[0].grad_fn(*[None] * len(y)) for y in (x.unbind(), x.split(1), x.chunk(3), x.max(0)[:1])
    ]


def test_a_tensor_that_retains_grad_and_gets_another_shape_can_be_written_to():
    """PyTorch fails with an assertion of its own ("out != nullptr")."""
    x = minitorch.ones(2, 3, requires_grad=True)
    y = x * 2
    y.retain_grad()
    y.t_()
    y -= 1
    y.sum().backward()
    assert x.grad.tolist() == [[2.0] * 3] * 2


SAVED = {
    "a result": lambda torch, x: x * 2,
    "a second result": lambda torch, x: torch.linalg.qr(x)[1],
    "what is no result": lambda torch, x: x.detach() * 2,
    "a view": lambda torch, x: (x * 2)[0],
    "a view of everything": lambda torch, x: (x * 2).view(4),
    "a transposed view": lambda torch, x: (x * 2).t(),
    "one that was written to": lambda torch, x: (x * 2).add_(1),
    "one whose view was written to": lambda torch, x: written_through_a_view(x * 2),
}
WRITES = {
    "a number": lambda torch, t: t.mul_(2),
    "a copy": lambda torch, t: t.copy_(torch.ones(t.shape)),
    "a copy with a gradient": lambda torch, t: t.copy_(torch.ones(t.shape, requires_grad=True)),
    "a part": lambda torch, t: t.__setitem__(0, 1.0),
    "through a view": lambda torch, t: t.view(-1).mul_(2) if t.is_contiguous() else t.mul_(2),
    "unrecorded": lambda torch, t: t.detach().mul_(2),
    "twice": lambda torch, t: (t.mul_(2), t[0].add_(1)),
    "noise": lambda torch, t: t.normal_(),
}
READERS = {"as an input": lambda torch, t: t**3, "as an output": lambda torch, t: t.sigmoid()}


def written_through_a_view(t):
    t[0].mul_(3)
    return t


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("saved", SAVED)
def test_the_error_says_whose_output_was_written_to(saved, write, reader):
    @like_pytorch
    def program(torch):
        x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
        t = SAVED[saved](torch, x)
        result = READERS[reader](torch, t)
        WRITES[write](torch, t if reader == "as an input" else result)
        (result * torch.ones(1, requires_grad=True)).sum().backward()

    program()


@pytest.mark.parametrize("name", ("leaky_relu_", "elu_", "rrelu_"))
def test_a_negative_slope_cannot_be_derived_from_the_result(name):
    def program(torch):
        x = torch.tensor([-1.0, 1.0], requires_grad=True)
        function = getattr(torch.nn.functional, name)
        y = function(x.clone(), -5.0, 1.0) if name == "rrelu_" else function(x.clone(), -2.0)
        y.sum().backward()

    compare(program)


@like_pytorch
def test_the_second_derivative_of_an_operator_that_wrote_its_result_to_a_view(torch):
    x = torch.tensor([0.3, -0.2, 1.5], requires_grad=True)
    view = (x * 1).view(3)
    torch.nn.functional.relu(view, inplace=True)
    (first,) = torch.autograd.grad(view.pow(3).sum(), x, create_graph=True)
    base = x * 1
    base[1:].exp_()
    (second,) = torch.autograd.grad((base * first).sum(), x, create_graph=True)
    (third,) = torch.autograd.grad(second.sum(), x)
    return first.detach(), second.detach(), third


@like_pytorch
def test_resizing_to_the_same_shape_is_no_write(torch):
    x = torch.zeros(1)
    versions = []
    for size in ((1, 2), (1, 2), (3,), (3,)):
        x.resize_(size)
        versions.append(x._version)
    return versions, x.resize_as_(torch.ones(3))._version


@like_pytorch
def test_parts_of_an_unsafe_split_are_written_to_one_by_one(torch):
    results = []
    for split in (
        lambda t: t.unsafe_split(1),
        lambda t: t.unsafe_split_with_sizes((1, 2)),
        lambda t: t.unsafe_chunk(3),
    ):
        x = torch.arange(9.0).reshape(3, 3).requires_grad_()
        first, second, *_ = split(x * 2)
        first.mul_(second)
        first.sum().backward()
        results += [x.grad, first._version, second._version]
    return results


@like_pytorch
def test_a_negative_number_to_a_complex_power_has_a_gradient(torch):
    exponent = torch.tensor([0.5 + 1j, 2 - 1j], requires_grad=True)
    result = torch.pow(-1, exponent)
    return result, torch.autograd.grad(result.abs().sum(), exponent)


@pytest.mark.parametrize("strides", [(6, 2), (1, 4), (4, 1)])
def test_a_write_to_a_view_of_memory_with_holes(strides):
    def program(torch):
        found = []
        for create_graph in (False, True):
            x = torch.arange(6.0).reshape(2, 3).requires_grad_()
            y = torch.ones(3, requires_grad=True)
            base = torch.empty_strided((2, 3), strides)
            base.copy_(x)
            base[0] = y * 2
            base[:, 1] *= 3
            root = (base * torch.arange(6.0).reshape(2, 3)).sum()
            found += [
                g.detach() for g in torch.autograd.grad(root, [x, y], create_graph=create_graph)
            ]
        return [g.contiguous() for g in found]

    compare(program)
