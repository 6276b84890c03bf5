"""The directive ``drawing``: an SVG file inside the page, so that it takes the page's colours.

```{drawing} learn/zero/chain.svg     (relative to docs/)
:caption: Values go right, gradients go left.
:alt: What the drawing shows, for readers who cannot see it
```
"""

import html
import re
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective

DOCS = Path(__file__).resolve().parents[1]


class Drawing(SphinxDirective):
    required_arguments = 1
    option_spec = {
        "caption": directives.unchanged_required,
        "alt": directives.unchanged_required,
    }

    def run(self):
        path = DOCS / self.arguments[0]
        self.env.note_dependency(str(path))
        if missing := {"caption", "alt"} - self.options.keys():
            raise self.error(f"a drawing needs the option {missing.pop()!r}")
        width = re.search(r'viewBox="0 0 (\d+) \d+"', path.read_text(encoding="utf-8"))[1]
        attributes = (
            f'<svg role="img" aria-label="{html.escape(self.options["alt"])}" '
            f'style="display: block; margin: auto; width: 100%; max-width: {width}px"'
        )
        text = path.read_text(encoding="utf-8").replace("<svg", attributes, 1)
        figure = nodes.figure("", nodes.raw("", text, format="html"), classes=["drawing"])
        children, messages = self.state.inline_text(self.options["caption"], self.lineno)
        figure += nodes.caption(self.options["caption"], "", *children)
        self.set_source_info(figure)
        return [figure, *messages]


def setup(app):
    app.add_directive("drawing", Drawing)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
