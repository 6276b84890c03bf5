"""Optimizers: PyTorch's ``optim_db``, each option on the way through the same gradients."""

import numpy as np
import torch
from torch.testing._internal.common_optimizers import optim_db

import minitorch
from tests.compat.comparison import compare
from tests.compat.operators import describe
from tests.compat.translate import Missing, Untranslatable, find, translated

ASPECTS = ("path", "errors")
STEPS = 8
ENTRIES = {f"optim.{info.optim_cls.__name__}": info for info in optim_db}


def names():
    return list(ENTRIES)


def path(library, cls, options):
    """The parameters and the state after each step; the gradients are those of a bowl."""
    rng = np.random.RandomState(0)
    params = [
        library.nn.Parameter(library.from_numpy(rng.standard_normal(shape)))
        for shape in ((3, 4), (2, 5))
    ]
    optimizer = cls(params, **options)

    def closure():
        optimizer.zero_grad()
        loss = sum(((p - k) ** 2 * (k + 0.5)).sum() for k, p in enumerate(params))
        loss.backward()
        return loss

    seen = []
    for step in range(STEPS):
        if step == STEPS // 2:
            saved = optimizer.state_dict()
            optimizer = cls(params, **options)
            optimizer.load_state_dict(saved)
        optimizer.step(closure)
        seen.append([p.detach().clone() for p in params])
    states = [value for p in params for value in optimizer.state[p].values()]
    return [seen, [s for s in states if isinstance(s, library.Tensor)], repr(optimizer)]


def check(name):
    """What is not PyTorch's in an optimizer: ``{aspect: difference}``."""
    info, failures = ENTRIES[name], {}
    try:
        cls = find(name)
    except Missing as error:
        return {"path": str(error)}
    for given in info.optim_inputs_func(device="cpu"):
        try:
            expected = path(torch, info.optim_cls, given.kwargs)
        except Exception:
            continue
        try:
            compare(path(minitorch, cls, translated(given.kwargs)), expected)
        except Exception as error:
            failures.setdefault("path", f"{given.desc}: {describe(error)}")
    for item in info.optim_error_inputs_func(device="cpu", dtype=torch.float64):
        if item.error_on.name != "CONSTRUCTION_ERROR":
            continue
        given = item.optimizer_error_input
        try:
            info.optim_cls(given.params, **given.kwargs)
            continue
        except Exception as error:
            expected = error
        try:
            cls(translated(given.params), **translated(given.kwargs))
        except Untranslatable:
            continue
        except Exception as error:
            if type(error).__name__ != type(expected).__name__ or str(error) != str(expected):
                failures.setdefault("errors", f"{describe(error)}, not {describe(expected)}")
        else:
            failures.setdefault("errors", f"none, not {describe(expected)}")
    return failures
