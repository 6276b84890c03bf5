# Give float16 and bfloat16 the float32 kernels that they lack; call it after adding loops to the tables.
cdef void widen_halves()
