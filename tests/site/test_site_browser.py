"""The pages of the site in a browser: widths, accessibility, search, and what they load.

One page of every type is looked at, and all pages with ``MINITORCH_ALL_PAGES=1``.
"""

import os
import re

import pytest

from tests.docs.site import built, pages
from tests.site import browser as chromium

playwright = chromium.needed()
pytestmark = pytest.mark.slow

WIDTHS = (360, 768, 1280)
ALL = os.environ.get("MINITORCH_ALL_PAGES") == "1"
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
TYPES = (
    "index.html",  # the front page
    "search.html",
    "genindex.html",
    "learn/index.html",  # the contents of a section
    "start/gradients.html",  # text and examples
    "start/distributed.html",  # programs on two ranks
    "start/planning.html",  # formulas and tables of measurements
    "start/gallery/dcgan.html",  # a program
    "learn/zero/chain_rule.html",  # formulas
    "learn/forward.html",
    "learn/backward/02_arguments.html",  # a step
    "learn/side_paths/threads.html",  # two recordings
    "learn/side_paths/data_parallel.html",  # three of them, of several processes
    "learn/map.html",  # wide tables
    "learn/history.html",
    "learn/watch.html",  # the reader's own recording
    "learn/exercises/index.html",
    "reference/index.html",
    "reference/swa_utils.html",  # functions and classes
    "reference/collectives.html",
    "reference/data_parallel.html",
    "reference/derivatives/fourier.html",
    "reference/errors/index.html",
    "reference/errors/second-backward.html",
    "project/compatibility.html",  # generated tables
    "source/minitorch/autograd/graph_task.pyx.html",  # a file
)
# axe needs a millisecond or two for each element: of those with the same markup, the first are enough
THIN = """() => {
  const after = (selector, count) => {
    for (const parent of document.querySelectorAll(selector)) [...parent.children].slice(count).forEach((e) => e.remove());
  };
  document.querySelectorAll("table.genindextable ~ table.genindextable").forEach((e) => e.remove());
  after("article tbody", 8);
  after("article :is(ul, ol)", 12);
  const seen = new Map();
  for (const token of document.querySelectorAll("pre span[class]")) {
    if (token.children.length) continue;
    const around = ".hll, .marked, .admonition, details, .minitorch-player";
    const kind = token.className + " in " + token.parentElement.closest(around)?.className;
    seen.set(kind, (seen.get(kind) ?? 0) + 1);
    if (seen.get(kind) > 3) token.remove();
  }
}"""
AXE = """rules => axe.run({
  preload: false, resultTypes: ["violations"], ...(rules && {runOnly: {type: "rule", values: rules}})
})"""
# what the colours of a mode can break; the elements are the same in both
COLOURS = ["color-contrast", "link-in-text-block"]


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
        page.on("console", lambda message: complaints.append((page.url, message.type, message.text,
                message.location)) if message.type in ("error", "warning") else None)  # fmt: skip
        page.on("pageerror", lambda error: complaints.append((page.url, "error", str(error))))
        page.on("response", lambda response: complaints.append((page.url, response.status, response.url))
                if response.status >= 400 else None)  # fmt: skip
        page.on("request", lambda request: complaints.append((page.url, "request", request.url))
                if not request.url.startswith((address, "data:", "blob:")) else None)  # fmt: skip
        page.goto(address + name)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


def chosen():
    """Return a page of every type, or all pages without those of files."""
    if not ALL:
        return TYPES
    return [name for name in pages() if not name.startswith("source/")] + [TYPES[-1]]


def test_every_folder_has_a_page_among_the_types():
    known = {name.rpartition("/")[0] for name in TYPES if not name.startswith("source/")}
    found = {name.rpartition("/")[0] for name in pages() if not name.startswith("source/")}
    assert found == known
    assert set(TYPES) <= set(pages())


def test_only_code_scrolls_sideways(opened, address):
    page, found = opened("index.html"), {}
    for name in chosen():
        page.goto(address + name)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            if wide := page.evaluate(OVERFLOWING):
                found[name, width] = wide
    assert found == {}


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_axe_has_no_serious_finding(opened, address, mode):
    axe, found = chromium.axe(), {}
    rules = None if mode == "light" else COLOURS
    page = opened("index.html", color_scheme=mode, reduced_motion="reduce")
    for name in chosen():
        page.goto(address + name)
        assert page.evaluate("document.documentElement.dataset.theme") == mode
        if not ALL:
            page.evaluate(THIN)
        page.evaluate(axe)
        serious = [
            (violation["id"], violation["nodes"][0]["html"][:160], len(violation["nodes"]))
            for violation in page.evaluate(AXE, rules)["violations"]
            if violation["impact"] in ("serious", "critical")
        ]
        if serious:
            found[name] = serious
    assert found == {}


@pytest.mark.parametrize(
    "words, first, wanted",
    [
        ("Adam", "reference/optim.html#torch.optim.Adam", {"reference/optim.html"}),
        (
            "retain_graph",
            None,
            {"reference/errors/second-backward.html", "learn/side_paths/create_graph.html"},
        ),
        ("second time", "reference/errors/second-backward.html", set()),
    ],
)
def test_search_finds(opened, words, first, wanted):
    page = opened("search.html?q=" + words.replace(" ", "+"))
    page.wait_for_function(
        """document.querySelector("#search-results .search-summary")?.textContent.includes("found")""",
        timeout=30_000,
    )
    results = page.locator("#search-results ul.search > li > a")
    addresses = results.evaluate_all("links => links.map(link => link.getAttribute('href'))")
    addresses = [address.partition("?")[0] for address in addresses]
    assert wanted <= set(addresses)
    assert first is None or addresses[0] == first
    results.first.click()
    page.wait_for_url("**/" + addresses[0].partition("#")[0] + "*")
    assert words.split()[0].lower() in page.locator("article").inner_text().lower()


def test_the_search_button_opens_the_search(opened):
    page = opened("index.html", viewport={"width": 1280, "height": 900})
    page.get_by_role("button", name="Search").first.click()
    page.keyboard.type("retain_graph")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"search\.html\?q=retain_graph"))


def test_the_player_of_the_front_page_waits_for_the_reader(opened):
    page = opened("index.html")
    page.clock.install()
    page.reload()
    page.clock.run_for(20_000)
    slider = page.locator(".minitorch-player .mtp-slider")
    assert slider.input_value() == "0"
    page.locator(".minitorch-player").get_by_role("button", name="Play").click()
    page.clock.run_for(20_000)
    assert int(slider.input_value()) > 0


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
