"""The built site, for tests that read its pages.

`MINITORCH_SITE` names a folder where it has been built. Without it, Sphinx builds it once into
``docs/_generated/site`` and afterwards only what has changed.
"""

import functools
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import ROOT

NEEDED = ("sphinx", "myst_parser", "pydata_sphinx_theme", "sphinx_design", "sphinx_copybutton",
          "sphinxext.opengraph", "latex2mathml", "ziamath", "fontTools")  # fmt: skip


def built():
    """Return the folder of the site; skip the test where Sphinx is missing."""
    if "MINITORCH_SITE" in os.environ:
        return Path(os.environ["MINITORCH_SITE"]).resolve()
    for name in NEEDED:
        if importlib.util.find_spec(name.partition(".")[0]) is None:
            pytest.skip("needs the docs extra: pip install -e '.[docs]'")
    return _build()


@functools.cache
def _build():
    folder = ROOT / "docs" / "_generated" / "site"
    inventory = folder / "objects.inv"
    if inventory.exists():
        own = [ROOT / "docs" / "conf.py"]
        for name in ("_ext", "_static", "_templates"):
            own += (ROOT / "docs" / name).rglob("*.*")
        # Sphinx does not know that all pages depend on these
        if max(path.stat().st_mtime for path in own) > inventory.stat().st_mtime:
            shutil.rmtree(folder)
    command = [sys.executable, "-m", "sphinx", "-q", "-n", "docs", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-4000:]
    return folder


def pages():
    """Return ``{name: text}`` of all pages, such as ``learn/watch.html``."""
    return _read(built())


@functools.cache
def _read(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*.html"))
        if not {"_static", "_sources", "_downloads"} & set(path.relative_to(folder).parts)
    }
