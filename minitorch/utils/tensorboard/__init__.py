"""Event files for TensorBoard.

The package ``tensorboard``, which must be installed, has the file format and the queue that writes
it. This package builds the summaries, and `SummaryWriter` builds them from tensors.

Examples
--------
>>> import tempfile
>>> from minitorch.utils.tensorboard import SummaryWriter
>>> with SummaryWriter(tempfile.mkdtemp()) as writer:
...     writer.add_scalar("loss", 0.5, global_step=1)
"""

from importlib.metadata import version

import tensorboard

if tuple(int(part) for part in version("tensorboard").split(".")[:2]) < (1, 15):
    raise ImportError("TensorBoard logging requires TensorBoard version 1.15 or above")
del tensorboard, version

from tensorboard.summary.writer.record_writer import RecordWriter  # noqa: E402

from minitorch.utils.tensorboard.writer import FileWriter, SummaryWriter  # noqa: E402

__all__ = ["FileWriter", "RecordWriter", "SummaryWriter"]
