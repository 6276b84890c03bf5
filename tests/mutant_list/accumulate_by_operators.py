"""Mutants of `autograd/accumulate_by_operators.pyx`."""

from tests.mutant_list.mutant import of

MUTANTS = [
    *of(
        "autograd/accumulate_by_operators.pyx",
        (
            '        _operator("add", "_")(variable._grad, gradient, 1)\n    elif',
            '        _operator("add", "_")(variable._grad, gradient, 2)\n    elif',
            "a gradient of a class with __torch_dispatch__",
        ),
        (
            "    elif alone and has_layout_for(gradient.impl, variable.impl):\n",
            "    elif alone:\n",
            "the layout of a dispatched gradient",
        ),
    ),
]
