# Kernels of float16 and bfloat16 that differ from those of float32 by more than a final rounding.

cdef void register() except *
