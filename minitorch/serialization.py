"""`save` and `load`: files of objects that contain tensors, in PyTorch's formats.

PyTorch reads the files written here, and vice versa. Classes and functions of this library are
pickled under PyTorch's names, so that a whole `Module` can also be exchanged.
"""

import io
import os
import pickle
import re
import warnings
from collections.abc import Callable
from contextlib import contextmanager, nullcontext
from mmap import MAP_SHARED
from typing import TypeAlias

from minitorch._files import legacy_format, zip_format
from minitorch._files import safe_globals as _allowed
from minitorch._files import weights_only as _restricted
from minitorch._files.file_reader import PyTorchFileReader
from minitorch._files.file_writer import PyTorchFileWriter
from minitorch._files.file_writing import replacing
from minitorch._files.legacy_format import MAGIC_NUMBER as MAGIC_NUMBER
from minitorch._files.legacy_format import PROTOCOL_VERSION as PROTOCOL_VERSION
from minitorch._files.legacy_format import SourceChangeWarning
from minitorch._files.locations import (
    Restore,
    default_restore_location,
    location_tag,
    register_package,
)
from minitorch._files.locations import (
    _package_registry as _package_registry,
)
from minitorch._files.settings import (
    LoadEndianness,
    _serialization_tls,
    get_crc32_options,
    get_default_load_endianness,
    get_default_mmap_options,
    set_crc32_options,
    set_default_load_endianness,
    set_default_mmap_options,
    skip_data,
)
from minitorch._files.zip_archive import ArchiveReader, ArchiveWriter
from minitorch.core.error_pages import explained
from minitorch.core.types import device
from minitorch.tensors.storages_by_dtype import StorageType as StorageType
from minitorch.tensors.storages_by_dtype import _get_layout as _get_layout
from minitorch.tensors.typed_storage import TypedStorage, UntypedStorage
from minitorch.utils.serialization import config

# the types of the argument `map_location` of `load`
MAP_LOCATION: TypeAlias = (
    Callable[[UntypedStorage, str], UntypedStorage] | device | str | dict[str, str] | None
)
STORAGE: TypeAlias = UntypedStorage | TypedStorage

__all__ = [
    "LoadEndianness",
    "SourceChangeWarning",
    "add_safe_globals",
    "check_module_version_greater_or_equal",
    "clear_safe_globals",
    "default_restore_location",
    "get_crc32_options",
    "get_default_load_endianness",
    "get_default_mmap_options",
    "get_safe_globals",
    "get_unsafe_globals_in_checkpoint",
    "load",
    "location_tag",
    "register_package",
    "safe_globals",
    "save",
    "set_crc32_options",
    "set_default_load_endianness",
    "set_default_mmap_options",
    "skip_data",
]

DEFAULT_PROTOCOL = 2
UNSAFE_MESSAGE = (
    "In PyTorch 2.6, we changed the default value of the `weights_only` argument in `torch.load` from "
    "`False` to `True`. Re-running `torch.load` with `weights_only` set to `False` will likely succeed, "
    "but it can result in arbitrary code execution. Do it only if you got the file from a trusted source."
)
_DOCS_MESSAGE = (
    "\n\nCheck the documentation of torch.load to learn more about types accepted by default with "
    "weights_only https://pytorch.org/docs/stable/generated/torch.load.html."
)
_SEEKABLE = (
    ". You can only torch.load from a file that is seekable. Please pre-load the data into a buffer like "
    "io.BytesIO and try to load from it instead."
)


# --------------------------------------------------------------------------------------------------
# Which globals files may use
# --------------------------------------------------------------------------------------------------


def check_module_version_greater_or_equal(module, req_version_tuple, error_if_malformed=True):
    """Return whether ``module.__version__`` is at least a given version.

    Parameters
    ----------
    module : module
    req_version_tuple : tuple
        The leading parts of the required version, of the types in which they are compared.
    error_if_malformed : bool
        Whether to raise for a version that cannot be compared; otherwise, warn and return True.

    Returns
    -------
    bool

    Raises
    ------
    RuntimeError
        If the version cannot be compared and `error_if_malformed` is true.

    Examples
    --------
    >>> import minitorch as torch
    >>> import types
    >>> module = types.SimpleNamespace(__name__="example", __version__="1.10.2")
    >>> torch.serialization.check_module_version_greater_or_equal(module, (1, 9))
    True
    """
    try:
        parts = module.__version__.split(".")
        return (
            tuple(type(f)(parts[k]) for k, f in enumerate(req_version_tuple)) >= req_version_tuple
        )
    except Exception as error:
        message = (
            f"'{module.__name__}' module version string is malformed '{module.__version__}' and cannot "
            f"be compared with tuple {req_version_tuple!s}"
        )
        if error_if_malformed:
            raise RuntimeError(message) from error
    warnings.warn(message + ", but continuing assuming that requirement is met", stacklevel=2)
    return True


