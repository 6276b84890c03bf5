"""Write the recording wrappers: for each form of a row a straight recorder, and its operator.

A wrapper has one gate. Behind it a node is made, the operator computes, and the result gets its history, by the
functions of autograd/recording.pxd. What `bind` needs to do the same for unusual arguments stands beside the wrapper:
functions that record and compute with arguments in a tuple, and the `Operator` that has them.
"""

from tools.emit_node_classes import guard
from tools.formula import TENSOR
from tools.rows import NOT_IMPLEMENTED, Row, Saved
from tools.schema import C_TYPES, Parameter
from tools.tangent_rules import dual_places, in_place_rule, missing, no_tangent
from tools.writer import Name, Writer, c_parameters, c_return, literal

CLASSES = ("TensorBase", "list", "tuple", "str")
# elementwise operators check themselves whether the result overlaps an operand
POINTWISE = frozenset(
    {
        "elementwise.activation",
        "elementwise.activation_backward",
        "elementwise.binary",
        "elementwise.binary_functions",
        "elementwise.compare",
        "elementwise.division",
        "elementwise.special",
        "elementwise.ternary",
        "elementwise.unary",
        "nn.elementwise_loss",
    }
)


def operator_of(row: Row, form: str = "") -> str:
    """Return the variable that holds the operator as a value."""
    return f"operator_{row.name}{form}"


def kernel_of(row: Row) -> str:
    """Return the name by which generated modules cimport the function in ops/."""
    return f"ops_{row.name}{'_' if row.inplace_only else ''}"


# ---- arguments


def op_argument(p: Parameter, value: str = "") -> str:
    """Return the argument as the operator on TensorImpls expects it."""
    value = value or p.name
    if p.kind == "Tensor":
        return f"{value}.impl"
    if p.kind == "Tensor?":
        return f"impl_or_none({value})"
    if p.is_tensor_list:
        return f"impls({value})"
    return value


def argument_beside_out(p: Parameter, value: str = "", out: str = "out.impl") -> str:
    """Return the argument if `out` may be an operand.

    Resizing the result must not resize what is read.
    """
    if p.is_tensor:
        return f"beside({op_argument(p, value)}, {out})"
    if p.is_tensor_list:
        return f"all_beside({op_argument(p, value)}, {out})"
    return value or p.name


def given(p: Parameter, k: int) -> str:
    """Return argument k of a tuple, with its C type."""
    c_type = C_TYPES[p.kind][True]
    return f"<{c_type}>given[{k}]" if c_type in CLASSES else f"given[{k}]"


def given_to_kernel(row: Row, argument=op_argument, **more) -> list[str]:
    parts = []
    for k, p in enumerate(row.schema.parameters):
        value = f"(<TensorBase>given[{k}])" if p.kind == "Tensor" else given(p, k)
        parts.append(argument(p, value, **more))
    return parts


def names_of(row: Row, *more: str) -> str:
    return ", ".join([*(p.name for p in row.schema.parameters), *more])


def tuple_of(names: list[str]) -> str:
    return f"({', '.join(names)}{',' if len(names) == 1 else ''})"


def requires_grad_of(parameters: list[Parameter]) -> str:
    parts = []
    for p in parameters:
        if p.is_tensor_list:
            parts.append(f"any_requires_grad({p.name})")
        elif p.kind == "Tensor?":
            parts.append(f"{p.name} is not None and requires_grad({p.name})")
        else:
            parts.append(f"requires_grad({p.name})")
    return " or ".join(parts)


def keeps_gradient(row: Row) -> str:
    """Return a test of whether the result can have a gradient, by `dtype` or the first argument's dtype."""
    if any(p.name == "dtype" for p in row.schema.parameters):
        return "(dtype == NoType or is_differentiable(dtype))"
    return f"is_differentiable({row.schema.parameters[row.receiver].name}.impl.dtype)"


# ---- the gate


def emit_gate(w: Writer, row: Row, form: str = "") -> None:
    """Write the test that calls `bind` if an argument is unusual or operators are watched."""
    names = [p.name for p in row.schema.parameters] + ["out"] * (form == "_out")
    tests = [f"unusual({p.name})" for p in row.schema.parameters if p.is_tensor]
    tests += [f"any_unusual({p.name})" for p in row.schema.parameters if p.is_tensor_list]
    tests += ["unusual(out)"] * (form == "_out") + ["watched()"]
    test = " or ".join(tests)
    with w.block(f"if ({test}):" if len(test) > 100 else f"if {test}:"):
        w(f"return bind({operator_of(row, form)}, {tuple_of(names)})")


# ---- recording


