"""Chromium for tests of pages.

Needs ``pip install playwright`` and Chromium: Debian's package, or the path in CHROMIUM.
"""

import functools
import http.server
import os
import shutil
import subprocess
import tarfile
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
AXE = "4.10.3"  # the release of axe-core


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
    """Return the source of axe-core: the file in AXE, or npm's package, kept in the user's cache."""
    if "AXE" in os.environ:
        return Path(os.environ["AXE"]).read_text(encoding="utf-8")
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "minitorch"
    package = cache / f"axe-core-{AXE}.tgz"
    if not package.exists():
        npm = shutil.which("npm")
        if npm is None:
            pytest.skip("axe-core is missing: install npm, or set AXE to axe.min.js")
        cache.mkdir(parents=True, exist_ok=True)
        subprocess.run(
            [npm, "pack", "--silent", f"axe-core@{AXE}"],
            cwd=cache, check=True, capture_output=True, timeout=300,
        )  # fmt: skip
    with tarfile.open(package) as archive:
        return archive.extractfile("package/axe.min.js").read().decode()