def add_safe_globals(safe_globals):
    """Allow files to use these classes and functions even when ``weights_only`` is true.

    Parameters
    ----------
    safe_globals : list
        Classes or functions, or tuples of one and its name in files, a str.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.serialization.add_safe_globals([torch.nn.Linear])
    >>> torch.serialization.get_safe_globals()
    [<class 'minitorch.nn.modules.linear.Linear'>]
    >>> torch.serialization.clear_safe_globals()
    """
    _allowed._add_safe_globals(safe_globals)


def get_safe_globals():
    """Return the classes and functions passed to `add_safe_globals`.

    Returns
    -------
    list
        Objects, or tuples of one and its name, a str.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.serialization.clear_safe_globals()
    >>> torch.serialization.get_safe_globals()
    []
    """
    return _allowed._get_safe_globals()


def clear_safe_globals():
    """Forget the classes and functions passed to `add_safe_globals`.

    The list is then of size 0.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.serialization.clear_safe_globals()
    >>> torch.serialization.get_safe_globals()
    []
    """
    _allowed._clear_safe_globals()


class safe_globals(_allowed._safe_globals):
    """A context manager that calls `add_safe_globals` for its block.

    Parameters
    ----------
    safe_globals : list
        Classes or functions, or tuples of one and its name in files, a str.

    Examples
    --------
    >>> import io, minitorch as torch
    >>> file = io.BytesIO()
    >>> torch.save(torch.nn.Flatten(), file)
    >>> _ = file.seek(0)
    >>> with torch.serialization.safe_globals([torch.nn.Flatten, set]):
    ...     torch.load(file)
    Flatten(start_dim=1, end_dim=-1)
    """


def get_unsafe_globals_in_checkpoint(f):
    """Return the names of the globals that a file uses and that are not allowed.

    Parameters
    ----------
    f : str, path or file-like
        The file's pickle is not run.

    Returns
    -------
    list of str

    Examples
    --------
    >>> import minitorch as torch
    >>> import io
    >>> file = io.BytesIO()
    >>> torch.save(torch.nn.Flatten(), file)
    >>> _ = file.seek(0)
    >>> torch.serialization.get_unsafe_globals_in_checkpoint(file)
    ['torch.nn.modules.flatten.Flatten']
    """
    allowed = {
        *_allowed._get_allowed_globals(),
        *_allowed._get_user_allowed_globals(),
    }
    with _open_to_read(f) as file:
        if not _is_zipfile(file):
            raise ValueError("Expected input to be a checkpoint returned by torch.save")
        archive = ArchiveReader(file)
        if archive.has_record("constants.pkl"):
            raise ValueError(
                "Expected input to be a checkpoint returned by torch.save but got a torchscript checkpoint"
            )
        data = io.BytesIO(archive.get_record("data.pkl"))
        return list(_restricted.get_globals_in_pkl(data) - allowed)


# --------------------------------------------------------------------------------------------------
# save
# --------------------------------------------------------------------------------------------------


def _is_path(f):
    return isinstance(f, (str, os.PathLike))


@contextmanager
def _open_to_write(f):
    if _is_path(f):
        with replacing(os.fspath(f)) as file:
            yield file
    else:
        yield f
        f.flush()


@contextmanager
def _open_zipfile_writer(name_or_buffer):
    """Yield a `PyTorchFileWriter`, and complete its archive after the block."""
    is_path = _is_path(name_or_buffer)
    if not is_path and not callable(getattr(name_or_buffer, "write", None)):
        kind = TypeError if hasattr(name_or_buffer, "write") else AttributeError
        shown = str(type(name_or_buffer)).strip("<>")
        raise kind(f"Buffer of {shown} has no callable attribute 'write'")
    file = os.fspath(name_or_buffer) if is_path else name_or_buffer
    writer = PyTorchFileWriter(file, get_crc32_options(), _get_storage_alignment())
    yield writer
    writer.write_end_of_file()
    if not is_path:
        file.flush()


def _get_storage_alignment():
    """Return the number of bytes to which each storage is aligned in its file."""
    return config.save.storage_alignment


def _stem(path):
    from pathlib import PurePath  # imported here because it imports more than this package

    return PurePath(path).stem


