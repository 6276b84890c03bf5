"""`profile` with a schedule of steps, based on `minitorch.autograd.profiler`."""

import copy
import enum
import functools
import gzip
import json
import os
import shutil
import socket
import tempfile
import time
from warnings import warn

from minitorch.autograd import profiler as _profiler
from minitorch.autograd.observe.entering import enter_steps, exit_steps
from minitorch.autograd.profiler import kineto_available, record_function
from minitorch.core.device_type import DeviceType
from minitorch.profiler._execution_trace import ExecutionTraceObserver

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


class ProfilerActivity(enum.Enum):
    """The kinds of activities to profile.

    Parameters
    ----------
    value : int
        The number of a member; ``ProfilerActivity(0)`` is one.
    names, module, qualname, type, start, boundary : optional
        The other arguments of Python's enumerations, which create a new one.

    Examples
    --------
    >>> import minitorch as torch
    >>> [activity.name for activity in torch.profiler.ProfilerActivity]
    ['CPU', 'XPU', 'MTIA', 'CUDA', 'HPU', 'PrivateUse1']
    """

    CPU = 0
    XPU = 1
    MTIA = 2
    CUDA = 3
    HPU = 4
    PrivateUse1 = 5


class ProfilerAction(enum.Enum):
    """The action of a profiler in a step.

    Parameters
    ----------
    value : int
        The number of a member; ``ProfilerAction(0)`` is one.
    names, module, qualname, type, start, boundary : optional
        The other arguments of Python's enumerations, which create a new one.

    Examples
    --------
    >>> import minitorch as torch
    >>> [action.name for action in torch.profiler.ProfilerAction]
    ['NONE', 'WARMUP', 'RECORD', 'RECORD_AND_SAVE', 'DEVICE_STOPPED']
    """

    NONE = 0
    WARMUP = 1
    RECORD = 2
    RECORD_AND_SAVE = 3
    DEVICE_STOPPED = 4


def supported_activities():
    """Return the supported activities: the CPU only.

    Returns
    -------
    set of ProfilerActivity
        Of size 1.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.profiler.supported_activities()
    {<ProfilerActivity.CPU: 0>}
    """
    return {ProfilerActivity.CPU}


def schedule(*, wait, warmup, active, repeat=0, skip_first=0, skip_first_wait=0):
    """Return a function from step numbers to profiler actions.

    Parameters
    ----------
    wait, warmup, active : int
        The numbers of steps of a cycle in which nothing is recorded, in which events are recorded
        and discarded, and in which they are kept.
    repeat : int
        The number of cycles; 0 repeats forever.
    skip_first : int
        The number of steps before the first cycle.
    skip_first_wait : int
        If not 0, the first cycle has no `wait` steps.

    Returns
    -------
    callable
        A function of the number of the step, an int, that returns a `ProfilerAction`.

    Raises
    ------
    AssertionError
        For negative numbers, or without an active step.

    Examples
    --------
    >>> from minitorch.profiler import schedule
    >>> plan = schedule(wait=1, warmup=1, active=2, repeat=1)
    >>> [plan(step).name for step in range(5)]
    ['NONE', 'WARMUP', 'RECORD', 'RECORD_AND_SAVE', 'NONE']
    """
    if not (wait >= 0 and warmup >= 0 and active > 0 and repeat >= 0 and skip_first >= 0):
        raise AssertionError(
            f"Invalid profiler schedule arguments. Got wait={wait} (need >= 0), warmup={warmup} "
            f"(need >= 0), active={active} (need > 0), repeat={repeat} (need >= 0), "
            f"skip_first={skip_first} (need >= 0)."
        )
    if warmup == 0:
        warn("Profiler won't be using warmup, this can skew profiler results", stacklevel=2)

    def plan(step):
        if step < 0:
            raise AssertionError(f"Step must be non-negative. Got {step}.")
        if step < skip_first:
            return ProfilerAction.NONE
        step -= skip_first
        if skip_first_wait:
            step += wait
        length = wait + warmup + active
        if repeat > 0 and step // length >= repeat:
            return ProfilerAction.NONE
        place = step % length
        if place < wait:
            return ProfilerAction.NONE
        if place < wait + warmup:
            return ProfilerAction.WARMUP
        return ProfilerAction.RECORD if place < length - 1 else ProfilerAction.RECORD_AND_SAVE

    return plan


