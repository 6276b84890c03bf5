"""Translation of formulas to TensorImpls and, for create_graph, to Tensors.

A formula is an expression, or a function in formulas/, in restricted Python over the names of
operators: ``grad * other.conj()`` becomes ``ops_mul(grad, ops_conj(other))`` and, recorded,
``r_mul(grad, r_conj(other))``. The schemas determine which values are tensors and which are
numbers.

On Tensors, a formula checks at run time whether it is recorded and whether a mode or subclass
intercepts its operators (`ON_IMPLS`). On TensorImpls, these checks are constants.
"""

import ast

from tools.schema import SCALARS, Schema

TENSOR, SCALAR, OTHER = "tensor", "scalar", "other"
TENSORS = "tensors"  # the results of an operator that returns several

BINARY = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div", ast.Pow: "pow",
    ast.BitAnd: "logical_and", ast.BitOr: "logical_or", ast.MatMult: "matmul",
}  # fmt: skip
# recorded operators that dispatch to PyTorch's overload for numbers, with the node of that overload
WITH_NUMBER = {
    ast.Add: "_add_scalar", ast.Sub: "_sub_scalar", ast.Mult: "_mul_scalar", ast.Div: "_div_scalar",
}  # fmt: skip
# recorded operators that also exist with their tensors in reversed order -> number of these tensors
LAST_FIRST = {"r_mul": 2, "r_add": 2, "r_sub": 2, "r_div": 2, "r_where": 3}
COMPARE = {
    ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge",
}  # fmt: skip
# queries of a tensor that its TensorImpl answers: method -> (function, type of the result)
QUERIES = {
    "sizes": ("sizes_tuple", OTHER),
    "sizes_opt": ("sizes_or_none", OTHER),  # of a tensor that may be None
    "strides": ("strides_tuple", OTHER),
    "storage_offset": ("offset_of", SCALAR),
    "dim": ("ndim", SCALAR),
    "size": ("size_of", SCALAR),
    "numel": ("numel", SCALAR),
    "scalar_type": ("dtype_code", SCALAR),
    "is_complex": ("complex_impl", OTHER),
    "is_conj": ("conj_impl", OTHER),
    "is_in_format": ("is_in_format", OTHER),
    "is_inexact": ("inexact_impl", OTHER),
    "suggest_memory_format": ("suggest_memory_format", SCALAR),
    "item": ("item_of", SCALAR),
    "zero_count": ("zero_count", SCALAR),
    "epsilon": ("epsilon", SCALAR),
    "is_plain": ("is_plain", OTHER),
    "is_number": ("is_number", OTHER),  # that a program gave for a tensor
    "is_fusable": ("is_fusable", OTHER),
}

# queries that only a formula on Tensors makes at run time: whether its operators are recorded or
# intercepted. In an ordinary backward the answers are constants.
ON_IMPLS = {
    "records": False, "unseen": True, "computed_by_python": False, "is_transformed": False, "is_sample": False,
    "tell_of": None,
}  # fmt: skip


def kind_of(parameter_kind: str) -> str:
    """Return TENSOR, SCALAR or OTHER for a kind in a schema."""
    if parameter_kind in ("Tensor", "Tensor?"):
        return TENSOR
    return SCALAR if parameter_kind in SCALARS else OTHER


