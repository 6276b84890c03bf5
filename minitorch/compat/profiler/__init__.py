"""Profiling: `profile`, optionally with a schedule of steps."""

from minitorch.core.lazy import lazy_attributes
from minitorch.optim.optimizer import register_optimizer_step_post_hook
from minitorch.profiler import _utils as _utils
from minitorch.profiler.profiler import (
    DeviceType,
    ExecutionTraceObserver,
    ProfilerAction,
    ProfilerActivity,
    _KinetoProfile,
    kineto_available,
    profile,
    record_function,
    schedule,
    supported_activities,
    tensorboard_trace_handler,
)

__all__ = [
    "DeviceType",
    "ExecutionTraceObserver",
    "ProfilerAction",
    "ProfilerActivity",
    "kineto_available",
    "profile",
    "record_function",
    "schedule",
    "supported_activities",
    "tensorboard_trace_handler",
]

__getattr__ = lazy_attributes(__name__, "_memory_profiler")
