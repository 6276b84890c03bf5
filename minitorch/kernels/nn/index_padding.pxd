# Padding with elements of the input itself: output[p, i, j, k] = input[p, map0[i], map1[j], map2[k]] on
# contiguous memory, for `planes` planes. There are always three dimensions; missing ones have size 1 and a map to
# 0.

cdef struct PadMaps:
    Py_ssize_t planes
    Py_ssize_t in_size[3]
    Py_ssize_t out_size[3]
    const Py_ssize_t* map[3]           # out_size entries each, all below in_size
    # in this range map[2] increases by one at each step: most of a row, which is copied at once
    Py_ssize_t run_start
    Py_ssize_t run_end

cdef void pad_from_input(const PadMaps* m, Py_ssize_t itemsize, const char* input_,
                         char* output) noexcept nogil
# Adds to grad_input. Floating and complex types of 4, 8 and 16 bytes
cdef void pad_from_input_backward(int dtype, const PadMaps* m, const char* grad_output,
                                  char* grad_input) noexcept nogil
