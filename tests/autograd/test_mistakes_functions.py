"""What a `Function` of the user's, hooks and attributes of tensors say of a mistake, beside PyTorch."""

import pytest

from tests.both import compare
from tests.mistakes import check_mistake, mistakes, named

PRELUDE = """
import functools, importlib

old = importlib.import_module(torch.__name__ + ".autograd._functions.tensor")

F, FA = torch.autograd.Function, torch.autograd.forward_ad

def leaf():
    return torch.tensor([1.0, 2.0, 3.0], requires_grad=True)

x, ones = leaf(), torch.ones(3)
plain = dict(forward=lambda ctx, a: a * 2, backward=lambda ctx, g: g * 2)
with_setup = dict(forward=lambda a: a * 2, setup_context=lambda ctx, inputs, output: None)

def f(flags={}, **methods):
    return type("Mine", (F,), {**{name: staticmethod(m) for name, m in methods.items()}, **flags})

def run(**methods):
    result = f(**{**plain, **methods}).apply(x)
    (result[0] if isinstance(result, tuple) else result).sum().backward()

def forward(do):
    "A call whose forward does something with the ctx."
    run(forward=lambda ctx, a: (do(ctx, a), a * 2)[1])

def backward(do):
    "A call whose backward does something with the ctx."
    run(
        forward=lambda ctx, a: (ctx.save_for_backward(a), a * 2)[1],
        backward=lambda ctx, g: (do(ctx), g)[1],
    )

def flagged(**flags):
    def saved_twice(ctx, g):
        ctx.saved_tensors
        ctx.saved_tensors
        return g

    mine = f(flags, forward=lambda ctx, a: a * 2, backward=saved_twice)
    mine.apply(x).sum().backward()

def tangents(jvp, forward=lambda ctx, a: a * 2):
    with FA.dual_level():
        dual = FA.make_dual(torch.ones(3), torch.ones(3))
        result = f(forward=forward, jvp=jvp).apply(dual)
        return [FA.unpack_dual(r).tangent for r in (result if type(result) is tuple else (result,))]

def double(ctx, a):
    ctx.mark_dirty(a)
    return a.mul_(2)

def not_differentiable(ctx, a):
    b = a.int()
    ctx.mark_non_differentiable(b)
    return a * 2, b

def by_rule(rule):
    return torch.func.vmap(f(vmap=rule, **with_setup).apply)(x)

def hooked(hook, on=lambda y: y.register_hook):
    y = x * 2
    on(y)(hook)
    y.sum().backward()

def on_node(hook):
    hooked(hook, lambda y: y.grad_fn.register_hook)

def before_node(hook):
    hooked(hook, lambda y: y.grad_fn.register_prehook)

def after_leaf(hook):
    x.register_post_accumulate_grad_hook(hook)
    x.sum().backward()

def made_in(context, make):
    with context():
        return make()
"""

CONTEXT = r"""
forward(lambda ctx, a: ctx.save_for_forward(3))
forward(lambda ctx, a: ctx.save_for_backward(3))
forward(lambda ctx, a: ctx.save_for_backward(a, "b"))
forward(lambda ctx, a: ctx.save_for_backward([a]))
forward(lambda ctx, a: ctx.mark_dirty(3))
forward(lambda ctx, a: ctx.mark_dirty([a]))
forward(lambda ctx, a: ctx.mark_dirty(a))
forward(lambda ctx, a: ctx.mark_non_differentiable(3))
forward(lambda ctx, a: ctx.set_materialize_grads("a"))
forward(lambda ctx, a: ctx.set_materialize_grads(0))
forward(lambda ctx, a: ctx.mark_shared_storage((a, a)))
forward(lambda ctx, a: setattr(ctx, "to_save", [a]))
forward(lambda ctx, a: setattr(ctx, "dirty_tensors", [a]))
forward(lambda ctx, a: setattr(ctx, "non_differentiable", [a]))
forward(lambda ctx, a: setattr(ctx, "materialize_grads", 3))
forward(lambda ctx, a: setattr(ctx, "_is_pure_view", 3))
forward(lambda ctx, a: ctx._register_hook_dict(3))
f(**{**plain, "forward": lambda ctx, a: setattr(ctx, "to_save", 3)}).apply(ones)
backward(lambda ctx: ctx.nothing)
backward(lambda ctx: ctx.saved_variables)
flagged(clear_saved_tensors_on_access=3)
flagged(clear_saved_tensors_on_access=True)
flagged(boxed_grads_call=3)
flagged(boxed_grads_call="")
"""

