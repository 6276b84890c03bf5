"""Checkpoints that several processes write and read together, each a part of the tensors.

Note [A save that is killed]
A checkpoint is a folder. Each process writes its part to a file with a new name, and flushes it to the disk. Only then
rank 0 writes the file ``.metadata``, which says where each tensor is, beside the old one and renames it. Renaming is
atomic: whenever a save is killed, ``.metadata`` is either the old one, whose files all exist still, or the new one,
whose files are complete. Files of older saves are removed last.
"""

from minitorch.distributed.checkpoint.filesystem import CheckpointException
from minitorch.distributed.checkpoint.state_dict_loader import load
from minitorch.distributed.checkpoint.state_dict_saver import save
from minitorch.distributed.checkpoint.stateful import Stateful

__all__ = ["CheckpointException", "Stateful", "load", "save"]
