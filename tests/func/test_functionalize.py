"""`functionalize`: values, gradients and inputs afterwards, as in PyTorch."""

import importlib

import pytest

from tests.both import compare, like_pytorch
from tests.func.inputs import numbers


def _writes(torch, x):
    y = x.clone()
    y.add_(1)
    y.view(-1).mul_(2)
    return y


def _row(torch, x):
    row = x[0]
    row.zero_()
    return x.sum(0), row


def _tree(torch, x):
    parts = x.split(1)
    parts[0].fill_(3)
    return {"sum": [x.sum(), 3, None], "view": x.t(), "text": "x"}


def _itself(torch, x):
    return x.exp_()


FUNCTIONS = [_writes, _row, _tree, _itself]


@pytest.mark.parametrize("remove", ["mutations", "mutations_and_views"])
@pytest.mark.parametrize("f", FUNCTIONS)
def test_values_and_inputs(f, remove):
    def program(torch):
        x = numbers(torch, 2, 3)
        result = torch.func.functionalize(lambda x: f(torch, x), remove=remove)(x)
        return result, x, x._version

    compare(program)


@pytest.mark.parametrize("outer", ["vmap", "jacrev", "jacfwd", "hessian"])
def test_inside_and_outside_of_transforms(outer):
    def program(torch):
        x = numbers(torch, 2, 3)
        transform = getattr(torch.func, outer)
        f = torch.func.functionalize
        return [
            transform(f(lambda x: _writes(torch, x).sin()))(x),
            f(transform(lambda x: _writes(torch, x).sin()))(x),
        ]

    compare(program)


@like_pytorch
def test_arguments_of_every_kind(torch):
    x, kept = numbers(torch, 2, 3), [numbers(torch, 2), "text"]

    def f(a, b=None, *, c):
        a.mul_(2)
        c[0].add_(a.sum())
        return {"a": a, "c": c}

    wrapped = torch.func.functionalize(f)
    return wrapped(x, c=kept), x, kept, wrapped.__name__, wrapped.__wrapped__ is f


@like_pytorch
def test_gradients(torch):
    x = numbers(torch, 2, 3).requires_grad_()
    torch.func.functionalize(lambda x: _writes(torch, x))(x * 2).sum().backward()
    return x.grad, torch.func.grad(torch.func.functionalize(lambda x: _writes(torch, x).sum()))(x)


@like_pytorch
def test_a_leaf_is_not_written_to(torch):
    torch.func.functionalize(lambda x: x.add_(1))(numbers(torch, 2).requires_grad_())


REFUSED = {
    "requires_grad_": lambda torch, x: x.clone().requires_grad_(),
    "jacobian": lambda torch, x: torch.autograd.functional.jacobian(torch.sin, x),
    "a Function without setup_context": lambda torch, x: _without_setup_context(torch).apply(x),
    "grad inside": lambda torch, x: torch.func.grad(lambda y: y.mul_(2).sum())(x),
    "vmap inside": lambda torch, x: torch.vmap(lambda y: y.clone().mul_(y))(x),
}


