"""Mutants of `core/iterator.pyx`."""

from tests.mutant_list.mutant import of

MUTANTS = [
    *of(
        "core/iterator.pyx",
        (
            "        if same_sizes(g, inputs[0]):\n            continue\n",
            "        if g.ndim == inputs[0].ndim:\n            continue\n",
            "inputs of different sizes",
        ),
        ("        self.all_same_shape = False\n", "", "results of broadcast inputs"),
        (
            "            for d in range(current - 1, -1, -1):\n                self.shape[d + offset]",
            "            for d in range(current):\n                self.shape[d + offset]",
            "a later input with more dimensions",
        ),
        (
            "            for d in range(offset):\n                self.shape[d] = 1\n",
            "",
            "new leading dimensions",
        ),
        (
            "                if size == 1:\n                    self.shape",
            "                if size <= 1:\n                    self.shape",
            "an empty dimension meets a full one",
        ),
        (
            "                elif n[d] != 1:\n",
            "                elif n[d] > 1:\n",
            "a full dimension meets an empty one",
        ),
        (
            "at non-singleton dimension {d + offset}",
            "at non-singleton dimension {d}",
            "the dimension in an error",
        ),
        (
            "    for d in range(current):\n        self.numel *= self.shape[d]\n",
            "    for d in range(ninputs):\n        self.numel *= self.shape[d]\n",
            "the number of elements",
        ),
        (
            "        out[d + offset] = 0 if n[d] == 1 and shape[d + offset] != 1 else s[d]\n",
            "        out[d + offset] = s[d]\n",
            "expanded dimensions",
        ),
        (
            "        operand = noperands - 1 if k == 0 else k - 1\n",
            "        operand = k\n",
            "the output decides the order of dimensions",
        ),
        (
            "        if sa == 0 or sb == 0:\n            continue\n",
            "",
            "broadcast dimensions decide the order",
        ),
        (
            "            return -1 if sa < sb else 1\n        if shape",
            "            return -1 if sa > sb else 1\n        if shape",
            "the order of dimensions",
        ),
        ("        if shape[a] > shape[b]:\n            return 1\n", "", "equal strides"),
        (
            "            elif order < 0:\n                break\n\n\n# ---- the strides of a new",
            "            elif order <= 0:\n                break\n\n\n# ---- the strides of a new",
            "incomparable dimensions",
        ),
        (
            "        for operand in range(self.ninputs - 1):\n            flags &= self.geometry[operand].flags\n",
            "",
            "contiguous and permuted inputs",
        ),
        (
            "            if is_row_major(last):\n                return retain_geometry(last)\n            return new",
            "            return retain_geometry(last)\n            return new",
            "the stride of a single element in a result",
        ),
        (
            "        if flags & CHANNELS_LAST:\n            channels",
            "        if False:\n            channels",
            "channels_last inputs with ambiguous strides",
        ),
        (
            "        if flags & DENSE:\n            for operand",
            "        if True:\n            for operand",
            "inputs with equal gaps",
        ),
        (
            "                          n * sizeof(Py_ssize_t)) != 0:\n                    break\n",
            "                          n * sizeof(Py_ssize_t)) != 0:\n                    pass\n",
            "dense inputs with different strides",
        ),
        (
            "    if n < 2:\n        return _shared_or_new(self, NULL)\n",
            "    if n < 3:\n        return _shared_or_new(self, NULL)\n",
            "matrices with gaps",
        ),
        (
            "                         s[self.ninputs - 1 if operand == 0 else operand - 1])\n",
            "                         s[operand])\n",
            "the first input decides the order of a result",
        ),
        (
            "        step *= self.shape[perm[k]]\n",
            "        step *= self.shape[k]\n",
            "strides of a permuted result",
        ),
        (
            "        if g.ndim == self.shape_ndim and memcmp(sizes_of(g), self.shape, nbytes) == 0:\n",
            "        if g.ndim == self.shape_ndim:\n",
            "an input's shape is taken for the result's",
        ),
        (
            "        if self.shape[d] == 1:\n            continue\n",
            "        if self.shape[d] == 1:\n            break\n",
            "dimensions after one of one element",
        ),
        (
            "                if (self.sizes[last] * self.strides[operand][last]\n                        != s[operand][d] * itemsizes[operand]):\n                    merge = False",
            "                if (self.sizes[last] * self.strides[operand][last]\n                        != s[operand][d] * itemsizes[operand]):\n                    merge = operand > 0",
            "dimensions that only the first operand can merge",
        ),
        (
            "            self.sizes[last] *= self.shape[d]\n",
            "            self.sizes[last] = self.shape[d]\n",
            "merged dimensions",
        ),
        (
            "        self.sizes[0] = 1\n        for operand",
            "        self.sizes[0] = 0\n        for operand",
            "results of one element",
        ),
    ),
    *of(
        "core/result_type.pyx",
        (
            "    return _combine(dimensioned, _combine(zero_dim, wrapped))\n",
            "    return _combine(_combine(dimensioned, zero_dim), wrapped)\n",
            "which of scalars and numbers counts first",
            "of three categories the highest decides either way, and the type of that category is the one met first",
        ),
        (
            "    if lower == NoType or is_complex(higher):\n",
            "    if lower == NoType:\n",
            "complex tensors with complex numbers",
        ),
        (
            "        return to_complex(higher) if is_complex(lower) else higher\n",
            "        return lower if is_complex(lower) else higher\n",
            "a float tensor with a complex number",
        ),
        (
            "        if is_complex(lower) and is_float8(higher):\n            raise",
            "        if False:\n            raise",
            "float8 with complex numbers",
        ),
        (
            "    if is_wide_unsigned(higher) and is_complex(lower):\n        return lower\n",
            "",
            "uint64 with complex numbers",
        ),
        (
            "    if higher == Bool or is_floating(lower) or is_complex(lower):\n",
            "    if is_floating(lower) or is_complex(lower):\n",
            "a bool tensor with an integer",
        ),
        (
            "    if higher == Bool or is_floating(lower) or is_complex(lower):\n",
            "    if True:\n",
            "an int32 tensor with an int64 number",
        ),
        (
            "            dtype = get_default_dtype()\n",
            "            pass\n",
            "the default dtype of numbers",
        ),
        (
            "            dtype = default_complex_dtype()\n",
            "            pass\n",
            "the default dtype of complex numbers",
        ),
        (
            "        wrapped[0] = promote_types(wrapped[0], dtype)\n",
            "        zero_dim[0] = promote_types(zero_dim[0], dtype)\n",
            "numbers count like scalars",
        ),
        (
            "    if is_complex(from_dtype) and not is_complex(to_dtype):\n        return False\n",
            "",
            "complex results in real outputs",
        ),
        (
            "    if is_floating(from_dtype) and is_integral(to_dtype):\n        return False\n",
            "",
            "real results in integer outputs",
        ),
        (
            "    return from_dtype == Bool or to_dtype != Bool\n",
            "    return True\n",
            "numbers in outputs of bools",
        ),
    ),
    *of(
        "core/overlap.pyx",
        (
            "        if strides(t)[d] == 0 and sizes(t)[d] > 1:\n",
            "        if strides(t)[d] == 0:\n",
            "a stride of 0 with one element",
        ),
        (
            "        if strides(t)[d] == 0 and sizes(t)[d] > 1:\n",
            "        if strides(t)[d] == 0 and sizes(t)[d] > 2:\n",
            "two elements in one place",
        ),
        (
            "    if has_internal_overlap(output):\n        raise",
            "    if False:\n        raise",
            "writing to an expanded tensor",
        ),
        (
            "    if a is b:\n        return FULL_OVERLAP\n",
            "    if a is b:\n        return NO_OVERLAP\n",
            "assert_no_overlap of a tensor with itself",
        ),
        (
            "    if a.geometry.numel == 0 or b.geometry.numel == 0 or a.storage",
            "    if a.storage",
            "empty tensors overlap",
        ),
        (
            "    if not (a.geometry.flags & DENSE and b.geometry.flags & DENSE):\n        return UNKNOWN",
            "    if not (a.geometry.flags & DENSE and b.geometry.flags & DENSE):\n        return PARTIAL_OVERLAP or UNKNOWN",
            "tensors with gaps overlap",
        ),
        (
            "    a_end = data(a) + a.geometry.numel * itemsizes[a.dtype]\n",
            "    a_end = data(a) + a.geometry.numel\n",
            "the end of the output",
        ),
        (
            "    b_end = data(b) + b.geometry.numel * itemsizes[b.dtype]\n",
            "    b_end = data(b) + b.geometry.numel\n",
            "the end of the input",
        ),
        (
            "            return FULL_OVERLAP\n        return PARTIAL_OVERLAP\n",
            "            return FULL_OVERLAP\n        return FULL_OVERLAP\n",
            "the same memory in another order",
        ),
        (
            "    if data(a) < b_end and data(b) < a_end:\n",
            "    if data(a) <= b_end and data(b) <= a_end:\n",
            "neighbours overlap",
        ),
        (
            "    if data(a) < b_end and data(b) < a_end:\n",
            "    if data(a) < b_end and data(b) > a_end:\n",
            "overlapping parts",
        ),
        (
            "    if output.storage == input.storage and _overlap(output, input) == PARTIAL_OVERLAP:\n",
            "    if output.storage == input.storage and _overlap(output, input) != NO_OVERLAP:\n",
            "writing in place",
        ),
        (
            "    if output.storage == input.storage and _overlap(output, input) == PARTIAL_OVERLAP:\n",
            "    if False:\n",
            "overlapping outputs are written",
        ),
        (
            "        if status == PARTIAL_OVERLAP or status == FULL_OVERLAP:\n",
            "        if status == PARTIAL_OVERLAP:\n",
            "the input as output where it must not be",
        ),
        (
            "        if status == PARTIAL_OVERLAP or status == FULL_OVERLAP:\n",
            "        if status == FULL_OVERLAP:\n",
            "a part of the input as output",
        ),
    ),
]
