"""setuptools' build backend, preceded by a check of the machine.

pip queries the backend for build requirements before it fetches anything. A missing compiler is reported
then, in seconds, and not after NumPy and Cython have been downloaded. That is why the requirements
are in pyproject.toml under [tool.minitorch] rather than in [build-system].
"""

import tomllib
from pathlib import Path

from setuptools import build_meta
from setuptools.build_meta import *  # noqa: F403  the hooks that need no check
from setuptools.errors import PlatformError

from tools.machine import check_platform, find_compiler

ROOT = Path(__file__).resolve().parent.parent


def _requirements() -> list[str]:
    try:
        check_platform()
        find_compiler()
    except PlatformError as error:
        raise SystemExit(f"error: {error}") from None
    with open(ROOT / "pyproject.toml", "rb") as file:
        return tomllib.load(file)["tool"]["minitorch"]["build-requires"]


def get_requires_for_build_wheel(config_settings=None):
    """Return what a wheel is built with; exit with one sentence where none can be built."""
    return _requirements() + build_meta.get_requires_for_build_wheel(config_settings)


def get_requires_for_build_editable(config_settings=None):
    """Return what an editable install is built with; exit where none can be built."""
    return _requirements() + build_meta.get_requires_for_build_editable(config_settings)