def _without_setup_context(torch):
    class Doubled(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            return grad * 2

    return Doubled


@pytest.mark.parametrize("case", REFUSED)
def test_what_a_transform_refuses_is_refused(case):
    def program(torch):
        return torch.func.functionalize(lambda x: REFUSED[case](torch, x))(torch.ones(3))

    compare(program)


@like_pytorch
def test_it_is_a_level(torch):
    functorch = importlib.import_module(f"{torch.__name__}._C")._functorch
    seen = []

    def f(x):
        seen.append(functorch.maybe_current_level())
        torch.func.grad(lambda y: (seen.append(functorch.maybe_current_level()), y.sum())[1])(x)
        return x

    torch.func.functionalize(f)(torch.ones(3))
    return seen, functorch.maybe_current_level()


@like_pytorch
def test_the_level_as_an_object(torch):
    pyfunctorch = importlib.import_module(f"{torch.__name__}._functorch.pyfunctorch")
    seen = []

    def f(x):
        seen.extend(i.get_state() for i in pyfunctorch.retrieve_all_functorch_interpreters())
        return x

    torch.func.functionalize(f)(torch.ones(3))
    return seen


def _to_view(view):
    """A program that writes to a view of a value, and gives the value."""

    def f(torch, x):
        y = x * 1
        view(torch, y).add_(2)
        return y

    return f


def _in_place(write):
    def f(torch, x):
        y = x.clone()
        write(torch, y)
        return y, y.sum(0)

    return f


VIEWS = {
    "view": lambda torch, y: y.view(-1),
    "reshape": lambda torch, y: y.reshape(3, 2),
    "select": lambda torch, y: y[1],
    "slice": lambda torch, y: y[:, 1:],
    "narrow": lambda torch, y: y.narrow(1, 0, 2),
    "t": lambda torch, y: y.t(),
    "permute": lambda torch, y: y.permute(1, 0),
    "transpose": lambda torch, y: y.transpose(0, -1),
    "diagonal": lambda torch, y: y.diagonal(),
    "as_strided": lambda torch, y: y.as_strided((2,), (1,)),
    "split": lambda torch, y: y.split(2, 1)[1],
    "split_with_sizes": lambda torch, y: y.split([1, 2], 1)[1],
    "chunk": lambda torch, y: y.chunk(3, 1)[1],
    "unbind": lambda torch, y: y.unbind(1)[2],
    "detach": lambda torch, y: y.detach(),
    "squeeze": lambda torch, y: y[None].squeeze(0),
    "squeeze all": lambda torch, y: y[None, :, None].squeeze(),
    "unsqueeze": lambda torch, y: y.unsqueeze(1),
    "unfold": lambda torch, y: y.unfold(1, 1, 2),
    "view of a view of a view": lambda torch, y: y.t()[1:][0],
}
WRITES = {
    "fill_": lambda torch, y: y[0].fill_(2.0),
    "a tensor": lambda torch, y: y[0].fill_(y[1, 1]),
    "zero_": lambda torch, y: y[:, 0].zero_(),
    "copy_": lambda torch, y: y[0].copy_(y[1]),
    "an element": lambda torch, y: y.__setitem__((0, 1), 5.0),
    "a mask": lambda torch, y: y.__setitem__(y > 1, 0.0),
    "index_put_": lambda torch, y: y.index_put_((y[0].long(),), y[1], accumulate=True),
    "out": lambda torch, y: torch.mul(y, y, out=y),
    "several out": lambda torch, y: torch.aminmax(y, dim=0, out=(y[0], torch.empty(3))),
    "out of another shape": lambda torch, y: y[0].mul_(
        torch.sort(y, 1, out=(torch.empty(0), torch.empty(0, dtype=torch.int64)))[0][1]
    ),
    "a view of a view that is behind": lambda torch, y: (y.mul_(2), y[0][1:].add_(1)),
    "augmented": lambda torch, y: y[0].__setitem__(slice(1, None), y[0][1:].mul_(2)),
    "transpose_": lambda torch, y: y.transpose_(0, 1).add_(1),
    "unsqueeze_": lambda torch, y: y.unsqueeze_(0).add_(1),
    "in the shape of an empty one": lambda torch, y: torch.add(y, 1, out=torch.empty(2, 3)),
}
PROGRAMS = {
    **{name: _to_view(view) for name, view in VIEWS.items()},
    **{f"write {name}": _in_place(write) for name, write in WRITES.items()},
    "input": lambda torch, x: (x.add_(1), x.mul_(2), x.sum())[2],
    "a view of an input": _row,
    "a tensor made inside": lambda torch, x: torch.zeros(3).add_(x[0]),
    "nothing": lambda torch, x: x.sin().t().contiguous(),
    "a parameter": lambda torch, x: torch.nn.functional.relu(x * 1, inplace=True),
}


@pytest.mark.parametrize("remove", ["mutations", "mutations_and_views"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_trace_shows_no_write_but_those_to_inputs(name, remove):
    def program(torch):
        make_fx = importlib.import_module(f"{torch.__name__}.fx.experimental.proxy_tensor").make_fx
        x = numbers(torch, 2, 3)
        f = torch.func.functionalize(lambda x: PROGRAMS[name](torch, x), remove=remove)
        code = make_fx(f)(x).code.replace("minitorch", "torch")
        return [line.strip() for line in code.splitlines()[1:]], x, f(x), x

    compare(program)


@like_pytorch
def test_a_write_is_seen_by_whatever_looks_at_the_memory(torch):
    def f(x):
        y = x * 1
        row, column, all = y[0], y.t()[1], y.view(-1)
        column.mul_(3)
        row.add_(column[0])
        all.sub_(1)
        return y, row, column, all, row.sum().item(), bool((all > 0).all())

    x = numbers(torch, 2, 3).requires_grad_()
    found = torch.func.functionalize(f)(x)
    copies = torch.func.functionalize(f, remove="mutations_and_views")(x)
    (grad,) = torch.autograd.grad((found[0] * numbers(torch, 2, 3)).sum(), x)
    return found, copies, grad


OTHERS = {
    "another dtype": lambda torch, y: y.add_(torch.ones(3, dtype=torch.float64)),
    "another view": lambda torch, y: y.view(torch.int32).add_(1),
    "a list": lambda torch, y: torch._foreach_mul_([y[0], y[1]], 2.0),
    "an element seen twice": lambda torch, y: y[:, :1].expand(2, 3).add_(1),
    "numbers": lambda torch, y: (torch.manual_seed(0), y[1].uniform_()),
    "sorted": lambda torch, y: torch.sort(y, out=(y, torch.empty(2, 3, dtype=torch.int64))),
    "complex parts": lambda torch, y: torch.view_as_real(y * 1j).add_(y[0, 0]),
}


@pytest.mark.parametrize("remove", ["mutations", "mutations_and_views"])
@pytest.mark.parametrize("case", OTHERS)
def test_writes_of_other_kinds(case, remove):
    def program(torch):
        def f(x):
            y = x.clone()
            OTHERS[case](torch, y)
            return y

        return torch.func.functionalize(f, remove=remove)(numbers(torch, 2, 3))

    compare(program)


@pytest.mark.parametrize("remove", ["mutations", "mutations_and_views"])
def test_a_list_that_is_written_to_is_traced(remove):
    import minitorch as torch
    from minitorch.fx.experimental.proxy_tensor import make_fx

    def f(x):
        y = x.clone()
        torch._foreach_add_([y[0], y[1]], 1)
        return y

    traced = make_fx(torch.func.functionalize(f, remove=remove))(torch.ones(2, 3))
    assert "_foreach" not in traced.code and "add_." not in traced.code
    assert traced(torch.zeros(2, 3)).tolist() == [[1] * 3] * 2


@like_pytorch
def test_the_shape_of_an_input_is_changed(torch):
    x = numbers(torch, 2, 3)
    return torch.func.functionalize(lambda x: (x.t_(), x.add_(1))[1])(x), x


@like_pytorch
def test_overlapping_views_are_not_written_to(torch):
    torch.func.functionalize(lambda x: x.unfold(0, 2, 1).add_(1))(torch.ones(4))


@like_pytorch
def test_what_a_tensor_inside_is(torch):
    functorch = importlib.import_module(f"{torch.__name__}._C")._functorch
    seen = []

    def f(x):
        for name in ("functional", "gradtracking", "batched"):
            seen.append(getattr(functorch, f"is_{name}tensor")(x))
        seen.append((functorch.maybe_get_level(x), repr(x), x.requires_grad))
        return x

    torch.func.functionalize(f)(torch.ones(3))
    return seen


def test_a_tensor_that_was_not_given_is_not_written_to():
    import minitorch as torch

    outside = torch.zeros(3)
    with pytest.raises(RuntimeError, match="mutating a non-functional tensor"):
        torch.func.functionalize(lambda x: outside.add_(x))(torch.ones(3))
    assert outside.tolist() == [0, 0, 0]
