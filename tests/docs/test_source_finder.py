"""The pieces of source that the directive `source` shows."""

import ast

import pytest

from tests.docs.pages import ROOT, source_finder

CYTHON = ROOT / "minitorch/autograd/engine.pyx"
PYTHON = [
    "minitorch/_tensor.py",
    "minitorch/autograd/__init__.py",
    "minitorch/autograd/function.py",
    "minitorch/nn/modules/linear.py",
    "minitorch/optim/adam.py",
]


def functions_and_classes(tree, prefix=()):
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            yield ".".join([*prefix, child.name]), child
            yield from functions_and_classes(child, (*prefix, child.name))
        else:
            yield from functions_and_classes(child, prefix)


@pytest.mark.parametrize("name", PYTHON)
def test_python_is_found_where_its_parser_finds_it(name):
    found = source_finder.objects(str(ROOT / name))
    wanted = {}
    for qualified, node in functions_and_classes(ast.parse((ROOT / name).read_text())):
        decorators = [ast.unparse(decorator) for decorator in node.decorator_list]
        if any(text.endswith((".setter", ".deleter")) for text in decorators):
            continue
        first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
        wanted[qualified] = first, node.end_lineno
    assert {key: (found[key].first, found[key].last) for key in wanted} == wanted


def test_a_function_of_cython():
    piece = source_finder.find_object(CYTHON, "compute_dependencies")
    assert piece.lines[0].startswith("cdef int compute_dependencies(")
    assert piece.lines[-1] == "    return 0"
    assert CYTHON.read_text().splitlines()[piece.first - 1] == piece.lines[0]
    numbered = piece.numbered()
    assert '"""' not in "".join(line for _, line in numbered)
    assert numbered[0][0] == piece.first and numbered[-1][0] == piece.last
    assert piece.folded()["compute_dependencies"][0].isupper()
    assert len(piece.numbered(fold=False)) == piece.last - piece.first + 1


def test_a_method_a_class_and_an_assignment_of_cython():
    found = source_finder.objects(str(CYTHON))
    assert found["Engine.run_backward"].lines[0].startswith("    def run_backward(self")
    assert found["Engine"].first < found["Engine.run_backward"].first
    assert found["Engine"].last >= found["Engine.is_checkpoint_valid"].last
    assert found["_CYCLE"].lines[0].startswith("cdef str _CYCLE")
    assert found["MAX_DEPTH" if "MAX_DEPTH" in found else "_last_task"]


def test_a_table_of_toml():
    path = ROOT / "minitorch/autograd/derivatives/arithmetic.toml"
    piece = source_finder.find_object(path, "mul")
    assert piece.lines[0] == "[mul]"
    assert sum(line.startswith("[") for line in piece.lines) == 1
    assert piece.lines[-1].strip() and not piece.lines[-1].startswith("#")


def test_a_marker():
    piece = source_finder.find_marker(ROOT / "minitorch/autograd/engine.pyx", "step 5")
    assert piece.lines[0].startswith("cdef int compute_dependencies(")
    assert not any("# docs:" in line for line in piece.lines)


def test_what_is_not_there_is_named():
    with pytest.raises(source_finder.NotFound, match="no object 'nothing'"):
        source_finder.find_object(CYTHON, "nothing")
    with pytest.raises(source_finder.NotFound, match="its markers: 'step 4, run_backward'"):
        source_finder.find_marker(CYTHON, "step 99")
    with pytest.raises(source_finder.NotFound, match="there is Engine.run_backward"):
        source_finder.find_object(CYTHON, "run_backward")


def test_strings_and_comments_hide_no_code():
    lines, inside = source_finder.blanked('x = """a\nb"""  # c\ny = "#"\n')
    assert lines == ["x = xxxx", "xxxx     ", "y = xxx", ""] and inside == {1}


def test_definitions_of_compiled_classes_are_found():
    import minitorch as torch

    path, first, _ = source_finder.place_of(torch.autograd.engine.Engine)
    assert path == CYTHON
    assert CYTHON.read_text().splitlines()[first - 1].startswith(("cdef class Engine", "@"))
    path, first, _ = source_finder.place_of(torch.autograd.backward)
    assert path.name == "__init__.py"
