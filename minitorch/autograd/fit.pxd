# Fitting a gradient to the input it belongs to: the un-broadcasting in step 7.

from minitorch.autograd.node cimport Node, OutputMetadata

# Raises RuntimeError if the shape cannot be summed to the input's, or the device differs. `node` is the node that
# returned the gradient, None for the gradient of a root; `index` is its position among the node's results
cdef object fit(OutputMetadata* metadata, object gradient, bint recording, Node node, Py_ssize_t index)
