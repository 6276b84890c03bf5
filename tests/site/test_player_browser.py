"""The player in a browser: every recording forward and back, by mouse and by keyboard.

`browser.py` says what they need.
"""

import json

import pytest

import minitorch as torch
from minitorch.autograd.observe import player_page
from minitorch.autograd.observe.program_recording import record_program
from minitorch.autograd.observe.trace_explanations import shown_gradient
from minitorch.autograd.observe.trace_replay import replay
from tests.site import browser as chromium
from tests.site.replayed import PROGRAMS, expected

playwright = chromium.needed()
pytestmark = pytest.mark.slow
# what a reader sees, and the player's state
SNAPSHOT = """() => {
  const root = document.querySelector(".minitorch-player");
  const rows = (name) => [...root.querySelectorAll(`[data-list="${name}"] li[data-node]`)].map((row) => [
    Number(row.dataset.node), row.querySelector(".mtp-of")?.textContent ?? ""]);
  const line = (code) => {
    const row = root.querySelector(`${code} .mtp-current`);
    return row && Number(row.querySelector(".mtp-number").textContent);
  };
  return {
    state: root.state,
    counter: root.querySelector(".mtp-counter").textContent,
    slider: Number(root.querySelector(".mtp-slider").value),
    sentence: root.querySelector(".mtp-sentence").textContent,
    phases: Object.fromEntries([...root.querySelectorAll("[data-phase]")].map(
      (box) => [box.dataset.node, box.dataset.phase])),
    phaseTexts: Object.fromEntries([...root.querySelectorAll("[data-phase]")].map(
      (box) => [box.dataset.node, box.querySelector(".mtp-phase").textContent])),
    queue: rows("queue"), dependencies: rows("dependencies"), buffers: rows("buffers"),
    saved: rows("saved"), grads: rows("grads"), captured: rows("captured"),
    programLine: line(".mtp-panel-program"),
    engineLine: line(".mtp-panel-engine"),
    engineFunction: root.querySelector(".mtp-place code").textContent,
    error: root.querySelector(".mtp-error") && !root.querySelector(".mtp-error").hidden,
  };
}"""
WORDS = {
    "idle": "not in this pass",
    "waiting": "waiting for",
    "ready": "ready",
    "running": "running",
    "done": "done",
    "freed": "freed",
}


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as driver:
        browser = chromium.launched(driver)
        yield browser
        browser.close()


class Opened:
    """A page with a player, and everything that must not happen on it."""

    def __init__(self, page, text, path):
        self.page, self.complaints = page, []
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", self.requested)
        path.write_text(text, encoding="utf-8")
        page.goto(path.as_uri())

    def requested(self, request):
        if not request.url.startswith(("file:", "data:")):
            self.complaints.append(request.url)

    def click(self, label):
        # also a button that is disabled at an end, for which Playwright's own click would wait
        button = self.page.locator(f'.minitorch-player button[aria-label="{label}"]')
        box = (
            button if button.count() else self.page.get_by_text(label, exact=True)
        ).bounding_box()
        self.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def press(self, key):
        self.page.keyboard.press(key)

    def snapshot(self):
        return self.page.evaluate(SNAPSHOT)


@pytest.fixture
def opened(browser, tmp_path):
    contexts, pages = [], []

    def open_page(text, **options):
        contexts.append(
            browser.new_context(**{"viewport": {"width": 1280, "height": 900}} | options)
        )
        pages.append(Opened(contexts[-1].new_page(), text, tmp_path / f"page{len(pages)}.html"))
        return pages[-1]

    yield open_page
    complaints = [complaint for page in pages for complaint in page.complaints]
    for context in contexts:
        context.close()
    assert complaints == []


_recordings = {}


def recording_of(path):
    if path not in _recordings:
        _recordings[path] = json.loads(record_program(path).to_json())
    return _recordings[path]


@pytest.fixture(params=PROGRAMS, ids=lambda path: path.stem)
def recording(request):
    return recording_of(request.param)


def named(name):
    return recording_of(next(path for path in PROGRAMS if path.stem == name))


def shown_rows(gradients):
    return sorted(
        [node, ", ".join(map(shown_gradient, of if isinstance(of, list) else [of]))]
        for node, of in gradients.items()
    )