RESULTS = r"""
run(backward=lambda ctx, g: (g, g))
run(backward=lambda ctx, g: ())
run(backward=lambda ctx, g: 3)
run(backward=lambda ctx, g: [g])
run(backward=lambda ctx, g: torch.ones(7))
run(vjp=lambda ctx, g: g)
f(forward=lambda ctx, a, b: a * b, backward=lambda ctx, g: g).apply(x, x).sum().backward()
f(forward=lambda ctx, a, b: a * b, backward=lambda ctx, g: (g, g)).apply(x, 3).sum().backward()
f(forward=lambda ctx, a: a * 2).apply(x).sum().backward()
f().apply(x)
f(forward=lambda a: a, setup_context=lambda ctx, i, o: ctx.save_for_backward(*i), backward=None).apply(x)
run(forward=double)
f(**{**plain, "forward": double}).apply(x[:2])
f(**{**plain, "forward": lambda ctx, a: (ctx.mark_dirty(a.mul_(2)), a * 2)[1]}).apply(x * 1)
f(**{**plain, "forward": lambda ctx, a: (ctx.mark_dirty(a.mul_(2)), (a, a * 2))[1]}).apply((x * 1)[:2])
f(**{**plain, "forward": lambda ctx, a: a.view(3)}).apply(x * 1).mul_(2)
f(**{**plain, "forward": lambda ctx, a: a}).apply(x * 1).mul_(2)
y = x * 1;; z = f(forward=lambda c, a: (c.save_for_backward(a), a * 2)[1], backward=lambda c, g: c.saved_tensors[0]).apply(y);; y.mul_(2);; z.sum().backward()
y = f(forward=lambda c, a: (c.save_for_backward(a), a * 2)[1], backward=lambda c, g: g).apply(x);; y.sum().backward();; y.grad_fn.saved_tensors
y = f(forward=lambda c, a: (c.save_for_backward(a), a * 2)[1], backward=lambda c, g: c.saved_tensors[0]).apply(x);; y.sum().backward();; y.sum().backward()
f(forward=lambda ctx, a, b: (setattr(ctx, "_is_pure_view", True), a.view(3))[1]).apply(ones, ones)
f(forward=lambda ctx, a: (setattr(ctx, "_is_pure_view", True), (a, a.view(3)))[1]).apply(x)
F.forward(None)
F.setup_context(None, None, None)
F.backward(None)
F.vjp(None)
F.jvp(None)
F.vmap(None, None)
f(**plain)() and None
f(**plain)()(x)
list(torch.autograd.function._iter_tensors(3))
list(torch.autograd.function._iter_tensors([ones, (None, {"a": "text"})]))
list(torch.autograd.function._iter_None_tensors([None, 3.5]))
torch.autograd.function._map_tensor_data([ones, {"a": 3}])
list(torch.autograd.function._iter_filter(lambda v: False)([3]))
old.Resize.apply(x, (7,))
old.Type.apply(x, "torch.AbacusTensor")
old.Type.apply(ones, "torch.DoubleTensor").dtype == torch.float64
torch.autograd.function.NestedIOFunction.save_for_backward(f(), 3)
torch.autograd.function.NestedIOFunction.mark_dirty(f(), [3])
torch.autograd.function.NestedIOFunction.mark_non_differentiable(f(), a=3)
torch.autograd.function.NestedIOFunction.forward_extended(None)
torch.autograd.function.NestedIOFunction.backward_extended(None)
"""

FORWARD_MODE = r"""
tangents(F.jvp)
tangents(lambda ctx, v: 3)
tangents(lambda ctx, v: (v, v))
tangents(lambda ctx, v: ())
tangents(lambda ctx, v: torch.ones(7))
tangents(lambda: None)
tangents(lambda ctx, v: (v, v), not_differentiable)
tangents(lambda ctx, v: v * 1, lambda ctx, a: a)
tangents(lambda ctx, v: v * 1, lambda ctx, a: a.view(3))
tangents(lambda ctx, v: torch.ones(3).view(3), lambda ctx, a: a.view(3))
tangents(lambda ctx, v: v, double)
tangents(lambda ctx, v: v * 2, double)
tangents(lambda ctx, v: v.view(3), double)
tangents(lambda ctx, v: None, double)
tangents(lambda ctx, v: (v.mul_(2), None)[1], double)
tangents(lambda ctx, v: (v.mul_(2), v * 1)[1], double)
tangents(lambda ctx, v: (v.mul_(2), v.view(3))[1], double)
tangents(lambda ctx, v: (v * 1).mul_(2), double)
tangents(lambda ctx, v: v * 2, lambda ctx, a: double(ctx, a * 1))
"""

