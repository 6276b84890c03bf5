"""Errors of `torch.library`: checks run in PyTorch's order with PyTorch's messages."""

import contextlib
import importlib
import logging

import pytest

from tests.both import compare, outcome, real

# what follows is of one build: files and lines, or modules that only PyTorch has
_CUTS = (
    " Duplicate registration",
    "  (Error occurred",
    ", <class 'torch.dtype'>",
    ", <class 'minitorch.dtype'>",
    " is only available for these backends",
)


def refused(torch, call):
    """The type and the text of what a call raises; `compare` of two that raise nothing would be no test."""
    try:
        call()
    except Exception as error:
        text = str(error)
        for cut in _CUTS:
            text = text.partition(cut)[0]
        head, mark, rest = text.partition(" (with implementation in ")
        return type(error).__name__, head + rest.partition("): ")[2] if mark else text
    raise AssertionError("nothing was raised")


def check(call):
    compare(lambda torch: refused(torch, lambda: call(torch)))


SIGNATURES = {
    "a parameter by place only": ("x: Tensor, /", "Tensor", ()),
    "any number of parameters": ("*x: Tensor", "Tensor", ()),
    "any names": ("**x: Tensor", "Tensor", ()),
    "no annotation": ("x", "Tensor", ()),
    "a dictionary": ("x: dict", "Tensor", ()),
    "a tuple": ("x: tuple[int, int]", "Tensor", ()),
    "a tuple of any length": ("x: tuple[Tensor, ...]", "Tensor", ()),
    "a tuple of several types": ("x: tuple[int, str]", "Tensor", ()),
    "an unknown name": ("x: 'foo'", "Tensor", ()),
    "an unknown name in a list": ("x: list['foo']", "Tensor", ()),
    "no expression": ("x: '1+'", "Tensor", ()),
    "another attribute": ("x: 'Tensor.foo'", "Tensor", ()),
    "a word for what is written": ("x: Tensor", "Tensor", "foo"),
    "a number that is written": ("x: int", "Tensor", ("x",)),
    "a name that is not there": ("x: Tensor", "Tensor", ("z",)),
    "a list as default": ("x: Tensor = [1]", "Tensor", ()),
    "a tuple as default": ("x: list[int] = (1,)", "Tensor", ()),
    "no annotation of the result": ("x: Tensor", None, ()),
    "a dictionary as result": ("x: Tensor", "dict", ()),
    "a dictionary among results": ("x: Tensor", "tuple[Tensor, dict]", ()),
    "a string as result": ("x: Tensor", "str", ()),
    "perhaps a tensor as result": ("x: Tensor", "Tensor | None", ()),
    "an unknown name as result": ("x: Tensor", "'foo'", ()),
}


def annotated(torch, parameters, result):
    names = {"torch": torch, "Tensor": torch.Tensor}
    exec(f"def f({parameters}){f' -> {result}' if result else ''}: ...", names)
    return names["f"]


@pytest.mark.parametrize("case", SIGNATURES)
def test_a_signature_that_is_no_schema(case):
    parameters, result, written = SIGNATURES[case]
    check(
        lambda torch: torch.library.infer_schema(
            annotated(torch, parameters, result), mutates_args=written
        )
    )


TAGGED = {
    "in place on nothing": ("inplace", "x: Tensor", "Tensor", ()),
    "in place without a result": ("inplace", "x: Tensor", "None", ("x",)),
    "in place on a name": ("inplace", "*, x: Tensor", "Tensor", ("x",)),
    "in place on a list": ("inplace", "x: list[Tensor]", "list[Tensor]", ("x",)),
    "in place on two": ("inplace", "x: Tensor, y: Tensor", "Tensor", ("x", "y")),
    "in place with two results": ("inplace", "x: Tensor", "tuple[Tensor, Tensor]", ("x",)),
    "in place on the second": ("inplace", "x: int, y: Tensor", "Tensor", ("y",)),
    "in place on whatever": ("inplace", "x: Tensor", "Tensor", "unknown"),
    "out by place": ("out", "x: Tensor, out: Tensor", "Tensor", ("out",)),
    "out as a list": ("out", "x: Tensor, *, out: list[Tensor]", "Tensor", ("out",)),
    "out of another number": ("out", "*, out: Tensor, more: Tensor", "Tensor", ("out", "more")),
    "out without a result": ("out", "x: Tensor, *, out: Tensor", "None", ("out",)),
    "no out": ("out", "x: Tensor", "Tensor", ()),
}


