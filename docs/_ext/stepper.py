"""The directive ``stepper``: run a program, record its backward passes and embed the player.

    ```{stepper} recordings/diamond.py     (relative to docs/)
    :caption: One node with two edges into it
    :predict:                              (the reader predicts the next node)
    :start: 20                             (open at this event)
    :ranks: 2                              (that many processes run the program)
    :rank: 1                               (play what this one recorded)
    ```

Without JavaScript the reader sees the program and a table of the events.
"""

import contextlib
import html
import json
import tempfile
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective

import minitorch
from minitorch.autograd.observe import player_page
from minitorch.autograd.observe.program_recording import record_program
from minitorch.distributed.run import launch

DOCS = Path(__file__).resolve().parents[1]
_recordings = {}  # (program, number of processes) -> the recording of each of them


def record(program, ranks):
    """Run a program on `ranks` processes, and return the recording of each."""
    if ranks == 1:
        return [record_program(program).recording()]
    recorder = str(Path(__file__).with_name("record_rank.py"))
    with tempfile.TemporaryDirectory() as folder:
        status = launch([recorder, program, folder], ranks)
        if status:
            raise RuntimeError(f"{program} on {ranks} processes ended with status {status}")
        return [json.loads(Path(folder, f"{rank}.json").read_text()) for rank in range(ranks)]


class StepperNode(nodes.General, nodes.Element):
    """A player."""


class Stepper(SphinxDirective):
    """Embed the recording of a program."""

    required_arguments = 1
    option_spec = {
        "caption": directives.unchanged_required,
        "predict": directives.flag,
        "start": directives.positive_int,
        "ranks": directives.positive_int,
        "rank": directives.nonnegative_int,
    }

    def run(self):
        path = DOCS / self.arguments[0]
        if not path.is_file():
            raise self.error(f"there is no program docs/{self.arguments[0]}")
        self.env.note_dependency(str(path))
        caption = self.options.get("caption")
        ranks = self.options.get("ranks", 1)
        if (path, ranks) not in _recordings:
            with contextlib.chdir(DOCS):  # the recording names the program by its path
                _recordings[path, ranks] = record(self.arguments[0], ranks)
        recording = _recordings[path, ranks][self.options.get("rank", 0)]
        title = caption or f"Backward passes of {path.name}"
        node = StepperNode(
            html=player_page.fragment(recording, title),
            flags=[name for name in ("predict",) if name in self.options],
            start=self.options.get("start"),
            caption=caption,
        )
        self.set_source_info(node)
        return [node]


class Graph(SphinxDirective):
    """Run a program and draw the graph of one of its tensors."""

    required_arguments = 1
    option_spec = {
        "tensor": directives.unchanged_required,
        "caption": directives.unchanged_required,
    }

    def run(self):
        path = DOCS / self.arguments[0]
        self.env.note_dependency(str(path))
        # no backward pass may have freed the graph
        program = path.read_text(encoding="utf-8").replace("loss.backward()", "")
        namespace = {"__name__": "__main__"}
        exec(compile(program, self.arguments[0], "exec"), namespace)
        names = {
            name: value
            for name, value in namespace.items()
            if isinstance(value, minitorch.Tensor) and value.requires_grad
        }
        picture = minitorch.autograd.graph.draw(namespace[self.options["tensor"]], names)
        caption = self.options.get("caption", f"The graph of {self.options['tensor']}")
        svg = picture.to_svg().replace("<svg ", f'<svg aria-label="{html.escape(caption)}" ', 1)
        figure = nodes.figure("", nodes.raw("", svg, format="html"), classes=["drawing"])
        figure += nodes.caption("", caption)
        self.set_source_info(figure)
        return [figure]


class Receiver(SphinxDirective):
    """Embed the place where the JSON file of a trace is dropped."""

    def run(self):
        return [StepperNode(html=player_page.receiver(), flags=[], caption=None)]


def visit(self, node):
    flags = "".join(f" data-{flag}" for flag in node["flags"])
    if node.get("start") is not None:
        flags += f' data-start="{node["start"]}"'
    self.body.append(f'<div class="stepper"{flags}>\n{node["html"]}</div>\n')
    raise nodes.SkipNode


def visit_text(self, node):
    if node["caption"]:
        self.add_text(html.unescape(node["caption"]))
    raise nodes.SkipNode


def skip(self, node):
    raise nodes.SkipNode


def write_assets(app):
    """Copy the player's script and style sheet into the site once."""
    if app.builder.format != "html":
        return
    folder = Path(app.outdir) / "_static"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "player.js").write_text(player_page.script(), encoding="utf-8")
    (folder / "player.css").write_text(player_page.style_sheet(), encoding="utf-8")


def add_assets(app, pagename, templatename, context, doctree):
    if doctree is not None and next(doctree.findall(StepperNode), None) is not None:
        app.add_css_file("player.css")
        app.add_js_file("player.js")
        app.add_js_file("stepper.js", priority=600)


def setup(app):
    app.add_directive("stepper", Stepper)
    app.add_directive("receiver", Receiver)
    app.add_directive("graph", Graph)
    app.add_node(StepperNode, html=(visit, None), text=(visit_text, None), latex=(skip, None),
                 man=(skip, None))  # fmt: skip
    app.connect("builder-inited", write_assets)
    app.connect("html-page-context", add_assets)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