def tensorboard_trace_handler(dir_name, worker_name=None, use_gzip=False, use_python_export=False):
    """Return a handler for `on_trace_ready` that writes each trace into a directory.

    Parameters
    ----------
    dir_name : str
        The directory, which is created if it does not exist.
    worker_name : str, optional
        The name in the file name; by default the host name and process id.
    use_gzip : bool, default False
        Whether to compress the files.
    use_python_export : bool, default False
        Has no effect.

    Returns
    -------
    callable
        A function of the profiler.

    Examples
    --------
    >>> import minitorch as torch
    >>> import os, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> handler = torch.profiler.tensorboard_trace_handler(folder, "me")
    >>> with torch.profiler.profile(on_trace_ready=handler):
    ...     y = torch.ones(2) * 3
    >>> [name.split(".")[0] for name in os.listdir(folder)]
    ['me']
    """

    def write(prof):
        if not os.path.isdir(dir_name):
            try:
                os.makedirs(dir_name, exist_ok=True)
            except OSError as error:
                raise RuntimeError("Can't create directory: " + dir_name) from error
        worker = worker_name or f"{socket.gethostname()}_{os.getpid()}"
        name = f"{worker}.{time.time_ns()}.pt.trace.json" + (".gz" if use_gzip else "")
        prof.export_chrome_trace(os.path.join(dir_name, name))

    return write


def _always(step):
    return ProfilerAction.RECORD


_STEP = "ProfilerStep"
_DEVICES = {
    ProfilerActivity.CUDA: "cuda",
    ProfilerActivity.XPU: "xpu",
    ProfilerActivity.MTIA: "mtia",
    ProfilerActivity.HPU: "hpu",
}
_MEASURED = (ProfilerAction.RECORD, ProfilerAction.RECORD_AND_SAVE)


@functools.cache
def _warn_of_cleared_events():
    """Warn once per process that events are cleared after each cycle."""
    warn(
        "Warning: Profiler clears events at the end of each cycle. Only events from the current "
        "cycle will be reported. To keep events across cycles, set acc_events=True.",
        stacklevel=4,
    )


def _parse_activities(activities):
    """Return the kinds of activities, and the name filters by kind."""
    kinds, filters = set(), {}
    for item in activities:
        if not isinstance(item, (ProfilerActivity, dict)):
            raise TypeError(f"Expected ProfilerActivity or dict, got {type(item)}")
        for kind in item if isinstance(item, dict) else [item]:
            if kind in kinds:
                raise ValueError(f"Activity {kind} specified more than once")
            kinds.add(kind)
            if isinstance(item, dict):
                filters[kind] = set(item[kind])
    return kinds, filters


def _parsed(activities, without):
    kinds = set()
    for item in activities:
        if isinstance(item, (ProfilerActivity, dict)):
            kinds.update(item if isinstance(item, dict) else [item])
    return kinds - without


