"""PyTorch's three databases as one list of entries: ``operator mul``, ``module nn.Linear``, ..."""

import warnings

import torch

import minitorch
from tests.compat import modules, operators, optimizers

DATABASES = {"operator": operators, "module": modules, "optimizer": optimizers}


def entries():
    return [f"{kind} {name}" for kind, database in DATABASES.items() for name in database.names()]


def run(entry):
    """What differs, ``{aspect: text}``; both libraries are left as they were."""
    kind, name = entry.split(" ", 1)
    dtypes = torch.get_default_dtype(), minitorch.get_default_dtype()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return DATABASES[kind].check(name)
    finally:
        torch.set_default_dtype(dtypes[0])
        minitorch.set_default_dtype(dtypes[1])
