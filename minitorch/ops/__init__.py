"""Forward operators on TensorImpl: check, promote, allocate, call a kernel; no autograd graph."""