@pytest.mark.parametrize("case", TAGGED)
def test_a_signature_that_does_not_fit_its_tag(case):
    tag, parameters, result, written = TAGGED[case]

    check(
        lambda torch: torch.library.infer_schema(
            annotated(torch, parameters, result),
            mutates_args=written,
            tags=getattr(torch.Tag, tag),
        )
    )


SCHEMAS = """
f(Tensor x) -> Tensor
f(Tensor(a!) x) -> Tensor(a!)
f(Tensor x,*,Tensor(a!) out) -> Tensor(a!)
f(Tensor x, *, Tensor(a!)[] out) -> Tensor(a!)[]
f(Tensor x, *, Tensor(a!) out) -> ()
f(Tensor x, *, Tensor(a!) out, Tensor(b!) more) -> Tensor(a!)
f(Tensor x, *, Tensor(a!) out, Tensor(b!) more) -> (Tensor(b!), Tensor(a!))
f(Tensor x, *, Tensor(a!) out) -> Tensor
f(Tensor x, *, Tensor(a!) out) -> Tensor(a)
f(Tensor(a!)[] x) -> Tensor(a!)[]
f(Tensor(a!)? x) -> Tensor(a!)
f(*, Tensor(a!) x) -> Tensor(a!)
f() -> Tensor
f(int x) -> Tensor
f(Tensor(a!) x) -> ()
f(Tensor(a!) x) -> int
f(Tensor(a!) x) -> Tensor
f(Tensor(a!) x) -> Tensor(a)
f(Tensor(a!) x,Tensor(b!) y) -> Tensor(b!)
f(Tensor(a!) x, Tensor(b!) y) -> Tensor(a!)
f(Tensor(a!) x) -> (Tensor(a!), Tensor)
""".strip().splitlines()


@pytest.mark.parametrize("tag", ["inplace", "out"])
@pytest.mark.parametrize("schema", SCHEMAS)
def test_a_schema_and_its_tag(schema, tag):
    def program(torch):
        with torch.library._scoped_library("library_errors", "FRAGMENT") as lib:
            return lib.define(schema, tags=getattr(torch.Tag, tag))

    compare(program)


def _destroyed(torch, call):
    lib = torch.library.Library("library_errors", "FRAGMENT")
    lib.define("f(Tensor x) -> Tensor")
    lib._destroy()
    call(lib)


def under_autocast(torch, op, **kwargs):
    with torch.autocast("cpu"):
        return op(torch.ones(2), **kwargs)


def without_library(torch):
    library = torch.library.Library("_", "IMPL")
    library._destroy()
    return library


def in_fake_mode(torch, lib, fake):
    """What a function for results without data gives in a mode of fake tensors."""
    lib.define("faked(Tensor x) -> Tensor")
    torch.library.register_fake("library_errors::faked", fake, lib=lib)
    module = importlib.import_module(f"{torch.__name__}._subclasses.fake_tensor")
    with module.FakeTensorMode():
        return torch.ops.library_errors.faked(torch.ones(2))


def inside(torch):
    return importlib.import_module(f"{torch.__name__}._library.utils")