TRANSFORMS = r"""
torch.func.vmap(f(**with_setup).apply)(x)
torch.func.vmap(f(**plain).apply)(x)
torch.func.grad(lambda a: f(**plain).apply(a).sum())(x)
torch.func.vmap(f({"generate_vmap_rule": True}, vmap=lambda info, dims, a: (a, 0), **with_setup).apply)(x)
by_rule(lambda info, dims, a: None)
by_rule(lambda info, dims, a: (1, 2, 3))
by_rule(lambda info, dims, a: (a, (0, 0)))
by_rule(lambda info, dims, a: (a * 2, "a"))
by_rule(lambda info, dims, a: (a * 2, 1))
by_rule(lambda info, dims, a: (a * 2, 5))
by_rule(lambda info, dims, a: (a * 2, -7))
by_rule(lambda info, dims, a: (a.expand(2, 3), 5))
"""

HOOKS = r"""
ones.register_hook(lambda g: g)
hooked(lambda g: 3)
hooked(lambda g: torch.ones(7))
hooked(lambda g: g.to("meta"))
hooked(lambda: 3)
hooked(3)
on_node(lambda *given: 3)
on_node(lambda *given: given[0][0])
on_node(lambda *given: (3,))
on_node(lambda *given: (None,) * 5)
on_node(lambda *given: ())
on_node(lambda *given: [given[0][0]])
on_node(lambda: None)
before_node(lambda given: 3)
before_node(lambda given: (3,))
before_node(lambda given: (None,) * 5)
before_node(lambda given: [given[0]])
before_node(lambda: None)
ones.register_post_accumulate_grad_hook(print)
(x * 2).register_post_accumulate_grad_hook(print)
after_leaf(lambda p: 3)
after_leaf(lambda: None)
after_leaf(3)
"""

ATTRIBUTES = r"""
torch.Tensor._make_subclass(3, ones)
torch.Tensor._make_subclass(torch.Tensor, 3, 3)
torch.Tensor._make_subclass(torch.Tensor, ones, 3)
torch.nn.Parameter(3)
torch.nn.Parameter(ones, None)
torch.nn.Parameter(ones.int())
delattr(x, "grad_fn")
delattr(x, "_backward_hooks")
delattr(x, "_post_accumulate_grad_hooks")
delattr(x, "data")
setattr(x, "grad_fn", 3)
setattr(x, "_grad_fn", 3)
setattr(x, "_grad_fn", (x * 2).grad_fn)
setattr(x, "grad", 3)
setattr(x, "grad", x)
setattr(x, "grad", torch.ones(7))
setattr(x, "grad", torch.ones(3).double())
setattr(x, "grad", torch.ones(3, device="meta"))
setattr(x, "data", 3)
setattr(x, "data", ones.int())
setattr(x, "requires_grad", 3)
setattr(x * 2, "requires_grad", False)
setattr(x * 2, "grad_dtype", None)
(x * 2).grad
(x * 2).grad_dtype
ones.int().requires_grad_()
ones.requires_grad_(3)
ones.retain_grad()
x.map_(x, print)
x.map2_(x, x, print)
x.apply_(print)
x.numpy()
x.mul_(2)
x[:2].mul_(2)
(x * 1)[:2].detach_()
y = x * 1;; z = y.exp();; w = z * z;; z.detach_();; w.sum().backward()
y = x * 1;; made_in(torch.no_grad, lambda: y[:2]).mul_(2)
y = x * 1;; made_in(torch.inference_mode, lambda: y[:2]).mul_(2)
(x * 1).unbind()[0].mul_(2)
made_in(torch.inference_mode, lambda: torch.ones(3)) * x
made_in(torch.inference_mode, lambda: torch.ones(3)).mul_(2)
made_in(torch.inference_mode, lambda: torch.ones(3))._version
made_in(torch.inference_mode, lambda: torch.ones(3)).requires_grad_()
y = x * 1;; z = y * y;; y.mul_(2);; z.sum().backward()
"""


