"""Sphinx extension: a page for each assignment of the course, written from its source before the build.

``exercises/assignments/a04_value.py`` becomes ``docs/learn/exercises/a04_value.md``, which git ignores. The directive
``course-table`` shows the assignments of one part.
"""

import json
from pathlib import Path

from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "docs" / "learn" / "exercises"


def dropdowns(name: str, tiers: list[str]) -> list[str]:
    """Return the hints of one answer, each folded."""
    lines = []
    for number, tier in enumerate(tiers, 1):
        lines += [f":::{{dropdown}} `{name}`, hint {number} of {len(tiers)}", tier, ":::", ""]
    return lines


def pages() -> dict[str, str]:
    """Return the text of each assignment's page by name."""
    from exercises.bundle import page
    from exercises.source import all_sources

    found = {}
    for name, source in all_sources().items():
        text = page(source, link=lambda reading: f"[](/{reading}.md)", hints=dropdowns)
        head = f"---\ndescription: {json.dumps(source.about.goal, ensure_ascii=False)}\n---\n\n"
        found[name] = head + text
    return found


def write_pages(app=None) -> None:
    """Write the pages of all assignments, and remove those of assignments that are gone."""
    from docs._ext.reference import write

    texts = pages()
    for path in FOLDER.glob("a[0-9]*.md"):
        if path.stem not in texts:
            path.unlink()
    for name, text in texts.items():
        write(FOLDER / f"{name}.md", text)


class CourseTable(SphinxDirective):
    """Show the assignments of one part: what is built, and how hard, important and long it is."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self):
        from exercises.bundle import cell, stars
        from exercises.source import all_sources

        lines = [
            "| number | assignment | difficulty | importance | hours |",
            "|---|---|---|---|---|",
        ]
        for name, source in all_sources().items():
            self.env.note_dependency(str(source.path))
            about = source.about
            if about.part == self.arguments[0]:
                lines.append(
                    f"| {about.number} | [{about.title}]({name}.md): {cell(about.goal)} "
                    f"| {stars(about.difficulty)} | {stars(about.importance)} | {about.hours:g} |"
                )
        if len(lines) == 2:
            lines = ["The assignments of this part are still being written."]
        found = self.parse_text_to_nodes(StringList(lines, source=self.env.docname))
        for node in found:
            node["classes"].append("course-table")
        return found


def setup(app):
    app.add_directive("course-table", CourseTable)
    app.connect("builder-inited", write_pages)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
