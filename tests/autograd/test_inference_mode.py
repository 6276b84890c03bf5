"""Inference mode: what tensors made in it may do, inside and outside; PyTorch is the oracle."""

import threading

import pytest

from tests.both import like_pytorch

pytestmark = pytest.mark.core


def leaf(torch):
    return torch.tensor([1.0, 2.0], requires_grad=True)


def made_inside(torch):
    with torch.inference_mode():
        return torch.ones(2)


@like_pytorch
def test_modes_inside(torch):
    seen = []
    with torch.inference_mode():
        seen.append((torch.is_grad_enabled(), torch.is_inference_mode_enabled()))
        with torch.enable_grad():
            y = leaf(torch) * 2
            seen.append((torch.is_grad_enabled(), y.requires_grad, y.is_inference()))
        with torch.inference_mode(False):
            y = leaf(torch) * 2
            seen.append((torch.is_grad_enabled(), torch.is_inference_mode_enabled()))
            seen.append((y.requires_grad, y.is_inference()))
        seen.append((torch.is_grad_enabled(), torch.is_inference_mode_enabled()))
    seen.append((torch.is_grad_enabled(), torch.is_inference_mode_enabled()))
    return seen


@like_pytorch
def test_grad_mode_is_restored(torch):
    seen = []
    with torch.no_grad():
        with torch.inference_mode():
            pass
        seen.append(torch.is_grad_enabled())
        with torch.inference_mode(False):
            seen.append(torch.is_grad_enabled())
        seen.append(torch.is_grad_enabled())
    try:
        with torch.inference_mode():
            raise KeyError
    except KeyError:
        seen.append((torch.is_grad_enabled(), torch.is_inference_mode_enabled()))
    return seen


MAKERS = {
    "ones": lambda torch, x: torch.ones(2),
    "a sum": lambda torch, x: x + x,
    "a clone": lambda torch, x: x.clone(),
    "a detached tensor": lambda torch, x: x.detach(),
    "a view": lambda torch, x: x[:1],
    "data": lambda torch, x: x.data,
    "tensor": lambda torch, x: torch.tensor([1.0]),
    "a conversion": lambda torch, x: x.double(),
    "no conversion": lambda torch, x: x.float(),
    "contiguous": lambda torch, x: x.contiguous(),
    "split": lambda torch, x: x.split(1)[0],
    "an in-place result": lambda torch, x: torch.zeros(2).add_(x),
    "a leaf": lambda torch, x: torch.ones(2, requires_grad=True),
    "an index": lambda torch, x: x[torch.tensor([0])],
    "a comparison": lambda torch, x: x > 1,
}


@pytest.mark.parametrize("maker", MAKERS)
def test_what_is_made_inside_of_a_normal_tensor(maker):
    @like_pytorch
    def program(torch):
        x = leaf(torch)
        with torch.inference_mode():
            y = MAKERS[maker](torch, x)
            inside = y.is_inference(), y._is_view(), y.is_leaf
        return inside, y.is_inference(), y.is_leaf, y.grad_fn

    program()


@pytest.mark.parametrize("maker", MAKERS)
def test_what_is_made_inside_of_a_constant(maker):
    @like_pytorch
    def program(torch):
        x = torch.ones(2)
        with torch.inference_mode():
            y = MAKERS[maker](torch, x)
        return y.is_inference(), y._is_view(), y.requires_grad, y.is_leaf, y.grad_fn

    program()


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("inside", [False, True])
def test_what_is_made_of_an_inference_tensor(maker, inside):
    @like_pytorch
    def program(torch):
        x = made_inside(torch)
        with torch.inference_mode(inside):
            y = MAKERS[maker](torch, x)
        return y.is_inference(), y._is_view(), y.requires_grad, y.is_leaf, y.grad_fn

    program()


WRITES = {
    "add_": lambda torch, z: z.add_(1),
    "copy_": lambda torch, z: z.copy_(torch.zeros(2)),
    "copy_ of a leaf": lambda torch, z: z.copy_(leaf(torch)),
    "zero_": lambda torch, z: z.zero_(),
    "an item": lambda torch, z: z.__setitem__(0, 5.0),
    "a view": lambda torch, z: z[:1].mul_(3),
    "out=": lambda torch, z: torch.add(torch.ones(2), torch.ones(2), out=z),
    "requires_grad_": lambda torch, z: z.requires_grad_(),
    "requires_grad": lambda torch, z: setattr(z, "requires_grad", True),
    "requires_grad_(False)": lambda torch, z: z.requires_grad_(False),
    "_version": lambda torch, z: z._version,
    "detach_": lambda torch, z: z.detach_(),
    "data": lambda torch, z: setattr(z, "data", torch.zeros(2)),
    "resize_": lambda torch, z: z.resize_(1),
    "grad": lambda torch, z: setattr(z, "grad", torch.zeros(2)),
    "with a leaf": lambda torch, z: z.mul_(leaf(torch)),
    "item": lambda torch, z: z.sum().item(),
    "t_": lambda torch, z: z.t_(),
    "relu_": lambda torch, z: torch.nn.functional.relu_(z) if hasattr(torch, "relu_") else z,
}


@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("inside", [False, True])
def test_writing_to_an_inference_tensor(write, inside):
    @like_pytorch
    def program(torch):
        z = made_inside(torch)
        with torch.inference_mode(inside):
            WRITES[write](torch, z)
        return z.detach()

    program()