@pytest.mark.parametrize(
    "mistake",
    mistakes(PRELUDE, CONTEXT + RESULTS + FORWARD_MODE + TRANSFORMS + HOOKS + ATTRIBUTES),
    ids=named,
)
def test_a_mistake_raises_as_in_pytorch(mistake):
    check_mistake(mistake)


FORWARDS = {
    "a": lambda ctx, a: 1,
    "a, b": lambda ctx, a, b: (a, b),
    "a, b=2": lambda ctx, a, b=2: (a, b),
    "a, *c": lambda ctx, a, *c: (a, c),
    "a, **k": lambda ctx, a, **k: (a, sorted(k)),
    "a, *, k": lambda ctx, a, *, k: (a, k),
    "a, *, k=1": lambda ctx, a, *, k=1: (a, k),
    "a, /, b": lambda ctx, a, /, b: (a, b),
    "b=1, c=2": lambda ctx, b=1, c=2: (b, c),
    "a builtin": len,
}
CALLS = {
    "": lambda f: f(),
    "1, 2, 3": lambda f: f(1, 2, 3),
    "a=1": lambda f: f(a=1),
    "b=3": lambda f: f(b=3),
    "c=3": lambda f: f(c=3),
    "k=5": lambda f: f(k=5),
    "1, a=1": lambda f: f(1, a=1),
    "1, b=3": lambda f: f(1, b=3),
    "1, k=5": lambda f: f(1, k=5),
    "1, ctx=3": lambda f: f(1, ctx=3),
    "a=1, b=2": lambda f: f(a=1, b=2),
    "1, 2, 3, b=4": lambda f: f(1, 2, 3, b=4),
}


@pytest.mark.parametrize("forward", FORWARDS)
@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("setup", [False, True])
def test_arguments_are_bound_as_pytorch_binds_them(forward, call, setup):
    def program(torch):
        members = {"forward": staticmethod(FORWARDS[forward])}
        if setup:
            members["setup_context"] = staticmethod(lambda ctx, inputs, output: None)
        return CALLS[call](type("Mine", (torch.autograd.Function,), members).apply)

    compare(program)


def test_walks_through_nested_tensors():
    def program(torch):
        function = torch.autograd.function
        a, b = torch.ones(2, requires_grad=True), torch.zeros(1)
        nested = [a, (None, {"b": b}), "text"]
        mapped = function._map_tensor_data((a, [None, {"b": b}]))
        return (
            list(function._iter_tensors_permissive(nested)),
            list(function._iter_None_tensors(nested[:2])),
            list(function._iter_tensors(nested[:2])),
            [mapped[0].requires_grad, mapped[1]],
            function._unflatten([a, b], [1, (None, 2)]),
            function._unflatten([a, b], 3),
        )

    compare(program)


def test_a_forward_whose_code_is_none():
    class Forward:
        __code__ = 3

        def __call__(self, ctx, a):
            return a

    def program(torch):
        members = {"forward": staticmethod(Forward())}
        return type("Mine", (torch.autograd.Function,), members).apply(a=1)

    compare(program)


def test_a_tangent_of_an_input_that_was_written_to_and_had_none():
    def program(torch):
        class Mine(torch.autograd.Function):
            @staticmethod
            def forward(ctx, a, b):
                ctx.mark_dirty(b)
                return b.mul_(a)

            @staticmethod
            def jvp(ctx, da, db):
                return da * 2

        fw = torch.autograd.forward_ad
        with fw.dual_level():
            b = torch.ones(3)
            result = Mine.apply(fw.make_dual(torch.ones(3), torch.ones(3)), b)
            return fw.unpack_dual(result).tangent, fw.unpack_dual(b).tangent

    compare(program)


@pytest.mark.parametrize("at", [0, 1])
def test_a_tangent_beside_an_output_that_is_no_tensor_is_left_out(at):
    def program(torch):
        class Mine(torch.autograd.Function):
            @staticmethod
            def forward(ctx, a):
                return (3, a * 2) if at == 0 else (a * 2, None)

            @staticmethod
            def jvp(ctx, tangent):
                return tangent * 2, tangent * 2

        fw = torch.autograd.forward_ad
        with fw.dual_level():
            result = Mine.apply(fw.make_dual(torch.ones(3), torch.ones(3)))
            return fw.unpack_dual(result[1 - at]).tangent

    compare(program)
