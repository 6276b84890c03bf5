"""``torch._functorch.compilers``: placeholders for functions that are not implemented."""

from minitorch._functorch._compile_names import names

globals().update(
    names(
        "compilers",
        "debug_compile default_decompositions draw_graph_compile memory_efficient_fusion nnc_jit nop print_compile ts_compile",
    )
)
