"""The profiler: how often operators and nodes ran, and how long.

autograd/observe/record_functions.pyx tells of what happens; autograd/observe/profiler_recorder.py makes events of it.
"""

import copy
import functools
import json
import uuid
from dataclasses import dataclass
from time import perf_counter_ns
from warnings import warn

from minitorch.autograd import kineto_available
from minitorch.autograd.calls import FUNCTION, begin_block, end_block
from minitorch.autograd.observe import profiled_blocks as _profiled_blocks
from minitorch.autograd.observe.chrome_trace import chrome_trace
from minitorch.autograd.observe.entering import enter_profile, exit_profile, run, running
from minitorch.autograd.observe.nvprof import load_nvprof, parse_nvprof_trace
from minitorch.autograd.observe.profiler_config import (
    ActiveProfilerType,
    ProfilerConfig,
    ProfilerState,
    _ExperimentalConfig,
)
from minitorch.autograd.observe.profiler_recorder import Recorder
from minitorch.autograd.observe.profiler_steps import EnforceUnique, KinetoStepTracker
from minitorch.autograd.profiler_util import (
    EventList,
    FunctionEvent,
    FunctionEventAvg,
    MemRecordsAcc,
)

__all__ = [
    "EnforceUnique",
    "EventList",
    "FunctionEvent",
    "FunctionEventAvg",
    "KinetoStepTracker",
    "MemRecordsAcc",
    "emit_itt",
    "emit_nvtx",
    "kineto_available",
    "load_nvprof",
    "parse_nvprof_trace",
    "profile",
    "record_function",
]

_is_profiler_enabled = False  # whether one runs that is not of the former class


def _profiler_enabled():
    """Return whether a profile runs."""
    return running() is not None


def _profiler_type():
    """Which class of profiles runs."""
    if running() is None:
        return ActiveProfilerType.NONE
    return ActiveProfilerType.KINETO if _is_profiler_enabled else ActiveProfilerType.LEGACY


@dataclass
class _ProfilerStats:
    """How long the profile ran, and its own calls took."""

    profiling_window_duration_sec: float = 0
    number_of_events: int = 0
    profiler_prepare_call_duration_us: int = 0
    profiler_enable_call_duration_us: int = 0
    profiler_disable_call_duration_us: int = 0
    parse_kineto_call_duration_us: int = 0
    function_events_build_tree_call_duration_us: int = 0


