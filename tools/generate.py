"""Generate minitorch/autograd/functions/ from derivatives/ and formulas/.

Written are
    generated/               for each row a recording wrapper ``r_name`` and, when it has formulas, the node
                             class, e.g. ``MulBackward0``, and the formula of its tangent; the functions of
                             formulas/ twice. See tools/modules.py
    tensor_methods.pyx       the bodies of the functions and methods that Python calls
    call_table.py            their names and arguments
    signature_table.py, overloads.json    what the library looks up of the records at run time
    documentation.json       their docstrings
and core/module_table.py, the names of the compiled modules,
and beside minitorch/ the package minitorch-stubs, for type checkers: see tools/emit_forwarders.py.

A row of derivatives/:

    [mul]
    schema = "mul(Tensor self, Tensor other) -> Tensor"
    self = "grad * other.conj()"        # the gradient of each differentiable argument
    other = "grad * self.conj()"
    variants = "function method inplace out"

(a key that names several arguments, "input, weight, bias", is one formula that returns a tuple, and
can read from `output_mask` which of them are wanted), and, where they are needed,
    op = "folder.module.function"   the operator in ops/, when it is not the one of the same name; with
                                    "autograd." in front, one in autograd/ that makes special tensors
    node = "MulBackward0"       the node's name, when it is not made from the row's
    forward = "hardtanh(self, 0, 6)"   the operator is composed of other rows, as its formula would be
    view = true                 the result shares memory with the first argument
    numbers = "other"           tensor arguments that may be given as Python numbers
    differentiable = ["values"] which of several results can carry a gradient (default: the first)
    inplace_only = true         the operator writes to its first argument and has no other form
    function_name = "max"       the public name; rows that share one are its overloads, in order
    aliases = "clip"            second public names
    varargs = "size"            the method takes these integers one by one too
    inplace = { self = "zeros_like(grad)" }     formulas (and node, twins) of the in-place form alone
    not_implemented = "function inplace out"    these forms record a node whose backward raises
    saves = { source = "self" } saved in PyTorch for the formula of `self`, though ours does not read it: what
                                was written to in between is an error
    unshown = "self_sym_sizes"  saved for our formulas, where PyTorch's node has no such attribute
    same_node_as = "index_put"  the node is the one of that row, whose formulas are the same
    casts = true                a result that no gradient can have is not an error
    twins = { other = "RemainderBackward0" }    the node's name where `other` is a number; "" is in place
    not_differentiable = "weight"  tensor arguments that must not require grad
    real_autograd = "..."       a complex result cannot be recorded: what the error calls the operator
    out_name = "..."            what errors call the form with out=, where that is another name
    real_part = false           a complex gradient of a real argument is an error; else its real part counts
    forward_mode = false        dual arguments raise an error, as in PyTorch, which has no formula
    tangent_in_place = true     in place, the tangent is written to by the operator, which its formula is a call of
    result = "auto_linear"      the tangent of the result (of each by its name), see tools/emit_tangents.py

The keys that are not about derivatives, `signatures` and `overloads` among them, are explained in
tools/records.py. Records in composed.toml have only such keys.
"""

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent.parent))

from tools.emit_documentation import main as write_documentation
from tools.emit_forwarders import write_forwarders
from tools.emit_python import emit_python
from tools.emit_stubs import NAMESPACES, emit_namespaces, emit_stubs
from tools.emit_tables import emit_module_table, emit_overloads, emit_signature_table
from tools.modules import MODULES as GENERATED
from tools.modules import emit_modules
from tools.records import load_records
from tools.rows import load_rows
from tools.signatures import by_name

# Cython's classes and functions that all modules use, compiled once; Cython writes the C file
SHARED = "minitorch.core.cython_shared"
# the generated modules in minitorch/autograd/functions/
MODULES = (*(f"generated/{name}" for name in GENERATED), "tensor_methods")


def write_if_changed(path: Path, text: str) -> None:
    """Write a file only if its text changes, so that its time stamp does not trigger a rebuild."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def module_names(root: Path) -> list[str]:
    """Return the names of the compiled modules of the package."""
    sources = [path.relative_to(root) for path in root.glob("minitorch/**/*.pyx")]
    return sorted([*(".".join(path.with_suffix("").parts) for path in sources), SHARED])


def main(root: Path) -> None:
    """Write the generated modules of the source tree at `root`."""
    autograd = root / "minitorch" / "autograd"
    records = load_records(autograd)
    rows, formulas = load_rows(records.rows, autograd / "formulas", root / "minitorch" / "ops")
    signatures = by_name(records.signatures)
    functions = autograd / "functions"
    for name, text in emit_modules(rows, formulas).items():
        write_if_changed(functions / "generated" / name, text)
    methods, calls = emit_python(rows, signatures)
    write_if_changed(functions / "tensor_methods.pyx", methods)
    write_if_changed(functions / "call_table.py", calls)
    write_if_changed(functions / "signature_table.py", emit_signature_table(records))
    write_if_changed(functions / "overloads.json", emit_overloads(records))
    write_documentation(root)
    init = (root / "minitorch" / "__init__.py").read_text()
    stubs, namespace = emit_stubs(rows, signatures, init)
    write_if_changed(functions / "tensor_methods.pyi", stubs)
    write_if_changed(root / "minitorch" / "__init__.pyi", namespace)
    packages = {name: root / "minitorch" / name / "__init__.py" for name in NAMESPACES}
    sources = {name: path.read_text() for name, path in packages.items()}
    for name, stub in emit_namespaces(rows, signatures, sources).items():
        write_if_changed(packages[name].with_suffix(".pyi"), stub)
    write_forwarders(root)
    write_if_changed(
        root / "minitorch" / "core" / "module_table.py", emit_module_table(module_names(root))
    )


if __name__ == "__main__":
    main(Path(__file__).resolve().parent.parent)
