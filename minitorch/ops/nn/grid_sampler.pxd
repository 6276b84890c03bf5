# Sampling images at the positions of a grid, and the grids of affine transforms. interpolation_mode is 0
# (bilinear), 1 (nearest) or 2 (bicubic); padding_mode is 0 (zeros), 1 (border) or 2 (reflection).

from minitorch.core.tensor_impl cimport TensorImpl

cdef TensorImpl grid_sampler_2d(TensorImpl input, TensorImpl grid, Py_ssize_t interpolation_mode,
                                Py_ssize_t padding_mode, bint align_corners)
cdef TensorImpl grid_sampler_3d(TensorImpl input, TensorImpl grid, Py_ssize_t interpolation_mode,
                                Py_ssize_t padding_mode, bint align_corners)
# Each of the two results is None where output_mask is false
cdef tuple grid_sampler_2d_backward(TensorImpl grad_output, TensorImpl input, TensorImpl grid,
                                    Py_ssize_t interpolation_mode, Py_ssize_t padding_mode,
                                    bint align_corners, object output_mask)
cdef tuple grid_sampler_3d_backward(TensorImpl grad_output, TensorImpl input, TensorImpl grid,
                                    Py_ssize_t interpolation_mode, Py_ssize_t padding_mode,
                                    bint align_corners, object output_mask)
# For each point, the pixels that contribute to it: their weights, differentiated orders[a] times with respect to
# coordinate a, and their offsets in the image. Shape (batch, points, pixels)
cdef TensorImpl grid_sampler_weights(TensorImpl grid, tuple image_sizes, tuple orders,
                                     Py_ssize_t interpolation_mode, Py_ssize_t padding_mode,
                                     bint align_corners)
cdef TensorImpl grid_sampler_offsets(TensorImpl grid, tuple image_sizes,
                                     Py_ssize_t interpolation_mode, Py_ssize_t padding_mode,
                                     bint align_corners)

# theta is (N, 2, 3) or (N, 3, 4); size is the image's, (N, C, H, W) or (N, C, D, H, W)
cdef TensorImpl affine_grid_generator(TensorImpl theta, tuple size, bint align_corners)
cdef TensorImpl affine_grid_generator_backward(TensorImpl grad_output, tuple size, bint align_corners)
