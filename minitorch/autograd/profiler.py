"""The profiler: how often operators and nodes ran, and how long.

Three sources tell it of what happens: the recording wrappers of operators (`interpose._listen`), the
engine (`events._trace`) and named blocks (`record_function`). Each thing that begins is put on the
stack of its thread, so that events know what they ran in. While nothing is profiled nobody is told.
"""

import functools
import json
import os
import sys
import threading
import uuid
from time import perf_counter_ns

from minitorch.autograd import _profiled_blocks, interpose, operators
from minitorch.autograd import events as _engine_events
from minitorch.autograd._profiler_flops import flops_of
from minitorch.autograd._profiler_steps import EnforceUnique, KinetoStepTracker
from minitorch.autograd.grad_mode import is_grad_enabled
from minitorch.autograd.node import _get_sequence_nr
from minitorch.autograd.profiler_util import (
    EventList,
    FunctionEvent,
    FunctionEventAvg,
    MemRecordsAcc,
)
from minitorch.autograd.variable import TensorBase

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

_NODE, _USER = 1, 7  # scopes, as PyTorch numbers them
_running = None


class _Recorder:
    """Collects events while a profile runs."""

    def __init__(self, record_shapes, with_flops, with_stack):
        self.record_shapes = record_shapes
        self.with_flops = with_flops
        self.with_stack = with_stack
        self.events = []
        self.stacks = {}
        self.numbers = {}
        self.began = perf_counter_ns()

    def start(self):
        self.previous_trace = _engine_events._trace(self.engine_enters)
        self.listening = True
        interpose._listen(self.operator_starts, self.ends)
        _profiled_blocks.listen(self)

    def listen_no_more(self):
        self.listening = False
        _profiled_blocks.listen(None)
        interpose._listen(None, None)
        _engine_events._trace(self.previous_trace)

    def stop(self):
        if self.listening:
            self.listen_no_more()
        for stack in self.stacks.values():
            while stack:
                self.ends(stack[-1])

    def now(self):
        return (perf_counter_ns() - self.began) / 1000

    def begins(self, name, **facts):
        ident = threading.get_ident()
        stack = self.stacks.setdefault(ident, [])
        event = FunctionEvent(
            len(self.events) + 1,
            # the steps of a schedule are one thing
            "ProfilerStep*" if name.startswith("ProfilerStep#") else name,
            self.numbers.setdefault(ident, len(self.numbers) + 1),
            0.0,
            0.0,
            "",
            trace_name=name,
            **{"fwd_thread": 0, **facts},
        )
        if self.with_stack:
            event.stack = _stack()
        self.events.append(event)
        if stack:
            event.set_cpu_parent(stack[-1])
            stack[-1].append_cpu_child(event)
        stack.append(event)
        event.time_range.start = self.now()
        return event

    def ends(self, event):
        moment = self.now()
        stack = self.stacks.get(threading.get_ident(), [])
        if event not in stack:
            stack = next((s for s in self.stacks.values() if event in s), [])
        while stack:
            last = stack.pop()
            last.time_range.end = moment
            if last is event:
                break

    def label_begins(self, name):
        return self.begins(name, input_shapes=[], scope=_USER, is_user_annotation=True)

    def operator_starts(self, operator, arguments):
        shapes = _shapes(arguments) if self.record_shapes else []
        return self.begins(
            operators.name_of(operator),
            input_shapes=shapes,
            sequence_nr=_next_number(arguments),
            flops=flops_of(operator.name, arguments) if self.with_flops else 0,
        )

    def engine_enters(self, function, node):
        if self.previous_trace is not None:
            self.previous_trace(function, node)
        if function == "evaluate_function":
            self.begins(f"autograd::engine::evaluate_function: {node.name()}", input_shapes=[],
                        **_numbered(node))  # fmt: skip
        elif function == "apply":
            self.begins(node.name(), input_shapes=[], scope=_NODE, **_numbered(node))
        elif function == "validate_outputs":
            self.node_ends(node.name())
        elif function == "forget":
            self.node_ends(f"autograd::engine::evaluate_function: {node.name()}")

    def node_ends(self, name):
        stack = self.stacks.get(threading.get_ident(), [])
        event = next((event for event in reversed(stack) if event.name == name), None)
        if event is not None:
            self.ends(event)


