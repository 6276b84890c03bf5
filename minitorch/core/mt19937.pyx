"""MT19937, seeded by one word as in the reference code of its authors.

References
----------
M. Matsumoto and T. Nishimura, "Mersenne Twister: a 623-dimensionally equidistributed uniform
pseudo-random number generator", ACM TOMACS 8 (1998); the seeding is ``init_genrand`` of their
version of 2002, which ``numpy.random.RandomState(seed)`` uses too. PyTorch's counterpart is
``ATen/core/MT19937RNGEngine.h``.
"""

from libc.string cimport memcpy

cdef enum:
    SHIFT_M = 397


cdef void seed_engine(mt19937* engine, uint64_t seed) noexcept nogil:
    cdef uint32_t word = <uint32_t>seed
    cdef uint32_t i
    engine.seed = seed
    engine.state[0] = word
    for i in range(1, STATE_N):
        word = <uint32_t>1812433253 * (word ^ (word >> 30)) + i
        engine.state[i] = word
    engine.next = 0
    engine.end = 0


cdef inline uint32_t twisted(uint32_t word, uint32_t following) noexcept nogil:
    cdef uint32_t mixed = (word & <uint32_t>0x80000000) | (following & <uint32_t>0x7FFFFFFF)
    return (mixed >> 1) ^ ((<uint32_t>0 - (following & 1)) & <uint32_t>0x9908B0DF)


# Constant bounds that four divides, and arrays known to be distinct: gcc vectorises these loops
# at -O2 too (1.7 ns a word otherwise, 0.4 so).

cdef void temper(mt19937* engine) noexcept nogil:
    cdef uint32_t word
    cdef int i
    for i in range(STATE_N):
        word = engine.state[i]
        word ^= word >> 11
        word ^= (word << 7) & <uint32_t>0x9D2C5680
        word ^= (word << 15) & <uint32_t>0xEFC60000
        engine.words[i] = word ^ (word >> 18)


cdef void next_block(mt19937* engine) noexcept nogil:
    cdef uint32_t* state = engine.state
    cdef int i
    for i in range(224):
        state[i] = state[i + SHIFT_M] ^ twisted(state[i], state[i + 1])
    for i in range(224, STATE_N - SHIFT_M):
        state[i] = state[i + SHIFT_M] ^ twisted(state[i], state[i + 1])
    for i in range(STATE_N - SHIFT_M, STATE_N - 1):
        state[i] = state[i + SHIFT_M - STATE_N] ^ twisted(state[i], state[i + 1])
    state[STATE_N - 1] = state[SHIFT_M - 1] ^ twisted(state[STATE_N - 1], state[0])
    temper(engine)
    engine.next = 0
    engine.end = STATE_N


cdef void fill_words(mt19937* engine, uint32_t* out, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t run
    while n > 0:
        if engine.next == engine.end:
            next_block(engine)
        run = engine.end - engine.next
        if run > n:
            run = n
        memcpy(out, engine.words + engine.next, run * sizeof(uint32_t))
        engine.next += <uint32_t>run
        out += run
        n -= run
