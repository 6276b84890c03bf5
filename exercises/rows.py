"""Run an operator of the library with a derivative that was written a moment ago.

A row gives, for each argument that can be differentiated, a formula in the language of
``minitorch/autograd/derivatives/``: an expression of ``grad``, the arguments and ``result``. `plug`
puts rows in the place of the library's own derivatives, so that every call of the operator, as a
function, a method or by its sign, records what the row says.
"""

import ast
import contextlib
import inspect

import minitorch as torch

FUNCTIONS = """abs acos asin atan cos cosh exp log maximum minimum neg ones_like reciprocal rsqrt
sigmoid sign sin sinh sqrt square tan tanh where zeros_like""".split()
METHODS = [
    *FUNCTIONS,
    *"conj expand expand_as matmul mm mT reshape sum t transpose unsqueeze".split(),
]
NODES = (
    ast.Expression, ast.BinOp, ast.UnaryOp, ast.Compare, ast.Call, ast.Attribute, ast.Name,
    ast.Load, ast.Constant, ast.keyword, ast.Tuple, ast.operator, ast.unaryop, ast.cmpop,
)  # fmt: skip

torch.ops.aten.sub.Tensor  # noqa: B018 (the schemas are parsed now, and not after each fork)


class RowError(Exception):
    """A row is not written in the language of formulas."""


def compile_formula(text, arguments):
    """Return the code of a formula and the set of the arguments that it uses.

    Raises
    ------
    RowError
        If it is no expression, or uses a name that it may not use.
    """
    if not isinstance(text, str):
        raise RowError(f"a formula is a string, not {text!r}")
    try:
        tree = ast.parse(text, mode="eval")
    except SyntaxError as error:
        raise RowError(f"{text!r} is no expression: {error.msg}") from None
    used = set()
    for node in ast.walk(tree):
        if not isinstance(node, NODES):
            raise RowError(f"{text!r}: a formula has no {type(node).__name__}")
        if isinstance(node, ast.Attribute) and node.attr not in METHODS:
            raise RowError(f"{text!r}: a formula cannot use .{node.attr}")
        if isinstance(node, ast.Name):
            if node.id == "torch":
                raise RowError(f"{text!r}: write exp(x), not torch.exp(x)")
            if node.id in arguments:
                used.add(node.id)
            elif node.id != "grad" and node.id not in FUNCTIONS:
                raise RowError(f"{text!r}: there is no {node.id}")
    return compile(tree, text, "eval"), used


def make_function(signature, formulas, forward):
    """Return a `Function` with the derivatives of a row.

    Parameters
    ----------
    signature : str
        The arguments, such as ``"self, other, *, alpha=1"``.
    formulas : dict of str to str
        For each argument that can be differentiated.
    forward : callable
        Computes the result, without a graph.
    """
    header = inspect.signature(eval(f"lambda {signature}: None"))
    names = list(header.parameters)
    if not isinstance(formulas, dict):
        raise RowError(f"a row is a dict with formulas, not {formulas!r:.50}")
    wanted = {name for name, part in header.parameters.items() if part.kind != part.KEYWORD_ONLY}
    if unknown := set(formulas) - wanted:
        raise RowError(f"a row has no formula for {', '.join(sorted(map(str, unknown)))}")
    if missing := wanted - set(formulas):
        raise RowError(f"the row lacks a formula for {', '.join(sorted(missing))}")
    compiled = {name: compile_formula(text, [*names, "result"]) for name, text in formulas.items()}
    used = set().union(*(names for _, names in compiled.values()))
    functions = {name: getattr(torch, name) for name in FUNCTIONS}

    class Row(torch.autograd.Function):
        @staticmethod
        def forward(ctx, *values):
            arguments = dict(zip(names, values, strict=True))
            bound = inspect.BoundArguments(header, arguments)
            result = forward(*bound.args, **bound.kwargs)
            known = {**arguments, "result": result}
            ctx.kept = [name for name in used if isinstance(known[name], torch.Tensor)]
            ctx.others = {name: known[name] for name in used if name not in ctx.kept}
            ctx.save_for_backward(*[known[name] for name in ctx.kept])
            return result

        @staticmethod
        def backward(ctx, grad):
            known = dict(zip(ctx.kept, ctx.saved_tensors, strict=True))
            scope = {"__builtins__": {}, **ctx.others, **functions, **known, "grad": grad}
            return tuple(
                eval(compiled[name][0], scope) if needed and name in compiled else None
                for name, needed in zip(names, ctx.needs_input_grad, strict=True)
            )

    def call(*arguments, **keywords):
        bound = header.bind(*arguments, **keywords)
        bound.apply_defaults()
        return Row.apply(*bound.arguments.values())

    return call


@contextlib.contextmanager
def plug(rows):
    """Use rows in the place of the library's derivatives, inside a ``with`` block.

    Parameters
    ----------
    rows : dict of str to (str, callable)
        For each overload, such as ``"sub.Tensor"``: its arguments, and a function without arguments
        that returns the formulas.
    """
    library = torch.library.Library("aten", "IMPL")
    for overload, (signature, written) in rows.items():
        library.impl(overload, _lazily(overload, signature, written), "Autograd")
    try:
        yield
    finally:
        library._destroy()


def _below(overload):
    operator = torch.ops.aten
    for part in overload.split("."):
        operator = getattr(operator, part)
    if "." not in overload:
        operator = operator.default

    def forward(*arguments, **keywords):
        with torch._C._AutoDispatchBelowAutograd():
            return operator(*arguments, **keywords)

    return forward


def _lazily(overload, signature, written):
    # a row that is not written yet fails when it is used, so that the others can be tried
    made = []

    def call(*arguments, **keywords):
        if not made:
            try:
                made.append(make_function(signature, written(), _below(overload)))
            except RowError as error:
                raise RowError(f"{overload.partition('.')[0]}: {error}") from None
        return made[0](*arguments, **keywords)

    return call


def poison(overloads):
    """Take the library's own derivatives of operators away, until the process ends."""
    library = torch.library.Library("aten", "IMPL")

    def refuse(overload, forward):
        def call(*arguments, **keywords):
            values = [*arguments, *keywords.values()]
            if torch.is_grad_enabled() and any(
                isinstance(t, torch.Tensor) and t.requires_grad for t in values
            ):
                raise RuntimeError(f"{overload} has no derivative here")
            with torch._C._AutoDispatchBelowAutograd():
                return forward(*arguments, **keywords)

        return call

    for overload in overloads:
        operator = torch.ops.aten
        for part in [*overload.split("."), "default"][:2]:
            operator = getattr(operator, part)
        library.impl(overload, refuse(overload, operator), "Autograd")
    library._destroy = lambda: None
    _poisoned.append(library)


_poisoned = []