def emit_record(w: Writer, row: Row, suffix: str, also_in_place: bool) -> None:
    """Write the function that makes the node of a call and saves arguments, and the one that does so for `bind`."""
    parameters = c_parameters(row.schema, True)
    with w.block(f"cdef Node record_{row.name}{suffix}(Operator operator, {parameters}):"):
        if row.node == NOT_IMPLEMENTED:
            w(f"return unknown_node(operator, {tuple_of([p.name for p in row.edges])})")
        else:
            if row.casts and not row.inplace_only:
                with w.block(f"if not {keeps_gradient(row)}:"):
                    w(
                        "return None"
                    )  # a cast to integers does not even ask for the history of its operand
            emit_new_node(w, row)
            emit_links(w, row)
            for s in row.saved:
                if s.kind != TENSOR:
                    w(f"node.{s.slot} = {source_of(row, s)}")
                elif s.source:
                    emit_saved_tensor(w, row, s, also_in_place)
            if any(s.kind == TENSOR and s.source for s in row.saved):
                w("hooked(node)")
            w("return node")
    w()
    arguments = ", ".join(given(p, k) for k, p in enumerate(row.schema.parameters))
    with w.block(f"cdef Node _record_{row.name}{suffix}(Operator operator, tuple given):"):
        w(f"return record_{row.name}{suffix}(operator, {arguments})")
    w()


def emit_new_node(w: Writer, row: Row) -> None:
    chosen = "operator.node"
    for k, argument in reversed(list(enumerate(a for a in row.twins if a))):
        parameter = row.schema.parameter(argument)
        test = f"{argument}.impl.is_wrapped_number"
        if not parameter.is_tensor:
            test = f"{argument} != {parameter.default}"
        chosen = f"<type>operator.twins[{k}] if {test} else {chosen}"
    wide = any(s.number > 2 for s in row.saved)
    if wide:
        w(f"cdef WideNode node = <WideNode>new_node({chosen})")
    else:
        w(f"cdef Node node = new_node({chosen})")


def emit_links(w: Writer, row: Row) -> None:
    if row.list_edge is not None:
        w(f"set_list_edges(node, {row.list_edge.name})")
        return
    names = [p.name for p in row.edges]
    w(f"link{min(len(names), 3)}(node, {', '.join(names[:3])})")
    for k, name in enumerate(names[3:], 3):
        w(f"set_more_edge(node, {k}, {name})")
    if len(names) > 3:
        w(f"node.num_edges = {len(names)}")
    # a number in place of the last tensor has no edge if PyTorch has a separate operator for it
    if row.twins.get(names[-1]) and names[-1] in row.numbers:
        w(f"node.num_edges -= {names[-1]}.impl.is_wrapped_number")


def source_of(row: Row, s: Saved) -> str:
    """Return the expression of a saved value that is no tensor."""
    source = s.source
    owner = source[source.find("(") + 1 : source.find(".impl")] if ".impl" in source else ""
    parameter = row.schema.parameter(owner) if owner else None
    if parameter is not None and parameter.is_tensor_list:
        source = source.replace(f"sizes_tuple({owner}.impl)", f"all_sizes({owner})")
        source = source.replace(f"dtype_code({owner}.impl)", f"all_dtypes({owner})")
    if parameter is not None and parameter.kind == "Tensor?":
        source = f"{source} if {owner} is not None else None"
    return source


def emit_saved_tensor(w: Writer, row: Row, s: Saved, also_in_place: bool) -> None:
    optional = row.schema.parameter(s.source).kind == "Tensor?"
    with guard(w, row, s, *[f"{s.source} is not None"] * optional):
        if also_in_place and s.source == row.schema.parameters[row.receiver].name:
            w(f"save_receiver(node, {s.number}, {s.source}, operator)")
        elif s.number < 3:
            w(f"save{s.number}(node, {s.source})")
        else:
            w(f"save(node, {s.number}, {s.source})")


# ---- the forms


def emit_function(w: Writer, row: Row) -> None:
    """Write the wrapper of the form that returns new tensors."""
    schema = row.schema
    w()
    w()
    with w.block(f"cdef {c_return(schema, True)} r_{row.name}({c_parameters(schema, True)}):"):
        emit_gate(w, row)
        for name in row.not_differentiable:
            w(f'check_constant("{row.name}", "{name}", {name})')
        node = "None"
        if row.formulas:
            node = "node"
            w("cdef Node node = None")
            wanted = requires_grad_of(row.edges)
            with w.block(f"if grad_enabled() and {f'({wanted})' if ' or ' in wanted else wanted}:"):
                w(f"node = record_{row.name}({operator_of(row)}, {names_of(row)})")
        value = f"{kernel_of(row)}({', '.join(map(op_argument, schema.parameters))})"
        first = schema.parameters[0].name if schema.parameters else ""
        if schema.returns_list:
            w(f"return finish_list({operator_of(row)}, {node}, {value}, {first})")
        elif len(schema.returns) > 1:
            like = row.edges[0].name if row.edges else "None"
            w(f"return finish_several({operator_of(row)}, {node}, {value}, {like})")
        elif row.view:
            w(f"return finish_view({operator_of(row)}, {node}, {first}, {value})")
        else:
            like = first if first and schema.parameters[0].kind == "Tensor" else "None"
            w(f"return finish({operator_of(row)}, {node}, {like}, {value})")
    w()


