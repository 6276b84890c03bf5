"""Kinds of faults that the site once had."""

import html
import re
from posixpath import dirname, join, normpath
from urllib.parse import unquote, urlsplit

import pytest

from minitorch.commands import explain
from minitorch.core.error_pages import explained
from tests.docs.pages import PAGES, ROOT, includes, name_of, source_finder
from tests.docs.site import built, pages

SHOWN = [(name_of(path), number, piece) for path in PAGES for number, piece in
         enumerate(includes(path))]  # fmt: skip
IDS = [f"{name}-{number}-{piece.file.rpartition('/')[2]}" for name, number, piece in SHOWN]
# elements that a browser loads without a click
LOADED = re.compile(
    r"<(?:script|img|iframe|source|video|audio|embed|object|use|image)\b[^>]*?"
    r'\s(?:src|srcset|data|xlink:href|href)="([^"]*)"'
)
LINKED = re.compile(r'<link\b([^>]*?)\shref="([^"]*)"([^>]*)>')
NOT_LOADED = re.compile(r'rel="(?:index|search|next|prev|canonical|author|alternate)"')
CODE = re.compile(r"<(script|style|pre|code|math|svg|title)\b.*?</\1>|<meta [^>]*>", re.DOTALL)


# ---- the excerpts of sources


@pytest.mark.parametrize("page, number, piece", SHOWN, ids=IDS)
def test_an_excerpt_shows_what_it_promises_and_nothing_else(page, number, piece):
    lines = piece.text.splitlines()
    assert any(line.strip() for line in lines)
    assert not any(
        source_finder.MARK.match(line) for line in lines if "object" not in piece.options
    )
    if piece.file.endswith(".toml"):
        assert sum(line.startswith("[") for line in lines) == 1
        return
    if not piece.file.endswith((".py", ".pyx", ".pxd")):
        return
    first, last = piece.start + 1, piece.start + len(lines)
    for name, found in source_finder.objects(str(ROOT / piece.file)).items():
        overlaps = found.first <= last and first <= found.last
        inside = first <= found.first and found.last <= last
        around = found.first <= first and last <= found.last
        assert not overlaps or inside or around, f"{name} is cut"
    if wanted := piece.options.get("object"):
        tops = [line for line in lines if re.match(r"(cdef )?class |c?p?def ", line)]
        assert len(tops) <= 1 and wanted.rpartition(".")[2] in piece.text


def test_a_block_shows_the_lines_that_its_caption_names():
    block = re.compile(
        r'<figure class="source-block".*?<a class="reference internal" href="[^"]*">'
        r"([^<]*), lines? (\d+)(?: to (\d+))?</a></figcaption>(.*?)</figure>",
        re.DOTALL,
    )
    line = re.compile(r'<span class="line[^"]*"[^>]* data-line=" *(\d+)">(.*?)\n</span>', re.DOTALL)
    files = {}
    for name, text in pages().items():
        for match in block.finditer(text):
            file, first, last = match[1], int(match[2]), int(match[3] or match[2])
            lines = files.setdefault(file, (ROOT / file).read_text().splitlines())
            shown = line.findall(match[4])
            numbers = [int(number) for number, _ in shown]
            assert numbers == sorted(set(numbers)) and first <= numbers[0], name
            assert numbers[-1] <= last, name
            for number, markup in shown:
                seen = html.unescape(re.sub(r"<[^>]*>", "", markup))
                assert seen.strip() == lines[int(number) - 1].strip(), (name, file, number)


# ---- the text of the pages


def test_no_paragraph_begins_with_a_pipe():
    for name, text in pages().items():
        assert not re.search(r"<p>\s*\|\s", text), name


def test_formulas_are_drawn_without_a_script():
    count = 0
    for name, text in pages().items():
        assert not re.search(r"<script[^>]*(mathjax|katex)", text, re.IGNORECASE), name
        if not name.startswith("source/"):
            count += text.count("<math ")
            prose = CODE.sub(" ", text)
            assert not re.search(r"\\[(\[]|\\frac|\\partial|\$\$", prose), name
    assert count


def test_a_formula_is_mathml():
    pytest.importorskip("docutils", reason="needs the docs extra: pip install -e '.[docs]'")
    from mathml import formula

    markup = html.unescape(formula(r"\frac{\partial L}{\partial x}", "block"))
    assert markup.startswith('<math alttext="') and "<mfrac>" in markup and "∂" in markup


def test_pages_have_a_title_and_a_description():
    for name, text in pages().items():
        title = re.search(r"<title>(.*?)</title>", text, re.DOTALL)[1]
        assert title.strip() and "no title" not in title, name
        if not name.startswith(("source/", "genindex", "search", "py-modindex")):
            assert re.search(r'<meta [^>]*name="description"', text) or re.search(
                r'<meta [^>]*property="og:description"', text
            ), name


# ---- what a page loads, and where it leads


def test_no_request_leaves_the_machine():
    for name, text in pages().items():
        text = re.sub(r'<script type="application/json".*?</script>', "", text, flags=re.DOTALL)
        loaded = LOADED.findall(text)
        loaded += [
            address
            for before, address, after in LINKED.findall(text)
            if not NOT_LOADED.search(before + after)
        ]
        outside = [address for address in loaded if re.match(r"(https?:)?//", address)]
        assert outside == [], name
    for path in built().rglob("*.css"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"""url\(["']?(https?:)?//|@import\s+["'](https?:)?//""", text), path


def test_links_inside_the_site_lead_somewhere():
    known = pages()
    ids = {}
    broken = []
    for name, text in known.items():
        if name.startswith(("source/", "genindex")):
            continue
        for address in set(re.findall(r'<a\b[^>]*?\shref="([^"]*)"', text)):
            parts = urlsplit(html.unescape(address))
            if parts.scheme or parts.netloc:
                continue
            target = normpath(join(dirname(name), unquote(parts.path))) if parts.path else name
            if target not in known:
                if not (built() / target).exists():
                    broken.append((name, address))
                continue
            if parts.fragment:
                if target not in ids:
                    ids[target] = set(re.findall(r'\s(?:id|name)="([^"]*)"', known[target]))
                if unquote(parts.fragment) not in ids[target]:
                    broken.append((name, address))
    assert broken == []


def test_the_address_that_a_note_gives_is_a_page():
    records = explain.pages()
    assert len(records) >= 30
    for name in records:
        (note,) = explained(RuntimeError(), name).__notes__
        address = re.search(r"\((\S+) on the site\)", note)[1]
        assert address in pages(), name
        printed = "\n".join(explain.show(records[name], records))
        assert f"On the site: {address}" in printed


def test_every_section_is_in_the_header():
    header = re.search(r'<ul class="bd-navbar-elements.*?</ul>', pages()["index.html"], re.DOTALL)
    links = re.findall(r'href="([^"]*)"[^>]*>\s*(.*?)\s*</a>', header[0], re.DOTALL)
    assert [(address, text.strip()) for address, text in links] == [
        ("start/index.html", "Start"),
        ("learn/index.html", "Learn"),
        ("reference/index.html", "Reference"),
        ("project/index.html", "Project"),
    ]
