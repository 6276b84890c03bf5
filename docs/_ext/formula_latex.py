"""Translation of formulas of derivatives to LaTeX, where that is possible without loss.

A formula is an expression of Python over the operators' names, such as ``grad * other.conj()``. What has no usual
notation, an operator that selects, reshapes or calls a loop of its own, raises `Untranslatable`: the page then shows
the text of the formula alone.
"""

import ast
import math


class Untranslatable(Exception):
    """There is no usual notation for a part of a formula."""


SUM, PRODUCT, POWER, ATOM = 1, 2, 3, 4

SYMBOLS = {
    "self": "x", "input": "x", "result": "y", "grad": "g", "other": "z", "exponent": "p", "alpha": r"\alpha",
    "beta": r"\beta", "value": "v", "weight": "w", "bias": "b", "n": "n", "p": "p", "lambd": r"\lambda",
    "tensor1": "t_{1}", "tensor2": "t_{2}", "end": "e", "mat2": "B", "mat1": "A", "vec": "v", "vec1": "v_{1}",
    "vec2": "v_{2}", "batch1": "A", "batch2": "B", "grad_output": "h", "x": "x", "y": "y", "A": "A",
    "negative_slope": "a", "scale": "s", "threshold": "t", "tensor": "z", "mat": "A", "source": "s", "src": "s",
}  # fmt: skip
# numbers that a formula writes out
CONSTANTS = {
    1 / math.sqrt(2 * math.pi): r"\frac{1}{\sqrt{2 \pi}}", 2 / math.sqrt(math.pi): r"\frac{2}{\sqrt{\pi}}",
    -2 / math.sqrt(math.pi): r"-\frac{2}{\sqrt{\pi}}", math.sqrt(math.pi) / 2: r"\frac{\sqrt{\pi}}{2}",
    math.pi: r"\pi", math.log(2): r"\ln 2", math.log(10): r"\ln 10", 1 / math.log(2): r"\frac{1}{\ln 2}",
    1 / math.log(10): r"\frac{1}{\ln 10}", math.pi / 180: r"\frac{\pi}{180}", 180 / math.pi: r"\frac{180}{\pi}",
}  # fmt: skip
# functions with a name in mathematics
FUNCTIONS = {
    "sin": r"\sin", "cos": r"\cos", "tan": r"\tan", "sinh": r"\sinh", "cosh": r"\cosh", "tanh": r"\tanh",
    "log": r"\ln", "sgn": r"\mathrm{sgn}", "sign": r"\mathrm{sgn}", "sigmoid": r"\sigma", "digamma": r"\psi",
    "erf": r"\mathrm{erf}", "erfinv": r"\mathrm{erf}^{-1}", "erfcx": r"\mathrm{erfcx}", "imag": r"\mathrm{Im}",
    "real": r"\mathrm{Re}", "special_i1": "I_{1}", "i0": "I_{0}", "special_i1e": r"\mathrm{i1e}",
    "lgamma": r"\ln \Gamma", "atan": r"\arctan", "asin": r"\arcsin", "acos": r"\arccos",
}  # fmt: skip
# loops of their own that stand for a formula: their parameters, and the formula
MACROS = {
    "tanh_backward": ("g r", "g * (1 - r ** 2).conj()"),
    "sigmoid_backward": ("g r", "g * (r * (1 - r)).conj()"),
    "threshold_backward": ("g x t", "where(x > t, g, zero_of(g))"),
    "leaky_relu_backward": ("g x s", "where(x > 0, g, g * s)"),
    "silu_gradient": ("g x", "g * sigmoid(x) * (1 + x * (1 - sigmoid(x)))"),
    "softplus_backward": ("g x b t", "where(b * x > t, g, g * sigmoid(b * x))"),
    "log_sigmoid_backward": ("g x", "g * sigmoid(-x)"),
    "hardsigmoid_backward": ("g x", "where((x > -3) & (x < 3), g / 6, zero_of(g))"),
    "hardshrink_backward": ("g x l", "where((x < -l) | (x > l), g, zero_of(g))"),
    "softshrink_backward": ("g x l", "where((x < -l) | (x > l), g, zero_of(g))"),
    "hardtanh_backward": ("g x a b", "where((x > a) & (x < b), g, zero_of(g))"),
    "pow_backward": ("g x p", "g * (p * x ** (p - 1)).conj()"),
    "pow_backward_self": ("g x p", "g * (p * x ** (p - 1)).conj()"),
    "pow_backward_exponent": ("g x p r", "g * (r * log(x)).conj()"),
    "div_backward_self": ("g z", "g / z.conj()"),
    "div_backward_other": ("g x z", "-g * (x / z ** 2).conj()"),
    "mm_mat1_grad": ("g B sizes strides a", "maybe_multiply(matmul(g, t(B).conj()), a.conj())"),
    "mm_mat2_grad": ("g A sizes strides a", "maybe_multiply(matmul(t(A).conj(), g), a.conj())"),
}  # fmt: skip
COMPARISONS = {
    ast.Eq: "=", ast.NotEq: r"\neq", ast.Lt: "<", ast.LtE: r"\leq", ast.Gt: ">", ast.GtE: r"\geq",
}  # fmt: skip


