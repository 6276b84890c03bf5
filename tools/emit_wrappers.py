"""Write the recording wrappers: checks, the computation, and the recording of a node."""

from dataclasses import replace

from tools.emit_forward import emit_dual_check
from tools.emit_node_classes import guard
from tools.formula import TENSOR
from tools.rows import NOT_IMPLEMENTED, Row
from tools.schema import C_TYPES, Parameter
from tools.writer import Writer, c_parameters, c_return

CLASSES = ("TensorBase", "list", "tuple", "str")
# elementwise operators check themselves whether the result overlaps an operand
POINTWISE = frozenset(
    "activation activation_backward binary compare elementwise_loss special ternary unary".split()
)


def op_argument(p: Parameter) -> str:
    """Return the argument as the operator on TensorImpls expects it."""
    if p.kind == "Tensor":
        return f"{p.name}.impl"
    if p.kind == "Tensor?":
        return f"impl_or_none({p.name})"
    if p.is_tensor_list:
        return f"impls({p.name})"
    return p.name


def argument_beside_out(p: Parameter) -> str:
    """Return the argument if `out` may be an operand.

    Resizing the result must not resize what is read.
    """
    if p.kind in ("Tensor", "Tensor?"):
        return f"beside({op_argument(p)}, out.impl)"
    if p.is_tensor_list:
        return f"all_beside({op_argument(p)}, out.impl)"
    return p.name


def emit_new_node(w: Writer, row: Row, inplace: bool) -> None:
    if inplace and "" in row.twins:
        w(f"node = {row.twins['']}.__new__({row.twins['']})")
        return
    if row.node == NOT_IMPLEMENTED:
        w(f"node = {row.node}.__new__({row.node})")
        w(f'node.arg0 = "{row.public_name}{"_" if inplace else ""}"')
        return
    keyword = "if"
    for argument, name in row.twins.items():
        if argument:
            parameter = row.schema.parameter(argument)
            chosen = f"{argument}.impl.is_wrapped_number"
            if not parameter.is_tensor:
                chosen = f"{argument} != {parameter.default}"
            with w.block(f"{keyword} {chosen}:"):
                w(f"node = {name}.__new__({name})")
            keyword = "elif"
    if keyword == "if":
        w(f"node = {row.node}.__new__({row.node})")
    else:
        with w.block("else:"):
            w(f"node = {row.node}.__new__({row.node})")


def number_of_edges(row: Row) -> str:
    """Return the number of edges.

    A number in place of the last tensor has no edge if PyTorch has a separate operator for it.
    """
    last = row.edges[-1].name
    less = (
        f" - {last}.impl.is_wrapped_number" if row.twins.get(last) and last in row.numbers else ""
    )
    return f"{len(row.edges)}{less}"


def emit_node_creation(w: Writer, row: Row, inplace: bool) -> None:
    emit_new_node(w, row, inplace)
    w("start_node(node)")
    with w.block("if given is not None:"):
        w("node.special = True")
    if row.list_edge is not None:
        w(f"set_list_edges(node, {row.list_edge.name})")
    elif row.node == NOT_IMPLEMENTED:
        for p in row.edges:
            w(f"add_wanted_edge(node, {p.name})")
    else:
        for k, p in enumerate(row.edges):
            optional = f"None if {p.name} is None else " if p.kind == "Tensor?" else ""
            if k < 3:
                w(f"node.edge{k} = {optional}gradient_edge({p.name}, &node.nr{k})")
            else:
                w(f"set_more_edge(node, {k}, {p.name})")
        w(f"node.num_edges = {number_of_edges(row)}")
    for s in row.saved:
        if s.kind == TENSOR and not s.source:
            continue  # a result: saved when it exists
        if s.kind != TENSOR:
            source = s.source
            owner = source[source.find("(") + 1 : source.find(".impl")] if ".impl" in source else ""
            parameter = row.schema.parameter(owner) if owner else None
            if parameter is not None and parameter.is_tensor_list:
                source = source.replace(
                    f"sizes_tuple({owner}.impl)", f"all_sizes({owner})"
                ).replace(f"dtype_code({owner}.impl)", f"all_dtypes({owner})")
            if parameter is not None and parameter.kind == "Tensor?":
                source = f"{source} if {owner} is not None else None"
            w(f"node.{s.slot} = {source}")
            continue
        optional = row.schema.parameter(s.source).kind == "Tensor?"
        with guard(w, row, s, *[f"{s.source} is not None"] * optional):
            first = row.schema.parameters[row.receiver].name
            if inplace and s.source == first:
                w(f"node.{s.slot} = copy_to_save({s.source})")
            else:
                w(f"node.{s.slot} = to_save({s.source})")
            w(f"node.version{s.number} = version_to_save(node.{s.slot})")


