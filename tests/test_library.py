"""`torch.library`: operators that a program defines, as in PyTorch."""

import pytest

from tests.both import compare, like_pytorch

# a namespace for each test: PyTorch keeps what `custom_op` defines


def _run(call):
    try:
        return call()
    except Exception as error:
        return type(error).__name__, str(error).partition(" Duplicate")[0].partition("  (Error")[0]


@pytest.mark.parametrize("mode", ["nothing", "warn"])
def test_an_operator_without_derivative(mode):
    def program(torch):
        before = torch._C._get_autograd_fallback_mode()
        torch._C._set_autograd_fallback_mode(mode)
        try:
            with torch.library._scoped_library("k3_fallback", "FRAGMENT") as lib:
                lib.define("sin(Tensor self) -> Tensor")
                lib.impl("sin", lambda x: x.detach().sin(), "CPU")
                lib.define("two(Tensor a, Tensor b) -> (Tensor, Tensor)")
                lib.impl("two", lambda a, b: (a.clone(), b.detach() * 2), "CPU")
                x = torch.ones(2, requires_grad=True)
                y = torch.ops.k3_fallback.sin(x)
                a, b = torch.ops.k3_fallback.two(x, x)
                (y * x + a).sum().backward()
                with torch.no_grad():
                    off = torch.ops.k3_fallback.sin(x)
                return y.detach(), y.requires_grad, b.requires_grad, off, x.grad
        finally:
            torch._C._set_autograd_fallback_mode(before)

    compare(program)