CALLS = {
    "another kind of library": lambda t, lib: t.library.Library("library_errors", "FOO"),
    "the namespace of PyTorch": lambda t, lib: t.library.Library("prim", "DEF"),
    "a part of that": lambda t, lib: t.library.Library("prim", "FRAGMENT"),
    "an operator in it": lambda t, lib: t.library.custom_op(
        "prim::foo", annotated(t, "x: Tensor", "Tensor"), mutates_args=()
    ),
    "an unknown key of a library": lambda t, lib: t.library.Library("library_errors", "IMPL", "q"),
    "an alias analysis": lambda t, lib: lib.define("g(Tensor x) -> Tensor", "PURE_FUNCTION"),
    "an unknown type": lambda t, lib: lib.define("g(Foo x) -> Tensor"),
    "a name alone": lambda t, lib: lib.define("g"),
    "nothing": lambda t, lib: lib.define(""),
    "an operator twice": lambda t, lib: lib.define("f(Tensor x) -> Tensor"),
    "another namespace": lambda t, lib: lib.define("other::g(Tensor x) -> Tensor"),
    "a definition in what is gone": lambda t, lib: _destroyed(
        t, lambda lib: lib.define("g(Tensor x) -> Tensor")
    ),
    "a kernel in what is gone": lambda t, lib: _destroyed(
        t, lambda lib: lib.impl("f", lambda x: x, "CPU")
    ),
    "a kernel that is no function": lambda t, lib: lib.impl("f", 3, "CPU"),
    "a kernel of a number": lambda t, lib: lib.impl(3, lambda x: x, "CPU"),
    "a kernel once more": lambda t, lib: lib.impl("f", lambda x: x, "CPU", allow_override=False),
    "a kernel for an unknown key": lambda t, lib: lib.impl("f", lambda x: x, "Foo"),
    "a kernel of another namespace": lambda t, lib: lib.impl("aten::sin", lambda x: x, "CPU"),
    "a kernel without data of a composed operator": lambda t, lib: t.library.Library(
        "aten", "IMPL"
    ).impl("reshape", lambda x: x, "Meta"),
    "a kernel without data of an unknown one": lambda t, lib: lib.impl("h", lambda x: x, "Meta"),
    "a fallback of a namespace": lambda t, lib: lib.fallback(lambda: 1, "CPU"),
    "a fallback without a key": lambda t, lib: t.library.Library("_", "IMPL").fallback(lambda: 1),
    "a fallback of what is gone": lambda t, lib: without_library(t).fallback(lambda: 1, "CPU"),
    "what no one calls": lambda t, lib: t.library.fallthrough_kernel(),
    "a number as name": lambda t, lib: t.library.define(3, "(Tensor x) -> Tensor"),
    "no namespace": lambda t, lib: t.library.define("foo", "(Tensor x) -> Tensor"),
    "two namespaces": lambda t, lib: t.library.define("a::b::c", "(Tensor x) -> Tensor"),
    "a schema with the name": lambda t, lib: t.library.define(
        "library_errors::g", "g(Tensor x) -> Tensor"
    ),
    "half a schema": lambda t, lib: t.library.define("library_errors::g", "Tensor x"),
    "an unknown device": lambda t, lib: t.library.impl("library_errors::f", "foo", lambda x: x),
    "a kernel of no operator": lambda t, lib: t.library.register_kernel(3, "cpu", lambda x: x),
    "a fake of no operator": lambda t, lib: t.library.register_fake(3, lambda x: x),
    "a fake without namespace": lambda t, lib: t.library.register_fake("foo", lambda x: x),
    "a fake of an unknown operator": lambda t, lib: t.library.register_fake(
        "library_errors::unknown", lambda x: x
    ),
    "a fake of a composed operator": lambda t, lib: t.library.register_fake(
        "library_errors::composed", lambda x: x, lib=lib
    ),
    "a second fake": lambda t, lib: t.library.register_fake(
        "library_errors::known", lambda x: x, lib=lib, allow_override=False
    ),
    "a fake beside a kernel without data": lambda t, lib: t.library.register_fake(
        "library_errors::without_data", lambda x: x, lib=lib, allow_override=False
    ),
    "another fake of a composed operator": lambda t, lib: t.library.register_fake(
        "library_errors::composed", lambda x: x, lib=lib, allow_override=False
    ),
    "a derivative of no operator": lambda t, lib: t.library.register_autograd(3, lambda x: x),
    "a derivative of an unknown operator": lambda t, lib: t.library.register_autograd(
        "library_errors::unknown", lambda x: x
    ),
    "a derivative of one that writes": lambda t, lib: t.library.register_autograd(
        "library_errors::writes", lambda x: x
    ),
    "a derivative of a view": lambda t, lib: t.library.register_autograd(
        "library_errors::view", lambda x: x
    ),
    "a derivative of one with the tag out": lambda t, lib: t.library.register_autograd(
        "library_errors::out", lambda x: x
    ),
    "a derivative of tensors by name": lambda t, lib: t.library.register_autograd(
        "library_errors::by_name", lambda x: x
    ),
    "a batch of tensors by name": lambda t, lib: t.library.register_vmap(
        "library_errors::by_name", lambda x: x
    ),
    "a batch of no operator": lambda t, lib: t.library.register_vmap(3, lambda x: x),
    "autocast of no operator": lambda t, lib: t.library.register_autocast(3, "cpu", t.float16),
    "autocast of an unknown device": lambda t, lib: t.library.register_autocast(
        "library_errors::f", "foo", t.float16
    ),
    "autocast of a device without": lambda t, lib: t.library.register_autocast(
        "library_errors::f", "meta", t.float16
    ),
    "a class's rule of no operator": lambda t, lib: t.library.register_torch_dispatch(
        3, t.Tensor, lambda x: x
    ),
    "a class's rule twice": lambda t, lib: [
        t.library.register_torch_dispatch("library_errors::f", t.nn.Parameter, len, lib=lib)
        for _ in range(2)
    ],
    "a kernel by itself of no operator": lambda t, lib: t.library.get_kernel(3, "CPU"),
    "a kernel by itself of no key": lambda t, lib: t.library.get_kernel("aten::sin", "foo"),
    "a context outside of a fake": lambda t, lib: t.library.get_ctx(),
    "a size that nobody knows": lambda t, lib: in_fake_mode(
        t, lib, lambda x: x.new_empty(t.library.get_ctx().new_dynamic_size())
    ),
    "an unknown check": lambda t, lib: t.library.opcheck(
        t.ops.aten.sin.default, (t.ones(2),), test_utils="foo"
    ),
    "half a tolerance": lambda t, lib: t.library.opcheck(
        t.ops.aten.sin.default, (t.ones(2),), rtol=1.0
    ),
    "an argument by name under autocast": lambda t, lib: [
        t.library.register_autocast("library_errors::number", "cpu", t.bfloat16, lib=lib),
        under_autocast(t, t.ops.library_errors.number, n=2),
    ],
    "no tensor": lambda t, lib: t.ops.library_errors.gives_number(t.ones(2)),
    "a tuple for a tensor": lambda t, lib: t.ops.library_errors.gives_pair(t.ones(2)),
    "a string for a number": lambda t, lib: t.ops.library_errors.gives_string(t.ones(2)),
    "a list of numbers": lambda t, lib: t.ops.library_errors.gives_list(t.ones(2)),
    "something for nothing": lambda t, lib: t.ops.library_errors.gives_something(t.ones(2)),
    "no kernel": lambda t, lib: t.ops.library_errors.no_kernel(t.ones(2)),
    "a batch by a rule with one result": lambda t, lib: t.vmap(t.ops.library_errors.rule_one)(
        t.ones(2, 3)
    ),
    "a batch by a rule with other dimensions": lambda t, lib: t.vmap(
        t.ops.library_errors.rule_dims
    )(t.ones(2, 3)),
    "no operator": lambda t, lib: t.ops.library_errors.unknown,
    "no overload": lambda t, lib: t.ops.library_errors.f.foo,
    "no operator of PyTorch": lambda t, lib: t.ops.aten.unknown,
    "no operator of a higher order": lambda t, lib: t.ops.higher_order.unknown,
    "what typing asks of a namespace": lambda t, lib: t.ops.library_errors.__origin__,
    "a size that depends on data": lambda t, lib: t.ops.library_errors.dynamic(
        t.ones(2, device="meta")
    ),
    "no operator to ask about": lambda t, lib: inside(t).is_builtin(3),
    "no schema": lambda t, lib: inside(t).is_functional_schema(3),
    "more arguments than a schema has": lambda t, lib: list(
        inside(t).zip_schema(t.ops.aten.sin.default._schema, (1, 2), {})
    ),
    "both tags": lambda t, lib: t.library.infer_schema(
        annotated(t, "x: Tensor", "Tensor"), mutates_args=["x"], tags=[t.Tag.inplace, t.Tag.out]
    ),
    "no file": lambda t, lib: t.ops.load_library("/nonexistent/x.so"),
}

