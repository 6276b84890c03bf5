# Which of several equal elements are among the k best, and in which order, is left open by the definition of topk.
# PyTorch's answer follows from the algorithms of the C++ standard library that it calls.

# Whether two of n sorted items are equal
cdef bint has_ties(const char* items, Py_ssize_t n, bint wide) noexcept nogil

# Moves the k smallest of n items to the front, sorted; of equal items, those that PyTorch returns, in its order.
# The items come in the order of their positions, 1 <= k <= n.
cdef void best_with_ties(char* items, Py_ssize_t n, Py_ssize_t k, bint wide) noexcept nogil
