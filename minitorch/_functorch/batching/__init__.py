"""Batching rules: how an operator on one sample is applied to a whole batch.

Inside `vmap` a tensor has a batch dimension that the program does not see. A rule takes the
operator and its arguments, in which every batched tensor is a `Wrapped` of the level. It computes
on the wrapped values, with operators of the level further out, and wraps the results. `rules` maps
the names of operators to rules. An operator without a rule is called for each sample separately,
which is slow but always right.
"""

from minitorch._functorch.batching import (  # they fill in `rules`
    by_sample,
    dimensions,
    images,
    indexing,
    losses,
    matrices,
    normalization,
    outputs,
    pointwise,
    products,
    reductions,
    views,
)
