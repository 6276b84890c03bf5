# Converting a dtype from Python to its code.

from minitorch.core.dtype cimport dtype

cdef inline int code_of(dtype d) except -1:
    """Return the ScalarType of a dtype; raise NotImplementedError for a dtype that no tensor has here."""
    if d._code < 0:
        raise NotImplementedError(f"{d!r} is not part of minitorch")
    return d._code
