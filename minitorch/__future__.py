"""Switches for how module conversion and loading replace parameters."""

__all__ = [
    "get_overwrite_module_params_on_conversion",
    "get_swap_module_params_on_conversion",
    "set_overwrite_module_params_on_conversion",
    "set_swap_module_params_on_conversion",
]

_overwrite = False
_swap = False


def set_overwrite_module_params_on_conversion(value):
    """Set whether conversions of modules make new parameters instead of setting `data`."""
    global _overwrite
    _overwrite = value


def get_overwrite_module_params_on_conversion():
    """Return the value set by `set_overwrite_module_params_on_conversion`; initially False."""
    return _overwrite


def set_swap_module_params_on_conversion(value):
    """Set whether conversions and `load_state_dict` swap each parameter with a newly made one."""
    global _swap
    _swap = value


def get_swap_module_params_on_conversion():
    """Return the value set by `set_swap_module_params_on_conversion`; initially False."""
    return _swap
