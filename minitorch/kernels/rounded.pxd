# Kernels of float16 and bfloat16 that differ from float32's by more than a rounding at the end.

cdef void register() except *
