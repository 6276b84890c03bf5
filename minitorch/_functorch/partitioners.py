"""``torch._functorch.partitioners``: its names, of functions that are not here."""

from minitorch._functorch._compile_names import names

globals().update(
    names(
        "partitioners",
        "default_partition draw_graph min_cut_rematerialization_partition",
    )
)
