"""The grammar of schemas and signatures."""

import pytest

from minitorch.parsing.grammar import parse_argument, parse_schema, parse_signature

ARGUMENTS = [
    "Tensor self",
    "Tensor(a!) self",
    "Tensor(a -> *)? self",
    "Tensor?[] indices",
    "Tensor(a!)[] self",
    "int[2]? stride=[0, 1]",
    "SymInt[] size",
    'str? mode="a, b"',
    "IntArrayRef[1]? dim=None",
    "IntArrayRef dims={0,1}",
    "c10::List<::std::optional<Tensor>> indices",
    "c10::string_view reduce",
    "ArrayRef<double>? range=None",
    "PyObject* value",
    "Tensor",
]


@pytest.mark.parametrize("text", ARGUMENTS)
def test_an_argument_is_printed_as_it_was_written(text):
    assert str(parse_argument(text)) == text


def test_types_are_taken_apart():
    stride, indices, size = map(parse_argument, ("int[2]? s", "Tensor?[] i", "Tensor? t"))
    assert (stride.kind, stride.sized_kind, stride.length) == ("int[]?", "int[2]?", 2)
    assert stride.is_optional and not stride.items_optional
    assert indices.items_optional and not indices.is_optional and indices.is_tensor_list
    assert size.is_optional and size.is_tensor


def test_a_schema_has_an_overload_results_and_tags():
    text = "max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)  # core x"
    schema = parse_schema(text)
    assert (schema.name, schema.overload, schema.tags) == ("max", "dim", ("core", "x"))
    assert [a.default for a in schema.arguments] == [None, None, "False"]
    assert [r.name for r in schema.returns] == ["values", "indices"]


def test_a_schema_without_results():
    assert parse_schema("_foreach_zero_(Tensor(a!)[] self) -> ()").returns == ()


def test_a_signature_has_an_owner_and_may_be_deprecated():
    signature = parse_signature("Tensor.add(Scalar alpha, *, Tensor other)|deprecated")
    assert (signature.owner, signature.name, signature.deprecated) == ("Tensor", "add", True)
    assert [a.keyword_only for a in signature.arguments] == [False, True]


@pytest.mark.parametrize(
    "parse, text",
    [
        (parse_schema, "add(Tensor self)"),
        (parse_schema, "add Tensor self -> Tensor"),
        (parse_schema, "add(Tensor-self) -> Tensor"),
        (parse_signature, "add(Tensor input"),
        (parse_argument, "a::b x"),
    ],
)
def test_another_text_is_an_error(parse, text):
    with pytest.raises(ValueError, match="^not "):
        parse(text)
