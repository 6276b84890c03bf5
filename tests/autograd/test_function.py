"""Custom Functions: the forward's marks, what backward may return, what is saved; PyTorch is the oracle."""

import pytest

from tests.both import like_pytorch


def leaf(torch):
    return torch.tensor([1.0, 2.0], requires_grad=True)


def square(torch):
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, grad):
            (x,) = ctx.saved_tensors
            return 2 * x * grad

    return Square


def answering(torch, answer, arguments=1):
    """A Function that is the identity, whose backward returns ``answer(gradient)``."""

    class Answering(torch.autograd.Function):
        @staticmethod
        def forward(ctx, *inputs):
            assert len(inputs) == arguments
            return inputs[0] * 1

        @staticmethod
        def backward(ctx, grad):
            return answer(grad)

    return Answering


@like_pytorch
def test_a_function_records_its_node(torch):
    x = leaf(torch)
    y = square(torch).apply(x)
    y.sum().backward()
    node = y.grad_fn
    return x.grad, node.name(), type(node).__name__, node.needs_input_grad, y.requires_grad


@like_pytorch
def test_saved_tensors_are_freed_by_the_backward(torch):
    y = square(torch).apply(leaf(torch))
    y.sum().backward()
    y.sum().backward()


@like_pytorch
def test_saved_tensors_cannot_be_read_after_the_backward(torch):
    y = square(torch).apply(leaf(torch))
    y.sum().backward()
    return y.grad_fn.saved_tensors


@pytest.mark.parametrize("given", range(1, 8))
def test_the_last_of_many_gradients_may_be_none(given):
    @like_pytorch
    def gradients(torch):
        class First(torch.autograd.Function):
            @staticmethod
            def forward(ctx, *inputs):
                return sum(inputs)

            @staticmethod
            def backward(ctx, grad):
                return *([grad] * given), *([None] * (7 - given))

        inputs = [leaf(torch) for _ in range(7)]
        First.apply(*inputs).sum().backward()
        return [x.grad for x in inputs]

    gradients()


@like_pytorch
def test_second_derivative(torch):
    x = leaf(torch)
    (g,) = torch.autograd.grad(square(torch).apply(x).sum(), x, create_graph=True)
    return torch.autograd.grad(g.sum(), x)


