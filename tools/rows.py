"""The rows of derivatives/, parsed: schemas, formulas, and what each node saves."""

import ast
import re
from dataclasses import dataclass, field
from pathlib import Path

from tools.formula import OTHER, QUERIES, SCALAR, TENSOR, kind_of, names_in
from tools.schema import Parameter, Schema, find_operators, parse_schema

KEYS = {"schema", "variants", "op", "node", "view", "numbers", "varargs", "aliases", "differentiable",
        "function_name", "namespace", "inplace_only", "forward", "twins", "inplace",
        "not_differentiable", "real_autograd", "real_part", "out_name", "not_implemented", "casts",
        "same_node_as", "saves", "forward_mode", "unshown", "tangent_in_place"}  # fmt: skip

# the node class of all operators that PyTorch does not differentiate
NOT_IMPLEMENTED = "NotImplemented"


@dataclass
class Saved:
    """A value that a node saves: a tensor, with its edge, or another value."""

    name: str  # its name in formulas
    slot: str  # "saved0", "arg1"
    kind: str  # TENSOR, SCALAR or OTHER
    source: str  # the expression that the recording wrapper stores
    edge: str = "NO_EDGE"
    users: list[str] = field(
        default_factory=list
    )  # differentiable arguments whose formulas read it
    query: str = ""  # the query of a tensor whose result it is: "sizes"
    integers: bool = False  # an argument that is an int or a list of ints

    @property
    def number(self) -> int:
        return int(re.sub(r"\D", "", self.slot))


@dataclass
class Row:
    """One operator."""

    name: str
    schema: Schema
    op: str
    op_module: str
    formulas: dict[str, str]  # argument -> formula
    variants: set[str]
    node: str
    view: bool
    groups: list[list[str]]  # arguments whose gradients one formula computes together
    numbers: set[str]
    varargs: str | None
    aliases: list[str]  # other public names
    differentiable: list[int]  # indices of the results that can require grad
    saved: list[Saved] = field(default_factory=list)
    public_name: str = ""
    namespace: str = ""
    forward: str | None = None  # an expression of other rows, where there is no operator of its own
    # names of nodes: when this argument is a number; in place, where the argument is ""
    twins: dict[str, str] = field(default_factory=dict)
    not_differentiable: list[str] = field(
        default_factory=list
    )  # arguments that must not require grad
    real_autograd: str = (
        ""  # the operator's name in the error for complex results that cannot be recorded
    )
    real_part: bool = True  # whether to take the real part of a complex gradient of a real argument
    out_name: str = ""  # the name of the form with out= in errors
    inplace_only: bool = False  # the operator modifies its first argument: fill_, copy_
    inplace: "Row | None" = None  # formulas and node of the in-place form, if they differ
    # the forms whose node raises in backward, since the derivative is not implemented
    not_implemented: set[str] = field(default_factory=set)
    same_node_as: str | None = None  # the row whose node class this one shares
    saves: dict[str, str] = field(
        default_factory=dict
    )  # tensor -> the arguments whose gradients need it
    unshown: list[str] = field(
        default_factory=list
    )  # saved values that are not attributes of the node
    tangents: dict[str, str] = field(default_factory=dict)  # result -> its forward-mode formula
    forward_mode: bool = True  # False: PyTorch has none for it
    tangent_in_place: bool = False  # in place, the operator also writes to the tangent
    casts: bool = False  # may cast to a dtype that cannot require grad

    @property
    def edges(self) -> list[Parameter]:
        """The arguments to which gradients flow, in order."""
        return [p for p in self.schema.parameters if p.name in self.formulas]

    @property
    def receiver(self) -> int:
        """The index of the parameter that is `self` of the method: 0 but for polygamma(n, x)."""
        return int([p.kind for p in self.schema.parameters[:2]] == ["int", "Tensor"])

    def own(self, method: bool) -> list[Parameter]:
        """Return the parameters that appear in a call; for a method, all but `self`."""
        every = self.schema.parameters
        return every[: self.receiver] + every[self.receiver + 1 :] if method else every

    def edge_of(self, name: str) -> int:
        return [p.name for p in self.edges].index(name)

    def guard_of(self, saved: "Saved") -> int | None:
        """Return the only edge that needs `saved`, or None if it is always saved.

        If the edge requires no gradient, the value is not saved. As in PyTorch, an input is guarded
        if there are several formulas and exactly one of them, which computes a single gradient,
        reads it.
        """
        together = [group for group in self.groups if set(group) & set(saved.users)]
        formulas = len(self.edges) - sum(len(group) - 1 for group in self.groups)
        if not saved.source or self.list_edge or formulas == 1 or together or len(saved.users) > 1:
            return None
        return self.edge_of(saved.users[0])

    @property
    def list_edge(self) -> Parameter | None:
        """The list argument to which gradients flow (cat); its tensors are the edges."""
        return next((p for p in self.edges if p.is_tensor_list), None)


