"""Write the node classes: saved values, and the formulas as ``apply``."""

import contextlib
import re

from tools.formula import TENSOR, translate
from tools.rows import NOT_IMPLEMENTED, Row, Saved
from tools.schema import Schema
from tools.writer import Name, Writer, literal


def guard_test(row: Row, s: Saved, *others: str) -> str:
    """Return the condition under which `s` is saved; "" if it always is.

    It does not depend on whether this backward needs the gradient of `s`: as in PyTorch, a saved
    tensor that was modified in place is always an error.
    """
    k = row.guard_of(s)
    edge = [] if k is None else [f"node.edge{k} is not None" if k < 3 else f"has_edge(node, {k})"]
    return " and ".join([*others, *edge])


def guard(w: Writer, row: Row, s: Saved, *others: str):
    """Return the block that runs only if `s` is saved."""
    test = guard_test(row, s, *others)
    return w.block(f"if {test}:") if test else contextlib.nullcontext()


def has_own_class(row: Row) -> bool:
    return bool(row.formulas) and row.node != NOT_IMPLEMENTED and not row.same_node_as


def emit_class(w: Writer, row: Row, schemas: dict[str, Schema]) -> None:
    w()
    w()
    if not row.twins:
        w("@cython.final")
    with w.block(f"cdef class {row.node}({base_of(row)}):"):
        if not row.real_part:
            w("_real_part = False")
            w()
        emit_apply(w, row, schemas, recorded=False)
        w()
        emit_apply(w, row, schemas, recorded=True)
        if not row.node[-1].isdigit() and not row.node.endswith("_copy"):
            # written by hand in PyTorch, in a namespace
            w()
            w("@cython.binding(False)")
            with w.block("def name(self):"):
                w(f'return "torch::autograd::{row.node}"')
        lists = [s for s in row.saved if s.source.startswith("save_list(")]
        if lists:
            w()
            with w.block("cdef int release_variables(node) except -1:"):
                for s in lists:
                    w(f"node.{s.slot} = None")
                w(f"return {base_of(row)}.release_variables(node)")


def base_of(row: Row) -> str:
    return "WideNode" if any(s.number > 2 for s in row.saved) else "Node"


def attributes(row: Row, saved: list[Saved]) -> tuple:
    """Return the arguments of `register_node` for saved values: name, kind, slot, and the edge of a tensor."""
    found: list[tuple] = []
    for s in saved:
        name = public_name(s)
        shown = not (s.query and s.query not in SHOWN_QUERIES or name in row.unshown)
        if s.kind == TENSOR:
            found.append((name, Name("TENSOR" if shown else "HIDDEN"), s.number, Name(s.edge)))
        elif s.source.startswith("save_list("):
            found.append((name, Name("TENSORS"), s.number))
        elif shown:
            kind = "UNSIGNED" if s.integers else "SIZES" if s.query == "sizes_opt" else "VALUE"
            found.append((name, Name(kind), s.number))
    return tuple(found)


def emit_registration(w: Writer, row: Row, rows: list[tuple[str, str]]) -> None:
    """Write the calls that complete a class and its twins; `rows` are the operators whose node it is."""
    twins = sorted(set(row.twins.values())) if has_own_class(row) else []
    own = [s for s in row.saved if s.name not in row.twins or s.kind == TENSOR]
    if has_own_class(row):
        w(
            f"register_node({row.node}, {base_of(row)}, {literal(attributes(row, own))}, {literal(row.view)})"
        )
    for twin in twins:
        # what chose this class says nothing in the other
        more = [s for s in row.saved if row.twins.get(s.name) == twin and s.kind != TENSOR]
        w(f"register_node({twin}, {row.node}, {literal(attributes(row, more))}, False)")
    for name, form in rows:
        cls = row.twins.get("", row.node) if form == "_" else row.node
        others = tuple(Name(twin) for argument, twin in row.twins.items() if argument)
        w(f'set_node("{name}", "{form}", {cls}{f", {literal(others)}" if others else ""})')


# the queries whose results are attributes of the node, as in PyTorch
SHOWN_QUERIES = {"sizes", "sizes_opt", "strides", "numel", "size", "dim", "storage_offset"}


