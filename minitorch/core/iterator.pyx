"""`TensorIterator`: broadcast, order the dimensions, merge them.

Invariants
----------
- an iterator is a C struct on the caller's stack; it borrows geometries and pointers and owns
  nothing.
- a result's strides follow PyTorch's rules (see `output_geometry`), since programs can see them.

References
----------
PyTorch's counterpart is ``aten/src/ATen/TensorIterator.cpp``.
"""

from libc.string cimport memcmp

from minitorch.core.tensor_impl cimport channels_last_strides, new_geometry, retain_geometry, same_sizes

from minitorch.core.error_pages import explained

# ---- the shape

cdef int infer_shape(TensorIterator* self, int ninputs, SizesAndStrides** inputs) except -1:
    cdef SizesAndStrides* g
    cdef Py_ssize_t* n
    cdef Py_ssize_t size
    cdef int operand, d, offset, current
    self.ninputs = ninputs
    self.all_same_shape = True
    g = inputs[0]
    self.geometry[0] = g
    current = g.ndim
    n = sizes_of(g)
    for d in range(current):
        self.shape[d] = n[d]
    for operand in range(1, ninputs):
        g = inputs[operand]
        self.geometry[operand] = g
        if same_sizes(g, inputs[0]):
            continue
        self.all_same_shape = False
        n = sizes_of(g)
        if g.ndim > current:
            offset = g.ndim - current
            for d in range(current - 1, -1, -1):
                self.shape[d + offset] = self.shape[d]
            for d in range(offset):
                self.shape[d] = 1
            current = g.ndim
        offset = current - g.ndim
        for d in range(g.ndim - 1, -1, -1):
            size = self.shape[d + offset]
            if n[d] != size:
                if size == 1:
                    self.shape[d + offset] = n[d]
                elif n[d] != 1:
                    raise explained(RuntimeError(
                        f"The size of tensor a ({size}) must match the size of tensor b ({n[d]}) "
                        f"at non-singleton dimension {d + offset}"), "broadcast-shapes")
    self.shape_ndim = current
    self.numel = 1
    for d in range(current):
        self.numel *= self.shape[d]
    return 0


# ---- the order of the dimensions

cdef inline void _element_strides(const SizesAndStrides* g, int ndim, const Py_ssize_t* shape,
                                  Py_ssize_t* out) noexcept nogil:
    """Compute the strides of an operand in the broadcast shape: 0 in dimensions where it is expanded."""
    cdef Py_ssize_t* n = sizes_of(<SizesAndStrides*>g)
    cdef Py_ssize_t* s = strides_of(<SizesAndStrides*>g)
    cdef int d, offset = ndim - g.ndim
    for d in range(offset):
        out[d] = 0
    for d in range(g.ndim):
        out[d + offset] = 0 if n[d] == 1 and shape[d + offset] != 1 else s[d]


cdef int _compare(int noperands, const Py_ssize_t (*strides)[MAX_DIMS], const Py_ssize_t* shape,
                  int a, int b) noexcept nogil:
    """Compare two dimensions: negative if a is the faster one, positive if b is, 0 if no operand decides.

    The output, which is the last operand, counts first. Operands that are broadcast in one of the two
    dimensions do not count.
    """
    cdef int k, operand
    cdef Py_ssize_t sa, sb
    for k in range(noperands):
        operand = noperands - 1 if k == 0 else k - 1
        sa = strides[operand][a]
        sb = strides[operand][b]
        if sa == 0 or sb == 0:
            continue
        if sa != sb:
            return -1 if sa < sb else 1
        if shape[a] > shape[b]:
            return 1
    return 0


cdef void _sort_dimensions(int ndim, int noperands, const Py_ssize_t (*strides)[MAX_DIMS],
                           const Py_ssize_t* shape, int* perm) noexcept nogil:
    """Sort the dimensions, the fastest into perm[0], by an insertion sort that skips incomparable neighbours."""
    cdef int i, j, place, order
    for i in range(ndim):
        perm[i] = ndim - 1 - i
    for i in range(1, ndim):
        place = i
        for j in range(i - 1, -1, -1):
            order = _compare(noperands, strides, shape, perm[j], perm[place])
            if order > 0:
                perm[j], perm[place] = perm[place], perm[j]
                place = j
            elif order < 0:
                break


# ---- the strides of a new result

