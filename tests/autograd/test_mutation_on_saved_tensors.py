"""`allow_mutation_on_saved_tensors`: what was saved survives writing; PyTorch is the oracle."""

import minitorch
from tests.both import like_pytorch


def leaf(torch):
    return torch.tensor([1.0, 2.0], requires_grad=True)


@like_pytorch
def test_a_saved_tensor_is_copied_before_it_is_written_to(torch):
    with torch.autograd.graph.allow_mutation_on_saved_tensors():
        a = leaf(torch)
        b = a.clone()
        c = b**2
        b.sin_()
        c.sum().backward(retain_graph=True)
        first = a.grad.clone()
        b.sum().backward()
    return first, a.grad


@like_pytorch
def test_written_through_a_view(torch):
    with torch.autograd.graph.allow_mutation_on_saved_tensors():
        a = leaf(torch)
        b = a.clone()
        c = b * b
        b[:1].mul_(5)
        b.view(2, 1)[1].zero_()
        c.sum().backward()
    return a.grad, b


def test_a_saved_view_whose_base_is_written_to():
    # PyTorch does not notice the write, and gives 3 * 7**2
    with minitorch.autograd.graph.allow_mutation_on_saved_tensors():
        a = leaf(minitorch)
        b = a.clone()
        c = b[1:] ** 3
        b.fill_(7)
        c.sum().backward()
    assert a.grad.tolist() == [0, 3 * 2**2]


@like_pytorch
def test_saved_several_times_with_writes_between(torch):
    with torch.autograd.graph.allow_mutation_on_saved_tensors():
        a = leaf(torch)
        b = a.clone()
        results = []
        for _ in range(3):
            results.append(b**2)
            b.add_(1)
        sum(r.sum() for r in results).backward()
    return a.grad


@like_pytorch
def test_a_saved_output_that_is_written_to(torch):
    with torch.autograd.graph.allow_mutation_on_saved_tensors():
        a = leaf(torch)
        y = a.exp()
        z = y * 2
        y.mul_(3)
        z.sum().backward()
    return a.grad


@like_pytorch
def test_written_with_out(torch):
    with torch.autograd.graph.allow_mutation_on_saved_tensors():
        a = leaf(torch)
        w = torch.tensor([3.0, 4.0])
        y = a * w
        torch.add(torch.ones(2), torch.ones(2), out=w)
        y.sum().backward()
    return a.grad, w


@like_pytorch
def test_written_with_set_item_and_copy(torch):
    with torch.autograd.graph.allow_mutation_on_saved_tensors():
        a = leaf(torch)
        w = torch.tensor([3.0, 4.0])
        y = a * w
        w[0] = 9
        w.copy_(torch.zeros(2))
        y.sum().backward()
    return a.grad, w


@like_pytorch
def test_second_derivative(torch):
    with torch.autograd.graph.allow_mutation_on_saved_tensors():
        a = leaf(torch)
        b = a.clone()
        c = (b**3).sum()
        b.zero_()
        (g,) = torch.autograd.grad(c, a, create_graph=True)
        return g, torch.autograd.grad(g.sum(), a)


@like_pytorch
def test_written_without_grad_mode(torch):
    with torch.autograd.graph.allow_mutation_on_saved_tensors():
        a = leaf(torch)
        b = a.clone()
        c = b * b
        with torch.no_grad():
            b.mul_(10)
        c.sum().backward()
    return a.grad


@like_pytorch
def test_a_backward_outside(torch):
    a = leaf(torch)
    with torch.autograd.graph.allow_mutation_on_saved_tensors():
        c = (a.clone() ** 2).sum()
    c.backward()


@like_pytorch
def test_a_backward_after_clear(torch):
    a = leaf(torch)
    with torch.autograd.graph.allow_mutation_on_saved_tensors() as context:
        c = (a.clone() ** 2).sum()
        context.clear()
        c.backward()


@like_pytorch
def test_contexts_do_not_nest(torch):
    with torch.autograd.graph.allow_mutation_on_saved_tensors():
        with torch.autograd.graph.allow_mutation_on_saved_tensors():
            pass


@like_pytorch
def test_the_context_can_be_entered_again(torch):
    a = leaf(torch)
    for _ in range(2):
        with torch.autograd.graph.allow_mutation_on_saved_tensors():
            b = a.clone()
            c = b * b
            b.zero_()
            c.sum().backward()
    b = a.clone()
    c = b * b
    b.zero_()
    try:
        c.sum().backward()
    except RuntimeError as error:
        return a.grad, str(error)


@like_pytorch
def test_copies_are_dropped_with_the_graph(torch):
    with torch.autograd.graph.allow_mutation_on_saved_tensors() as context:
        a = leaf(torch)
        b = a.clone()
        c = b**2
        kept = [len(context.original), len(context.cloned)]
        b.sin_()
        kept += [len(context.original), len(context.cloned)]
        del c
        kept += [len(context.original), len(context.cloned)]
    return kept


@like_pytorch
def test_a_custom_function_inside(torch):
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, grad):
            return 2 * ctx.saved_tensors[0] * grad

    with torch.autograd.graph.allow_mutation_on_saved_tensors():
        a = leaf(torch)
        b = a.clone()
        c = Square.apply(b)
        b.zero_()
        c.sum().backward()
    return a.grad


@like_pytorch
def test_a_tensor_that_several_nodes_save_is_copied_once(torch):
    with torch.autograd.graph.allow_mutation_on_saved_tensors() as context:
        a = torch.randn(2, 3, requires_grad=True).clone()
        first, second = a**2, a**2
        counts = [len(context.tid_to_weakhandle), len(context.cloned)]
        a.sin_()
        third = a**2
        a.sin_()
        counts.append(len(context.cloned))
        del first, second
        counts.append(len(context.cloned))
        del third
        return [*counts, len(context.cloned), len(context.tid_to_weakhandle)]
