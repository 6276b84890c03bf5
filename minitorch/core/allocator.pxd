# Memory for tensors: 64-byte aligned blocks, kept for the next tensor of about the same size.
#
# All calls hold the GIL; kernels that run without it take their scratch memory from malloc.

cdef void* allocate(size_t nbytes) except NULL          # MemoryError (PyTorch's RuntimeError text)
cdef void deallocate(void* block, size_t nbytes) noexcept   # the nbytes it was allocated with