def emit_saved_results(w: Writer, row: Row, handle_of_result) -> None:
    for s in row.saved:
        if s.kind == TENSOR and not s.source:
            # what has no history is no output to autograd
            names = [name for _, name in row.schema.returns]
            output = len(names) == 1 or names.index(s.name) in row.differentiable
            w(
                f"node.{s.slot} = {'result_to_save' if output else 'to_save'}({handle_of_result(s.name)})"
            )
            w(f"node.version{s.number} = version_to_save(node.{s.slot})")


def emit_packing(w: Writer, row: Row, results: bool) -> None:
    """Hand what is saved to the pack hook: inputs before the operator runs, results afterwards."""
    if any(s.kind == TENSOR and (results != bool(s.source)) for s in row.saved):
        with w.block("if node.packed is not None:"):
            w("pack_saved(node)")


def any_requires_grad(row: Row) -> str:
    parts = []
    for p in row.edges:
        if p.is_tensor_list:
            parts.append(f"any_requires_grad({p.name})")
        elif p.kind == "Tensor?":
            parts.append(f"({p.name} is not None and requires_grad({p.name}))")
        else:
            parts.append(f"requires_grad({p.name})")
    return " or ".join(parts)


def emit_wrapper(w: Writer, row: Row) -> None:
    schema = row.schema
    arguments = ", ".join(map(op_argument, schema.parameters))
    call = f"_op_{row.name}({arguments})"
    returns = c_return(schema, True)
    single = len(schema.returns) == 1 and not schema.returns_list
    w()
    w()
    with w.block(f"cdef {returns} r_{row.name}({c_parameters(schema, True)}):"):
        emit_dual_check(w, row)
        for name in row.not_differentiable:
            given = f"{name} is not None and " if schema.parameter(name).kind == "Tensor?" else ""
            with w.block(f"if {given}requires_grad({name}) and grad_enabled():"):
                w(f'raise no_gradient_for("{row.name}", "{name}")')
        if single and schema.returns[0][0] != "Tensor":
            emit_uncounted(w, row, call)
            return
        w("given = None")
        emit_interposition(w, row)
        if row.formulas:
            w(f"cdef {row.node} node = None")
            # a cast to integers does not even ask for the history of its operand
            kept = f" and {_keeps_gradient(row)}" if row.casts else ""
            with w.block(f"if ({any_requires_grad(row)}) and grad_enabled(){kept}:"):
                emit_node_creation(w, row, inplace=False)
                emit_packing(w, row, results=False)
        if single:
            emit_single_call(w, row, call)
        else:
            w("cdef list results = None")
            with w.block("if given is not None:"):
                w(f"results = <list>compute({operator_of(row)}, given)")
            with w.block("if results is None:"):
                w(
                    f"results = [None if item is None else make_tensor(<TensorImpl>item) for item in {call}]"
                )
        if row.view:
            emit_view(w, row, single)
        if row.formulas:
            emit_history(w, row, single)
        w(
            "return result"
            if single
            else "return results"
            if schema.returns_list
            else "return tuple(results)"
        )


def _keeps_gradient(row: Row) -> str:
    """Return whether the result can have one: its dtype is asked for, or that of the first argument."""
    if any(p.name == "dtype" for p in row.schema.parameters):
        return "(dtype == NoType or is_differentiable(dtype))"
    return f"is_differentiable({row.schema.parameters[row.receiver].name}.impl.dtype)"


def emit_uncounted(w: Writer, row: Row, call: str) -> None:
    """Write an operator whose result is a number, which requires no gradient."""
    with emit_interposition(w, row):
        w(f"outcome = compute({operator_of(row)}, given)")
        with w.block("if outcome is not None:"):
            w("return outcome")
    w(f"return {call}")


def emit_single_call(w: Writer, row: Row, call: str) -> None:
    """Compute the one result."""
    w("cdef TensorBase result = None")
    w("cdef TensorImpl impl")
    with w.block("if given is not None:"):
        w(f"result = <TensorBase>compute({operator_of(row)}, given)")
    with w.block("if result is None:"):
        w(f"impl = {call}")
        if row.schema.parameters and row.schema.parameters[0].kind == "Tensor":
            first = row.schema.parameters[0].name
            with w.block(f"if impl is {first}.impl:"):
                w(f"return {first}")
        w("result = make_tensor(impl)")
    with w.block("else:"):
        w("impl = result.impl")


