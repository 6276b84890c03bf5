"""The parts of `torch.library` under PyTorch's names: `torch._library`."""

import importlib
import warnings

import pytest

from tests.both import compare, like_pytorch


def part(torch, name):
    return importlib.import_module(f"{torch.__name__}._library.{name}")


@pytest.mark.parametrize("tuples", [tuple, tuple[int], tuple[int, ...], tuple[int, str], tuple[()]])
def test_lists_of_what_tuples_hold(tuples):
    compare(lambda torch: str(part(torch, "infer_schema").tuple_to_list(tuples)))


def test_questions_about_schemas():
    texts = [
        "f(Tensor x) -> Tensor",
        "f(Tensor(a) x) -> Tensor(a)",
        "f(Tensor(a!) x) -> ()",
        "f(Tensor x) -> ()",
    ]

    def program(torch):
        utils, aten = part(torch, "utils"), torch.ops.aten
        found = [utils.is_functional_schema(text) for text in texts]
        for op in (aten.sin.default, aten.sin_.default, aten.add.out, aten.view.default):
            schema = op._schema
            found += [
                utils.is_functional_schema(schema),
                utils.is_functional_schema(schema, allow_valid_view=True),
                utils.mutates_and_returns_first_arg(op),
                utils.mutated_args_kwargs(schema),
                utils.is_builtin(op),
            ]
        pairs = utils.zip_schema(aten.add.Tensor._schema, (1,), {"other": 2, "alpha": 3})
        found.append([(a.name, value) for a, value in pairs])
        found.append(utils.fill_defaults(aten.add.Tensor._schema, (1, 2), {}))
        found.append(utils.lookup_op("aten::add.Tensor") is aten.add.Tensor)
        return found

    compare(program)


def test_a_name_without_a_namespace():
    compare(lambda torch: part(torch, "utils").parse_namespace("sin"))


@pytest.mark.parametrize("name", ["sin", "sin_"])
@pytest.mark.parametrize("writes", [True, False])
def test_the_mutation_checker_compares_writes_with_the_schema(name, writes):
    def program(torch):
        x = torch.ones(2)
        flat, spec = torch.utils._pytree.tree_flatten(((x,), {}))
        op = getattr(torch.ops.aten, name).default
        checker = part(torch, "utils").MutationChecker(op, flat, spec)
        if writes:
            x.add_(1)
        checker.check()

    compare(program)


def _stacking(torch):
    class Stack(torch.autograd.Function):
        @staticmethod
        def forward(ctx, xs, scale):
            ctx.scale = scale
            return [x * scale for x in xs], torch.stack(xs)

        @staticmethod
        def backward(ctx, grads, grad):
            seen.append(ctx.needs_input_grad)
            found = [a * ctx.scale + b for a, b in zip(grads, grad.unbind(0), strict=True)]
            return found, None

    seen = []
    return part(torch, "autograd").supports_tensorlist(Stack), seen


def test_a_function_of_a_list():
    def program(torch):
        function, seen = _stacking(torch)
        xs = [torch.full((2,), float(i), requires_grad=True) for i in range(3)]
        several, stacked = function.apply(xs, 3.0)
        (several[1] * stacked[2]).sum().backward()
        return several, stacked, [x.grad for x in xs], seen

    compare(program)


@pytest.mark.parametrize("name", ["forward", "backward"])
def test_its_parts_are_not_called_alone(name):
    compare(lambda torch: getattr(_stacking(torch)[0], name)(None, [torch.ones(2)]))


def test_gradients_in_another_order():
    def program(torch):
        class Wrong(torch.autograd.Function):
            @staticmethod
            def forward(ctx, xs):
                return xs[0] + xs[1]

            @staticmethod
            def backward(ctx, grad):
                return grad

        xs = [torch.ones(2, requires_grad=True) for _ in range(2)]
        found = part(torch, "autograd").supports_tensorlist(Wrong).apply(xs)
        try:
            found.sum().backward()
        except RuntimeError as error:
            return str(error).partition(". Got")[0]

    compare(program)


def test_what_is_not_here_says_so():
    for name in ("fake_profile.load_op_profiles", "register_fake_class"):
        *modules, last = name.split(".")
        module = importlib.import_module(".".join(["minitorch._library", *modules]))
        with pytest.raises(NotImplementedError, match=rf"torch\._library\.{name} is not part"):
            getattr(module, last)()


@like_pytorch
def test_what_a_library_registered_is_deleted_before_it(torch):
    found = []
    for number in range(2):
        lib = torch.library.Library("parts_deleted", "FRAGMENT")
        lib.define("add(Tensor x) -> Tensor")
        lib.impl("add", lambda x, number=number: x + number, "CPU")
        found.append(torch.ops.parts_deleted.add(torch.ones(1)))
        del lib.m
        del lib
    return found


@pytest.mark.parametrize("case", ["define", "impl"])
def test_a_library_that_is_gone_registers_nothing(case):
    def program(torch):
        lib = torch.library.Library("parts_gone", "FRAGMENT")
        lib._destroy()
        assert lib.m is None
        if case == "define":
            lib.define("f(Tensor x) -> Tensor")
        lib.impl("f", lambda x: x, "CPU")

    compare(program)


@like_pytorch
def test_what_an_operator_without_a_derivative_wrote_to_warns(torch):
    with torch.library._scoped_library("parts_in_place", "FRAGMENT") as lib:
        lib.define("fill(Tensor(a!) x) -> Tensor(a!)")
        lib.impl("fill", lambda x: x, "CPU")
        base = torch.ones(3, requires_grad=True).clone()
        result = torch.ops.parts_in_place.fill(base[1:])
        told = []
        for t in (result, base):
            with warnings.catch_warnings(record=True) as seen:
                warnings.simplefilter("always")
                t.sum().backward(retain_graph=True)
            told.append(any("autograd kernel was not registered" in str(w.message) for w in seen))
    return told
