"""Error files of processes started by a launcher."""

import functools
import json
import os
import time
import traceback

__all__ = ["record"]


def record(fn, error_handler=None):
    """Decorate a program's main function so that exceptions are reported to the launcher.

    Parameters
    ----------
    fn : callable
    error_handler : object, optional
        If given, its ``record_exception`` method is called instead of writing a file.

    Returns
    -------
    callable
        The wrapped function. If it raises and the environment variable
        ``TORCHELASTIC_ERROR_FILE`` is set, the error is written to that file as JSON. The
        exception is always re-raised.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.distributed.elastic.multiprocessing.errors import record
    >>> @record
    ... def main():
    ...     return 3
    >>> main()
    3
    """

    @functools.wraps(fn)
    def recorded(*args, **kwargs):
        try:
            return fn(*args, **kwargs)
        except Exception as error:
            (error_handler.record_exception if error_handler else _write)(error)
            raise

    return recorded


def _write(error):
    path = os.environ.get("TORCHELASTIC_ERROR_FILE")
    if not path:
        return
    details = {"py_callstack": traceback.format_exc(), "timestamp": str(int(time.time()))}
    message = {"message": f"{type(error).__name__}: {error}", "extraInfo": details}
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"message": message}, file)
