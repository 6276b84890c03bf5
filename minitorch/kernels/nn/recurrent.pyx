# distutils: extra_compile_args = -fno-trapping-math -fno-math-errno
"""Recurrent layers: in each step, one product with the recurrent weights and one pass over the gates.

Note [Rows of a sequence are independent]
No row of the batch depends on another. So the rows are split over threads, and each thread processes its rows
along several steps without waiting for the others. The weights are packed for the tiles once for all steps and
threads. With at most `FEW` rows a tile would be mostly empty; then each row is multiplied with the unpacked weights.

Note [The input's contribution stays in the cache]
The input's contribution to the gates has four times the elements of the states, or three times for a GRU. Computed for
all steps at once, it would be written to memory and read again. So it is computed for a few steps at a time, in a
product of about `INPUT_ROWS` rows. Threads compute more steps at a time, since they wait for each other afterwards.

The state is kept in `h` and `c` during the iteration. In a packed sequence, the rows of sequences that have ended
are no longer written and hold their last state; backward, the rows of sequences that have not begun hold their
first state.
"""

from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from cython.parallel cimport prange

from minitorch.kernels.common.parallel cimport threads_for
from minitorch.kernels.common.simd cimport simd
from minitorch.kernels.common.vmath cimport sigmoid_, tanh_
from minitorch.kernels.linalg.gemm_few cimport few_gemm, few_rows
from minitorch.kernels.linalg.gemm_tiles cimport K_BLOCK, pack_a, pack_b, panel_memory, tile_block
from minitorch.kernels.linalg.gemv_tiles cimport tile_gemv
from minitorch.kernels.linalg.matrix cimport BLAS_NO_MEMORY, BLAS_OK, Matrix, Vector, matrix, vector
from minitorch.kernels.linalg.tile_types cimport TILE_ROWS, TILE_SLACK, TILE_VECTORS
from minitorch.kernels.linalg.tiles cimport tiles32, tiles64

cdef enum:
    FEW = 3                    # number of rows from which a tile is used
    BLOCK = 256                # elements of a gate that are processed at a time
    INPUT_ROWS = 32            # rows of the input that are multiplied at a time
    THREADS_ROWS = 1024        # the same with several threads
    PACK_ROWS = 64             # number of rows of a single product from which packing is faster


cdef int gates_of(Cell cell) noexcept nogil:
    return 4 if cell == LSTM else 3 if cell == GRU else 1


# ---- repeated products with the same matrix

cdef struct Packed:
    Matrix b
    const void* bias           # NULL: none
    void* panels               # NULL for few rows
    Py_ssize_t width
    Py_ssize_t columns         # of all panels


cdef struct Layer:
    Packed from_x
    Packed from_h
    Packed project
    bint projecting
    # scratch memory
    void* rows                 # packed rows, `terms` elements each
    Py_ssize_t terms
    void* gates                # the contribution of the input to the gates, for some time steps
    void* activated            # a row of an LSTM's gates, for each tile of rows
    void* state                # of a GRU: the contribution of the state; of an LSTM: the output to be projected


cdef int _pack(Real* tag, Matrix b, Py_ssize_t rows, Py_ssize_t total, Packed* out) noexcept nogil:
    """Pack `b` for products with `rows` rows each and `total` rows together, if packing makes them faster."""
    cdef int lanes = tiles32.lanes if Real is float else tiles64.lanes
    cdef Py_ssize_t k = 0, n
    cdef Matrix c
    out.b = b
    out.panels = NULL
    out.width = TILE_VECTORS * lanes
    out.columns = (b.cols + out.width - 1) // out.width * out.width
    c = matrix(NULL, rows, b.cols, b.cols, 1)
    if rows <= FEW or rows == total <= PACK_ROWS and few_rows(tag, &b, &c):
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
    cdef Matrix left, right, turned
    cdef Vector x, y
    left = matrix(<char*>a, rows, w.b.rows, w.b.rows, 1)
    if w.panels == NULL and rows > FEW:
        right = matrix(<char*>c, rows, w.b.cols, w.b.cols, 1)
        return few_gemm(<Real>1, &left, &w.b, <Real>(1 if add else 0), &right)
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


cdef simd _lstm_gates(const Real* x, Py_ssize_t n, Real* out) noexcept nogil:
    cdef Py_ssize_t j
    for j in range(2 * n):
        out[j] = sigmoid_(x[j])
    for j in range(2 * n, 3 * n):
        out[j] = tanh_(x[j])
    for j in range(3 * n, 4 * n):
        out[j] = sigmoid_(x[j])


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

