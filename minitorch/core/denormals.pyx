"""Flushing denormal numbers to zero on this thread."""

cdef extern from *:
    """
    #if defined(__SSE2__)
    #include <immintrin.h>
    /* results that are denormal become zero, and so do operands */
    static int minitorch_flush(int on) {
        unsigned int bits = 0x8040u, now = _mm_getcsr();
        _mm_setcsr(on ? now | bits : now & ~bits);
        return 1;
    }
    #elif defined(__aarch64__) && defined(__GNUC__)
    static int minitorch_flush(int on) {
        unsigned long bit = 1ul << 24, now;
        __asm__ __volatile__("mrs %0, fpcr" : "=r"(now));
        now = on ? now | bit : now & ~bit;
        __asm__ __volatile__("msr fpcr, %0" :: "r"(now));
        return 1;
    }
    #else
    static int minitorch_flush(int on) { (void)on; return 0; }
    #endif
    """
    bint minitorch_flush(bint on) nogil


def set_flush_denormal(mode, /):
    """Set whether this thread treats denormal numbers, the smallest ones, as zero.

    Parameters
    ----------
    mode : bool

    Returns
    -------
    bool
        Whether the processor supports this.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.set_flush_denormal(True)
    True
    >>> torch.tensor([1e-42]) + 0
    tensor([0.])
    >>> torch.set_flush_denormal(False)
    True
    """
    if not isinstance(mode, bool):
        raise RuntimeError(f"flush_denormal expects a bool, but got {type(mode).__name__}")
    return bool(minitorch_flush(mode))
