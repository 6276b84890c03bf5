# Lines, images and volumes resampled to another size. scales: what the user passed instead of a size, or None.

from minitorch.core.tensor_impl cimport TensorImpl

cdef TensorImpl upsample_nearest1d(TensorImpl self, tuple output_size, object scales)
cdef TensorImpl upsample_nearest2d(TensorImpl self, tuple output_size, object scales_h, object scales_w)
cdef TensorImpl upsample_nearest3d(TensorImpl self, tuple output_size, object scales_d, object scales_h,
                                   object scales_w)
cdef TensorImpl _upsample_nearest_exact1d(TensorImpl self, tuple output_size, object scales)
cdef TensorImpl _upsample_nearest_exact2d(TensorImpl self, tuple output_size, object scales_h,
                                          object scales_w)
cdef TensorImpl _upsample_nearest_exact3d(TensorImpl self, tuple output_size, object scales_d,
                                          object scales_h, object scales_w)
cdef TensorImpl upsample_linear1d(TensorImpl self, tuple output_size, bint align_corners, object scales)
cdef TensorImpl upsample_bilinear2d(TensorImpl self, tuple output_size, bint align_corners,
                                    object scales_h, object scales_w)
cdef TensorImpl upsample_trilinear3d(TensorImpl self, tuple output_size, bint align_corners,
                                     object scales_d, object scales_h, object scales_w)
cdef TensorImpl upsample_bicubic2d(TensorImpl self, tuple output_size, bint align_corners,
                                   object scales_h, object scales_w)

cdef TensorImpl upsample_nearest1d_backward(TensorImpl grad_output, tuple output_size, tuple input_size,
                                            object scales)
cdef TensorImpl upsample_nearest2d_backward(TensorImpl grad_output, tuple output_size, tuple input_size,
                                            object scales_h, object scales_w)
cdef TensorImpl upsample_nearest3d_backward(TensorImpl grad_output, tuple output_size, tuple input_size,
                                            object scales_d, object scales_h, object scales_w)
cdef TensorImpl _upsample_nearest_exact1d_backward(TensorImpl grad_output, tuple output_size,
                                                   tuple input_size, object scales)
cdef TensorImpl _upsample_nearest_exact2d_backward(TensorImpl grad_output, tuple output_size,
                                                   tuple input_size, object scales_h, object scales_w)
cdef TensorImpl _upsample_nearest_exact3d_backward(TensorImpl grad_output, tuple output_size,
                                                   tuple input_size, object scales_d, object scales_h,
                                                   object scales_w)
cdef TensorImpl upsample_linear1d_backward(TensorImpl grad_output, tuple output_size, tuple input_size,
                                           bint align_corners, object scales)
cdef TensorImpl upsample_bilinear2d_backward(TensorImpl grad_output, tuple output_size, tuple input_size,
                                             bint align_corners, object scales_h, object scales_w)
cdef TensorImpl upsample_trilinear3d_backward(TensorImpl grad_output, tuple output_size, tuple input_size,
                                              bint align_corners, object scales_d, object scales_h,
                                              object scales_w)
cdef TensorImpl upsample_bicubic2d_backward(TensorImpl grad_output, tuple output_size, tuple input_size,
                                            bint align_corners, object scales_h, object scales_w)
