"""Mutants of `autograd/saved_tensor_hooks.pyx`."""

from tests.mutant_list.mutant import of

MUTANTS = [
    *of(
        "autograd/saved_tensor_hooks.pyx",
        (
            "    return stack[len(stack) - 1] if stack else None\n",
            "    return stack[0] if stack else None\n",
            "the outermost hooks count",
        ),
        (
            "    if fail_if_non_empty and default_hooks() is not None:\n",
            "    if default_hooks() is not None:\n",
            "fail_if_non_empty=False",
        ),
    ),
]