class profile:
    """Measure what runs in a block.

    Parameters
    ----------
    enabled : bool, default True
        False: nothing is measured.
    use_cuda, use_device, use_kineto, use_cpu, with_modules, post_processing_timeout_s, activity_filters
        Checked; there is nothing but the CPU and one source of events.
    record_shapes : bool
        Note the shapes, strides and types of operators' inputs, and their numbers.
    with_flops : bool
        Count the operations of matrix products, convolutions, sums and products.
    profile_memory : bool
        Follow the memory that tensors take and give back.
    with_stack : bool
        Note the lines of the program.
    experimental_config : torch._C._profiler._ExperimentalConfig, optional
    acc_events : bool
        Keep the events of former measurements by this profile.
    custom_trace_id_callback : callable, optional
        Names the measurements.

    Raises
    ------
    RuntimeError
        If it is entered twice. (Inside of another one it ends that, which has no events then.)
    AssertionError
        If nothing is to be measured.
    ValueError
        If the timeout is negative.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.ones(2, 2, requires_grad=True)
    >>> with torch.autograd.profiler.profile() as prof:
    ...     (x * x).sum().backward()
    >>> [e.name for e in prof.function_events][:2]
    ['aten::mul', 'aten::sum']
    >>> sorted(e.key for e in prof.key_averages() if "Backward" in e.key and ":" not in e.key)
    ['MulBackward0', 'SumBackward0']
    """

    _is_present = True  # not of the former class, whose profiles `_is_profiler_enabled` ignores

    def __init__(
        self,
        enabled=True,
        *,
        use_cuda=False,
        use_device=None,
        record_shapes=False,
        with_flops=False,
        profile_memory=False,
        with_stack=False,
        with_modules=False,
        use_kineto=False,
        use_cpu=True,
        experimental_config=None,
        acc_events=False,
        custom_trace_id_callback=None,
        post_processing_timeout_s=None,
        activity_filters=None,
    ):
        self.enabled = enabled
        if not enabled:
            return
        self.use_cuda = use_cuda
        if use_cuda:
            warn(
                "The attribute `use_cuda` will be deprecated soon, please use ``use_device = 'cuda'`` instead.",
                FutureWarning,
                stacklevel=2,
            )
            use_device = "cuda"
        self.entered = False
        self.record_shapes = record_shapes or with_flops
        self.with_flops = with_flops
        self.profile_memory = profile_memory
        self.with_stack = with_stack
        self.with_modules = with_modules
        self.use_cpu = use_cpu
        self.acc_events = acc_events
        self.experimental_config = experimental_config or _ExperimentalConfig()
        if self.experimental_config.trace_only and with_stack:
            warn(
                "trace_only=True is incompatible with with_stack=True (stack traces require event post-processing). "
                "Disabling trace_only.",
                stacklevel=2,
            )
            self.experimental_config = copy.copy(self.experimental_config)
            self.experimental_config.trace_only = False
        self.custom_trace_id_callback = custom_trace_id_callback
        self.post_processing_timeout_s = post_processing_timeout_s
        self.activity_filters = activity_filters or {}
        self.trace_id = ""
        self._stats = _ProfilerStats()
        self.profiler_kind = ProfilerState.KINETO
        self._recorder = self._recorded = None
        self._written = False  # what a trace was written of
        self._is_complete = False
        self._events = EventList(profile_memory=profile_memory, with_flops=with_flops)
        self._events._complete()
        if not use_cpu and not use_kineto:
            raise AssertionError("Device-only events supported only with Kineto (use_kineto=True)")
        self.use_device = None if use_device is None else _usable(use_device)
        if use_device == "cuda":
            self.use_cuda = False
        if not use_cpu:
            raise AssertionError("No activities specified for the profiler")
        if post_processing_timeout_s is not None and post_processing_timeout_s < 0:
            raise ValueError("post_processing_timeout_s must be non-negative")

    def default_trace_id(self):
        """Return a unique name for this measurement: 32 hexadecimal digits."""
        return uuid.uuid4().hex.upper()

    def create_trace_id(self):
        """Return a name for this measurement, from the program's function if it has given one."""
        return (self.custom_trace_id_callback or self.default_trace_id)()

    def config(self, create_trace_id=False):
        """Return the settings, with a new name for the measurement if `create_trace_id` is set.

        Examples
        --------
        >>> import minitorch as torch
        >>> torch.autograd.profiler.profile(with_stack=True).config().with_stack
        True
        """
        if create_trace_id:
            self.trace_id = self.create_trace_id()
        return ProfilerConfig(
            self.profiler_kind,
            self.record_shapes,
            self.profile_memory,
            self.with_stack,
            self.with_flops,
            self.with_modules,
            self.experimental_config,
            self.trace_id,
        )

    __enter__ = enter_profile
    __exit__ = exit_profile

    def _prepare_trace(self):
        self.entered = True
        self.config(create_trace_id=True)

    def _start_trace(self):
        self.entered = True
        started = perf_counter_ns()
        self._recorder = Recorder(
            self.record_shapes,
            self.with_flops,
            self.with_stack,
            self.profile_memory,
            self.experimental_config._capture_overload_names,
            self.experimental_config._profile_all_threads,
        )
        run(self._recorder, globals() if self._is_present else None)
        self._began = perf_counter_ns()
        self._stats.profiler_enable_call_duration_us = (self._began - started) // 1000

    def _collect(self):
        """Collect the events of a profile that has stopped."""
        if self._recorder is None:
            return False
        ended = self._recorder.stopped
        self._recorder.collect()
        former = list(self._events) if self.acc_events else []
        events = EventList(self._recorder.events)
        events._complete()
        self._events[:] = [*events, *former]
        self._stats.profiling_window_duration_sec = (ended - self._began) / 1e9
        self._stats.profiler_disable_call_duration_us = (perf_counter_ns() - ended) // 1000
        self._stats.number_of_events = len(self._events)
        self._recorded, self._recorder = self._recorder, None
        self._is_complete = True
        return False

    def toggle_collection_dynamic(self, enabled, activities):
        """Stop listening while the profile runs, or go on.

        Parameters
        ----------
        enabled : bool
        activities : iterable of ProfilerActivity
            Only the CPU's can be switched, being all there is.
        """
        recorder = self._recorder
        if recorder is None or all(activity.name != "CPU" for activity in activities):
            return
        if enabled:
            recorder.listen()
        else:
            recorder.listen_no_more()

    def __repr__(self):
        done = self._is_complete
        return repr(self._ensured()) if done else "<unfinished torch.autograd.profile>"

    def __str__(self):
        return self._ensured().table() if self._is_complete else repr(self)

    @property
    def function_events(self):
        """The events, in the order they began."""
        return self._ensured()

    def _ensured(self):
        if self.experimental_config.trace_only:
            raise RuntimeError(
                "events() is not available when trace_only=True in ExperimentalConfig. Use export_chrome_trace() "
                "instead."
            )
        return self._events

    def table(
        self,
        sort_by=None,
        row_limit=100,
        max_src_column_width=75,
        max_name_column_width=55,
        max_shapes_column_width=80,
        header=None,
        top_level_events_only=False,
    ):
        """Return the events as a table; see `EventList.table`."""
        return self._ensured().table(
            sort_by=sort_by,
            row_limit=row_limit,
            max_src_column_width=max_src_column_width,
            max_name_column_width=max_name_column_width,
            max_shapes_column_width=max_shapes_column_width,
            header=header,
            top_level_events_only=top_level_events_only,
        )

    def key_averages(
        self, group_by_input_shape=False, group_by_stack_n=0, group_by_overload_name=False
    ):
        """Return the events, combined by name; see `EventList.key_averages`."""
        return self._ensured().key_averages(
            group_by_input_shape, group_by_stack_n, group_by_overload_name
        )

    def total_average(self):
        """All events together."""
        return self._ensured().total_average()

    @property
    def self_cpu_time_total(self):
        """The sum of the events' own times, in microseconds."""
        return self._ensured().self_cpu_time_total

    def export_chrome_trace(self, path, metadata=None, use_python_export=False):
        """Write the events as JSON that chrome://tracing and Perfetto show.

        Parameters
        ----------
        path : str
        metadata : dict of str to str, optional
            Written beside the events.

        Raises
        ------
        RuntimeError
            They have been written before.
        """
        if self._recorded is self._written:
            raise RuntimeError("Trace is already saved.")
        settings = {"trace_id": self.trace_id}
        for name in ("record_shapes", "profile_memory", "with_stack", "with_modules", "with_flops"):
            if getattr(self, name):
                settings[name] = 1
        with open(path, "w") as file:
            json.dump(chrome_trace(path, self._recorded, {**settings, **(metadata or {})}), file)
        self._written = self._recorded

    def export_stacks(self, path, metric="self_cpu_time_total"):
        """Write stacks with their weights, for flame graphs; `with_stack` has to be True."""
        events = self._ensured()
        if not self.with_stack:
            raise AssertionError("export_stacks() requires with_stack=True")
        return events.export_stacks(path, metric)


