# Padding with elements of the input itself: output[p, i, j, k] = input[p, map0[i], map1[j], map2[k]]
# on contiguous memory, `planes` times. Always three dimensions: size 1 and a map to 0 in front for
# fewer.

cdef struct PadMaps:
    Py_ssize_t planes
    Py_ssize_t in_size[3]
    Py_ssize_t out_size[3]
    const Py_ssize_t* map[3]           # out_size entries each, below in_size
    # map[2] runs upwards, one by one, from here to here: most of a row, copied at once
    Py_ssize_t run_start
    Py_ssize_t run_end

cdef void pad_from_input(const PadMaps* m, Py_ssize_t itemsize, const char* input_,
                         char* output) noexcept nogil
# Adds to grad_input. Floating and complex types of 4, 8 and 16 bytes
cdef void pad_from_input_backward(int dtype, const PadMaps* m, const char* grad_output,
                                  char* grad_input) noexcept nogil