cdef SizesAndStrides* output_geometry(TensorIterator* self) except NULL:
    # Decision table, first match. All inputs of one shape and
    #   all contiguous               -> row-major
    #   all channels_last (4-D)      -> channels_last
    #   all dense, equal strides     -> those strides
    # otherwise the dimensions keep the order the inputs have in memory, without gaps.
    cdef Py_ssize_t[MAX_OPERANDS][MAX_DIMS] s
    cdef Py_ssize_t[MAX_DIMS] result
    cdef int[MAX_DIMS] perm
    cdef SizesAndStrides* last = self.geometry[self.ninputs - 1]
    cdef unsigned int flags = last.flags
    cdef int n = self.shape_ndim, operand, d, k
    cdef bint in_order = True
    cdef Py_ssize_t step = 1
    if self.all_same_shape:
        for operand in range(self.ninputs - 1):
            flags &= self.geometry[operand].flags
        if flags & CONTIGUOUS:
            if is_row_major(last):
                return retain_geometry(last)
            return new_geometry(n, self.shape, NULL)
        if flags & CHANNELS_LAST:
            channels_last_strides(n, self.shape, result)
            return _shared_or_new(self, result)
        if flags & DENSE:
            for operand in range(self.ninputs - 1):
                if memcmp(strides_of(self.geometry[operand]), strides_of(last),
                          n * sizeof(Py_ssize_t)) != 0:
                    break
            else:
                return retain_geometry(last)
    if n < 2:
        return _shared_or_new(self, NULL)
    for operand in range(self.ninputs):
        # in the sort the output comes first and then the operands in order: here there is none,
        # so the first input takes the last place
        _element_strides(self.geometry[operand], n, self.shape,
                         s[self.ninputs - 1 if operand == 0 else operand - 1])
    _sort_dimensions(n, self.ninputs, <const Py_ssize_t (*)[MAX_DIMS]>s, self.shape, perm)
    for d in range(n):
        if perm[d] != n - 1 - d:
            in_order = False
            break
    if in_order:
        return _shared_or_new(self, NULL)
    for k in range(n):
        result[perm[k]] = step
        step *= self.shape[perm[k]]
    return _shared_or_new(self, result)


cdef SizesAndStrides* _shared_or_new(TensorIterator* self, const Py_ssize_t* strides) except NULL:
    """Return the geometry of the shape with these strides (NULL: row-major); that of an input if it is equal."""
    cdef SizesAndStrides* g
    cdef int operand
    cdef size_t nbytes = self.shape_ndim * sizeof(Py_ssize_t)
    for operand in range(self.ninputs):
        g = self.geometry[operand]
        if g.ndim == self.shape_ndim and memcmp(sizes_of(g), self.shape, nbytes) == 0:
            if strides == NULL:
                if is_row_major(g):
                    return retain_geometry(g)
            elif memcmp(strides_of(g), strides, nbytes) == 0:
                return retain_geometry(g)
    return new_geometry(self.shape_ndim, self.shape, strides)


# ---- pointers and strides

cdef void bind(TensorIterator* self, SizesAndStrides* output, char** data,
               const Py_ssize_t* itemsizes) noexcept nogil:
    cdef Py_ssize_t[MAX_OPERANDS][MAX_DIMS] s
    cdef int[MAX_DIMS] perm
    cdef int noperands = self.ninputs + 1, n = self.shape_ndim
    cdef int operand, k, d, last
    cdef bint merge
    self.geometry[self.ninputs] = output
    for operand in range(noperands):
        self.data[operand] = data[operand]
        self.itemsize[operand] = itemsizes[operand]
        _element_strides(self.geometry[operand], n, self.shape, s[operand])
    _sort_dimensions(n, noperands, <const Py_ssize_t (*)[MAX_DIMS]>s, self.shape, perm)
    last = -1
    for k in range(n):
        d = perm[k]
        if self.shape[d] == 1:
            continue
        merge = last >= 0
        if merge:
            for operand in range(noperands):
                if (self.sizes[last] * self.strides[operand][last]
                        != s[operand][d] * itemsizes[operand]):
                    merge = False
                    break
        if merge:
            self.sizes[last] *= self.shape[d]
        else:
            last += 1
            self.sizes[last] = self.shape[d]
            for operand in range(noperands):
                self.strides[operand][last] = s[operand][d] * itemsizes[operand]
    if last < 0:
        last = 0
        self.sizes[0] = 1
        for operand in range(noperands):
            self.strides[operand][0] = 0
    self.ndim = last + 1


cdef void bind_flat(TensorIterator* self, int noperands, Py_ssize_t n, char** data,
                    const Py_ssize_t* steps) noexcept nogil:
    cdef int operand
    self.ninputs = noperands - 1
    self.ndim = 1
    self.numel = n
    self.sizes[0] = n
    for operand in range(noperands):
        self.data[operand] = data[operand]
        self.strides[operand][0] = steps[operand]
