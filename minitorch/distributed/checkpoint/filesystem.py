"""The files of a checkpoint, and what the processes tell each other about them."""

import json
import os
import traceback
from pathlib import Path

from minitorch.distributed.distributed_c10d import (
    _get_default_group,
    all_gather_object,
    is_initialized,
)
from minitorch.serialization import load, save

__all__ = ["CheckpointException", "Folder", "Processes"]

METADATA = ".metadata"
VERSION = 1


class CheckpointException(BaseException):
    """A save or load failed in some of the processes; all of them raise it.

    Parameters
    ----------
    msg : str
    failures : dict
        For the rank of each process that failed, the exception and its traceback.

    Examples
    --------
    >>> from minitorch.distributed.checkpoint import CheckpointException
    >>> CheckpointException("save", {1: (OSError("disk full"), "")}).failures[1][0]
    OSError('disk full')
    """

    def __init__(self, msg, failures):
        super().__init__(msg, failures)
        self._failures = failures

    @property
    def failures(self):
        """The failures, by rank."""
        return self._failures

    def __str__(self):
        parts = [f"CheckpointException ranks:{self._failures.keys()}"]
        for rank, (error, text) in self._failures.items():
            parts.append(f"{text}{type(error).__name__}: {error} (RANK {rank})")
        return "\n".join(parts)


class Processes:
    """The processes that save or load together; only this one if there is no process group.

    Parameters
    ----------
    process_group : ProcessGroup or None
    no_dist : bool
        This process saves or loads alone.
    """

    def __init__(self, process_group=None, no_dist=False):
        self.group = None
        if not no_dist and is_initialized():
            self.group = process_group or _get_default_group()
        self.rank = 0 if self.group is None else self.group.rank()

    def gather(self, value):
        """Return the values of all processes."""
        if self.group is None:
            return [value]
        values = [None] * self.group.size()
        all_gather_object(values, value, group=self.group)
        return values

    def together(self, name, function):
        """Call a function in each process; return the results of all, or raise in all if one of them raised."""
        failure = result = None
        try:
            result = function()
        except Exception as error:  # noqa: BLE001 (all processes raise it)
            failure = (error, traceback.format_exc())
        outcomes = self.gather((failure and (_sendable(failure[0]), failure[1]), result))
        failures = {rank: failed for rank, (failed, _) in enumerate(outcomes) if failed}
        if failures:
            raise CheckpointException(name, failures) from (failure and failure[0])
        return [result for _, result in outcomes]


def _sendable(error):
    """Return an exception that can be sent to other processes."""
    import pickle

    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # noqa: BLE001 (whatever keeps it from being sent)
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


class Folder:
    """The folder of a checkpoint; see Note [A save that is killed].

    Parameters
    ----------
    path : str or path-like
    """

    def __init__(self, path):
        self.path = Path(path)

    def read_metadata(self):
        """Return the content of ``.metadata``.

        Raises
        ------
        FileNotFoundError
            If the folder has no complete checkpoint.
        """
        metadata = json.loads((self.path / METADATA).read_text(encoding="utf-8"))
        if metadata["version"] != VERSION:
            raise ValueError(f"checkpoint of version {metadata['version']}, expected {VERSION}")
        return metadata

    def next_generation(self):
        """Make the folder; return the number of the next save, which no complete checkpoint here has."""
        self.path.mkdir(parents=True, exist_ok=True)
        try:
            return self.read_metadata()["generation"] + 1
        except FileNotFoundError:
            return 0

    def write(self, name, write):
        """Write a file under another name, flush it to the disk, and rename it; return its size.

        Parameters
        ----------
        name : str
        write : callable
            Called with the open binary file.
        """
        temporary = self.path / f"{name}.tmp"
        with temporary.open("wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
            size = file.tell()
        temporary.replace(self.path / name)
        self._flush()
        return size

    def _flush(self):
        """Flush the names in the folder to the disk."""
        if os.name != "posix":
            return
        descriptor = os.open(self.path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def write_values(self, name, values):
        """Write a dict of values; return the size of the file."""
        return self.write(name, lambda file: save(values, file))

    def write_metadata(self, metadata):
        """Write ``.metadata``: the moment from which the new checkpoint counts."""
        text = json.dumps(metadata, indent=1)
        self.write(METADATA, lambda file: file.write(text.encode()))

    def read_values(self, name, size):
        """Return what `write_values` wrote.

        Raises
        ------
        ValueError
            If the file does not have the size that ``.metadata`` has noted.
        """
        path = self.path / name
        found = path.stat().st_size
        if found != size:
            raise ValueError(f"{path} has {found} bytes, but {size} were written")
        return load(path, weights_only=False)

    def remove_others(self, names):
        """Remove the files of older saves, and of those that were killed."""
        for path in self.path.glob("__*.distcp*"):
            if path.name not in names:
                path.unlink(missing_ok=True)