cdef void _apply_gates(const Sequence* s, Real* gates, Real* from_h, Real* h, Real* c, Real* activated, bint keep,
                       Py_ssize_t rows) noexcept nogil:
    """Apply the gates to update the states; for a GRU, `from_h` is the contribution of the state.

    The activated gates of an LSTM are stored in the rows of `activated`, or in a single row that is used again.
    """
    cdef Py_ssize_t n = s.hidden, r
    cdef Real* row
    for r in range(rows):
        row = gates + r * gates_of(s.cell) * n
        if s.cell == LSTM:
            _lstm_gates(row, n, activated)
            _lstm_state(activated, n, c + r * n, h + r * n)
            activated += 4 * n if keep else 0
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
    cdef Py_ssize_t there = s.first[time + 1] - s.first[time]
    if there >= high:
        return high - low
    return there - low if there > low else 0


cdef void _repeat(const Real* row, Py_ssize_t n, Py_ssize_t rows, Real* out) noexcept nogil:
    """Fill the rows of `out` with copies of a row, or with zeros if it is NULL."""
    cdef Py_ssize_t r
    if row == NULL:
        memset(out, 0, rows * n * sizeof(Real))
        return
    for r in range(rows):
        memcpy(out + r * n, row, n * sizeof(Real))


cdef int _from_rows(const Sequence* s, const Layer* w, const Real* x, Py_ssize_t low, Py_ssize_t high) noexcept nogil:
    cdef Py_ssize_t many = gates_of(s.cell) * s.hidden
    cdef Real* gates = <Real*>w.gates + low * many
    _repeat(<const Real*>w.from_x.bias, many, high - low, gates)
    return _product(&w.from_x, x + low * s.features, high - low, gates, True, <Real*>w.rows + low * w.terms)


