"""The careless changes that `tests/mutants.py` plants: file, fragment, replacement, what it breaks.

Each module of the core has a file here. A fragment occurs exactly once in its source;
`tests/test_mutant_list.py` checks it. A mutant with a reason in `equivalent` is not run, since nothing
that a program can observe changes.
"""

from tests.mutant_list import (
    accumulate_by_operators,
    accumulate_grad,
    allocator,
    engine,
    events,
    exec_info,
    grad_mode,
    graph_task,
    hooks,
    input_buffer,
    iterator,
    node,
    properties,
    roots,
    saved_tensor_hooks,
    saved_variable,
    sparse_tensor,
    storage,
    tensor_impl,
    variable,
)

CORE_TESTS = (
    "tests/autograd/test_accumulate_grad.py",
    "tests/autograd/test_engine.py",
    "tests/autograd/test_exec_info.py",
    "tests/autograd/test_grad_mode.py",
    "tests/autograd/test_graph_task.py",
    "tests/autograd/test_hooks_order.py",
    "tests/autograd/test_input_buffer.py",
    "tests/autograd/test_node.py",
    "tests/autograd/test_roots.py",
    "tests/autograd/test_saved_variable.py",
    "tests/autograd/test_variable.py",
    "tests/core/test_allocator.py",
    "tests/core/test_storage.py",
    "tests/core/test_tensor_impl.py",
    "tests/core/test_iterator_rules.py",
    "tests/autograd/test_backward.py",
    "tests/autograd/test_details.py",
    "tests/autograd/test_graph.py",
    "tests/autograd/test_hooks.py",
    "tests/autograd/test_node_hooks.py",
    "tests/autograd/test_inplace.py",
    "tests/autograd/test_refused.py",
    "tests/autograd/test_detach_in_place.py",
    "tests/autograd/test_saved_identity.py",
    "tests/autograd/test_raw_saved_tensors.py",
    "tests/autograd/test_grad_dtype.py",
    "tests/autograd/test_set_storage.py",
    "tests/autograd/test_stale_views.py",
    "tests/autograd/test_inference_mode.py",
    "tests/autograd/test_internals.py",
    "tests/autograd/test_graph_api.py",
    "tests/autograd/test_reentrant.py",
    "tests/autograd/test_saved_tensors.py",
    "tests/autograd/test_engine_behaviour.py",
    "tests/autograd/test_hooks_inplace.py",
    "tests/test_storages.py",
)

# Inline functions of a .pxd are compiled into every module that uses them. Rebuilding the generated nodes takes
# minutes, so only the modules near the engine are rebuilt, and only functions that matter there are changed.
REBUILT_WITH = {
    "autograd/graph_task.pxd": ["autograd/engine", "autograd/exec_info", "autograd/graph_task"],
    "autograd/node.pxd": [
        "autograd/engine",
        "autograd/exec_info",
        "autograd/graph_task",
        "autograd/hooks",
        "autograd/node",
        "autograd/roots",
        "autograd/saved_variable",
        "autograd/accumulate_grad",
    ],
    "core/storage.pxd": ["core/storage", "core/tensor_impl"],
}

ALL = [
    *engine.MUTANTS,
    *graph_task.MUTANTS,
    *exec_info.MUTANTS,
    *roots.MUTANTS,
    *accumulate_grad.MUTANTS,
    *input_buffer.MUTANTS,
    *saved_variable.MUTANTS,
    *node.MUTANTS,
    *hooks.MUTANTS,
    *variable.MUTANTS,
    *grad_mode.MUTANTS,
    *storage.MUTANTS,
    *tensor_impl.MUTANTS,
    *iterator.MUTANTS,
    *allocator.MUTANTS,
    *accumulate_by_operators.MUTANTS,
    *sparse_tensor.MUTANTS,
    *events.MUTANTS,
    *saved_tensor_hooks.MUTANTS,
    *properties.MUTANTS,
]
