"""What every page of the site has: names for screen readers, descriptions and marks."""

import html
import re
from pathlib import Path

from docutils import nodes


def write_templates(app, config):
    """Give the templates the names that Sphinx looks for. No HTML is committed."""
    folder = Path(app.confdir) / "_generated" / "templates"
    folder.mkdir(parents=True, exist_ok=True)
    for path in (Path(app.confdir) / "_templates").glob("*.jinja"):
        text = path.read_text(encoding="utf-8")
        (folder / f"{path.stem}.html").write_text(text, encoding="utf-8")
    config.templates_path.append("_generated/templates")


def mark_wide_tables(app, doctree):
    """Give tables of four columns and more a class of their own."""
    for table in doctree.findall(nodes.table):
        group = next(table.findall(nodes.tgroup), None)
        if group is not None and group.get("cols", 0) >= 4:
            table["classes"].append("wide-table")


def without_sidebar(app, pagename, templatename, context, doctree):
    """Leave the page of a file to its lines."""
    if pagename.startswith("source/"):
        context["meta"] = {"html_theme.sidebar_secondary.remove": True}


TOGGLE = re.compile(r"(<a [^>]*>((?:(?!</a>).)*)</a>\s*<details[^>]*>\s*<summary)>", re.DOTALL)


def labelled(match):
    title = re.sub("<[^>]*>", "", match[2]).strip()
    return f'{match[1]} aria-label="Pages of {title}">'


def name_toggles(app, pagename, templatename, context, doctree):
    """Name the buttons of the sidebar that fold and unfold the pages below an entry."""
    generate = context.get("generate_toctree_html")
    if generate is None:
        return

    def named(kind, *arguments, **options):
        made = generate(kind, *arguments, **options)
        return made if kind == "raw" else TOGGLE.sub(labelled, str(made))

    context["generate_toctree_html"] = named


def describe(app, pagename, templatename, context, doctree):
    """Add the description of the page's front matter, or its title where it has no text."""
    description = (context.get("meta") or {}).get("description")
    if (
        description is None
        and doctree is not None
        and not next(doctree.findall(nodes.paragraph), 0)
    ):
        description = (
            f"{context['title']}: a page of minitorch, PyTorch's autograd on typed Cython."
        )
    if description is not None and 'name="description"' not in context.get("metatags", ""):
        tag = f'<meta name="description" content="{html.escape(description)}">\n'
        context["metatags"] = context.get("metatags", "") + tag


def setup(app):
    app.connect("config-inited", write_templates)
    app.connect("doctree-read", mark_wide_tables)
    app.connect("html-page-context", without_sidebar, priority=100)
    app.connect("html-page-context", name_toggles, priority=900)
    app.connect("html-page-context", describe, priority=100)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