def emit_in_place(w: Writer, row: Row, record: str) -> None:
    schema = row.schema
    first = schema.parameters[row.receiver].name
    w()
    with w.block(f"cdef TensorBase r_{row.name}_({c_parameters(schema, True)}):"):
        emit_gate(w, row, "_")
        node = "None"
        if row.formulas:
            node = "node"
            w("cdef Node node = None")
            wanted = requires_grad_of(row.edges)
            if row.casts:
                wanted = f"({wanted}) and is_differentiable({first}.impl.dtype)"
            with w.block(f"if begin_write({first}, {wanted}):"):
                w(f"node = {record}({operator_of(row, '_')}, {names_of(row)})")
        else:
            w(f"begin_write({first}, False)")
        arguments = ", ".join(map(op_argument, schema.parameters))
        if row.view:
            w(f"become_view({first}, {kernel_of(row)}({arguments}))")
        elif row.inplace_only:
            w(f"{kernel_of(row)}({arguments})")
        else:
            w(f"{kernel_of(row)}({arguments}, {first}.impl)")
        w(f"return written({operator_of(row, '_')}, {node}, {first})")
    w()


def emit_out(w: Writer, row: Row) -> None:
    schema = row.schema
    argument = op_argument if row.op_module in POINTWISE else argument_beside_out
    arguments = "".join(f"{argument(p)}, " for p in schema.parameters)
    tensors = [p for p in schema.parameters if p.is_tensor or p.is_tensor_list]
    operator = operator_of(row, "_out")
    w()
    with w.block(
        f"cdef TensorBase r_{row.name}_out({c_parameters(schema, True, ('TensorBase out',))}):"
    ):
        emit_gate(w, row, "_out")
        node = "None"
        if out_rule(row) == "UNKNOWN":
            node = "node"
            w(
                f"cdef Node node = begin_unknown_out({operator}, out, {tuple_of([p.name for p in row.edges])})"
            )
        else:
            w(f"begin_out({operator}, out, {requires_grad_of(tensors) or 'False'})")
        w(f"{kernel_of(row)}({arguments}out.impl)")
        w(f"return written({operator}, {node}, out)")
    w()


def out_rule(row: Row) -> str:
    if "out" in row.not_implemented and row.edges:
        return "UNKNOWN"
    if row.formulas:
        return "NO_GRADIENT"
    return "NO_LEAF" if "out" in row.not_implemented else "UNRECORDED"


# ---- computing for `bind`


def emit_compute(w: Writer, row: Row) -> None:
    """Write the function that computes for `bind`, with `out` if the operator can write to it."""
    writes = row.variants & {"inplace"} and not row.view and not row.inplace_only
    writes = writes or ("out" in row.variants and row.op_module in POINTWISE)
    arguments = ", ".join(given_to_kernel(row) + ["out"] * bool(writes))
    with w.block(f"cdef object _compute_{row.name}(tuple given, TensorImpl out):"):
        w(f"return {kernel_of(row)}({arguments})")
    w()


def emit_compute_out(w: Writer, row: Row) -> None:
    arguments = ", ".join([*given_to_kernel(row, argument_beside_out, out="out"), "out"])
    with w.block(f"cdef object _compute_{row.name}_out(tuple given, TensorImpl out):"):
        w(f"return {kernel_of(row)}({arguments})")
    w()


# ---- operators


def places(row: Row, names) -> tuple[int, ...]:
    order = [p.name for p in row.schema.parameters]
    return tuple(map(order.index, names))


def fields(row: Row, form: str = "") -> dict:
    """Return the fields of `Operator` that are not the default, for a form made from the row alone."""
    schema = row.schema
    names = [name for _, name in schema.returns]
    found: dict = {}
    if row.public_name != row.name:
        found["public_name"] = row.public_name
    if row.view:
        found["view"] = True
    if schema.returns_list:
        found["results"] = Name("LIST")
    elif len(schema.returns) > 1:
        found["results"] = Name("SEVERAL")
    if row.receiver:
        found["receiver"] = row.receiver
    if row.edges:
        found["edges"] = places(row, [p.name for p in row.edges])
    if row.not_differentiable:
        found["constants"] = places(row, row.not_differentiable)
    if len(schema.returns) > 1 and tuple(row.differentiable) != (0,):
        found["differentiable"] = tuple(row.differentiable)
    results = tuple(
        (s.number, names.index(s.name)) for s in row.saved if s.kind == TENSOR and not s.source
    )
    if results:
        found["saved_results"] = results
    if row.casts:
        found["casts"] = True
    if row.node == NOT_IMPLEMENTED:
        found["unknown"] = True
    if row.real_autograd and form == "":
        found["real_autograd"] = row.real_autograd
    kept = [s.source for s in row.saved if s.kind == TENSOR and s.source]
    kept += [s.name for s in row.saved if s.kind != TENSOR and s.source.startswith("save_")]
    if kept:
        found["kept"] = places(row, kept)
    return found | tangent_fields(row, form) | in_place_fields(row, form)


