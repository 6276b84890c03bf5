"""Formulas as MathML, which browsers draw without a script and without a request.

Braces and roots only grow where the reader has a font for mathematics. The package ziamath brings one,
STIX Two Math, and the characters of formulas are copied from it into the site.
"""

import html
import importlib.util
import re
from pathlib import Path

from docutils import nodes
from fontTools import subset
from latex2mathml.converter import convert
from sphinx.util import logging

LOGGER = logging.getLogger(__name__)


def formula(text, display, node=None):
    """Return the MathML of a formula; warn when a command of it is not known."""
    try:
        markup = convert(text, display=display)
    except Exception as error:  # noqa: BLE001 (whatever the converter raises, the page is named)
        LOGGER.warning("formula %r: %s %s", text, type(error).__name__, error, location=node)
        return f"<code>{html.escape(text)}</code>"
    unknown = re.search(r"\\[A-Za-z]+", html.unescape(re.sub(r"<[^>]*>", "", markup)))
    if unknown:
        LOGGER.warning("formula %r: %s is not known", text, unknown[0], location=node)
    # what a screen reader without MathML reads, and what a reader can copy
    return markup.replace("<math ", f'<math alttext="{html.escape(text)}" ', 1)


def visit_inline(self, node):
    self.body.append(f'<span class="math">{formula(node.astext(), "inline", node)}</span>')
    raise nodes.SkipNode


def visit_block(self, node):
    ids = f' id="{node["ids"][0]}"' if node.get("ids") else ""
    number = f'<span class="eqno">({node["number"]})</span>' if node.get("number") else ""
    markup = formula(node.astext(), "block", node)
    self.body.append(f'<div class="math"{ids} tabindex="0">{number}{markup}</div>\n')
    raise nodes.SkipNode


# ASCII, Greek, punctuation, letterlike, arrows, operators, brackets, bold and script letters
CHARACTERS = [
    *range(0x20, 0x7F), *range(0xA0, 0x100), *range(0x300, 0x370), *range(0x370, 0x400),
    *range(0x2010, 0x2060), *range(0x2070, 0x20A0), *range(0x20D0, 0x2100), *range(0x2100, 0x2200),
    *range(0x2200, 0x2400), *range(0x25A0, 0x2600), *range(0x27C0, 0x2800), *range(0x2980, 0x2A00),
    *range(0x1D400, 0x1D800),
]  # fmt: skip


def write_font(app):
    """Write the font of formulas into the site."""
    target = Path(app.outdir) / "_static" / "math.woff"
    if app.builder.format != "html" or target.exists():
        return
    package = Path(importlib.util.find_spec("ziamath").origin).parent
    options = subset.Options(flavor="woff", layout_features=["*"], hinting=False)
    font = subset.load_font(str(package / "fonts" / "STIXTwoMath-Regular.ttf"), options)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=CHARACTERS)
    subsetter.subset(font)
    target.parent.mkdir(parents=True, exist_ok=True)
    subset.save_font(font, str(target), options)


def setup(app):
    app.connect("builder-inited", write_font)
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
