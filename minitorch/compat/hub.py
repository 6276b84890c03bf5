"""Model downloads, which minitorch does not support."""

import os
import re
from urllib.parse import urlparse  # noqa: F401 (programs import it from here)

__all__ = ["download_url_to_file", "get_dir", "help", "list", "load", "load_state_dict_from_url",
           "set_dir"]  # fmt: skip

# file names contain the beginning of the checksum: resnet18-bfd8deac.pth
HASH_REGEX = re.compile(r"-([a-f0-9]*)\.")

_folder = None


def get_dir():
    """Return the download folder, as set by `set_dir` or PyTorch's environment variables.

    Returns
    -------
    str
        The path.

    Examples
    --------
    >>> import minitorch as torch
    >>> import os
    >>> os.path.basename(torch.hub.get_dir())
    'hub'
    """
    return os.path.join(_get_torch_home(), "hub") if _folder is None else _folder


def _get_torch_home():
    """Return PyTorch's cache folder, which contains the download folder."""
    cache = os.getenv("XDG_CACHE_HOME", os.path.join("~", ".cache"))
    return os.path.expanduser(os.getenv("TORCH_HOME", os.path.join(cache, "torch")))


def set_dir(d):
    """Set the download folder.

    Parameters
    ----------
    d : str
        The path; a ``~`` at its beginning is the home folder.

    Examples
    --------
    >>> import minitorch as torch
    >>> before = torch.hub.get_dir()
    >>> torch.hub.set_dir("models")
    >>> torch.hub.get_dir()
    'models'
    >>> torch.hub.set_dir(before)
    """
    global _folder
    _folder = os.path.expanduser(d)


class _Faketqdm:
    """Replacement for tqdm if it is not installed; counts without showing a progress bar."""

    def __init__(self, total=None, disable=False, unit=None, *args, **kwargs):
        self.total = total
        self.disable = disable
        self.n = 0

    def update(self, n):
        """Add `n` to the count."""
        if not self.disable:
            self.n += n

    def close(self):
        """Do nothing."""

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False


try:
    from tqdm import tqdm
except ImportError:
    tqdm = _Faketqdm


def _not_here(name):
    def function(*args, **kwargs):
        """Raise NotImplementedError: downloads are not supported.

        Parameters
        ----------
        *args, **kwargs
            Not used.

        Raises
        ------
        NotImplementedError
            Always.

        Examples
        --------
        >>> import minitorch as torch
        >>> torch.hub.load("owner/repository", "model")
        Traceback (most recent call last):
        ...
        NotImplementedError: torch.hub.load: minitorch downloads nothing
        """
        raise NotImplementedError(f"torch.hub.{name}: minitorch downloads nothing")

    function.__name__ = function.__qualname__ = name
    return function


download_url_to_file = _not_here("download_url_to_file")
help = _not_here("help")
list = _not_here("list")
load = _not_here("load")
load_state_dict_from_url = _not_here("load_state_dict_from_url")
