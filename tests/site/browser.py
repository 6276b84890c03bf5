"""Chromium for tests of pages.

Needs ``pip install -e '.[site]'`` and Chromium: Debian's package, or the path in CHROMIUM.
"""

import functools
import http.server
import importlib.util
import os
import shutil
import threading
from pathlib import Path

import pytest

CHROMIUM = (
    os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
)
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def needed():
    """Return Playwright's module; skip the tests where it or Chromium is missing."""
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="playwright is missing: pip install playwright"
    )
    if CHROMIUM is None:
        pytest.skip("Chromium is missing: apt-get install chromium", allow_module_level=True)
    return playwright


def launched(driver):
    """Start Chromium."""
    return driver.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


def served(folder):
    """Serve a folder on this machine; return the server and its address."""
    handler = functools.partial(_Quiet, directory=str(folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_address[1]}/"


def axe():
    """Return the source of axe-core: the file in AXE, or the one that a package brings."""
    if "AXE" in os.environ:
        return Path(os.environ["AXE"]).read_text(encoding="utf-8")
    package = importlib.util.find_spec("axe_playwright_python")
    if package is None:
        pytest.skip("axe-core is missing: pip install axe-playwright-python")
    return (Path(package.origin).parent / "axe.min.js").read_text(encoding="utf-8")
