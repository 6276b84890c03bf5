"""Formulas as MathML, which browsers draw without a script and without a request."""

import html
import re

from docutils import nodes
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


def setup(app):
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
