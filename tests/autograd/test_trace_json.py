"""A trace as JSON is what the documented schema says."""

import json

import pytest

import minitorch as torch
from minitorch.autograd.events import note
from minitorch.autograd.observe.tracing import KINDS
from tests.docs.pages import ROOT


class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 2

    @staticmethod
    def backward(ctx, gradient):
        return gradient * 2


def leaves():
    w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    b = torch.tensor(2.0, requires_grad=True)
    return w, b


TYPES = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}


def errors(schema, value, root, path="$"):
    """Where `value` is not as the schema says; of JSON Schema what the trace's schema uses."""
    if "$ref" in schema:
        name = schema["$ref"].removeprefix("#/$defs/")
        yield from errors(root["$defs"][name], value, root, path)
        return
    known = {"type", "enum", "const", "properties", "required", "additionalProperties", "items"}
    known |= {"$defs", "$schema", "$id", "title", "description", "anyOf", "minimum"}
    assert set(schema) <= known, f"the check knows nothing of {set(schema) - known}"
    if "anyOf" in schema:
        if all(list(errors(option, value, root, path)) for option in schema["anyOf"]):
            yield f"{path}: {value!r} fits no option"
        return
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    if types and not any(type(value) in TYPES[name] for name in types):
        yield f"{path}: {value!r} is no {types}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{path}: {value!r} is none of {schema['enum']}"
    if "const" in schema and value != schema["const"]:
        yield f"{path}: {value!r} is not {schema['const']!r}"
    if "minimum" in schema and value is not None and value < schema["minimum"]:
        yield f"{path}: {value!r} is too small"
    if isinstance(value, dict):
        for name in schema.get("required", ()):
            if name not in value:
                yield f"{path}: {name} is missing"
        for name, item in value.items():
            if name in schema.get("properties", {}):
                yield from errors(schema["properties"][name], item, root, f"{path}.{name}")
            elif isinstance(others := schema.get("additionalProperties", True), dict):
                yield from errors(others, item, root, f"{path}.{name}")
            elif others is False:
                yield f"{path}: {name} is unknown"
    if isinstance(value, list) and "items" in schema:
        for k, item in enumerate(value):
            yield from errors(schema["items"], item, root, f"{path}[{k}]")


class TestJson:
    @pytest.fixture
    def schema(self):
        return json.loads((ROOT / "docs" / "trace.schema.json").read_text(encoding="utf-8"))

    def everything(self, values=None):
        w, b = leaves()
        with torch.autograd.trace({"w": w}, values=values) as steps:
            h = Twice.apply(w) * b
            h.retain_grad()
            h.sum().backward()
            torch.autograd.grad((w * b).sum(), b)
            w.split(2)[1].sum().backward()
            note("a bucket starts", w)
        return steps

    def test_a_trace_with_every_kind_of_event_fits_the_schema(self, schema):
        steps = self.everything()
        assert {e.kind for e in steps} == set(KINDS)
        assert list(errors(schema, json.loads(steps.to_json()), schema)) == []

    def test_a_trace_with_values_fits_the_schema(self, schema):
        steps = self.everything(values=3)
        recording = json.loads(steps.to_json())
        assert list(errors(schema, recording, schema)) == []
        applied = [e["gradients"] for e in recording["events"] if e["kind"] == "apply"]
        values = [g["values"] for gradients in applied for g in gradients if g is not None]
        assert values[0] == 1.0 and None not in values

    def test_values_that_are_no_numbers_in_json_are_strings(self, schema):
        x = torch.tensor([0.0, 1.0], dtype=torch.complex64, requires_grad=True)
        y = torch.tensor([0.0, 4.0], requires_grad=True)
        with torch.autograd.trace(values=3) as steps:
            (x.abs() + y.sqrt()).sum().backward()
        recording = json.loads(steps.to_json(), parse_constant=pytest.fail)
        assert list(errors(schema, recording, schema)) == []
        assert "'inf'" in str(recording["events"]) and "j)" in str(recording["events"])

    def test_an_empty_trace_fits_the_schema(self, schema):
        value = json.loads(torch.autograd.trace().to_json())
        assert list(errors(schema, value, schema)) == []

    @pytest.mark.parametrize(
        "spoil",
        [
            lambda value: value.pop("schema"),
            lambda value: value["events"][0].update(kind="rot"),
            lambda value: value["events"][0].pop("node"),
            lambda value: value["events"][0].update(node="0"),
            lambda value: value["events"][0]["gradients"][0].update(shape=[-1]),
            lambda value: value["nodes"][0].update(more=1),
            lambda value: value["nodes"][0]["outputs"][0].update(dtype="float33"),
            lambda value: value["nodes"][0]["outputs"][0].update(values={}),
            lambda value: value["nodes"][0].pop("edges"),
            lambda value: value["sources"].update(execute={}),
            lambda value: value["events"][0].update(sentence=None),
        ],
    )
    def test_what_is_spoilt_does_not_fit(self, schema, spoil):
        value = json.loads(self.everything().to_json())
        spoil(value)
        assert list(errors(schema, value, schema)) != []

    def test_the_schema_has_the_kinds_in_their_order(self, schema):
        kinds = schema["$defs"]["event"]["properties"]["kind"]["enum"]
        assert tuple(kinds) == KINDS

    def test_it_says_what_the_events_say(self):
        steps = self.everything()
        value = json.loads(steps.to_json(indent=1))
        assert len(value["nodes"]) == len(steps.nodes)
        for event, item in zip(steps, value["events"], strict=True):
            assert item["kind"] == event.kind
            if event.node is None:
                assert item["node"] is None and event.kind == "note"
            else:
                assert value["nodes"][item["node"]]["name"] == event.node.name
            assert [g and tuple(g["shape"]) for g in item["gradients"]] == [
                g and g.shape for g in event.gradients
            ]