def _profiler_enabled():
    """Whether a profile runs."""
    return _running is not None


def _next_number(arguments):
    """The number of the node that an operator will record; -1 when it will not."""
    if is_grad_enabled() and any(
        isinstance(a, TensorBase) and a.requires_grad for a in _flat(arguments)
    ):
        return _get_sequence_nr()
    return -1


def _flat(arguments):
    for argument in arguments:
        if isinstance(argument, (list, tuple)):
            yield from argument
        else:
            yield argument


def _numbered(node):
    number = node._sequence_nr()
    sink = number >= 2**63
    return {"sequence_nr": -1 if sink else number, "fwd_thread": 0 if sink else 1}


def _shapes(arguments):
    shapes = []
    for argument in arguments:
        if isinstance(argument, TensorBase):
            # a number that was made a tensor before there was class Tensor has none
            shapes.append(list(getattr(argument, "shape", ())))
        elif isinstance(argument, list):
            shapes.append([list(t.shape) if isinstance(t, TensorBase) else [] for t in argument])
        else:
            shapes.append([])
    return shapes


def _stack():
    """The lines of the program that led here, the innermost first."""
    frame = sys._getframe(2)
    lines = []
    while frame is not None:
        code = frame.f_code
        if os.sep + "minitorch" + os.sep not in code.co_filename:
            lines.append(f"{code.co_filename}({frame.f_lineno}): {code.co_name}")
        frame = frame.f_back
    return lines


