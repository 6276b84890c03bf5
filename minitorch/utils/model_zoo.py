"""Old names in `hub`."""

from minitorch.hub import _Faketqdm, load_state_dict_from_url, tqdm  # noqa: F401 (names to import)

load_url = load_state_dict_from_url

__all__ = ["load_state_dict_from_url", "load_url"]
