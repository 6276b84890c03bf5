"""Schemas as texts, and which of them can be called as older ones."""

import importlib

import pytest

import minitorch
from tests.both import compare, like_pytorch
from tests.expressions import check, lines

OLD = "any(Tensor self, int a=1, *, Tensor(a!) out) -> Tensor"
NEW = [
    OLD,
    "any.other(Tensor self, int a=1, *, Tensor(a!) out) -> Tensor",
    "any(Tensor self, int a=2, *, Tensor(a!) out) -> Tensor",
    "any(Tensor self, int a, *, Tensor(a!) out) -> Tensor",
    "any(Tensor self, int? a=1, *, Tensor(a!) out) -> Tensor",
    "any(Tensor self, Scalar a=1, *, Tensor(a!) out) -> Tensor",
    "any(Tensor self, int b=1, *, Tensor(a!) out) -> Tensor",
    "any(Tensor self, int a=1, int b=1, *, Tensor(a!) out) -> Tensor",
    "any(Tensor self, int a=1, int[] b=[1], *, Tensor(a!) out) -> Tensor",
    "any(Tensor self, int a=1, *, int b, Tensor(a!) out) -> Tensor",
    "any(Tensor self, *, int a=1, Tensor(a!) out) -> Tensor",
    "any(Tensor self, int a=1, *, Tensor(b!) out) -> Tensor",
    "any(Tensor self, int a=1, *, Tensor(a!) out) -> Tensor?",
    "any(Tensor self, int a=1, *, Tensor(a!) out) -> (Tensor, Tensor)",
    "any(Tensor self, int a=1, *, Tensor(a!) out) -> ...",
    "any(Tensor self) -> Tensor",
]


@pytest.mark.parametrize("new", NEW)
def test_compatibility(new):
    def program(torch):
        first, second = map(torch._C.parse_schema, (new, OLD))
        return [
            told
            for a, b in ((first, second), (second, first))
            for told in (
                a.is_backward_compatible_with(b), a.check_forward_compatible_with(b), a == b
            )
        ]  # fmt: skip

    compare(program)


@pytest.mark.parametrize(
    "text",
    [
        "a::b.c(Tensor self, int[2] x, *, str s=\"q\", bool t=True) -> (Tensor first, int)",
        "any(Tensor self, Tensor a, ...) -> Tensor",
        "any(SymInt[] x, SymInt? y=None) -> SymInt[]",
        "any(Tensor(a!) self) -> Tensor(a!)",
        "any() -> ()",
    ],
)  # fmt: skip
def test_texts(text):
    def program(torch):
        schema = torch._C.parse_schema(text)
        arguments = [
            (a.name, str(a.type), a.default_value, a.N, a.is_out, a.kwarg_only)
            for a in schema.arguments
        ]
        returns = [(r.name, str(r.type)) for r in schema.returns]
        names = schema.name, schema.overload_name, schema.is_mutable
        return str(schema), arguments, returns, names

    compare(program)


def test_operators_have_the_schemas_of_their_texts():
    for name in ("add", "sum", "addmm", "max_pool2d"):
        packet = getattr(minitorch.ops.aten, name)
        for overload in packet.overloads():
            schema = getattr(packet, overload)._schema
            parsed = minitorch._C.parse_schema(str(schema))
            assert parsed == schema and hash(parsed) == hash(schema)
            assert parsed.is_backward_compatible_with(schema)


@pytest.mark.parametrize("text", ["any(Tensor x)", "any(int a=0, ...) -> int", "any(Tensor x -> y"])
def test_what_is_no_schema(text):
    with pytest.raises(RuntimeError):
        minitorch._C.parse_schema(text)


@like_pytorch
def test_defaults_are_printed_as_cpp_prints_them(torch):
    texts = [
        f"a::f(Tensor x, float n={d}, float[] m=[{d}]) -> Tensor"
        for d in ("2.0", "1e-5", "0.1", "1e16", "1e20")
    ]
    return [str(torch._C.parse_schema(text)) for text in texts]


def test_operators_on_lists_by_name():
    def program(torch):
        aten = torch.ops.aten
        x = [torch.tensor([1.0, 2.0]), torch.tensor([3.0])]
        return (
            aten._foreach_maximum_.overloads(),
            aten._foreach_add(x, 1),
            aten._foreach_add_.List(x, x, alpha=3),
            aten._foreach_lerp(x, x, [0.1, 0.2]),
            aten.broadcast_tensors([torch.ones(1), x[0]]),
            aten.block_diag(x),
            x,
        )

    compare(program)


