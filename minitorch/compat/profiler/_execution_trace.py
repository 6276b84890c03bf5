"""`ExecutionTraceObserver`: records traces of operators that can be replayed.

The format is that of PyTorch's files, schema 1.1.1 of Chakra's execution traces. There is a node
for each operator, backward node and named block, with its parent, inputs and outputs. Nodes,
tensors and storages are numbered by one counter.
"""

import gzip
import itertools
import json
import logging
import os
import shutil
import tempfile
import time
from abc import ABC, abstractmethod
from warnings import warn

from minitorch._tensor import Tensor
from minitorch.autograd.calls import NODE
from minitorch.autograd.observe.profiler_inputs import as_number, c_type
from minitorch.autograd.observe.record_functions import RecordListener
from minitorch.autograd.python_dispatch import identity
from minitorch.autograd.variable import TensorBase
from minitorch.core.generator import Generator
from minitorch.core.types import device

__all__ = ["ExecutionTraceObserver"]

_PROCESS, _THREAD = (f"[pytorch|profiler|execution_trace|{root}]" for root in ("process", "thread"))
_SETTING = "ENABLE_PYTORCH_EXECUTION_TRACE"
_registered = None
_log = logging.getLogger(__name__)


def _is_set(name):
    return os.environ.get(name, "0") == "1"


