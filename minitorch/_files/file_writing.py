"""Atomic file replacement for `torch.save`."""

import contextlib
import os
import secrets
import stat


@contextlib.contextmanager
def replacing(path):
    """Yield a new file that replaces `path` when the block ends without an error.

    If the block raises or the process is killed, the old file at `path` is unchanged. Symbolic
    links are followed; owner and permissions are kept. A device or a pipe is written to directly,
    and so is a file in a folder without write permission.

    On Linux the new file has no name until it is complete, so a killed process leaves nothing
    behind. On a file system without unnamed files, a hidden file with the suffix ``.part`` is used
    and may remain.

    Raises
    ------
    RuntimeError
        The folder does not exist, `path` is a folder, or permission is denied.
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
        # the file is writable but its folder is not
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
    """Open an unnamed file in `folder`, which vanishes with the process; None if unsupported."""
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
    # any src_dir_fd makes `os.link` follow the link in /proc; an absolute path ignores its value
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
        return  # the folder is writable but not readable
    try:
        os.fsync(number)
    finally:
        os.close(number)
