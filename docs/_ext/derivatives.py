"""Sphinx extension: pages with every derivative as mathematics, its node and a plot, written before the build.

Each file of ``minitorch/autograd/derivatives/`` becomes a page, ``docs/reference/derivatives/NAME.rst``, which git
ignores. A record shows its schema, its node, and for each argument the formula: in the notation of mathematics where
``formula_latex.py`` can translate it, and as the record has it. Functions of one variable are plotted with their
derivatives, which the engine computes, as SVG in the colours of the page.
"""

import html
import re
import tomllib
import warnings
from functools import cache
from pathlib import Path

import formula_latex

ROOT = Path(__file__).resolve().parent.parent.parent
AUTOGRAD = ROOT / "minitorch" / "autograd"
FOLDER = ROOT / "docs" / "reference" / "derivatives"
TITLES = {
    "arithmetic": "Arithmetic", "functions": "Functions of one variable", "comparison": "Comparison",
    "activation": "Activations", "shape": "Shapes and views", "creation": "Creation", "reduction": "Reductions",
    "indexing": "Indexing", "copied_views": "Views that copy", "linalg": "Linear algebra", "nn": "Layers",
    "random": "Random numbers", "sorting": "Sorting", "special": "Special functions", "fourier": "Fourier transforms",
}  # fmt: skip
# sections of long pages: a title, and the beginnings of records' names; the rest are in the last one
SECTIONS = {
    "nn": {
        "Convolution and images as columns": ("convolution", "im2col", "col2im"),
        "Normalization and dropout": (
            "native_layer", "native_batch", "native_group", "native_dropout"),
        "Losses": ("mse", "smooth", "huber", "binary", "nll", "soft_margin"),
        "Pooling": ("max_pool", "avg_pool", "_adaptive", "adaptive"),
        "Padding": ("reflection", "replication", "circular", "constant_pad"),
        "Resizing and sampling images": ("upsample", "_upsample", "grid", "affine"),
        "Attention and activations": ("",),
    },
}  # fmt: skip
LEGEND = """\
:math:`g` is the gradient of the result :math:`y`, :math:`x` is the first tensor, and :math:`\\nabla_{x}` is the
gradient that the node returns for it. A star is the complex conjugate, which is the number itself for real tensors.
Gradients are summed to the shape of their tensor if it was broadcast."""


@cache
def records() -> dict[str, dict[str, dict]]:
    """Return the records of each file that have formulas."""
    from tools.records import FILES

    found = {}
    for name in FILES:
        table = tomllib.loads(
            (AUTOGRAD / "derivatives" / f"{name}.toml").read_text(encoding="utf-8")
        )
        rows = {record: entry for record, entry in table.items() if formulas(entry)}
        if rows:
            found[name] = rows
    return found


def formulas(entry: dict) -> dict[str, str]:
    """Return the formula of each argument, or of several arguments together."""
    schema = entry.get("schema", "")
    names = set(re.findall(r"(\w+)(?:=[^,)]*)?(?=[,)])", schema.partition(" -> ")[0]))
    return {
        key: value
        for key, value in entry.items()
        if isinstance(value, str) and {part.strip() for part in key.split(",")} <= names
    }


@cache
def functions() -> dict[str, str]:
    """Return the file of each function of formulas/."""
    return {
        name: f"minitorch/autograd/formulas/{path.name}"
        for path in sorted((AUTOGRAD / "formulas").glob("*.py"))
        for name in re.findall(r"(?m)^def (\w+)\(", path.read_text(encoding="utf-8"))
    }


def title_of(record: str, entry: dict) -> str:
    """Return the name under which PyTorch knows the operator: ``add.Scalar`` for a private record."""
    if record.startswith("_") and entry.get("overloads"):
        return entry["overloads"][0].partition("(")[0]
    return record


def node_of(record: str, entry: dict) -> str:
    """Return the name of the node's class."""
    from tools.rows import camel

    return entry.get("node", camel(entry.get("function_name", record)) + "Backward0")


def anchor(record: str) -> str:
    return f"derivative-{record.strip('_').replace('_', '-')}"


# ---- pages