class _Trace(RecordListener):
    """The nodes of a trace.

    Parameters
    ----------
    path : str
        The file that `write` creates.

    Raises
    ------
    OSError
        If the file cannot be written.
    """

    asks_numbers = True

    def __init__(self, path):
        self.path = path
        self.resources = os.path.splitext(path)[0] + "_resources"
        with open(path, "w"):
            pass
        self.started, self.began = (
            time.strftime("%Y-%m-%d %H:%M:%S"),
            time.perf_counter_ns() // 1000,
        )
        self.ids = itertools.count(1)
        self.process = next(self.ids)
        self.nodes, self.threads = [], {}
        self.known = {}
        self.with_ranges = _is_set(f"{_SETTING}_SAVE_INTEGRAL_TENSOR_RANGE")
        kept = os.environ.get(f"{_SETTING}_SAVE_INTEGRAL_TENSOR_DATA", "")
        self.kept = {name.strip() for name in kept.split(",")}

    def begins(self, record):
        """Start a node: return its number and the description of its inputs."""
        if record.thread not in self.threads:
            self.threads[record.thread] = next(self.ids)
            self._node(self.threads[record.thread], _THREAD, self.process, thread=record.thread)
        number = next(self.ids)
        values = record.values
        tensors = [v for v in values if isinstance(v, TensorBase)]
        integral = {
            k: t
            for k, t in enumerate(tensors)
            if self._has_data(t) and not (t.dtype.is_floating_point or t.dtype.is_complex)
        }
        ranges = _ranges(integral) if self.with_ranges else ""
        if record.name in self.kept and os.path.isdir(self.resources):
            for k, t in integral.items():
                name = f"nid_{number}_tid_{k}.dat"
                t.detach().contiguous().numpy().tofile(os.path.join(self.resources, name))
        return number, self._described(values), record.schema, ranges

    def ends(self, token, record, result):
        """Finish a node and append it to the trace."""
        number, inputs, schema, ranges = token
        outer = record.parent
        while outer is not None and all(observer is not self for observer, _ in outer.tokens):
            outer = outer.parent
        around = self.threads[record.thread]
        if outer is not None:
            around = next(t for observer, t in outer.tokens if observer is self)[0]
        outputs = []
        if schema is not None and result is not None:
            several = len(schema.returns) > 1
            outputs = list(result) if several and isinstance(result, (tuple, list)) else [result]
        backward = record.scope == NODE
        self._node(
            number, record.name, around, inputs, self._described(outputs), schema=str(schema or ""), ranges=ranges,
            thread=record.thread, scope=record.scope, rf_id=record.number,
            seq_id=-1 if record.node is not None and not backward else record.sequence_nr,
            fw_parent=around if backward else 0, fw_tid=record.thread if backward else 0,
        )  # fmt: skip

    def write(self):
        """Write the file."""
        self._node(self.process, _PROCESS, self.process)
        document = {
            "schema": "1.1.1-chakra.0.0.4",
            "pid": os.getpid(),
            "time": self.started,
            "start_ts": self.began,
            "nodes": self.nodes,
            "finish_ts": time.perf_counter_ns() // 1000,
        }
        with open(self.path, "w") as file:
            json.dump(document, file, indent=1)

    def _node(
        self, number, name, around, inputs=None, outputs=None, schema="", ranges="", thread=0, scope=7,
        rf_id=0, seq_id=-1, fw_parent=0, fw_tid=0,
    ):  # fmt: skip
        numbers = {"rf_id": rf_id, "fw_parent": fw_parent, "seq_id": seq_id, "scope": scope,
                   "tid": thread, "fw_tid": fw_tid}  # fmt: skip
        texts = {
            "op_schema": schema,
            "kernel_backend": "",
            "kernel_file": "",
            "tensor_range": ranges,
        }
        attributes = [
            {"name": key, "type": "int64" if key == "seq_id" else "uint64", "value": value}
            for key, value in numbers.items()
        ]
        attributes += [{"name": k, "type": "string", "value": v} for k, v in texts.items()]
        nothing = self._described(())
        self.nodes.append(
            {
                "id": number,
                "name": name,
                "ctrl_deps": around,
                "inputs": inputs or nothing,
                "outputs": outputs or nothing,
                "attrs": attributes,
            }
        )

    def _described(self, values):
        told = [self._value(value) for value in values]
        keys = ("values", "shapes", "types", "strides")
        return {key: [facts[k] for facts in told] for k, key in enumerate(keys)}

    def _value(self, value):
        """Return the value, shape, type and strides of a value, as written to the trace."""
        value = as_number(value)
        if isinstance(value, TensorBase):
            return self._tensor(value)
        if isinstance(value, (list, tuple)):
            told = [self._value(item) for item in value]
            values, shapes, types, strides = ([facts[k] for facts in told] for k in range(4))
            name = "Tuple" if isinstance(value, tuple) else "GenericList"
            return values, shapes, f"{name}[{','.join(types)}]", strides
        if isinstance(value, float):
            finite = value - value == 0
            return (value if finite else str(value)), [], "Double", []
        if value is None:
            return "<None>", [], "None", []
        if isinstance(value, device):
            return str(value), [], "Device", []
        for cls, kind in ((bool, "Bool"), (int, "Int"), (str, "String")):
            if isinstance(value, cls):
                return value, [], kind, []
        for cls, kind in (
            (complex, "ComplexDouble"),
            (dict, "GenericDict"),
            (Generator, "Generator"),
        ):
            if isinstance(value, cls):
                return f"<{kind}>", [], kind, []
        return f"<{type(value).__name__}>", [], type(value).__name__, []

    def _tensor(self, t):
        number = self._known("tensor", identity(t))
        memory, offset, strides = 0, 0, []
        if self._has_data(t):
            memory = self._known("memory", t.untyped_storage()._cdata)
            offset, strides = t.storage_offset(), list(t.stride())
        place = [number, memory, offset, t.numel(), t.element_size(), str(t.device)]
        return place, list(t.shape), f"Tensor({c_type(t.dtype)})", strides

    def _has_data(self, t):
        """Return True if the tensor has storage; a wrapped number may be of the base class."""
        return type(t) is Tensor and t.device.type == "cpu" and str(t.layout).endswith("strided")

    def _known(self, kind, key):
        if (kind, key) not in self.known:
            self.known[kind, key] = next(self.ids)
        return self.known[kind, key]


def _ranges(tensors):
    """Return the smallest and the largest element of each tensor, as JSON."""
    found = {
        k: [int(t.detach().min()), int(t.detach().max())] for k, t in tensors.items() if t.numel()
    }
    return json.dumps(found, separators=(",", ":"))


class _ITraceObserver(ABC):
    """The interface of the `execution_trace_observer` of a profile."""

    @abstractmethod
    def start(self):
        """Start observing."""

    @abstractmethod
    def stop(self):
        """Stop observing."""

    @abstractmethod
    def cleanup(self):
        """Clean up at the end of the profile."""


