"""`torch._custom_ops`: operators defined, computed and differentiated by what is registered under a name."""

import importlib

import pytest

from tests.both import compare


def _modules(torch):
    names = ("_custom_ops", "_custom_op.impl")
    return [importlib.import_module(f"{torch.__name__}.{name}") for name in names]


def _made(torch, schema, compute=lambda x, *more: x.sin(), name="tests_of_custom_ops::made"):
    """The module, and the overload of an operator that is there until the next is made."""
    ops, inside = _modules(torch)
    if name in inside.global_registry:
        ops._destroy(name)
    ops.custom_op(name, schema)
    if compute is not None:
        ops.impl(name)(compute)
    return ops, inside.get_op(name), name


def test_an_operator_from_a_function():
    def program(torch):
        ops, inside = _modules(torch)
        name = "tests_of_custom_ops::scaled"

        @ops.custom_op(name)
        def scaled(x: torch.Tensor, by: float = 2.0) -> torch.Tensor: ...

        @ops.impl(name, device_types="cpu")
        def compute(x, by):
            return x * by

        ops.impl_save_for_backward(name)(lambda inputs, output: (inputs.by, inputs._fields))
        ops.impl_backward(name)(lambda ctx, saved, grad: {"x": grad * saved[0]})
        x = torch.ones(2, requires_grad=True)
        y = torch.ops.tests_of_custom_ops.scaled(x, 3.0)
        y.sum().backward()
        seen = [y.detach(), x.grad, repr(inside._find_custom_op(name)), compute.__name__]
        ops._destroy(name)
        return seen

    compare(program)


_GRADIENTS = {
    "no dictionary": ("(Tensor x) -> Tensor", lambda g: g),
    "a key too many": ("(Tensor x) -> Tensor", lambda g: {"x": g, "y": None}),
    "a key missing": ("(Tensor x, int n) -> Tensor", lambda g: {"n": None}),
    "no tensor": ("(Tensor x) -> Tensor", lambda g: {"x": (g,)}),
    "for what was None": ("(Tensor x, Tensor? y) -> Tensor", lambda g: {"x": g, "y": g}),
}


@pytest.mark.parametrize("case", _GRADIENTS)
def test_gradients_that_are_refused(case):
    schema, gradients = _GRADIENTS[case]
    more = () if "," not in schema else (None,) if "?" in schema else (3,)

    def program(torch):
        ops, op, name = _made(torch, schema)
        ops.impl_save_for_backward(name)(lambda inputs, output: inputs.x)
        ops.impl_backward(name)(lambda ctx, saved, grad: gradients(grad))
        y = op(torch.ones((), requires_grad=True), *more)
        try:
            y.backward()
        except RuntimeError as error:
            return str(error).split("using the CustomOp API, ")[1]

    compare(program)


@pytest.mark.parametrize(
    "gradients",
    [
        lambda g: None,
        lambda g: [None, g, g],
        lambda g: [None, (g,)],
        lambda g: [g, 2 * g],
    ],
)
def test_gradients_of_a_list(gradients):
    def program(torch):
        ops, op, name = _made(torch, "(Tensor[] xs) -> Tensor", lambda xs: xs[0] * xs[1])
        ops.impl_save_for_backward(name)(lambda inputs, output: None)
        ops.impl_backward(name)(lambda ctx, saved, grad: {"xs": gradients(grad)})
        x = torch.ones((), requires_grad=True)
        try:
            op([x, x]).backward()
        except RuntimeError as error:
            return str(error).split("using the CustomOp API, ")[1]
        return x.grad

    compare(program)


def test_results_without_a_derivative():
    def program(torch):
        ops, op, name = _made(
            torch, "(Tensor x) -> (Tensor[], Tensor)", lambda x: ([x.clone(), x + 1], x * 2)
        )
        ops.impl_save_for_backward(name)(lambda inputs, output: [])
        ops.impl_backward(name, output_differentiability=[False, True])(
            lambda ctx, saved, several, one: {"x": one * 2}
        )
        x = torch.ones(2, requires_grad=True)
        (a, b), c = op(x)
        c.sum().backward()
        return a.requires_grad, b.requires_grad, c.requires_grad, x.grad

    compare(program)


def _two_kernels(torch):
    ops, op, name = _made(torch, "(Tensor x) -> Tensor")
    try:
        ops.impl(name, device_types="cpu")(len)
    except RuntimeError as error:
        return str(error).split(" at ")[0]


def _half_a_derivative(torch):
    ops, op, name = _made(torch, "(Tensor x) -> Tensor")
    ops.impl_backward(name)(lambda ctx, saved, grad: {"x": grad})
    try:
        op(torch.ones(2))
    except RuntimeError as error:
        return str(error).partition(" at ")[0], str(error).partition(" but were ")[2]


