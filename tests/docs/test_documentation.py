"""Docstrings and signatures of the public functions: made of the operators' records, and what is derived."""

import functools
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import minitorch as torch
from minitorch.autograd.functions import documentation, documentation_table
from tools.emit_documentation import emit_documentation
from tools.records import load_documentation

AUTOGRAD = Path(torch.__file__).resolve().parent / "autograd"

SCALE = """\
Multiply `input` by `other`, element by element. `input` may be of any dtype.

Parameters
----------
input : Tensor
    Any shape.
other : Tensor or number
    A shape that broadcasts with that of `input`.
out : Tensor, optional
    The tensor to write the result into.

Returns
-------
Tensor
    The broadcast shape.

Raises
------
RuntimeError
    If the shapes do not broadcast.

Examples
--------
>>> torch.mul(torch.tensor([1.0, 2.0]), 3)
tensor([3., 6.])"""


@pytest.fixture
def scale(monkeypatch):
    """The docstring above in the place of that of `mul`."""
    monkeypatch.setitem(documentation_table.DOCS, "mul", SCALE)
    documentation._docstring.cache_clear()
    yield
    documentation._docstring.cache_clear()


def test_the_table_is_that_of_the_records():
    text = emit_documentation(load_documentation(AUTOGRAD))
    written = (AUTOGRAD / "functions" / "documentation.json").read_text(encoding="utf-8")
    assert written == text, "run python -m tools.emit_documentation"


def test_a_function_shows_its_signature_and_the_docstring_of_its_record(scale):
    assert torch.mul.__doc__ == "mul(input, other, *, out=None)\n\n" + SCALE


def test_a_method_speaks_of_this_tensor(scale):
    text = torch.Tensor.mul.__doc__
    assert text.startswith(
        "Multiply this tensor by `other`, element by element. This tensor may be"
    )
    assert "self : Tensor\n    Any shape." in text
    assert "out : " not in text
    assert ">>> torch.tensor([1.0, 2.0]).mul(3)\ntensor([3., 6.])" in text


def test_an_in_place_method_has_its_errors(scale):
    text = torch.Tensor.mul_.__doc__
    assert text.startswith("In-place version of `mul`: multiply this tensor by `other`")
    assert "The tensor itself." in text
    assert "If the tensor is a leaf that requires grad" in text
    assert ">>> torch.tensor([1.0, 2.0]).mul_(3)\ntensor([3., 6.])" in text


def test_a_parameter_that_many_functions_have_is_added(monkeypatch):
    monkeypatch.setitem(documentation_table.DOCS, "mul", SCALE.replace("out : Tensor, optional\n", "").replace(
        "    The tensor to write the result into.\n", ""))  # fmt: skip
    documentation._docstring.cache_clear()
    assert "out : Tensor, optional\n    Where the result is written" in torch.mul.__doc__
    assert "out : " not in torch.Tensor.mul.__doc__
    documentation._docstring.cache_clear()
    assert "out : Tensor, optional" in torch.linalg.inv.__doc__


def test_another_name_says_whose_it_is(scale):
    text = torch.multiply.__doc__
    assert text.startswith("multiply(input, other, *, out=None)\n\nMultiply `input`")
    assert "It is another name of `torch.mul`." in text
    assert "It is another name of `Tensor.mul`." in torch.Tensor.multiply.__doc__


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        ("mul", "(input, other, *, out=None)"),
        ("multiply", "(input, other, *, out=None)"),  # that of a number is a part of it
        ("Tensor.mul", "(self, other)"),
        ("Tensor.mul_", "(self, other)"),
        ("Tensor.permute", "(self, *dims)"),
        ("Tensor.diag", "(self, diagonal=0)"),
        ("Tensor.dim", "(self)"),
        ("Tensor.backward", "(self, gradient=None, retain_graph=None, create_graph=False, inputs=None)"),
        ("Tensor.uniform_", "(self, from_=0.0, to=1.0, *, generator=None)"),
        ("Tensor.contiguous", "(self, *, memory_format=torch.contiguous_format)"),
        ("nn.functional.linear", "(input, weight, bias=None, *, out=None)"),
        ("nn.functional.relu", "(input, inplace=False)"),
        ("linalg.inv", "(A, *, out=None)"),
    ],
)  # fmt: skip
def test_a_single_signature(function, expected):
    value = functools.reduce(getattr, function.split("."), torch)
    assert str(inspect.signature(value)) == expected
    assert value.__text_signature__ == expected


