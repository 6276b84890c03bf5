"""Names of the reductions that skip masked-out elements."""

REDUCE_NAMES = "sum mean amin amax argmin argmax prod all norm var std".split()