@pytest.mark.parametrize(
    "program",
    [
        lambda torch: _modules(torch)[0].custom_op("no_namespace"),
        lambda torch: _modules(torch)[0].custom_op("a::b.c"),
        lambda torch: _modules(torch)[0].custom_op("a.b::c"),
        lambda torch: _modules(torch)[0].custom_op("aten::c"),
        lambda torch: _modules(torch)[0].custom_op("a::b")(len),
        lambda torch: _modules(torch)[0].custom_op("a::b")(_two_kernels),
        lambda torch: _made(torch, "(Tensor(a!) x) -> Tensor"),
        lambda torch: _made(torch, "(Tensor x) -> ()"),
        lambda torch: _made(torch, "(Tensor self) -> Tensor"),
        lambda torch: _modules(torch)[0].impl("tests_of_custom_ops::nothing")(len),
        lambda torch: _modules(torch)[0]._destroy("tests_of_custom_ops::nothing"),
        lambda torch: _modules(torch)[1].CustomOp(1, 2, 3, 4, 5),
        lambda torch: _made(torch, "(Tensor x) -> Tensor", None)[1](torch.ones(2)),
        lambda torch: _made(torch, "(int n) -> Tensor", None)[1](3),
        lambda torch: _made(torch, "(Tensor x) -> Tensor")[1](torch.ones(2, device="meta")),
        lambda torch: _made(torch, "(Tensor x) -> Tensor")[1](torch.ones(2, requires_grad=True)),
        lambda torch: _modules(torch)[0].impl("a::b", device_types="tpu")(len),
        lambda torch: _made(torch, "(Tensor x) -> Tensor")[0].impl(
            "tests_of_custom_ops::made", device_types="tpu"
        )(len),
        lambda torch: _made(torch, "(Tensor x) -> Tensor")[0].impl_backward(
            "tests_of_custom_ops::made", [True, True]
        )(len),
        _two_kernels,
        _half_a_derivative,
    ],
)
def test_what_is_refused(program):
    compare(program)


@pytest.mark.parametrize("key", ["CPU", "CompositeExplicitAutograd", "CompositeImplicitAutograd"])
def test_kernels_and_tensors_without_data(key):
    def program(torch):
        with torch.library._scoped_library("tests_of_custom_ops", "FRAGMENT") as library:
            library.define("without_data(Tensor x) -> Tensor")
            library.impl("without_data", lambda x: x.sin(), key)
            return torch.ops.tests_of_custom_ops.without_data(torch.ones(2, device="meta")).shape

    compare(program)


@pytest.mark.parametrize("devices", [None, "cpu"])
def test_a_function_and_tensors_without_data(devices):
    def program(torch):
        @torch.library.custom_op("tests_of_custom_ops::f", mutates_args=(), device_types=devices)
        def f(x: torch.Tensor) -> torch.Tensor:
            return x.sin()

        f(torch.ones(2, device="meta"))

    compare(program)


def test_a_function_that_writes_and_tensors_without_data():
    def program(torch):
        @torch.library.custom_op("tests_of_custom_ops::g", mutates_args={"x"})
        def g(x: torch.Tensor) -> None:
            x.add_(1)

        x = torch.ones(2)
        return g(torch.ones(2, device="meta")), g(x), x

    compare(program)


def _by_schema(torch, schema, function):
    """The operator of a function, by a schema that is given beside it; it is there until the next is made."""
    inside, name = _modules(torch)[1], "tests_of_custom_ops::by_schema"
    if name in inside.global_registry:
        inside.global_registry[name]._destroy()
    function.__name__ = "by_schema"
    return inside.custom_op(name, schema)(function)


def _annotated(x: int): ...


def _returning(x) -> int: ...


@pytest.mark.parametrize(
    "schema, function",
    [
        ("(Tensor x) -> Tensor", lambda *x: None),
        ("(Tensor x) -> Tensor", lambda x, /: None),
        ("(Tensor x) -> Tensor", lambda x, **more: None),
        ("(Tensor x) -> Tensor", _annotated),
        ("(Tensor x) -> Tensor", _returning),
        ("(Tensor x) -> Tensor", lambda y: None),
        ("(Tensor x, int n) -> Tensor", lambda x: None),
        ("(Tensor x, *, int n) -> Tensor", lambda x, n: None),
        ("(Tensor x) -> Tensor", lambda x=3: None),
        ("(Tensor x, int n=3) -> Tensor", lambda x, n: None),
        ("(Tensor x, *, int n) -> Tensor", lambda x, *, n: None),
    ],
)
def test_a_function_beside_its_schema(schema, function):
    compare(lambda torch: repr(_by_schema(torch, schema, function)))


