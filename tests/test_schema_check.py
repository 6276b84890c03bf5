"""The mode that compares what operators do to their arguments with their schemas."""

import importlib

import pytest

from tests.both import compare, like_pytorch


def checking(torch):
    return importlib.import_module(f"{torch.__name__}._subclasses.schema_check_mode")


CALLS = {
    "nothing is written": lambda torch, x: x.relu().sin(),
    "in place": lambda torch, x: x.sinh_(),
    "an argument that is the other one": lambda torch, x: x.add_(x),
    "another shape": lambda torch, x: x.resize_(9),
    "the shape of another": lambda torch, x: x.resize_as_(torch.ones(2)),
    "other strides": lambda torch, x: x.as_strided_((3, 3), (1, 3)),
    "views": lambda torch, x: (x.split(1), x.unbind(), x.view(-1), x[0], x.expand(2, 3, 3)),
    "an unsafe view": lambda torch, x: x.unsafe_split(1),
    "out": lambda torch, x: torch.abs(x, out=torch.zeros(3, 3)),
    "two results": lambda torch, x: torch.frexp(
        x, out=(torch.zeros(3, 3), torch.zeros(3, 3, dtype=torch.int32))
    ),
    "two results in a list": lambda torch, x: torch.aminmax(
        x, dim=0, out=[torch.zeros(3), torch.zeros(3)]
    ),
    "values and places": lambda torch, x: torch.max(
        x, 0, out=(torch.zeros(3), torch.zeros(3, dtype=torch.long))
    ),
    "out of a choice": lambda torch, x: torch.where(x > 0, x, -x, out=torch.zeros(3, 3)),
    "out of a spread": lambda torch, x: torch.std(x, 0, out=torch.zeros(3)),
    "statistics in training": lambda torch, x: torch.nn.functional.batch_norm(
        x, torch.zeros(3), torch.ones(3), training=True
    ),
    "statistics": lambda torch, x: torch.nn.functional.batch_norm(x, torch.zeros(3), torch.ones(3)),
    "a list": lambda torch, x: torch._foreach_add_([x], 1),
    "several results": lambda torch, x: torch.frexp(x),
    "nothing": lambda torch, x: torch.atleast_2d(x),
}


@pytest.mark.parametrize("case", CALLS)
def test_what_is_written_to_and_shared(case):
    def program(torch):
        x = torch.arange(9.0).reshape(3, 3) / 9
        with checking(torch).SchemaCheckMode() as mode:
            CALLS[case](torch, x)
        found = mode.ops, list(map(tuple, mode.mutated)), list(map(tuple, mode.aliasing))
        found = [list(part) for part in found]
        mode.reset_cache()
        return found, mode.ops

    compare(program)


def misbehaving(torch):
    """A class whose operators do what their schemas do not say."""
    tree_map = importlib.import_module(f"{torch.__name__}.utils._pytree").tree_map

    class Misbehaving(torch.Tensor):
        @staticmethod
        def __new__(cls, elem):
            made = torch.Tensor._make_wrapper_subclass(cls, elem.shape, dtype=elem.dtype)
            made.elem = elem
            return made

        @classmethod
        def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
            given = tree_map(lambda a: a.elem if isinstance(a, Misbehaving) else a, args)
            result = func(*given, **(kwargs or {}))
            name = func._schema.name
            if name == "aten::mul":
                given[0].add_(1)
            if name == "aten::sub":
                result = given[0].view(given[0].shape)
            if name == "aten::neg":
                result = given[0]
            if name == "aten::aminmax":
                result = result[0], result[0].view(-1)
            if name == "aten::neg":
                return args[0]
            return tree_map(lambda r: cls(r) if isinstance(r, torch.Tensor) else r, result)

    return Misbehaving


@pytest.mark.parametrize("name", ["mul", "sub", "neg", "aminmax", "sin"])
def test_an_operator_that_does_what_its_schema_does_not_say(name):
    def program(torch):
        x, y = (misbehaving(torch)(torch.rand(3, 3)) for _ in range(2))
        with checking(torch).SchemaCheckMode():
            if name == "aminmax":
                torch.aminmax(x, dim=0)
            else:
                getattr(torch, name)(*((x, y) if name in ("mul", "sub") else (x,)))

    compare(program)


@pytest.mark.parametrize(
    "kernel",
    [lambda x: x.view(x.shape), lambda x: x.mul_(2) * 3, lambda x: x, lambda x: x + 1],
)
def test_an_operator_of_the_programs(kernel):
    def program(torch):
        library = importlib.import_module(f"{torch.__name__}.library").Library(
            "checked", "FRAGMENT"
        )
        try:
            library.define("op(Tensor x) -> Tensor")
            library.impl("op", kernel, "CPU")
            with checking(torch).SchemaCheckMode():
                torch.ops.checked.op(torch.ones(3))
        finally:
            library._destroy()

    compare(program)


@like_pytorch
def test_memory_that_values_share(torch):
    x, y = torch.ones(2), torch.ones(2)
    alias, overlaps = torch._C._is_alias_of, torch._C._overlaps
    return (
        [alias(x, x), alias(x, x[1:]), alias(x, y), alias([], []), alias([], x)],
        [
            overlaps(x, x),
            overlaps(x, y),
            overlaps([x, y], x),
            overlaps([], [x]),
            overlaps([x], [x]),
        ],
    )


@like_pytorch
def test_memory_of_tensors_that_have_no_storage(torch):
    x, sparse = torch.ones(2), torch.eye(2).to_sparse()
    alias, overlaps = torch._C._is_alias_of, torch._C._overlaps
    found = [
        alias(sparse, sparse.detach()),
        alias(sparse, sparse.clone()),
        alias(sparse._values(), sparse),
        torch._C._has_storage(sparse),
        torch._C._has_storage(x.to("meta")),
    ]

    def look(y):
        found.append([alias(y, z) for z in (y, y[:1], y.detach(), x)])
        found.append([overlaps([y], y), overlaps([y], [y.clone()]), torch._C._has_storage(y)])
        return y.sum()

    look(x)
    torch.func.grad(look)(x)
    torch.func.jvp(look, (x,), (x,))
    torch.vmap(look)(x[None])
    return found


@like_pytorch
def test_what_a_call_says_beyond_the_schema(torch):
    kinds = torch._C._SchemaArgType
    first, second = (torch._C._SchemaArgument(kinds.input, k) for k in (0, 1))
    result = torch._C._SchemaArgument(kinds.output, 0)
    x = torch.ones(2)
    add = torch._C._SchemaInfo(torch.ops.aten.add_.Tensor._schema)
    found = [add.may_alias(first, second), add.is_mutable(), add.is_mutable(second)]
    found += [add.has_argument("other"), add.has_argument("another")]
    add.add_argument_value("input", x)
    add.add_argument_values({"other": x})
    found += [add.may_alias(first, second), add.is_mutable("other"), add.is_mutable(result)]
    split = torch._C._SchemaInfo(torch.ops.aten.split.Tensor._schema)
    found += [split.may_alias(first, result), split.may_contain_alias(result, first)]
    norm = torch._C._SchemaInfo(torch.ops.aten.batch_norm.default._schema)
    found.append(norm.is_mutable("running_mean"))
    for training in (True, False):
        norm.add_argument_value("training", training)
        found.append(norm.is_mutable("running_mean"))
    return found
