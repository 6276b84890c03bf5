"""The options of the directive `stepper`, on a page that Sphinx builds."""

import subprocess
import sys

import pytest

from tests.docs.pages import ROOT
from tests.site import browser as chromium

playwright = chromium.needed()
pytestmark = pytest.mark.slow

CONFIGURATION = f"""
import sys
sys.path[:0] = [{str(ROOT)!r}, {str(ROOT / "docs" / "_ext")!r}]
extensions = ["myst_parser", "stepper"]
html_theme = "basic"
html_static_path = [{str(ROOT / "docs" / "_static" / "stepper.js")!r}]
"""
PAGE = """
# Players

```{stepper} recordings/chain.py
:caption: From the beginning
```

```{stepper} recordings/chain.py
:caption: From the fifth event
:start: 5
```

```{stepper} recordings/chain.py
:start: 9
:predict:
```

```{stepper} recordings/chain.py
:start: 1000
```
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    pytest.importorskip("myst_parser", reason="needs the docs extra: pip install -e '.[docs]'")
    folder = tmp_path_factory.mktemp("stepper")
    (folder / "conf.py").write_text(CONFIGURATION, encoding="utf-8")
    (folder / "index.md").write_text(PAGE, encoding="utf-8")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "-n", str(folder), str(folder / "site")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-4000:]
    return folder / "site" / "index.html"


@pytest.fixture
def page(built):
    with playwright.sync_playwright() as driver:
        browser = chromium.launched(driver)
        page = browser.new_page()
        complaints = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(built.as_uri())
        yield page
        browser.close()
        assert complaints == []


def test_a_player_opens_at_the_event_of_start(page):
    players = "minitorchPlayer.players"
    counts = page.evaluate(f"{players}.map(player => player.count)")
    assert page.evaluate(f"{players}.map(player => player.k)") == [0, 5, 9, counts[3]]
    counters = page.locator(".mtp-counter").all_inner_texts()
    assert counters[1] == f"event 5 of {counts[1]}"
    pressed = page.locator(".mtp-predict").evaluate_all(
        "buttons => buttons.map(button => button.getAttribute('aria-pressed'))"
    )
    assert pressed == ["false", "false", "true", "false"]


def test_a_player_goes_on_from_the_event_of_start(page):
    player = page.locator(".minitorch-player").nth(1)
    player.get_by_role("button", name="Forward").click()
    assert player.locator(".mtp-slider").input_value() == "6"
    player.get_by_role("button", name="First").click()
    assert player.locator(".mtp-slider").input_value() == "0"


def test_captions_name_the_players(page):
    titles = page.locator(".minitorch-player").evaluate_all(
        "players => players.map(player => player.dataset.title)"
    )
    assert titles[:2] == ["From the beginning", "From the fifth event"]
    assert titles[2] == "Backward passes of chain.py"
