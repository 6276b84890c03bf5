"""Configuration of the site: ``make docs``, after minitorch has been built in this checkout."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import minitorch  # noqa: E402

project = "minitorch"
author = "the minitorch authors"
version = release = minitorch.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build", "_generated"]
myst_enable_extensions = ["dollarmath", "deflist"]
myst_heading_anchors = 3

# types in docstrings are words for readers, and no links
napoleon_google_docstring = False
napoleon_use_param = False
napoleon_use_rtype = False
napoleon_use_ivar = True
autodoc_member_order = "bysource"
# what docstrings may name without a page here: Python's own, which would need its site to be reached
nitpick_ignore = [
    ("py:exc", name)
    for name in ("RuntimeError", "ValueError", "TypeError", "KeyError", "pickle.UnpicklingError")
]
# words in the types of attributes, and a class of the engine
nitpick_ignore += [("py:class", name) for name in ("optional", "dtype", "Gradients")]

html_theme = "pydata_sphinx_theme"
html_title = "minitorch"
html_show_sourcelink = False
html_theme_options = {
    "navigation_with_keys": False,
    "show_toc_level": 2,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": [],
    "footer_end": [],
}