class _KinetoProfile:
    """Profile between `start` and `stop`; the base class of `profile`.

    Parameters
    ----------
    activities, record_shapes, profile_memory, with_stack, with_flops, with_modules, acc_events
        See `profile`.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.ones(2)
    >>> prof = torch.profiler._KinetoProfile()
    >>> prof.start()
    >>> y = x * 3
    >>> prof.stop()
    >>> [event.name for event in prof.events()]
    ['aten::mul']
    """

    def __init__(
        self,
        *,
        activities=None,
        record_shapes=False,
        profile_memory=False,
        with_stack=False,
        with_flops=False,
        with_modules=False,
        experimental_config=None,
        execution_trace_observer=None,
        acc_events=False,
        custom_trace_id_callback=None,
        post_processing_timeout_s=None,
    ):
        self.activity_filters = {}
        if activities is None:
            self.activities = supported_activities()
        else:
            self.activities, self.activity_filters = _parse_activities(activities)
        self.record_shapes = record_shapes
        self.profile_memory = profile_memory
        self.with_stack = with_stack
        self.with_flops = with_flops
        self.with_modules = with_modules
        self.acc_events = acc_events
        if experimental_config is not None and experimental_config.trace_only and with_stack:
            warn(
                "trace_only=True is incompatible with with_stack=True (stack traces require event post-processing). "
                "Disabling trace_only.",
                stacklevel=2,
            )
            experimental_config = copy.copy(experimental_config)
            experimental_config.trace_only = False
        self.experimental_config = experimental_config
        self.execution_trace_observer = execution_trace_observer
        self.custom_trace_id_callback = custom_trace_id_callback
        self.post_processing_timeout_s = post_processing_timeout_s
        self.profiler = None
        self.use_device = next(
            (name for kind, name in _DEVICES.items() if kind in self.activities), None
        )
        self.preset_metadata = {}
        self.metadata = {}

    def start(self):
        """Start profiling."""
        self.prepare_trace()
        self.start_trace()

    def stop(self):
        """Stop profiling."""
        self.stop_trace()

    def prepare_trace(self):
        """Prepare the profiler."""
        if self.profiler is not None and not self.acc_events:
            _warn_of_cleared_events()
        if self.profiler is None or not self.acc_events:
            self.profiler = _profiler.profile(
                use_cpu=ProfilerActivity.CPU in self.activities,
                use_device=self.use_device,
                record_shapes=self.record_shapes,
                with_flops=self.with_flops,
                profile_memory=self.profile_memory,
                with_stack=self.with_stack,
                with_modules=self.with_modules,
                use_kineto=True,
                experimental_config=self.experimental_config,
                acc_events=self.acc_events,
                custom_trace_id_callback=self.custom_trace_id_callback,
                post_processing_timeout_s=self.post_processing_timeout_s,
                activity_filters=self.activity_filters or None,
            )
        self.profiler._prepare_trace()

    def start_trace(self):
        """Start recording events, after `prepare_trace`."""
        if self.execution_trace_observer:
            self.execution_trace_observer.start()
        if self.profiler is None:
            raise AssertionError("Profiler must be initialized before starting trace")
        self.profiler._start_trace()
        for key, value in self.preset_metadata.items():
            self.add_metadata_json(key, value)

    def stop_trace(self):
        """Stop recording events."""
        if self.execution_trace_observer:
            self.execution_trace_observer.stop()
        if self.profiler is None:
            raise AssertionError("Profiler must be initialized before stopping trace")
        self.profiler.__exit__(None, None, None)

    def events(self):
        """Return the events, in order of their start."""
        if self.profiler is None:
            raise AssertionError("Profiler must be initialized before accessing events")
        return self.profiler.function_events

    def key_averages(
        self, group_by_input_shape=False, group_by_stack_n=0, group_by_overload_name=False
    ):
        """Return the events aggregated by name; see `EventList.key_averages`."""
        if self.profiler is None:
            raise AssertionError("Profiler must be initialized before getting key averages")
        return self.profiler.key_averages(
            group_by_input_shape, group_by_stack_n, group_by_overload_name
        )

    def add_metadata(self, key, value):
        """Add a string to the metadata of the trace."""
        self.metadata[key] = value

    def add_metadata_json(self, key, value):
        """Add a JSON value, given as text, to the metadata of the trace."""
        self.metadata[key] = json.loads(value)

    def preset_metadata_json(self, key, value):
        """Add a JSON value, given as text, to the metadata of each trace started later."""
        self.preset_metadata[key] = value

    def export_chrome_trace(self, path, use_python_export=False):
        """Export the events for chrome://tracing and Perfetto.

        The file is compressed if `path` ends in ``.gz``.
        """
        if self.profiler is None:
            raise AssertionError("Profiler must be initialized before exporting chrome trace")
        if not path.endswith(".gz"):
            return self.profiler.export_chrome_trace(path, self.metadata)
        with tempfile.TemporaryDirectory() as folder:
            plain = os.path.join(folder, "trace.json")
            self.profiler.export_chrome_trace(plain, self.metadata)
            with open(plain, "rb") as source, gzip.open(path, "wb") as target:
                shutil.copyfileobj(source, target)
        return None

    def export_stacks(self, path, metric="self_cpu_time_total"):
        """Export stacks with their weights, for flame graphs; requires `with_stack`."""
        if self.profiler is None:
            raise AssertionError("Profiler must be initialized before exporting stacks")
        return self.profiler.export_stacks(path, metric)

    def export_memory_timeline(self, path, device=None):
        """Warn that memory timelines are deprecated; they are not implemented."""
        warn(
            "`export_memory_timeline` is deprecated and will be removed in a future version. Please use "
            "`torch.cuda.memory._record_memory_history` and `torch.cuda.memory._export_memory_snapshot` instead.",
            FutureWarning,
            stacklevel=2,
        )
        required = ("record_shapes", "profile_memory", "with_stack")
        missing = [f"{name}=True" for name in required if not getattr(self, name)]
        if missing:
            raise ValueError(f"{', '.join(missing)} required for memory profiling.")
        raise NotImplementedError(
            "torch.profiler.profile.export_memory_timeline is not part of minitorch"
        )

    def _stats(self):
        return None if self.profiler is None else self.profiler._stats

    def toggle_collection_dynamic(self, enable, activities):
        """Pause or resume recording within a step; see `minitorch.autograd.profiler.profile`."""
        if self.profiler is not None:
            self.profiler.toggle_collection_dynamic(enable, activities)

    def get_trace_id(self):
        """Return the id of the current or last trace; None before the first."""
        return None if self.profiler is None else self.profiler.trace_id

    def set_custom_trace_id_callback(self, callback):
        """Set a function that returns the ids of later traces."""
        self.custom_trace_id_callback = callback