class ExecutionTraceObserver(_ITraceObserver):
    """Write the operators that a program executes to a file, with the shapes and types of their inputs.

    `register_callback` sets the file, `start` and `stop` delimit what is recorded, and
    `unregister_callback` writes the file. Only one observer can be registered per process.

    Examples
    --------
    >>> import json, os, tempfile
    >>> import minitorch as torch
    >>> path = os.path.join(tempfile.mkdtemp(), "trace.json")
    >>> observer = torch.profiler.ExecutionTraceObserver().register_callback(path)
    >>> observer.start()
    >>> y = torch.arange(2) + 1
    >>> observer.stop()
    >>> observer.unregister_callback()
    >>> "aten::add" in [node["name"] for node in json.load(open(path))["nodes"]]
    True
    """

    def __init__(self):
        self._registered = False
        self._trace = None
        self.extra_resources_collection = False
        self.resources_dir = ""
        self.output_file_path = ""
        self.output_file_path_observer = ""

    def __del__(self):
        self.unregister_callback()

    @staticmethod
    def build_execution_trace_obs_from_env():
        """Return an observer that writes to a temporary file, or None.

        The environment variable ENABLE_PYTORCH_EXECUTION_TRACE=1 enables it.
        """
        if not _is_set(_SETTING):
            return None
        try:
            with tempfile.NamedTemporaryFile("w+t", suffix=".et.json", delete=False) as file:
                path = file.name
        except OSError as error:
            warn(
                f"Execution trace will not be recorded. Exception on creating default temporary file: {error}",
                stacklevel=2,
            )
            return None
        observer = ExecutionTraceObserver().register_callback(path)
        observer.set_extra_resource_collection(_is_set(f"{_SETTING}_EXTRAS"))
        return observer

    def set_extra_resource_collection(self, val):
        """Set whether to create a directory for other files needed to replay the trace."""
        self.extra_resources_collection = val
        if val:
            self.get_resources_dir(can_create=True)

    def register_callback(self, output_file_path):
        """Set the output file, compressed if its name ends in ``.gz``, and return the observer."""
        global _registered
        if self._registered:
            return self
        self.output_file_path = output_file_path
        if output_file_path.endswith(".gz"):
            with tempfile.NamedTemporaryFile("w+b", suffix=".json", delete=False) as file:
                output_file_path = file.name
        self.output_file_path_observer = output_file_path
        if _registered is not None:
            _log.warning("an ExecutionTraceObserver is registered already")
            return self
        try:
            self._trace = _registered = _Trace(output_file_path)
        except OSError as error:
            _log.warning("Failed to open output file: %s", error)
            return self
        self._registered = True
        return self

    def get_resources_dir(self, can_create=False):
        """Return the directory for other files, or None if not requested or not available."""
        if self.extra_resources_collection and not self.resources_dir:
            path = self.output_file_path
            self.resources_dir = self.get_resources_dir_for_et_path(path, can_create) or ""
        return self.resources_dir or None if self.extra_resources_collection else None

    @staticmethod
    def get_resources_dir_for_et_path(trace_path, create_dir=False):
        """Return the directory that belongs to a trace file, or None if there is none."""
        folder, name = os.path.split(trace_path)
        path = os.path.join(folder, os.path.splitext(name)[0] + "_resources")
        if os.path.exists(path):
            return path
        if not create_dir:
            return None
        try:
            os.mkdir(path)
        except OSError:
            warn(f"Execution trace exception when creating {path}", stacklevel=2)
            return None
        return path

    def unregister_callback(self):
        """Write the file and stop recording."""
        global _registered
        if not self._registered:
            return
        self.stop()
        self._trace.write()
        self._trace = _registered = None
        self._registered = False
        if self.output_file_path.endswith("gz"):
            plain, packed = self.output_file_path_observer, self.output_file_path
            print(f"Execution Trace: compressing {plain} to {packed}")
            with open(plain, "rb") as source, gzip.open(packed, "wb") as target:
                shutil.copyfileobj(source, target)
            os.remove(plain)

    @property
    def is_registered(self):
        """Return True if an output file is registered."""
        return self._registered

    def is_running(self):
        """Return True if the observer is recording."""
        return self._execution_trace_running

    @property
    def _execution_trace_running(self):
        return self._trace is not None and self._trace.is_listening

    def start(self):
        """Start recording, if an output file is registered."""
        if self._registered:
            self._trace.listen()

    def stop(self):
        """Stop recording until `start` is called again."""
        if self._trace is not None:
            self._trace.listen_no_more()

    def cleanup(self):
        """Call `unregister_callback` at the end of a profile."""
        self.unregister_callback()

    def get_output_file_path(self):
        """Return the path of the output file; None before `register_callback`."""
        return self.output_file_path or None
