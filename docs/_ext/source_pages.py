"""The directive ``source``, the pages that show whole files, and the links that lead there.

    ```{source} minitorch/autograd/engine.pyx
    :object: compute_dependencies     (a function, class, Class.method, assignment or TOML table; or)
    :marker: step 4                   (the lines between "# docs: step 4" and "# docs: end")
    :highlight: dependencies[         (lines with one of these texts, separated by " ; ")
    :docstring: fold                  (fold, the default; or keep)
    :caption: How edges are counted   (the default is the name of the object)
    ```

Without `:object:` and `:marker:` the whole file is shown. Every file that is shown or linked gets a page
with an anchor for each line.
"""

import html
import importlib

import source_finder
from docutils import nodes
from docutils.parsers.rst import directives
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from sphinx import addnodes
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective
from sphinx.util.osutil import relative_uri

LOGGER = logging.getLogger(__name__)
ROOT = source_finder.ROOT
LANGUAGES = {
    ".py": "python", ".pyx": "cython", ".pxd": "cython", ".pxi": "cython", ".pyi": "python",
    ".toml": "toml", ".md": "markdown", ".json": "json", ".c": "c", ".h": "c", ".js": "javascript",
    ".css": "css",
}  # fmt: skip
# what a reader of the core reads from end to end
CORE = ("minitorch/_tensor.py", "minitorch/autograd/*.py*", "minitorch/autograd/derivatives/*.toml",
        "minitorch/core/*.p*")  # fmt: skip
PREFIX = "source/"


class SourceNode(nodes.General, nodes.Element):
    """A piece of a file, already highlighted."""


class SourceLink(nodes.Inline, nodes.Element):
    """The link from an entry of the reference to the line that defines it."""


def name_of(path):
    return path.relative_to(ROOT).as_posix()


def lines_as_html(lines, language):
    """Return the HTML of each line. Lines are highlighted together, so that strings may span some."""
    # no whitespace is stripped, so that lines stay lines
    lexer = get_lexer_by_name(language, stripnl=False, ensurenl=True)
    text = highlight("\n".join(lines), lexer, HtmlFormatter(nowrap=True))
    shown = text.removesuffix("\n").split("\n")
    assert len(shown) == len(lines), (len(shown), len(lines))
    return shown


def block(lines, marked, language, anchors=False):
    """Return the HTML of numbered lines, ``[(number, HTML), ...]``."""
    width = len(str(lines[-1][0])) if lines else 1
    rows = []
    for number, line in lines:
        classes = "line marked" if number in marked else "line"
        anchor = f' id="L{number}"' if anchors else ""
        rows.append(
            f'<span class="{classes}"{anchor} data-line="{number:>{width}}">{line}\n</span>'
        )
    return (
        f'<div class="highlight-{language} notranslate numbered"><div class="highlight">'
        f'<pre tabindex="0">{"".join(rows)}</pre></div></div>\n'
    )


class Source(SphinxDirective):
    """Show a piece of a file with its line numbers."""

    required_arguments = 1
    option_spec = {
        "object": directives.unchanged_required,
        "marker": directives.unchanged_required,
        "highlight": directives.unchanged_required,
        "docstring": lambda text: directives.choice(text, ("fold", "keep")),
        "caption": directives.unchanged_required,
    }

    def run(self):
        path = ROOT / self.arguments[0]
        if not path.is_file():
            raise self.error(f"there is no file {self.arguments[0]}")
        self.env.note_dependency(str(path))
        source_finder.objects.cache_clear()
        try:
            piece = self.piece(path)
        except source_finder.NotFound as error:
            raise self.error(str(error)) from None
        fold = self.options.get("docstring", "fold") == "fold"
        numbered = piece.numbered(fold)
        while numbered and not numbered[-1][1].strip():
            numbered.pop()
        marked = self.marked(numbered)
        language = LANGUAGES.get(path.suffix, "text")
        cut = min((_indent(line) for _, line in numbered if line.strip()), default=0)
        texts = lines_as_html([line[cut:] for _, line in numbered], language)
        shown = [(number, text) for (number, _), text in zip(numbered, texts, strict=True)]
        used(self.env, self.env.docname).add(name_of(path))
        node = SourceNode(
            file=name_of(path),
            first=piece.first,
            last=piece.last,
            code=block(shown, marked, language),
            text="\n".join(line for _, line in numbered),
            name=self.options.get("caption") or piece.name or "",
            is_name="caption" not in self.options,
            docstrings=piece.folded() if fold else {},
        )
        self.set_source_info(node)
        self.add_name(node)
        return [node]

    def piece(self, path):
        if "object" in self.options:
            return source_finder.find_object(path, self.options["object"])
        if "marker" in self.options:
            return source_finder.find_marker(path, self.options["marker"])
        return source_finder.whole(path)

    def marked(self, numbered):
        texts = [text for text in self.options.get("highlight", "").split(" ; ") if text.strip()]
        marked = set()
        for text in texts:
            found = {number for number, line in numbered if text.strip() in line}
            if not found:
                raise self.error(f"no line of {self.arguments[0]} that is shown has {text!r}")
            marked |= found
        return marked


def _indent(line):
    return len(line) - len(line.lstrip())