def _usable(device):
    """None, with a warning: there is no such device here."""
    if device not in ("cuda", "xpu", "mtia", "hpu"):
        warn(f"The {device} is not a valid device option.", stacklevel=3)
    elif device == "mtia":
        raise AssertionError(
            "Legacy MTIA profiling is not supported. Requires use_kineto=True on MTIA devices."
        )
    else:
        name = device.upper()
        warn(f"{name} is not available, disabling {name} profiling", stacklevel=3)


class record_function:
    """Name a block or a function in a profile.

    Parameters
    ----------
    name : str
    args : str, optional

    Examples
    --------
    >>> import minitorch as torch
    >>> with torch.autograd.profiler.profile() as prof:
    ...     with torch.autograd.profiler.record_function("mine"):
    ...         y = torch.ones(2) + 1
    >>> prof.function_events[0].name
    'mine'
    """

    def __init__(self, name, args=None):
        self.name = name
        self.args = args
        self.run_callbacks_on_exit = True
        self.record = None  # the block entered last
        self._entered = []

    def __enter__(self):
        self.record = _profiled_blocks.begin(self.name, self.args)
        self._entered.append(self.record)
        return self

    def __exit__(self, *error):
        if not self.run_callbacks_on_exit:
            return
        self._check_entered()
        if self._entered:
            _profiled_blocks.end(self._entered.pop())

    def _check_entered(self):
        if self.record is None:
            raise AssertionError("Expected record to be set")

    def _call_end_callbacks_on_future(self, fut):
        """End the block with a future, and not where it is left; gives a future that is there after that."""
        if not self.run_callbacks_on_exit:
            raise RuntimeError("_call_end_callbacks_on_future can only be called once.")
        self.run_callbacks_on_exit = False
        self._check_entered()
        record = self.record

        def end(done):
            _profiled_blocks.end(record)
            return done.value()

        return fut.then(end)

    def __call__(self, func):
        @functools.wraps(func)
        def wrapper(*args, **kwargs):
            with record_function(self.name, self.args):
                return func(*args, **kwargs)

        return wrapper


