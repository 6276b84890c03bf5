"""Run a program with minitorch as torch; write what it prints and what its figures draw.

``python run_program.py FOLDER PROGRAM FIGURES [ARGUMENT ...]``. FIGURES is empty, or a file of functions
``draw_NAME(figure, names, output)`` with a Matplotlib figure, the program's variables (those of its
module and of its function ``main``) and the text it printed. Each writes ``NAME-light.svg`` and
``NAME-dark.svg``.
"""

import ast
import contextlib
import io
import json
import os
import runpy
import sys
import time
from pathlib import Path

import minitorch

INK = {"light": "#24292f", "dark": "#d4d8dd"}
FAINT = {"light": "#8a929a", "dark": "#6c757d"}
COLOURS = {
    "light": ["#3848c8", "#c2570c", "#1a7f37", "#8250df", "#bf3989"],
    "dark": ["#9dabff", "#f0a05a", "#5fce7c", "#c49bff", "#ff8cc8"],
}


def run(program, arguments):
    """Return the variables of the program and what it printed."""
    tree = ast.parse(program.read_text(encoding="utf-8"))
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef) and statement.name == "main":
            # keep the variables of main for the figures
            keep = ast.parse("globals()['_names_of_main'] = locals()").body[0]
            statement.body.append(keep)
    code = compile(ast.fix_missing_locations(tree), str(program), "exec")
    sys.argv = [str(program), *arguments]
    sys.path[0] = str(program.parent)
    names = {"__name__": "__main__", "__file__": str(program)}
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, names)
    return {**names, **names.get("_names_of_main", {})}, printed.getvalue()


def style(theme):
    from cycler import cycler

    ink, faint = INK[theme], FAINT[theme]
    return {
        "font.size": 11,
        "axes.titlesize": 11,
        "text.color": ink,
        "axes.labelcolor": ink,
        "axes.titlecolor": ink,
        "axes.edgecolor": faint,
        "xtick.color": faint,
        "ytick.color": faint,
        "xtick.labelcolor": ink,
        "ytick.labelcolor": ink,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.prop_cycle": cycler(color=COLOURS[theme]),
        "figure.facecolor": "none",
        "axes.facecolor": "none",
        "savefig.facecolor": "none",
        "legend.frameon": False,
        "svg.hashsalt": "minitorch",
    }


def draw(figures, names, output, folder):
    import matplotlib

    matplotlib.use("svg")
    from matplotlib.figure import Figure

    functions = runpy.run_path(str(figures))
    for name, function in functions.items():
        if not name.startswith("draw_"):
            continue
        for theme in ("light", "dark"):
            with matplotlib.rc_context(style(theme)):
                figure = Figure(figsize=(5.2, 3.2), layout="constrained")
                function(figure, names, output)
                name_of_file = f"{name.removeprefix('draw_')}-{theme}.svg"
                figure.savefig(folder / name_of_file, metadata={"Date": None})


def main():
    folder, program, figures, *arguments = sys.argv[1:]
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    minitorch.install_as_torch()
    started = time.perf_counter()
    names, output = run(Path(program), arguments)
    seconds = time.perf_counter() - started
    if os.environ.get("RANK", "0") != "0":  # one of several processes
        return
    if figures:
        draw(Path(figures), names, output, folder)
    (folder / "output.txt").write_text(output, encoding="utf-8")
    # last: it says that the run is complete
    (folder / "run.json").write_text(json.dumps({"seconds": seconds}), encoding="utf-8")


if __name__ == "__main__":
    main()
