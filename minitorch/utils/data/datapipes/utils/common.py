"""Helpers of datapipes: function checks, files and streams, lengths."""

import fnmatch
import functools
import inspect
import os
import warnings
from collections.abc import Iterable
from io import IOBase

from minitorch.autograd.functions.overridable import OverridableFunction
from minitorch.utils._import_utils import dill_available

__all__ = [
    "StreamWrapper",
    "get_file_binaries_from_pathnames",
    "get_file_pathnames_from_root",
    "match_masks",
    "validate_input_col",
    "validate_pathname_binary_tuple",
]


def validate_input_col(fn, input_col):
    """Check that a function takes as many arguments as there are columns; functions without a signature pass.

    Parameters
    ----------
    fn : callable
    input_col : int, str, tuple, list or None
        The columns; one column unless it is a tuple or list.

    Raises
    ------
    ValueError
    """
    inner = fn.func if isinstance(fn, functools.partial) else fn
    if isinstance(inner, OverridableFunction) and not inspect.isfunction(inspect.unwrap(inner)):
        return  # PyTorch's is written in C
    try:
        parameters = inspect.signature(fn).parameters.values()
    except ValueError:
        return
    wanted = len(input_col) if isinstance(input_col, (list, tuple)) else 1
    kinds = inspect.Parameter
    positional = [
        p for p in parameters if p.kind in (kinds.POSITIONAL_ONLY, kinds.POSITIONAL_OR_KEYWORD)
    ]
    any_number = any(p.kind is kinds.VAR_POSITIONAL for p in parameters)
    named = [p for p in parameters if p.kind is kinds.KEYWORD_ONLY and p.default is p.empty]
    what = f"The function {getattr(inner, '__name__', repr(inner))} takes"
    if named:
        raise ValueError(
            f"{what} {len(named)} non-default keyword-only parameters, which is not allowed."
        )
    if len(parameters) < wanted:
        if not any_number:
            raise ValueError(f"{what} {len(parameters)} parameters, but {wanted} are required.")
    elif any(p.default is p.empty for p in positional[wanted:]) or (
        len(positional) < wanted and not any_number
    ):
        raise ValueError(
            f"{what} {len(positional)} positional parameters, but {wanted} are required."
        )


def _is_local_fn(fn):
    if hasattr(fn, "__code__"):
        return bool(fn.__code__.co_flags & inspect.CO_NESTED)
    name = getattr(fn, "__qualname__", None) or getattr(type(fn), "__qualname__", "")
    return "<locals>" in name


def _check_unpickable_fn(fn):
    """Warn that a function cannot be pickled for worker processes."""
    if not callable(fn):
        raise TypeError(f"A callable function is expected, but {type(fn)} is provided.")
    if isinstance(fn, functools.partial):
        fn = fn.func
    if _is_local_fn(fn):
        kind = "Local"
    elif getattr(fn, "__name__", None) == "<lambda>":
        kind = "Lambda"
    else:
        return
    if not dill_available():
        warnings.warn(
            f"{kind} function is not supported by pickle, please use regular python function or "
            "functools.partial instead.",
            stacklevel=2,
        )


def length_of(pipe, source):
    """Return the length of the source of a pipe.

    Raises
    ------
    TypeError
        If it has none.
    """
    try:
        return len(source)
    except (TypeError, NotImplementedError):
        raise TypeError(f"{type(pipe).__name__} instance doesn't have valid length") from None


def length_given(pipe, length):
    """Return the length given to a pipe; -1 means none."""
    if length == -1:
        raise TypeError(f"{type(pipe).__name__} instance doesn't have valid length")
    return length


def match_masks(name, masks):
    """Return True if a name matches a shell pattern, or if there is no pattern."""
    if not masks:
        return True
    return any(
        fnmatch.fnmatch(name, mask) for mask in ([masks] if isinstance(masks, str) else masks)
    )


def get_file_pathnames_from_root(
    root, masks, recursive=False, abspath=False, non_deterministic=False
):
    """Iterate over the files in a directory, or yield `root` itself if it is a file.

    Parameters
    ----------
    root : str
    masks : str or list of str
        Shell patterns; only files whose names match one of them are returned.
    recursive : bool, default False
        Also return the files in subdirectories.
    abspath : bool, default False
        Return absolute paths.
    non_deterministic : bool, default False
        Keep the order of the file system instead of sorting.

    Yields
    ------
    str
    """

    def tell(error):
        warnings.warn(f"{error.filename} : {error.strerror}", stacklevel=2)
        raise error

    full = os.path.abspath if abspath else str
    if os.path.isfile(root):
        path = full(root)
        if match_masks(os.path.basename(path), masks):
            yield path
        return
    for path, directories, files in os.walk(root, onerror=tell):
        if not non_deterministic:
            files.sort()
        for name in files:
            if match_masks(name, masks):
                yield os.path.join(full(path), name)
        if not recursive:
            return
        if not non_deterministic:
            directories.sort()


def get_file_binaries_from_pathnames(pathnames, mode, encoding=None):
    """Open each file and yield its path and its stream.

    Parameters
    ----------
    pathnames : str or iterable of str
    mode : str
    encoding : str, optional

    Yields
    ------
    (str, StreamWrapper)
    """
    if not isinstance(pathnames, Iterable):
        pathnames = [pathnames]
    if mode in ("b", "t"):
        mode = f"r{mode}"
    for name in pathnames:
        if not isinstance(name, str):
            raise TypeError(f"Expected string type for pathname, but got {type(name)}")
        yield name, StreamWrapper(open(name, mode, encoding=encoding))  # noqa: SIM115


