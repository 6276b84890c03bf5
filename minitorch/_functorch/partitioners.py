"""``torch._functorch.partitioners``: placeholders for functions that are not implemented."""

from minitorch._functorch._compile_names import names

globals().update(
    names(
        "partitioners",
        "default_partition draw_graph min_cut_rematerialization_partition",
    )
)