def save(
    obj,
    f,
    pickle_module=pickle,
    pickle_protocol=DEFAULT_PROTOCOL,
    _use_new_zipfile_serialization=True,
    _disable_byteorder_record=False,
):
    """Write an object that contains tensors to a file that PyTorch can read too.

    Views of one storage remain views of one storage. The whole storage of a view is written. Hooks
    are not saved.

    Parameters
    ----------
    obj : object
        Most often a ``state_dict()``.
    f : str, path or file-like
        An existing file at a path is replaced only after everything is written, so that it
        survives errors.
    pickle_module : module
    pickle_protocol : int

    Raises
    ------
    RuntimeError
        If the file cannot be written, or two tensors view the same memory with different
        dtypes.

    Examples
    --------
    >>> import io, minitorch as torch
    >>> file = io.BytesIO()
    >>> torch.save({"weight": torch.ones(2)}, file)
    >>> _ = file.seek(0)
    >>> torch.load(file)
    {'weight': tensor([1., 1.])}
    """
    if not _is_path(f) and not hasattr(f, "write"):
        raise AttributeError(
            "expected 'f' to be string, path, or a file-like object with a 'write' attribute"
        )
    if not _use_new_zipfile_serialization:
        if _serialization_tls.skip_data:
            raise RuntimeError(
                "Cannot use skip_data=True with _use_new_zipfile_serialization=False"
            )
        with _open_to_write(f) as file:
            legacy_format.save(obj, file, pickle_module, pickle_protocol, location_tag)
        return
    name = _stem(os.fspath(f)) if _is_path(f) else "archive"
    with _open_to_write(f) as file:
        archive = ArchiveWriter(
            file, name, config.save.storage_alignment, config.save.compute_crc32
        )
        zip_format.save(
            obj,
            archive,
            pickle_module,
            pickle_protocol,
            location_tag,
            _disable_byteorder_record,
            _serialization_tls.skip_data,
        )
        archive.write_end_of_file()


# --------------------------------------------------------------------------------------------------
# load
# --------------------------------------------------------------------------------------------------


def _open_to_read(f):
    if _is_path(f):
        return open(f, "rb")
    try:
        f.seek(f.tell())
    except (io.UnsupportedOperation, AttributeError) as error:
        if "seek" in str(error) or "tell" in str(error):
            raise type(error)(str(error) + _SEEKABLE) from error
        raise
    return nullcontext(f)


def _open_file_like(name_or_buffer, mode):
    """Return a context manager for the opened file of a path, or for a given file-like object."""
    if _is_path(name_or_buffer):
        return open(name_or_buffer, mode)
    if "w" in mode:
        return _open_to_write(name_or_buffer)
    if "r" not in mode:
        raise RuntimeError(f"Expected 'r' or 'w' in mode but got {mode}")
    return _open_to_read(name_or_buffer)


def _open_zipfile_reader(name_or_buffer):
    """Return a context manager for a `PyTorchFileReader`."""
    return nullcontext(PyTorchFileReader(name_or_buffer))


def _is_zipfile(file):
    start = file.tell()
    head = file.read(4)
    file.seek(start)
    return head == b"PK\3\4"


def _is_tarfile(file):
    start = file.tell()
    head = file.read(262)
    file.seek(start)
    return head[257:] == b"ustar"


def _is_set(variable):
    return os.environ.get(variable, "0").lower() in ("1", "y", "yes", "true")


def _weights_only(given, pickle_module):
    """Combine the argument `weights_only` with the two environment variables."""
    force, forbid = (
        _is_set("TORCH_FORCE_WEIGHTS_ONLY_LOAD"),
        _is_set("TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD"),
    )
    if force and forbid:
        raise RuntimeError(
            "Only one of `TORCH_FORCE_WEIGHTS_ONLY_LOAD` or `TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD` should be "
            "set, but both were set."
        )
    if force:
        return True
    if given is not None:
        return given
    if forbid:
        warnings.warn(
            "Environment variable TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD detected, since the`weights_only` "
            "argument was not explicitly passed to `torch.load`, forcing weights_only=False.",
            UserWarning,
            stacklevel=3,
        )
        return False
    return pickle_module is None


def _weights_only_text(text):
    if re.search(r"GLOBAL (\S+) was not an allowed global by default.", text):
        return (
            "Weights only load failed. This file can still be loaded, to do so you have two options, "
            "\033[1mdo those steps only if you trust the source of the checkpoint\033[0m. "
            f"\n\t(1) {UNSAFE_MESSAGE}\n\t(2) Alternatively, to load with `weights_only=True` please check "
            f"the recommended steps in the following error message.\n\tWeightsUnpickler error: {text}"
            f"{_DOCS_MESSAGE}"
        )
    report = ""
    if not re.search(r"whose module (\S+) is blocked", text):
        report = (
            "Please file an issue with the following so that we can make `weights_only=True` compatible "
            "with your use case: WeightsUnpickler error: "
        )
    return f"Weights only load failed. {UNSAFE_MESSAGE}\n{report}\n\n{text}{_DOCS_MESSAGE}"


