"""Hooks on saved tensors, and contexts that decide how they are kept; PyTorch is the oracle."""

import threading

import pytest

from tests.both import like_pytorch

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
def test_hooks_see_all_that_is_saved(torch):
    log = []
    x = leaf(torch)
    with torch.autograd.graph.saved_tensors_hooks(*noting(log, "h")):
        y = (x * x).exp() * 3
        z = y.sum()
    packed = len(log)
    z.backward()
    return packed, log, x.grad


@like_pytorch
def test_the_inner_hooks_win(torch):
    log = []
    x = leaf(torch)
    hooks = torch.autograd.graph.saved_tensors_hooks
    with hooks(*noting(log, "outer")):
        y = x.exp()
        with hooks(*noting(log, "inner")):
            y = y.sin()
        y = y.cos()
    y.sum().backward()
    return log, x.grad


@like_pytorch
def test_hooks_may_keep_anything(torch):
    x = leaf(torch)

    def pack(tensor):
        return tensor.numpy() * 2, "text"

    def unpack(packed):
        return torch.tensor(packed[0])

    with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
        y = (x * x).sum()
    y.backward()
    return x.grad


@like_pytorch
def test_second_derivative_through_hooks(torch):
    log = []
    x = leaf(torch)
    with torch.autograd.graph.saved_tensors_hooks(*noting(log, "h")):
        y = (x * x).exp()
        (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
        (g2,) = torch.autograd.grad(g.sum(), x)
    # which operand of a product is packed first is not behaviour
    values = sorted(sum(entry[2]) for entry in log if entry[0] == "pack")
    return values, len(log), g, g2


@like_pytorch
def test_second_derivative_through_hooks_that_copy(torch):
    x = leaf(torch)
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t.clone(), lambda t: t.clone()):
        y = (x * x).exp() * x
    (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    return g, torch.autograd.grad(g.sum(), x)


@like_pytorch
def test_what_a_pack_hook_is_given(torch):
    seen = []
    x = leaf(torch)

    def pack(t):
        seen.append(
            (t.requires_grad, t.is_leaf, t is x, torch.is_grad_enabled(), t.grad_fn is None)
        )
        return t

    with torch.autograd.graph.saved_tensors_hooks(pack, same):
        (x * x).exp() * torch.ones(2)
    return seen


@like_pytorch
def test_a_pack_hook_must_not_write(torch):
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t.mul_(2), same):
        leaf(torch).exp()


def fail(value):
    raise ValueError("nope")


@like_pytorch
def test_a_pack_hook_that_raises(torch):
    with torch.autograd.graph.saved_tensors_hooks(fail, same):
        leaf(torch) * leaf(torch)


@like_pytorch
def test_an_unpack_hook_that_raises(torch):
    x = leaf(torch)
    with torch.autograd.graph.saved_tensors_hooks(same, fail):
        y = x * x
    errors = []
    for use in (lambda: y.sum().backward(), lambda: y.grad_fn._saved_self):
        try:
            use()
        except ValueError as error:
            errors.append(str(error))
    return errors, x.grad


@pytest.mark.parametrize("unpacked", [5, None, "text", [1.0]])
def test_an_unpack_hook_must_give_a_tensor(unpacked):
    @like_pytorch
    def program(torch):
        x = leaf(torch)
        with torch.autograd.graph.saved_tensors_hooks(same, lambda packed: unpacked):
            y = x * x
        y.sum().backward()

    program()


@pytest.mark.parametrize("dtype", ["float64", "int64"])
def test_an_unpack_hook_may_give_another_dtype(dtype):
    @like_pytorch
    def program(torch):
        x = leaf(torch)
        with torch.autograd.graph.saved_tensors_hooks(
            lambda t: t.detach(), lambda t: t.to(getattr(torch, dtype))
        ):
            y = x * x
        y.sum().backward()
        return x.grad

    program()


@like_pytorch
def test_saved_tensors_of_a_list(torch):
    log = []
    x, w = leaf(torch), leaf(torch)
    with torch.autograd.graph.saved_tensors_hooks(*noting(log, "h")):
        y = torch.cat([x, w, x * w])[torch.tensor([0, 3, 4])]
    y.sum().backward()
    return log, x.grad, w.grad


@like_pytorch
def test_hooks_and_writing_in_place(torch):
    log = []
    x = leaf(torch)
    with torch.autograd.graph.saved_tensors_hooks(*noting(log, "h")):
        y = x * 1
        z = y * y
        y.mul_(3)
        y[:1].exp_()
    (z.sum() + y.sum()).backward()
    return log, x.grad


@like_pytorch
def test_writing_after_packing_is_not_noticed(torch):
    x = leaf(torch)
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t.clone(), same):
        y = x * 1
        z = y * y
    y.add_(5)
    z.sum().backward()
    return x.grad


