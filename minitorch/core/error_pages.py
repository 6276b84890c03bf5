"""The notes that connect an exception with the page that explains it.

Note [Pages of errors]
A page is a file of `minitorch/commands/errors/`. `python -m minitorch explain` prints it, and the site
shows it. Where a function raises a classic mistake, it passes the exception to `explained`, which names
the page in the exception's last note. The type, `str()` and `args` of the exception stay PyTorch's.

Only code that raises calls `explained`, so other calls take no longer. A note is a string, so it keeps
no tensor alive. This file imports nothing: the lowest layer can use it.
"""

_LABEL = 'See "python -m minitorch explain '


def explained(error, page):
    """Return `error` with a note that names its page.

    Parameters
    ----------
    error : BaseException
    page : str
        The name of the page: ``"second-backward"``.

    Examples
    --------
    >>> from minitorch.core.error_pages import explained
    >>> explained(RuntimeError("text"), "leaf-in-place").__notes__
    ['See "python -m minitorch explain leaf-in-place" (reference/errors/leaf-in-place.html on the site)']
    """
    error.add_note(f'{_LABEL}{page}" (reference/errors/{page}.html on the site)')
    return error


def add_note(error, text):
    """Add a note to an exception, in front of the one that names its page."""
    error.add_note(text)
    notes = error.__notes__
    if len(notes) > 1 and notes[-2].startswith(_LABEL):
        notes[-2:] = notes[:-3:-1]
