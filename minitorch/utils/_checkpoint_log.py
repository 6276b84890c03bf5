"""What ``debug=True`` writes down: the nodes that the forward pass and the recomputation recorded."""

import os
import traceback

from minitorch.autograd.saved_variable import _set_node_observer
from minitorch.utils._checkpoint_frames import CheckpointError

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep

_REPORT = """ An error happened while unpacking tensors; dumping logs of latest computation
because you passed `debug=True` to `torch.utils.checkpoint.checkpoint()`.
Scroll all the way down for guidance on how to navigate these logs.

{original_title}
{original_traces}
{recompute_title}
{recompute_traces}
{log_title}
Operations executed during the original forward:

{original_names}

Operations executed during recomputation:

{recompute_names}

+------------------------------------------------------------------------------+
 ERROR: Detected non-determinism while running activation checkpointing

 The recomputation saved other tensors than the original forward did. Compare
 the two lists of operations above: the first line that differs is the place,
 and its stack trace, under the same number, names the line of the program.

 Operations are named after the nodes of the graph they recorded; what
 recorded none is not in the lists.
--------------------------------------------------------------------------------
"""


def _title(text):
    return f"+{'~' * 78}+\n|{text:^78}|\n+{'-' * 78}+\n"


class _Log:
    """A context that writes down every node recorded inside."""

    def __init__(self):
        self.entries = []  # (name of the node, traceback)
        self.outer = None

    def __enter__(self):
        # of several recomputations the last one is told
        self.entries = []
        self.outer = _set_node_observer(self.note)

    def __exit__(self, *error):
        _set_node_observer(self.outer)

    def note(self, node):
        frames = [f for f in traceback.extract_stack() if not f.filename.startswith(_PACKAGE)]
        self.entries.append((node.name(), "".join(traceback.format_list(frames))))
        if self.outer is not None:
            self.outer(node)

    def names(self):
        return "\n".join(name for name, _ in self.entries)

    def traces(self, label):
        count = len(self.entries)
        return "\n".join(
            f"{name}   ({number} of {count} in {label})\n\n{trace}"
            for number, (name, trace) in enumerate(self.entries, 1)
        )


def debug_contexts():
    """The contexts of the forward pass and of the recomputation, and what to do with an error."""
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
            original_names=original.names(),
            recompute_names=recompute.names(),
        )
        raise CheckpointError(text) from error

    return original, recompute, report
