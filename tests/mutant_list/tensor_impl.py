"""Mutants of `core/tensor_impl.pyx`."""

from tests.mutant_list.mutant import of

MUTANTS = [
    *of(
        "core/tensor_impl.pyx",
        (
            "    for d in range(ndim - 1, 1, -1):\n        strides[d]",
            "    for d in range(2, ndim):\n        strides[d]",
            "channels_last strides",
        ),
        (
            "        if n[d] != 1:\n            if s[d] != expected:",
            "        if True:\n            if s[d] != expected:",
            "channels_last with one channel",
        ),
        (
            "        d = 1 if k == 0 else 0 if k == g.ndim - 1 else g.ndim - k\n",
            "        d = 1 if k == 0 else 0 if k == g.ndim - 1 else k + 1\n",
            "the order of channels_last",
        ),
        (
            "        if n[d] > 1:\n            left += 1\n",
            "        left += 1\n",
            "dimensions of one element in the test of density",
        ),
        (
            "            if n[d] > 1 and s[d] == expected:\n",
            "            if n[d] >= 1 and s[d] == expected:\n",
            "dimensions of one element are counted",
        ),
        (
            "    if ndim > MAX_DIMS:\n        raise",
            "    if ndim > MAX_DIMS + 1:\n        raise",
            "65 dimensions",
        ),
        (
            "        if n[d] < 0:\n            shape",
            "        if n[d] < -1:\n            shape",
            "a size of -1",
        ),
        (
            "(<Py_ssize_t>1 << 62) // g.numel:\n            free_geometry(g)\n",
            "(<Py_ssize_t>1 << 62):\n            free_geometry(g)\n",
            "the number of elements overflows",
        ),
        (
            "            if n[d] != 1 and s[d] != expected:\n                contiguous",
            "            if s[d] != expected:\n                contiguous",
            "the stride of a single element matters for contiguity",
        ),
        (
            "        expected *= max(n[d], 1)\n    if contiguous",
            "        expected *= n[d]\n    if contiguous",
            "strides of empty tensors",
        ),
        (
            "    if contiguous or g.numel == 0:\n",
            "    if contiguous:\n",
            "empty tensors are contiguous",
        ),
        (
            "        g.flags = DENSE if _is_dense(g) else 0\n",
            "        g.flags = 0\n",
            "permuted tensors are dense",
        ),
        (
            "        g.flags = DENSE if _is_dense(g) else 0\n",
            "        g.flags = DENSE\n",
            "tensors with gaps are not dense",
        ),
        (
            "    elif ndim == 5 and _matches_channels_last(g):\n",
            "    elif ndim == 3 and _matches_channels_last(g):\n",
            "channels_last_3d",
        ),
        (
            "    return a == b or (a.ndim == b.ndim\n                      and",
            "    return a == b or (a.ndim <= b.ndim\n                      and",
            "shapes of different length",
        ),
        (
            "            release_geometry(self.geometry)\n        if self.storage",
            "            pass\n        if self.storage",
            "geometries leak",
        ),
        (
            "            release_storage(self.storage)\n        if self.own",
            "            pass\n        if self.own",
            "memory leaks",
        ),
        (
            "            _release_counter(self.own_counter)\n\n\ncdef void",
            "            pass\n\n\ncdef void",
            "version counters leak",
        ),
        (
            "    self.version_counter = &storage.version\n",
            "    storage.version = 0\n    self.version_counter = &storage.version\n",
            "a view sets the version back",
        ),
        (
            "    self.is_wrapped_number = False\n",
            "",
            "a tensor counts as a Python number",
            "the fields of a new object are zero",
        ),
        (
            "(<Py_ssize_t>1 << 62) // itemsizes[dtype] - offset:\n",
            "(<Py_ssize_t>1 << 62) // itemsizes[dtype]:\n",
            "sizes near the limit with an offset",
        ),
        (
            "    try:\n        _check_size(g, 0, dtype)\n        storage",
            "    try:\n        storage",
            "bytes overflow",
        ),
        (
            "        storage = new_storage(g.numel * itemsize)\n",
            "        storage = new_storage(g.numel * 16)\n",
            "tensors use more memory than they need",
        ),
        (
            "            if order > 0:\n                perm[j], perm[place]",
            "            if order >= 0:\n                perm[j], perm[place]",
            "the order of dimensions in empty_like",
        ),
        (
            "            elif order < 0:\n                break\n    for i in range(n):\n        s[perm",
            "            elif order <= 0:\n                break\n    for i in range(n):\n        s[perm",
            "broadcast dimensions in empty_like",
        ),
        (
            "        step *= max(sizes(t)[perm[i]], 1)\n",
            "        step *= sizes(t)[perm[i]] + 1\n",
            "gaps in empty_like",
        ),
        (
            "    if sa == 0 or sb == 0:\n        return 0\n    if sa != sb:\n        return -1 if",
            "    if sa != sb:\n        return -1 if",
            "expanded dimensions in empty_like",
        ),
        (
            "        return -1 if sa < sb else 1\n    return 1 if sizes",
            "        return -1 if sa > sb else 1\n    return 1 if sizes",
            "the order of strides in empty_like",
        ),
        (
            "    return 1 if sizes(t)[a] > sizes(t)[b] else 0\n",
            "    return 0\n",
            "equal strides in empty_like",
        ),
        (
            "    self.version_counter = base.version_counter\n    self.own_counter = base.own_counter\n",
            "    self.own_counter = base.own_counter\n",
            "a view of .data has the versions of the storage",
        ),
        (
            "        self.own_counter.refcount += 1\n",
            "        pass\n",
            "a version counter is freed too early",
        ),
        (
            "    retain_storage(base.storage)\n    self = _make(g, base",
            "    self = _make(g, base",
            "memory of views is freed too early",
        ),
        (
            "retain_geometry(base.geometry), base.storage_offset)\n    self.special",
            "retain_geometry(base.geometry), 0)\n    self.special",
            "detach() forgets the offset",
        ),
        (
            "    self.special = base.special\n    return self",
            "    return self",
            "detach() of what is special",
        ),
        (
            "    own_version_counter(self)\n    return self\n",
            "    return self\n",
            ".data shares versions",
        ),
        ("    counter.version = 0\n", "", "the version of .data"),
        (
            "        _release_counter(t.own_counter)\n    t.own_counter",
            "        pass\n    t.own_counter",
            "version counters of .data of .data leak",
        ),
        (
            "    retain_geometry(source.geometry)\n    retain_storage",
            "    retain_storage",
            "a shape is freed too early",
        ),
        (
            "    release_geometry(self.geometry)\n    release_storage(self.storage)\n    self.geometry = source",
            "    release_geometry(self.geometry)\n    self.geometry = source",
            "assigning .data leaks the old memory",
        ),
        (
            "    self.storage_offset = source.storage_offset\n",
            "    self.storage_offset = 0\n",
            "assigning a view to .data",
        ),
        (
            "    self.dtype = source.dtype\n    self.special",
            "    self.special",
            "assigning another dtype to .data",
        ),
        (
            "        needed = (self.storage_offset + g.numel) * itemsizes[self.dtype]\n",
            "        needed = g.numel * itemsizes[self.dtype]\n",
            "resize_ ignores the storage offset",
        ),
        (
            "        if g.numel and needed > self.storage.nbytes:\n",
            "        if needed > self.storage.nbytes:\n",
            "resize_ to nothing grows the storage",
        ),
        (
            "        if g.numel and needed > self.storage.nbytes:\n",
            "        if g.numel and needed != self.storage.nbytes:\n",
            "resize_ shrinks the storage",
        ),
        (
            "    except BaseException:\n        release_geometry(g)\n        raise\n    release_geometry(self.geometry)",
            "    except BaseException:\n        raise\n    release_geometry(self.geometry)",
            "a failed resize_ leaks",
        ),
        (
            "    release_geometry(self.geometry)\n    self.geometry = g\n",
            "    self.geometry = g\n",
            "resize_ leaks the old shape",
        ),
        (
            "        self = empty_geometry(_scalar_geometry, Bool)\n",
            "        self = empty_geometry(_scalar_geometry, Int64)\n",
            "bools among numbers",
        ),
        (
            "            whole = <long long>PyLong_AsUnsignedLongLong(number)\n            self = empty_geometry(_scalar_geometry, UInt64)\n",
            "            whole = <long long>PyLong_AsUnsignedLongLong(number)\n            self = empty_geometry(_scalar_geometry, Int64)\n",
            "numbers from 2**63 on",
        ),
        (
            "        (<double*>data(self))[1] = number.imag\n",
            "        (<double*>data(self))[1] = number.real\n",
            "complex numbers",
        ),
        ("    self.is_wrapped_number = True\n", "", "Python numbers promote like tensors"),
        ("        if count == MAX_DIMS:\n", "        if count > MAX_DIMS:\n", "65 sizes"),
        (
            "    cdef int limit = max(ndim, 1)\n",
            "    cdef int limit = ndim\n",
            "dimension 0 of a scalar",
        ),
        (
            "    if d < -limit or d >= limit:\n",
            "    if d < -limit or d > limit:\n",
            "a dimension one beyond the last",
        ),
        (
            "    if d < -limit or d >= limit:\n",
            "    if d < -limit - 1 or d >= limit:\n",
            "a dimension one before the first",
        ),
        (
            "    return d + limit if d < 0 else d\n",
            "    return d + ndim if d < 0 else d\n",
            "dimension -1 of a scalar",
        ),
    ),
]