def check(seen, recording, k, states):
    """Compare the page after event k with both replays in Python."""
    wanted = expected(recording, k)
    event = recording["events"][k - 1] if k else None
    pushed = (
        k
        and any(  # by then the engine has counted the dependencies of the pass
            e["kind"] == "push" and e["task"] in (event["task"], event["task"] or e["task"])
            for e in recording["events"][:k]
        )
    )
    assert seen["state"] == states[k]
    assert seen["counter"] == f"event {k} of {len(recording['events'])}"
    assert seen["slider"] == k
    assert {int(n): phase for n, phase in seen["phases"].items()} == wanted["phases"]
    for node, phase in seen["phases"].items():
        text = seen["phaseTexts"][node]
        words = WORDS[phase]
        if phase == "idle" and not pushed:
            words = "not counted yet"
        assert (words if k else "recorded") in text
        if phase == "waiting" and int(node) in wanted["dependencies"]:
            assert text.endswith(f"waiting for {wanted['dependencies'][int(node)]}")
    assert sorted(node for node, _ in seen["queue"]) == sorted(wanted["queue"])
    numbers = [recording["nodes"][node]["sequence_nr"] for node, _ in seen["queue"]]
    order = [float("inf") if number is None else number for number in numbers]
    assert order == sorted(order, reverse=True)
    left = {node: count for node, count in wanted["dependencies"].items() if count}
    assert {node: int(text) for node, text in seen["dependencies"]} == left
    assert sorted(seen["buffers"]) == shown_rows(wanted["buffers"])
    assert sorted(seen["grads"]) == shown_rows(wanted["grads"])
    assert sorted(seen["captured"]) == shown_rows(wanted["captured"])
    for node, text in seen["saved"]:
        assert (text == "freed") == (node in wanted["freed"])
    if event is None:
        assert seen["programLine"] is None and seen["engineLine"] is None
    else:
        assert seen["sentence"] == f"{event['kind']} {event['sentence']}"
        assert seen["programLine"] == event["program_line"]
        assert seen["engineLine"] == event["line"]
        assert seen["engineFunction"] == event["function"]
    if recording["error"] is not None:
        assert seen["error"] == (k == len(recording["events"]))


@pytest.fixture
def states(recording):
    return [json.loads(json.dumps(state)) for state in replay(recording)]


def test_forward_and_back_by_mouse(opened, recording, states):
    page, count = opened(player_page.page(recording)), len(recording["events"])
    check(page.snapshot(), recording, 0, states)
    for k in range(1, count + 1):
        page.click("Forward")
        check(page.snapshot(), recording, k, states)
    page.click("Forward")
    check(page.snapshot(), recording, count, states)
    for k in reversed(range(count)):
        page.click("Back")
        check(page.snapshot(), recording, k, states)
    page.click("Last")
    check(page.snapshot(), recording, count, states)
    page.click("First")
    check(page.snapshot(), recording, 0, states)


def test_forward_and_back_by_keyboard(opened, recording, states):
    page, count = opened(player_page.page(recording)), len(recording["events"])
    for k in range(1, count + 1):
        page.press("ArrowRight")
        check(page.snapshot(), recording, k, states)
    for k in reversed(range(count)):
        page.press("ArrowLeft")
        check(page.snapshot(), recording, k, states)
    page.press("ArrowLeft")
    check(page.snapshot(), recording, 0, states)
    page.press("End")
    check(page.snapshot(), recording, count, states)
    page.press("Home")
    check(page.snapshot(), recording, 0, states)


def test_a_node_is_not_in_the_pass_only_when_the_dependencies_are_counted(opened):
    page = opened(player_page.page(named("chain")))
    page.press("ArrowRight")
    first = page.snapshot()["phaseTexts"].values()
    assert set(first) == {"· not counted yet"}
    assert "not in this pass" not in page.page.locator(".mtp-svg").get_attribute("aria-label")
    kinds = [event["kind"] for event in named("chain")["events"]]
    page.page.get_by_role("slider").fill(str(kinds.index("push") + 1))
    assert not any("not counted" in text for text in page.snapshot()["phaseTexts"].values())


