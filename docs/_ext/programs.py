"""The directive ``run``: run a program when the site is built, show what it prints and draws.

    ```{run} ../examples/vae.py            (relative to docs/)
    :arguments: --epochs 25
    :ranks: 2                              (on so many processes; show what rank 0 prints)
    :figures: start/gallery/figures/vae.py (functions that draw)
    :figure: samples                       (show what this function draws; without it, the output)
    :caption: What the decoder makes of random codes
    :alt: Sixteen digits                   (for a figure)
    ```

A program is run once, by `run_program.py`, for all directives that name it with the same arguments
and figures. What it printed and drew stays in ``docs/_generated/programs`` until the program, a file
beside it that it imports, its figures or minitorch change. Each figure is drawn twice, for the light
and for the dark theme.
"""

import ast
import functools
import hashlib
import json
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective

DOCS = Path(__file__).resolve().parents[1]
ROOT = DOCS.parent
RUNNER = Path(__file__).with_name("run_program.py")
GENERATED = "_generated/programs"


class Run(SphinxDirective):
    required_arguments = 1
    option_spec = {
        "arguments": directives.unchanged,
        "figures": directives.unchanged_required,
        "figure": directives.unchanged_required,
        "caption": directives.unchanged,
        "alt": directives.unchanged,
        "ranks": directives.positive_int,
    }

    def run(self):
        program = (DOCS / self.arguments[0]).resolve()
        figures = self.options.get("figures")
        figures = (DOCS / figures).resolve() if figures else None
        arguments = shlex.split(self.options.get("arguments", ""))
        for file in [*files_of(program), *([figures] if figures else [])]:
            self.env.note_dependency(str(file))
        try:
            folder = result_of(program, arguments, figures, self.options.get("ranks", 1))
        except subprocess.CalledProcessError as error:
            raise self.error(f"{program.name} failed:\n{error.stderr}") from None
        if name := self.options.get("figure"):
            return [self.figure(folder, name)]
        return [self.output(folder, program, arguments)]

    def output(self, folder, program, arguments):
        text = (folder / "output.txt").read_text(encoding="utf-8").rstrip()
        seconds = json.loads((folder / "run.json").read_text(encoding="utf-8"))["seconds"]
        block = nodes.literal_block(text, text, language="text")
        start = ["run"]
        if "ranks" in self.options:
            start += ["--nproc-per-node", str(self.options["ranks"])]
        command = shlex.join(["python", "-m", "minitorch", *start, name_of(program), *arguments])
        command = self.options.get("caption", command)
        caption = nodes.caption("", "", nodes.literal(command, command))
        caption += nodes.Text(f" ({seconds:.1f} s)")
        box = nodes.container("", caption, block, literal_block=True, classes=["program-output"])
        box["classes"].append("literal-block-wrapper")
        self.set_source_info(box)
        return box

    def figure(self, folder, name):
        if "alt" not in self.options:
            raise self.error("a figure needs a text that describes it: :alt:")
        place = f"/{GENERATED}/{folder.name}"
        figure = nodes.figure("", classes=["program-figure"])
        # the theme hides a caption that follows an image of the other theme as a sibling
        images = nodes.container("")
        figure += images
        for theme in ("light", "dark"):
            if not (folder / f"{name}-{theme}.svg").exists():
                raise self.error(f"the figures have no function {name!r}")
            images += nodes.image(
                uri=f"{place}/{name}-{theme}.svg",
                alt=self.options["alt"],
                classes=[f"only-{theme}"],
            )
        if caption := self.options.get("caption"):
            children, messages = self.state.inline_text(caption, self.lineno)
            figure += nodes.caption(caption, "", *children)
            figure += messages
        self.set_source_info(figure)
        return figure


def name_of(program):
    return program.relative_to(ROOT).as_posix()


def files_of(program):
    """Return the program and the files of its folder that it imports."""
    tree = ast.parse(program.read_text(encoding="utf-8"))
    names = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.append(node.module)
    beside = [program.with_name(f"{name}.py") for name in names if "." not in name]
    return [program, *sorted(file for file in beside if file.exists())]


@functools.cache
def newest_source():
    """Return when minitorch last changed, in nanoseconds."""
    files = (ROOT / "minitorch").rglob("*")
    return max(file.stat().st_mtime_ns for file in files if file.suffix in (".py", ".so"))


def result_of(program, arguments, figures, ranks):
    """Return the folder with ``output.txt``, ``run.json`` and the figures; run what has changed."""
    key = hashlib.sha256(repr((arguments, ranks, newest_source())).encode())
    for file in [*files_of(program), RUNNER, *([figures] if figures else [])]:
        key.update(file.read_bytes())
    folder = DOCS / GENERATED / f"{program.stem}-{key.hexdigest()[:16]}"
    if not (folder / "run.json").exists():
        command = [str(RUNNER), str(folder), str(program), str(figures or "")]
        if ranks > 1:
            command = ["-m", "minitorch.distributed.run", "--nproc-per-node", str(ranks), *command]
        # one thread: on a busy machine the threads of small loops wait for each other
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
        with tempfile.TemporaryDirectory() as place:  # for what it writes
            subprocess.run(
                [sys.executable, *command, *arguments],
                cwd=place,
                check=True,
                env=environment,
                capture_output=True,
                text=True,
            )
    return folder


def setup(app):
    app.add_directive("run", Run)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
