"""The pages of derivatives: formulas in LaTeX, nodes and plots."""

import ast
import re
import sys
from pathlib import Path

import pytest

pytest.importorskip("sphinx", reason="needs Sphinx: pip install -e '.[docs]'")

import minitorch as torch

sys.path.append(str(Path(torch.__file__).resolve().parent.parent / "docs" / "_ext"))

import derivatives
import formula_latex
from formula_latex import MACROS, Untranslatable, latex


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("grad", "g"),
        ("-grad", "-g"),
        ("grad * other.conj()", r"g \, z^{*}"),
        ("grad * 2 * 3", r"g \cdot 2 \cdot 3"),
        ("grad * (self + 1)", r"g \, \left( x + 1 \right)"),
        ("grad - (self - other)", r"g - \left( x - z \right)"),
        ("grad - (self + other)", r"g - \left( x + z \right)"),
        ("grad - self * other", r"g - x \, z"),
        ("-(self + other) * grad", r"-\left( x + z \right) \, g"),
        ("-self * self + 1", r"1 - x^{2}"),
        ("-(self ** 2)", "-x^{2}"),
        ("(-self) ** 2", r"\left( -x \right)^{2}"),
        ("(self * other) ** 3", r"\left( x \, z \right)^{3}"),
        ("self ** (exponent - 1)", "x^{p - 1}"),
        ("grad / self / other", r"\frac{\frac{g}{x}}{z}"),
        ("-grad / (2 * result)", r"-\frac{g}{2 \, y}"),
        ("grad * -sin(self)", r"-g \, \sin\left( x \right)"),
        ("exp(-self)", "e^{-x}"),
        ("grad * (self > 0)", "g \\, [x > 0]"),
        ("-0.5 * grad", r"-\frac{1}{2} \, g"),
        ("grad * 0.6931471805599453", r"g \, \ln 2"),
        ("multiplied(grad, 1)", "g"),
        ("where(self > 0, grad, zero_of(grad))",
         r"\begin{cases} g & \text{if } x > 0 \\ 0 & \text{else} \end{cases}"),
        ("bmm(grad, transpose(mat2, 1, 2).conj())", r"g \left( B^{T} \right)^{*}"),
        ("grad_values * 2", r"g_{\text{values}} \cdot 2"),
    ],
)  # fmt: skip
def test_a_formula_in_latex(formula, expected):
    assert latex(formula) == expected


@pytest.mark.parametrize(
    "formula",
    ["gather(grad, dim, index)", "grad.expand(sizes)", "f(grad, k=1)", "grad if a else b"],
)
def test_what_has_no_notation_is_not_translated(formula):
    with pytest.raises(Untranslatable):
        latex(formula)


def test_every_translation_draws():
    convert = pytest.importorskip("latex2mathml.converter").convert
    count = 0
    for rows in derivatives.records().values():
        for entry in rows.values():
            for text in derivatives.formulas(entry).values():
                try:
                    markup = convert(latex(text))
                except Untranslatable:
                    continue
                assert not re.search(r"\\[A-Za-z]", re.sub(r"<[^>]*>", "", markup)), text
                count += 1
    assert count > 190


X = torch.linspace(-2.7, 2.6, 40, dtype=torch.float64)
CASES = {
    "tanh_backward": (torch.tanh, {"r": torch.tanh(X)}),
    "sigmoid_backward": (torch.sigmoid, {"r": torch.sigmoid(X)}),
    "threshold_backward": (lambda x: torch.threshold(x, 0.5, 7), {"t": 0.5}),
    "leaky_relu_backward": (lambda x: torch.nn.functional.leaky_relu(x, 0.1), {"s": 0.1}),
    "silu_gradient": (torch.nn.functional.silu, {}),
    "softplus_backward": (lambda x: torch.nn.functional.softplus(x, 2, 3), {"b": 2, "t": 3}),
    "log_sigmoid_backward": (torch.nn.functional.logsigmoid, {}),
    "hardsigmoid_backward": (torch.nn.functional.hardsigmoid, {}),
    "hardshrink_backward": (torch.nn.functional.hardshrink, {"l": 0.5}),
    "softshrink_backward": (torch.nn.functional.softshrink, {"l": 0.5}),
    "hardtanh_backward": (torch.nn.functional.hardtanh, {"a": -1, "b": 1}),
    "pow_backward": (lambda x: x**3, {"p": 3}),
    "pow_backward_self": (lambda x: x ** torch.full_like(x, 3), {"p": 3}),
    "pow_backward_exponent": (lambda x: 2.0**x, {"p": X, "r": 2.0**X, "x": torch.tensor(2.0)}),
    "div_backward_self": (lambda x: x / 3.0, {"z": torch.tensor(3.0)}),
    "div_backward_other": (lambda x: 3.0 / x, {"x": torch.tensor(3.0), "z": X}),
}


