"""Write the node classes: saved values, and the formulas as ``apply``."""

import contextlib
import re

from tools.formula import TENSOR, translate
from tools.rows import NOT_IMPLEMENTED, Row, Saved
from tools.schema import Schema
from tools.writer import Writer


def guard(w: Writer, row: Row, s: Saved, *others: str):
    """Return the block that runs only if `s` is saved.

    It does not depend on whether this backward needs the gradient of `s`: as in PyTorch, a saved
    tensor that was modified in place is always an error.
    """
    k = row.guard_of(s)
    edge = [] if k is None else [f"node.edge{k} is not None" if k < 3 else f"has_edge(node, {k})"]
    conditions = [*others, *edge]
    return w.block(f"if {' and '.join(conditions)}:") if conditions else contextlib.nullcontext()


def has_own_class(row: Row) -> bool:
    return bool(row.formulas) and row.node != NOT_IMPLEMENTED and not row.same_node_as


def emit_class(w: Writer, row: Row, schemas: dict[str, Schema]) -> None:
    extra = [s for s in row.saved if s.number > 2]
    w()
    w()
    if not row.twins:
        w("@cython.final")
    if extra:
        w("@cython.trashcan(True)")
    with w.block(f"cdef class {row.node}(Node):"):
        if not row.real_part:
            w("_real_part = False")
            w()
        for s in extra:
            if s.kind == TENSOR:
                w(f"cdef TensorImpl {s.slot}")
                w(f"cdef unsigned int version{s.number}")
            else:
                w(f"cdef object {s.slot}")
        if extra:
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
        tensors = [s for s in extra if s.kind == TENSOR]
        lists = [s for s in row.saved if s.source.startswith("save_list(")]
        if tensors or lists:
            w()
            with w.block("cdef int release_variables(node) except -1:"):
                for s in [*tensors, *lists]:
                    w(f"node.{s.slot} = None")
                w("return Node.release_variables(node)")
        if tensors:
            emit_extra_slots(w, tensors)
        for s in row.saved:
            if s.name not in row.twins or s.kind == TENSOR:
                emit_attribute(w, row, s)


def emit_attribute(w: Writer, row: Row, s: Saved) -> None:
    """Write an attribute such as ``_saved_self``, if PyTorch's node has it."""
    name = public_name(s)
    if s.query and s.query not in SHOWN_QUERIES or name in row.unshown:
        return
    w()
    w("@property")
    with w.block(f"def _saved_{name}(self):"):
        if s.kind == TENSOR:
            w(f"return unpack_recorded(self, self.{s.slot}, self.version{s.number}, {s.edge})")
        elif s.source.startswith("save_list("):
            w(f"return tuple(saved_list(self, self.{s.slot}))")
        elif s.integers:
            w(f"return unsigned(self.{s.slot})")
        elif s.query == "sizes_opt":
            w(f"return (0,) if self.{s.slot} is None else self.{s.slot}")
        else:
            w(f"return self.{s.slot}")


# the queries whose results are attributes of the node, as in PyTorch
SHOWN_QUERIES = {"sizes", "sizes_opt", "strides", "numel", "size", "dim", "storage_offset"}


def public_name(s: Saved) -> str:
    """Return PyTorch's name of a saved query: ``mat2_strides`` is ``mat2_sym_strides``."""
    if not s.query:
        return s.name
    name = re.sub(r"_(sizes(?:_opt)?|strides|numel)$", r"_sym_\1", s.name)
    name = re.sub(r"_size__(\d+)$", r"_sym_argsize_minus_\1", name)
    return re.sub(r"_size_(\d+)$", r"_sym_argsize_\1", name)


def emit_extra_slots(w: Writer, tensors: list[Saved]) -> None:
    """Write the access to saved tensors beyond the three slots of `Node`."""
    w()
    with w.block("cdef TensorImpl get_saved(self, int slot, unsigned int* version):"):
        for s in tensors:
            with w.block(f"if slot == {s.number}:"):
                w(f"version[0] = self.version{s.number}")
                w(f"return self.{s.slot}")
        w("return Node.get_saved(self, slot, version)")
    w()
    with w.block(
        "cdef int put_saved(self, int slot, TensorImpl saved, unsigned int version) except -1:"
    ):
        for s in tensors:
            with w.block(f"if slot == {s.number}:"):
                w(f"self.{s.slot} = saved")
                w(f"self.version{s.number} = version")
                w("return 0")
        w("return Node.put_saved(self, slot, saved, version)")


def emit_saved_tables(w: Writer, rows: list[Row]) -> None:
    """Write the table for saved tensor hooks: saved tensors of each class and their slots."""
    with w.block("_register_saved_tables({"):
        for row in rows:
            if has_own_class(row):
                entries = "".join(
                    f'("{s.name}", {s.number}, {s.edge}), '
                    if s.kind == TENSOR
                    else f'("{s.name}", 0, IN_LIST - {s.slot.removeprefix("arg")}), '
                    for s in row.saved
                    if s.kind == TENSOR or s.source.startswith("save_list(")
                )
                if entries:
                    w(f"{row.node}: ({entries}),")
    w("})")
    views = [row.node for row in rows if row.view and has_own_class(row)]
    w(f"_register_view_nodes(({', '.join(views)}))")


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
            # what chose this class says nothing in the other
            for s in row.saved:
                if row.twins.get(s.name) == name and s.kind != TENSOR:
                    emit_attribute(w, row, s)


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
        if row.list_edge is None:
            for k, _ in enumerate(row.edges):
                if k < 3:
                    w(f"cdef bint want{k} = should_compute(node.edge{k}, g)")
                else:
                    w(f"cdef bint want{k} = should_compute_more(node, {k}, g)")
        for s in row.saved:
            if s.kind == TENSOR:
                w(f"cdef {c_type} {s.name} = None")
        for s in row.saved:
            if s.kind == TENSOR:
                unpack = "unpack_recorded" if recorded else "unpack"
                with guard(w, row, s):
                    w(f"{s.name} = {unpack}(node, node.{s.slot}, node.version{s.number}, {s.edge})")
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
                    with w.block(f"if want{k}:"):
                        w(store(k, formula))
                elif name == min(group):
                    emit_group(w, row, group, schemas, recorded, types)
        w("return 0")


def store(k: int, value: str) -> str:
    """Return the statement that sets the gradient of edge k."""
    return f"g.out{k} = {value}" if k < 3 else f"g.set({k}, {value})"


def emit_group(w: Writer, row: Row, group: list[str], schemas, recorded: bool, types) -> None:
    """Write one formula for several gradients; `output_mask` contains which are needed."""
    edges = [row.edge_of(name) for name in group]
    wanted = [f"want{k}" for k in edges]
    w(f"output_mask = ({', '.join(wanted)},)")
    formula = translate(row.formulas[group[0]], schemas, recorded, types)
    with w.block(f"if {' or '.join(wanted)}:"):
        w(f"gradients = {formula}")
        for position, k in enumerate(edges):
            with w.block(f"if want{k}:"):
                w(store(k, f"gradients[{position}]"))
