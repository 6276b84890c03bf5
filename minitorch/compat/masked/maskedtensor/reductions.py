"""The reductions that leave out what is not there, by name."""

REDUCE_NAMES = "sum mean amin amax argmin argmax prod all norm var std".split()
