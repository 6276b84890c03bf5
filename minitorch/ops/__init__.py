"""Forward operators on TensorImpl: check, promote, allocate, call a kernel. No graph, no Python class."""
