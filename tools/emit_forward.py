"""Write the forward-mode half of nodes.pyx.

For each recorded operator there is a function ``jvp_name``, which its wrapper calls for dual
tensors. See Note [Forward mode] in autograd/forward_grad.pyx.

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

from tools.formula import TENSOR, kind_of, names_in, translate
from tools.rows import NOT_IMPLEMENTED, Row
from tools.schema import Schema
from tools.writer import Writer, c_parameters, c_return

LINEAR, ELEMENT_WISE = "auto_linear", "auto_element_wise"
# the form that the error names, by the suffix of the wrapper
FORMS = {"": "function", "_": "inplace", "_out": "out"}


def has_forward_mode(row: Row) -> bool:
    return bool(row.edges) and not row.forward


def has_tangents(row: Row) -> bool:
    return row.forward_mode and row.node != NOT_IMPLEMENTED


def arguments_of(row: Row) -> str:
    return ", ".join(p.name for p in row.schema.parameters)


def edges_of(row: Row, *more: str) -> str:
    """Return the arguments from which tangents flow, as a sequence."""
    if row.list_edge is not None:
        return row.list_edge.name + "".join(f" + [{name}]" for name in more)
    return "(" + "".join(f"{name}, " for name in (*(p.name for p in row.edges), *more)) + ")"


def _may_be_dual(name: str) -> str:
    return f"({name}._tangent is not None or bases_are_dual and follows({name}))"


def emit_dual_check(w: Writer, row: Row, suffix: str = "", extra: str = "") -> None:
    """Write the branch of a wrapper that handles dual arguments."""
    tensors = any(p.is_tensor for p in row.schema.parameters)
    # the tangent of the destination would refer to its previous value
    if not has_forward_mode(row) and (suffix != "_out" or row.forward or not tensors):
        return
    refused = suffix == "_out" or not has_tangents(row)
    # unsupported operators raise for any dual argument. Special functions without a derivative
    # ignore arguments by which PyTorch does not differentiate
    constant = row.namespace == "special" and not row.edges
    others = [p for p in row.schema.parameters if refused and p.is_tensor and p not in row.edges]
    others = [] if constant else others
    tests = []
    for p in row.edges + others:
        if not p.is_tensor_list:
            given = f"{p.name} is not None and " if p.kind == "Tensor?" else ""
            tests.append(f"({given}{_may_be_dual(p.name)})")
    written = ("out",) if suffix == "_out" else ()
    if tests or constant:
        tests += [f"({_may_be_dual(name)})" for name in written]
    more = (*(p.name for p in others), *written)
    seen = f"top_level_of({edges_of(row, *more)}) >= 0"
    some = f"({' or '.join(tests)}) and " if tests else ""
    with w.block(f"if {some}{seen}:"):
        if refused:
            name, form = row.public_name + suffix, FORMS[suffix]
            if row.node == NOT_IMPLEMENTED and form != "out":
                name, form = f"aten::{row.public_name}{suffix}", "not_implemented"
            elif form in row.not_implemented and not row.edges:
                name, form = f"aten::{row.public_name}", "not_implemented"
            w(f'raise no_forward_mode("{name}", "{form}")')
        else:
            with w.block("if has_kernels():"):
                given = "".join(f"{p.name}, " for p in row.schema.parameters)
                w(f"outcome = call_kernel(operator_{row.name}{suffix}, ({given}))")
                with w.block("if outcome is not None:"):
                    w("return outcome")
            w(f"return jvp_{row.name}{suffix}({arguments_of(row)})")


# ---- the tangents


def emit_jvp(w: Writer, row: Row, schemas: dict[str, Schema]) -> None:
    """Write the function that computes the value and the tangent at the innermost level."""
    if not has_forward_mode(row) or not has_tangents(row) or row.inplace_only:
        return
    schema = row.schema
    single = len(schema.returns) == 1 and not schema.returns_list
    w()
    w()
    with w.block(f"cdef {c_return(schema, True)} jvp_{row.name}({c_parameters(schema, True)}):"):
        w(f"cdef int level = top_level_of({edges_of(row)})")
        w("cdef int before = hide_level(level)")
        for p in row.edges:
            if not p.is_tensor_list:
                w(f"cdef TensorBase {p.name}_t = None")
        if single:
            w("cdef TensorBase result")
        w("cdef Node node")
        with w.block("try:"):
            w(f"{'result' if single else 'results'} = r_{row.name}({arguments_of(row)})")
            if single:
                first = schema.parameters[0].name
                if schema.parameters[0].kind == "Tensor":
                    with w.block(f"if result is {first}:"):
                        w("return result")
            elif not schema.returns_list:
                for k, (_, name) in enumerate(schema.returns):
                    w(f"{name} = results[{k}]")
            for p in row.edges:
                if p.is_tensor_list:
                    w(f"{p.name}_t = tangents_of({p.name}, level)")
                else:
                    w(f"{p.name}_t = seen_tangent({p.name}, level)")
            sources = "()" if row.view else edges_of(row).replace(",", "_t,")
            if row.list_edge is not None and not row.view:
                sources = f"tuple({row.list_edge.name}_t)"
            emit_tangents(w, row, schemas, single)
            w("node = result._grad_fn" if single else "node = node_of(results)")
            kept = [s.source for s in row.saved if s.kind == TENSOR and s.source]
            kept += [
                f"*{s.name}" for s in row.saved if s.kind != TENSOR and s.source.startswith("save_")
            ]
            if kept:
                with w.block("if node is not None:"):
                    w(f"keep_tangents(node, ({', '.join(kept)},))")
        with w.block("finally:"):
            w("show_levels(before)")
        if single:
            w(f"with_tangent(result, tangent, level, {sources})")
        else:
            each = "results" if schema.returns_list else differentiable_results(row)
            with w.block(f"for item, tangent in zip({each}, tangents):"):
                with w.block("if item is not None:"):
                    w(f"with_tangent(<TensorBase>item, <TensorBase>tangent, level, {sources})")
        saved_results = [s.name for s in row.saved if s.kind == TENSOR and not s.source]
        if saved_results:
            with w.block("if node is not None:"):
                w(f"keep_tangents(node, ({', '.join(saved_results)},))")
        w(f"return {'result' if single else 'results'}")


def differentiable_results(row: Row) -> str:
    return "(" + "".join(f"results[{k}], " for k in row.differentiable) + ")"


def emit_tangents(w: Writer, row: Row, schemas, single: bool) -> None:
    """Write `tangent`, or `tangents` of all differentiable results."""
    if not row.tangents:
        given = [
            f"{k}: {p.name}_t"
            for k, p in enumerate(row.schema.parameters)
            if p.name in row.formulas
        ]
        outputs = (
            "None" if row.schema.returns_list else f"({', '.join(map(str, row.differentiable))},)"
        )
        call = f"by_two_backwards(operator_{row.name}, ({arguments_of(row)},), {{{', '.join(given)}}}, {outputs})"
        w(f"tangents = {call}")
        if single:
            w("tangent = <TensorBase>tangents[0]")
        return
    formulas = list(row.tangents.values())
    read = set().union(*map(names_in, [*formulas, *row.formulas.values()]))
    for s in row.saved:
        if formulas[0] != LINEAR and s.kind != TENSOR and s.name in read and "(" in s.source:
            w(f"{s.name} = {s.source}")
    if formulas[0] == LINEAR:
        emit_linear(w, row, single)
    elif formulas[0] == ELEMENT_WISE:
        emit_element_wise(w, row, schemas)
    else:
        names = set().union(*map(names_in, formulas))
        types = forward_types(row)
        for p in row.edges:
            if f"given({p.name}_t)" in formulas[0]:
                emit_zeros_if_recorded(w, row, p)
            elif f"{p.name}_t" in names and not p.is_tensor_list:
                with w.block(f"if {p.name}_t is None:"):
                    w(f"{p.name}_t = tangent_or_zeros({p.name}, level)")
            if f"{p.name}_p" in names:
                w(f"{p.name}_p = {p.name}")
        if single:
            w(f"tangent = {translate(formulas[0], schemas, True, types)}")
        else:
            order = [row.schema.returns[k][1] for k in row.differentiable]
            if len(order) > 1 and len(set(formulas)) == 1 and len(formulas) == len(order):
                w(f"tangents = {translate(formulas[0], schemas, True, types)}")
                return
            w(
                "tangents = ("
                + ", ".join(
                    translate(row.tangents[n], schemas, True, types)
                    if n in row.tangents
                    else "None"
                    for n in order
                )
                + ",)"
            )


def forward_types(row: Row) -> dict[str, str]:
    types = {p.name: kind_of(p.kind) for p in row.schema.parameters}
    types |= {f"{p.name}_p": kind_of(p.kind) for p in row.schema.parameters}
    types |= {f"{p.name}_t": kind_of(p.kind) for p in row.edges}
    types |= {name: TENSOR for _, name in row.schema.returns}
    types |= {s.name: s.kind for s in row.saved if row.schema.parameter(s.name) is None}
    return types


def emit_linear(w: Writer, row: Row, single: bool) -> None:
    for p in row.edges:
        if not p.is_tensor_list:
            with w.block(f"if {p.name}_t is None:"):
                w(f"{p.name}_t = tangent_or_zeros({p.name}, level)")
    w(f"{'tangent' if single else 'tangents'} = {applied_to_tangents(row)}")


def applied_to_tangents(row: Row) -> str:
    of_tangents = ", ".join(
        f"{p.name}_t" if p.name in row.formulas else p.name for p in row.schema.parameters
    )
    return f"r_{row.name}({of_tangents})"


def emit_element_wise(w: Writer, row: Row, schemas) -> None:
    """Write the tangents of an elementwise operator, from its backward formulas.

    The Jacobian is diagonal, so the tangent takes the place of the gradient, up to conjugates.
    """
    types = forward_types(row) | {"grad": TENSOR}
    w("tangent = None")
    for p in row.edges:
        if len(row.edges) > 1:
            emit_zeros_if_recorded(w, row, p)
        with w.block(f"if {p.name}_t is not None:"):
            w(f"grad = r_conj({p.name}_t)")
            formula = translate(row.formulas[p.name], schemas, True, types)
            w(f"tangent = sum_of_tangents(<TensorBase>tangent, r_conj({formula}))")


def emit_zeros_if_recorded(w: Writer, row: Row, p) -> None:
    # a number that is a tensor in no overload of PyTorch has no tangent there either
    number = f" and not {p.name}.impl.is_wrapped_number" if p.name in row.twins else ""
    with w.block(f"if {p.name}_t is None and {p.name} is not None{number}:"):
        w(f"{p.name}_t = zeros_if_recorded({p.name}, {edges_of(row)})")


# ---- in place


def emit_inplace_jvp(w: Writer, row: Row, of: Row, schemas) -> None:
    """Write the in-place tangents of ``x.name_()``, computed by the out-of-place operator."""
    if not has_forward_mode(row) or not has_tangents(row):
        return
    first = row.schema.parameters[row.receiver].name
    w()
    w()
    with w.block(f"cdef TensorBase jvp_{row.name}_({c_parameters(row.schema, True)}):"):
        w(f"cdef int level = top_level_of({edges_of(row)})")
        w("cdef int before")
        if row.view:
            w(f"cdef TensorBase result = r_{row.name}({arguments_of(row)})")
            emit_hidden(w, row)
            w(f"{first}._tangent = result._tangent")
            w(f"return {first}")
            return
        flat = set(of.formulas) == {first} and of.formulas[first] == "zeros_like(grad)"
        if flat:
            emit_hidden(w, row)
            w(f"write_tangent_like({first}, make_tensor({first}.impl), level)")
            w(f"return {first}")
            return
        if row.inplace_only:
            names = names_in(row.tangents["result"])
            for p in row.edges:
                w(f"cdef TensorBase {p.name}_t")
            for p in row.edges:
                if f"{p.name}_t" in names:
                    w(f"{p.name}_t = tangent_or_zeros({p.name}, level)")
            w("before = hide_level(level)")
            with w.block("try:"):
                tangent = translate(row.tangents["result"], schemas, True, forward_types(row))
                w(f"tangent = {tangent}")
                w(f"r_{row.name}_({arguments_of(row)})")
            with w.block("finally:"):
                w("show_levels(before)")
            w(f"write_tangent({first}, <TensorBase>tangent, level)")
            w(f"return {first}")
            return
        if of.tangent_in_place:
            emit_tangent_in_place(w, row, schemas)
            return
        w(f"cdef TensorBase old = r_clone({first}, 1)")
        copies = ", ".join(
            "old"
            if p.name == first
            else f"(old if {p.name} is {first} else {p.name})"
            if p.kind in ("Tensor", "Tensor?")
            else p.name
            for p in row.schema.parameters
        )
        w(f"cdef TensorBase result = r_{row.name}({copies})")
        emit_hidden(w, row)
        w(f"write_tangent_like({first}, result, level)")
        if row is of:
            w(f"keep_tangents_like({first}, result)")
        w(f"return {first}")


def emit_tangent_in_place(w: Writer, row: Row, schemas) -> None:
    """Write a function that applies the operator to the value, then to the tangent."""
    first, *others = (p.name for p in row.edges)
    formula = row.tangents["result"]
    if formula == LINEAR:
        call = applied_to_tangents(row)
    else:
        call = translate(formula, schemas, True, forward_types(row))
    w(f"cdef TensorBase own = tangent_of({first}, level)")
    for name in (first, *others):
        w(f"cdef TensorBase {name}_t = None")
    emit_hidden(w, row)
    w("before = hide_level(level)")
    with w.block("try:"):
        for name in (first, *others):
            w(f"{name}_t = tangent_or_zeros({name}, level)")
        with w.block("if own is None:"):
            w(f"{first}_t = {call}")
        with w.block("else:"):
            w(call.replace(f"r_{row.name}(", f"r_{row.name}_(", 1))
    with w.block("finally:"):
        w("show_levels(before)")
    with w.block("if own is None:"):
        w(f"write_tangent({first}, {first}_t, level)")
    kept = [s.source for s in row.saved if s.kind == TENSOR and s.source]
    if kept:
        with w.block(f"if {first}._grad_fn is not None:"):
            w(f"keep_tangents({first}._grad_fn, ({', '.join(kept)},))")
    w(f"return {first}")


def emit_hidden(w: Writer, row: Row) -> None:
    """Write the in-place call on the value, which may itself be dual at outer levels."""
    call = f"r_{row.name}_({arguments_of(row)})"
    w("before = hide_level(level)")
    with w.block("try:"):
        w(call)
    with w.block("finally:"):
        w("show_levels(before)")


__all__ = ["emit_dual_check", "emit_inplace_jvp", "emit_jvp"]
