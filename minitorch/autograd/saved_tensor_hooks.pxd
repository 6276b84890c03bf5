# The hooks on saved tensors that each thread has entered: a stack of pairs (pack, unpack).

cdef tuple default_hooks()             # the innermost (pack, unpack) of this thread, or None
cdef list hooks_of_thread()            # all pairs of this thread, for `restore_hooks`; None if no thread has any
cdef int restore_hooks(list hooks) except -1
cdef str wrong_arguments(name, first, second, given, owner=*)      # the text of PyTorch's TypeError