OPERATORS = {
    "f(Tensor x) -> Tensor": lambda x: x.clone(),
    "composed(Tensor x) -> Tensor": None,
    "known(Tensor x) -> Tensor": None,
    "without_data(Tensor x) -> Tensor": None,
    "writes(Tensor(a!) x) -> ()": lambda x: None,
    "view(Tensor(a) x) -> Tensor(a)": lambda x: x,
    "by_name(Tensor x, *, Tensor y) -> Tensor": lambda x, y: x.clone(),
    "number(Tensor x, *, int n=1) -> Tensor": lambda x, n=1: x.clone(),
    "gives_number(Tensor x) -> Tensor": lambda x: 3,
    "gives_pair(Tensor x) -> Tensor": lambda x: (x.clone(), x.clone()),
    "gives_string(Tensor x) -> int": lambda x: "a",
    "gives_list(Tensor x) -> Tensor[]": lambda x: [1],
    "gives_something(Tensor x) -> ()": lambda x: 3,
    "no_kernel(Tensor x) -> Tensor": None,
    "dynamic(Tensor x) -> Tensor": None,
    "rule_one(Tensor x) -> Tensor": lambda x: x.clone(),
    "rule_dims(Tensor x) -> Tensor": lambda x: x.clone(),
}


@pytest.mark.parametrize("case", CALLS)
def test_a_call_that_is_refused(case):
    def program(torch):
        with torch.library._scoped_library("library_errors", "FRAGMENT") as lib:
            for schema, kernel in OPERATORS.items():
                name = lib.define(schema)
                if kernel is not None:
                    lib.impl(name, kernel, "CPU")
            lib.define("out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)", tags=torch.Tag.out)
            lib.impl("composed", lambda x: x.clone())
            lib.impl("without_data", lambda x: x.clone(), "Meta")
            for name in ("known", "dynamic"):
                fake = (lambda x: x) if name == "known" else lambda x: torch.library.get_ctx()
                torch.library.register_fake(f"library_errors::{name}", fake, lib=lib)
            rules = {"rule_one": lambda info, dims, x: x, "rule_dims": lambda i, d, x: (x, (0, 0))}
            for name, rule in rules.items():
                torch.library.register_vmap(f"library_errors::{name}", rule, lib=lib)
            return refused(torch, lambda: CALLS[case](torch, lib))

    compare(program)


