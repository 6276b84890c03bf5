# The discrete Fourier transform, of SciPy's pocketfft.
#
# dim: distinct, already wrapped dimensions; the last one is the one that is halved.
# normalization: 0 none, 1 by the root of the number of points, 2 by their number.

from minitorch.core.tensor_impl cimport TensorImpl

# complex to complex
cdef TensorImpl fft_c2c(TensorImpl self, tuple dim, Py_ssize_t normalization, bint forward)
# real to complex, forward; onesided: without the half that is the conjugate of the other
cdef TensorImpl fft_r2c(TensorImpl self, tuple dim, Py_ssize_t normalization, bint onesided)
# of one side to real, backward; last_dim_size: of the result
cdef TensorImpl fft_c2r(TensorImpl self, tuple dim, Py_ssize_t normalization,
                        Py_ssize_t last_dim_size)
