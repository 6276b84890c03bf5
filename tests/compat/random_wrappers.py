"""The beginning of every program of random transforms: functions that transforms go through, and `Function`s."""

PRELUDE = """
import copy

F = torch.nn.functional
fa = torch.autograd.functional
forward_ad = torch.autograd.forward_ad
torch.manual_seed(0)
log = []


def sample(shape, start, dtype="float64"):
    values = torch.arange(torch.Size(shape).numel(), dtype=torch.float64).mul(0.7).add(start).sin().mul(2)
    return values.reshape(shape).to(getattr(torch, dtype))


def laid(t, layout):
    if layout == "transposed" and t.dim() > 1:
        return t.mT.contiguous().mT
    if layout == "strided":
        return torch.stack([t, t + 1], -1)[..., 0]
    return t.narrow(0 if layout == "rows" else -1, 0, 1).expand(t.shape) if t.numel() else t


def note(t):
    log.append((tuple(t.shape), str(t.dtype), t.requires_grad, t.dim()))


def cond(x):
    return torch.sin(x) if x.dim() else torch.cos(x)


def first(out):
    return out[0] if isinstance(out, tuple) else out


def leaves(out):
    if isinstance(out, dict):
        out = list(out.values())
    if isinstance(out, (tuple, list)):
        return [leaf for part in out for leaf in leaves(part)]
    return [out]


def weighed(t):
    t = t.abs() if t.is_complex() else t
    return (t * t).sum() / 2 + t.sum()


def total(f):
    return lambda *xs: sum(weighed(t) for t in leaves(f(*xs)))


def with_aux(f):
    return lambda *xs: (f(*xs), xs[0] * 2)


def total_and_out(f):
    def g(*xs):
        out = f(*xs)
        return sum(weighed(t) for t in leaves(out)), out

    return g


def mapped(f, tree):
    if isinstance(tree, (tuple, list)):
        return type(tree)(mapped(f, t) for t in tree)
    return {k: mapped(f, t) for k, t in tree.items()} if isinstance(tree, dict) else f(tree)


def pulled(f):
    def g(*xs):
        out, back = torch.func.vjp(f, *xs)
        return back(mapped(torch.cos, out))

    return g


def pulled_aux(f):
    def g(*xs):
        out, back, aux = torch.func.vjp(with_aux(f), *xs, has_aux=True)
        return out, back(mapped(torch.ones_like, out)), aux

    return g


def pushed(f):
    return lambda *xs: torch.func.jvp(f, xs, tuple(x.cos() for x in xs))


def pushed_first(f):
    return lambda *xs: torch.func.jvp(lambda x: f(x, *xs[1:]), xs[:1], (torch.ones_like(xs[0]),))[1]


def pushed_aux(f):
    return lambda *xs: torch.func.jvp(with_aux(f), xs, tuple(x.cos() for x in xs), has_aux=True)


def linearized(f):
    def g(*xs):
        out, forward = torch.func.linearize(f, *xs)
        return out, forward(*[x.cos() for x in xs])

    return g


def dual(f):
    def g(*xs):
        with forward_ad.dual_level():
            out = f(*[forward_ad.make_dual(x, x.cos()) for x in xs])
            return [tuple(forward_ad.unpack_dual(t)) for t in leaves(out)]

    return g


def dual_first(f):
    def g(*xs):
        with forward_ad.dual_level():
            out = f(forward_ad.make_dual(xs[0], torch.ones_like(xs[0])), *xs[1:])
            return [forward_ad.unpack_dual(t).tangent for t in leaves(out)]

    return g


class Module(torch.nn.Module):
    def __init__(self, f):
        super().__init__()
        self.f = f
        self.weight = torch.nn.Parameter(torch.ones(3, dtype=torch.float64))
        self.register_buffer("shift", torch.zeros(3, dtype=torch.float64))

    def forward(self, *xs):
        return self.f(self.weight, *xs) if xs else self.f(self.weight)


def called(f):
    module = Module(f)
    return lambda *xs: torch.func.functional_call(module, {"weight": xs[0]}, xs[1:])


def called_strict(f):
    module = Module(f)
    return lambda *xs: torch.func.functional_call(module, {"weight": xs[0]}, xs[1:], strict=True)


def taped(f, **options):
    def g(*xs):
        xs = [x.detach().requires_grad_() for x in xs]
        return torch.autograd.grad(total(f)(*xs), xs, **options)

    return g


def graphed(f, **options):
    return lambda *xs: torch.autograd.grad(total(f)(*xs), xs, create_graph=True, **options)


def batched_grads(f, **options):
    def g(*xs):
        xs = [x.detach().requires_grad_() for x in xs]
        out = leaves(f(*xs))[0]
        rows = torch.stack([out.detach().cos(), torch.ones_like(out)])
        return torch.autograd.grad(out, xs, rows, is_grads_batched=True, **options)

    return g


def cotangents(f, xs):
    out = f(*xs)
    return tuple(t.detach().cos() for t in out) if isinstance(out, tuple) else out.detach().cos()


def packed(f):
    return lambda xs: f(*xs)


def unpacked(f):
    return lambda *xs: f(xs)


def named(f):
    return lambda d: f(*d.values())


def unnamed(f):
    return lambda *xs: f({f"k{i}": x for i, x in enumerate(xs)})


def ungraded(f):
    def g(*xs):
        with torch.no_grad():
            return f(*xs)

    return g


class Cube(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x * x * x

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(inputs[0])
        ctx.save_for_forward(inputs[0])

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * 3 * x * x

    @staticmethod
    def jvp(ctx, tangent):
        (x,) = ctx.saved_tensors
        return tangent * 3 * x * x


class Staged(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return x.sin(), x.cos()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.mark_non_differentiable(output[1])
        ctx.save_for_backward(output[1])

    @staticmethod
    def backward(ctx, grad, unused):
        return grad * ctx.saved_tensors[0]

    @staticmethod
    def vmap(info, in_dims, x):
        return Staged.apply(x), (in_dims[0], in_dims[0])


class Batched(torch.autograd.Function):
    @staticmethod
    def forward(x, y):
        return x * y

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)

    @staticmethod
    def backward(ctx, grad):
        x, y = ctx.saved_tensors
        return (grad * y).sum_to_size(x.shape), (grad * x).sum_to_size(y.shape)

    @staticmethod
    def jvp(ctx, dx, dy):
        x, y = ctx.saved_tensors
        return dx * y + x * dy

    @staticmethod
    def vmap(info, in_dims, x, y):
        log.append((info.batch_size, info.randomness, in_dims))
        x = x.movedim(in_dims[0], 0) if in_dims[0] is not None else x.expand(info.batch_size, *x.shape)
        y = y.movedim(in_dims[1], 0) if in_dims[1] is not None else y.expand(info.batch_size, *y.shape)
        return Batched.apply(x, y), 0


class Generated(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x, y):
        return x.sin() * y

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
        ctx.set_materialize_grads(False)

    @staticmethod
    def backward(ctx, grad):
        x, y = ctx.saved_tensors
        left = (grad * x.cos() * y).sum_to_size(x.shape) if ctx.needs_input_grad[0] else None
        return left, (grad * x.sin()).sum_to_size(y.shape) if ctx.needs_input_grad[1] else None


class Doubled(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x.mul_(2)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.mark_dirty(inputs[0])

    @staticmethod
    def backward(ctx, grad):
        return grad * 2


class Pair(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x * 2, x.exp()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output[1])

    @staticmethod
    def backward(ctx, a, b):
        return a * 2 + b * ctx.saved_tensors[0]


class Old(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, grad):
        return grad * 2 * ctx.saved_tensors[0]


class NoVmap(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return x.exp()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output)

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.saved_tensors[0]
"""