def tangent_fields(row: Row, form: str) -> dict:
    found: dict = {}
    dual = dual_places(row, form)
    if dual is not None and dual != found.get("edges", places(row, [p.name for p in row.edges])):
        found["dual"] = dual
    error = no_tangent(row, form)
    if error is not None:
        found["no_tangent"] = error
    elif form != "_out":
        if list(row.tangents.values())[:1] == ["auto_linear"]:
            found["linear"] = True
        codes = missing(row)
        if any(code != "NOTHING" for code in codes):
            found["missing"] = tuple(map(Name, codes))
    return found


def in_place_fields(row: Row, form: str) -> dict:
    first = row.schema.parameters[row.receiver].name if form == "_" else ""
    lets_go = any(s.kind == TENSOR and s.source and s.source != first for s in row.saved)
    return {"lets_go": True} if form == "_" and row.formulas and lets_go else {}


def emit_operator(w: Writer, row: Row, form: str, record: str, more: dict) -> dict:
    """Write the operator as a value, and return its fields."""
    parameters = tuple((p.name, p.kind, p.default) for p in row.schema.parameters)
    found = fields(row, form) | more
    maker = "make_in_place" if form == "_" else "make_primitive"
    with w.block(f"cdef Primitive {operator_of(row, form)} = {maker}("):
        w(f'"{row.name}", {literal(parameters)}, _compute_{row.name}, {record},')
        w(f"{literal(found)})")
    return found


def emit_derived_operator(w: Writer, row: Row, form: str, base: dict) -> None:
    """Write an operator in place or with `out=`, which has the fields of the one out of place."""
    found = fields(row, form)
    if form == "_":
        rule = in_place_rule(row, row)
        if rule != "BY_COPY":
            found["in_place"] = Name(rule)
        inherited = ("public_name", "view", "receiver", "edges", "dual", "saved_results", "casts", "unknown",
                     "linear", "missing", "kept")  # fmt: skip
        maker = f"in_place({operator_of(row)}, "
    else:
        found.pop("view", None)
        found.pop("saved_results", None)
        rule = out_rule(row)
        if rule != "UNRECORDED":
            found["out_rule"] = Name(rule)
        if row.out_name:
            found["out_name"] = row.out_name
        inherited = ("public_name", "receiver", "edges", "dual", "casts", "unknown", "linear", "missing", "kept",
                     "results", "constants", "differentiable")  # fmt: skip
        compute = "NULL" if row.op_module in POINTWISE else f"_compute_{row.name}_out"
        maker = f"with_out({operator_of(row)}, {compute}, "
    rest = {
        key: value for key, value in found.items() if key not in inherited or base.get(key) != value
    }
    w(f"cdef Primitive {operator_of(row, form)} = {maker}{literal(rest)})")


def emit_wrappers(w: Writer, row: Row) -> None:
    """Write all forms of a row."""
    in_place = row.inplace or row
    shared = "inplace" in row.variants and in_place is row
    if row.inplace_only:
        w()
        emit_in_place(w, row, f"record_{row.name}_")
        if row.formulas:
            emit_record(w, row, "_", True)
        emit_compute(w, row)
        emit_operator(w, row, "_", recorder(row, "_"), {"in_place": Name(in_place_rule(row, row))})
        return
    emit_function(w, row)
    if row.formulas:
        emit_record(w, row, "", shared)
    emit_compute(w, row)
    base = emit_operator(w, row, "", recorder(row), {})
    if shared:
        emit_in_place(w, row, f"record_{row.name}")
        emit_derived_operator(w, row, "_", base)
    elif "inplace" in row.variants:
        emit_in_place(w, in_place, f"record_{row.name}_")
        emit_record(w, in_place, "_", True)
        # what the form out of place saves is not saved here
        more = {"in_place": Name(in_place_rule(in_place, row)), "kept": None}
        emit_operator(w, in_place, "_", recorder(in_place, "_"), more)
    if "out" in row.variants:
        emit_out(w, row)
        if row.op_module not in POINTWISE:
            emit_compute_out(w, row)
        emit_derived_operator(w, row, "_out", base)


def recorder(row: Row, suffix: str = "") -> str:
    return f"_record_{row.name}{suffix}" if row.formulas else "NULL"