def differentiated(torch, op, backward):
    op.register_autograd(backward)
    op(torch.ones(2, requires_grad=True)).sum().backward()


CUSTOM = {
    "two words for what is written": dict(mutates_args=("x",), schema="(Tensor x) -> Tensor"),
    "nothing for what is written": dict(schema="(Tensor(a!) x) -> Tensor"),
    "no schema": dict(schema="foo"),
    "a tensor by name": dict(parameters="*, x: Tensor"),
    "an unknown device": dict(device_types="foo"),
    "no device": dict(parameters="x: int", device_types="cpu"),
    "a device without a kernel": dict(
        parameters="device: torch.device",
        device_types="cpu",
        then=lambda t, op: op(t.device("meta")),
    ),
    "no fake": dict(then=lambda t, op: op(t.ones(2, device="meta"))),
    "no derivative": dict(then=lambda t, op: op(t.ones(2, requires_grad=True)).sum().backward()),
    "the input": dict(body="return x", then=lambda t, op: op(t.ones(2))),
    "a view": dict(body="return x.view(-1)", then=lambda t, op: op(t.ones(2))),
    "a tensor twice": dict(
        result="tuple[Tensor, Tensor]",
        body="return (x.clone(),) * 2",
        then=lambda t, op: op(t.ones(2)),
    ),
    "a number": dict(body="return 3", then=lambda t, op: op(t.ones(2))),
    "one for two": dict(
        result="tuple[Tensor, Tensor]", body="return x.clone()", then=lambda t, op: op(t.ones(2))
    ),
    "a derivative of one that writes": dict(
        mutates_args=("x",),
        result="None",
        body="pass",
        then=lambda t, op: op.register_autograd(lambda ctx, g: g),
    ),
    "a derivative of one in place": dict(
        mutates_args=("x",),
        tags="inplace",
        then=lambda t, op: op.register_autograd(lambda ctx, g: g),
    ),
    "not the argument in place": dict(
        mutates_args=("x",), tags="inplace", then=lambda t, op: op(t.ones(2))
    ),
    "not the argument out": dict(
        parameters="x: Tensor, *, out: Tensor",
        mutates_args=("out",),
        tags="out",
        then=lambda t, op: op(t.ones(2), out=t.ones(2)),
    ),
    "a derivative of one with the tag out": dict(
        parameters="x: Tensor, *, out: Tensor",
        mutates_args=("out",),
        tags="out",
        then=lambda t, op: op.register_autograd(lambda ctx, g: g),
    ),
    "a gradient through out": dict(
        parameters="x: Tensor, *, out: Tensor",
        mutates_args=("out",),
        tags="out",
        then=lambda t, op: op(t.ones(2, requires_grad=True), out=t.ones(2)),
    ),
    "autocast of a number": dict(then=lambda t, op: op.register_autocast(3, t.float16)),
    "autocast of a device without": dict(
        then=lambda t, op: op.register_autocast("meta", t.float16)
    ),
    "an argument by name under autocast": dict(
        parameters="x: Tensor, *, y: int = 1",
        then=lambda t, op: [op.register_autocast("cpu", t.bfloat16), under_autocast(t, op, y=2)],
    ),
    "a field that is PyTorch's": dict(
        parameters="x: list[Tensor]",
        body="return x[0].clone()",
        then=lambda t, op: [
            op.register_autograd(
                lambda ctx, g: [g],
                setup_context=lambda ctx, inputs, output: setattr(ctx, "_pt_metadata", 1),
            ),
            op([t.ones(2, requires_grad=True)]),
        ],
    ),
    "a gradient for a list": dict(
        parameters="x: list[Tensor]",
        body="return x[0].clone()",
        then=lambda t, op: [
            op.register_autograd(lambda ctx, g: g),
            op([t.ones(2, requires_grad=True)]).sum().backward(),
        ],
    ),
    "a gradient too many": dict(then=lambda t, op: differentiated(t, op, lambda ctx, g: (g, g))),
    "two gradients too many": dict(
        then=lambda t, op: differentiated(t, op, lambda ctx, g: (g, g, g))
    ),
    "a string as gradient": dict(then=lambda t, op: differentiated(t, op, lambda ctx, g: "a")),
    "no name": dict(name="foo"),
    "two names": dict(name="a::b::c"),
}


