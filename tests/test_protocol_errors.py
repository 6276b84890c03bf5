"""What the modes and classes of `__torch_dispatch__` and `__torch_function__` must not do, and what is said then."""

import importlib
import re

import pytest

from tests.both import compare

ADDRESS = re.compile(r"0x[0-9a-f]+")


def refused(torch, call):
    """What a call raises, without addresses, and the modes that are left entered."""
    try:
        call(torch)
    except Exception as error:
        stacks = torch._C._len_torch_dispatch_stack(), torch._C._len_torch_function_stack()
        return type(error).__name__, ADDRESS.sub("0x", str(error)), stacks, torch.ones(1)
    raise AssertionError("nothing was raised")


def dispatch(torch):
    return importlib.import_module(f"{torch.__name__}.utils._python_dispatch")


def dispatch_mode(torch, answer, **options):
    class Mode(dispatch(torch).TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            return answer()

    return Mode(**options)


def function_mode(torch, answer):
    class Mode(torch.overrides.TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            return answer()

    return Mode()


def inside(mode, call):
    with mode:
        return call()


def nothing():
    return NotImplemented


def fails():
    return 1 / 0


def wrapper(torch, answer=None, **options):
    """A tensor of a class that answers like this; without an answer it wraps a tensor of ones."""

    class Wrapper(torch.Tensor):
        @staticmethod
        def __new__(cls, inner, **options):
            shape, strides = inner.shape, inner.stride()
            t = torch.Tensor._make_wrapper_subclass(cls, shape, strides=strides, **options)
            t.inner = inner
            return t

        def __tensor_flatten__(self):
            return ["inner"], None

        @staticmethod
        def __tensor_unflatten__(inner, context, size, stride):
            return Wrapper(inner["inner"])

        @classmethod
        def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
            return answer()

    return Wrapper(torch.ones(2, 2), **options)


def says(answer, what, **options):
    """What is asked of a wrapper that answers so."""
    return lambda torch: getattr(wrapper(torch, lambda: answer, **options), what)()


def of(answer):
    """An object with ``__torch_function__``."""

    class Object:
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            return answer()

    return Object()


def subclass(torch, name="Sub"):
    def method(cls, func, types, args=(), kwargs=None):
        return NotImplemented

    return type(name, (torch.Tensor,), {"__torch_function__": classmethod(method)})([1.0])


def aliasing(torch, func, args, out):
    return dispatch(torch).return_and_correct_aliasing(func, args, {}, out)


def mixed_schema(torch):
    with torch.library._scoped_library("protocol_errors", "FRAGMENT") as lib:
        lib.define("f(Tensor(a!) x, Tensor y) -> (Tensor(a!), Tensor)")
        dispatch(torch).get_alias_info(torch.ops.protocol_errors.f.default)


def aliasing_of(schema, result, *tags):
    """The aliasing of an operator of two tensors."""

    def call(torch):
        with torch.library._scoped_library("protocol_errors", "FRAGMENT") as lib:
            lib.define(schema, tags=tuple(getattr(torch.Tag, tag) for tag in tags))
            op = getattr(torch.ops.protocol_errors, schema.split("(")[0]).default
            return aliasing(torch, op, (torch.ones(2), torch.ones(2)), result(torch.ones(2)))

    return call


SIZES, STRIDES = ({"dispatch_sizes_strides_policy": policy} for policy in ("sizes", "strides"))

MODES = {
    "no method": lambda t: inside(dispatch(t).TorchDispatchMode(), lambda: t.ones(2)),
    "no method for functions": lambda t: inside(t.overrides.TorchFunctionMode(), lambda: t.ones(2)),
    "a key that is none": lambda t: dispatch_mode(t, nothing, _dispatch_key="CPU"),
    # entering such a mode, PyTorch believes ever after to be inside of one
    "another key": lambda t: dispatch(t)._push_mode(
        dispatch_mode(t, nothing, _dispatch_key=t._C.DispatchKey.CPU)
    ),
    "the key above autograd": lambda t: dispatch(t)._push_mode(
        dispatch_mode(t, nothing, _dispatch_key=t._C.DispatchKey.PreDispatch)
    ),
    "an error": lambda t: inside(dispatch_mode(t, fails), lambda: t.ones(2)),
    "nothing": lambda t: inside(dispatch_mode(t, nothing), lambda: t.ones(2)),
    "a string": lambda t: inside(dispatch_mode(t, lambda: "foo"), lambda: t.ones(2)),
    "a string for a number": lambda t: (
        lambda x: inside(dispatch_mode(t, lambda: "foo"), lambda: x.item())
    )(t.ones(1)),
    "a string for a truth": lambda t: (
        lambda x: inside(dispatch_mode(t, lambda: "foo"), lambda: t.equal(x, x))
    )(t.ones(1)),
    "a number for a list": lambda t: (
        lambda x: inside(dispatch_mode(t, lambda: 3), lambda: x.unbind())
    )(t.ones(1)),
    "an error of a function": lambda t: inside(function_mode(t, fails), lambda: t.ones(2)),
    "nothing for a function": lambda t: inside(function_mode(t, nothing), lambda: t.ones(2)),
    "nothing for a method": lambda t: (
        lambda x: inside(function_mode(t, nothing), lambda: x.add(1))
    )(t.ones(1)),
    "nothing for a protocol": lambda t: inside(
        function_mode(t, nothing),
        lambda: t.overrides.handle_torch_function(t.nn.functional.relu, (of(nothing),), 1),
    ),
    "no mode to leave": lambda t: dispatch(t)._pop_mode(),
    "no mode to leave for a while": lambda t: inside(
        dispatch(t)._pop_mode_temporarily(), lambda: None
    ),
    "no mode there": lambda t: t._C._get_dispatch_stack_at(0),
    "no mode of functions there": lambda t: t._C._get_function_stack_at(0),
}

CLASSES = {
    "another size": lambda t: dispatch(t).transform_subclass(
        wrapper(t), lambda name, x: x, outer_size=(3,)
    ),
    "another stride": lambda t: dispatch(t).transform_subclass(wrapper(t), lambda name, x: x.t()),
    "arguments as a list": lambda t: aliasing(t, t.ops.aten.add.Tensor, [t.ones(2), 1], t.ones(2)),
    "a view of another class": lambda t: aliasing(
        t, t.ops.aten.t.default, (wrapper(t),), t.ones(2, 2)
    ),
    "views of another class": lambda t: aliasing(
        t, t.ops.aten.unbind.int, (wrapper(t),), [t.ones(2), t.ones(2)]
    ),
    "a number as view": lambda t: aliasing(t, t.ops.aten.t.default, (t.ones(2, 2),), 3),
    "a result that is written and one that is not": mixed_schema,
    "two arguments of another shape": aliasing_of(
        "two(Tensor(a!) x, Tensor(b!) y) -> (Tensor(a!), Tensor(b!))",
        lambda x: (x, x),
        "inplace_view",
    ),
    "two arguments for one result": aliasing_of(
        "either(Tensor(a!) x, Tensor(a!) y) -> Tensor(a!)", lambda x: x
    ),
    "nothing": says(NotImplemented, "sin"),
    "a string": says("foo", "sin"),
    "a number for sizes": says(3, "size", **SIZES),
    "strings for sizes": says(("a",), "size", **SIZES),
    "a string for strides": says("a", "stride", **STRIDES),
    "a string for the dimensions": says("a", "dim", **SIZES),
    "a string for contiguity": says("a", "is_contiguous", **STRIDES),
    "a string for the offset": says("a", "storage_offset", **SIZES),
    "a string for the number": says("a", "numel", **SIZES),
    "nothing for sizes": says(NotImplemented, "size", **SIZES),
    "nothing for strides": says(NotImplemented, "stride", **STRIDES),
    "an offset without strides": lambda t: t.Tensor._make_wrapper_subclass(
        type(wrapper(t)), (2,), storage_offset=2
    ),
    "a policy": says(1, "size", dispatch_sizes_strides_policy="foo"),
    "nothing for the device": lambda t: (
        wrapper(t, lambda: NotImplemented, dispatch_device=True).device
    ),
    "a number for the device": lambda t: wrapper(t, lambda: 3, dispatch_device=True).device,
    "nothing for the layout": lambda t: (
        wrapper(t, lambda: NotImplemented, dispatch_layout=True).layout
    ),
    "no class of tensors": lambda t: t.ones(2).as_subclass(int),
    "a wrapper that is none": lambda t: t.Tensor._make_wrapper_subclass(int, (2,)),
    "a subclass that is none": lambda t: t.Tensor._make_subclass(int, t.ones(2)),
    "data that are none": lambda t: t.Tensor._make_subclass(t.nn.Parameter, 3),
    "integers with a gradient": lambda t: t.Tensor._make_subclass(t.Tensor, t.arange(2), True),
}

OVERRIDES = {
    "a protocol by hand": lambda t: t.overrides.handle_torch_function(
        t.nn.functional.relu, (of(nothing),), 1
    ),
    "an error": lambda t: t.overrides.handle_torch_function(t.sin, (of(fails),), 1),
    "a function": lambda t: t.sin(of(nothing)),
    "the second argument": lambda t: t.add(t.ones(2), of(nothing)),
    "an item of a list": lambda t: t.cat([t.ones(2), of(nothing)]),
    "an argument of a method": lambda t: t.ones(2).add(of(nothing)),
    "an operand": lambda t: t.ones(2) + of(nothing),
    "an index": lambda t: t.ones(2)[of(nothing)],
    "a value to set": lambda t: t.ones(2).__setitem__(0, of(nothing)),
    "a function of networks": lambda t: t.nn.functional.linear(of(nothing), t.ones(2)),
    "one in Python": lambda t: t.nn.functional.relu(of(nothing)),
    "autograd.grad": lambda t: t.autograd.grad(of(nothing), t.ones(2)),
    "autograd.backward": lambda t: t.autograd.backward(of(nothing)),
    "a subclass": lambda t: subclass(t).sin(),
    "two subclasses": lambda t: subclass(t, "A") + subclass(t, "B"),
    "a property": lambda t: subclass(t).shape,
    "a property that is set": lambda t: setattr(subclass(t), "grad", None),
    "a truth": lambda t: bool(subclass(t)),
    "a length": lambda t: len(subclass(t)),
    "a text": lambda t: repr(subclass(t)),
    "a gradient": lambda t: subclass(t).backward(),
    "no function": lambda t: t.overrides.wrap_torch_function(lambda x: 3)(lambda x: x)(1),
    "a dispatcher": lambda t: t.overrides.wrap_torch_function(lambda x: (x,))(lambda x: x)(
        of(nothing)
    ),
}


@pytest.mark.parametrize("case", MODES)
def test_modes(case):
    compare(lambda torch: refused(torch, MODES[case]))


@pytest.mark.parametrize("case", CLASSES)
def test_classes(case):
    compare(lambda torch: refused(torch, CLASSES[case]))


@pytest.mark.parametrize("case", OVERRIDES)
def test_functions_without_an_override_that_answers(case):
    compare(lambda torch: refused(torch, OVERRIDES[case]))


@pytest.mark.parametrize("protocol", ["dispatch", "function"])
def test_the_older_way_to_make_a_mode(protocol):
    def program(torch):
        module = dispatch(torch) if protocol == "dispatch" else torch.overrides
        base = getattr(module, f"Torch{protocol.title()}Mode")
        return isinstance(base.push(), base)

    compare(program)


def test_a_mode_returns_nothing_for_an_operator_that_returns_nothing():
    def program(torch):
        with dispatch_mode(torch, lambda: 5):
            torch.ops.aten._foreach_add_.Scalar([], 1)

    compare(lambda torch: refused(torch, program))
