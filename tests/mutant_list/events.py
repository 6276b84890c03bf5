"""Mutants of `autograd/events.pyx`."""

from tests.mutant_list.mutant import of

MUTANTS = [
    *of(
        "autograd/events.pyx",
        (
            '        detail = "added in place" if new is old else "added"\n',
            '        detail = "added"\n',
            "the trace of an accumulation",
        ),
        (
            '        detail = "taken" if new.impl is taken else "copied"\n',
            '        detail = "copied"\n',
            "the trace of a taken gradient",
        ),
    ),
]
