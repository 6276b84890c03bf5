"""The wrong calls of PyTorch's ``op_db`` and module database, made inside of transforms."""

import functools

import torch
from torch.testing._internal.opinfo.core import SampleInput

import minitorch
from tests.both import outcome
from tests.compat import modules
from tests.compat.batching import batched, choices, flat, tensors_of
from tests.compat.operators import ENTRIES, ERRORS, function_of, names, seed
from tests.compat.translate import Missing, Untranslatable, copied, find, translated

TRANSFORMS = ("vmap", "grad", "vjp", "jvp", "vmap of grad")


def operators_with_errors():
    return [name for name in names() if ENTRIES[name].error_inputs_func is not None]


def modules_with_errors():
    return [name for name in modules.names() if modules.ENTRIES[name].module_error_inputs_func]


def transformed(transform, in_dims):
    """A function of the library, of a function of tensors and of the tensors."""

    def total(library, call):
        return lambda *t: sum(
            (r.sum() for r in call(*t) if r.is_floating_point()), library.zeros(())
        )

    def run(library, call, tensors):
        func, places = library.func, tuple(k for k, d in enumerate(in_dims) if d is not None)
        if transform == "vmap":
            return func.vmap(call, in_dims, randomness="different")(*tensors)
        if transform == "vmap of grad":
            inner = func.grad(total(library, call), places)
            return func.vmap(inner, in_dims, randomness="different")(*tensors)
        if transform == "grad":
            return func.grad(total(library, call), places)(*tensors)
        primals = tuple(tensors[k] for k in places)

        def of_primals(*primals):
            given = list(tensors)
            for place, primal in zip(places, primals, strict=True):
                given[place] = primal
            return call(*given)

        if transform == "vjp":
            return func.vjp(of_primals, *primals)
        return func.jvp(of_primals, primals, tuple(map(library.ones_like, primals)))

    return run


def cases(tensors):
    """Each transform, and the tensors it is used on."""
    floating = tuple(k for k, t in enumerate(tensors) if t.is_floating_point())
    for chosen in choices(len(tensors)):
        yield "vmap", *batched(tensors, chosen, 0)
    if floating:
        marks = tuple(0 if k in floating else None for k in range(len(tensors)))
        for transform in TRANSFORMS[1:4]:
            yield transform, tensors, marks
        yield "vmap of grad", *batched(tensors, floating, 0)


def program(run, function, given, put, as_own):
    """What a library does with the tensors in a transform."""

    def program(library):
        seed()

        def call(*tensors):
            return tensors_of(function(*(as_own(part, {}) for part in put(tensors))))

        return run(library, call, as_own(copied(given, {}), {}))

    return program


def differences(samples, theirs, ours):
    """What is raised otherwise, as (transform, PyTorch's, ours), and how many errors were compared.

    `theirs` and `ours` are called with (first, args, kwargs).
    """
    found, compared = [], 0
    for sample in samples:
        tensors, put = flat(sample)
        for transform, given, marks in cases(tensors):
            run = transformed(transform, marks)
            expected = outcome(program(run, theirs, given, put, lambda value, _: value), torch)
            if expected[0] != "raised":
                continue
            compared += 1
            result = outcome(program(run, ours, given, put, translated), minitorch)
            if result != expected and result[1] not in ("Untranslatable", "Missing"):
                found.append((transform, expected[1:], result[1:]))
    return found, compared


def check_operator(name):
    op = ENTRIES[name]
    try:
        function = function_of(op)
    except (Missing, Untranslatable):
        return [], 0
    seed()
    given = [item.sample_input for item in list(op.error_inputs_func(op, "cpu"))[:ERRORS]]
    return differences(
        given,
        lambda first, args, kwargs: op.op(first, *args, **kwargs),
        lambda first, args, kwargs: function(first, *args, **kwargs),
    )


def check_module(name):
    info, cls = modules.ENTRIES[name], find(name)
    seed()
    errors = info.module_error_inputs_func(
        info, device="cpu", dtype=torch.float64, requires_grad=False, training=True
    )
    found, compared = [], 0
    for item in errors:
        made, used = (
            getattr(item.module_error_input, f"{word}_input") for word in ("constructor", "forward")
        )
        if used is None:
            continue  # the module cannot be made, and a transform has no part in that
        sample = SampleInput(tuple(used.args), kwargs=used.kwargs)
        more, count = differences(
            [sample],
            functools.partial(_run_module, info.module_cls, made.args, made.kwargs),
            functools.partial(_run_module, cls, *translated((tuple(made.args), made.kwargs))),
        )
        found, compared = found + more, compared + count
    return found, compared


def _run_module(cls, made_args, made_kwargs, inputs, _, kwargs):
    return cls(*made_args, **made_kwargs)(*inputs, **kwargs)