USES = {
    "sum": lambda torch, x, z: x + z,
    "product": lambda torch, x, z: x * z,
    "product with itself": lambda torch, x, z: z * z,
    "matmul": lambda torch, x, z: x @ z,
    "stack": lambda torch, x, z: torch.stack([x, z]),
    "where": lambda torch, x, z: torch.where(z > 0, x, z),
    "copy into a normal tensor": lambda torch, x, z: torch.zeros(2).copy_(z),
    "written into a graph": lambda torch, x, z: (x * 1).add_(z),
    "multiplied into a graph": lambda torch, x, z: (x * 1).mul_(z),
    "a clone": lambda torch, x, z: x * z.clone(),
    "index": lambda torch, x, z: x[z.long() - 1],
    "pow": lambda torch, x, z: x**z,
    "exp": lambda torch, x, z: z.exp(),
}


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("grad", [False, True])
def test_an_inference_tensor_in_a_graph(use, grad):
    @like_pytorch
    def program(torch):
        z = made_inside(torch)
        x = leaf(torch)
        with torch.set_grad_enabled(grad):
            y = USES[use](torch, x, z)
        if y.requires_grad:
            y.sum().backward()
        return y, y.is_inference(), x.grad

    program()


@like_pytorch
def test_a_leaf_made_inside_does_not_record(torch):
    with torch.inference_mode():
        z = torch.ones(2, requires_grad=True)
        inside = (z * 2).requires_grad
    return z.requires_grad, z.is_leaf, inside, z.exp().requires_grad


@like_pytorch
def test_backward_from_a_leaf_made_inside(torch):
    with torch.inference_mode():
        z = torch.ones(2, requires_grad=True)
    z.sum().backward()


@like_pytorch
def test_writing_inside_to_a_normal_tensor(torch):
    x = torch.ones(2)
    with torch.inference_mode():
        x.add_(1)
        version = x._version
        y = x.mul_(2)
    return x, version, x._version, x.is_inference(), y is x


@like_pytorch
def test_writing_inside_to_a_leaf(torch):
    x = leaf(torch)
    with torch.inference_mode():
        x.add_(1)
    return x, x._version


@like_pytorch
def test_a_graph_notices_what_was_written_inside(torch):
    x = leaf(torch)
    y = x * 1
    z = y * y
    with torch.inference_mode():
        y.add_(1)
    z.sum().backward()


@pytest.mark.parametrize("kind", ["leaf", "result", "constant"])
def test_writing_outside_to_a_view_made_inside(kind):
    @like_pytorch
    def program(torch):
        x = {"leaf": leaf(torch), "result": leaf(torch) * 1, "constant": torch.ones(2)}[kind]
        with torch.inference_mode():
            v = x[:1]
        v.add_(1)
        return x, v

    program()


@like_pytorch
def test_a_custom_function_cannot_save_it(torch):
    class Product(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a, b):
            ctx.save_for_backward(a, b)
            return a * b

        @staticmethod
        def backward(ctx, grad):
            return grad, grad

    Product.apply(leaf(torch), made_inside(torch))


@like_pytorch
def test_inside_a_custom_function_records_nothing(torch):
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a):
            return a * 2

        @staticmethod
        def backward(ctx, grad):
            return grad * 2

    with torch.inference_mode():
        y = Double.apply(leaf(torch))
    return y.is_inference(), y.requires_grad, y


@pytest.mark.parametrize("form", ["bare", "called", "false"])
def test_the_decorator(form):
    @like_pytorch
    def program(torch):
        def run(x):
            return x * 2

        if form == "bare":
            run = torch.inference_mode(run)
        elif form == "called":
            run = torch.inference_mode()(run)
        else:
            run = torch.inference_mode(mode=False)(run)
        y = run(leaf(torch))
        return y.is_inference(), y.requires_grad, run.__name__, torch.inference_mode().mode

    program()


@pytest.mark.parametrize("mode", [3, "text", None])
def test_a_mode_that_is_no_bool(mode):
    @like_pytorch
    def program(torch):
        with torch.inference_mode(mode):
            return torch.is_inference_mode_enabled()

    program()


@like_pytorch
def test_the_mode_belongs_to_the_thread(torch):
    seen = []
    with torch.inference_mode():
        thread = threading.Thread(target=lambda: seen.append(torch.is_inference_mode_enabled()))
        thread.start()
        thread.join()
    return seen


@like_pytorch
def test_backward_inside(torch):
    x = leaf(torch)
    y = (x * x).sum()
    with torch.inference_mode():
        y.backward()
    return x.grad, x.grad.is_inference()


@like_pytorch
def test_increment_version(torch):
    z = made_inside(torch)
    torch.autograd.graph.increment_version(z)


@like_pytorch
def test_nothing_is_detached_in_place(torch):
    product, view = leaf(torch) * 2, torch.ones(3, 2)[0]
    with torch.inference_mode():
        made = torch.ones(3, 2)[0]
        for t in (product, view, made):
            assert t.detach_() is t
        return [
            (t.requires_grad, t.grad_fn is None, t._base is None) for t in (product, view, made)
        ]


@like_pytorch
def test_enable_grad_in_inference_mode_records_nothing(torch):
    x = torch.ones(3, requires_grad=True)
    with torch.inference_mode(), torch.enable_grad():
        made = [x * 2, x.view(3, 1), torch.cat([x, x]), torch.nn.functional.linear(x, x.view(1, 3))]
        found = [(t.requires_grad, t.grad_fn, t.is_inference()) for t in made]
        return found, torch.is_grad_enabled(), torch.is_inference_mode_enabled()
