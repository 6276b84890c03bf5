# DLPack, the in-memory form in which array libraries hand tensors to each other: both capsules, the
# unversioned one ("dltensor") and that of DLPack 1 ("dltensor_versioned"). Nothing is copied.

from minitorch.core.tensor_impl cimport TensorImpl

# A new capsule. max_version: None or a tuple (major, minor) of what the consumer understands; 1 and
# above gets the versioned form. is_copied: the memory is the consumer's alone
cdef object to_dlpack(TensorImpl self, object max_version=*, bint is_copied=*)
# Takes over a capsule, which can be done once. RuntimeError for anything else, BufferError for what
# a CPU tensor cannot be
cdef TensorImpl from_capsule(object capsule)
# Asks an object for its capsule, with fewer and fewer arguments, as DLPack's protocol wants it. The
# tensor, and whether the caller must still copy it since `copy` was more than the object understood
cdef tuple from_dlpack(object ext_tensor, object copy)