def test_the_slider_jumps_and_its_keys_step_once(opened):
    recording = named("chain")
    states = list(map(json.loads, map(json.dumps, replay(recording))))
    page = opened(player_page.page(recording))
    slider = page.page.get_by_role("slider", name="Event")
    slider.fill("12")
    check(page.snapshot(), recording, 12, states)
    slider.press("ArrowRight")
    check(page.snapshot(), recording, 13, states)
    slider.press("Home")
    check(page.snapshot(), recording, 0, states)
    assert slider.get_attribute("aria-valuetext") == "event 0 of 27"


def test_space_plays_and_pauses(opened):
    page = opened(player_page.page(named("chain")))
    page.page.clock.install()
    live = page.page.locator(".mtp-sentence")
    page.press("Space")
    assert live.get_attribute("aria-live") == "off"
    assert page.page.get_by_role("button", name="Pause").is_visible()
    page.page.clock.run_for(20_000)
    assert 3 < page.snapshot()["slider"] < 27
    page.press("Space")
    assert live.get_attribute("aria-live") == "polite"
    reached = page.snapshot()["slider"]
    page.page.clock.run_for(20_000)
    assert page.snapshot()["slider"] == reached
    page.click("Play")
    page.page.clock.run_for(200_000)
    assert page.snapshot()["slider"] == 27
    assert page.page.get_by_role("button", name="Play").is_visible()


def test_a_reader_predicts_the_next_node(opened):
    recording = named("diamond")
    nodes = {node["title"]: node["id"] for node in recording["nodes"]}
    pop = next(
        e
        for e in recording["events"]
        if e["kind"] == "pop" and e["node"] == nodes["MulBackward0 #3"]
    )
    page = opened(player_page.page(recording))
    page.click("Predict")
    page.page.get_by_role("slider").fill(str(pop["number"] - 1))
    question = page.page.locator(".mtp-question")
    assert question.locator(".mtp-ask").inner_text() == "Which node runs next?"
    assert page.page.locator('[data-list="queue"]').inner_text().count("is next") == 0
    question.get_by_role("button", name="MulBackward0 #1").click()
    assert "Not yet: MulBackward0 #1 still waits for 3 gradients" in question.inner_text()
    question.get_by_role("button", name="ExpBackward0 #2").click()
    assert "is ready, but not first in the queue" in question.inner_text()
    assert page.snapshot()["slider"] == pop["number"] - 1
    question.get_by_role("button", name="MulBackward0 #3").click()
    assert page.snapshot()["slider"] == pop["number"]
    assert "Right: MulBackward0 #3 runs next." in question.inner_text()
    page.press("ArrowRight")
    assert question.inner_text() == "I will ask you before a node runs."
    page.click("Predict")
    assert question.is_hidden()


def test_predict_says_when_it_will_ask(opened):
    page = opened(player_page.page(named("chain")))
    question = page.page.locator(".mtp-question")
    assert question.is_hidden()
    page.click("Predict")
    assert question.inner_text() == "I will ask you before a node runs."
    page.click("Last")
    assert question.inner_text() == "No question is left. Step back to be asked again."


def before_a_question(recording):
    return next(e["number"] for e in recording["events"] if e["kind"] == "pop") - 1


@pytest.mark.parametrize("by_key", [False, True])
def test_a_step_forward_skips_a_question_and_says_so(opened, by_key):
    recording = named("chain")
    k = before_a_question(recording)
    title = recording["nodes"][recording["events"][k]["node"]]["title"]
    page = opened(player_page.page(recording))
    page.page.evaluate("k => minitorchPlayer.players[0].go(k)", k)
    page.click("Predict")
    question = page.page.locator(".mtp-question")
    assert "Which node runs next?" in question.inner_text()
    page.click("Play")
    assert "Choose a node, or step forward to skip" in question.inner_text()
    assert page.snapshot()["slider"] == k
    if by_key:
        page.page.locator(".mtp-title").click()
        page.press("ArrowRight")
    else:
        page.click("Forward")
    assert page.snapshot()["slider"] == k + 1
    assert question.inner_text() == f"Question skipped: {title} runs next."


