# The Mersenne Twister: 624 words of state that become 624 random words at a time.
#
# PyTorch tempers a word when it is drawn; we temper the whole block when it is made, which the
# compiler turns into wide instructions, so that a draw is one load. `state` holds what PyTorch's
# holds at the same moment, and `next` and `end` say the same as its `next_` and `left_`.
#
# Invariant: 0 <= next <= end <= 624, so that no draw can read outside `words`.

from libc.stdint cimport uint32_t, uint64_t

cdef enum:
    STATE_N = 624

cdef struct mt19937:
    uint64_t seed               # what it was seeded with; the low 32 bits count
    uint32_t next               # the word the next draw takes
    uint32_t end                # the draws that reach it make a new block
    uint32_t[STATE_N] state     # the recurrence's words
    uint32_t[STATE_N] words     # the same, tempered: what draws return

cdef void seed_engine(mt19937* engine, uint64_t seed) noexcept nogil
cdef void next_block(mt19937* engine) noexcept nogil     # 624 new words, next = 0
cdef void temper(mt19937* engine) noexcept nogil         # `words` from `state`
# the next n words of the stream
cdef void fill_words(mt19937* engine, uint32_t* out, Py_ssize_t n) noexcept nogil

cdef inline uint32_t random(mt19937* engine) noexcept nogil:
    """Return the next word."""
    if engine.next == engine.end:
        next_block(engine)
    cdef uint32_t word = engine.words[engine.next]
    engine.next += 1
    return word

cdef inline uint64_t random64(mt19937* engine) noexcept nogil:
    """Return the next two words, the first one as the high half."""
    cdef const uint32_t* words = engine.words + engine.next
    cdef uint64_t high
    if engine.end - engine.next >= 2:
        engine.next += 2
        return <uint64_t>words[0] << 32 | words[1]
    high = random(engine)
    return high << 32 | random(engine)

cdef inline double uniform_double(mt19937* engine) noexcept nogil:
    """Return a multiple of 2**-53 in [0, 1): the low 53 bits of two words."""
    return <double>(random64(engine) & <uint64_t>0x1FFFFFFFFFFFFF) * (1.0 / 9007199254740992.0)

cdef inline float uniform_float(mt19937* engine) noexcept nogil:
    """Return a multiple of 2**-24 in [0, 1): the low 24 bits of a word."""
    return <float>(<int>(random(engine) & 0xFFFFFF)) * <float>(1.0 / 16777216.0)
