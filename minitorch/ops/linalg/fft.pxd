# The discrete Fourier transform, computed by SciPy's pocketfft.
#
# dim has distinct, already wrapped dimensions; the last one is halved.
# normalization: 0 none, 1 divides by the root of the number of points, 2 by the number of points.

from minitorch.core.tensor_impl cimport TensorImpl

# complex to complex
cdef TensorImpl fft_c2c(TensorImpl self, tuple dim, Py_ssize_t normalization, bint forward)
# real to complex, forward; onesided leaves out the half that is the conjugate of the other half
cdef TensorImpl fft_r2c(TensorImpl self, tuple dim, Py_ssize_t normalization, bint onesided)
# one-sided complex to real, backward; last_dim_size is the size of the result's last dimension
cdef TensorImpl fft_c2r(TensorImpl self, tuple dim, Py_ssize_t normalization,
                        Py_ssize_t last_dim_size)