@like_pytorch
def test_hooks_are_not_called_without_recording(torch):
    log = []
    with torch.autograd.graph.saved_tensors_hooks(*noting(log, "h")):
        torch.ones(2).exp()
        with torch.no_grad():
            leaf(torch).exp()
    return log


@like_pytorch
def test_a_custom_function_under_hooks(torch):
    log = []

    class Mix(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x.exp()
            ctx.save_for_backward(x, None, y, x * 2)
            return y

        @staticmethod
        def backward(ctx, grad):
            x, nothing, y, z = ctx.saved_tensors
            log.append((nothing, x.requires_grad, y.requires_grad, z.requires_grad))
            return grad * y

    x = leaf(torch)
    with torch.autograd.graph.saved_tensors_hooks(*noting(log, "h")):
        y = Mix.apply(x)
    y.sum().backward()
    return log, x.grad


@like_pytorch
def test_hooks_belong_to_the_thread(torch):
    log = []
    x = leaf(torch)

    def work():
        x.exp()

    with torch.autograd.graph.saved_tensors_hooks(*noting(log, "h")):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    return log


@like_pytorch
def test_disabled_hooks(torch):
    graph = torch.autograd.graph
    texts = []
    with graph.disable_saved_tensors_hooks("first"):
        with graph.disable_saved_tensors_hooks("second"):
            try:
                with graph.saved_tensors_hooks(same, same):
                    pass
            except RuntimeError as error:
                texts.append(str(error))
        try:
            with graph.save_on_cpu():
                pass
        except RuntimeError as error:
            texts.append(str(error))
    with graph.saved_tensors_hooks(same, same):
        try:
            with graph.disable_saved_tensors_hooks("third"):
                pass
        except RuntimeError as error:
            texts.append(str(error))
        leaf(torch).exp()
    return texts


@pytest.mark.parametrize("hooks", [(1, 2), (same, 2), (None, None)])
def test_hooks_must_be_callable(hooks):
    @like_pytorch
    def program(torch):
        torch.autograd.graph.saved_tensors_hooks(*hooks).__enter__()

    program()


@like_pytorch
def test_the_context_is_usable_again(torch):
    log = []
    x = leaf(torch)
    context = torch.autograd.graph.saved_tensors_hooks(*noting(log, "h"))
    for _ in range(2):
        with context:
            x.exp()
    x.exp()
    return log


@pytest.mark.parametrize("pin", [False, True])
def test_save_on_cpu(pin):
    @like_pytorch
    def program(torch):
        x = leaf(torch)
        with torch.autograd.graph.save_on_cpu(pin_memory=pin):
            y = x * 1
            z = (y * y).exp()
        y.add_(1)
        z.sum().backward()
        return x.grad

    program()


@like_pytorch
def test_hooks_that_a_backward_enters_are_left_with_it(torch):
    class Entering:
        def __init__(self):
            self.context = torch.autograd.graph.saved_tensors_hooks(same, self.unpack)

        def unpack(self, packed):
            self.context.__enter__()
            return packed

    outer = torch.autograd.graph.saved_tensors_hooks(same, same)
    entering = Entering()
    x = leaf(torch)
    with outer, entering.context:
        x.sin().sum().backward()
        torch.autograd.grad(x.sin().sum(), x)
    return x.grad, torch._C._autograd._top_saved_tensors_default_hooks(True) is None


@like_pytorch
def test_inputs_are_packed_before_the_operator_runs_and_results_afterwards(torch):
    log = []

    class Noting(torch.utils._python_dispatch.TorchDispatchMode):
        def __torch_dispatch__(self, function, types, args=(), kwargs=None):
            log.append(str(function))
            return function(*args, **(kwargs or {}))

    def pack(tensor):
        log.append(tuple(tensor.shape))
        return tensor

    x = torch.tensor([[1.0, 2.0], [3.0, 5.0]], requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(pack, same), Noting():
        torch.cat([(x * x).exp(), x.clone().sin_()])
        torch.linalg.svd(x / 2)
        x.max(0)
    return log


@like_pytorch
def test_an_operator_whose_input_cannot_be_packed_does_not_run(torch):
    def refuse(tensor):
        raise RuntimeError("not this one")

    x = leaf(torch)
    ran = []
    before = torch.autograd._get_sequence_nr()

    class Noting(torch.utils._python_dispatch.TorchDispatchMode):
        def __torch_dispatch__(self, function, types, args=(), kwargs=None):
            ran.append(str(function))
            return function(*args, **(kwargs or {}))

    with torch.autograd.graph.saved_tensors_hooks(refuse, same), Noting():
        with pytest.raises(RuntimeError, match="not this one"):
            x * x
        with pytest.raises(RuntimeError, match="not this one"):
            x.exp()
    return ran, torch.autograd._get_sequence_nr() - before