def camel(name: str) -> str:
    """Convert a name: ``log_softmax`` -> ``LogSoftmax``."""
    return "".join(part[:1].upper() + part[1:] for part in name.strip("_").split("_"))


class _Queries(ast.NodeTransformer):
    """Replace ``self.sizes()`` by a name, so that only the sizes are saved."""

    def __init__(self, schema: Schema):
        self.inputs = {p.name for p in schema.parameters if p.is_tensor or p.is_tensor_list}
        self.found: dict[str, tuple[str, str, str]] = {}

    def visit_Call(self, node):
        self.generic_visit(node)
        function = node.func
        if not (
            isinstance(function, ast.Attribute)
            and isinstance(function.value, ast.Name)
            and function.value.id in self.inputs
            and function.attr in QUERIES
        ):
            return node
        owner, query = function.value.id, function.attr
        arguments = ", ".join(map(ast.unparse, node.args))
        name = re.sub(r"\W", "_", f"{owner}_{query}{'_' + arguments if arguments else ''}")
        answer, kind = QUERIES[query]
        extra = f", {arguments}" if arguments else ""
        asked = owner if query == "sizes_opt" else f"{owner}.impl"
        self.found[name] = (f"{answer}({asked}{extra})", kind, query)
        return ast.Name(name)


def _analyse(row: Row) -> None:
    """Find the values that the formulas read, and assign a slot to each."""
    schema = row.schema
    results = [name for _, name in schema.returns]
    used: dict[str, list[str]] = {}
    queries: dict[str, tuple[str, str, str]] = {}
    for argument, formula in row.formulas.items():
        rewriter = _Queries(schema)
        tree = rewriter.visit(ast.parse(formula, mode="eval"))
        row.formulas[argument] = ast.unparse(ast.fix_missing_locations(tree))
        queries.update(rewriter.found)
        for name in names_in(row.formulas[argument]):
            used.setdefault(name, []).append(argument)
    for key, readers in row.saves.items():
        rewriter = _Queries(schema)
        name = ast.unparse(rewriter.visit(ast.parse(key, mode="eval")))
        queries.update(rewriter.found)
        used.setdefault(name, []).extend(readers.split())
    tensors = arguments = 0
    # as in PyTorch, saved tensor hooks see inputs by name and then results by name
    order = [*sorted(p.name for p in schema.parameters), *sorted(results), *queries]
    for name in sorted((n for n in used if n in order), key=order.index):
        parameter = schema.parameter(name)
        if name in queries:
            source, kind, query = queries[name]
            item = Saved(name, f"arg{arguments}", kind, source, query=query)
        elif parameter is None:
            place = results.index(name)
            edge = "NO_EDGE" if schema.returns[0][0] != "Tensor[]" else ""
            if place in row.differentiable and edge:
                edge = f"OUTPUT - {row.differentiable.index(place)}"
            item = Saved(name, f"saved{tensors}", TENSOR, "", edge)
        elif parameter.is_tensor:
            edge = str(row.edge_of(name)) if name in row.formulas else "NO_EDGE"
            item = Saved(name, f"saved{tensors}", TENSOR, name, edge)
        elif parameter.is_tensor_list:
            item = Saved(name, f"arg{arguments}", OTHER, f"save_list(node, {name})")
        else:
            item = Saved(name, f"arg{arguments}", kind_of(parameter.kind), name)
            item.integers = re.fullmatch(r"int(\[\d*\])?\??", parameter.kind) is not None
        item.users = used[name]
        if item.kind == TENSOR:
            tensors += 1
        else:
            arguments += 1
        row.saved.append(item)


