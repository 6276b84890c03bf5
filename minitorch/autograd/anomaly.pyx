"""Notes in each node about where it was recorded.

Anomaly mode keeps the whole traceback of every recorded call as ``node.metadata["traceback_"]``. If the call was
recorded in the backward of another node, it keeps that node as ``"parent_"``. `record_origin` keeps only the line
of the user's program, as ``"origin_"``. Both cost time at every node, but nothing while they are off.
"""

import os
import sys
import traceback
import warnings

from minitorch.autograd.node cimport Node, add_recording_modes
from minitorch.autograd.upward_calls cimport autograd_calls

anomaly_enabled = False
check_nan = True
cdef int _origins_wanted = 0
cdef str _package = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


def set_anomaly_enabled(enabled, check_nan=True):
    """Switch anomaly mode on or off.

    Parameters
    ----------
    enabled : bool
    check_nan : bool, default True
        Raise an error if a node returns a gradient with a NaN.

    Returns
    -------
    None

    Raises
    ------
    TypeError
        If an argument is not a bool.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.set_anomaly_enabled(True)
    >>> torch.is_anomaly_enabled()
    True
    >>> torch.set_anomaly_enabled(False)
    """
    for position, (name, value) in enumerate((("enabled", enabled), ("check_nan", check_nan)), 1):
        if not isinstance(value, bool):
            raise TypeError(f"set_anomaly_enabled(): argument '{name}' (position {position}) must be bool, "
                            f"not {type(value).__name__}")
    _set(enabled, check_nan)


cdef int _set(bint enabled, bint nan) except -1:
    global anomaly_enabled, check_nan
    if enabled != anomaly_enabled:
        add_recording_modes(1 if enabled else -1)
    anomaly_enabled = enabled
    check_nan = nan
    return 0


# These serve as ``__enter__`` and ``__exit__``: see Note [Atomic entering]

def enter_anomaly(self):
    """Switch anomaly mode on."""
    set_anomaly_enabled(True, self.check_nan)


def leave_anomaly(self, exc_type, exc_value, traceback):
    """Restore the previous state of anomaly mode."""
    _set(self.prev, self.prev_check_nan)


def is_anomaly_enabled():
    """Return whether anomaly mode is on.

    Returns
    -------
    bool

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.is_anomaly_enabled()
    False
    """
    return bool(anomaly_enabled)


def is_anomaly_check_nan_enabled():
    """Return whether anomaly mode looks for NaN in the backward pass.

    Returns
    -------
    bool
        True by default, also while the mode is off.

    Examples
    --------
    >>> import minitorch as torch
    >>> with torch.autograd.detect_anomaly(check_nan=False):
    ...     torch.is_anomaly_check_nan_enabled()
    False
    """
    return bool(check_nan)


class record_origin:
    """Context manager in which every new node keeps the line of the program that recorded it.

    The line is a str in ``node.metadata["origin_"]``. An exception in the backward pass names it in its notes.
    The class also works without a ``with`` block: it is on from the call until `remove`.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.ones(2, requires_grad=True)
    >>> with torch.autograd.graph.record_origin():
    ...     y = x * x
    >>> "origin_" in y.grad_fn.metadata
    True
    """

    def __init__(self):
        _add_origins(1)
        self.on = True

    def __enter__(self):
        if not self.on:
            _add_origins(1)
            self.on = True
        return self

    def __exit__(self, *exception):
        self.remove()

    def remove(self):
        """Stop keeping lines."""
        if self.on:
            _add_origins(-1)
            self.on = False


cdef int _add_origins(int change) except -1:
    global _origins_wanted
    _origins_wanted += change
    return add_recording_modes(change)


cdef int note_forward(Node node) except -1:
    if anomaly_enabled:
        (<object>node).metadata["traceback_"] = traceback.format_stack()
        parent = autograd_calls.running_node()
        if parent is not None:
            (<object>node).metadata["parent_"] = parent
    if _origins_wanted:
        line = _line_of_the_program()
        if line is not None:
            (<object>node).metadata["origin_"] = line
    return 0


cdef bint _is_ours(str file) except -1:
    # the demo is part of the package, but counts as a program
    return file.startswith(_package) and file != _package + "commands/demo.py"


cdef str _line_of_the_program():
    frame = sys._getframe()
    while frame is not None and _is_ours(frame.f_code.co_filename):
        frame = frame.f_back
    if frame is None or frame.f_code.co_filename.startswith("<frozen"):
        return None
    summary = traceback.extract_stack(frame, limit=1)[0]
    return f"{summary.filename}:{summary.lineno}, in {summary.name}: {summary.line}"


cdef str origin_of(Node node):
    return None if node._metadata is None else node._metadata.get("origin_")


def _origin_of(Node node):
    """Return the line of the program that recorded the node if `record_origin` was on, else None."""
    return origin_of(node)


cdef int warn_of_error(Node node) except -1:
    """Warn where the node was recorded.

    If warnings are turned into exceptions, the exception is only printed, and does not replace the node's own error.
    """
    try:
        _warn_of_error(node)
    except Exception as error:
        traceback.print_exception(error.with_traceback(None), chain=False)
    return 0


cdef int _warn_of_error(Node node) except -1:
    metadata = {} if node._metadata is None else node._metadata
    if "traceback_" not in metadata:
        warnings.warn(
            f"Error detected in {node.name()}. No forward pass information available. Enable detect anomaly "
            "during forward pass for more information.", UserWarning)
        return 0
    warnings.warn(
        f"Error detected in {node.name()}. Traceback of forward call that caused the error:\n"
        + "".join(metadata["traceback_"]), UserWarning)
    parent = metadata.get("parent_")
    while parent is not None:
        metadata = parent.metadata
        if "traceback_" not in metadata:
            warnings.warn(
                f"Error detected in {parent.name()}. No forward pass information available. Enable detect "
                "anomaly during forward pass for more information.", UserWarning)
            break
        warnings.warn(
            f"\n\nPrevious calculation was induced by {parent.name()}. Traceback of forward call that induced "
            "the previous calculation:\n" + "".join(metadata["traceback_"]), UserWarning)
        parent = metadata.get("parent_")
    return 0
