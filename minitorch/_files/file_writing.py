"""Files that are whole or not there: what `torch.save` writes to."""

import contextlib
import os
import secrets
import stat


@contextlib.contextmanager
def replacing(path):
    """A file to write, which takes the place of `path` when all is written.

    Until then, and if the process is killed or the block raises, what stood at `path` stays. A symbolic
    link is followed; owner and permissions stay. What is no regular file (a device, a pipe) is written to
    directly.

    On Linux the file has no name before it is whole, so a process that is killed leaves nothing behind. Where
    the file system has no files without names, it leaves a hidden file with the suffix ``.part``.

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
        number = _nameless(folder)
        named = number is None
        if named:
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
            if status is not None:
                _copy_permissions(number, status)
            os.fsync(number)
            if not named:
                _name(number, temporary)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        raise
    _sync_folder(folder)


def _nameless(folder):
    """Open a file in `folder` that is gone with its process unless it is given a name; None if that is impossible."""
    if not hasattr(os, "O_TMPFILE"):
        return None
    try:
        number = os.open(folder, os.O_TMPFILE | os.O_RDWR, 0o666)
    except OSError:
        return None
    if not os.path.exists(f"/proc/self/fd/{number}"):
        os.close(number)
        return None
    return number


def _name(number, path):
    # a descriptor of a folder, which an absolute path makes no use of, lets `os.link` follow the link in /proc
    root = os.open("/", os.O_RDONLY)
    try:
        os.link(f"/proc/self/fd/{number}", path, src_dir_fd=root)
    finally:
        os.close(root)


def _copy_permissions(number, status):
    if (os.geteuid(), os.getegid()) != (status.st_uid, status.st_gid):
        with contextlib.suppress(PermissionError):
            os.fchown(number, status.st_uid, status.st_gid)
    os.fchmod(number, stat.S_IMODE(status.st_mode))


def _sync_folder(folder):
    try:
        number = os.open(folder, os.O_RDONLY)
    except OSError:
        return  # a folder that may be written to and not be read
    try:
        os.fsync(number)
    finally:
        os.close(number)
