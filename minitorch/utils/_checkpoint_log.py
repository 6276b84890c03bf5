"""The log for ``debug=True``: the operators of the forward pass and of the recomputation."""

import itertools
import os
import traceback

from minitorch._tensor import Tensor
from minitorch.core.dtype_abbrs import abbreviated
from minitorch.utils._checkpoint_frames import CheckpointError
from minitorch.utils._python_dispatch import TorchDispatchMode
from minitorch.utils._pytree import tree_map
from minitorch.utils.weak import WeakTensorKeyDictionary

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep

_REPORT = """ An error happened while unpacking tensors; dumping logs of latest computation
because you passed `debug=True` to `torch.utils.checkpoint.checkpoint()`.
Scroll all the way down for guidance on how to navigate these logs.

{original_title}
{original_traces}
{recompute_title}
{recompute_traces}
{log_title}
(Scroll up to correlate stack traces with each operation listed below. This
 helps identify their source in the code.)

IMPORTANT: Differences in "detach" calls between the original forward and the
           recomputation are expected. They are introduced by the checkpointing
           mechanism and can be ignored.

Operations executed during the original forward:

{original_operators}

Operations executed during recomputation:

{recompute_operators}

+------------------------------------------------------------------------------+
 ERROR: Detected non-determinism while running activation checkpointing

 You are seeing this error because you passed `debug=True` to checkpoint and
 tensors to be saved during the original forward and differ between those saved
 during recomputation. This can happen if different operators were ran in the
 original forward and in the recomputation.

 To identify where the mismatch may be coming from, you can do the following:

 1) Compare the operators ran during original forward and recomputation to
    see where they differ. These operators are printed above in the order they
    were executed.

 2) Review the stack trace for each operator to locate its invocation source.
    Each operator's stack trace is printed in their execution order.

 Note that the logs can be quite long. Here's how they are structured:
 (Tip: you can Ctrl-f for these headers)

 1. Stack traces of the operators that ran in the original forward
 2. Stack traces of the operators that ran during recomputation
 3. Log of operators in the original forward and recomputation
 4. Error message                                             <--- You are here
--------------------------------------------------------------------------------
"""


def _title(text):
    return f"+{'~' * 78}+\n|{text:^78}|\n+{'-' * 78}+\n"


class _Log(TorchDispatchMode):
    """Log every operator call, e.g. ``$2: f32[3] = torch._ops.aten.sin.default($1)``."""

    def __init__(self):
        super().__init__()
        self.forget()

    def forget(self):
        self.entries = []  # (the line, traceback)
        self.numbers = WeakTensorKeyDictionary()
        self.count = itertools.count()

    def __enter__(self):
        self.forget()  # keep only the last of several recomputations
        return super().__enter__()

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        given = [str(tree_map(self.named, a)) for a in args]
        given += [f"{name}={tree_map(self.named, value)}" for name, value in kwargs.items()]
        result = func(*args, **kwargs)
        made = result if isinstance(result, (tuple, list)) else (result,)
        made = ", ".join(str(tree_map(self.described, a)) for a in made)
        frames = [f for f in traceback.extract_stack() if not f.filename.startswith(_PACKAGE)]
        self.entries.append(
            (
                f"{made} = torch._ops.{func}({', '.join(given)})",
                "".join(traceback.format_list(frames)),
            )
        )
        return result

    def named(self, value):
        if not isinstance(value, Tensor):
            return value
        number = self.numbers.get(value)
        if number is None:
            number = self.numbers[value] = next(self.count)
        return _Name(f"${number}")

    def described(self, value):
        name = self.named(value)
        if isinstance(value, Tensor):
            name = _Name(f"{name}: {abbreviated(value)}")
        return name

    def lines(self):
        return "\n".join(line for line, _ in self.entries)

    def traces(self, label):
        count = len(self.entries)
        return "\n".join(
            f"{line}   ({number} of {count} in {label})\n\n{trace}"
            for number, (line, trace) in enumerate(self.entries, 1)
        )


class _Name(str):
    """The name of a tensor, shown without quotation marks in a list."""

    __repr__ = str.__str__


def debug_contexts():
    """Return the contexts of forward pass and recomputation, and an error handler."""
    original, recompute = _Log(), _Log()

    def report(error):
        text = _REPORT.format(
            original_title=_title(
                "1. Stack traces of the operators that ran in the original forward"
            ),
            original_traces=original.traces("original"),
            recompute_title=_title(
                "2. Stack traces of the operators that ran during recomputation"
            ),
            recompute_traces=recompute.traces("recompute"),
            log_title=_title("3. Log of operators in the original forward and recomputation"),
            original_operators=original.lines(),
            recompute_operators=recompute.lines(),
        )
        raise CheckpointError(text) from error

    return original, recompute, report