@pytest.mark.parametrize("function", [len, lambda x: x])
def test_what_is_no_function_of_the_name(function):
    compare(lambda torch: _modules(torch)[1].custom_op("tests_of_custom_ops::other")(function))


_COMPUTED = {
    "without data": lambda torch: torch.ones(2, device="meta"),
    "sparse": lambda torch: torch.ones(2).to_sparse(),
    "dense": lambda torch: torch.ones(2),
}


@pytest.mark.parametrize("kind", _COMPUTED)
def test_an_operator_without_a_kernel(kind):
    def program(torch):
        return _by_schema(torch, "(Tensor x) -> Tensor", lambda x: None)(_COMPUTED[kind](torch))

    compare(program)


def test_a_kernel_without_data_has_no_context():
    def program(torch):
        op = _by_schema(torch, "(Tensor x) -> Tensor", lambda x: None)
        op.impl_abstract()(lambda x: _modules(torch)[1].get_ctx())
        try:
            op(torch.ones(2, device="meta"))
        except RuntimeError as error:
            return str(error).split(" at ")[0]

    compare(program)


_REGISTRATIONS = {
    "impl": lambda ops, inside, name: ops.impl(name, device_types="cpu")(len),
    "backward": lambda ops, inside, name: ops.impl_backward(name)(len),
    "abstract": lambda ops, inside, name: inside._find_custom_op(name, True).impl_abstract()(len),
}


@pytest.mark.parametrize("registration", _REGISTRATIONS)
@pytest.mark.parametrize(
    "key", ["CPU", "Meta", "Autograd", "CompositeExplicitAutograd", "CompositeImplicitAutograd"]
)
def test_registrations_beside_a_kernel_of_a_library(key, registration):
    def program(torch):
        name = f"of_{registration}_{key}"
        ops, inside = _modules(torch)
        with torch.library._scoped_library("tests_of_custom_ops", "FRAGMENT") as library:
            library.define(f"{name}(Tensor x) -> Tensor")
            library.impl(name, lambda x: x.sin(), key)
            try:
                _REGISTRATIONS[registration](ops, inside, f"tests_of_custom_ops::{name}")
            finally:
                inside.global_registry.pop(f"tests_of_custom_ops::{name}", None)

    compare(program)


_WITHOUT_DERIVATIVE = {
    "writes": "(Tensor(a!) x) -> Tensor",
    "nothing": "(Tensor x) -> ()",
    "view": "(Tensor(a) x) -> Tensor(a)",
    "text": "(Tensor x) -> str",
    "number": "(Tensor x) -> (Tensor, Scalar)",
}


@pytest.mark.parametrize("kind", _WITHOUT_DERIVATIVE)
def test_operators_that_have_no_derivative(kind):
    def program(torch):
        name, schema = f"without_derivative_{kind}", _WITHOUT_DERIVATIVE[kind]
        ops, inside = _modules(torch)
        with torch.library._scoped_library("tests_of_custom_ops", "FRAGMENT") as library:
            library.define(name + schema)
            try:
                ops.impl_backward(f"tests_of_custom_ops::{name}")(len)
            finally:
                inside.global_registry.pop(f"tests_of_custom_ops::{name}", None)

    compare(program)


def test_a_number_is_not_differentiable():
    def program(torch):
        ops, op, name = _made(torch, "(Tensor x) -> (Tensor, int)", lambda x: (x.sin(), 3))
        ops.impl_save_for_backward(name)(lambda inputs, output: None)
        ops.impl_backward(name, [True, True])(lambda ctx, saved, *grads: {"x": grads[0]})
        return op(torch.ones(2, requires_grad=True))

    compare(program)


@pytest.mark.parametrize("key", ["CPU", "SparseCPU", "CompositeExplicitAutograd", "CUDA"])
@pytest.mark.parametrize("kind", _COMPUTED)
def test_kernels_are_for_tensors_of_their_backend(kind, key):
    def program(torch):
        with torch.library._scoped_library("tests_of_custom_ops", "FRAGMENT") as library:
            library.define("of_backend(Tensor x) -> Tensor")
            library.impl("of_backend", lambda x: x.sin(), key)
            try:
                return torch.ops.tests_of_custom_ops.of_backend(_COMPUTED[kind](torch)).shape
            except NotImplementedError as error:
                # PyTorch lists all backends that have a fallback, too
                return str(error).split("is only available")[0]

    compare(program)