class profile(_KinetoProfile):
    """Profile a block, or selected steps of it.

    Parameters
    ----------
    activities : iterable of ProfilerActivity, optional
        The activities to profile; only the CPU is supported.
    schedule : callable, optional
        A function from the step number to a `ProfilerAction`; see `schedule`. By default everything
        is recorded.
    on_trace_ready : callable, optional
        A function called with the profiler when a trace is complete.
    record_shapes, profile_memory, with_stack, with_flops, with_modules, acc_events : bool
        See `minitorch.autograd.profiler.profile`.
    execution_trace_observer : ExecutionTraceObserver, optional
        An observer that runs with the profiler.
    use_cuda : bool, optional
        Deprecated; use `activities`.
    experimental_config, custom_trace_id_callback, post_processing_timeout_s : optional
        As in PyTorch.

    Examples
    --------
    >>> import minitorch as torch
    >>> with torch.profiler.profile() as prof:
    ...     y = torch.ones(2) * 3
    >>> prof.key_averages()[0].count
    1
    """

    def __init__(
        self,
        *,
        activities=None,
        schedule=None,
        on_trace_ready=None,
        record_shapes=False,
        profile_memory=False,
        with_stack=False,
        with_flops=False,
        with_modules=False,
        experimental_config=None,
        execution_trace_observer=None,
        acc_events=False,
        use_cuda=None,
        custom_trace_id_callback=None,
        post_processing_timeout_s=None,
    ):
        if use_cuda is not None:
            warn(
                "`use_cuda` is deprecated, use `activities` argument instead",
                FutureWarning,
                stacklevel=2,
            )
        if activities is not None and not use_cuda:
            activities = list(activities)
            left = _parsed(activities, {ProfilerActivity.CUDA} if use_cuda is False else set())
            if not left:
                raise AssertionError("No valid profiler activities found")
        super().__init__(
            activities=activities,
            record_shapes=record_shapes,
            profile_memory=profile_memory,
            with_stack=with_stack,
            with_flops=with_flops,
            with_modules=with_modules,
            experimental_config=experimental_config,
            execution_trace_observer=execution_trace_observer
            or ExecutionTraceObserver.build_execution_trace_obs_from_env(),
            acc_events=acc_events,
            custom_trace_id_callback=custom_trace_id_callback,
            post_processing_timeout_s=post_processing_timeout_s,
        )
        self.schedule = schedule or _always
        self.record_steps = schedule is not None
        self.on_trace_ready = on_trace_ready
        self.step_num = 0
        self.current_action = _checked(self.schedule(0))
        self.step_rec_fn = None

    __enter__ = enter_steps
    __exit__ = exit_steps

    def _finish(self):
        self.stop()
        _profiler.KinetoStepTracker.erase_step_count(_STEP)
        if self.execution_trace_observer:
            self.execution_trace_observer.cleanup()

    def start(self):
        """Start with step 0."""
        self._go(ProfilerAction.NONE, self.current_action)
        self._name_step()

    def stop(self):
        """End the current step and stop profiling."""
        self._end_step()
        self._go(self.current_action, None)

    def step(self):
        """End this step and begin the next.

        Raises
        ------
        ValueError
            If the schedule returns `ProfilerAction.DEVICE_STOPPED`.
        """
        self._end_step()
        before, action = self.current_action, _checked(self.schedule(self.step_num + 1))
        self.step_num += 1
        self.current_action = action
        self._go(before, action)
        self._name_step()

    def _go(self, before, action):
        """Change from the action of one step to that of the next; None ends the profile."""
        if before == ProfilerAction.WARMUP and action in (ProfilerAction.NONE, None):
            if action is not None:
                warn("Incorrect schedule: WARMUP followed by NONE", stacklevel=3)
            self.start_trace()
            self.stop_trace()
        elif before == ProfilerAction.WARMUP and action in _MEASURED:
            self.start_trace()
        elif before == ProfilerAction.RECORD and action not in _MEASURED and action is not None:
            warn(f"Incorrect schedule: RECORD followed by {action.name}", stacklevel=3)
            self.stop_trace()
        elif (
            before == ProfilerAction.RECORD_AND_SAVE
            or before == ProfilerAction.RECORD
            and action is None
        ):
            self.stop_trace()
            if self.on_trace_ready:
                self.on_trace_ready(self)
        if before in (ProfilerAction.NONE, ProfilerAction.RECORD_AND_SAVE):
            if action in (ProfilerAction.WARMUP, *_MEASURED):
                self.prepare_trace()
            if action in _MEASURED:
                self.start_trace()

    def _name_step(self):
        if self.record_steps:
            step = record_function(f"ProfilerStep#{self.step_num}")
            step.__enter__()
            # not before it was entered: an interrupt may strike in between
            self.step_rec_fn = step

    def _end_step(self):
        if self.step_rec_fn is not None:
            self.step_rec_fn.__exit__(None, None, None)
            self.step_rec_fn = None


def _checked(action):
    if action == ProfilerAction.DEVICE_STOPPED:
        raise ValueError(
            "ProfilerAction.DEVICE_STOPPED is set internally by the profiler and must not be returned by a "
            "user-provided schedule"
        )
    return action
