# distutils: extra_compile_args = -fno-trapping-math -fno-math-errno
"""Recurrent layers: in each step, one product with the recurrent weights and one pass over the gates.

Note [Rows of a sequence are independent]
No row of the batch depends on another. So the rows are split over threads, and each thread processes its rows
along the whole sequence without waiting for the others. The recurrent weights are packed for the tiles once for
all steps and threads. With fewer than `FEW` rows a tile would be mostly empty; then each row is multiplied with
the unpacked weights.

The state is kept in `h` and `c` during the iteration. In a packed sequence, the rows of sequences that have ended
are no longer written and hold their last state; backward, the rows of sequences that have not begun hold their
first state.
"""

from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from cython.parallel cimport prange

from minitorch.kernels.common.parallel cimport threads_for
from minitorch.kernels.common.simd cimport simd
from minitorch.kernels.common.vmath cimport sigmoid_, tanh_
from minitorch.kernels.linalg.gemm_tiles cimport K_BLOCK, pack_a, pack_b, panel_memory, tile_block
from minitorch.kernels.linalg.gemv_tiles cimport tile_gemv
from minitorch.kernels.linalg.matrix cimport BLAS_NO_MEMORY, BLAS_OK, Matrix, Vector, matrix, vector
from minitorch.kernels.linalg.tile_types cimport TILE_ROWS, TILE_SLACK, TILE_VECTORS
from minitorch.kernels.linalg.tiles cimport tiles32, tiles64

cdef enum:
    FEW = 3                    # number of rows from which a tile is used
    BLOCK = 256                # elements of a gate that are processed at a time


cdef int gates_of(Cell cell) noexcept nogil:
    return 4 if cell == LSTM else 3 if cell == GRU else 1


# ---- repeated products with the same matrix

cdef struct Packed:
    Matrix b
    void* panels               # NULL for few rows
    Py_ssize_t width
    Py_ssize_t columns         # of all panels


cdef int _pack(Real* tag, Matrix b, Py_ssize_t rows, Packed* out) noexcept nogil:
    """Pack `b` for products with `rows` rows."""
    cdef int lanes = tiles32.lanes if Real is float else tiles64.lanes
    cdef Py_ssize_t k = 0, n
    out.b = b
    out.panels = NULL
    out.width = TILE_VECTORS * lanes
    out.columns = (b.cols + out.width - 1) // out.width * out.width
    if rows <= FEW:
        return BLAS_OK
    out.panels = panel_memory((b.rows * out.columns + TILE_SLACK) * sizeof(Real))
    if out.panels == NULL:
        return BLAS_NO_MEMORY
    while k < b.rows:
        n = b.rows - k if b.rows - k < K_BLOCK else K_BLOCK
        pack_b(&b, k, n, 0, b.cols, out.width, <Real*>out.panels + k * out.columns)
        k += n
    return BLAS_OK


cdef int _product(const Packed* w, const Real* a, Py_ssize_t rows, Real* c, bint add, Real* scratch) noexcept nogil:
    """Compute c = a @ b, or c += a @ b; `scratch` holds the packed rows of a."""
    cdef int lanes = tiles32.lanes if Real is float else tiles64.lanes, status
    cdef int offsets[K_BLOCK]
    cdef Real zero[TILE_ROWS]
    cdef Py_ssize_t k, n, i
    cdef Matrix left, turned
    cdef Vector x, y
    if w.panels == NULL:
        turned = matrix(w.b.data, w.b.cols, w.b.rows, w.b.col_stride, w.b.row_stride)
        for i in range(rows):
            x = vector(<char*>(a + i * w.b.rows), w.b.rows, 1)
            y = vector(<char*>(c + i * w.b.cols), w.b.cols, 1)
            status = tile_gemv(<Real>1, &turned, &x, <Real>(1 if add else 0), &y)
            if status != BLAS_OK:
                return status
        return BLAS_OK
    for i in range(TILE_ROWS):
        zero[i] = 0
    for i in range(K_BLOCK):
        offsets[i] = <int>(i * w.width)
    left = matrix(<char*>a, rows, w.b.rows, w.b.rows, 1)
    k = 0
    while k < w.b.rows:
        n = w.b.rows - k if w.b.rows - k < K_BLOCK else K_BLOCK
        pack_a(<Real>1, &left, 0, rows, k, n, scratch)
        tile_block(lanes, n, scratch, rows, <Real*>w.panels + k * w.columns, n * w.width, w.b.cols, offsets, c,
                   w.b.cols, NULL if add or k > 0 else zero)
        k += n
    return BLAS_OK