@pytest.mark.parametrize("predicting", [False, True])
@pytest.mark.parametrize("width", [360, 500, 640])
def test_the_row_of_controls_is_stable_on_a_small_screen(opened, width, predicting):
    recording = named("diamond")
    page = opened(embedded("diamond"), viewport={"width": width, "height": 640})
    predict = page.page.get_by_role("button", name="Predict")
    before = predict.bounding_box()
    if predicting:
        page.click("Predict")
    places, heights = {tuple(before.values())}, set()
    for k in range(len(recording["events"]) + 1):
        page.page.evaluate("k => minitorchPlayer.players[0].go(k)", k)
        places.add(tuple(predict.bounding_box().values()))
        heights.add(page.page.locator(".mtp-bar").bounding_box()["height"])
    assert len(places) == 1
    assert len(heights) == 1
    assert heights.pop() < 0.4 * 640


@pytest.mark.parametrize("at_the_end", [False, True])
@pytest.mark.parametrize("width", [360, 500, 768, 1280])
@pytest.mark.parametrize("name", ["diamond", "chain"])
def test_the_controls_stay_where_they_are(opened, name, width, at_the_end):
    page = opened(embedded(name), viewport={"width": width, "height": 720})
    forward = page.page.get_by_role("button", name="Forward")
    page.click("Predict")
    if at_the_end:  # the bar is not held at the window's edge
        page.page.evaluate(
            "window.scrollTo(0, document.querySelector('.mtp-frame').getBoundingClientRect().bottom - 400)"
        )
    places = set()
    for _ in range(len(named(name)["events"])):
        if at_the_end:  # the panes above may grow
            places.add(forward.evaluate(
                "b => b.closest('.mtp-bar').getBoundingClientRect().bottom - b.getBoundingClientRect().top"))  # fmt: skip
            places.add(page.page.locator(".mtp-bar").bounding_box()["height"])
        else:
            places.add(tuple(forward.bounding_box().values()))
        page.page.evaluate("minitorchPlayer.players[0].forward()")
    assert len(places) == (2 if at_the_end else 1)


def test_playing_stops_at_a_question(opened):
    page = opened(player_page.page(named("chain")))
    page.page.clock.install()
    page.click("Predict")
    page.click("Play")
    page.page.clock.run_for(200_000)
    reached = page.snapshot()["slider"]
    assert named("chain")["events"][reached]["kind"] == "pop"


@pytest.mark.parametrize("width", [360, 768, 1280])
@pytest.mark.parametrize("name", ["broadcasting", "double_backward", "error", "re_entrant"])
def test_only_code_scrolls_sideways(opened, name, width):
    recording = named(name)
    page = opened(player_page.page(recording), viewport={"width": width, "height": 800})
    for k in (0, len(recording["events"]) // 2, len(recording["events"])):
        page.page.evaluate("k => minitorchPlayer.players[0].go(k)", k)
        wide = page.page.evaluate(
            """() => [...document.querySelectorAll("body *")].filter((e) =>
              !(e instanceof SVGElement) && e.clientWidth > 1 && e.scrollWidth > e.clientWidth + 1 &&
              !e.matches("pre, .mtp-canvas") && !e.closest("pre, details")).map((e) => e.className)"""
        )
        assert wide == []
        assert page.page.evaluate("document.documentElement.scrollWidth") <= width


CONTRASTS = """() => {
  const parse = (text) => (text.match(/[\\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((v) => v / 255).map((v) =>
    v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4).reduce((s, v, i) => s + v * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (e) => {
    for (; e; e = e.parentElement) {
      const box = e.matches("g") && e.querySelector(":scope > rect");
      if (box) return parse(getComputedStyle(box).fill);
      const [r, g, b, a = 1] = parse(getComputedStyle(e).backgroundColor);
      if (a > 0) return [r, g, b];
    }
    return [255, 255, 255];
  };
  const found = [];
  for (const e of document.querySelectorAll(".minitorch-player *")) {
    const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    if (!own || !e.getClientRects().length || e.closest("[aria-disabled=true], title, [hidden]")) continue;
    const style = getComputedStyle(e);
    const colour = parse(e instanceof SVGElement ? style.fill : style.color);
    const [a, b] = [light(colour), light(behind(e))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) found.push([e.getAttribute("class") || e.tagName, e.textContent.slice(0, 30), Number(ratio.toFixed(2))]);
  }
  return found;
}"""


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["diamond", "error", "inputs"])
def test_contrast_is_at_least_4_5_and_the_theme_of_the_page_wins(opened, name, scheme, theme):
    recording = named(name)
    text = player_page.page(recording).replace(
        '<html lang="en"', f'<html lang="en" data-theme="{theme}"'
    )
    page = opened(text, color_scheme=scheme)
    ground = page.page.evaluate(
        "getComputedStyle(document.querySelector('.mtp-frame')).backgroundColor"
    )
    assert (ground == "rgb(255, 255, 255)") == (theme == "light")
    page.page.locator("summary").click()
    found = []
    for k in range(0, len(recording["events"]) + 1, 3):
        page.page.evaluate("k => minitorchPlayer.players[0].go(k)", k)
        found += page.page.evaluate(CONTRASTS)
    assert found == []


