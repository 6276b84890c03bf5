"""Modules: PyTorch's ``module_db`` builds, loads, computes and differentiates as PyTorch does."""

import numpy as np
import torch
from torch.testing._internal.common_modules import module_db

import minitorch
from tests.compat.comparison import Different, array, compare
from tests.compat.operators import describe, like, outputs, seed
from tests.compat.translate import Missing, Untranslatable, copied, find, translated

ASPECTS = ("state", "forward", "gradient", "repr", "errors")
SAMPLES = 6
ENTRIES = {info.name: info for info in module_db}


def names():
    return list(ENTRIES)


def cases(info):
    for training in (True, False) if info.train_and_eval_differ else (True,):
        seed()
        np.random.seed(0)
        inputs = info.module_inputs_func(
            info, device="cpu", dtype=torch.float64, requires_grad=True, training=training
        )
        inputs = [x for x in inputs if x.forward_input is not None]
        step = max(1, (len(inputs) - 1) / (SAMPLES - 1))
        places = {round(k * step) for k in range(SAMPLES) if round(k * step) < len(inputs)}
        for k in sorted(places):
            yield inputs[k], training


def run(module, given, convert):
    """The results, and what they are differentiated by."""
    known = {}
    args, kwargs = convert((tuple(given.args), given.kwargs), known)
    seed()
    result = module(*args, **kwargs)
    inputs = [*known.values(), *module.parameters()]
    return result, [t for t in inputs if t.requires_grad]


def differences(info, cls, case, training):
    made = case.constructor_input
    try:
        seed()
        theirs = info.module_cls(*made.args, **made.kwargs).to(torch.float64).train(training)
        expected, inputs = run(theirs, case.forward_input, copied)
        state = {name: value.detach().clone() for name, value in theirs.state_dict().items()}
        tensors = outputs(expected)
        grads = like(tensors, 1)
        wanted = torch.autograd.grad(tensors, inputs, grads, allow_unused=True) if tensors else ()
    except Exception:
        return
    aspect = "state"
    try:
        args, kwargs = translated((tuple(made.args), made.kwargs))
        seed()
        ours = cls(*args, **kwargs).to(minitorch.float64).train(training)
        result, own = run(ours, case.forward_input, translated)
        if list(ours.state_dict()) != list(state):
            raise Different(f"{list(ours.state_dict())}, not {list(state)}")
        # the numbers that parameters begin with are PyTorch's, drawn in its order
        compare(list(ours.state_dict().values()), list(state.values()))
        aspect = "forward"
        compare(result, expected)
        aspect = "gradient"
        mine = outputs(result)
        if len(mine) != len(tensors):
            raise Different(f"{len(mine)} results require grad, not {len(tensors)}")
        if tensors:
            found = minitorch.autograd.grad(mine, own, translated(grads), allow_unused=True)
            compare([_zeros(g) for g in found], [_zeros(g) for g in wanted], 10)
        aspect = "repr"
        if repr(ours) != repr(theirs):
            raise Different(f"{ours!r}, not {theirs!r}".replace("\n", " "))
    except Untranslatable:
        return
    except Exception as error:
        yield aspect, describe(error)


def _zeros(g):
    return 0.0 if g is None or not np.any(array(g)) else g


def errors(info, cls):
    if info.module_error_inputs_func is None:
        return
    seed()
    given = info.module_error_inputs_func(
        info, device="cpu", dtype=torch.float64, requires_grad=False, training=True
    )
    for item in given:
        made, used = item.module_error_input.constructor_input, None
        used = item.module_error_input.forward_input
        try:
            theirs = info.module_cls(*made.args, **made.kwargs)
            theirs(*used.args, **used.kwargs)
            continue
        except Exception as error:
            expected = error
        try:
            args, kwargs = translated((tuple(made.args), made.kwargs))
            ours = cls(*args, **kwargs)
            args, kwargs = translated((tuple(used.args), used.kwargs))
            ours(*args, **kwargs)
        except Untranslatable:
            continue
        except Exception as error:
            if type(error).__name__ != type(expected).__name__:
                yield "errors", f"{type(error).__name__}, not {describe(expected)}"
        else:
            yield "errors", f"none, not {describe(expected)}"


def check(name):
    """What is not PyTorch's in a module: ``{aspect: difference}``."""
    info, failures = ENTRIES[name], {}
    try:
        cls = find(name)
    except Missing as error:
        return {"state": str(error)}
    for case, training in cases(info):
        for aspect, text in differences(info, cls, case, training):
            failures.setdefault(aspect, text)
    for aspect, text in errors(info, cls):
        failures.setdefault(aspect, text)
    return failures
