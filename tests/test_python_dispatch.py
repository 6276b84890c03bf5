"""``__torch_dispatch__``: modes and classes see the operators that they see in PyTorch."""

import copy
import importlib
import pickle
import warnings

import pytest

import minitorch
from tests.both import compare, like_pytorch, logging_mode


def module(torch, name):
    """A module of the library under test."""
    return importlib.import_module(f"{torch.__name__}.{name}")


def logging_tensor(torch):
    """A class that wraps a tensor and writes down the names of the operators."""

    class LoggingTensor(torch.Tensor):
        log = []
        __slots__ = ["elem"]

        @staticmethod
        def __new__(cls, elem, requires_grad=False):
            self = torch.Tensor._make_wrapper_subclass(
                cls, elem.size(), strides=elem.stride(), storage_offset=elem.storage_offset(),
                dtype=elem.dtype, layout=elem.layout, device=elem.device, requires_grad=requires_grad)  # fmt: skip
            self.elem = elem.detach() if elem.requires_grad else elem
            return self

        def __repr__(self, *, tensor_contents=None):
            return f"LoggingTensor({self.elem})"

        @classmethod
        def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
            tree_map = module(torch, "utils._pytree").tree_map
            cls.log.append(str(func))

            def unwrap(e):
                return e.elem if isinstance(e, cls) else e

            def wrap(e):
                return cls(e) if isinstance(e, torch.Tensor) else e

            return tree_map(wrap, func(*tree_map(unwrap, args), **tree_map(unwrap, kwargs or {})))

    return LoggingTensor


def with_wrapped_parameters(torch, net, wrap):
    for part in net.modules():
        for name, p in list(part._parameters.items()):
            if p is not None:
                part._parameters[name] = torch.nn.Parameter(wrap(p.detach()))
    return net


def mlp(torch, wrap):
    nn = torch.nn
    net = nn.Sequential(nn.Linear(3, 5), nn.ReLU(), nn.Linear(5, 2))
    net = with_wrapped_parameters(torch, net, wrap)
    x, y = wrap(torch.randn(4, 3)), wrap(torch.tensor([0, 1, 0, 1]))
    return lambda: nn.functional.cross_entropy(net(x), y).backward()