def test_without_javascript_the_table_is_shown(opened):
    recording = named("shared_leaf")
    page = opened(player_page.page(recording), java_script_enabled=False)
    rows = page.page.locator("tbody tr")
    assert rows.count() == len(recording["events"])
    assert rows.first.is_visible() and page.page.locator("pre").is_visible()


def test_with_javascript_the_table_is_folded_away(opened):
    page = opened(player_page.page(named("shared_leaf")))
    assert page.page.locator("tbody tr").first.is_hidden()
    page.page.locator("summary").click()
    assert page.page.locator("tbody tr").first.is_visible()


def test_several_players_on_a_page_are_independent(opened):
    fragments = "".join(player_page.fragment(named(name), name) for name in ("chain", "hook"))
    page = opened(
        f"<!DOCTYPE html><html><head><link rel=icon href='data:,'>{player_page.assets()}</head><body>{fragments}</body></html>"
    )
    first, second = page.page.locator(".minitorch-player").all()
    second.focus()
    page.press("ArrowRight")
    page.press("ArrowRight")
    first.get_by_role("button", name="Forward").click()
    page.press("ArrowRight")
    assert page.page.evaluate("minitorchPlayer.players.map((player) => player.k)") == [2, 2]
    second.get_by_role("button", name="Last").click()
    assert page.page.evaluate(
        "minitorchPlayer.players.map((player) => player.root.state.event)"
    ) == [2, 32]


def embedded(*names):
    """Return a page with players between texts that are taller than the window."""
    fragments = "".join(player_page.fragment(named(name), name) for name in names)
    head = f"<head><link rel=icon href='data:,'>{player_page.assets()}</head>"
    text = "<p style='height: 1500px'><a href='#end'>A link</a></p>"
    return f"<!DOCTYPE html><html>{head}<body>{fragments}{text}</body></html>"


def test_arrow_keys_step_the_only_player_in_view_and_other_keys_scroll(opened):
    page = opened(embedded("chain"))
    event = "minitorchPlayer.players[0].k"
    keys = page.page.locator(".mtp-keys")
    assert keys.inner_text() == "← → step · more keys after a click here"
    page.press("ArrowRight")
    page.press("ArrowRight")
    page.press("ArrowLeft")
    assert page.page.evaluate(event) == 1
    page.press("End")
    page.page.wait_for_function("window.scrollY > 800")
    assert page.page.evaluate(event) == 1
    page.page.evaluate("window.scrollTo(0, document.body.scrollHeight)")
    page.press("ArrowRight")  # out of view
    assert page.page.evaluate(event) == 1
    page.page.evaluate("window.scrollTo(0, 0)")
    page.page.locator("a").evaluate("link => link.focus({ preventScroll: true })")
    page.press("ArrowRight")
    assert page.page.evaluate(event) == 1
    page.page.locator(".mtp-title").click()
    keys.get_by_text("← → step · Home End jump · Space plays", exact=True).wait_for()
    page.press("End")
    assert page.page.evaluate(event) == len(named("chain")["events"])
    page.page.locator("a").evaluate("link => link.focus({ preventScroll: true })")
    keys.get_by_text("more keys after a click here").wait_for()


