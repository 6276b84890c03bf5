"""Mutants of `autograd/functions/properties.pyx`."""

from tests.mutant_list.mutant import of

MUTANTS = [
    *of(
        "autograd/functions/properties.pyx",
        (
            "        if requires_grad and (self._requires_grad or self._grad_fn is not None):\n            return self  ",
            "        if requires_grad and self._requires_grad:\n            return self  ",
            "requires_grad_() of a non-leaf",
            "what has a grad_fn requires grad, whatever was done to it",
        ),
    ),
]
