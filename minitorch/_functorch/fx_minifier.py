"""``torch._functorch.fx_minifier``: placeholders for functions that are not implemented."""

from minitorch._functorch._compile_names import names

globals().update(
    names(
        "fx_minifier",
        "minifier",
    )
)