def used(env, docname):
    """Return the set of the files that a page shows or links."""
    if not hasattr(env, "source_files"):
        env.source_files = {}
    return env.source_files.setdefault(docname, set())


def purge(app, env, docname):
    getattr(env, "source_files", {}).pop(docname, None)


def merge(app, env, docnames, other):
    for docname in docnames:
        used(env, docname).update(getattr(other, "source_files", {}).get(docname, ()))


def page_of(file):
    return PREFIX + file


def uri(translator, file, line=None):
    """Return the address of a file's page, relative to the page that is written."""
    builder = translator.builder
    docname = getattr(builder, "current_docname", None) or ""
    address = relative_uri(builder.get_target_uri(docname), builder.get_target_uri(page_of(file)))
    return f"{address}#L{line}" if line else address


def visit_source(self, node):
    file, first, last = node["file"], node["first"], node["last"]
    lines = f"line {first}" if first == last else f"lines {first} to {last}"
    name = html.escape(node["name"])
    if name and node["is_name"]:
        name = f"<code>{name}</code>"
    address = html.escape(uri(self, file, first))
    ids = "".join(f' id="{name_}"' for name_ in node.get("ids", [])[:1])
    self.body.append(
        f'<figure class="source-block"{ids}>\n<figcaption>'
        f"{f'<span class=caption-name>{name}</span> ' if name else ''}"
        f'<a class="reference internal" href="{address}">{html.escape(file)}, {lines}</a>'
        "</figcaption>\n"
    )
    several = len(node["docstrings"]) > 1
    for name, text in node["docstrings"].items():
        summary = f"Docstring of <code>{html.escape(name)}</code>" if several else "Docstring"
        self.body.append(
            f'<details class="docstring"><summary>{summary}</summary>'
            f'<pre tabindex="0">{html.escape(text)}</pre></details>\n'
        )
    self.body.append(node["code"] + "</figure>\n")
    raise nodes.SkipNode


def visit_source_text(self, node):
    raise nodes.SkipNode


def visit_link(self, node):
    address = html.escape(uri(self, node["file"], node["line"]))
    self.body.append(
        f'<a class="reference internal source-link" href="{address}"'
        f' aria-label="Source of {html.escape(node["name"])}">source</a>'
    )
    raise nodes.SkipNode


def resolve(module, fullname):
    """Return ``(file, first line)`` of an object of the reference, or None."""
    try:
        value = importlib.import_module(module)
    except ImportError:
        return None
    owner = None
    for part in fullname.split("."):
        owner, value = value, vars(value).get(part) if isinstance(value, type) else None
        if value is None:
            value = getattr(owner, part, None)
        if value is None:
            return None
    place = source_finder.place_of(value)
    if place is None and isinstance(owner, type):
        # a method of a compiled class does not always know its name
        found = source_finder.modules().get(owner.__module__)
        if found is not None:
            piece = source_finder.objects(str(found)).get(f"{owner.__qualname__}.{part}")
            place = piece and (found, piece.first, piece.last)
    return place and (name_of(place[0]), place[1])


def link_entries(app, doctree):
    """Give each entry of Python's domain a link to its source."""
    env = app.env
    for description in doctree.findall(addnodes.desc):
        if description.get("domain") != "py":
            continue
        for signature in description:
            if not isinstance(signature, addnodes.desc_signature) or not signature.get("module"):
                continue
            place = resolve(signature["module"], signature["fullname"])
            if place is not None:
                file, line = place
                used(env, env.docname).add(file)
                signature += SourceLink(file=file, line=line, name=signature["fullname"])


def pages(app):
    """Yield the pages of the files."""
    if app.builder.name not in ("html", "dirhtml"):
        return
    files = set()
    if app.config.source_core:
        files |= {name_of(path) for pattern in CORE for path in ROOT.glob(pattern)
                  if path.suffix in (".py", ".pyx", ".pxd", ".toml")}  # fmt: skip
    files.update(*getattr(app.env, "source_files", {}).values())
    for file in sorted(files):
        path = ROOT / file
        lines = path.read_text(encoding="utf-8").splitlines() or [""]
        language = LANGUAGES.get(path.suffix, "text")
        numbered = list(enumerate(lines_as_html(lines, language), 1))
        title = f"Source of {file}"
        body = (
            f"<h1><code>{html.escape(file)}</code></h1>\n"
            f'<p class="source-facts">{len(lines)} lines</p>\n'
            f'<div class="source-file">{block(numbered, (), language, anchors=True)}</div>\n'
        )
        yield (
            page_of(file),
            {"title": title, "body": body, "theme_html_theme": None, "source_file": file},
            "page.html",
        )


def setup(app):
    app.add_config_value("source_core", True, "html")
    app.add_directive("source", Source)
    skipped = (visit_source_text, None)
    app.add_node(SourceNode, html=(visit_source, None), text=skipped, latex=skipped, man=skipped)
    app.add_node(SourceLink, html=(visit_link, None), text=skipped, latex=skipped, man=skipped)
    app.connect("doctree-read", link_entries)
    app.connect("env-purge-doc", purge)
    app.connect("env-merge-info", merge)
    app.connect("html-collect-pages", pages)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
