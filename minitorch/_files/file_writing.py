"""Files that are whole or not there: what `torch.save` writes to."""

import contextlib
import os
import secrets
import stat


@contextlib.contextmanager
def replacing(path):
    """A file to write, which takes the place of `path` when all is written.

    Until then, and if the process is killed or the block raises, what stood at `path` stays. A symbolic
    link is followed; owner and permissions stay. A process that is killed leaves a hidden file with the
    suffix ``.part`` behind. What is no regular file (a device, a pipe) is written to directly.

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
    temporary = os.path.join(folder, f".{secrets.token_hex(8)}.part")
    try:
        number = os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666)
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
        if status is not None:
            _copy_permissions(temporary, status)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        raise
    _sync_folder(folder)


def _copy_permissions(path, status):
    if (os.geteuid(), os.getegid()) != (status.st_uid, status.st_gid):
        with contextlib.suppress(PermissionError):
            os.chown(path, status.st_uid, status.st_gid)
    os.chmod(path, stat.S_IMODE(status.st_mode))


def _sync_folder(folder):
    try:
        number = os.open(folder, os.O_RDONLY)
    except OSError:
        return  # a folder that may be written to and not be read
    try:
        os.fsync(number)
    finally:
        os.close(number)