class ProfiledBlock:
    """A block with a name and the values that it works on, in a profile; may be entered again and again.

    Parameters
    ----------
    name : str
    input_values : list or tuple, optional
        Whose shapes are noted.
    keyword_values : dict, optional
        Numbers and texts, kept as they are.

    Raises
    ------
    TypeError
        `name` is no text.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.ones(2, 3)
    >>> with torch.autograd.profiler.profile(record_shapes=True) as prof:
    ...     with torch._C._profiler._RecordFunctionFast("mine", [x], {"stream": 0}):
    ...         pass
    >>> prof.function_events[0].input_shapes, prof.function_events[0].kwinputs
    ([[2, 3]], {'stream': 0})
    """

    def __init__(self, name, input_values=None, keyword_values=None):
        if not isinstance(name, str):
            raise TypeError("The name passed to RecordFunctionFast must be a string")
        self._name, self._values = name, list(input_values or ())
        self._keywords = dict(keyword_values or {})
        self._entered = []

    def __enter__(self):
        begun = begin_block(self._name, FUNCTION, self._values, keywords=self._keywords)
        self._entered.append(begun)

    def __exit__(self, *error):
        if self._entered:
            end_block(self._entered.pop())


class emit_itt:
    """Marks for Intel's profiler, which are not written here.

    Parameters
    ----------
    enabled, record_shapes : bool

    Examples
    --------
    >>> import minitorch as torch
    >>> with torch.autograd.profiler.emit_itt(enabled=False):
    ...     y = torch.ones(1) * 2
    """

    def __init__(self, enabled=True, record_shapes=False):
        self.enabled = enabled
        self.entered = False
        self.record_shapes = record_shapes

    def __enter__(self):
        if not self.enabled:
            return None
        if self.entered:
            raise RuntimeError(f"{self._kind} annotation context manager is not reentrant")
        self.entered = True
        return self._opened()

    _kind = "ITT"

    def _opened(self):
        return self

    def __exit__(self, *error):
        return False


class emit_nvtx(emit_itt):
    """Marks for NVIDIA's profiler, which needs CUDA.

    Parameters
    ----------
    enabled : bool, default True
        If False, the block runs without marks.
    record_shapes : bool, default False
        Would record the shapes of the arguments.

    Raises
    ------
    AssertionError
        When it is entered: there is no CUDA here.

    Examples
    --------
    >>> import minitorch as torch
    >>> with torch.autograd.profiler.emit_nvtx(enabled=False):
    ...     y = torch.ones(1) * 2
    """

    _kind = "NVTX"

    def _opened(self):
        raise AssertionError("Torch not compiled with CUDA enabled")