def latex(formula: str) -> str:
    """Return a formula in LaTeX.

    Raises
    ------
    Untranslatable

    Examples
    --------
    >>> latex("grad * other.conj()")
    'g \\\\, z^{*}'
    """
    return _render(ast.parse(formula, mode="eval").body)[0]


def symbol(name: str) -> str:
    """Return the symbol of an argument; the gradient of a result `a` is written like that of `grad`."""
    if name in SYMBOLS:
        return SYMBOLS[name]
    if name.startswith("grad_"):
        return "g_{" + symbol(name.removeprefix("grad_")) + "}"
    if len(name) == 1 and name.isalpha():
        return name
    return r"\text{" + name + "}"


def _render(node: ast.expr) -> tuple[str, int]:
    """Return the LaTeX of an expression, and how tightly its outermost sign binds."""
    negative, text, level = _signed(node)
    return ("-" + text, SUM) if negative else (text, level)


def _signed(node: ast.expr) -> tuple[bool, str, int]:
    """Return whether an expression has a minus in front, the LaTeX behind it, and how tightly it binds."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        negative, text, level = _signed(node.operand)
        return (
            not negative,
            text if level >= PRODUCT else rf"\left( {text} \right)",
            max(level, PRODUCT),
        )
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        return _product(node.left, node.right)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        negative, text, _ = _signed(node.left)
        return negative, rf"\frac{{{text}}}{{{_in(node.right, SUM)}}}", POWER
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        text, level = _number(abs(node.value))
        return node.value < 0, text, level
    if isinstance(node, ast.Call):
        name, given = _name_of(node)
        if name in MACROS:
            return _signed(_expanded(name, given))
        if name in ("mul", "maybe_multiply", "multiplied", "_mul_scalar") and len(given) == 2:
            return _product(*given)
        if name in ("neg", "negated") and len(given) == 1:
            return _signed(ast.UnaryOp(ast.USub(), given[0]))
        if name in ("div", "_div_scalar") and len(given) == 2:
            return _signed(ast.BinOp(given[0], ast.Div(), given[1]))
        if name in ("conj", "conj_physical") and len(given) == 1:
            negative, text, level = _signed(given[0])
            if text.isdigit():
                return negative, text, ATOM
            # a bar over several signs would not be drawn long enough
            return negative, (text if level == ATOM else rf"\left( {text} \right)") + "^{*}", POWER
        return False, *_call(name, given)
    if isinstance(node, ast.Name):
        return False, symbol(node.id), ATOM
    if isinstance(node, ast.BinOp):
        return False, *_binary(node.op, node.left, node.right)
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        return False, f"[{_comparison(node)}]", ATOM
    raise Untranslatable(ast.unparse(node))


def _in(node: ast.expr, level: int) -> str:
    """Return the LaTeX of an operand, in parentheses if it binds less tightly than `level`."""
    text, own = _render(node)
    return text if own >= level else rf"\left( {text} \right)"


def _number(value: float) -> tuple[str, int]:
    """Return the LaTeX of a number that is not negative."""
    for known, text in CONSTANTS.items():
        if abs(value - known) < 1e-15 * abs(known):
            return text, PRODUCT
    if value == int(value):
        return str(int(value)), ATOM
    if len(repr(value)) > 8:
        raise Untranslatable(repr(value))
    return (r"\frac{1}{2}", POWER) if value == 0.5 else (repr(value), ATOM)


def _binary(op: ast.operator, left: ast.expr, right: ast.expr) -> tuple[str, int]:
    if isinstance(op, ast.Add):
        first, second = _signed(left), _signed(right)
        if first[0] and not second[0]:  # 1 - x rather than -x + 1
            first, second = second, first
        return _of_terms(first, second), SUM
    if isinstance(op, ast.Sub):
        negative, text, level = _signed(right)
        return _of_terms(_signed(left), (not negative, text, level)), SUM
    if isinstance(op, ast.Pow):
        return _power(left, _in(right, SUM))
    if isinstance(op, ast.MatMult):
        return f"{_in(left, PRODUCT)} {_in(right, PRODUCT)}", PRODUCT
    raise Untranslatable(type(op).__name__)


def _of_terms(first: tuple[bool, str, int], second: tuple[bool, str, int]) -> str:
    sign = "-" if second[0] else "+"
    # a sum behind a minus needs parentheses
    text = second[1] if second[2] >= PRODUCT or not second[0] else rf"\left( {second[1]} \right)"
    return f"{'-' * first[0]}{first[1]} {sign} {text}"


def _product(left: ast.expr, right: ast.expr) -> tuple[bool, str, int]:
    bare = [node.operand if _is_negative(node) else node for node in (left, right)]
    if ast.dump(bare[0]) == ast.dump(bare[1]):
        return _is_negative(left) != _is_negative(right), *_power(bare[0], "2")
    parts, negative = [], False
    for factor in (left, right):
        minus, text, level = _signed(factor)
        negative ^= minus
        parts.append(text if level >= PRODUCT else rf"\left( {text} \right)")
    a, b = parts
    if "1" in (a, b):
        return negative, b if a == "1" else a, PRODUCT
    # two numbers beside each other would be read as one
    sign = r" \cdot " if b[0].isdigit() else r" \, "
    return negative, a + sign + b, PRODUCT


def _is_negative(node: ast.expr) -> bool:
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)


def _power(base: ast.expr, exponent: str) -> tuple[str, int]:
    text, own = _render(base)
    if own < ATOM:
        text = rf"\left( {text} \right)"
    return f"{text}^{{{exponent}}}", POWER


def _comparison(node: ast.Compare) -> str:
    sign = COMPARISONS.get(type(node.ops[0]))
    if sign is None:
        raise Untranslatable(ast.unparse(node))
    return f"{_in(node.left, SUM)} {sign} {_in(node.comparators[0], SUM)}"


def _condition(node: ast.expr) -> str:
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        return _comparison(node)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitAnd | ast.BitOr):
        word = "and" if isinstance(node.op, ast.BitAnd) else "or"
        return rf"{_condition(node.left)} \text{{ {word} }} {_condition(node.right)}"
    raise Untranslatable(ast.unparse(node))


def _name_of(node: ast.Call) -> tuple[str, list[ast.expr]]:
    """Return the name of a called operator and its arguments; methods are read as functions of their tensor."""
    if not node.keywords and isinstance(node.func, ast.Attribute):
        return node.func.attr, [node.func.value, *node.args]
    if not node.keywords and isinstance(node.func, ast.Name):
        return node.func.id, node.args
    raise Untranslatable(ast.unparse(node))


def _expanded(name: str, given: list[ast.expr]) -> ast.expr:
    """Return the expression that a loop of its own stands for."""
    parameters, text = MACROS[name]
    values = dict(zip(parameters.split(), given, strict=False))

    class Insert(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name):
            return values.get(node.id, node)

    return Insert().visit(ast.parse(text, mode="eval").body)


def _call(name: str, given: list[ast.expr]) -> tuple[str, int]:
    """Return the LaTeX of a call."""
    if name in ("zeros_like", "zero_of", "zeros", "zeros_for"):
        return "0", ATOM
    if name in FUNCTIONS and len(given) == 1:
        return rf"{FUNCTIONS[name]}\left( {_in(given[0], SUM)} \right)", POWER
    if name == "exp" and len(given) == 1:
        return f"e^{{{_in(given[0], SUM)}}}", POWER
    if (
        name in ("exp2", "square", "sqrt", "rsqrt", "reciprocal", "neg", "negated")
        and len(given) == 1
    ):
        return _of_one(name, given[0])
    if name in ("pow", "pow_number", "pow_scalar") and len(given) == 2:
        return _power(given[0], _in(given[1], SUM))
    if name in ("mm", "bmm", "mv", "matmul") and len(given) == 2:
        return _binary(ast.MatMult(), *given)
    if name == "polygamma" and len(given) == 2:
        return rf"\psi^{{({_in(given[0], SUM)})}}\left( {_in(given[1], SUM)} \right)", POWER
    if name == "t" and len(given) == 1:
        return _power(given[0], "T")
    if (
        name == "transpose"
        and _are(given[1:], (1, 2))
        or name == "transpose"
        and _are(given[1:], (-2, -1))
    ):
        return _power(given[0], "T")
    if name == "where" and len(given) == 3:
        yes, no = _in(given[1], SUM), _in(given[2], SUM)
        return (
            rf"\begin{{cases}} {yes} & \text{{if }} {_condition(given[0])} \\ {no} & \text{{else}} \end{{cases}}",
            SUM,
        )
    raise Untranslatable(name)


def _of_one(name: str, argument: ast.expr) -> tuple[str, int]:
    if name == "square":
        return _power(argument, "2")
    inner = _in(argument, SUM)
    if name == "exp2":
        return f"2^{{{inner}}}", POWER
    if name == "sqrt":
        return rf"\sqrt{{{inner}}}", POWER
    if name == "rsqrt":
        return rf"\frac{{1}}{{\sqrt{{{inner}}}}}", POWER
    return rf"\frac{{1}}{{{inner}}}", POWER


def _are(given: list[ast.expr], values: tuple[int, ...]) -> bool:
    try:
        return tuple(map(ast.literal_eval, given)) == values
    except ValueError:
        return False
