"""Write generated/formulas.pyx: the functions of formulas/, and the operators composed of others."""

import ast
from copy import deepcopy

from tools.emit_wrappers import given, operator_of, tuple_of
from tools.formula import Translator, kind_of
from tools.rows import Row
from tools.schema import Schema
from tools.writer import Writer, c_parameters, c_return

# calls that evaluate their last argument first, and what is made as PyTorch makes it
HELPERS = """
cdef TensorBase last_first_mul(TensorBase other, TensorBase self):
    return r_mul(self, other)


cdef TensorBase last_first_add(TensorBase other, TensorBase self):
    return r_add(self, other, 1)


cdef TensorBase last_first_sub(TensorBase other, TensorBase self):
    return r_sub(self, other, 1)


cdef TensorBase last_first_div(TensorBase other, TensorBase self):
    return r_div(self, other, None)


cdef TensorBase last_first_where(TensorBase other, TensorBase self, TensorBase condition):
    return r_where(condition, self, other)


cdef TensorBase zeros_for(TensorBase t, tuple size, bint with_options=False):
    \"\"\"Return zeros of the dtype of `t`, made as PyTorch makes those of a gradient.\"\"\"
    cdef TensorBase made = None
    if interposers or t.impl.special is not None:
        made = new_zeros(t, size, with_options)
    return r_zeros(size, t.impl.dtype) if made is None else made
"""
DECLARATIONS = """
cdef TensorBase last_first_mul(TensorBase other, TensorBase self)
cdef TensorBase last_first_add(TensorBase other, TensorBase self)
cdef TensorBase last_first_sub(TensorBase other, TensorBase self)
cdef TensorBase last_first_div(TensorBase other, TensorBase self)
cdef TensorBase last_first_where(TensorBase other, TensorBase self, TensorBase condition)
cdef TensorBase zeros_for(TensorBase t, tuple size, bint with_options=*)
"""


def emit_formula_function(
    w: Writer, schema: Schema, tree: ast.FunctionDef, schemas, recorded: bool, told: str = ""
) -> None:
    types = {p.name: kind_of(p.kind) for p in schema.parameters}
    translator = Translator(schemas, recorded, types)
    prefix = "r_" if recorded else "ops_"
    w()
    w()
    with w.block(
        f"cdef {c_return(schema, recorded)} {prefix}{schema.name}({c_parameters(schema, recorded)}):"
    ):
        if told:
            with w.block("if interposers:"):
                w(f"outcome = heard({told}, {tuple_of([p.name for p in schema.parameters])})")
                with w.block("if outcome is not None:"):
                    w("return outcome")
        for statement in tree.body:
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                continue  # skip the docstring
            # copied, since the translator modifies the tree and each statement is translated twice
            changed = ast.fix_missing_locations(translator.visit(deepcopy(statement)))
            for line in ast.unparse(changed).splitlines():
                w(line)


def emit_forms_of_composed(w: Writer, row: Row, schemas: dict[str, Schema]) -> None:
    """Write the in-place and out= forms of a composite operator as calls of its operator."""
    for variant, suffix, extra in (("inplace", "_", ()), ("out", "_out", ("TensorBase out",))):
        if variant in row.variants:
            call = ast.parse(row.forward, mode="eval").body
            types = {p.name: kind_of(p.kind) for p in row.schema.parameters}
            called = Translator(schemas, True, types).call(call.func.id, call.args)
            arguments = [*map(ast.unparse, called.args), *(["out"] if extra else [])]
            w()
            w()
            parameters = c_parameters(row.schema, True, extra)
            with w.block(f"cdef TensorBase r_{row.name}{suffix}({parameters}):"):
                w(f"return r_{call.func.id}{suffix}({', '.join(arguments)})")


def emit_composed(w: Writer, row: Row, schemas: dict[str, Schema]) -> None:
    """Write a row that is composed of others: on impls, recorded, and as a value for profilers."""
    tree = ast.parse(f"def f():\n    return {row.forward}").body[0]
    emit_formula_function(w, row.schema, tree, schemas, recorded=False)
    w()
    w()
    arguments = ", ".join(given(p, k) for k, p in enumerate(row.schema.parameters))
    with w.block(f"cdef object _call_{row.name}(tuple given):"):
        w(f"return r_{row.name}({arguments})")
    w()
    w(f'cdef Operator {operator_of(row)} = make_composed("{row.public_name}", _call_{row.name})')
    emit_formula_function(w, row.schema, tree, schemas, recorded=True, told=operator_of(row))
    emit_forms_of_composed(w, row, schemas)


def emit_in_place_kernels(w: Writer, rows: list[Row], used: set[str]) -> list[str]:
    """Write kernels in place such as ``ops_masked_fill_``, for formulas that call them; return declarations."""
    declarations = []
    for row in rows:
        if f"ops_{row.name}_" in used:
            first = row.schema.parameters[0].name
            arguments = ", ".join(p.name for p in row.schema.parameters)
            declarations.append(
                f"cdef TensorImpl ops_{row.name}_({c_parameters(row.schema, False)})"
            )
            w()
            w()
            with w.block(f"{declarations[-1]}:"):
                w(f"return ops_{row.name}({arguments}, {first})")
    return declarations