def test_a_bound_method_has_no_self():
    assert str(inspect.signature(torch.ones(2).mul)) == "(other)"


@pytest.mark.parametrize("function", [torch.sum, torch.Tensor.sum, torch.max])
def test_several_signatures_are_in_the_docstring_alone(function):
    with pytest.raises(ValueError, match="no signature found"):
        inspect.signature(function)
    assert function.__text_signature__ is None
    name = "Tensor.sum" if function is torch.Tensor.sum else function.__name__
    assert sum(line.startswith(f"{name}(") for line in function.__doc__.split("\n")) > 1


def test_a_docstring_that_is_assigned_is_kept():
    assert functools.wraps(torch.mul)(lambda: 0).__doc__ == torch.mul.__doc__
    made = torch.nn.functional.relu
    before = made.__doc__
    try:
        made.__doc__ = "Something else."
        assert made.__doc__ == "Something else."
    finally:
        made.__doc__ = None
    assert made.__doc__ == before


def test_nothing_is_read_when_minitorch_is_imported():
    program = "import sys, minitorch; print([m for m in sys.modules if 'documentation' in m or m == 'tomllib'])"
    found = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == "[]"


# the arguments of a call that gives what has no default
ARGUMENTS = {
    "arange": (5,), "as_tensor": ([1.0],), "asarray": ([1.0],), "can_cast": (torch.int64, torch.float32),
    "embedding": (torch.ones(3, 2), torch.tensor([1])), "empty": (2,), "empty_like": (torch.ones(2),),
    "empty_permuted": ((2, 3), (1, 0)), "empty_strided": ((2, 3), (3, 1)), "eye": (2,),
    "frombuffer": (bytearray(8),), "full": ((2,), 1.0), "full_like": (torch.ones(2), 1.0),
    "gather": (torch.ones(2), 0, torch.tensor([1])), "is_complex": (torch.ones(2),),
    "is_floating_point": (torch.ones(2),), "is_nonzero": (torch.ones(1),), "linspace": (0, 1, 3),
    "logspace": (0, 1, 3), "normal": (torch.ones(2), torch.ones(2)), "numel": (torch.ones(2),), "ones": (2,),
    "ones_like": (torch.ones(2),), "promote_types": (torch.int64, torch.float32), "rand": (2,),
    "rand_like": (torch.ones(2),), "randint": (3, (2,)), "randint_like": (torch.ones(2), 3), "randn": (2,),
    "randn_like": (torch.ones(2),), "randperm": (3,), "range": (0, 3), "result_type": (torch.ones(2), torch.ones(2)),
    "scalar_tensor": (1.0,), "sparse_coo_tensor": ([[0, 1]], [1.0, 2.0]), "tensor": ([1.0],),
    "tril_indices": (2, 2), "triu_indices": (2, 2), "where": (torch.ones(2) > 0,), "zeros": (2,),
    "zeros_like": (torch.ones(2),), "Tensor.gather": (0, torch.tensor([1])), "Tensor.new_empty": (2,),
    "Tensor.new_empty_strided": ((2,), (1,)), "Tensor.new_full": ((2,), 1.0), "Tensor.new_ones": (2,),
    "Tensor.new_tensor": ([1.0],), "Tensor.new_zeros": (2,), "Tensor.resize_": (2,), "Tensor.to": (torch.float64,),
    "Tensor.type_as": (torch.ones(2),), "Tensor.view": (2,),
}  # fmt: skip


def _value(default):
    if isinstance(default, documentation._Constant):
        return functools.reduce(getattr, str(default).split(".")[1:], torch)
    return default


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", sorted(documentation_table.CALLS))
def test_a_signature_in_the_table_is_one_that_the_function_takes(name):
    short = name.removeprefix("torch.")
    for text in documentation_table.CALLS[name][:1]:
        form = documentation._of_call(text)
        options = {
            p.name: _value(p.default)
            for p in form.parameters.values()
            if p.kind is p.KEYWORD_ONLY and p.default is not p.empty and p.default is not None
        }
        function = functools.reduce(getattr, short.split("."), torch)
        arguments = ARGUMENTS.get(short, ())
        if short.startswith("Tensor."):
            arguments = (torch.ones(2), *arguments)
        if short == "frombuffer":
            options["dtype"] = torch.float32
        form.bind(*arguments, **options)
        function(*arguments, **options)