@pytest.mark.parametrize("case", CUSTOM)
def test_an_operator_made_of_a_function(case):
    options = dict(CUSTOM[case])
    parameters = options.pop("parameters", "x: Tensor")
    result = options.pop("result", "Tensor")
    body = options.pop("body", "return x.clone()")
    then = options.pop("then", lambda torch, op: None)
    tag = options.pop("tags", None)
    name = options.pop("name", "library_errors_custom::f")

    def call(torch):
        names = {"torch": torch, "Tensor": torch.Tensor}
        exec(f"def f({parameters}) -> {result}: {body}", names)
        given = {"mutates_args": (), "tags": tag and getattr(torch.Tag, tag), **options}
        then(torch, torch.library.custom_op(name, names["f"], **given))

    check(call)


def test_operators_that_give_what_they_write():
    def program(torch):
        names = {"torch": torch, "Tensor": torch.Tensor}
        exec("def double(x: Tensor) -> Tensor: return x.mul_(2)", names)
        exec("def copy(x: Tensor, *, out: Tensor) -> Tensor: return out.copy_(x)", names)
        made = torch.library.custom_op
        double = made(
            "library_errors_custom::double",
            names["double"],
            mutates_args=("x",),
            tags=torch.Tag.inplace,
        )
        copy = made(
            "library_errors_custom::copy", names["copy"], mutates_args=("out",), tags=torch.Tag.out
        )
        x, out = torch.ones(2), torch.zeros(2)
        without = torch.ones(3, device="meta")
        found = [double(x) is x, x, x._version, copy(x, out=out) is out, out]
        found += [double(without) is without, copy(without, out=without) is without]
        double.register_fake(lambda x: x)  # warns: it is known
        return found + [str(op._opoverload._schema) for op in (double, copy)]

    compare(program)


