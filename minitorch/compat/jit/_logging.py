"""TorchScript's counters, which are absent."""

from minitorch.namespace.absent import absent

__all__ = ["add_stat_value", "get_logger", "set_logger", "time_point"]

add_stat_value = absent("torch.jit._logging.add_stat_value")
get_logger = absent("torch.jit._logging.get_logger")
set_logger = absent("torch.jit._logging.set_logger")
time_point = absent("torch.jit._logging.time_point")
