"""The functions of ``torch.distributed.nn``, which raise ValueError without a process group."""

from minitorch.distributed import _needs_group

__all__ = [
    "all_gather",
    "all_reduce",
    "all_to_all",
    "all_to_all_single",
    "broadcast",
    "gather",
    "reduce",
    "reduce_scatter",
    "scatter",
]

all_gather = _needs_group("all_gather")
all_reduce = _needs_group("all_reduce")
all_to_all = _needs_group("all_to_all")
all_to_all_single = _needs_group("all_to_all_single")
broadcast = _needs_group("broadcast")
gather = _needs_group("gather")
reduce = _needs_group("reduce")
reduce_scatter = _needs_group("reduce_scatter")
scatter = _needs_group("scatter")
