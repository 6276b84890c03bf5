"""Names of PyTorch's C functions that minitorch lacks, for `namespace.absent`.

They concern quantized, nested and compressed tensors, oneDNN, GPUs, and parts of operators that are
one step here. PyTorch's own tests of `torch.overrides` access each of these names on import.
"""

# namespace -> names; a namespace is a module such as ``torch._C._VariableFunctions``, or the class
# `Tensor`
IN_C = {
    "_VariableFunctions": frozenset(
        """
        __and__ __lshift__ __or__ __rshift__ __xor__ _add_batch_dim _aminmax _assert_scalar
        _batch_norm_impl_index _cast_Byte _cast_Char _cast_Double _cast_Float _cast_Half _cast_Int
        _cast_Long _cast_Short _choose_qparams_per_tensor _coalesce _compute_linear_combination
        _conj _conj_copy _conj_physical _convert_weight_to_int4pack
        _convert_weight_to_int4pack_for_cpu _copy_from _copy_from_and_resize _cslt_compress
        _cslt_sparse_mm _cslt_sparse_mm_search _ctc_loss _cudnn_ctc_loss _cudnn_init_dropout_state
        _cudnn_rnn _cudnn_rnn_flatten_weight _cufft_clear_plan_cache _cufft_get_plan_cache_max_size
        _cufft_get_plan_cache_size _cufft_set_plan_cache_max_size _cummax_helper _cummin_helper
        _debug_has_internal_overlap _dim_arange _dyn_quant_matmul_4bit _dyn_quant_pack_4bit_weight
        _embedding_bag_forward_only _empty_affine_quantized _empty_per_channel_affine_quantized
        _fake_quantize_learnable_per_channel_affine _fake_quantize_learnable_per_tensor_affine
        _fake_quantize_per_tensor_affine_cachemask_tensor_qparams _fft_c2c _fft_c2r _fft_r2c
        _fill_mem_eff_dropout_mask_ _flash_attention_forward_no_dropout_inplace _foobar
        _functional_assert_async _functional_assert_scalar _functional_sym_constrain_range
        _functional_sym_constrain_range_for_size _fused_adagrad_ _fused_adam_ _fused_adamw_
        _fused_dropout _fused_moving_avg_obs_fq_helper _fused_rms_norm _fused_sgd_ _fw_primal_copy
        _grid_sampler_2d_cpu_fallback _grouped_mm _has_compatible_shallow_copy_type
        _histogramdd_bin_edges _histogramdd_from_bin_cts _histogramdd_from_bin_tensors
        _indices_copy _is_zerotensor _lazy_clone _linalg_check_errors _logcumsumexp _lstm_mps
        _lu_with_info _make_dep_token _make_dual _make_dual_copy _make_per_channel_quantized_tensor
        _make_per_tensor_quantized_tensor _masked_scale _masked_softmax _mixed_dtypes_linear
        _mkldnn_reshape _mkldnn_transpose _mkldnn_transpose_ _mps_convolution
        _mps_convolution_transpose _native_batch_norm_legit_no_training
        _native_multi_head_attention _neg_view_copy _nested_compute_contiguous_strides_offsets
        _nested_from_padded _nested_from_padded_and_nested_example _nested_from_padded_tensor
        _nested_get_jagged_dummy _nested_get_lengths _nested_get_max_seqlen _nested_get_min_seqlen
        _nested_get_offsets _nested_get_ragged_idx _nested_get_values _nested_get_values_copy
        _nested_tensor_from_mask _nested_tensor_from_mask_left_aligned
        _nested_tensor_from_tensor_list _nested_tensor_softmax_with_shape _nested_view_from_buffer
        _nested_view_from_buffer_copy _nested_view_from_jagged _nested_view_from_jagged_copy
        _nnpack_available _nnpack_spatial_convolution _pack_padded_sequence _pad_packed_sequence
        _philox_key_fold_in _philox_key_split _philox_normal_ _philox_uniform_ _pin_memory _print
        _propagate_xla_data _remove_batch_dim _reshape_alias_copy _reshape_from_tensor
        _resize_output_ _rowwise_prune _saturate_weight_to_fp16
        _scaled_dot_product_attention_math_for_mps _scaled_dot_product_cudnn_attention
        _scaled_dot_product_efficient_attention _scaled_dot_product_flash_attention
        _scaled_grouped_mm _scaled_grouped_mm_v2 _sobol_engine_draw _sobol_engine_ff_
        _sobol_engine_initialize_state_ _sobol_engine_scramble_ _sparse_broadcast_to
        _sparse_broadcast_to_copy _sparse_csr_prod _sparse_csr_sum
        _sparse_log_softmax_backward_data _sparse_semi_structured_addmm
        _sparse_semi_structured_apply _sparse_semi_structured_apply_dense
        _sparse_semi_structured_linear _sparse_semi_structured_mm _sparse_semi_structured_tile
        _sparse_softmax_backward_data _sparse_sparse_matmul _sparse_sum _stack _test_check_tensor
        _test_parallel_materialize _test_serialization_subcmul _to_cpu _to_sparse_semi_structured
        _transform_bias_rescale_qkv _transformer_encoder_layer_fwd _trilinear
        _triton_multi_head_attention _triton_scaled_dot_attention _unique _unpack_dual
        _unsafe_index _unsafe_index_put _use_cudnn_ctc_loss _use_cudnn_rnn_flatten_weight
        _use_miopen_ctc_loss _validate_compressed_sparse_indices _validate_sparse_bsc_tensor_args
        _validate_sparse_bsr_tensor_args _validate_sparse_compressed_tensor_args
        _validate_sparse_coo_tensor_args _validate_sparse_csc_tensor_args
        _validate_sparse_csr_tensor_args _values_copy _weight_int4pack_mm
        _weight_int4pack_mm_for_cpu _weight_int4pack_mm_with_scales_and_zeros _weight_int8pack_mm
        _weight_norm_interface _wrapped_linear_prepack _wrapped_quantized_linear_prepacked
        batch_norm_backward_elemt batch_norm_backward_reduce batch_norm_elemt
        batch_norm_gather_stats batch_norm_gather_stats_with_counts batch_norm_stats
        batch_norm_update_stats ccol_indices_copy choose_qparams_optimized col_indices_copy
        crow_indices_copy cudnn_affine_grid_generator cudnn_batch_norm cudnn_convolution
        cudnn_convolution_add_relu cudnn_convolution_relu cudnn_convolution_transpose
        cudnn_grid_sampler cudnn_is_acceptable dequantize empty_quantized
        fake_quantize_per_channel_affine fake_quantize_per_tensor_affine fbgemm_linear_fp16_weight
        fbgemm_linear_fp16_weight_fp32_activation fbgemm_linear_int8_weight
        fbgemm_linear_int8_weight_fp32_activation fbgemm_linear_quantize_weight
        fbgemm_pack_gemm_matrix_fp16 fbgemm_pack_quantized_matrix fused_moving_avg_obs_fake_quant
        indices_copy int_repr miopen_batch_norm miopen_convolution miopen_convolution_add_relu
        miopen_convolution_relu miopen_convolution_transpose miopen_ctc_loss
        miopen_depthwise_convolution miopen_rnn mkldnn_adaptive_avg_pool2d mkldnn_convolution
        mkldnn_linear_backward_weights mkldnn_max_pool2d mkldnn_max_pool3d mkldnn_rnn_layer
        q_per_channel_axis q_per_channel_scales q_per_channel_zero_points q_scale
        q_zero_point quantize_per_channel quantize_per_tensor quantize_per_tensor_dynamic
        quantized_batch_norm quantized_gru_cell quantized_lstm_cell quantized_max_pool1d
        quantized_max_pool2d quantized_max_pool3d quantized_rnn_relu_cell quantized_rnn_tanh_cell
        resize_as_sparse_ row_indices_copy slice_inverse sym_constrain_range
        sym_constrain_range_for_size values_copy
        """.split()
    ),
    "_nn": frozenset(
        """
        _conv_depthwise2d _pad_circular _pad_enum _test_ambiguous_defaults
        _test_optional_filled_intlist _test_optional_floatlist _test_optional_intlist
        _test_string_default _upsample_bicubic2d_aa _upsample_bilinear2d_aa _upsample_lanczos2d_aa
        conv_depthwise3d flatten_dense_tensors gelu_ mkldnn_linear mkldnn_reorder_conv2d_weight
        mkldnn_reorder_conv3d_weight nll_loss2d pad_sequence relu6_ slow_conv3d slow_conv_dilated2d
        slow_conv_dilated3d slow_conv_transpose2d slow_conv_transpose3d thnn_conv2d
        unflatten_dense_tensors
        """.split()
    ),
    "_linalg": frozenset(
        """
        _linalg_eigvals linalg__powsum
        """.split()
    ),
    "Tensor": frozenset(
        """
        _addmm_activation _autocast_to_full_precision _autocast_to_reduced_precision _conj
        _conj_physical _dimI _dimV _is_all_true _is_any_true _lazy_clone _nested_tensor_size
        _nested_tensor_storage_offsets _nested_tensor_strides _philox_normal_ _philox_uniform_
        _sparse_mask_projection _to_dense _to_sparse _to_sparse_bsc _to_sparse_bsr _to_sparse_csc
        _to_sparse_csr ccol_indices col_indices crow_indices dequantize int_repr q_per_channel_axis
        q_per_channel_scales q_per_channel_zero_points q_scale q_zero_point qscheme
        resize_as_sparse_ row_indices slice_inverse to_mkldnn to_padded_tensor to_sparse_bsc
        to_sparse_bsr to_sparse_csc to_sparse_csr
        """.split()
    ),
}
