# Making a gradient fit the input it belongs to: step 7's un-broadcasting.

from minitorch.autograd.node cimport Node, OutputMetadata

# RuntimeError when the shape cannot be summed to the input's, or the device is another. `node`: who returned it,
# None for the gradient of a root; `index`: which of its results
cdef object fit(OutputMetadata* metadata, object gradient, bint recording, Node node, Py_ssize_t index)
