"""Rules for the tangents of operators: what each depends on and how it is computed (tools/emit_tangents.py)."""

from tools.formula import names_in
from tools.rows import NOT_IMPLEMENTED, Row

LINEAR, ELEMENT_WISE = "auto_linear", "auto_element_wise"
# the form that the error names, by the suffix of the wrapper
FORMS = {"": "function", "_": "inplace", "_out": "out"}


def has_forward_mode(row: Row) -> bool:
    return bool(row.edges) and not row.forward


def has_tangents(row: Row) -> bool:
    return row.forward_mode and row.node != NOT_IMPLEMENTED


def dual_places(row: Row, form: str) -> tuple[int, ...] | None:
    """Return the indices of the arguments that may not be ignored if they are dual; None: all are ignored."""
    parameters = row.schema.parameters
    tensors = any(p.is_tensor for p in parameters)
    # the tangent of the destination would refer to its previous value
    if not has_forward_mode(row) and (form != "_out" or row.forward or not tensors):
        return None
    # unsupported operators raise for any dual argument. Special functions without a derivative
    # ignore arguments by which PyTorch does not differentiate
    refused = form == "_out" or not has_tangents(row)
    constant = row.namespace == "special" and not row.edges
    others = [p for p in parameters if refused and p.is_tensor and p not in row.edges]
    found = row.edges + ([] if constant else others)
    return (*map(parameters.index, found), *[len(parameters)] * (form == "_out"))


def no_tangent(row: Row, form: str) -> tuple[str, str] | None:
    """Return what the error for dual arguments names: the operator and its form."""
    if dual_places(row, form) is None or (form != "_out" and has_tangents(row)):
        return None
    kind = FORMS[form]
    if row.node == NOT_IMPLEMENTED and kind != "out":
        return f"aten::{row.public_name}{form}", "not_implemented"
    if kind in row.not_implemented and not row.edges:
        return f"aten::{row.public_name}", "not_implemented"
    return row.public_name + form, kind


def missing(row: Row) -> list[str]:
    """Return for each edge what takes the place of a tangent that is not there."""
    formulas = list(row.tangents.values())
    named = set().union(*map(names_in, formulas))
    found = []
    for p in row.edges:
        # a number that is a tensor in no overload of PyTorch has no tangent there either
        if_recorded = "ZEROS_UNLESS_NUMBER" if p.name in row.twins else "ZEROS_IF_RECORDED"
        code = "NOTHING"
        if p.is_tensor_list or not formulas:
            code = "NOTHING"
        elif formulas[0] == LINEAR:
            code = "ZEROS"
        elif formulas[0] == ELEMENT_WISE:
            code = if_recorded if len(row.edges) > 1 else "NOTHING"
        elif f"given({p.name}_t)" in formulas[0]:
            # if no other tangent counts, there is none of the result either
            code = if_recorded if sum(f"{e.name}_t" in named for e in row.edges) > 1 else "NOTHING"
        elif f"{p.name}_t" in named:
            code = "ZEROS"
        found.append(code)
    return found


def in_place_rule(row: Row, of: Row) -> str:
    """Return how the tangent is computed in place; `of` is the row of the form out of place."""
    first = row.schema.parameters[row.receiver].name
    if row.view:
        return "AS_VIEW"
    if set(of.formulas) == {first} and of.formulas[first] == "zeros_like(grad)":
        return "CONSTANT"
    if row.inplace_only:
        return "BY_FORMULA"
    return "ON_TANGENT" if of.tangent_in_place else "BY_COPY"
