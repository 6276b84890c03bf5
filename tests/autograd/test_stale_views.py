"""Views whose base was written to, where their own history is not known: refused, as PyTorch does."""

import pytest

from tests.both import like_pytorch

pytestmark = pytest.mark.core


def cut(torch):
    class Cut(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x[:2]

        @staticmethod
        def backward(ctx, grad):
            return torch.cat([grad, grad])

    return Cut


def view(torch, base, kind):
    if kind == "no_grad":
        with torch.no_grad():
            return base[:2]
    if kind == "inference":
        with torch.inference_mode():
            return base[:2]
    return base.split(2)[0] if kind == "several" else cut(torch).apply(base)


USES = {
    "requires_grad": lambda v: v.requires_grad,
    "is_leaf": lambda v: v.is_leaf,
    "grad_fn": lambda v: v.grad_fn and v.grad_fn.name(),
    "in a graph": lambda v: v * 2,
    "written to": lambda v: v.add_(1),
    "detached": lambda v: v.detach(),
    "a hook": lambda v: v.register_hook(print) and None,
    "shown": lambda v: repr(v),
}


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("kind", ["no_grad", "inference", "several", "custom"])
@pytest.mark.parametrize("written", ["recorded", "unrecorded", "not at all"])
def test_a_view_after_its_base_was_written_to(use, kind, written):
    @like_pytorch
    def program(torch):
        x = torch.ones(4, requires_grad=True)
        y = x * 1
        v = view(torch, y, kind)
        if written != "not at all":
            with torch.set_grad_enabled(written == "recorded"):
                y.mul_(2)
        return USES[use](v)

    program()


@pytest.mark.parametrize("kind", ["no_grad", "several", "custom"])
def test_a_dirty_view_in_a_custom_function(kind):
    @like_pytorch
    def program(torch):
        class Double(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.mark_dirty(x)
                return x.mul_(2)

            @staticmethod
            def backward(ctx, grad):
                return grad * 2

        y = torch.ones(4, requires_grad=True) * 1
        Double.apply(view(torch, y, kind))

    program()


@like_pytorch
def test_a_dirty_view_of_a_leaf(torch):
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            return x.mul_(2)

    Double.apply(torch.ones(4, requires_grad=True)[:2])