def entry_of(file: str, record: str, entry: dict, line: str = "-") -> list[str]:
    """Return the part of a page about one record, with a heading that `line` underlines."""
    title = title_of(record, entry)
    heading = title.replace("_", r"\_")
    lines = [f".. _{anchor(record)}:", "", heading, line * len(heading), ""]
    lines += [".. code-block:: text", "", f"   {entry['schema']}", ""]
    lines += [f"Node ``{node_of(record, entry)}``, record :derivative-record:`{file}:{record}`", ""]
    own = formulas(entry)
    for names, text in own.items():
        try:
            translated = formula_latex.latex(text)
        except (formula_latex.Untranslatable, SyntaxError):
            continue
        gradients = ", ".join(
            rf"\nabla_{{{formula_latex.symbol(name.strip())}}}" for name in names.split(",")
        )
        lines += [".. math::", "", f"   {gradients} = {translated}", ""]
    lines += [".. code-block:: toml", ""]
    keys = {names: f'"{names}"' if "," in names else names for names in own}
    lines += [f'   {keys[names]} = "{text}"' for names, text in own.items()]
    lines.append("")
    called = {name for text in own.values() for name in re.findall(r"\b(\w+)\(", text)}
    for name in sorted(called & functions().keys()):
        lines += [f".. source:: {functions()[name]}", f"   :object: {name}", ""]
    svg = plot(record, entry)
    if svg:
        lines += [".. raw:: html", "", f"   {svg}", ""]
    return lines


def page(file: str, rows: dict[str, dict]) -> str:
    title = TITLES[file]
    lines = [f".. _derivatives-{file}:", "", title, "=" * len(title), "", LEGEND, ""]
    if file not in SECTIONS:
        for record, entry in rows.items():
            lines += entry_of(file, record, entry)
        return "\n".join(lines) + "\n"
    left = dict(rows)
    for section, starts in SECTIONS[file].items():
        lines += [section, "-" * len(section), ""]
        for record in [name for name in left if name.startswith(starts)]:
            lines += entry_of(file, record, left.pop(record), "~")
    return "\n".join(lines) + "\n"


def write_pages(app=None) -> None:
    """Write the pages of all files."""
    from docs._ext.reference import write

    index = ["Derivatives", "===========", "", _INTRODUCTION, ""]
    for file, rows in records().items():
        write(FOLDER / f"{file}.rst", page(file, rows))
        index.append(f"- :doc:`{TITLES[file]} <{file}>`: {len(rows)} records")
    index += ["", ".. toctree::", "   :hidden:", "", *(f"   {file}" for file in records()), ""]
    write(FOLDER / "index.rst", "\n".join(index))


_INTRODUCTION = """\
The derivatives of all operators. Each entry has the formula, the node that the backward pass runs, and the operator's
record in ``minitorch/autograd/derivatives/``. Functions of one variable have a plot of the function and its derivative.
Operators that are composed of others have no derivative of their own."""


# ---- plots

# intervals that show more than -4 to 4 does
INTERVALS = {
    "exp": (-3, 2), "exp2": (-3, 2), "expm1": (-3, 2), "log": (0.02, 6), "log2": (0.02, 6), "log10": (0.02, 6),
    "log1p": (-0.98, 5), "sqrt": (0.0, 6), "rsqrt": (0.05, 6), "asin": (-1, 1), "acos": (-1, 1), "atanh": (-1, 1),
    "acosh": (1, 6), "erfinv": (-1, 1), "hardswish": (-6, 6), "hardsigmoid": (-6, 6), "relu6": (-2, 8),
    "lgamma": (0.02, 6), "digamma": (-3.98, 4), "deg2rad": (-180, 180),
}  # fmt: skip
WIDTH, HEIGHT, MARGIN = 360, 220, 28


def samples(record: str, entry: dict):
    """Return the points, values and slopes of a function of one variable, None for other operators."""
    import minitorch as torch

    if entry.get("result") != "auto_element_wise" and record not in INTERVALS and record != "relu":
        return None
    if (
        record.startswith("_")
        or "backward" in record
        or len(re.findall(r"\bTensor\b", entry["schema"])) != 2
    ):
        return None
    name = entry.get("function_name", record)
    for home in (torch, torch.special, torch.nn.functional):
        function = getattr(home, name.removeprefix("special_"), None)
        if function is not None:
            break
    low, high = INTERVALS.get(record, (-4, 4))
    x = torch.linspace(low, high, 401, dtype=torch.float64).requires_grad_()
    try:
        y = function(x)
        (slope,) = torch.autograd.grad(y.sum(), x)
    except (TypeError, RuntimeError, NotImplementedError):
        return None
    if y.shape != x.shape:
        return None
    return x.detach().tolist(), y.detach().tolist(), slope.tolist()


