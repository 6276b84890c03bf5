# PyTorch's errors for views that may not be written to in place.

from minitorch.autograd.node cimport Node

cdef enum CreationMeta:                  # how a view was made, which decides whether it may be written to in place
    DEFAULT = 0
    IN_CUSTOM_FUNCTION = 1
    MULTI_OUTPUT_NODE = 2
    NO_GRAD_MODE = 3
    INFERENCE_MODE = 4

cdef int refuse_view(int meta, Node grad_fn, unsigned int output_nr, str what) except -1