def emit_view(w: Writer, row: Row, single: bool) -> None:
    first = row.schema.parameters[0].name
    kind = "MULTI_OUTPUT_NODE" if row.schema.returns_list else "DEFAULT"
    meta = f"{kind} if grad_enabled() else unrecorded_meta()"
    if single:
        w(f"make_view(result, {first}, {meta})")
    else:
        with w.block("for item in results:"):
            w(f"make_view(<TensorBase>item, {first}, {meta})")


def emit_history(w: Writer, row: Row, single: bool) -> None:
    """Make the results outputs of the node, and save those that the formulas read."""
    schema = row.schema
    silent = row.casts or row.node == NOT_IMPLEMENTED
    first = "impl" if single else "(<TensorBase>results[0]).impl"
    kind_check = f" and is_differentiable({first}.dtype)" if silent else ""
    with w.block(f"if node is not None{kind_check}:"):
        if row.real_autograd:
            with w.block(f"if complex_impl({first}):"):
                w(f'raise no_complex_gradient("{row.real_autograd}")')
        if single and not silent:
            with w.block("if not is_differentiable(impl.dtype):"):
                w("raise not_differentiable(impl.dtype)")
        if single:
            emit_saved_results(w, row, lambda name: "result")
            w("add_first_output(node, impl)")
            w("set_history(result, node, 0)")
        elif schema.returns_list:
            with w.block("for index, item in enumerate(results):"):
                w("node.add_output((<TensorBase>item).impl)")
                w("set_history(<TensorBase>item, node, index)")
        else:
            names = [name for _, name in schema.returns]
            emit_saved_results(w, row, lambda name: f"<TensorBase>results[{names.index(name)}]")
            for position, k in enumerate(row.differentiable):
                emit_one_of_several_outputs(w, row, position, k)
        emit_packing(w, row, results=True)


def operator_of(row: Row, form: str = "") -> str:
    """Return the variable that holds the operator as a value."""
    return f"operator_{row.name}{form}"


def special_test(row: Row, *more: str) -> str:
    """Return whether some argument is not an ordinary tensor, or all operators are observed."""
    tests = []
    for p in row.schema.parameters:
        if p.kind == "Tensor":
            tests.append(f"{p.name}.impl.special is not None")
        elif p.kind == "Tensor?":
            tests.append(f"({p.name} is not None and {p.name}.impl.special is not None)")
        elif p.is_tensor_list:
            tests.append(f"any_special({p.name})")
    return " or ".join([*tests, *more, "interposers"])


def emit_interposition(w: Writer, row: Row, form: str = "", *out: str):
    """Leave the wrapper where the call is taken over; the block is for what computes for a kernel."""
    given = "".join(f"{p.name}, " for p in row.schema.parameters) + "".join(f"{n}, " for n in out)
    more = [f"{n}.impl.special is not None" for n in out]
    block = w.block(f"if {special_test(row, *more)}:")
    with block:
        w(f"given = ({given})")
        w(f"outcome = interpose({operator_of(row, form)}, given)")
        with w.block("if outcome is not None:"):
            w("return outcome")
    return block


def emit_operator(w: Writer, row: Row, form: str) -> None:
    """Write the operator as a value, for vmap, func.grad and __torch_dispatch__."""
    schema = row.schema
    parameters = [(p.name, p.kind, p.default) for p in schema.parameters]
    if form == "_out":
        parameters.append(("out", "Tensor", None))
    arguments = []
    for k, (_, kind, _) in enumerate(parameters):
        c_type = C_TYPES[kind][True]
        arguments.append(f"<{c_type}>given[{k}]" if c_type in CLASSES else f"given[{k}]")
    w()
    w()
    with w.block(f"cdef object _call_{row.name}{form}(tuple given):"):
        w(f"return r_{row.name}{form}({', '.join(arguments)})")
    w()
    w()
    if row.forward:
        w(
            f'cdef Operator {operator_of(row, form)} = make_composed("{row.public_name}", _call_{row.name})'
        )
        return
    w(
        f'cdef Operator {operator_of(row, form)} = make_operator("{row.name}", "{form}", '
        f"{tuple(parameters)!r}, {row.view}, _call_{row.name}{form})"
    )


def emit_one_of_several_outputs(w: Writer, row: Row, position: int, k: int) -> None:
    """Write one of several outputs; a result that is None keeps its index but gets no gradient."""
    if len(row.differentiable) == 1:
        w(f"node.add_output((<TensorBase>results[{k}]).impl)")
        w(f"set_history(<TensorBase>results[{k}], node, {position})")
        return
    with w.block(f"if results[{k}] is None:"):
        w(f"node.add_output({row.edges[0].name}.impl)")
    with w.block("else:"):
        w(f"node.add_output((<TensorBase>results[{k}]).impl)")
        w(f"set_history(<TensorBase>results[{k}], node, {position})")