class profile:
    """Measure what runs in a block.

    Parameters
    ----------
    enabled : bool, default True
        False: nothing is measured.
    use_cuda, use_device, use_kineto, use_cpu, with_modules, experimental_config, acc_events
        Accepted; there is nothing but the CPU and one source of events.
    record_shapes : bool
        Note the shapes of operators' inputs.
    with_flops : bool
        Count the operations of matrix products, convolutions, sums and products.
    profile_memory : bool
        Accepted; the columns for memory are 0, since allocations are not counted.
    with_stack : bool
        Note the lines of the program.

    Raises
    ------
    RuntimeError
        If it is entered twice, or inside of another one.

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
        self.entered = False
        self.record_shapes = record_shapes or with_flops
        self.with_flops = with_flops
        self.profile_memory = profile_memory
        self.with_stack = with_stack
        self.custom_trace_id_callback = custom_trace_id_callback
        self.trace_id = ""
        self._recorder = None
        self._is_complete = False
        self._events = EventList(profile_memory=profile_memory, with_flops=with_flops)

    def default_trace_id(self):
        """A name for this measurement that no other one has: 32 hexadecimal digits."""
        return uuid.uuid4().hex.upper()

    def create_trace_id(self):
        """The name for this measurement, by the program's function if it gave one."""
        return (self.custom_trace_id_callback or self.default_trace_id)()

    def __enter__(self):
        if not self.enabled:
            return None
        if self.entered:
            raise RuntimeError("Profiler context manager is not reentrant")
        self._prepare_trace()
        self._start_trace()
        return self

    def _prepare_trace(self):
        self.entered = True
        self.trace_id = self.create_trace_id()

    def _start_trace(self):
        global _running
        if _running is not None:
            raise RuntimeError("Profiler is already enabled on this thread.")
        self.entered = True
        self._recorder = _running = _Recorder(self.record_shapes, self.with_flops, self.with_stack)
        _running.start()

    def __exit__(self, *error):
        global _running
        if not self.enabled or self._recorder is None:
            return None
        self._recorder.stop()
        _running = None
        self._events.extend(self._recorder.events)
        self._recorder = None
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
        if enabled and not recorder.listening:
            recorder.start()
        elif not enabled and recorder.listening:
            recorder.listen_no_more()

    def __repr__(self):
        return repr(self._events) if self._is_complete else "<unfinished torch.autograd.profile>"

    def __str__(self):
        return self._events.table() if self._is_complete else repr(self)

    @property
    def function_events(self):
        """The events, in the order they began."""
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
        """The events as a table; see `EventList.table`."""
        return self._events.table(
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
        """The events of each name together; see `EventList.key_averages`."""
        return self._events.key_averages(
            group_by_input_shape, group_by_stack_n, group_by_overload_name
        )

    def total_average(self):
        """All events together."""
        return self._events.total_average()

    @property
    def self_cpu_time_total(self):
        """The sum of the events' own times, in microseconds."""
        return self._events.self_cpu_time_total

    def export_chrome_trace(self, path, metadata=None, use_python_export=False):
        """Write the events as JSON that chrome://tracing and Perfetto show.

        Parameters
        ----------
        path : str
        metadata : dict of str to str, optional
            Written beside the events.
        """
        pid = os.getpid()
        traced = [
            {
                "ph": "M",
                "name": "process_name",
                "ts": 0,
                "pid": pid,
                "tid": 0,
                "args": {"name": "python"},
            },
            {
                "ph": "M",
                "name": "process_labels",
                "ts": 0,
                "pid": pid,
                "tid": 0,
                "args": {"labels": "CPU"},
            },
        ]
        for event in self._events:
            facts = {"External id": event.id}
            if event.input_shapes:
                facts["Input Dims"] = event.input_shapes
            if event.sequence_nr >= 0:
                facts["Sequence number"] = event.sequence_nr
                facts["Fwd thread id"] = event.fwd_thread
            traced.append(
                {
                    "ph": "X",
                    "cat": "user_annotation" if event.is_user_annotation else "cpu_op",
                    "name": event.trace_name,
                    "pid": pid,
                    "tid": event.thread,
                    "ts": event.time_range.start,
                    "dur": event.time_range.elapsed_us(),
                    "args": facts,
                }
            )
        document = {
            "schemaVersion": 1,
            "deviceProperties": [],
            "displayTimeUnit": "ms",
            **(metadata or {}),
            "traceEvents": traced,
            "traceName": str(path),
        }
        with open(path, "w") as file:
            json.dump(document, file)

    def export_stacks(self, path, metric="self_cpu_time_total"):
        """Write stacks with their weights, for flame graphs; `with_stack` has to be True."""
        if not self.with_stack:
            raise AssertionError("export_stacks() requires with_stack=True")
        return self._events.export_stacks(path, metric)


def kineto_available():
    """Whether PyTorch's own collector is there: no, events come from minitorch itself."""
    return False


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
        self._entered = []

    def __enter__(self):
        self._entered.append(_profiled_blocks.begin(self.name, self.args))
        return self

    def __exit__(self, *error):
        if not self._entered:
            raise AssertionError("Expected record to be set")
        _profiled_blocks.end(self._entered.pop())

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
    >>> with torch.autograd.profiler.profile(record_shapes=True) as prof:
    ...     with torch._C._profiler._RecordFunctionFast("mine", [torch.ones(2, 3)], {"stream": 0}):
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
        event = None
        if _running is not None:
            wants = _running.record_shapes
            event = _running.begins(
                self._name,
                input_shapes=_shapes(self._values) if wants else [],
                kwinputs=dict(self._keywords) if wants else {},
                scope=0,
            )
        self._entered.append((_running, event))

    def __exit__(self, *error):
        recorder, event = self._entered.pop()
        if event is not None and recorder is _running:
            recorder.ends(event)


def parse_nvprof_trace(path):
    """NVIDIA's files are not read here."""
    raise NotImplementedError("torch.autograd.profiler.parse_nvprof_trace is not part of minitorch")


def load_nvprof(path):
    """NVIDIA's files are not read here."""
    raise NotImplementedError("torch.autograd.profiler.load_nvprof is not part of minitorch")


class emit_itt:
    """Marks for Intel's profiler, which are not written here.

    Parameters
    ----------
    enabled, record_shapes : bool
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

    Raises
    ------
    AssertionError
        When it is entered: there is no CUDA here.
    """

    _kind = "NVTX"

    def _opened(self):
        raise AssertionError("Torch not compiled with CUDA enabled")
