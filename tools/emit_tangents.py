"""Write the forward-mode formulas of operators: generated/tangents.pyx.

For each recorded operator whose row has a formula for it there is a function ``tangent_name``, which gets the
arguments, the tangents of those with an edge, and the result. The steps around it are the same for all operators: see
autograd/operator_tangents.pyx, and Note [Forward mode] in autograd/forward_grad.pyx.

A row says how the tangent of its result is computed, under the result's name:

    result = "auto_linear"          the operator itself, applied to the tangents
    result = "auto_element_wise"    the backward formulas: their matrix is diagonal
    result = "self_t.mm(other_p)"   an expression of the tangents, the arguments and the result
    result = "f(given(self_t))"     the same, with None for a tangent that is not there
    "L, U" = "lu_tangent(A_t, L)"   one expression for all results that have a tangent: a tuple

Without a forward formula, the tangent is computed by differentiating the backward formulas once
more, which works for every operator but costs three times as much. A row with ``forward_mode =
false`` raises for dual tensors.
"""

import re

from tools.formula import TENSOR, kind_of, names_in, translate
from tools.rows import Row
from tools.schema import C_TYPES, Schema
from tools.tangent_rules import ELEMENT_WISE, LINEAR, has_forward_mode, has_tangents, in_place_rule
from tools.writer import Writer


def emit_tangents(w: Writer, row: Row, schemas: dict[str, Schema]) -> list[tuple[str, str]]:
    """Write the formulas of a row, and return the names and forms of the operators that have one."""
    found = []
    if (
        not has_forward_mode(row)
        or not has_tangents(row)
        or list(row.tangents.values())[:1] in ([], [LINEAR])
    ):
        return found
    if not row.inplace_only:
        emit_tangent(w, row, schemas, "")
        found.append((row.name, ""))
    if "inplace" in row.variants and in_place_rule(row.inplace or row, row) in (
        "BY_FORMULA",
        "ON_TANGENT",
    ):
        emit_tangent(w, row, schemas, "_")
        found.append((row.name, "_"))
    return found


def emit_tangent(w: Writer, row: Row, schemas: dict[str, Schema], form: str) -> None:
    single = len(row.schema.returns) == 1 and not row.schema.returns_list
    formulas = list(row.tangents.values())
    body = Writer()
    types = forward_types(row)
    if formulas[0] == ELEMENT_WISE:
        emit_element_wise(body, row, schemas)
    elif single:
        formula = translate(formulas[0], schemas, True, types)
        if form == "_" and not row.inplace_only:
            formula = formula.replace(f"r_{row.name}(", f"r_{row.name}_(", 1)
        body(f"return {formula}")
    else:
        order = [row.schema.returns[k][1] for k in row.differentiable]
        if len(order) > 1 and len(set(formulas)) == 1 and len(formulas) == len(order):
            body(f"return {translate(formulas[0], schemas, True, types)}")
        else:
            each = [
                translate(row.tangents[n], schemas, True, types) if n in row.tangents else "None"
                for n in order
            ]
            body(f"return ({', '.join(each)},)")
    w()
    w()
    with w.block(
        f"cdef object tangent_{row.name}{form}(tuple given, list tangents, object outcome):"
    ):
        text = "\n".join(body.lines)
        used = set(re.findall(r"\w+", text))
        queries = [s for s in row.saved if s.query and s.name in used]
        used |= {name for s in queries for name in names_in(s.source)}
        emit_names(w, row, used, single)
        for s in queries:
            w(f"{s.name} = {s.source}")
        for line in body.lines:
            w(line)


def emit_names(w: Writer, row: Row, used: set[str], single: bool) -> None:
    """Give names to the arguments, tangents and results that a formula reads."""
    for k, p in enumerate(row.schema.parameters):
        c_type = C_TYPES[p.kind][True]
        for name in (p.name, f"{p.name}_p"):
            if name in used:
                w(f"cdef {c_type} {name} = given[{k}]")
    for k, p in enumerate(row.edges):
        if f"{p.name}_t" in used:
            w(f"cdef {C_TYPES[p.kind][True]} {p.name}_t = tangents[{k}]")
    for k, (_, name) in enumerate(row.schema.returns):
        if name in used:
            w(f"cdef TensorBase {name} = outcome{'' if single else f'[{k}]'}")


def forward_types(row: Row) -> dict[str, str]:
    types = {p.name: kind_of(p.kind) for p in row.schema.parameters}
    types |= {f"{p.name}_p": kind_of(p.kind) for p in row.schema.parameters}
    types |= {f"{p.name}_t": kind_of(p.kind) for p in row.edges}
    types |= {name: TENSOR for _, name in row.schema.returns}
    types |= {s.name: s.kind for s in row.saved if row.schema.parameter(s.name) is None}
    return types


def emit_element_wise(w: Writer, row: Row, schemas) -> None:
    """Write the tangents of an elementwise operator, from its backward formulas.

    The Jacobian is diagonal, so the tangent takes the place of the gradient, up to conjugates.
    """
    types = forward_types(row) | {"grad": TENSOR}
    w("tangent = None")
    for p in row.edges:
        with w.block(f"if {p.name}_t is not None:"):
            w(f"grad = r_conj({p.name}_t)")
            formula = translate(row.formulas[p.name], schemas, True, types)
            w(f"tangent = sum_of_tangents(<TensorBase>tangent, r_conj({formula}))")
    w("return tangent")