def validate_pathname_binary_tuple(data):
    """Check that `data` is a tuple of a path and a stream."""
    if not isinstance(data, tuple):
        raise TypeError(f"pathname binary data should be tuple type, but it is type {type(data)}")
    if len(data) != 2:
        raise TypeError(f"pathname binary stream tuple length should be 2, but got {len(data)}")
    if not isinstance(data[0], str):
        raise TypeError(
            "pathname within the tuple should have string type pathname, but it is type "
            f"{type(data[0])}"
        )
    if not isinstance(data[1], (IOBase, StreamWrapper)):
        raise TypeError(
            "binary stream within the tuple should have IOBase orits subclasses as type, but it is type "
            f"{type(data[1])}"
        )


def _deprecation_warning(
    old_class_name,
    *,
    deprecation_version,
    removal_version,
    old_functional_name="",
    old_argument_name="",
    new_class_name="",
    new_functional_name="",
    new_argument_name="",
    deprecate_functional_name_only=False,
):
    """Warn that a datapipe class, its method name or one of its arguments is deprecated."""
    if new_functional_name and not old_functional_name:
        raise ValueError("Old functional API needs to be specified for the deprecation warning.")
    if new_argument_name and not old_argument_name:
        raise ValueError("Old argument name needs to be specified for the deprecation warning.")
    if old_functional_name and old_argument_name:
        raise ValueError("Deprecating warning for functional API and argument should be separated.")
    what = f"`{old_class_name}()`"
    if deprecate_functional_name_only and old_functional_name:
        what += f"'s functional API `.{old_functional_name}()` is"
    elif old_functional_name:
        what += f" and its functional API `.{old_functional_name}()` are"
    elif old_argument_name:
        what = f"The argument `{old_argument_name}` of {what} is"
    else:
        what += " is"
    text = (
        f"{what} deprecated since {deprecation_version} and will be removed in {removal_version}."
        "\nSee https://github.com/pytorch/data/issues/163 for details."
    )
    instead = [f"`{new_class_name}()`"] if new_class_name else []
    if new_functional_name:
        instead.append(f"`.{new_functional_name}()`")
    if instead:
        text += f"\nPlease use {' or '.join(instead)} instead."
    if new_argument_name:
        text += f"\nPlease use `{old_class_name}({new_argument_name}=)` instead."
    warnings.warn(text, FutureWarning, stacklevel=2)


class StreamWrapper:
    """A stream that is closed when it is no longer needed.

    Parameters
    ----------
    file_obj : object
        The stream; other attributes are read from it.
    parent_stream : StreamWrapper, optional
        The stream that this one is read from, such as the archive of a file.
    name : str, optional

    Examples
    --------
    >>> import io
    >>> from minitorch.utils.data.datapipes.utils.common import StreamWrapper
    >>> archive = StreamWrapper(io.BytesIO(b"ab"))
    >>> part = StreamWrapper(io.BytesIO(b"a"), archive, name="part")
    >>> archive.autoclose()
    >>> archive.closed
    False
    >>> part.close()
    >>> archive.closed
    True
    """

    session_streams: dict = {}  # noqa: RUF012 (one for the session)
    debug_unclosed_streams = False

    def __init__(self, file_obj, parent_stream=None, name=None):
        self.file_obj = file_obj
        self.child_counter = 0
        self.parent_stream = None
        self.close_on_last_child = False
        self.name = name
        self.closed = False
        if parent_stream is not None:
            if not isinstance(parent_stream, StreamWrapper):
                raise RuntimeError(
                    f"Parent stream should be StreamWrapper, {type(parent_stream)} was given"
                )
            parent_stream.child_counter += 1
            self.parent_stream = parent_stream
        if StreamWrapper.debug_unclosed_streams:
            StreamWrapper.session_streams[self] = 1

    @classmethod
    def close_streams(cls, v, depth=0):
        """Close the streams in a collection, ten collections deep."""
        if depth > 10:
            return
        if isinstance(v, StreamWrapper):
            v.close()
            return
        for item in (
            v.values() if isinstance(v, dict) else v if isinstance(v, (list, tuple)) else ()
        ):
            cls.close_streams(item, depth=depth + 1)

    def __getattr__(self, name):
        return getattr(self.__dict__["file_obj"], name)

    def close(self, *args, **kwargs):
        """Close the stream, and its parent if `autoclose` was called there and no other child is open."""
        if self.closed:
            return
        if StreamWrapper.debug_unclosed_streams:
            del StreamWrapper.session_streams[self]
        parent = self.__dict__.get("parent_stream")
        if parent is not None:
            parent.child_counter -= 1
            if not parent.child_counter and parent.close_on_last_child:
                parent.close()
        close = getattr(self.file_obj, "close", None)
        if close is not None:
            close(*args, **kwargs)
        self.closed = True

    def autoclose(self):
        """Close the stream as soon as no child of it is open."""
        self.close_on_last_child = True
        if self.child_counter == 0:
            self.close()

    def __dir__(self):
        return list({*self.__dict__, *StreamWrapper.__dict__, *dir(self.file_obj)})

    def __del__(self):
        if not self.closed:
            self.close()

    def __iter__(self):
        yield from self.file_obj

    def __next__(self):
        return next(self.file_obj)

    def __repr__(self):
        name = "" if self.name is None else f"{self.name},"
        return f"StreamWrapper<{name}{self.file_obj!r}>"

    def __getstate__(self):
        return self.file_obj

    def __setstate__(self, obj):
        self.file_obj = obj
