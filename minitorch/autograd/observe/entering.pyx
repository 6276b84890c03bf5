"""Entering and leaving traces and profiles, which Ctrl-C cannot interrupt halfway: see Note [Atomic entering].

A profile starts and stops by Python code, also by that of programs. So what enters it here undoes it if that code is
interrupted, and what leaves it here first stops to listen.
"""

import sys
from time import perf_counter_ns

cimport cython

from minitorch.autograd.events cimport Observer, inputs_as_tensors
from minitorch.autograd.node cimport Gradients, Node

from minitorch.autograd.anomaly import record_origin
from minitorch.autograd.events import unwatch, watch
from minitorch.autograd.observe.record_functions import RecordListener
from minitorch.core.memory_log import follow

cdef object _running = None              # the Recorder of the profile that runs, or None
cdef dict _namespace = None              # where `_is_profiler_enabled` shows that it runs; None: nowhere


# ---- traces

@cython.binding(False)
cdef class _Tracer(Observer):
    cdef object trace

    cpdef happened(self, str kind, Node node, Node source, int edge, int output_nr, tuple gradients,
                   Py_ssize_t count, str detail):
        self.trace._add(kind, node, source, edge, output_nr, gradients, count, detail)

    cpdef applied(self, Node node, Gradients gradients):
        values = self.trace._input_values
        if values is not None:
            values.see(node, inputs_as_tensors(node, gradients))


def enter_trace(self):
    """Start a trace, and the notes of origins if it wants them."""
    cdef _Tracer tracer = _Tracer.__new__(_Tracer)
    # Python code, which Ctrl-C or another thread may interrupt, so it comes before anything is entered
    self._begin(sys._getframe().f_code.co_filename)
    if self._tracer is not None:
        raise RuntimeError("this trace is open already")
    tracer.trace = self
    self._tracer = tracer
    watch(tracer)
    if self._wants_origins:
        self._recording_origin = record_origin()
    return self


def exit_trace(self, exc_type, exc_value, traceback):
    """Stop a trace; it keeps no nodes alive from now on."""
    unwatch(self._tracer)
    self._tracer = None
    if self._recording_origin is not None:
        self._recording_origin.remove()
        self._recording_origin = None
    self.error = exc_value
    self._held.clear()


# ---- profiles

def running():
    """Return the recorder of the profile that runs, or None."""
    return _running


def run(recorder, dict namespace=None):
    """Start a recorder; the one that runs stops, and loses its events.

    While it runs, `_is_profiler_enabled` in `namespace` is True, unless that is None.
    """
    global _running, _namespace
    if _running is not None:
        _silence(_running)
        _running.events.clear()
    _running = recorder
    if recorder.profile_memory:
        recorder.memory_began = follow(True)
    recorder.listen()
    _namespace = namespace
    if namespace is not None:
        namespace["_is_profiler_enabled"] = True


cdef int _silence(object recorder) except -1:
    recorder.listen_no_more()
    if recorder.profile_memory and _running is recorder:
        follow(False)
    return 0


cdef int _halt(object recorder) except -1:
    """Stop a recorder."""
    global _running
    recorder.stopped = perf_counter_ns()
    _silence(recorder)
    if _running is recorder:
        _running = None
        if _namespace is not None:
            _namespace["_is_profiler_enabled"] = False
    return 0


def enter_profile(self):
    """Start a profile."""
    if not self.enabled:
        return None
    if self.entered:
        raise RuntimeError("Profiler context manager is not reentrant")
    try:
        self._prepare_trace()
        self._start_trace()
    except BaseException:
        if self._recorder is not None:
            _halt(self._recorder)
        raise
    return self


def exit_profile(self, exc_type, exc_value, traceback):
    """Stop a profile, and collect its events."""
    if not self.enabled:
        return None
    if self._recorder is not None:
        _halt(self._recorder)
    return self._collect()


def enter_steps(self):
    """Start a profile that has steps."""
    try:
        self.start()
    except BaseException:
        _halt_steps(self)
        raise
    return self


def exit_steps(self, exc_type, exc_value, traceback):
    """Stop a profile that has steps."""
    try:
        self._finish()
    finally:
        _halt_steps(self)


cdef int _halt_steps(object self) except -1:
    # does nothing if `start` has not got so far, or `stop` has done it
    profile = self.profiler
    if profile is not None and profile._recorder is not None:
        _halt(profile._recorder)
    trace = getattr(self.execution_trace_observer, "_trace", None)
    if isinstance(trace, RecordListener):
        trace.listen_no_more()
    return 0