def load(
    f, map_location=None, pickle_module=None, *, weights_only=None, mmap=None, **pickle_load_args
):
    """Read an object from a file written by `save`, here or in PyTorch.

    Unless ``weights_only=False`` is given, the file can only make tensors, numbers, texts,
    containers and instances of what `torch.serialization.add_safe_globals` allows. It cannot run
    any other code.

    Parameters
    ----------
    f : str, path or file-like
    map_location : str, device, dict or callable, optional
        The device to load storages to, or ``map_location(storage, tag)``. All storages are on
        the CPU here, so files with storages of other devices need it.
    pickle_module : module, optional
        The module that reads the pickle; requires ``weights_only=False``.
    weights_only : bool
        If False, the file can make and call **any class and function**.
    mmap : bool
        Map the file and read storages on access. `f` must be a path.
    **pickle_load_args
        Arguments of ``pickle_module.Unpickler``, such as ``encoding``.

    Returns
    -------
    object
        What was saved.

    Raises
    ------
    pickle.UnpicklingError
        If the file uses a global that is not allowed.
    RuntimeError
        If the file is damaged or needs a device that does not exist.

    Examples
    --------
    >>> import io, minitorch as torch
    >>> file = io.BytesIO()
    >>> torch.save([torch.zeros(2), 3], file)
    >>> _ = file.seek(0)
    >>> torch.load(file)
    [tensor([0., 0.]), 3]
    """
    weights_only = _weights_only(weights_only, pickle_module)
    if weights_only and pickle_module is not None:
        raise RuntimeError("Can not safely load weights when explicit pickle_module is specified")
    if weights_only and pickle_load_args:
        warnings.warn("pickle_load_args only works if `weights_only=False`.", stacklevel=2)
    if mmap is None:
        mmap = config.load.mmap
    pickle_load_args.setdefault("encoding", "utf-8")
    if _is_path(f) and os.fspath(f).endswith(".safetensors"):
        return _load_safetensors(os.fspath(f), map_location)
    module = _restricted if weights_only else pickle_module or pickle
    with _open_to_read(f) as file:
        read = _load_zip if _is_zipfile(file) else _load_legacy
        try:
            return read(f, file, Restore(map_location), module, mmap, pickle_load_args)
        except pickle.UnpicklingError as error:
            if not weights_only:
                raise
            refused = pickle.UnpicklingError(_weights_only_text(str(error)))
            raise explained(refused, "load-weights-only") from None


def _load_zip(f, file, restore, module, mmap, arguments):
    archive = ArchiveReader(file)
    if archive.has_record("constants.pkl"):
        raise RuntimeError(
            "Cannot use ``weights_only=True`` with TorchScript archives passed to ``torch.load``. "
            + UNSAFE_MESSAGE
            if module is _restricted
            else "TorchScript archives cannot be loaded: there is no torch.jit here"
        )
    whole = None
    if mmap:
        if not _is_path(f):
            raise ValueError("f must be a file path in order to use the mmap argument")
        shared = config.load.mmap_flags == MAP_SHARED
        whole = UntypedStorage.from_file(os.fspath(f), shared, os.path.getsize(f))
    return zip_format.load(
        archive, restore, module, whole, _serialization_tls.skip_data, **arguments
    )


def _load_legacy(f, file, restore, module, mmap, arguments):
    if mmap:
        name = f"{f}, " if isinstance(f, str) else ""
        raise RuntimeError(
            f"mmap can only be used with files saved with `torch.save({name}"
            "_use_new_zipfile_serialization=True), please torch.save your checkpoint with this option in "
            "order to use mmap."
        )
    if _is_tarfile(file):
        if module is _restricted:
            raise RuntimeError(
                "Cannot use ``weights_only=True`` with files saved in the legacy .tar format. "
                + UNSAFE_MESSAGE
            )
        raise NotImplementedError("files of PyTorch 0.1, which are tar archives, cannot be loaded")
    return legacy_format.load(file, restore, module, _serialization_tls.skip_data, **arguments)


def _load_safetensors(path, map_location):
    if isinstance(map_location, dict) or callable(map_location):
        kind = "dict" if isinstance(map_location, dict) else "callable"
        raise RuntimeError(
            f"Loading safetensors file with {kind} map_location is not supported. Use a device string or "
            "torch.device instead."
        )
    try:
        from safetensors import safe_open
    except ImportError as error:
        raise RuntimeError(
            "Attempting to load a safetensors file but safetensors is not installed. Please install "
            "safetensors with: pip install safetensors"
        ) from error
    from minitorch.autograd.functions.from_data import from_numpy

    restore = Restore(None if map_location is None else str(map_location))
    restore(UntypedStorage(0), "cpu")
    with safe_open(path, "numpy") as file:
        return {name: from_numpy(file.get_tensor(name)) for name in file.keys()}  # noqa: SIM118