@pytest.mark.parametrize("height", [560, 620, 680, 800])
@pytest.mark.parametrize("predicting", [False, True])
def test_the_current_line_is_not_behind_the_bar(opened, height, predicting):
    page = opened(embedded("chain"), viewport={"width": 1280, "height": height})
    if predicting:
        page.click("Predict")
    hidden = []
    for k in range(1, len(named("chain")["events"]) + 1):
        page.page.evaluate("k => minitorchPlayer.players[0].go(k)", k)
        line, pane, bar = page.page.evaluate(
            """() => [".mtp-panel-engine .mtp-current", ".mtp-panel-engine pre", ".mtp-bar"].map((name) => {
              const { top, bottom } = document.querySelector(name).getBoundingClientRect();
              return { top, bottom };
            })"""
        )
        room = min(pane["bottom"], bar["top"]) - pane["top"]
        if room > 3 * (line["bottom"] - line["top"]) and not (
            pane["top"] <= line["top"] and line["bottom"] <= min(pane["bottom"], bar["top"])
        ):
            hidden.append((k, line, pane, bar))
    assert hidden == []


def test_keys_of_several_players_need_the_focus(opened):
    page = opened(embedded("chain", "hook"))
    texts = page.page.locator(".mtp-keys")
    wanted = "Click here, then: ← → step · Home End jump · Space plays"
    assert texts.all_inner_texts() == [wanted, wanted]
    page.press("ArrowRight")
    assert page.page.evaluate("minitorchPlayer.players.map((player) => player.k)") == [0, 0]
    page.page.locator(".mtp-title").last.click()
    page.press("ArrowRight")
    assert page.page.evaluate("minitorchPlayer.players.map((player) => player.k)") == [0, 1]
    assert texts.all_inner_texts() == [wanted, wanted.removeprefix("Click here, then: ")]


def test_a_recording_can_be_mounted_by_a_script(opened):
    page = opened(player_page.page(named("chain")))
    states = [json.loads(json.dumps(state)) for state in replay(named("hook"))]
    page.page.evaluate(
        "recording => minitorchPlayer.mount(document.querySelector('.minitorch-player'), recording, 'hook')",
        named("hook"),
    )
    for k in range(1, 5):
        page.press("ArrowRight")
        check(page.snapshot(), named("hook"), k, states)


def test_numbers_are_written_as_in_the_explanations(opened):
    page = opened(player_page.page(named("chain")))
    values = [0.0, -2.0, 1 / 3, 2e-5, 1e-4, 99999.9, 123456.7, 1e6, 1.5e6 + 0.1, 1e20, -7.25e-12]
    values += [[1.0, [2.5]], "nan", True, 3]
    shown = page.page.evaluate("values => values.map(minitorchPlayer.shown)", values)
    assert shown == [shown_gradient({"values": value}) for value in values]


def test_long_lists_are_shortened(opened):
    leaves = [torch.ones((), requires_grad=True) for _ in range(20)]
    with torch.autograd.trace({f"x{k}": leaf for k, leaf in enumerate(leaves)}) as steps:
        sum(leaf * 2 for leaf in leaves).backward()
    page = opened(steps.to_html())
    page.click("Last")
    assert len(page.snapshot()["grads"]) == 12
    assert "and 8 more" in page.page.locator('[data-list="grads"]').inner_text()


def test_the_focus_stays_on_a_button_at_the_end(opened):
    page = opened(player_page.page(named("chain")))
    button = page.page.get_by_role("button", name="Last")
    button.press("Enter")
    assert page.page.evaluate("document.activeElement.className") == "mtp-last"
    assert button.get_attribute("aria-disabled") == "true"


def test_a_reader_plays_a_file_of_their_own(opened):
    recording = named("hook")
    states = [json.loads(json.dumps(state)) for state in replay(recording)]
    head = f"<head><link rel=icon href='data:,'>{player_page.assets()}</head>"
    page = opened(f"<!DOCTYPE html><html>{head}<body>{player_page.receiver()}</body></html>")
    files = page.page.locator("input[type=file]")

    def give(name, text):
        files.set_input_files(
            {"name": name, "mimeType": "application/json", "buffer": text.encode()}
        )

    give("other.json", json.dumps({"schema": "minitorch.trace/1"}))
    message = page.page.locator(".mtp-message")
    message.get_by_text(
        "other.json is not a recording: its schema is minitorch.trace/1."
    ).wait_for()
    for name in ("chain", "hook"):
        give(f"{name}.json", json.dumps(named(name)))
        message.get_by_text(f"{name}.json has {len(named(name)['events'])} events.").wait_for()
    assert page.page.locator(".minitorch-player").count() == 1
    page.press("ArrowRight")
    check(page.snapshot(), recording, 1, states)
