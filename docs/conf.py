"""Configuration of the site: ``make docs``, after minitorch has been built in this checkout."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXTENSIONS = ROOT / "docs" / "_ext"
sys.path[:0] = [str(ROOT), str(EXTENSIONS)]

import minitorch  # noqa: E402

project = "minitorch"
author = "the minitorch authors"
version = release = minitorch.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_design",
    "sphinx_copybutton",
    "sphinxext.opengraph",
]
# and every directive of ours
extensions += [
    path.stem for path in sorted(EXTENSIONS.glob("*.py")) if "\ndef setup(app" in path.read_text()
]
exclude_patterns = ["_build", "_generated", "_ext", "recordings"]
# a page that is still missing from a section
suppress_warnings = ["toc.empty_glob"]
myst_enable_extensions = ["attrs_inline", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
# ours, which need no script: docs/_ext/mathml.py
html_math_renderer = "mathml"
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
# the site has no address; with one, pages name it
ogp_site_url = ""
ogp_use_first_image = False
ogp_social_cards = {"enable": False}

# types in docstrings are words for readers, and no links
napoleon_google_docstring = False
napoleon_use_param = False
napoleon_use_rtype = False
napoleon_use_ivar = True
autodoc_member_order = "bysource"
# beside a page of the reference stands the last part of each name
toc_object_entries_show_parents = "hide"
# Objects of Python and NumPy have no links. With intersphinx, the build would need a network or copies of
# their inventories, and a reader without a network would find dead links. Their names are well known, so
# the site leaves them as text: these exceptions, and the types in docstrings.
nitpick_ignore = [
    ("py:exc", name)
    for name in ("RuntimeError", "ValueError", "TypeError", "KeyError", "pickle.UnpicklingError")
]
# words in the types of attributes, and a class of the engine
nitpick_ignore += [("py:class", name) for name in ("optional", "dtype", "Gradients")]

html_theme = "pydata_sphinx_theme"
html_title = "minitorch"
html_show_sourcelink = False
html_copy_source = False
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_favicon = "_static/favicon.svg"
# no page has a sidebar without an entry
html_sidebars = {
    f"{section}/**": ["sidebar-nav-bs"] for section in ("start", "learn", "reference", "project")
}
html_sidebars |= {page: [] for page in ("index", "search", "genindex", "py-modindex", "source/**")}
html_context = {"default_mode": "auto"}
html_theme_options = {
    "logo": {
        "image_light": "_static/logo-light.svg",
        "image_dark": "_static/logo-dark.svg",
        "text": "minitorch",
        "alt_text": "",
    },
    "navbar_align": "left",
    "navbar_persistent": ["search-button-field"],
    "navbar_end": ["theme-switcher"],
    "header_links_before_dropdown": 4,
    "navigation_with_keys": False,
    "show_nav_level": 1,
    "show_toc_level": 2,
    "secondary_sidebar_items": ["page-toc"],
    "article_header_start": ["breadcrumbs"],
    "pygments_light_style": "github-light",
    "pygments_dark_style": "github-dark",
    "back_to_top_button": False,
    "footer_start": [],
    "footer_center": [],
    "footer_end": [],
}
