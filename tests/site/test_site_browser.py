"""The pages of the site in a browser: widths, accessibility, search, and what they load.

Every type of page is looked at. With ``MINITORCH_ALL_PAGES=1``, the widths are tested on all pages.
"""

import os
import re

import pytest

from tests.docs.site import built, pages
from tests.site import browser as chromium

playwright = chromium.needed()
pytestmark = pytest.mark.slow

WIDTHS = (360, 768, 1280)
# what may scroll sideways: blocks of code, also the player's; and the boxes that clip them
OVERFLOWING = """() => {
  const code = "pre, div.highlight, .mtp-code, .mtp-canvas, code.mtp-code";
  const found = [];
  if (document.scrollingElement.scrollWidth > window.innerWidth + 1) {
    const wide = [...document.body.querySelectorAll("*")].filter((element) =>
      element.getBoundingClientRect().right > window.innerWidth + 1 && !element.closest(code)
      && element.checkVisibility({visibilityProperty: true}));
    found.push("page: " + wide.slice(-3).map((e) => e.outerHTML.slice(0, 120)).join(" | "));
  }
  for (const element of document.body.querySelectorAll("*")) {
    if (element.scrollWidth <= element.clientWidth + 1 || !element.clientWidth) continue;
    if (element.closest(code) || element.closest("dialog, .pst-js-only, select, math")) continue;
    const flow = getComputedStyle(element).overflowX;
    if (flow === "auto" || flow === "scroll") found.push(element.outerHTML.slice(0, 160));
  }
  return found;
}"""
SPECIAL = ("index.html", "search.html", "genindex.html", "learn/watch.html", "learn/exercises.html",
           "project/compatibility.html", "source/minitorch/autograd/engine.pyx.html")  # fmt: skip


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as driver:
        browser = chromium.launched(driver)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def address():
    server, address = chromium.served(built())
    yield address
    server.shutdown()


@pytest.fixture
def opened(browser, address):
    """Open pages of the site; nothing may be complained about or requested elsewhere."""
    complaints, contexts = [], []

    def open_page(name, **options):
        contexts.append(browser.new_context(**options))
        page = contexts[-1].new_page()
        page.on("console", lambda message: complaints.append((name, message.type, message.text))
                if message.type in ("error", "warning") else None)  # fmt: skip
        page.on("pageerror", lambda error: complaints.append((name, "error", str(error))))
        page.on("request", lambda request: complaints.append((name, "request", request.url))
                if not request.url.startswith((address, "data:", "blob:")) else None)  # fmt: skip
        page.goto(address + name)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


def names():
    return [name for name in pages() if not name.startswith("source/")] + [SPECIAL[-1]]


def types():
    """Return the special pages and two pages of every folder."""
    chosen, folders = {name: None for name in SPECIAL if name in pages()}, {}
    for name in names():
        of_folder = folders.setdefault(name.rpartition("/")[0], [])
        if len(of_folder) < 2:
            of_folder.append(name)
            chosen[name] = None
    return list(chosen)


def test_only_code_scrolls_sideways(opened):
    page = opened("index.html")
    found = {}
    # all pages take ten minutes
    for name in names() if os.environ.get("MINITORCH_ALL_PAGES") == "1" else types():
        page.goto(page.url.split("/", 3)[0] + "//" + page.url.split("/", 3)[2] + "/" + name)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            if wide := page.evaluate(OVERFLOWING):
                found[name, width] = wide
    assert found == {}


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_axe_has_no_serious_finding(opened, mode):
    axe, found = chromium.axe(), {}
    for name in types():
        page = opened(name, color_scheme=mode, reduced_motion="reduce")
        page.evaluate(axe)
        result = page.evaluate("axe.run({resultTypes: ['violations']})")
        serious = [
            (violation["id"], violation["nodes"][0]["html"][:160], len(violation["nodes"]))
            for violation in result["violations"]
            if violation["impact"] in ("serious", "critical")
        ]
        if serious:
            found[name] = serious
        page.close()
    assert found == {}


@pytest.mark.parametrize(
    "words, wanted",
    [("Adam", "Adam"), ("retain_graph", "retain_graph"), ("second time", "second time")],
)
def test_search_finds(opened, words, wanted):
    page = opened("search.html?q=" + words.replace(" ", "+"))
    page.wait_for_selector("#search-results ul.search li a", timeout=30_000)
    page.wait_for_function(
        "document.querySelector('#search-results .search-summary').textContent.includes('found')"
    )
    results = page.locator("#search-results ul.search li").all_inner_texts()
    assert results and any(wanted.lower() in text.lower() for text in results)


def test_the_search_button_opens_the_search(opened):
    page = opened("index.html", viewport={"width": 1280, "height": 900})
    page.get_by_role("button", name="Search").first.click()
    page.keyboard.type("retain_graph")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"search\.html\?q=retain_graph"))


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_the_front_page_plays_unless_the_reader_wants_no_motion(opened, motion):
    page = opened("index.html", reduced_motion=motion)
    page.clock.install()
    page.reload()
    page.clock.run_for(5000)
    event = int(page.locator(".minitorch-player .mtp-slider").input_value())
    assert event > 0 if motion == "no-preference" else event == 0


def test_a_dropped_trace_plays(opened, tmp_path):
    import minitorch as torch

    x = torch.ones(2, requires_grad=True)
    with torch.autograd.trace({"x": x}, values=4) as steps:
        (x * 2).sum().backward()
    steps.save(tmp_path / "steps.json")
    page = opened("learn/watch.html")
    page.set_input_files(".minitorch-receiver input", tmp_path / "steps.json")
    page.wait_for_selector(".minitorch-receiver .mtp-frame")
    message = page.locator(".minitorch-receiver .mtp-message").inner_text()
    assert message == f"steps.json has {len(steps)} events."
    (tmp_path / "other.json").write_text("{}")
    page.set_input_files(".minitorch-receiver input", tmp_path / "other.json")
    page.locator(".mtp-message").filter(has_text="other.json is not a recording").wait_for()


def test_a_page_can_be_read_without_a_script(opened):
    page = opened("index.html", java_script_enabled=False)
    assert page.locator(".mtp-static table").is_visible()
    assert "enters at" in page.locator(".mtp-static table").inner_text()


def test_numbers_of_lines_are_not_copied(opened):
    page = opened("source/minitorch/autograd/engine.pyx.html")
    text = page.locator(".source-file pre").inner_text()
    assert text.startswith('"""The engine')


def test_a_line_of_a_file_is_reached_by_its_address(opened):
    page = opened("source/minitorch/autograd/engine.pyx.html#L300")
    assert page.locator("#L300").is_visible()
    box = page.locator("#L300").bounding_box()
    assert 0 < box["y"] < 900
