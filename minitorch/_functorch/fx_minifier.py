"""``torch._functorch.fx_minifier``: its names, of functions that are not here."""

from minitorch._functorch._compile_names import names

globals().update(
    names(
        "fx_minifier",
        "minifier",
    )
)
