"""`Function` of PyTorch 0.2."""

import pytest

import minitorch
from minitorch.legacy.autograd import Function, Variable, grad


class Product(Function):
    seen = []

    @staticmethod
    def forward(ctx, x, y, scale):
        Product.seen.append((type(x), type(y)))
        ctx.save_for_backward(x, y)
        ctx.scale = scale
        return x * y * scale

    @staticmethod
    def backward(ctx, grad_output):
        x, y = ctx.saved_variables
        Product.seen.append((type(grad_output), type(x), type(ctx.saved_tensors[0])))
        return grad_output * y * ctx.scale, grad_output * x * ctx.scale, None


def leaf(value):
    return Variable(minitorch.tensor([value]), requires_grad=True)


def test_forward_sees_tensors_and_backward_variables():
    Product.seen.clear()
    x, y = leaf(2.0), leaf(3.0)
    z = Product.apply(x, y, 10)
    assert type(z) is Variable
    assert z.grad_fn.name() == "ProductBackward"
    z.backward()
    assert (x.grad.data.item(), y.grad.data.item()) == (30.0, 20.0)
    assert (x.volatile, x.requires_grad) == (False, True)
    tensor = minitorch.Tensor
    assert Product.seen == [(tensor, tensor), (Variable, Variable, tensor)]


def test_a_second_derivative():
    x = leaf(2.0)
    (first,) = grad(Product.apply(x, x, 5), x, create_graph=True)
    assert first.data.item() == 20.0
    assert grad(first, x)[0].data.item() == 10.0


def test_gradients_are_volatile_unless_they_are_recorded():
    kinds = []

    class Watch(Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, grad_output):
            kinds.append(grad_output.volatile)
            return grad_output * 1

    for gradient in (minitorch.ones(1), Variable(minitorch.ones(1))):
        Watch.apply(leaf(1.0)).backward(gradient)
    assert kinds == [True, False]


def test_a_volatile_argument():
    z = Product.apply(leaf(2.0), Variable(minitorch.ones(1), volatile=True), 1)
    assert (z.volatile, z.requires_grad) == (True, False)


def test_what_was_saved_is_checked():
    x = leaf(2.0)
    y = x * 1
    z = Product.apply(y, x, 1)
    y += 1
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        z.backward()


def test_needs_input_grad_and_attributes():
    noted = []

    class Note(Function):
        @staticmethod
        def forward(ctx, x, y):
            return x + y

        @staticmethod
        def backward(ctx, grad_output):
            ctx.there = True
            noted.append((ctx.needs_input_grad, ctx.there))
            with pytest.raises(AttributeError):
                ctx.nothing  # noqa: B018
            return grad_output, None

    Note.apply(leaf(1.0), Variable(minitorch.ones(1))).backward()
    assert noted == [((True, False), True)]


def test_what_is_not_written_is_an_error():
    class Empty(Function):
        pass

    with pytest.raises(NotImplementedError):
        Empty.apply(leaf(1.0))
