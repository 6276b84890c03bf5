from minitorch.autograd.functions.subscript cimport TensorSubscript

# No cdef methods: operators make instances with TensorBase's allocator, which sets no other table.
cdef class TensorProperties(TensorSubscript):
    pass
