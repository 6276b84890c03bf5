"""What a program gets back of a saved input is the tensor that it holds itself; PyTorch is the oracle."""

import gc
import weakref

import pytest

import minitorch
from tests.both import like_pytorch

pytestmark = pytest.mark.core


@like_pytorch
def test_an_input_is_the_same_object(torch):
    a = torch.tensor([1.0, 2.0], requires_grad=True)
    b = a * a
    c = a * b
    node = c.grad_fn
    return node._saved_self is a, node._saved_other is b, node._raw_saved_other is not b


@like_pytorch
def test_an_output_is_another_object(torch):
    b = torch.tensor([1.0, 2.0], requires_grad=True).exp()
    return b.grad_fn._saved_result is b, torch.equal(b.grad_fn._saved_result, b)


@like_pytorch
def test_a_saved_tensor_without_gradient_is_the_same_object(torch):
    a = torch.tensor([1.0, 2.0], requires_grad=True)
    b = torch.tensor([1.0, 2.0])
    index = torch.tensor([1, 0])
    saved = (a * b).grad_fn._saved_other
    return saved is b, a.gather(0, index).grad_fn._saved_index is index


@like_pytorch
def test_a_view_and_an_attribute_of_it(torch):
    a = torch.ones(2, 2, requires_grad=True)
    b = a.exp()[0]
    b.note = "mine"
    return b.sin().grad_fn._saved_self.note


@like_pytorch
def test_after_other_data_it_is_not(torch):
    a = torch.tensor([1.0], requires_grad=True)
    b = a * 2
    c = b.sin()
    b.detach_()
    return (a * 2).sin().grad_fn._saved_self.grad_fn.name(), c.shape


@like_pytorch
def test_second_derivatives_go_through_it(torch):
    a = torch.tensor([0.5], requires_grad=True)
    b = a * 3
    seen = []
    (g,) = torch.autograd.grad(b.sin(), a, create_graph=True)
    b.register_hook(lambda grad: seen.append(grad.item()))
    (h,) = torch.autograd.grad(g, a)
    return g, h, seen


def test_a_tensor_that_is_gone_leaves_its_data():
    a = minitorch.ones(3, requires_grad=True)
    b = a.exp()
    gone = weakref.ref(b)
    c = b.sin()
    del b
    assert gone() is None
    saved = c.grad_fn._saved_self
    assert saved.grad_fn.name() == "ExpBackward0"
    assert minitorch.equal(saved, a.exp())


def test_a_tensor_is_not_found_while_it_goes():
    a = minitorch.ones(3, requires_grad=True)
    b = a.exp()
    c = b.sin()
    found = []
    reference = weakref.ref(b, lambda _: found.append(c.grad_fn._saved_self))
    del b
    assert reference() is None
    assert minitorch.equal(found[0], a.exp())


def test_a_tensor_that_the_collector_takes():
    a = minitorch.ones(3, requires_grad=True)
    b = a.exp()
    b.cycle = [b]
    c = b.sin()
    del b
    gc.collect()
    assert minitorch.equal(c.grad_fn._saved_self, a.exp())


@like_pytorch
def test_exchanged_tensors(torch):
    a, b = torch.tensor([1.0]), torch.tensor([2.0])
    torch.utils.swap_tensors(a, b)
    x = torch.ones(1, requires_grad=True)
    return (x * a).grad_fn._saved_other is a, (x * b).grad_fn._saved_other is b, a, b