def emit_inplace(w: Writer, row: Row) -> None:
    schema = row.schema
    first = schema.parameters[row.receiver].name
    arguments = ", ".join(map(op_argument, schema.parameters))
    w()
    w()
    with w.block(f"cdef TensorBase r_{row.name}_({c_parameters(schema, True)}):"):
        emit_dual_check(w, row, "_")
        w("given = None")
        emit_interposition(w, row, "_")
        if row.formulas:
            w(f"cdef {row.node} node = None")
            # a comparison of integers gets a node too, as in PyTorch
            differentiable = f" and is_differentiable({first}.impl.dtype)" if row.casts else ""
            w(f"cdef bint records = grad_enabled() and ({any_requires_grad(row)}){differentiable}")
            w(f"check_inplace({first}, records)")
            with w.block("if records:"):
                emit_node_creation(w, row, inplace=True)
                emit_packing(w, row, results=False)
        else:
            w(f"check_inplace({first}, False)")
        with w.block(f"if given is None or compute({operator_of(row, '_')}, given) is None:"):
            if row.view:
                w(f"become_view({first}, _op_{row.name}({arguments}))")
            elif row.inplace_only:
                w(f"_op_{row.name}({arguments})")
            else:
                w(f"_op_{row.name}({arguments}, {first}.impl)")
            w(f"bump_version({first}.impl)")
        if row.formulas:
            with w.block("if node is not None:"):
                emit_saved_results(w, row, lambda name: first)
                w(f"add_first_output(node, {first}.impl)")
                w(f"{'move_view' if row.view else 'rebase_history'}({first}, node)")
                if any(s.kind == TENSOR and s.source and s.source != first for s in row.saved):
                    with w.block("if given is not None:"):
                        w(f"let_go_of(node, {first})")
                emit_packing(w, row, results=True)
        w(f"return {first}")


def emit_out(w: Writer, row: Row) -> None:
    schema = row.schema
    argument = op_argument if row.op_module in POINTWISE else argument_beside_out
    arguments = ", ".join(map(argument, schema.parameters))
    tensors = [p for p in schema.parameters if p.is_tensor or p.is_tensor_list]
    w()
    w()
    with w.block(
        f"cdef TensorBase r_{row.name}_out({c_parameters(schema, True, ('TensorBase out',))}):"
    ):
        emit_dual_check(w, row, "_out")
        w("given = None")
        emit_interposition(w, row, "_out", "out")
        if "out" in row.not_implemented and row.edges:
            emit_recorded_out(w, row, arguments)
            return
        checks = ["requires_grad(out)"]
        for p in tensors:
            if p.is_tensor_list:
                checks.append(f"any_requires_grad({p.name})")
            elif p.kind == "Tensor?":
                checks.append(f"({p.name} is not None and requires_grad({p.name}))")
            else:
                checks.append(f"requires_grad({p.name})")
        if row.formulas:
            with w.block(f"if grad_enabled() and ({' or '.join(checks)}):"):
                w(f'raise no_out_with_grad("{row.out_name or row.public_name}")')
        elif "out" in row.not_implemented:
            w(f'check_unknown_out("{row.public_name}", out)')
        w("check_out(out)")
        separator = ", " if arguments else ""
        with w.block(f"if given is None or compute({operator_of(row, '_out')}, given) is None:"):
            w(f"_op_{row.name}({arguments}{separator}out.impl)")
            w("bump_version(out.impl)")
        w("return out")


def emit_recorded_out(w: Writer, row: Row, arguments: str) -> None:
    """PyTorch refuses gradients of arguments only where it knows the derivative."""
    unknown = replace(row, node=NOT_IMPLEMENTED, saved=[], twins={})
    w(f"cdef {NOT_IMPLEMENTED} node = None")
    w(f"cdef bint records = grad_enabled() and ({any_requires_grad(row)})")
    w(f'check_unknown_out("{row.public_name}", out)')
    w("check_inplace(out, records)")
    with w.block("if records:"):
        emit_node_creation(w, unknown, inplace=False)
    with w.block(f"if given is None or compute({operator_of(row, '_out')}, given) is None:"):
        w(f"_op_{row.name}({arguments}, out.impl)")
        w("bump_version(out.impl)")
    with w.block("if node is not None:"):
        w("add_first_output(node, out.impl)")
        w("rebase_history(out, node)")
    w("return out")
