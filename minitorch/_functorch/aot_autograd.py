"""``torch._functorch.aot_autograd``: placeholders for functions that are not implemented."""

from minitorch._functorch._compile_names import names

globals().update(
    names(
        "aot_autograd",
        "aot_function aot_module aot_module_simplified compiled_function compiled_module get_aot_compilation_context get_aot_graph_name get_graph_being_compiled make_boxed_compiler make_boxed_func aot_export_module aot_export_joint_simple",
    )
)
