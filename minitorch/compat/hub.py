"""Models from the network: minitorch downloads nothing."""

import os
import re
from urllib.parse import urlparse  # noqa: F401 (programs import it from here)

__all__ = ["download_url_to_file", "get_dir", "help", "list", "load", "load_state_dict_from_url",
           "set_dir"]  # fmt: skip

# how a file's name tells the beginning of its checksum: resnet18-bfd8deac.pth
HASH_REGEX = re.compile(r"-([a-f0-9]*)\.")

_folder = None


def get_dir():
    """The folder for downloads, as PyTorch's environment variables name it."""
    return os.path.join(_get_torch_home(), "hub") if _folder is None else _folder


def _get_torch_home():
    """The folder of what is kept from the network, the downloads among it."""
    cache = os.getenv("XDG_CACHE_HOME", os.path.join("~", ".cache"))
    return os.path.expanduser(os.getenv("TORCH_HOME", os.path.join(cache, "torch")))


def set_dir(d):
    """Choose the folder for downloads."""
    global _folder
    _folder = os.path.expanduser(d)


class _Faketqdm:
    """What stands for tqdm's bar where that is not installed: it counts, and shows nothing."""

    def __init__(self, total=None, disable=False, unit=None, *args, **kwargs):
        self.total = total
        self.disable = disable
        self.n = 0

    def update(self, n):
        """Count `n` more."""
        if not self.disable:
            self.n += n

    def close(self):
        """Nothing is shown, and nothing is done."""

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
        """Raises NotImplementedError: nothing is downloaded."""
        raise NotImplementedError(f"torch.hub.{name}: minitorch downloads nothing")

    function.__name__ = function.__qualname__ = name
    return function


download_url_to_file = _not_here("download_url_to_file")
help = _not_here("help")
list = _not_here("list")
load = _not_here("load")
load_state_dict_from_url = _not_here("load_state_dict_from_url")