def composed_operators(torch):
    """The overloads that PyTorch composes of others, in both libraries."""
    has_kernel = torch._C._dispatch_has_kernel_for_dispatch_key
    for name in dir(minitorch.ops.aten):
        theirs, ours = getattr(torch.ops.aten, name, None), getattr(minitorch.ops.aten, name)
        for overload in ours.overloads() if theirs is not None else ():
            found = getattr(theirs, overload, None)
            if found is None or not torch._C._dispatch_has_kernel(found.name()):
                continue
            if has_kernel(found.name(), "CompositeImplicitAutograd"):
                yield getattr(ours, overload), found


@pytest.mark.parametrize("device", ["cpu", "meta"])
def test_which_composed_operators_are_computed_by_their_parts(device):
    torch = pytest.importorskip("torch")
    ours, theirs = (
        importlib.import_module(f"{library}.utils._python_dispatch").autograd_would_have_decomposed
        for library in ("minitorch", "torch")
    )
    mine, other = ([library.ones(1, device=device)] for library in (minitorch, torch))
    answers = {b.name(): (ours(a, mine), theirs(b, other)) for a, b in composed_operators(torch)}
    assert len(answers) > 500
    assert {name: pair for name, pair in answers.items() if pair[0] != pair[1]} == {}


@like_pytorch
def test_without_a_tensor_an_operator_would_be_composed(torch):
    dispatch = importlib.import_module(f"{torch.__name__}.utils._python_dispatch")
    return dispatch.autograd_would_have_decomposed(torch.ops.aten.mm.default, [1, "x"])


CALLS_OF_OTHER_TYPES = lines(
    r"""
    aten.split.Tensor(m, [1, 2])
    aten.split.Tensor(m, 1.5)
    aten.split.Tensor(m, 'a')
    aten.split.Tensor(m, True)
    aten.split(m, [1, 2])
    aten.split(m, 2)
    aten.split(m, torch.tensor(2))
    aten.sum.dim_IntList(x, 0)
    aten.sum.dim_IntList(x, 'a')
    aten.sum.dim_IntList(x, [0.5])
    aten.sum.dim_IntList(m, [0], 1)
    aten.sum.dim_IntList(m, [0], 'a')
    aten.dropout(x, 'a', True)
    aten.dropout(x, None, True)
    aten.transpose.int(x, 0, 1.0)
    aten.max_pool2d(m.view(1, 3, 4), [1, 1], 1.5)
    aten.add.Tensor(x, x, alpha='a')
    aten.add.Tensor(x, x, alpha=torch.tensor(2))
    aten.add.Tensor(x, 'a')
    aten.add.Tensor(x, [1])
    aten.cat.default(x)
    aten.cat.default([x, 1])
    aten.cat.default([x, 'a'])
    aten.index.Tensor(x, [1])
    aten.index.Tensor(x, [None, torch.tensor([0])])
    aten.gelu.default(x, approximate=1)
    aten._to_copy.default(x, dtype='a')
    aten._to_copy.default(x, dtype=6)
    aten._to_copy.default(x, device=3.5)
    aten._to_copy.default(x, memory_format='s')
    aten.randn.generator([2], generator=3)
    aten.div.Tensor_mode(x, x, rounding_mode=2)
    aten.var.correction(m, [0], correction='a')
    """
)


@pytest.mark.parametrize("line", CALLS_OF_OTHER_TYPES)
def test_an_operator_looks_at_the_types_of_its_arguments(line):
    check(f"aten = torch.ops.aten;; {line}")


@like_pytorch
def test_a_default_stands_for_every_number_of_a_list(torch):
    schema = torch._C.parse_schema(
        "f(int[2] a=1, float[2] b=1.5, bool[3] c=True, SymInt[2] d=[0, 1], int[1]? e=0, int[] g=[]) -> ()"
    )
    return [a.default_value for a in schema.arguments]


@like_pytorch
def test_texts_have_double_quotes(torch):
    return str(torch._C.parse_schema("f(str a='x', str? b=None, str c=\"y\") -> ()"))


@like_pytorch
def test_classes_of_operators_are_where_programs_find_them(torch):
    ops = torch.ops
    found = [ops, ops.aten, ops.aten.add, ops.aten.add.Tensor]
    module = importlib.import_module(f"{torch.__name__}._ops")
    return [getattr(module, type(item).__name__) is type(item) for item in found], [
        type(item).__module__.partition(".")[2] for item in found
    ]