def public_name(s: Saved) -> str:
    """Return PyTorch's name of a saved query: ``mat2_strides`` is ``mat2_sym_strides``."""
    if not s.query:
        return s.name
    name = re.sub(r"_(sizes(?:_opt)?|strides|numel)$", r"_sym_\1", s.name)
    name = re.sub(r"_size__(\d+)$", r"_sym_argsize_minus_\1", name)
    return re.sub(r"_size_(\d+)$", r"_sym_argsize_\1", name)


def emit_twins(w: Writer, row: Row) -> None:
    """Write the node subclasses for operators that are separate in PyTorch.

    These are operators with a number as operand, and some in-place forms.
    """
    for name in sorted(set(row.twins.values())):
        w()
        w()
        w("@cython.final")
        with w.block(f"cdef class {name}({row.node}):"):
            w("pass")


def emit_apply(w: Writer, row: Row, schemas: dict[str, Schema], recorded: bool) -> None:
    schema = row.schema
    c_type = "TensorBase" if recorded else "TensorImpl"
    method = "apply_recorded" if recorded else "apply"
    multiple = schema.returns_list or len(row.differentiable) > 1
    types = {s.name: s.kind for s in row.saved}
    types["grad"] = TENSOR
    for _, name in schema.returns:
        types[f"grad_{name}"] = TENSOR
    with w.block(f"cdef int {method}(node, Gradients g) except -1:"):
        with w.block("if no_gradient_arrived(g):" if multiple else "if g.in0 is None:"):
            w("return 0")
        if not recorded:
            with w.block("if g.recording:"):
                w("return node.apply_recorded(g)")
        if multiple:
            w("grads = g.ins if g.ins is not None else [g.in0]")
            if not schema.returns_list:
                for index, k in enumerate(row.differentiable):
                    w(f"cdef {c_type} grad_{schema.returns[k][1]} = <{c_type}>grads[{index}]")
        else:
            w(f"cdef {c_type} grad = <{c_type}>g.in0")
        for s in row.saved:
            if s.kind == TENSOR:
                w(f"cdef {c_type} {s.name} = {unpacked(row, s, recorded)}")
            elif s.source.startswith("save_list("):
                w(f"{s.name} = {'saved_list' if recorded else 'saved_impls'}(node, node.{s.slot})")
            else:
                w(f"{s.name} = node.{s.slot}")
        if row.list_edge is not None:
            formula = translate(row.formulas[row.list_edge.name], schemas, recorded, types)
            with w.block(f"for index, item in enumerate({formula}):"):
                w("g.set(index, item)")
        else:
            # in PyTorch's order, by name, which a mode of __torch_dispatch__ observes
            together = {name: group for group in row.groups for name in group}
            for name in sorted(row.formulas):
                group = together.get(name)
                if group is None:
                    formula = translate(row.formulas[name], schemas, recorded, types)
                    k = row.edge_of(name)
                    with w.block(f"if {wanted(k)}:"):
                        w(store(k, formula))
                elif name == min(group):
                    emit_group(w, row, group, schemas, recorded, types)
        w("return 0")


def store(k: int, value: str) -> str:
    """Return the statement that sets the gradient of edge k."""
    return f"g.out{k} = {value}" if k < 3 else f"g.set({k}, {value})"


def wanted(k: int) -> str:
    """Return the test whether the gradient for edge k is wanted."""
    return f"should_compute(node.edge{k}, g)" if k < 3 else f"should_compute_more(node, {k}, g)"


def unpacked(row: Row, s: Saved, recorded: bool) -> str:
    """Return the saved tensor; None if it is not saved."""
    unpack = "unpack_recorded" if recorded else "unpack"
    value = f"{unpack}(node, node.{s.slot}, node.version{s.number}, {s.edge})"
    test = guard_test(row, s)
    return f"{value} if {test} else None" if test else value


def emit_group(w: Writer, row: Row, group: list[str], schemas, recorded: bool, types) -> None:
    """Write one formula for several gradients; `output_mask` contains which are needed."""
    edges = [row.edge_of(name) for name in group]
    names = [f"want{k}" for k in edges]
    for k in edges:
        w(f"cdef bint want{k} = {wanted(k)}")
    w(f"output_mask = ({', '.join(names)},)")
    formula = translate(row.formulas[group[0]], schemas, recorded, types)
    with w.block(f"if {' or '.join(names)}:"):
        w(f"gradients = {formula}")
        for position, k in enumerate(edges):
            with w.block(f"if want{k}:"):
                w(store(k, f"gradients[{position}]"))
