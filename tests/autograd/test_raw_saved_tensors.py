"""`node._raw_saved_*`: hooks on one saved tensor; PyTorch is the oracle."""

import pytest

from tests.both import compare, like_pytorch

pytestmark = pytest.mark.core


def leaf(torch):
    return torch.tensor([1.0, 2.0], requires_grad=True)


def noting(log, name):
    """A pair of hooks that write down what goes through them, and keep it as a list of numbers."""

    def pack(tensor):
        log.append(("pack", name, tensor.tolist()))
        return tensor

    def unpack(packed):
        log.append(("unpack", name))
        return packed

    return pack, unpack


def same(value):
    return value


@like_pytorch
def test_register_hooks(torch):
    log = []
    x = leaf(torch)
    y = x * x
    y.grad_fn._raw_saved_self.register_hooks(*noting(log, "self"))
    log.append(y.grad_fn._saved_self)
    y.grad_fn._raw_saved_other.register_hooks(lambda t: 2, lambda n: torch.full((2,), float(n)))
    y.sum().backward()
    return log, x.grad


@like_pytorch
def test_register_hooks_twice(torch):
    y = leaf(torch).exp()
    y.grad_fn._raw_saved_result.register_hooks(same, same)
    y.grad_fn._raw_saved_result.register_hooks(same, same)


@like_pytorch
def test_register_hooks_after_default_hooks(torch):
    with torch.autograd.graph.saved_tensors_hooks(same, same):
        y = leaf(torch).exp()
    y.grad_fn._raw_saved_result.register_hooks(same, same)


@like_pytorch
def test_register_hooks_after_the_backward(torch):
    y = leaf(torch).exp()
    y.sum().backward()
    y.grad_fn._raw_saved_result.register_hooks(same, same)


@like_pytorch
def test_register_hooks_where_nothing_is_saved(torch):
    y = leaf(torch) * torch.ones(2)
    y.grad_fn._raw_saved_self.register_hooks(same, same)


@like_pytorch
def test_register_hooks_that_write(torch):
    y = leaf(torch).exp()
    y.grad_fn._raw_saved_result.register_hooks(lambda t: t.add_(1), same)


@like_pytorch
def test_raw_saved_tensors_cannot_be_made(torch):
    type(leaf(torch).exp().grad_fn._raw_saved_result)()


@like_pytorch
def test_names_of_saved_tensors(torch):
    x = leaf(torch)
    y = torch.addcmul(x, x, x)
    return [n for n in dir(y.grad_fn) if "saved" in n]