def plot(record: str, entry: dict) -> str:
    """Return the plot of a function and its derivative as SVG, or an empty text."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = samples(record, entry)
    if found is None:
        return ""
    x, y, slope = found
    finite = sorted(v for v in (*y, *slope) if v == v and abs(v) != float("inf"))
    if not finite:
        return ""
    # poles are cut off
    low, high = min(max(finite[0], -8.0), 0.0), max(min(finite[-1], 8.0), 0.0)
    if high - low < 1e-9:
        low, high = -1.0, 1.0
    room = 0.06 * (high - low)
    low, high = low - room, high + room

    def across(value: float) -> float:
        return MARGIN + (value - x[0]) / (x[-1] - x[0]) * (WIDTH - 2 * MARGIN)

    def down(value: float) -> float:
        return MARGIN + (high - value) / (high - low) * (HEIGHT - 2 * MARGIN)

    def path(values: list[float]) -> str:
        parts, pen, before = [], False, 0.0
        for a, b in zip(x, values, strict=True):
            inside = b == b and low <= b <= high
            if inside and pen and abs(b - before) > 0.5 * (high - low):
                pen = False
            if inside:
                parts.append(f"{'L' if pen else 'M'}{across(a):.1f} {down(b):.1f}")
            pen, before = inside, b
        return "".join(parts)

    axes = f"M{MARGIN} {down(0):.1f}H{WIDTH - MARGIN}"
    if x[0] <= 0 <= x[-1]:
        axes += f"M{across(0):.1f} {MARGIN}V{HEIGHT - MARGIN}"
    name = html.escape(title_of(record, entry))
    label = f"Plot of {name} and its derivative from {x[0]:g} to {x[-1]:g}"
    text = 'font-size="11" fill="currentColor"'
    return (
        f'<svg class="derivative-plot" role="img" aria-label="{label}" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'style="width:100%;max-width:{WIDTH}px;height:auto;color:var(--pst-color-text-base,currentColor)">'
        f'<path d="{axes}" fill="none" stroke="currentColor" stroke-opacity="0.45"/>'
        f'<path d="{path(y)}" fill="none" stroke="var(--pst-color-primary,#0a7d91)" stroke-width="2"/>'
        f'<path d="{path(slope)}" fill="none" stroke="currentColor" stroke-width="1.5" '
        f'stroke-dasharray="5 3"/>'
        f'<text x="{MARGIN}" y="{HEIGHT - 8}" {text}>{x[0]:g}</text>'
        f'<text x="{WIDTH - MARGIN}" y="{HEIGHT - 8}" text-anchor="end" {text}>{x[-1]:g}</text>'
        f'<text x="{MARGIN}" y="14" fill="var(--pst-color-primary,#0a7d91)" font-size="12">&#8212; {name}</text>'
        f'<text x="{WIDTH - MARGIN}" y="14" text-anchor="end" fill="currentColor" '
        f'font-size="12">- - derivative</text>'
        f'<text x="4" y="{down(high) + 4:.1f}" {text}>{high - room:.3g}</text>'
        f'<text x="4" y="{down(low) + 4:.1f}" {text}>{low + room:.3g}</text></svg>'
    )


# ---- Sphinx


def record_role(name, rawtext, text, lineno, inliner, options=None, content=None):
    """Link a record, ``file:record``, on the page of its file."""
    import source_finder
    from docutils import nodes
    from source_pages import SourceLink, used

    file, _, record = text.partition(":")
    path = AUTOGRAD / "derivatives" / f"{file}.toml"
    piece = source_finder.find_object(path, record)
    env = inliner.document.settings.env
    shown = path.relative_to(ROOT).as_posix()
    used(env, env.docname).add(shown)
    literal = nodes.literal(text=f"[{record}]")
    return [literal, nodes.Text(" "), SourceLink(file=shown, line=piece.first, name=record)], []


def setup(app):
    app.add_role("derivative-record", record_role)
    app.connect("builder-inited", write_pages)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
