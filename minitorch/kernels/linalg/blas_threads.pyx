"""The number of threads of SciPy's BLAS.

Note [Which BLAS threads]
SciPy's wheels contain an OpenBLAS that uses threads of its own and exports functions to get and set their number,
under a prefixed name. They are looked up once, among the libraries that `scipy.linalg.cython_blas` is linked
with. If there are none (another BLAS), the number is not changed, and kernels use BLAS from one thread at a time.

Invariant: while `_regions` > 0, BLAS has one thread, and `_wanted` is the number to restore.
"""

import ctypes

from minitorch.kernels.linalg import cython_blas

ctypedef int (*Getter)() noexcept nogil
ctypedef void (*Setter)(int) noexcept nogil

cdef extern from "<pthread.h>" nogil:
    ctypedef struct pthread_mutex_t:
        pass
    pthread_mutex_t PTHREAD_MUTEX_INITIALIZER
    int pthread_mutex_init(pthread_mutex_t* mutex, const void* attributes)
    int pthread_mutex_lock(pthread_mutex_t* mutex)
    int pthread_mutex_unlock(pthread_mutex_t* mutex)

cdef Getter _get = NULL
cdef Setter _set = NULL
cdef int _regions = 0
cdef int _wanted = 1
cdef pthread_mutex_t _mutex

pthread_mutex_init(&_mutex, NULL)


cdef void* _find(library, name) except? NULL:
    for prefix in ("scipy_openblas", "openblas"):
        for suffix in ("", "64_"):
            try:
                function = getattr(library, f"{prefix}_{name}{suffix}")
            except AttributeError:
                continue
            return <void*><size_t>ctypes.cast(function, ctypes.c_void_p).value
    return NULL


def _look_up():
    global _get, _set
    library = ctypes.CDLL(cython_blas.__file__)
    cdef void* get = _find(library, "get_num_threads")
    cdef void* set_ = _find(library, "set_num_threads")
    if get != NULL and set_ != NULL:
        _get = <Getter>get
        _set = <Setter>set_


_look_up()


cdef int blas_threads() noexcept nogil:
    cdef int n
    if _get == NULL:
        return 0
    pthread_mutex_lock(&_mutex)
    n = _wanted if _regions > 0 else _get()
    pthread_mutex_unlock(&_mutex)
    return n


cdef void set_blas_threads(int n) noexcept nogil:
    global _wanted
    if _set == NULL:
        return
    n = n if n > 1 else 1
    pthread_mutex_lock(&_mutex)
    if _regions > 0:
        _wanted = n
    else:
        _set(n)
    pthread_mutex_unlock(&_mutex)


cdef bint enter_region() noexcept nogil:
    global _regions, _wanted
    if _set == NULL:
        return False
    pthread_mutex_lock(&_mutex)
    if _regions == 0:
        _wanted = _get()
        _set(1)
    _regions += 1
    pthread_mutex_unlock(&_mutex)
    return True


cdef void leave_region() noexcept nogil:
    global _regions
    pthread_mutex_lock(&_mutex)
    _regions -= 1
    if _regions == 0:
        _set(_wanted)
    pthread_mutex_unlock(&_mutex)