@like_pytorch
def test_raw_saved_tensors_of_a_custom_function(torch):
    log = []

    class Keep(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x.exp()
            ctx.save_for_backward(x, y)
            return y

        @staticmethod
        def backward(ctx, grad):
            x, y = ctx.saved_tensors
            return grad * y * x

    x = leaf(torch)
    y = Keep.apply(x)
    first, second = y.grad_fn._raw_saved_tensors
    first.register_hooks(*noting(log, "x"))
    second.register_hooks(lambda t: None, lambda n: torch.ones(2))
    y.sum().backward()
    try:
        log.append(y.grad_fn._raw_saved_tensors)
    except RuntimeError as error:
        log.append(str(error))
    return log, x.grad


@like_pytorch
def test_unpacked_attributes(torch):
    x = leaf(torch)
    y = x.exp()
    with torch.autograd.graph.saved_tensors_hooks(same, same):
        z = y * x
    saved = z.grad_fn._saved_other
    return saved, saved.is_leaf, z.grad_fn._saved_self.grad_fn is y.grad_fn


@like_pytorch
def test_hooks_on_the_items_of_a_saved_list(torch):
    log = []
    x = torch.arange(6.0).reshape(2, 3).requires_grad_()
    y = x[torch.tensor([0, 1, 1]), torch.tensor([2, 0, 0])]
    places = y.grad_fn._raw_saved_indices
    places[1].register_hooks(*noting(log, "columns"))
    log.append(y.grad_fn._saved_indices)
    y.sum().backward()
    return len(places), type(places).__name__, log, x.grad


@like_pytorch
def test_a_saved_index_was_written_to(torch):
    x = torch.arange(6.0).requires_grad_()
    index = torch.tensor([0, 1])
    y = x[index]
    index.add_(1)
    y.sum().backward()


@like_pytorch
def test_the_places_of_a_freed_list(torch):
    x = torch.arange(6.0).requires_grad_()
    y = x[torch.tensor([0, 1])]
    y.sum().backward()
    return y.grad_fn._raw_saved_indices


@like_pytorch
def test_a_list_under_default_hooks(torch):
    log = []
    x = torch.arange(6.0).requires_grad_()
    with torch.autograd.graph.saved_tensors_hooks(*noting(log, "h")):
        y = x[torch.tensor([0, 1])]
    y.sum().backward(retain_graph=True)
    (g,) = torch.autograd.grad((y * y).sum(), x, create_graph=True)
    return log, x.grad, g


@like_pytorch
def test_data_of_a_saved_tensor_with_and_without_hooks(torch):
    x = leaf(torch)
    y = x * x.exp()
    saved = y.grad_fn._raw_saved_self
    found = [saved.data is x, saved.unpack_hook]
    saved.register_hooks(lambda t: "packed", lambda t: x)
    found += [saved.data, saved.unpack_hook is None]
    y.sum().backward()
    found += [saved.data, saved.unpack_hook]
    z = x.exp()
    saved = z.grad_fn._raw_saved_result
    found.append(saved.data)
    z.add_(1)
    return [*found, saved.data]


THREE = {
    "lerp": lambda torch, a, b, c: torch.lerp(a, b, c),
    "addcdiv": lambda torch, a, b, c: torch.addcdiv(a, b, c),
}
NAMES = {"lerp": ("self", "end", "weight"), "addcdiv": ("tensor1", "tensor2")}


def three(torch):
    return [torch.tensor([k, k + 0.5]).requires_grad_() for k in (1.0, 2.0, 4.0)]


@pytest.mark.parametrize("name", THREE)
def test_hooks_get_what_is_in_their_slot(name):
    def program(torch):
        log = []
        y = THREE[name](torch, *three(torch))
        for slot in NAMES[name]:
            getattr(y.grad_fn, "_raw_saved_" + slot).register_hooks(*noting(log, slot))
        y.sum().backward()
        return log

    compare(program)


@pytest.mark.parametrize("written", [None, 0, 1, 2])
@pytest.mark.parametrize("name", THREE)
def test_a_slot_is_checked_by_its_own_version(name, written):
    def program(torch):
        leaves = three(torch)
        inputs = [t * 1 for t in leaves]
        for k, t in enumerate(inputs):
            for _ in range(k):  # so that each has another version when it is saved
                t.mul_(1)
        y = THREE[name](torch, *inputs)
        if written is not None:
            inputs[written].add_(1)
        said = []
        for slot in NAMES[name]:
            raw = getattr(y.grad_fn, "_raw_saved_" + slot)
            for look in (raw.unpack, lambda raw=raw: raw.data):
                try:
                    said.append((slot, look().detach()))
                except RuntimeError as error:
                    said.append((slot, str(error)))
        return said

    compare(program)


@pytest.mark.parametrize("needing", [(0,), (1,)])
def test_a_slot_with_nothing_in_it_stays_empty_under_hooks(needing):
    def program(torch):
        a, b = (torch.full((2,), k + 2.0, requires_grad=k in needing) for k in range(2))
        with torch.autograd.graph.saved_tensors_hooks(lambda t: t * 10, lambda t: t / 10):
            y = a * b
        node = y.grad_fn
        raw = [node._raw_saved_self, node._raw_saved_other]
        return node._saved_self, node._saved_other, [(r.unpack(), r.data) for r in raw]

    compare(program)
