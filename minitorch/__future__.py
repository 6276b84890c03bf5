"""How modules that are converted or loaded get their new parameters; PyTorch keeps the switches here."""

__all__ = [
    "get_overwrite_module_params_on_conversion",
    "get_swap_module_params_on_conversion",
    "set_overwrite_module_params_on_conversion",
    "set_swap_module_params_on_conversion",
]

_overwrite = False
_swap = False


def set_overwrite_module_params_on_conversion(value):
    """Whether a conversion such as ``module.double()`` makes new parameters, in place of new data in the old ones."""
    global _overwrite
    _overwrite = value


def get_overwrite_module_params_on_conversion():
    """What `set_overwrite_module_params_on_conversion` was told; False at first."""
    return _overwrite


def set_swap_module_params_on_conversion(value):
    """Whether conversions and `load_state_dict` make new parameters, which change places with the old ones."""
    global _swap
    _swap = value


def get_swap_module_params_on_conversion():
    """What `set_swap_module_params_on_conversion` was told; False at first."""
    return _swap
