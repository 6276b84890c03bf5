"""Operators that a mode of ``__torch_dispatch__`` sees in the samples of PyTorch's ``op_db``, forward and backward."""

import copy

import numpy as np
import torch

import minitorch
from tests.both import logging_mode
from tests.compat.operators import ENTRIES, Case, function_of, like, outputs, seed
from tests.compat.translate import Missing, Untranslatable, copied, translated

SAMPLES = 10
# looks beyond the memory that a copy of its samples has
UNCOPIED = {"as_strided.partial_views"}


def check(name):
    """``[(aspect, ours, PyTorch's), ...]`` where the names of operators differ, and how many samples were compared."""
    op = ENTRIES[name]
    if name in UNCOPIED:
        return [], 0
    try:
        function = function_of(op)
    except (Missing, Untranslatable):
        return [], 0
    found, compared = [], 0
    for sample in _samples(op):
        case = Case(op, copy.copy(sample))
        try:
            theirs, grads = told(torch, case, op.op)
        except Exception:
            continue  # it refuses the sample, or its derivative
        try:
            ours, _ = told(minitorch, case, function, grads)
        except Untranslatable:
            continue
        compared += 1
        found += [
            (aspect, ours[aspect], theirs[aspect])
            for aspect in theirs
            if ours[aspect] != theirs[aspect]
        ][:1]
    return found, compared


def _samples(op):
    preferred = (torch.float64, torch.float32)
    dtypes = [d for d in preferred if d in op.dtypes] or sorted(op.dtypes, key=str)[:1]
    for dtype in dtypes[:1]:
        grads = op.supports_autograd and dtype in op.backward_dtypes and dtype in preferred
        seed()
        np.random.seed(0)
        found = list(op.sample_inputs_func(op, "cpu", dtype, grads))
        step = max(1, (len(found) - 1) / (SAMPLES - 1))
        yield from (found[round(k * step)] for k in range(SAMPLES) if round(k * step) < len(found))


def told(library, case, function, grads=None):
    """The operators' names by aspect, and the gradients that the backward pass began with."""
    ours = library is minitorch
    seed()
    np.random.seed(0)
    known = {}
    first, args, kwargs = (translated if ours else copied)(case.arguments, known)
    inputs = [t for t in known.values() if t.requires_grad]
    with logging_mode(library) as forward:
        result = function(first, *args, **kwargs)
    names = {"forward": forward.log, "backward": []}
    if case.process is not None:
        result = (translated(case.process) if ours else case.process)(result)
    results = outputs(result) if inputs else []
    if not results:
        return names, grads
    if grads is None:
        grads = like(results, 1)
    given = translated([g.detach() for g in grads]) if ours else grads
    with logging_mode(library) as backward:
        try:
            library.autograd.grad(results, inputs, given, allow_unused=True)
        except RuntimeError as error:
            backward.log.append(type(error).__name__)
    names["backward"] = backward.log
    return names, grads
