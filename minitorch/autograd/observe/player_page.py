"""HTML that plays a recording: a page of its own, or a part of another page.

The script and the style sheet are in `player/`. Without JavaScript the reader sees the program and a
table of all events; the script replaces them by the player. No request leaves the page.
"""

import html
import json
import re
from pathlib import Path

from minitorch.autograd.observe.drawing import escaped
from minitorch.autograd.observe.trace_replay import replay

FOLDER = Path(__file__).with_name("player")
MAX_ROWS = 2000  # events in the static table
_DARK = re.compile(r'html\[data-theme="dark"\] \.minitorch-player \{(.*?)\}', re.DOTALL)


def script():
    """Return the JavaScript of the player; a page needs it once."""
    return (FOLDER / "player.js").read_text(encoding="utf-8")


def style_sheet():
    """Return the CSS of the player; a page needs it once.

    The colours for dark pages are written once in the file, and repeated here for pages whose theme
    follows the system.
    """
    text = (FOLDER / "player.css").read_text(encoding="utf-8")
    return text.replace("{ DARK }", "{" + _DARK.search(text)[1] + "}")


def assets():
    """Return ``<style>`` and ``<script>`` with all that the players of a page share."""
    return f"<style>\n{style_sheet()}</style>\n<script>\n{script()}</script>\n"


def fragment(recording, title=None):
    """Return the HTML of one player, for a page that has the `assets` or loads the two files.

    Parameters
    ----------
    recording : dict
        What `trace.recording` returns.
    title : str, optional
        The default is the name of the program.

    Examples
    --------
    >>> import minitorch as torch
    >>> with torch.autograd.trace() as steps:
    ...     torch.ones(2, requires_grad=True).sum().backward()
    >>> fragment(steps.recording(), "A sum").startswith('<div class="minitorch-player"')
    True
    """
    title = _title(recording, title)
    return (
        f'<div class="minitorch-player" data-title="{escaped(title)}">\n'
        f'<div class="mtp-static">\n{_program(recording)}{_table(recording, title)}</div>\n'
        f'<script type="application/json" class="mtp-recording">{_embedded(recording)}</script>\n'
        "</div>\n"
    )


def receiver():
    """Return the HTML of a place where a reader drops the JSON file of a trace to play it.

    The page needs the `assets`, as for a `fragment`.
    """
    return (
        '<div class="minitorch-receiver">\n'
        "<label>Drop the JSON file of a trace here, or choose it. It does not leave this page.\n"
        '<input type="file" accept=".json,application/json"></label>\n'
        '<p class="mtp-message" role="status"></p>\n'
        "<noscript><p>Playing a file needs JavaScript.</p></noscript>\n</div>\n"
    )


def page(recording, title=None):
    """Return a self-contained HTML page that plays a recording.

    Parameters
    ----------
    recording : dict
        What `trace.recording` returns.
    title : str, optional
        The default is the name of the program.
    """
    title = _title(recording, title)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="color-scheme" content="light dark">\n<title>{escaped(title)}</title>\n'
        # without this, a browser asks the server for an icon
        '<link rel="icon" href="data:,">\n'
        f'{assets()}</head>\n<body class="mtp-page">\n<main>\n<h1>{escaped(title)}</h1>\n{fragment(recording, title)}</main>\n'
        "</body>\n</html>\n"
    )


def frame(recording, title=None):
    """Return the HTML of a frame that contains the `page` of a recording, for a notebook.

    Scripts in the frame cannot reach the notebook around it.
    """
    return (
        f'<iframe class="minitorch-frame" srcdoc="{escaped(page(recording, title))}" '
        f'title="{escaped(_title(recording, title))}" sandbox="allow-scripts" '
        'style="width: 100%; height: 860px; border: 0"></iframe>'
    )


def _title(recording, title):
    program = recording["program"]
    return title or (f"Backward passes of {program['name']}" if program else "A backward pass")


def _embedded(recording):
    """Return JSON that can stand in a script element: no ``</script>`` and no ``<!--``."""
    return json.dumps(recording, separators=(",", ":")).replace("<", "\\u003c")


def _program(recording):
    program = recording["program"]
    if program is None:
        return ""
    return f'<pre tabindex="0">{html.escape(program["source"].rstrip())}</pre>\n'


def _table(recording, title):
    nodes, rows = recording["nodes"], []
    for state, event in zip(_after(recording), recording["events"][:MAX_ROWS], strict=False):
        task = state["tasks"].get(str(event["task"]), {"queue": (), "running": None})
        queue = ", ".join(nodes[node]["title"] for node in task["queue"]) or "empty"
        rows.append(
            f"<tr><td>{event['number']}</td><td>{escaped(event['sentence'])}</td>"
            f"<td>{escaped(queue)}</td><td><code>{event['function']}</code></td></tr>\n"
        )
    if len(recording["events"]) > MAX_ROWS:
        rows.append(
            f'<tr><td></td><td colspan="3">Event {MAX_ROWS + 1} and later are not shown.</td></tr>\n'
        )
    error = recording["error"]
    if error is not None:
        text = " ".join([f"{error['type']}: {error['text']}", *error["notes"]])
        rows.append(f'<tr><td></td><td colspan="3">{escaped(text)}</td></tr>\n')
    return (
        f"<table>\n<caption>{escaped(title)}, event by event</caption>\n"
        '<thead><tr><th scope="col">Event</th><th scope="col">What happens</th>'
        '<th scope="col">Ready queue</th><th scope="col">Function</th></tr></thead>\n'
        f"<tbody>\n{''.join(rows)}</tbody>\n</table>\n"
    )


def _after(recording):
    """Yield the state after each event."""
    states = replay(recording)
    next(states)
    yield from states