@like_pytorch
def test_kernels_by_key(torch):
    with torch.library._scoped_library("k3_keys", "FRAGMENT") as lib:
        lib.define("foo(Tensor x) -> Tensor")
        lib.define("bar(Tensor x, *, int k=3) -> Tensor", tags=(torch.Tag.pointwise,))
        ops = torch.ops.k3_keys

        class F(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                with torch._C._AutoDispatchBelowAutograd():
                    return ops.foo(x)

            @staticmethod
            def backward(ctx, g):
                return g * 5

        lib.impl("foo", lambda x: x.clone(), "CPU")
        lib.impl("foo", F.apply, "Autograd")
        lib.impl("bar", lambda x, *, k=3: x * k, "CompositeImplicitAutograd")
        x = torch.ones(2, requires_grad=True)
        y, z = ops.foo(x), ops.bar(x, k=2)
        shown = [str(ops.bar), repr(ops.bar.default), str(ops.bar.default._schema), str(lib)]
        names = [y.grad_fn.name(), z.grad_fn.name(), ops.bar.default.namespace]
        wrong = [
            _run(lambda: ops.bar(x, 2)),
            _run(lambda: ops.bar(3)),
            _run(lambda: ops.bar(x, k="a")),
            _run(lambda: ops.bar(x, k=1, z=3)),
            _run(lambda: ops.bar()),
            _run(lambda: ops.zz),
            _run(lambda: lib.define("foo(Tensor x) -> Tensor")),
            _run(lambda: lib.impl("foo", 3, "CPU")),
            _run(lambda: lib.impl("foo", abs, "ZZ")),
            _run(lambda: torch.library.Library("k3_keys", "ZZ")),
        ]
        tags = [tag.name for tag in ops.bar.default.tags]
        result = [torch.autograd.grad((y + z).sum(), x), shown, names, wrong, tags]
    return result, _run(lambda: torch.ops.k3_keys.foo)


@like_pytorch
def test_overloads(torch):
    with torch.library._scoped_library("k3_overloads", "FRAGMENT") as lib:
        lib.define("ov.Tensor(Tensor x) -> Tensor")
        lib.define("ov.int(int x) -> int")
        lib.impl("ov.Tensor", lambda x: x + 1, "CPU")
        lib.impl("ov.int", lambda x: x + 1, "CompositeExplicitAutograd")
        ov = torch.ops.k3_overloads.ov
        return ov(torch.ones(1)), ov(3), _run(lambda: ov("x")), ov.overloads()


@like_pytorch
def test_arguments_of_every_kind(torch):
    seen = []

    def kernel(*args, **kwargs):
        seen.append((args[1:], kwargs))
        return torch.ones(1)

    with torch.library._scoped_library("k3_kinds", "FRAGMENT") as lib:
        lib.define(
            'g(Tensor x, int[] s, float[]? f=None, float r=1.5, str m="a", bool b=False, Scalar k=1) -> Tensor'
        )
        lib.impl("g", kernel, "CompositeExplicitAutograd")
        g = torch.ops.k3_kinds.g
        x = torch.ones(1)
        wrong = [_run(lambda a=a, k=k: g(x, *a, **k)) and None for a, k in KINDS]
        texts = [_run(lambda a=a: g(*a)) for a in ((3, [1]), (x, ["a"]), (x, 3), (x, [1.5]))]
        texts.append(_run(lambda: g(x, [1], k="z")))
        return seen, len(wrong), texts


KINDS = [
    (([1, 2],), {}),
    (((1, 2),), {}),
    (([1],), {"k": 2.5}),
    (([1],), {"b": True}),
    (([1],), {"b": 2}),
    (([1], [True, 2]), {}),
    (([1],), {"r": 3}),
    (([1],), {"m": "z"}),
]


@like_pytorch
def test_labels_by_hand(torch):
    profiler = torch.ops.profiler
    with torch.autograd.profiler.profile() as p:
        handle = profiler._record_function_enter("first", None)
        profiler._record_function_exit(handle)
        handle = profiler._record_function_enter_new("second", None)
        profiler._record_function_exit._RecordFunction(handle)
    names = [event.name for event in p.function_events]
    return [name for name in names if name in ("first", "second")]


@like_pytorch
def test_custom_op(torch):
    def double(x: torch.Tensor, n: int = 2, f: float = 0.5) -> torch.Tensor:
        return x.detach() * n

    op = torch.library.custom_op("k3_custom::double", double, mutates_args=())
    x = torch.ones(2, requires_grad=True)
    y = op(x)
    without = _run(lambda: torch.autograd.grad(y.sum(), x))
    seen = []

    def setup(ctx, inputs, output):
        ctx.n = inputs[1]
        seen.append((len(inputs), output.requires_grad))

    op.register_autograd(lambda ctx, g: (g * ctx.n, None, None), setup_context=setup)
    z = op(x, 3)
    batched = torch.func.vmap(op)(torch.ones(3, 2))
    op.register_vmap(lambda info, in_dims, x, n=2, f=0.5: (x * 7, in_dims[0]))
    return [
        without,
        torch.autograd.grad(z.sum(), x),
        z.grad_fn.name(),
        seen,
        batched,
        torch.func.vmap(op)(torch.ones(3, 2)),
        [repr(op), op._qualname, op._schema, str(op._opoverload)],
    ]


@like_pytorch
def test_custom_op_of_lists_and_names(torch):
    def scale(x: list[torch.Tensor], *, k: int = 2) -> list[torch.Tensor]:
        return [t * k for t in x]

    op = torch.library.custom_op("k3_lists::scale", scale, mutates_args=())

    def setup(ctx, inputs, keyword_only_inputs, output):
        ctx.k = keyword_only_inputs["k"]

    def backward(ctx, grads):
        return [g * ctx.k for g in grads]

    op.register_autograd(backward, setup_context=setup)
    x = torch.ones(2, requires_grad=True)
    a, b = op([x, x * 2], k=3)
    return torch.autograd.grad((a + b).sum(), x), a.grad_fn.name(), a.detach()


@like_pytorch
def test_custom_op_that_writes(torch):
    def add_to(x: torch.Tensor, y: torch.Tensor) -> None:
        y.add_(x)

    op = torch.library.custom_op("k3_writes::add_to", add_to, mutates_args={"y"})
    y = torch.zeros(2)
    refused = _run(lambda: op.register_autograd(lambda ctx, g: g))
    return op(torch.ones(2, requires_grad=True), y), y, op._schema, refused


@like_pytorch
def test_modes_and_classes_see_one_operator(torch):
    from importlib import import_module

    base = import_module(f"{torch.__name__}.utils._python_dispatch").TorchDispatchMode
    seen = []

    class Mode(base):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            seen.append((str(func), len(args), kwargs))
            return func(*args, **(kwargs or {}))

    class Sub(torch.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            seen.append(str(func))
            return super().__torch_function__(func, types, args, kwargs or {})

    def double(x: torch.Tensor) -> torch.Tensor:
        return x * 2

    op = torch.library.custom_op("k3_modes::double", double, mutates_args=())
    x = torch.ones(2)
    with Mode():
        op(x)
    result = type(op(x.as_subclass(Sub))).__name__
    op.register_torch_dispatch(Mode, lambda mode, func, types, args, kwargs: args[0] * 10)
    with Mode():
        return seen, result, op(x)


@like_pytorch
def test_single_steps(torch):
    library = torch.library
    with library._scoped_library("k3_steps", "FRAGMENT") as lib:
        library.define("k3_steps::f", "(Tensor x) -> Tensor", lib=lib)
        library.impl("k3_steps::f", "cpu", lambda x: x * 2, lib=lib)
        library.register_autograd("k3_steps::f", lambda ctx, g: g * 2, lib=lib)
        x = torch.ones(1, requires_grad=True)
        torch.ops.k3_steps.f(x).backward()
        library.register_fake("k3_steps::f", lambda x: x, lib=lib)
        return x.grad, _run(lambda: library.define("zz", "(Tensor x) -> Tensor"))


ANNOTATED = {
    "kinds": lambda t: (
        "x: T, n: int, f: float = 1.0, b: bool = True, s: str = 'x', *, o: int | None = None"
    ),
    "lists": lambda t: "x: list[T], n: list[int]",
    "no annotation": lambda t: "x",
    "variable": lambda t: "*x: T",
}


@pytest.mark.parametrize("written", [(), "unknown", {"x"}, {"q"}])
@pytest.mark.parametrize("case", ANNOTATED)
@pytest.mark.parametrize("returns", ["T", "tuple[T, int]", "None", "list[T]"])
def test_infer_schema(case, returns, written):
    def program(torch):
        space = {"T": torch.Tensor}
        exec(f"def f({ANNOTATED[case](torch)}) -> {returns}: pass", space)
        outcome = _run(lambda: torch.library.infer_schema(space["f"], mutates_args=written))
        return [
            str(part).replace("minitorch", "torch") for part in (outcome, type(outcome).__name__)
        ]

    compare(program)


@like_pytorch
def test_the_node_of_an_operator_without_a_derivative(torch):
    library = torch.library.Library("_tests_without_derivative", "FRAGMENT")
    try:
        library.define("copied(Tensor a) -> Tensor")
        library.impl("copied", lambda a: a.detach().clone(), "CPU")
        x = torch.ones(2, requires_grad=True)
        y = torch.ops._tests_without_derivative.copied(x)
        node = y.grad_fn
        return repr(y), node.name(), type(node).__name__, [n.name() for n, _ in node.next_functions]
    finally:
        library._destroy()


@like_pytorch
def test_a_kernel_can_be_registered_for_a_dispatch_key(torch):
    library = torch.library.Library("bykey", "FRAGMENT")
    library.define("twice(Tensor x) -> Tensor")
    torch.library.impl("bykey::twice", "CPU", lambda x: x * 2, lib=library)
    result = torch.ops.bykey.twice(torch.ones(2))
    names = torch.ops.bykey.twice.default._name, torch.ops.aten.add.Tensor._name
    library._destroy()
    return result, names


@pytest.mark.parametrize("case", range(3))
def test_what_cannot_be_registered(case):
    def program(torch):
        if case == 0:
            torch.library.register_fake("bykey::absent", lambda x: x)
        elif case == 1:
            torch.library.register_kernel(3, "cpu", lambda x: x)
        else:
            schema = "(Tensor x, *, Tensor y) -> Tensor"
            torch.library.custom_op("bykey::kw", lambda x: x, mutates_args=(), schema=schema)

    compare(program)


@like_pytorch
def test_an_operator_for_triton_is_a_custom_one_that_knows_its_results_without_data(torch):
    @torch.library.triton_op("minitorch_tests::scaled", mutates_args={})
    def scaled(x: torch.Tensor, n: float = 2.0) -> torch.Tensor:
        return x * n

    def setup(ctx, inputs, output):
        ctx.n = inputs[1]

    scaled.register_autograd(lambda ctx, grad: (grad * ctx.n, None), setup_context=setup)
    x = torch.ones(2, requires_grad=True)
    scaled(x, 5.0).sum().backward()
    without_data = scaled(torch.ones(2, 3, device="meta"))
    return x.grad, str(scaled._opoverload._schema), tuple(without_data.shape), without_data.is_meta


def test_a_tangent_goes_through_the_kernel():
    """PyTorch's is None there: reading it returns zeros without a warning."""
    import minitorch as torch

    @torch.library.custom_op("tangents::tripled", mutates_args=())
    def tripled(x: torch.Tensor) -> torch.Tensor:
        return x * 3

    x, v = torch.ones(2), torch.tensor([1.0, 2.0])
    assert torch.func.jvp(tripled, (x,), (v,))[1].tolist() == [3.0, 6.0]
    with torch.autograd.forward_ad.dual_level():
        dual = torch.autograd.forward_ad.make_dual(x, v)
        tangent = torch.autograd.forward_ad.unpack_dual(tripled(dual)).tangent
    assert tangent.tolist() == [3.0, 6.0]


@pytest.mark.parametrize("key", ["CPU", "Meta"])
def test_a_kernel_for_one_device_leaves_the_other_alone(key):
    def program(torch):
        def kernel(x):
            return x.new_full((3,), 7.0)

        with torch.library._scoped_library("aten", "IMPL") as lib:
            lib.impl("special_i1e", kernel, key)
            found = [
                torch.special.i1e(torch.ones(2, device=device, requires_grad=grad))
                for device in ("cpu", "meta")
                for grad in (False, True)
            ]
        return [(str(t.device), tuple(t.shape), t.requires_grad) for t in found]

    compare(program)


RESULTS = {
    "None": lambda torch: None,
    "an int": lambda torch: 5,
    "a float": lambda torch: 1.5,
    "a bool": lambda torch: True,
    "a str": lambda torch: "ab",
    "a tensor": lambda torch: torch.zeros(2),
    "a number in a tensor": lambda torch: torch.tensor(3),
    "a pair": lambda torch: (torch.zeros(2), torch.ones(2)),
    "a pair of numbers": lambda torch: [5, 6],
    "a tensor and a number": lambda torch: (torch.zeros(2), 3),
    "a set": lambda torch: {torch.zeros(2)},
    "a range": lambda torch: range(2),
}
RETURNS = (
    "Tensor", "Tensor?", "Tensor[]", "int", "float", "bool", "Scalar", "str", "int[]", "()", "(Tensor, Tensor)",
    "(Tensor, int)",
)  # fmt: skip


@pytest.mark.parametrize("result", RESULTS)
@pytest.mark.parametrize("returns", RETURNS)
def test_what_a_kernel_returns_is_of_the_type_that_the_schema_says(returns, result):
    def program(torch):
        with torch.library._scoped_library("declared", "FRAGMENT") as lib:
            lib.define(f"op(Tensor x) -> {returns}")
            lib.impl("op", lambda x: RESULTS[result](torch), "CPU")
            made = torch.ops.declared.op(torch.ones(2))
        return type(made).__name__, made

    compare(program)