@pytest.mark.parametrize("name", [name for name in MACROS if not name.startswith("mm_")])
def test_the_formula_of_a_loop_is_its_derivative(name):
    function, values = CASES[name]
    leaf = X.clone().requires_grad_()
    (expected,) = torch.autograd.grad(function(leaf).sum(), leaf)
    names = {
        "g": torch.ones_like(X), "x": X, "where": torch.where, "zero_of": torch.zeros_like,
        "sigmoid": torch.sigmoid, "log": torch.log, **values,
    }  # fmt: skip
    torch.testing.assert_close(eval(MACROS[name][1], names), expected)


def test_the_formulas_of_matrix_products():
    a, b, g = torch.randn(2, 3), torch.randn(3, 4), torch.randn(2, 4)
    leaf_a, leaf_b = a.clone().requires_grad_(), b.clone().requires_grad_()
    expected = torch.autograd.grad(torch.addmm(g, leaf_a, leaf_b, alpha=2), (leaf_a, leaf_b), g)
    names = {"g": g, "A": a, "B": b, "a": torch.tensor(2.0), "matmul": torch.matmul, "t": torch.t,
             "maybe_multiply": torch.mul}  # fmt: skip
    for name, want in zip(("mm_mat1_grad", "mm_mat2_grad"), expected, strict=True):
        torch.testing.assert_close(eval(MACROS[name][1], names), want)


def test_macros_have_the_parameters_of_their_operators():
    for parameters, text in MACROS.values():
        used = {n.id for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Name)}
        assert set(parameters.split()) & used


def test_every_differentiable_record_has_a_part():
    rows = {
        name: entry for table in derivatives.records().values() for name, entry in table.items()
    }
    assert len(rows) > 400
    assert {
        "mul",
        "sin",
        "matmul" if "matmul" in rows else "mm",
        "relu",
        "index_add",
    } <= rows.keys()
    text = "\n".join(derivatives.entry_of("functions", "sin", rows["sin"]))
    assert "Node ``SinBackward0``" in text
    assert r"\nabla_{x} = g \, \left( \cos\left( x \right) \right)^{*}" in text
    assert 'self = "grad * cos(self).conj()"' in text
    assert "<svg" in text


def test_nodes_are_those_of_the_engine():
    for record, function in (("sin", torch.sin), ("relu", torch.relu), ("sqrt", torch.sqrt)):
        rows = {n: e for table in derivatives.records().values() for n, e in table.items()}
        node = function(torch.ones(1, requires_grad=True)).grad_fn
        assert node.name() == derivatives.node_of(record, rows[record])


def test_a_plot_is_of_the_function_and_of_its_derivative():
    rows = derivatives.records()["functions"]
    x, y, slope = derivatives.samples("sin", rows["sin"])
    torch.testing.assert_close(torch.tensor(slope), torch.cos(torch.tensor(x)))
    assert derivatives.samples("complex", rows["complex"]) is None
    assert derivatives.plot("sin", rows["sin"]).count("<path") == 3


def test_symbols_of_names():
    assert formula_latex.symbol("grad_self") == "g_{x}"
    assert formula_latex.symbol("k") == "k"