def test_what_is_known_under_a_name_is_replaced():
    def program(torch):
        with torch.library._scoped_library("library_errors", "FRAGMENT") as lib:
            lib.define("f(Tensor x) -> Tensor")
            for factor in (2, 3):
                rule = lambda x, factor=factor: x.new_empty(factor)  # noqa: E731
                torch.library.register_fake("library_errors::f", rule, lib=lib)
            return list(torch.ops.library_errors.f(torch.ones(1, device="meta")).shape)

    compare(program)
    assert outcome(program, real)[0] == "returned"


@pytest.mark.parametrize(
    "steps",
    [
        [("cuda", False)],
        [("cuda", True)],
        [("cpu", True)],
        [("cpu", False), ("cpu", False)],
        [("cpu", False), ("cpu", True), ("cpu", True)],
    ],
)
def test_switches_without_effect_warn(steps, caplog):
    def program(torch):
        caplog.clear()
        names = {"Tensor": torch.Tensor}
        exec("def f(x: Tensor) -> Tensor: return x.clone()", names)
        op = torch.library.custom_op("library_errors_custom::g", names["f"], mutates_args=())
        op.register_kernel("cpu")(names["f"])
        with contextlib.ExitStack() as stack, caplog.at_level(logging.WARNING):
            for device, enabled in steps:
                stack.enter_context(op.set_kernel_enabled(device, enabled))
        return [record.getMessage() for record in caplog.records]

    compare(program)


def test_what_a_formula_sees_of_its_inputs():
    def program(torch):
        names = {"Tensor": torch.Tensor}
        exec("def f(x: Tensor, y: Tensor) -> Tensor: return x * y", names)
        op = torch.library.custom_op("library_errors_custom::h", names["f"], mutates_args=())
        seen = []

        def backward(ctx, g):
            seen.append(ctx.needs_input_grad)
            return g, None

        op.register_autograd(backward)
        x = torch.ones(2, requires_grad=True)
        y = op(x, torch.ones(2))
        y.sum().backward()
        return seen, len(y.grad_fn.next_functions), x.grad

    compare(program)