# ---- gates. Each loop has one result, so that the compiler can see that nothing overlaps.

cdef simd _sigmoid(Real* x, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t j
    for j in range(n):
        x[j] = sigmoid_(x[j])


cdef simd _tanh(Real* x, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t j
    for j in range(n):
        x[j] = tanh_(x[j])


cdef simd _relu(Real* x, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t j
    for j in range(n):
        x[j] = <Real>0 if x[j] < 0 else x[j]


cdef simd _lstm_state(const Real* gates, Py_ssize_t n, Real* c, Real* h) noexcept nogil:
    """Compute c = f c + i g and h = o tanh(c)."""
    cdef Py_ssize_t j
    for j in range(n):
        c[j] = gates[n + j] * c[j] + gates[j] * gates[2 * n + j]
    for j in range(n):
        h[j] = gates[3 * n + j] * tanh_(c[j])


cdef simd _add(Real* x, const Real* y, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t j
    for j in range(n):
        x[j] += y[j]


cdef simd _gru_new(Real* x, const Real* reset, const Real* from_h, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t j
    for j in range(n):
        x[j] = tanh_(x[j] + from_h[j] * reset[j])


cdef simd _gru_state(const Real* update, const Real* new, Real* h, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t j
    for j in range(n):
        h[j] = (h[j] - new[j]) * update[j] + new[j]


cdef simd _lstm_gradients(const Real* gates, const Real* c, const Real* c_before, const Real* dh, Real* dc,
                          Real* grad_gates, Py_ssize_t n) noexcept nogil:
    """Compute the gradients of the gates of one row; replace `dc` by the gradient of c before the step."""
    cdef Real t[BLOCK]
    cdef Real d[BLOCK]
    cdef Py_ssize_t j, at = 0, size
    cdef const Real* i
    cdef const Real* f
    cdef const Real* g
    cdef const Real* o
    cdef Real* out
    while at < n:
        size = n - at if n - at < BLOCK else BLOCK
        i = gates + at
        f = i + n
        g = f + n
        o = g + n
        for j in range(size):
            t[j] = tanh_(c[at + j])
        for j in range(size):
            d[j] = dc[at + j] + dh[at + j] * o[j] * (1 - t[j] * t[j])
        out = grad_gates + at
        for j in range(size):
            out[j] = d[j] * g[j] * i[j] * (1 - i[j])
        out += n
        for j in range(size):
            out[j] = d[j] * c_before[at + j] * f[j] * (1 - f[j])
        out += n
        for j in range(size):
            out[j] = d[j] * i[j] * (1 - g[j] * g[j])
        out += n
        for j in range(size):
            out[j] = dh[at + j] * t[j] * o[j] * (1 - o[j])
        for j in range(size):
            dc[at + j] = d[j] * f[j]
        at += size


# ---- one step of some rows

cdef void _apply_gates(const Sequence* s, Real* gates, Real* from_h, Real* h, Real* c, Py_ssize_t rows) noexcept nogil:
    """Apply the gates to update the states; for a GRU, `from_h` is the contribution of the state."""
    cdef Py_ssize_t n = s.hidden, r
    cdef Real* row
    for r in range(rows):
        row = gates + r * gates_of(s.cell) * n
        if s.cell == LSTM:
            _sigmoid(row, 2 * n)
            _tanh(row + 2 * n, n)
            _sigmoid(row + 3 * n, n)
            _lstm_state(row, n, c + r * n, h + r * n)
        elif s.cell == GRU:
            _add(row, from_h + r * 3 * n, 2 * n)
            _sigmoid(row, 2 * n)
            _gru_new(row + 2 * n, row, from_h + r * 3 * n + 2 * n, n)
            _gru_state(row + n, row + 2 * n, h + r * n, n)
        else:
            if s.cell == TANH:
                _tanh(row, n)
            else:
                _relu(row, n)
            memcpy(h + r * n, row, n * sizeof(Real))


cdef inline Py_ssize_t _count(const Sequence* s, Py_ssize_t time, Py_ssize_t low, Py_ssize_t high) noexcept nogil:
    """Return how many of the rows [low, high) exist at a time step."""
    cdef Py_ssize_t there = s.batch if s.rows == NULL else s.rows[time]
    if there >= high:
        return high - low
    return there - low if there > low else 0


cdef int _walk(const Sequence* s, Real* gates, const Packed* recur, const Real* bias, const Packed* project, Real* h,
               Real* c, Real* out, Real* cells, Py_ssize_t low, Py_ssize_t high) noexcept nogil:
    """Compute all steps of the rows [low, high)."""
    cdef Py_ssize_t n = s.hidden, p = s.output, many = gates_of(s.cell) * n, r, step, time, count
    cdef Py_ssize_t at = 0                           # the first row of the time step
    cdef Py_ssize_t tiles = (high - low + TILE_ROWS - 1) // TILE_ROWS * TILE_ROWS
    cdef int status = BLAS_OK
    cdef Real* packed = <Real*>malloc((tiles * K_BLOCK + TILE_SLACK) * sizeof(Real))
    cdef Real* from_h = NULL
    cdef Real* raw = NULL                            # an output that has not been projected yet
    cdef Real* mine
    if s.cell == GRU:
        from_h = <Real*>malloc((high - low) * many * sizeof(Real))
    if project != NULL:
        raw = <Real*>malloc((high - low) * n * sizeof(Real))
    if packed == NULL or (s.cell == GRU and from_h == NULL) or (project != NULL and raw == NULL):
        status = BLAS_NO_MEMORY
    if s.reverse:
        for time in range(s.times):
            at += s.batch if s.rows == NULL else s.rows[time]
    for step in range(s.times):
        if status != BLAS_OK:
            break
        time = s.times - 1 - step if s.reverse else step
        if s.reverse:
            at -= s.batch if s.rows == NULL else s.rows[time]
        count = _count(s, time, low, high)
        if count > 0:
            mine = gates + (at + low) * many
            if s.cell == GRU:
                for r in range(count if bias != NULL else 0):
                    memcpy(from_h + r * many, bias, many * sizeof(Real))
                status = _product(recur, h + low * p, count, from_h, bias != NULL, packed)
            else:
                status = _product(recur, h + low * p, count, mine, True, packed)
            if status != BLAS_OK:
                break
            _apply_gates(s, mine, from_h, h + low * p if raw == NULL else raw, c + low * n if c != NULL else NULL,
                         count)
            if raw != NULL:
                status = _product(project, raw, count, h + low * p, False, packed)
            memcpy(out + (at + low) * p, h + low * p, count * p * sizeof(Real))
            if cells != NULL:
                memcpy(cells + (at + low) * n, c + low * n, count * n * sizeof(Real))
        if not s.reverse:
            at += s.batch if s.rows == NULL else s.rows[time]
    free(packed)
    free(from_h)
    free(raw)
    return status


cdef int _parts(const Sequence* s) noexcept nogil:
    cdef double work = <double>s.times * s.batch * gates_of(s.cell) * s.hidden * (s.output / 40.0 + 1)
    cdef int parts = threads_for(<Py_ssize_t>(work if work < 1e15 else 1e15))
    cdef Py_ssize_t units = (s.batch + TILE_ROWS - 1) // TILE_ROWS
    return parts if parts < units else <int>units


cdef int run_forwards(const Sequence* s, Real* gates, const Real* w_hh, const Real* bias, const Real* w_hr, Real* h,
                      Real* c, Real* out, Real* cells) noexcept nogil:
    cdef Packed recur, project
    cdef Packed* projecting = NULL
    cdef int part, parts = _parts(s), status
    cdef Py_ssize_t units = (s.batch + TILE_ROWS - 1) // TILE_ROWS
    project.panels = NULL
    status = _pack(<Real*>NULL, matrix(<char*>w_hh, s.output, gates_of(s.cell) * s.hidden, 1, s.output), s.batch,
                   &recur)
    if w_hr != NULL and status == BLAS_OK:
        status = _pack(<Real*>NULL, matrix(<char*>w_hr, s.hidden, s.output, 1, s.hidden), s.batch, &project)
        projecting = &project
    if status == BLAS_OK and parts <= 1:
        status = _walk(s, gates, &recur, bias, projecting, h, c, out, cells, 0, s.batch)
    elif status == BLAS_OK:
        for part in prange(parts, num_threads=parts, schedule="static"):
            status |= _walk(s, gates, &recur, bias, projecting, h, c, out, cells, units * part // parts * TILE_ROWS,
                            _least(s.batch, units * (part + 1) // parts * TILE_ROWS))
    free(recur.panels)
    free(project.panels)
    return status


cdef int _walk_back(const Sequence* s, const Real* gates, const Real* cells, const Real* c0, const Packed* recur,
                    const Real* grad_out, Real* dh, Real* dc, Real* grad_gates, Py_ssize_t low,
                    Py_ssize_t high) noexcept nogil:
    cdef Py_ssize_t n = s.hidden, r, step, time, row, before
    cdef Py_ssize_t tiles = (high - low + TILE_ROWS - 1) // TILE_ROWS * TILE_ROWS
    cdef int status = BLAS_OK
    cdef const Real* c_before
    cdef Real* packed = <Real*>malloc((tiles * K_BLOCK + TILE_SLACK) * sizeof(Real))
    if packed == NULL:
        return BLAS_NO_MEMORY
    for step in range(s.times):
        time = step if s.reverse else s.times - 1 - step
        before = time + 1 if s.reverse else time - 1
        for r in range(low, high):
            row = time * s.batch + r
            if grad_out != NULL:
                _add(dh + r * n, grad_out + row * n, n)
            c_before = c0 + r * n if step == s.times - 1 else cells + (before * s.batch + r) * n
            _lstm_gradients(gates + row * 4 * n, cells + row * n, c_before, dh + r * n, dc + r * n,
                            grad_gates + row * 4 * n, n)
        status = _product(recur, grad_gates + (time * s.batch + low) * 4 * n, high - low, dh + low * n, False, packed)
        if status != BLAS_OK:
            break
    free(packed)
    return status


cdef int run_lstm_backwards(const Sequence* s, const Real* gates, const Real* cells, const Real* c0,
                            const Real* w_hh, const Real* grad_out, Real* dh, Real* dc,
                            Real* grad_gates) noexcept nogil:
    cdef Packed recur
    cdef int part, parts = _parts(s)
    cdef Py_ssize_t units = (s.batch + TILE_ROWS - 1) // TILE_ROWS
    cdef int status = _pack(<Real*>NULL, matrix(<char*>w_hh, 4 * s.hidden, s.hidden, s.hidden, 1), s.batch, &recur)
    if status == BLAS_OK and parts <= 1:
        status = _walk_back(s, gates, cells, c0, &recur, grad_out, dh, dc, grad_gates, 0, s.batch)
    elif status == BLAS_OK:
        for part in prange(parts, num_threads=parts, schedule="static"):
            status |= _walk_back(s, gates, cells, c0, &recur, grad_out, dh, dc, grad_gates,
                                 units * part // parts * TILE_ROWS,
                                 _least(s.batch, units * (part + 1) // parts * TILE_ROWS))
    free(recur.panels)
    return status


cdef inline Py_ssize_t _least(Py_ssize_t a, Py_ssize_t b) noexcept nogil:
    return a if a < b else b
