# What other files need of the functions that make tensors.

from minitorch.core.tensor_impl cimport TensorImpl

# Memory as it was found; filled if the program has asked for that
cdef TensorImpl as_found(TensorImpl t)

# The result of an unusual call (with a mode, a transform or, for `created_like`, a special tensor as the first
# argument), or None if the function has to compute it
cdef object created(str name, tuple args, dict kwargs)
cdef object created_like(str name, tuple args, dict kwargs)
