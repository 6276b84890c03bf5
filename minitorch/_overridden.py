"""Which names `__torch_function__` takes over, and how: PyTorch's three kinds of functions.

See `autograd/torch_function.pyx` for the kinds. What is in no table here has an argument parser there.
"""

# ---- class Tensor

# these look for overrides themselves (the methods of Python's data model), or nothing takes them over
NOT_METHODS = frozenset(
    """
    __add__ __radd__ __sub__ __rsub__ __mul__ __rmul__ __truediv__ __rtruediv__ __floordiv__
    __rfloordiv__ __mod__ __rmod__ __and__ __rand__ __or__ __ror__ __xor__ __rxor__ __lshift__
    __rlshift__ __rshift__ __rrshift__ __matmul__ __rmatmul__ __pow__ __rpow__ __div__ __complex__
    __reduce_cython__ __setstate_cython__ __init_subclass__ __torch_function__
    _change_requires_grad _conjugate_transpose _post_accumulate_grad_hooks_dict _reversed_dims
    _typed_storage as_subclass retain_grad __dict__ __weakref__
    """.split()
)
# functions in Python
PYTHON_METHODS = frozenset(
    """
    __array__ __array_wrap__ __contains__ __deepcopy__ __dir__ __dlpack__ __dlpack_device__ __format__
    __rdiv__ __reduce_ex__ __repr__ __reversed__ __setstate__ backward dim_order is_shared istft lu
    module_load norm register_hook register_post_accumulate_grad_hook share_memory_ split stft storage
    storage_type unflatten unique unique_consecutive
    """.split()
)
# methods in C that look at their tensor and nothing else
UNPARSED_METHODS = frozenset()

# ---- functions

NOT_FUNCTIONS = frozenset(
    """
    broadcast_shapes compile compiled_with_cxx11_abi from_dlpack get_default_device get_default_dtype
    get_deterministic_debug_mode get_device_module get_float32_matmul_precision get_num_interop_threads
    get_num_threads get_rng_state initial_seed install_as_torch is_deterministic_algorithms_warn_only_enabled
    is_storage is_tensor is_warn_always_enabled load manual_seed save seed typename uninstall_as_torch
    are_deterministic_algorithms_enabled autocast_decrement_nesting autocast_increment_nesting
    clear_autocast_cache is_anomaly_check_nan_enabled is_anomaly_enabled is_grad_enabled
    is_inference_mode_enabled use_deterministic_algorithms is_vulkan_available
    """.split()
)
# settings are read and made by functions with these beginnings
NOT_FUNCTIONS_PREFIXES = ("set_", "get_autocast_", "is_autocast_", "_")

PYTHON_FUNCTIONS = frozenset(
    """
    atleast_1d atleast_2d atleast_3d block_diag broadcast_tensors cartesian_prod cdist chain_matmul
    einsum lobpcg lu meshgrid norm pca_lowrank split stft svd_lowrank sym_float sym_int sym_ite sym_max
    sym_min sym_not sym_sum tensordot unique unique_consecutive unravel_index
    """.split()
)

# ---- nn.functional, where most are functions in Python

NOT_LAYERS = frozenset("sigmoid tanh upsample upsample_bilinear upsample_nearest".split())
PARSED_LAYERS = frozenset(
    """
    adaptive_avg_pool1d avg_pool1d avg_pool2d avg_pool3d bilinear celu_ channel_shuffle conv1d conv2d
    conv3d conv_transpose1d conv_transpose2d conv_transpose3d cosine_similarity elu_ gelu hardshrink
    hardtanh_ leaky_relu_ linear logsigmoid one_hot pairwise_distance pdist pixel_shuffle
    pixel_unshuffle prelu relu_ rrelu_ scaled_dot_product_attention selu_ softplus softshrink
    threshold_
    """.split()
)


def is_function(name, value):
    """Whether a name of the main namespace is a function that can be taken over."""
    return (
        callable(value)
        and not isinstance(value, type)
        and name not in NOT_FUNCTIONS
        and not name.startswith(NOT_FUNCTIONS_PREFIXES)
    )