@like_pytorch
def test_second_derivative_through_a_saved_output(torch):
    class Exp(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x.exp()
            ctx.save_for_backward(y)
            return y

        @staticmethod
        def backward(ctx, grad):
            return ctx.saved_tensors[0] * grad

    x = leaf(torch)
    y = Exp.apply(x)
    (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    return torch.autograd.grad(g.sum(), x), y.grad_fn.saved_tensors[0] is y


ANSWERS = {
    "a gradient too many": lambda g: (g, g),
    "None too many": lambda g: (g, None),
    "a number": lambda g: 5,
    "an empty tuple": lambda g: (),
    "a list": lambda g: [g],
    "a shape that cannot be summed": lambda g: g[:1].expand(3),
    "a shape that can be summed": lambda g: g.expand(3, 2),
    "another dtype": lambda g: g.double(),
    "an integer": lambda g: g.long(),
    "a complex gradient": lambda g: g + 0j,
    "None": lambda g: None,
    "nothing, written out": lambda g: (None,),
    "a string": lambda g: "gradient",
    "a broadcast scalar": lambda g: g.sum(),
}


@pytest.mark.parametrize("answer", ANSWERS)
def test_what_a_backward_may_return(answer):
    @like_pytorch
    def program(torch):
        x = leaf(torch)
        answering(torch, ANSWERS[answer]).apply(x).sum().backward()
        return x.grad

    program()


ANSWERS_FOR_TWO = {
    "too few": lambda g: g,
    "two": lambda g: (g, g * 2),
    "the first alone": lambda g: (g, None),
    "the second alone": lambda g: (None, g),
    "three": lambda g: (g, g, g),
    "two and None": lambda g: (g, g, None),
}


@pytest.mark.parametrize("answer", ANSWERS_FOR_TWO)
def test_what_a_backward_of_two_inputs_may_return(answer):
    @like_pytorch
    def program(torch):
        x, w = leaf(torch), leaf(torch)
        answering(torch, ANSWERS_FOR_TWO[answer], 2).apply(x, w).sum().backward()
        return x.grad, w.grad

    program()


@pytest.mark.parametrize("answer", ["two", "the first alone"])
def test_a_gradient_for_what_is_no_tensor(answer):
    @like_pytorch
    def program(torch):
        x = leaf(torch)
        answering(torch, ANSWERS_FOR_TWO[answer], 2).apply(x, 3.0).sum().backward()
        return x.grad

    program()


@like_pytorch
def test_a_function_without_backward(torch):
    class Forward(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

    Forward.apply(leaf(torch)).sum().backward()


@like_pytorch
def test_a_function_without_forward(torch):
    class Nothing(torch.autograd.Function):
        pass

    Nothing.apply(leaf(torch))


@like_pytorch
def test_backward_and_vjp_exclude_each_other(torch):
    class Both(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, grad):
            return grad

        @staticmethod
        def vjp(ctx, grad):
            return grad

    Both.apply(leaf(torch)).sum().backward()


@like_pytorch
def test_vjp_is_another_name_of_backward(torch):
    class Vjp(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def vjp(ctx, grad):
            return grad * 3

    x = leaf(torch)
    Vjp.apply(x).sum().backward()
    return x.grad


def scale(torch):
    class Scale(torch.autograd.Function):
        @staticmethod
        def forward(x, factor=3):
            return x * factor

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.factor = inputs[1]

        @staticmethod
        def backward(ctx, grad):
            return grad * ctx.factor, None

    return Scale


@like_pytorch
def test_setup_context_with_defaults_and_keywords(torch):
    x = leaf(torch)
    result = []
    for y in (scale(torch).apply(x), scale(torch).apply(x, 5), scale(torch).apply(x, factor=4)):
        result.append(torch.autograd.grad(y.sum(), x))
    return result


@like_pytorch
def test_setup_context_refuses_an_unknown_keyword(torch):
    scale(torch).apply(leaf(torch), size=4)


@like_pytorch
def test_setup_context_refuses_too_many_arguments(torch):
    scale(torch).apply(leaf(torch), 1, 2)


@like_pytorch
def test_keywords_without_setup_context(torch):
    x = leaf(torch)
    y = square(torch).apply(x=x)
    y.sum().backward()
    return y, x.grad


@like_pytorch
def test_setup_context_cannot_save_an_input_that_is_returned(torch):
    class Identity(torch.autograd.Function):
        @staticmethod
        def forward(x):
            return x

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(inputs[0])

        @staticmethod
        def backward(ctx, grad):
            return grad

    Identity.apply(leaf(torch))


SAVED = {
    "a number": lambda torch, x: (1,),
    "a list": lambda torch, x: ([x],),
    "None and a tensor": lambda torch, x: (None, x),
    "nothing": lambda torch, x: (),
    "a tensor twice": lambda torch, x: (x, x),
    "a constant": lambda torch, x: (torch.ones(2),),
    "an integer tensor": lambda torch, x: (torch.arange(2), x),
}


@pytest.mark.parametrize("saved", SAVED)
def test_what_can_be_saved(saved):
    @like_pytorch
    def program(torch):
        seen = []

        class Saving(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.save_for_backward(*SAVED[saved](torch, x))
                return x * 2

            @staticmethod
            def backward(ctx, grad):
                seen.append(ctx.saved_tensors)
                return grad

        x = leaf(torch)
        y = Saving.apply(x)
        y.sum().backward(retain_graph=True)
        return seen, y.grad_fn.saved_tensors, x.grad

    program()


@like_pytorch
def test_saving_twice_keeps_the_last(torch):
    class Twice(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            ctx.save_for_backward(x * 2, None)
            return x * 1

        @staticmethod
        def backward(ctx, grad):
            return grad

    y = Twice.apply(leaf(torch))
    return y.grad_fn.saved_tensors


@like_pytorch
def test_a_saved_input_was_written_to(torch):
    a = leaf(torch) * 1
    y = square(torch).apply(a)
    a.add_(1)
    y.sum().backward()


@like_pytorch
def test_a_saved_output_was_written_to(torch):
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x * x
            ctx.save_for_backward(y)
            return y

        @staticmethod
        def backward(ctx, grad):
            return 2 * ctx.saved_tensors[0] * grad

    y = Square.apply(leaf(torch) * 1)
    y.add_(1)
    y.sum().backward()


@like_pytorch
def test_saved_tensors_are_the_ones_that_were_given(torch):
    seen = []

    class Product(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a, b):
            ctx.save_for_backward(a, b)
            return a * b

        @staticmethod
        def backward(ctx, grad):
            a, b = ctx.saved_tensors
            seen.append((a is x, b is y, b.grad_fn is y.grad_fn, a.requires_grad))
            return grad * b, grad * a

    x = leaf(torch)
    y = x * 1
    Product.apply(x, y).sum().backward()
    return seen, x.grad


@like_pytorch
def test_saved_variables_is_deprecated(torch):
    y = square(torch).apply(leaf(torch))
    return y.grad_fn.saved_variables


@like_pytorch
def test_an_exception_in_backward_leaves_the_engine_usable(torch):
    def fail(grad):
        raise ValueError("oh")

    x = leaf(torch)
    try:
        answering(torch, fail).apply(x).sum().backward()
    except ValueError as error:
        text = str(error)
    square(torch).apply(x).sum().backward()
    return text, x.grad, torch.is_grad_enabled()


@like_pytorch
def test_an_exception_in_forward_leaves_the_grad_mode(torch):
    class Failing(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            raise KeyError("missing")

    try:
        Failing.apply(leaf(torch))
    except KeyError:
        return torch.is_grad_enabled()
