"""Files that are whole or not there: what `torch.save` writes to."""

import contextlib
import os
import stat
import tempfile


@contextlib.contextmanager
def replacing(path):
    """A file to write, which takes the place of `path` when all is written.

    Until then, and if the process is killed or the block raises, what stood at `path` stays. A symbolic
    link is followed; permissions stay. What is no regular file (a device, a pipe) is written to directly.

    Raises
    ------
    RuntimeError
        When the folder does not exist, or `path` is one; with PyTorch's texts.
    """
    name, path = path, os.path.realpath(path)
    folder = os.path.dirname(path)
    if not os.path.isdir(folder):
        raise RuntimeError(f"Parent directory {os.path.dirname(name) or folder} does not exist.")
    if not os.path.basename(name):
        raise RuntimeError(f"invalid file name: {name}")
    if os.path.isdir(path):
        raise RuntimeError("open file failed with strerror: Is a directory")
    status = os.stat(path) if os.path.exists(path) else None
    if status is not None and not stat.S_ISREG(status.st_mode):
        with open(path, "wb") as file:
            yield file
        return
    if status is not None and not os.access(path, os.W_OK):
        raise RuntimeError("open file failed with strerror: Permission denied")
    try:
        number, temporary = tempfile.mkstemp(dir=folder, prefix=".", suffix=".part")
    except PermissionError:
        if status is None:
            raise RuntimeError("open file failed with strerror: Permission denied") from None
        # the file may be written to and its folder may not
        with open(path, "wb") as file:
            yield file
        return
    try:
        with os.fdopen(number, "wb") as file:
            yield file
            file.flush()
            os.fsync(number)
        os.chmod(temporary, _permissions(status))
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        raise
    _sync_folder(folder)


def _permissions(status):
    if status is not None:
        return stat.S_IMODE(status.st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _sync_folder(folder):
    try:
        number = os.open(folder, os.O_RDONLY)
    except OSError:
        return  # a folder that may be written to and not be read
    try:
        os.fsync(number)
    finally:
        os.close(number)
