"""Settings of a profile."""

import enum
from dataclasses import dataclass

__all__ = [
    "ActiveProfilerType",
    "ProfilerConfig",
    "ProfilerState",
    "RecordScope",
    "_ExperimentalConfig",
]

ProfilerState = enum.Enum(
    "ProfilerState",
    "Disabled CPU CUDA NVTX ITT PRIVATEUSE1 KINETO KINETO_GPU_FALLBACK KINETO_PRIVATEUSE1_FALLBACK KINETO_PRIVATEUSE1",
    start=0,
    module="minitorch._C._profiler",
)


ActiveProfilerType = enum.IntEnum(
    "ActiveProfilerType",
    "NONE LEGACY KINETO NVTX ITT PRIVATEUSE1",
    start=0,
    module="minitorch._C._profiler",
)
# the kinds of recorded events
RecordScope = enum.IntEnum(
    "RecordScope",
    "FUNCTION BACKWARD_FUNCTION TORCHSCRIPT_FUNCTION KERNEL_FUNCTION_DTYPE CUSTOM_CLASS BUILD_FEATURE "
    "LITE_INTERPRETER USER_SCOPE STATIC_RUNTIME_OP STATIC_RUNTIME_MODEL",
    start=0,
    module="minitorch._C._profiler",
)


class _ExperimentalConfig:
    """Options for PyTorch's collector, most of which have no effect on minitorch's.

    Parameters
    ----------
    capture_overload_names : bool
        Store the names of operator overloads in events.
    profile_all_threads : bool
        Profile all threads, not only the one that starts the profile.
    trace_only : bool
        Only write the profile to a file; its events cannot be read.
    verbose : bool
        Accepted for stacks, which a profile has if it was made `with_stack`.
    custom_profiler_config : str
    others
        Options for GPUs, threads and the collector itself.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch._C._profiler._ExperimentalConfig(trace_only=True).trace_only
    True
    """

    def __init__(
        self,
        profiler_metrics=(),
        profiler_measure_per_kernel=False,
        verbose=False,
        performance_events=(),
        enable_cuda_sync_events=False,
        adjust_profiler_step=False,
        disable_external_correlation=False,
        profile_all_threads=False,
        capture_overload_names=False,
        record_python_gc_info=False,
        expose_kineto_event_metadata=False,
        custom_profiler_config="",
        adjust_timestamps=False,
        trace_only=False,
    ):
        self.verbose = verbose
        self._capture_overload_names = capture_overload_names
        self._profile_all_threads = profile_all_threads
        self.custom_profiler_config = custom_profiler_config
        self.trace_only = trace_only


@dataclass
class ProfilerConfig:
    """The settings that decide what a profile records.

    Parameters
    ----------
    state : ProfilerState
    report_input_shapes, profile_memory, with_stack, with_flops, with_modules : bool
    experimental_config : _ExperimentalConfig
    trace_id : str
    """

    state: ProfilerState
    report_input_shapes: bool
    profile_memory: bool
    with_stack: bool
    with_flops: bool
    with_modules: bool
    experimental_config: _ExperimentalConfig
    trace_id: str = ""