class Translator(ast.NodeTransformer):
    """Rewrite one formula for one of the two modes."""

    def __init__(self, schemas: dict[str, Schema], recorded: bool, types: dict[str, str]):
        self.schemas = schemas
        self.recorded = recorded
        self.types = dict(types)
        self.called: set[str] = set()

    # -- types

    def type_of(self, node: ast.expr) -> str:
        if isinstance(node, ast.Name):
            return self.types.get(node.id, OTHER)
        if isinstance(node, ast.Constant):
            return SCALAR if isinstance(node.value, (int, float, complex)) else OTHER
        if isinstance(node, ast.BinOp):
            kinds = (self.type_of(node.left), self.type_of(node.right))
            return TENSOR if TENSOR in kinds else OTHER if OTHER in kinds else SCALAR
        if isinstance(node, ast.UnaryOp):
            return OTHER if isinstance(node.op, ast.Not) else self.type_of(node.operand)
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            return TENSOR if TENSOR in map(self.type_of, sides) else OTHER
        if isinstance(node, ast.IfExp):
            return self.type_of(node.body)
        if isinstance(node, ast.Subscript):
            single = not isinstance(node.slice, ast.Slice)
            return TENSOR if single and self.type_of(node.value) == TENSORS else OTHER
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute):
                name = node.func.attr
                if name in QUERIES and self.type_of(node.func.value) == TENSOR:
                    return QUERIES[name][1]
                if name == "conj" and self.type_of(node.func.value) == SCALAR:
                    return SCALAR
            else:
                name = node.func.id
            if name in ("zero_of", "zeros_for", "known_zeros"):
                return TENSOR
            if name in self.schemas:
                returns = self.schemas[name].returns
                return kind_of(returns[0][0]) if len(returns) == 1 else TENSORS
            return SCALAR if name in ("len", "int", "float", "float32_of", "log_of") else OTHER
        return OTHER

    # -- calls

    def call(self, name: str, arguments: list[ast.expr], keywords=()) -> ast.expr:
        """Return a call of the operator `name` in this mode, with all arguments by position."""
        schema = self.schemas[name]
        self.called.add(name)
        given: list[ast.expr | None] = [*arguments]
        given += [None] * (len(schema.parameters) - len(given))
        for keyword in keywords:
            index = [p.name for p in schema.parameters].index(keyword.arg)
            given[index] = keyword.value
        final = []
        for parameter, value in zip(schema.parameters, given, strict=True):
            if value is None:
                if parameter.default is None:
                    raise ValueError(f"{name}: argument {parameter.name!r} is missing in a formula")
                final.append(ast.parse(default_source(parameter), mode="eval").body)
                continue
            kind = self.type_of(value)
            value = self.visit(value)
            if parameter.is_tensor and kind == SCALAR:
                value = self.number(value)
            final.append(value)
        prefix = "r_" if self.recorded else "ops_"
        return ast.Call(ast.Name(prefix + name), final, [])

    def number(self, value: ast.expr) -> ast.expr:
        wrapped = ast.Call(ast.Name("wrap_number"), [value], [])
        return ast.Call(ast.Name("make_tensor"), [wrapped], []) if self.recorded else wrapped

    def last_first(self, call: ast.expr) -> ast.expr:
        """Return a call that evaluates its last argument first.

        PyTorch's compilers do so, and modes observe the order.
        """
        wanted = call.func.id in LAST_FIRST and len(call.args) >= LAST_FIRST[call.func.id]
        busy = [a for a in call.args if any(isinstance(n, ast.Call) for n in ast.walk(a))]
        if not self.recorded or not wanted or len(busy) < 2:
            return call
        given = call.args[: LAST_FIRST[call.func.id]]
        return ast.Call(ast.Name(f"last_first_{call.func.id[2:]}"), given[::-1], [])

    # -- what is rewritten

    def visit_BinOp(self, node):
        if TENSOR not in (self.type_of(node.left), self.type_of(node.right)):
            return self.generic_visit(node)
        left, right = node.left, node.right
        if self.type_of(left) == SCALAR and isinstance(node.op, (ast.Add, ast.Mult)):
            left, right = right, left
        if self.recorded and self.type_of(right) == SCALAR and type(node.op) in WITH_NUMBER:
            return self.call(WITH_NUMBER[type(node.op)], [left, right])
        name = BINARY[type(node.op)]
        if name == "pow" and self.type_of(node.right) != TENSOR and "pow_scalar" in self.schemas:
            name = "pow_scalar"
        return self.last_first(self.call(name, [left, right]))

    def visit_UnaryOp(self, node):
        if isinstance(node.op, ast.USub) and self.type_of(node.operand) == TENSOR:
            return self.call("neg", [node.operand])
        if isinstance(node.op, ast.Invert):
            return self.call("logical_not", [node.operand])
        return self.generic_visit(node)

    def visit_Compare(self, node):
        if self.type_of(node) != TENSOR or isinstance(node.ops[0], (ast.Is, ast.IsNot)):
            return self.generic_visit(node)
        return self.call(COMPARE[type(node.ops[0])], [node.left, *node.comparators])

    def visit_Call(self, node):
        if isinstance(node.func, ast.Attribute):
            owner, name = node.func.value, node.func.attr
            kind = self.type_of(owner)
            if kind == TENSOR and name in QUERIES:
                value = self.visit(owner)
                if self.recorded:
                    value = ast.Call(ast.Name("impl_or_none"), [value], [])
                return ast.Call(
                    ast.Name(QUERIES[name][0]), [value, *map(self.visit, node.args)], []
                )
            if kind == SCALAR and name == "conj":
                return ast.Call(ast.Name("number_conj"), [self.visit(owner)], [])
            if name == "conj" and not self.recorded:
                name = "conj_physical"  # an impl has its elements as they are
            if name in self.schemas:
                return self.call(name, [owner, *node.args], node.keywords)
            return self.generic_visit(node)
        if node.func.id in ON_IMPLS and not self.recorded:
            return ast.Constant(ON_IMPLS[node.func.id])
        if node.func.id == "unseen" and len(node.args) > 1:
            return ast.BoolOp(ast.And(), [ast.Call(node.func, [t], []) for t in node.args])
        if node.func.id == "given":
            return self.visit(node.args[0])
        if node.func.id == "zero_of" and not self.recorded:
            return self.number(node.args[1] if len(node.args) > 1 else ast.Constant(0))
        if node.func.id == "known_zeros" and not self.recorded:
            return ast.Call(ast.Name("known_zeros_of_impl"), [*map(self.visit, node.args)], [])
        if node.func.id == "zeros_for" and not self.recorded:
            whole, sizes = node.args[:2]
            dtype = ast.Call(ast.Attribute(whole, "scalar_type"), [], [])
            return self.call("zeros", [sizes, dtype])
        if node.func.id in self.schemas:
            call = self.call(node.func.id, node.args, node.keywords)
            return self.last_first(call) if node.func.id == "where" else call
        return self.generic_visit(node)

    def visit_Assign(self, node):
        target = node.targets[0]
        kind = self.type_of(node.value)
        node = self.generic_visit(node)
        if isinstance(target, ast.Name):
            self.types.setdefault(target.id, kind)
        elif isinstance(target, ast.Tuple) and kind == TENSORS:
            for item in target.elts:
                self.types.setdefault(item.id, TENSOR)
        return node

    def visit_AugAssign(self, node):
        return self.visit(
            ast.Assign([node.target], ast.BinOp(ast.Name(node.target.id), node.op, node.value))
        )


def default_source(parameter) -> str:
    """Return the default of a parameter as C-level source."""
    default = parameter.default
    if parameter.kind == "ScalarType?" and default == "None":
        return "NoType"
    if parameter.kind.startswith("int[]") and default.startswith("["):
        inner = default[1:-1].strip()
        return f"({inner},)" if inner else "()"
    if parameter.kind == "int[]" and default.lstrip("-").isdigit():
        return "(" + f"{default}, " * max(parameter.length, 1) + ")"
    return default


def names_in(formula: str) -> set[str]:
    """Return every name that a formula reads."""
    return {n.id for n in ast.walk(ast.parse(formula, mode="eval")) if isinstance(n, ast.Name)}


def translate(formula: str, schemas, recorded: bool, types) -> str:
    """Return one expression translated to one mode, as source."""
    translator = Translator(schemas, recorded, types)
    tree = translator.visit(ast.parse(formula, mode="eval"))
    return ast.unparse(ast.fix_missing_locations(tree))