cdef int _from_input(const Sequence* s, const Layer* w, const Real* x, Py_ssize_t rows) noexcept nogil:
    """Compute the contribution of some rows of the input to the gates."""
    cdef Py_ssize_t units = (rows + TILE_ROWS - 1) // TILE_ROWS
    cdef double work = <double>rows * s.features * gates_of(s.cell) * s.hidden / 40
    cdef int part, parts = threads_for(<Py_ssize_t>(work if work < 1e15 else 1e15)), status = BLAS_OK
    parts = parts if parts < units else <int>units
    if parts <= 1:
        return _from_rows(s, w, x, 0, rows)
    for part in prange(parts, num_threads=parts, schedule="static"):
        status |= _from_rows(s, w, x, units * part // parts * TILE_ROWS,
                             _least(rows, units * (part + 1) // parts * TILE_ROWS))
    return status


cdef int _walk(const Sequence* s, const Layer* w, Py_ssize_t begin, Py_ssize_t end, Real* h, Real* c, Real* out,
               Real* kept, Real* cells, Py_ssize_t low, Py_ssize_t high) noexcept nogil:
    """Compute the time steps [begin, end) of the rows [low, high)."""
    cdef Py_ssize_t n = s.hidden, p = s.output, many = gates_of(s.cell) * n
    cdef Py_ssize_t step, time, count, at
    cdef int status = BLAS_OK
    cdef Real* packed = <Real*>w.rows + low * w.terms
    cdef Real* state = <Real*>w.state + low * many
    cdef Real* activated = <Real*>w.activated + low // TILE_ROWS * many
    cdef Real* gates
    h += low * p
    c += low * n if c != NULL else 0
    for step in range(end - begin):
        time = end - 1 - step if s.reverse else begin + step
        count = _count(s, time, low, high)
        if count == 0:
            continue
        at = s.first[time] + low
        gates = <Real*>w.gates + (at - s.first[begin]) * many
        if s.cell == GRU:
            _repeat(<const Real*>w.from_h.bias, many, count, state)
        status = _product(&w.from_h, h, count, state if s.cell == GRU else gates, True, packed)
        if status != BLAS_OK:
            break
        _apply_gates(s, gates, state, state if w.projecting else h, c, activated if kept == NULL else kept + at * many,
                     kept != NULL, count)
        if w.projecting:
            status = _product(&w.project, state, count, h, False, packed)
            if status != BLAS_OK:
                break
        memcpy(out + at * p, h, count * p * sizeof(Real))
        if cells != NULL:
            memcpy(cells + at * n, c, count * n * sizeof(Real))
    return status


cdef int _threads(const Sequence* s) noexcept nogil:
    cdef double work = <double>s.times * s.batch * gates_of(s.cell) * s.hidden * (s.output / 40.0 + 1)
    return threads_for(<Py_ssize_t>(work if work < 1e15 else 1e15))


cdef int _parts(const Sequence* s) noexcept nogil:
    cdef int parts = _threads(s)
    cdef Py_ssize_t units = (s.batch + TILE_ROWS - 1) // TILE_ROWS
    return parts if parts < units else <int>units


cdef int _prepare(const Sequence* s, const Real* w_ih, const Real* b_ih, const Real* w_hh, const Real* b_hh,
                  const Real* w_hr, Py_ssize_t steps, Layer* w) noexcept nogil:
    """Pack the weights, and allocate scratch memory for a number of time steps at a time."""
    cdef Py_ssize_t many = gates_of(s.cell) * s.hidden, total = s.first[s.times], rows = steps * s.batch
    cdef Py_ssize_t units = (s.batch + TILE_ROWS - 1) // TILE_ROWS
    cdef int status
    memset(w, 0, sizeof(Layer))
    w.projecting = w_hr != NULL
    status = _pack(<Real*>NULL, matrix(<char*>w_ih, s.features, many, 1, s.features), total, total, &w.from_x)
    if status == BLAS_OK:
        status = _pack(<Real*>NULL, matrix(<char*>w_hh, s.output, many, 1, s.output), s.batch, total, &w.from_h)
    if status == BLAS_OK and w.projecting:
        status = _pack(<Real*>NULL, matrix(<char*>w_hr, s.hidden, s.output, 1, s.hidden), s.batch, total, &w.project)
    w.from_x.bias = b_ih
    w.from_h.bias = b_hh
    w.terms = s.features if s.features > s.hidden else s.hidden
    w.terms = _least(w.terms if w.terms > s.output else s.output, K_BLOCK)
    w.rows = malloc(((rows + TILE_ROWS) * w.terms + TILE_SLACK) * sizeof(Real))
    w.gates = malloc(rows * many * sizeof(Real))
    w.activated = malloc(units * many * sizeof(Real))
    w.state = malloc(s.batch * many * sizeof(Real))
    if w.rows == NULL or w.gates == NULL or w.activated == NULL or w.state == NULL:
        return BLAS_NO_MEMORY
    return status


cdef int run_forwards(const Sequence* s, const Real* x, const Real* w_ih, const Real* b_ih, const Real* w_hh,
                      const Real* b_hh, const Real* w_hr, Real* h, Real* c, Real* out, Real* gates,
                      Real* cells) noexcept nogil:
    cdef Layer w
    cdef int part, parts = _parts(s), status
    cdef Py_ssize_t units = (s.batch + TILE_ROWS - 1) // TILE_ROWS, step = 0, steps, begin, end
    # the rows may be too few for all threads, which then only compute the input's contribution
    steps = (INPUT_ROWS if _threads(s) <= 1 else THREADS_ROWS) // s.batch
    steps = 1 if steps < 1 else _least(steps, s.times)
    status = _prepare(s, w_ih, b_ih, w_hh, b_hh, w_hr, steps, &w)
    while step < s.times and status == BLAS_OK:
        begin = s.times - _least(step + steps, s.times) if s.reverse else step
        end = s.times - step if s.reverse else _least(step + steps, s.times)
        step += steps
        status = _from_input(s, &w, x + s.first[begin] * s.features, s.first[end] - s.first[begin])
        if status != BLAS_OK:
            break
        if parts <= 1:
            status = _walk(s, &w, begin, end, h, c, out, gates, cells, 0, s.batch)
        else:
            for part in prange(parts, num_threads=parts, schedule="static"):
                status |= _walk(s, &w, begin, end, h, c, out, gates, cells, units * part // parts * TILE_ROWS,
                                _least(s.batch, units * (part + 1) // parts * TILE_ROWS))
    free(w.from_x.panels)
    free(w.from_h.panels)
    free(w.project.panels)
    free(w.rows)
    free(w.gates)
    free(w.activated)
    free(w.state)
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
    cdef int status = _pack(<Real*>NULL, matrix(<char*>w_hh, 4 * s.hidden, s.hidden, s.hidden, 1), s.batch,
                            s.times * s.batch, &recur)
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