def _row(name: str, entry: dict, operators: dict[str, list[str]]) -> Row:
    schema = parse_schema(entry["schema"])
    if schema.name != name:
        raise ValueError(f"row [{name}] has the schema of {schema.name!r}")
    names = {p.name for p in schema.parameters}
    formulas, groups = {}, []
    for key, value in entry.items():
        together = [part.strip() for part in key.split(",")]
        if set(together) <= names:
            formulas.update(dict.fromkeys(together, value))
            if len(together) > 1:
                groups.append(together)
    results = {name for _, name in schema.returns}
    tangents, together_known = {}, {", ".join(group) for group in groups}
    for key, value in entry.items():
        together = key.split(", ")
        if set(together) <= results - names:
            tangents.update(dict.fromkeys(together, value))
            together_known.add(key)
    unknown = set(entry) - names - KEYS - together_known
    if unknown:
        raise ValueError(f"row [{name}]: unknown keys {sorted(unknown)}")
    if "forward" in entry and (formulas or tangents):
        ignored = sorted(formulas | tangents)
        raise ValueError(
            f"row [{name}]: the operators in `forward` bring their derivatives; remove {ignored}"
        )
    op = entry.get("op", name)
    module, _, function = op.rpartition(".")
    if not module and "forward" not in entry:
        modules = operators.get(function, [])
        if len(modules) != 1:
            raise ValueError(
                f"row [{name}]: operator {function!r} stands in {modules or 'no module'}"
            )
        module = modules[0]
    names_of_results = [n for _, n in schema.returns]
    row = Row(
        name=name,
        schema=schema,
        op=function,
        op_module=module,
        formulas=formulas,
        variants=set(entry.get("variants", "").split()),
        node=entry.get("node", camel(entry.get("function_name", name)) + "Backward0"),
        view=entry.get("view", False),
        groups=groups,
        numbers=set(entry.get("numbers", "").split()),
        varargs=entry.get("varargs"),
        aliases=entry.get("aliases", "").split(),
        differentiable=sorted(map(names_of_results.index, entry.get("differentiable", names_of_results[:1]))),
        public_name=entry.get("function_name", name),
        namespace=entry.get("namespace", ""),
        inplace_only=entry.get("inplace_only", False),
        twins=entry.get("twins", {}),
        forward=entry.get("forward"),
        not_differentiable=entry.get("not_differentiable", "").split(),
        real_autograd=entry.get("real_autograd", ""),
        real_part=entry.get("real_part", True),
        out_name=entry.get("out_name", ""),
        not_implemented=set(entry.get("not_implemented", "").split()),
        forward_mode=entry.get("forward_mode", True),
        tangent_in_place=entry.get("tangent_in_place", False),
        casts=entry.get("casts", False),
        same_node_as=entry.get("same_node_as"),
        saves=entry.get("saves", {}),
        unshown=entry.get("unshown", "").split(),
        tangents=tangents,
    )  # fmt: skip
    if "function" in row.not_implemented:
        row.node = NOT_IMPLEMENTED
        row.formulas = {p.name: "grad" for p in schema.parameters if p.is_tensor}
    _analyse(row)
    if "inplace" in entry:
        shared = {k: v for k, v in entry.items() if k in ("schema", "op", "numbers")}
        name_of_node = {"function_name": row.public_name}
        row.inplace = _row(name, {**shared, **name_of_node, **entry["inplace"]}, operators)
    return row


def load_rows(table: dict, formulas: Path, ops: Path):
    """Return all rows, and the functions of formulas/ as (schema, syntax tree) pairs."""
    operators = find_operators(ops)
    rows = [_row(name, entry, operators) for name, entry in table.items()]
    functions = []
    for file in sorted(formulas.glob("*.py")):
        for node in ast.parse(file.read_text()).body:
            if isinstance(node, ast.FunctionDef):
                parameters = ", ".join(
                    f"{_annotation(a.annotation)} {a.arg}" for a in node.args.args
                )
                functions.append(
                    (
                        parse_schema(f"{node.name}({parameters}) -> {_annotation(node.returns)}"),
                        node,
                    )
                )
    return rows, functions


def _annotation(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) else ast.unparse(node)


__all__ = ["NOT_IMPLEMENTED", "OTHER", "SCALAR", "TENSOR", "Row", "Saved", "load_rows"]