def cnn(torch, wrap):
    nn = torch.nn
    net = nn.Sequential(
        nn.Conv2d(1, 2, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(18, 2)
    )
    net = with_wrapped_parameters(torch, net, wrap)
    x = wrap(torch.randn(2, 1, 8, 8))
    return lambda: net(x).pow(2).mean().backward()


def normalized(torch, wrap):
    nn = torch.nn
    net = nn.Sequential(nn.Linear(4, 4), nn.LayerNorm(4), nn.GELU(), nn.Linear(4, 4))
    net = with_wrapped_parameters(torch, net, wrap)
    x = wrap(torch.randn(2, 3, 4))
    return lambda: net(x).mean().backward()


def embedding(torch, wrap):
    net = with_wrapped_parameters(torch, torch.nn.Embedding(5, 3), wrap)
    x = wrap(torch.tensor([0, 1, 1]))
    return lambda: net(x).sum().backward()


def in_place(torch, wrap):
    x = wrap(torch.rand(3, 4)).requires_grad_()

    def run():
        y = x * 2
        y.add_(1)
        y.mul_(x)
        y.relu_()
        y.sum().backward()

    return run


def elementwise(torch, wrap):
    x = wrap(torch.rand(3, 4) + 0.5).requires_grad_()

    def run():
        y = x.exp() + x.log() * x.sqrt() * x.sin() - x.cos() ** 2 + x.tanh().sigmoid() - x.abs()
        (y + (2 - x) + x.softmax(1)).mean().backward()

    return run


def shapes(torch, wrap):
    x = wrap(torch.rand(3, 4)).requires_grad_()

    def run():
        y = (
            torch.cat([x, x], 1)
            .view(3, 2, 4)
            .transpose(0, 1)
            .reshape(6, 4)
            .permute(1, 0)
            .contiguous()
        )
        a, b = y.chunk(2)
        (torch.cat([a, b]).sum(0) * a.expand(2, 6)).flatten().sum().backward()

    return run


PROGRAMS = [mlp, cnn, normalized, embedding, in_place, elementwise, shapes]


@pytest.mark.parametrize("make", PROGRAMS, ids=lambda make: make.__name__)
def test_a_mode_sees_the_operators_of_forward_and_backward(make):
    def program(torch):
        torch.manual_seed(0)
        run = make(torch, lambda t: t)
        mode = logging_mode(torch)
        with mode:
            run()
        return mode.log

    compare(program)


@pytest.mark.parametrize("make", PROGRAMS, ids=lambda make: make.__name__)
def test_a_class_sees_the_operators_of_forward_and_backward(make):
    def program(torch):
        torch.manual_seed(0)
        cls = logging_tensor(torch)
        run = make(torch, cls)
        cls.log.clear()
        run()
        return cls.log

    compare(program)


@pytest.mark.parametrize("name, options", [("SGD", {}), ("SGD", {"momentum": 0.9}), ("Adam", {})])
def test_a_mode_sees_the_steps_of_an_optimizer(name, options):
    def program(torch):
        p = torch.nn.Parameter(torch.ones(3))
        optimizer = getattr(torch.optim, name)([p], lr=0.1, foreach=False, **options)
        p.grad = torch.ones(3)
        mode = logging_mode(torch)
        with mode:
            optimizer.step()
            optimizer.step()
        return [op for op in mode.log if op.startswith("aten")], p

    compare(program)


@pytest.mark.parametrize(
    "call",
    [
        "x * 2", "2 - x", "x == 2", "x ** 2", "2 ** x", "x[0]", "x[:, 1]", "x[None]", "x.sum()", "x.sum(1)",
        "x.mean(0)", "x.max(0)", "x.argmax(1)", "x.t().contiguous()", "x.reshape(12)", "x.double()", "x.float()",
        "x.sum().item()", "bool(x.sum() > 0)", "torch.zeros(3)", "torch.ones(2, 3)", "torch.randn(3)",
        "torch.arange(3)", "torch.full((2,), 3.0)", "torch.eye(2)", "torch.zeros_like(x)", "x.new_zeros(3)",
        "torch.tensor([1.0])", "torch.where(x > 0, x, 0.0)", "x.masked_fill(x > 0, 1)", "x.clamp(min=0)",
        "x.split(2)", "x.unbind()", "x.std()", "x.add_(1)", "torch.add(x, x, out=torch.empty(4, 3))",
        "x.numpy()", "repr(x)", "torch.nn.functional.dropout(x)", "torch.nn.functional.gelu(x)", "x @ x.t()",
        "x[0] @ x[1]", "x @ x[0]", "torch.randint(0, 3, (2,))", "x.narrow(0, 0, 1)", "x.norm()", "x.fill_(2)",
    ],
)  # fmt: skip
def test_a_call_is_seen_with_its_arguments(call):
    def program(torch):
        seen = []

        def shown(a):
            if isinstance(a, torch.Tensor):
                return "T"
            if isinstance(a, (list, tuple)):
                return [shown(item) for item in a]
            return str(a)

        class Mode(module(torch, "utils._python_dispatch").TorchDispatchMode):
            def __torch_dispatch__(self, func, types, args=(), kwargs=None):
                seen.append((str(func), shown(args), sorted(kwargs or {})))
                return func(*args, **(kwargs or {}))

        torch.manual_seed(0)
        names = {"torch": torch, "x": torch.rand(4, 3)}
        with Mode():
            eval(call, names)
        return seen

    compare(program)


@like_pytorch
def test_modes_are_asked_from_the_innermost_outwards(torch):
    order = []

    class Mode(module(torch, "utils._python_dispatch").TorchDispatchMode):
        def __init__(self, name):
            super().__init__()
            self.name = name

        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            order.append(self.name)
            return func(*args, **(kwargs or {}))

    x = torch.ones(2)
    with Mode("outer"), Mode("inner"):
        x + x
    x + x
    return order


@like_pytorch
def test_the_stack_of_modes(torch):
    dispatch = module(torch, "utils._python_dispatch")
    outer, inner = logging_mode(torch), logging_mode(torch)
    found = [dispatch._get_current_dispatch_mode() is None]
    with outer, inner:
        found.append(dispatch._get_current_dispatch_mode() is inner)
        found.append([m is outer for m in dispatch._get_current_dispatch_mode_stack()])
        with dispatch._pop_mode_temporarily():
            found.append(dispatch._get_current_dispatch_mode() is outer)
        with dispatch._disable_current_modes():
            torch.ones(2) + 1
            found.append(dispatch._get_current_dispatch_mode() is None)
        torch.ones(2)
    return found, inner.log, outer.log


@like_pytorch
def test_a_mode_that_returns_not_implemented(torch):
    class Mode(module(torch, "utils._python_dispatch").TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            return NotImplemented

        def __repr__(self):
            return "Mode()"

    with Mode():
        torch.relu(torch.ones(2))


@pytest.mark.parametrize("call", ["x + 1", "x.split(1)", "x.max(0)", "x.sum()"])
def test_the_error_of_a_result_that_is_no_tensor(call):
    def program(torch):
        class Mode(module(torch, "utils._python_dispatch").TorchDispatchMode):
            def __torch_dispatch__(self, func, types, args=(), kwargs=None):
                return "x"

        names = {"x": torch.ones(2)}
        with Mode():
            eval(call, names)

    if "max" in call:
        with pytest.raises(RuntimeError):
            program(minitorch)
    else:
        compare(program)


@like_pytorch
def test_an_exception_leaves_the_mode(torch):
    dispatch = module(torch, "utils._python_dispatch")

    class Mode(dispatch.TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            raise KeyError("no")

    x = torch.ones(2, requires_grad=True)
    caught = 0
    try:
        with Mode():
            x.exp()
    except KeyError:
        caught += 1
    (x * 2).sum().backward()
    return caught, x.grad, len(dispatch._get_current_dispatch_mode_stack()), torch.is_grad_enabled()


# ---- classes


@like_pytorch
def test_gradients_of_a_wrapper_are_wrappers(torch):
    cls = logging_tensor(torch)
    x = cls(torch.tensor([3.0]), requires_grad=True)
    y = x * x
    saved = y.grad_fn._saved_self
    g = cls(torch.tensor([1.0]))
    (grad,) = torch.autograd.grad(y, x, g)
    return cls.log, saved is x, type(grad) is cls, grad.elem, y.grad_fn.name(), y.requires_grad


@like_pytorch
def test_a_saved_wrapper_outlives_its_name(torch):
    cls = logging_tensor(torch)
    x = cls(torch.tensor([0.5]), requires_grad=True)
    y = x.exp().sin()
    y.backward(cls(torch.ones(1)))
    return cls.log, type(x.grad) is cls, x.grad.elem


@like_pytorch
def test_a_wrapper_in_place_and_its_version(torch):
    cls = logging_tensor(torch)
    x = cls(torch.ones(2))
    before = x._version
    result = x.add_(1)
    return result is x, x.elem, x._version - before, cls.log


@like_pytorch
def test_in_place_after_saving_is_an_error(torch):
    cls = logging_tensor(torch)
    x = cls(torch.ones(2), requires_grad=True)
    y = x * 2
    z = y * y
    y.add_(1)
    z.backward(cls(torch.ones(2)))


@pytest.mark.parametrize(
    "use", ["w.tolist()", "w.numpy()", "bool(w)", "w.item()", "w.data_ptr()", "float(w.sum())", "len(w)",
            "w.is_contiguous()", "w.stride()", "w.storage_offset()", "tuple(w.shape)", "w.requires_grad",
            "str(w.dtype)", "type(w.detach()).__name__", "type(w.data).__name__", "w.dim()"],
)  # fmt: skip
def test_properties_that_a_wrapper_without_elements_is_asked_for(use):
    def program(torch):
        cls = logging_tensor(torch)
        return eval(use, {"w": cls(torch.tensor([1.0, 2.0]))})

    compare(program)


@pytest.mark.parametrize("size", [(), (0,), (2, 0, 3), (3, 4), (2, 3, 4, 5)])
def test_the_shape_of_a_wrapper(size):
    def program(torch):
        cls = logging_tensor(torch)
        plain = torch.zeros(size)
        w = torch.Tensor._make_wrapper_subclass(cls, size)
        n = torch.Tensor._make_wrapper_subclass(
            cls, size, strides=plain.stride(), storage_offset=2, dtype=torch.int64
        )
        return (
            tuple(w.shape),
            w.stride(),
            str(w.dtype),
            n.stride(),
            n.storage_offset(),
            str(n.dtype),
        )

    compare(program)


@pytest.mark.parametrize(
    "call",
    [
        "make(torch.Tensor, (2,))",
        "make(int, (2,))",
        "make(Plain, (2,))",
        "make(Logging, (2,), foo=3)",
        "make(Logging, (2, -1))",
    ],
)
def test_the_errors_of_making_a_wrapper(call):
    def program(torch):
        class Plain(torch.Tensor):
            pass

        make, Logging = torch.Tensor._make_wrapper_subclass, logging_tensor(torch)
        return type(eval(call)).__name__, make, Logging

    if "-1" in call:
        with pytest.raises(RuntimeError, match="negative dimension"):
            program(minitorch)
    else:
        compare(program)


@like_pytorch
def test_a_class_with_elements_of_its_own(torch):
    seen = []

    class Seen(torch.Tensor):
        @classmethod
        def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
            seen.append((str(func), [t.__name__ for t in types]))
            with module(torch, "_C")._DisableTorchDispatch():
                return func(*args, **(kwargs or {}))

    x = torch.Tensor._make_subclass(Seen, torch.tensor([1.0, 2.0]))
    y = x + x
    return seen, type(y).__name__


@like_pytorch
def test_subclasses_are_asked_before_bases(torch):
    seen = []

    class Base(torch.Tensor):
        @classmethod
        def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
            seen.append(cls.__name__)
            if cls is Base:
                return torch.zeros(2)
            return NotImplemented

    class Derived(Base):
        pass

    a = torch.Tensor._make_wrapper_subclass(Base, (2,))
    b = torch.Tensor._make_wrapper_subclass(Derived, (2,))
    torch.mul(a, b)
    torch.mul(b, a)
    return seen


@like_pytorch
def test_an_argument_may_be_the_result(torch):
    class Same(module(torch, "utils._python_dispatch").TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            return args[0]

    x = torch.ones(2)
    with Same():
        y = x.exp()
    return y, y.data_ptr() == x.data_ptr()


@like_pytorch
def test_a_parameter_of_a_wrapper_stays_one(torch):
    cls = logging_tensor(torch)
    p = torch.nn.Parameter(cls(torch.ones(2)))
    net = torch.nn.Module()
    net.p = p
    return (
        type(p) is cls,
        isinstance(p, torch.nn.Parameter),
        p.requires_grad,
        len(list(net.parameters())),
    )


@like_pytorch
def test_helpers_of_wrapper_classes(torch):
    dispatch = module(torch, "utils._python_dispatch")

    class Two(torch.Tensor):
        @staticmethod
        def __new__(cls, a):
            self = torch.Tensor._make_wrapper_subclass(
                cls, a.shape, strides=a.stride(), dtype=a.dtype
            )
            self.a = a
            return self

        def __tensor_flatten__(self):
            return ["a"], None

        @staticmethod
        def __tensor_unflatten__(inner, context, size, stride):
            return Two(inner["a"])

        @classmethod
        def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
            args = [a.a if isinstance(a, Two) else a for a in args]
            return Two(func(*args, **(kwargs or {})))

    t = Two(torch.ones(2))
    changed = dispatch.transform_subclass(t, lambda name, inner: inner * 3)
    return (
        dispatch.is_traceable_wrapper_subclass(t),
        dispatch.is_traceable_wrapper_subclass(torch.ones(2)),
        dispatch.is_traceable_wrapper_subclass_type(Two),
        changed.a,
    )


@like_pytorch
def test_in_place_returns_the_argument(torch):
    dispatch = module(torch, "utils._python_dispatch")

    class Wrapper(torch.Tensor):
        @staticmethod
        def __new__(cls, a):
            self = torch.Tensor._make_wrapper_subclass(
                cls, a.shape, strides=a.stride(), dtype=a.dtype
            )
            self.a = a
            return self

        @classmethod
        def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
            inner = [a.a if isinstance(a, Wrapper) else a for a in args]
            out = Wrapper(func(*inner, **(kwargs or {})))
            return dispatch.return_and_correct_aliasing(func, args, kwargs or {}, out)

    t = Wrapper(torch.ones(2))
    return t.add_(2) is t, t.a, (t + 1).a


def test_dispatch_can_be_switched_off():
    mode = logging_mode(minitorch)
    with mode:
        with minitorch._C._DisableTorchDispatch():
            minitorch.ones(2) + 1
        minitorch.ones(2)
    assert mode.log == ["aten.ones.default"]


# ---- operators by name


@pytest.mark.parametrize(
    "show",
    [
        "str(o)", "repr(o)", "o.__name__", "str(o._schema)", "str(o.overloadpacket)", "repr(p)", "o.name()",
        "o._overloadname", "o.namespace", "str(o.tags)", "o.is_view", "p.__name__", "p._qualified_op_name",
        "[a.name for a in o._schema.arguments]", "o._schema.arguments[2].default_value",
        "o._schema.name", "o._schema.overload_name", "o._schema.is_mutable", "o == p.Tensor, o != p.Scalar",
        "hash(o) == hash(p.Tensor)", "torch.ops.aten.nope", "torch.ops.aten.add.nope", "torch.ops.nope.x",
        "o(torch.ones(2))", "o(torch.ones(2), torch.ones(2), beta=1)", "o(torch.ones(2), torch.ones(2), alpha=3)",
        "o(torch.ones(2), torch.ones(2), alpha='x')", "p(torch.ones(2), 1)", "p(torch.ones(2), torch.ones(2))",
        "torch.ops.aten.mm.default(torch.ones(2, 3), torch.ones(3, 2))", "torch.ops.aten.max.dim(torch.eye(2), 0)[0]",
        "torch.ops.aten.sum.dim_IntList(torch.eye(2), [0], True)", "torch.ops.aten.zeros.default([2], dtype=torch.int64)",
        "torch.ops.aten._to_copy.default(torch.ones(2), dtype=torch.float64)", "torch.ops.aten.clone.default(torch.ones(2))",
        "torch.ops.aten.add.out(torch.ones(2), torch.ones(2), out=torch.empty(2))", "torch.ops.aten.add_(torch.ones(2), 1)",
        "torch.ops.aten.linear(torch.ones(1, 2), torch.ones(3, 2))", "torch.ops.aten.eq.Scalar(torch.ones(2), 1)",
        "torch.ops.aten.index.Tensor(torch.eye(2), [None, torch.tensor([0])])", "torch.ops.aten.split.Tensor(torch.eye(2), 1)",
        "torch.ops.aten.select.int(torch.eye(2), 0, 1)", "torch.ops.aten.std.correction(torch.eye(2), [0], correction=0)",
    ],
)  # fmt: skip
def test_an_operator_by_name(show):
    def program(torch):
        p = torch.ops.aten.add
        o = p.Tensor
        assert p is not None and o is not None
        return eval(show)

    compare(program)


def test_operators_are_copied_and_pickled_as_themselves():
    op = minitorch.ops.aten.add.Tensor
    assert copy.deepcopy(op) is op
    assert pickle.loads(pickle.dumps(op)) is op
    assert pickle.loads(pickle.dumps(op.overloadpacket)) is op.overloadpacket


def test_every_overload_of_the_table_is_one_of_pytorchs():
    real = pytest.importorskip("torch")
    for name in dir(minitorch.ops.aten):
        packet = getattr(minitorch.ops.aten, name)
        for overload in packet.overloads():
            theirs = getattr(getattr(real.ops.aten, name), overload)
            assert str(getattr(packet, overload)._schema) == str(theirs._schema)


# ---- selective checkpoints


@pytest.mark.parametrize("kept", [[], ["mm"], ["mm", "sigmoid"], ["sigmoid"]])
def test_a_selective_checkpoint_computes_again_what_it_does_not_keep(kept):
    def program(torch):
        checkpoint = module(torch, "utils.checkpoint")
        ops = [getattr(torch.ops.aten, name).default for name in kept]
        x = torch.linspace(0, 1, 9).view(3, 3).requires_grad_()
        y = torch.linspace(1, 2, 9).view(3, 3).requires_grad_()
        mode = logging_mode(torch)

        def function(x, y):
            return torch.sigmoid(torch.mm(torch.mm(x, y), y)) * y

        out = checkpoint.checkpoint(
            function, x, y, use_reentrant=False,
            context_fn=lambda: checkpoint.create_selective_checkpoint_contexts(ops))  # fmt: skip
        with mode:
            out.sum().backward()
        return x.grad, y.grad, [op for op in mode.log if "mm" in op or op == "aten.sigmoid.default"]

    compare(program)


@like_pytorch
def test_a_policy_is_a_function(torch):
    checkpoint = module(torch, "utils.checkpoint")
    asked = []

    def policy(ctx, op, *args, **kwargs):
        asked.append((str(op), ctx.is_recompute, type(ctx.op_output).__name__))
        return checkpoint.CheckpointPolicy.MUST_SAVE if "mm" in str(op) else False

    x = torch.ones(2, 2, requires_grad=True)
    out = checkpoint.checkpoint(
        lambda x: (x.mm(x)).exp().sin(), x, use_reentrant=False,
        context_fn=lambda: checkpoint.create_selective_checkpoint_contexts(policy))  # fmt: skip
    out.sum().backward()
    return asked, x.grad


@pytest.mark.parametrize("what", ["mutated", "twice"])
def test_the_errors_of_a_selective_checkpoint(what):
    def program(torch):
        checkpoint = module(torch, "utils.checkpoint")
        x = torch.ones(2, 2, requires_grad=True)

        def function(x):
            y = x.mm(x)
            if what == "mutated":
                y.add_(1)
            return y.sin().exp()

        contexts = checkpoint.create_selective_checkpoint_contexts
        out = checkpoint.checkpoint(
            function, x, use_reentrant=False, context_fn=lambda: contexts([torch.ops.aten.mm.default]))  # fmt: skip
        out.sum().backward(retain_graph=True)
        out.sum().backward()

    compare(program)


@pytest.mark.parametrize("given", ["[torch.ops.aten.mm]", "[3]", "3"])
def test_what_is_no_policy(given):
    def program(torch):
        module(torch, "utils.checkpoint").create_selective_checkpoint_contexts(eval(given))

    ours = pytest.raises((ValueError, TypeError), program, minitorch).value
    real = pytest.importorskip("torch")
    theirs = pytest.raises((ValueError, TypeError), program, real).value
    assert type(ours) is type(theirs)
    assert str(ours).replace("minitorch.", "torch.") == str(theirs)


# ---- counting


@pytest.mark.parametrize("make", [mlp, cnn, normalized], ids=lambda make: make.__name__)
def test_floating_point_operations(make):
    def program(torch):
        torch.manual_seed(0)
        run = make(torch, lambda t: t)
        with module(torch, "utils.flop_counter").FlopCounterMode(display=False) as counter:
            run()
        counts = counter.get_flop_counts()
        named = {name: {str(op): n for op, n in ops.items()} for name, ops in counts.items()}
        return counter.get_total_flops(), named

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        compare(program)


@like_pytorch
def test_what_operators_share(torch):
    from importlib import import_module

    get_alias_info = import_module(f"{torch.__name__}.utils._python_dispatch").get_alias_info
    aten = torch.ops.aten
    operators = (
        aten.add_.Tensor, aten.add.Tensor, aten.add.out, aten.split.Tensor, aten.t_.default, aten.sort.values,
        aten.view.default, aten.max.dim, aten.native_batch_norm.default, aten.cat.default, aten.unbind.int,
    )  # fmt: skip
    return [repr(get_alias_info(operator)) for operator in operators]


@like_pytorch
def test_the_grad_mode_of_the_caller_is_seen(torch):
    base = module(torch, "utils._python_dispatch").TorchDispatchMode
    seen = []

    class Mode(base):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            kwargs = kwargs or {}
            result = func(*args, **kwargs)
            seen.append((str(func), torch.is_grad_enabled(), result.requires_grad))
            with torch.no_grad():
                seen.append(torch.is_grad_enabled())
            with torch.enable_grad():
                seen.append((torch.is_grad_enabled(), func(*args, **kwargs).requires_grad))
            with module(torch, "overrides").enable_reentrant_dispatch():
                seen.append((torch.is_grad_enabled(), func(*args, **kwargs).requires_grad))
            return result

    x = torch.ones(2, requires_grad=True)
    with Mode():
        y = x * 2
    seen.append(torch.is_grad_enabled())
    with torch.no_grad(), Mode():
        x * 2
    with torch.inference_mode(), Mode():
        x * 2
    with Mode():
        y.sum().backward()
    return seen, torch.is_grad_enabled(), y.requires_grad, x.grad


def test_a_transform_inside_of_a_dispatch_records():
    # PyTorch raises, for what its transforms wrap has no storage in there
    base = module(minitorch, "utils._python_dispatch").TorchDispatchMode
    seen = []

    class Mode(base):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            gradient = minitorch.func.grad(lambda x: (x * x).sum())(minitorch.ones(2))
            seen.append((gradient.tolist(), minitorch.is_grad_enabled()))
            return func(*args, **(kwargs or {}))

    x = minitorch.ones(2)
    with Mode():
        x.sin()
    assert seen == [([2.0, 2.0], True)]


def _first(values, call):
    try:
        return call(*values[0], **values[1])
    except Exception as error:
        return type(error).__name__, str(error)


@like_pytorch
def test_operators_that_write_to_several_tensors(torch):
    aten, x = torch.ops.aten, torch.tensor([[2.0, 3.0], [1.0, 4.0]])
    values, places = torch.zeros(2), torch.zeros(2, dtype=torch.long)
    largest = aten.max.dim_max(x, 0, max=values, max_values=places)
    low, high = torch.zeros(()), torch.zeros(())
    both = aten.aminmax.out(x, min=low, max=high)
    q, r = torch.zeros(2, 2), torch.zeros(2, 2)
    factors = aten.linalg_qr.out(x, Q=q, R=r)
    kinds = [type(result).__name__ for result in (largest, both, factors, aten.sort(x))]
    return values, places, low, high, q @ r, kinds, largest[0] is values


@like_pytorch
def test_arguments_that_are_not_those_of_the_schema(torch):
    x = torch.ones(1)
    add = torch.ops.aten.add.Tensor
    calls = [
        ((x, x, 3), {}),
        ((x,), {"z": 3}),
        ((x, x), {"other": x}),
        ((x,), {"self": x}),
        ((), {}),
        ((x, x), {"beta": 3}),
        ((x, x), {"alpha": 2, "z": 1}),
    ]
    return [_first(call, add) for call in calls]
