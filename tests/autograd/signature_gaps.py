"""Where the interface differs from PyTorch's, and why; `test_signatures.py` holds the list to the truth."""

_OBSERVER = "traces of whole executions are not written here; the class says so when it is called"

_TYPE = "in an annotation that exists for type checkers; the tensors have them"

GAPS = {
    "autograd.profiler.profile.config": "the settings of PyTorch's own collector, a compiled object",
    "autograd.profiler_util.EventMetadata": "what a collector on NVIDIA's devices writes of a kernel",
    "utils._python_dispatch.autograd_would_have_decomposed": "asks for kernels by device, which nothing has here",
    **{
        f"utils._python_dispatch.{name}.{method}": _TYPE
        for name in ("TensorWithFlatten", "TraceableWrapperSubclass")
        for method in ("dim", "size", "storage_offset", "stride", "to")
    },
    **{
        f"profiler.ExecutionTraceObserver.{name}": _OBSERVER
        for name in (
            "build_execution_trace_obs_from_env", "cleanup", "get_output_file_path", "get_resources_dir",
            "get_resources_dir_for_et_path", "is_registered", "is_running", "register_callback", "start",
            "set_extra_resource_collection", "stop", "unregister_callback",
        )
    },
}  # fmt: skip
