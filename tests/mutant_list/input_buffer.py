"""Mutants of `autograd/input_buffer.pyx`."""

from tests.mutant_list.mutant import of

MUTANTS = [
    *of(
        "autograd/input_buffer.pyx",
        (
            "    if a.special is not None or b.special is not None:      # such as",
            "    if a.special is not None and b.special is not None:      # such as",
            "sparse meets dense",
        ),
        (
            "    if Py_REFCNT(a) <= 2 and _can_be_written(a, b): ",
            "    if _can_be_written(a, b): ",
            "a shared gradient is added to",
        ),
        (
            "    if Py_REFCNT(a) <= 2 and _can_be_written(a, b): ",
            "    if Py_REFCNT(a) <= 3 and _can_be_written(a, b): ",
            "a gradient that another buffer holds is added to",
        ),
        (
            "    if Py_REFCNT(a) <= 2 and _can_be_written(a, b): ",
            "    if Py_REFCNT(a) <= 1 and _can_be_written(a, b): ",
            "sums are never in place: more memory",
        ),
        (
            "    if Py_REFCNT(a) <= 2 and _can_be_written(a, b): ",
            "    if Py_REFCNT(a) <= 2: ",
            "sums in place in any memory",
        ),
        (
            "        return engine_operators.add_data(a, b, a)\n",
            "        return engine_operators.add_data(a, a, a)\n",
            "the first gradient counts twice",
        ),
        (
            "    return engine_operators.add_data(a, b, None)\n",
            "    return engine_operators.add_data(b, a, None)\n",
            "order of the operands of a sum",
        ),
        (
            "    if not (grad_enabled() or interposers) and _is",
            "    if not interposers and _is",
            "recorded sums are made in place",
        ),
        (
            "and _is_only_memory(old) and _is_only_memory(new):",
            "and _is_only_memory(old):",
            "a special gradient is added to memory",
        ),
        (
            "        if Py_REFCNT(old) <= 2 and Py_REFCNT(a) <= 2 and _can_be_written(a, b):",
            "        if Py_REFCNT(a) <= 2 and _can_be_written(a, b):",
            "a Tensor that Python holds is added to",
        ),
        (
            "        if Py_REFCNT(old) <= 2 and Py_REFCNT(a) <= 2 and _can_be_written(a, b):",
            "        if Py_REFCNT(old) <= 2 and _can_be_written(a, b):",
            "data that another tensor holds are added to",
        ),
        (
            "    return engine_operators.add(old, new) if total",
            "    return engine_operators.add(new, old) if total",
            "order of a recorded sum",
        ),
        (
            "    return (old.storage.refcount == 1 and old",
            "    return (old.storage.refcount <= 2 and old",
            "memory with another view is added to",
        ),
        (
            "old.storage.refcount == 1 and old.storage.owner == NULL and is_dense(old)",
            "old.storage.refcount == 1 and is_dense(old)",
            "foreign memory is added to",
        ),
        (
            "old.storage.refcount == 1 and old.storage.owner == NULL and is_dense(old)",
            "old.storage.refcount == 1 and old.storage.owner == NULL",
            "an expanded gradient is added to",
        ),
        (
            "            and same_sizes(old.geometry, new.geometry))",
            ")",
            "sums of two shapes",
            "every gradient has been fitted to the shape of the output it is for",
        ),
    ),
]
