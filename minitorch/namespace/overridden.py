"""The functions that `__torch_function__` overrides, by PyTorch's three kinds of functions.

See `autograd/torch_function.pyx` for the kinds. Functions in none of these tables have an argument
parser in PyTorch.
"""

# ---- class Tensor

# methods of Python's data model, which check for overrides themselves, and methods that cannot be
# overridden
DATA_MODEL = frozenset(
    """
    __abs__ __add__ __radd__ __sub__ __rsub__ __mul__ __rmul__ __truediv__ __rtruediv__ __floordiv__
    __rfloordiv__ __mod__ __rmod__ __and__ __rand__ __or__ __ror__ __xor__ __rxor__ __lshift__
    __rlshift__ __rshift__ __rrshift__ __matmul__ __rmatmul__ __pow__ __rpow__ __div__ __complex__
    __bool__ __contains__ __eq__ __float__ __ge__ __getitem__ __gt__ __iadd__ __iand__ __idiv__
    __ifloordiv__ __ilshift__ __imod__ __imul__ __index__ __int__ __invert__ __ior__ __ipow__
    __irshift__ __isub__ __itruediv__ __ixor__ __le__ __len__ __long__ __lt__ __ne__ __neg__
    __nonzero__ __pos__ __setitem__
    """.split()
)
# the binary operators among them
OPERATORS = DATA_MODEL & {
    f"__{reflected}{name}__"
    for reflected in ("", "r", "i")
    for name in """
        add sub mul truediv floordiv mod and or xor lshift rshift matmul pow div eq ne lt le gt ge contains getitem
    """.split()
}
NOT_METHODS = DATA_MODEL - {"__contains__"} | frozenset(
    """
    __reduce_cython__ __setstate_cython__ __init_subclass__ __torch_function__
    _change_requires_grad _conjugate_transpose _is_zerotensor _rev_view_func_unsafe _reversed_dims
    _set_grad_fn _view_func _view_func_unsafe to_sparse_coo
    _typed_storage as_subclass __dict__ __weakref__ eig lstsq solve symeig
    """.split()
)
# methods that PyTorch implements in Python
PYTHON_METHODS = frozenset(
    """
    __array__ __array_wrap__ __contains__ __deepcopy__ __dir__ __dlpack__ __dlpack_device__ __format__
    __rdiv__ __reduce_ex__ __repr__ __reversed__ __setstate__ backward dim_order is_shared istft lu
    module_load norm register_hook register_post_accumulate_grad_hook share_memory_ split stft storage
    storage_type unflatten unique unique_consecutive
    """.split()
)
# methods in C without an argument parser, which check only their tensor for overrides
UNPARSED_METHODS = frozenset(
    """
    _is_view _neg_view adjoint apply_ conj deg2rad_ detach_ is_distributed is_nonzero map_ new new_tensor rad2deg_
    resolve_conj resolve_neg retain_grad
    """.split()
)

# ---- functions

NOT_FUNCTIONS = frozenset(
    """
    broadcast_shapes compile compiled_with_cxx11_abi from_dlpack get_default_device get_default_dtype
    get_deterministic_debug_mode get_device_module get_float32_matmul_precision get_num_interop_threads
    get_num_threads get_rng_state initial_seed install_as_torch is_deterministic_algorithms_warn_only_enabled
    is_storage is_tensor is_warn_always_enabled load manual_seed save seed typename uninstall_as_torch
    are_deterministic_algorithms_enabled autocast_decrement_nesting autocast_increment_nesting
    clear_autocast_cache is_anomaly_check_nan_enabled is_anomaly_enabled is_grad_enabled
    is_inference_mode_enabled use_deterministic_algorithms is_vulkan_available vmap
    eig lstsq matrix_rank solve symeig thread_safe_generator
    """.split()
)
# prefixes of functions that get or change settings
NOT_FUNCTIONS_PREFIXES = ("set_", "get_autocast_", "is_autocast_", "_")

PYTHON_FUNCTIONS = frozenset(
    """
    atleast_1d atleast_2d atleast_3d block_diag broadcast_tensors cartesian_prod cdist chain_matmul
    einsum lobpcg lu meshgrid norm pca_lowrank split stft svd_lowrank sym_float sym_int sym_ite sym_max
    sym_min sym_not sym_sum tensordot unique unique_consecutive unravel_index
    """.split()
)

# ---- nn.functional, where PyTorch implements most functions in Python

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
# ---- nn.init: these functions pass all arguments on by keyword; the others call methods

INITIALIZERS = ("constant_", "kaiming_uniform_", "normal_", "uniform_")

# ---- the functions in `torch.overrides.get_ignored_functions`, which a class need not override

IGNORED = {
    "": """
        arange are_deterministic_algorithms_enabled as_strided as_tensor asarray
        autocast_decrement_nesting autocast_increment_nesting bartlett_window blackman_window
        broadcast_shapes can_cast clear_autocast_cache compile device dtype empty empty_permuted
        empty_strided enable_grad eye fill finfo from_file from_numpy frombuffer full
        get_autocast_cpu_dtype get_autocast_dtype get_autocast_gpu_dtype get_autocast_ipu_dtype
        get_autocast_xla_dtype get_default_device get_default_dtype get_deterministic_debug_mode
        get_device_module get_float32_matmul_precision get_num_interop_threads get_num_threads
        get_rng_state hamming_window hann_window iinfo inference_mode initial_seed
        is_anomaly_check_nan_enabled is_anomaly_enabled is_autocast_cache_enabled
        is_autocast_cpu_enabled is_autocast_enabled is_autocast_ipu_enabled is_autocast_xla_enabled
        is_deterministic_algorithms_warn_only_enabled is_grad_enabled is_inference_mode_enabled
        is_storage is_tensor is_vulkan_available is_warn_always_enabled kaiser_window layout linspace
        load logspace manual_seed memory_format no_grad normal ones promote_types rand rand_like
        randint randint_like randn randn_like randperm range result_type save scalar_tensor seed
        set_anomaly_enabled set_autocast_cache_enabled set_autocast_cpu_dtype
        set_autocast_cpu_enabled set_autocast_dtype set_autocast_enabled set_autocast_gpu_dtype
        set_autocast_ipu_dtype set_autocast_ipu_enabled set_autocast_xla_dtype
        set_autocast_xla_enabled set_default_device set_default_tensor_type
        set_deterministic_debug_mode set_float32_matmul_precision set_flush_denormal
        set_grad_enabled set_num_interop_threads set_num_threads set_printoptions set_rng_state
        set_warn_always sparse_coo_tensor tensor thread_safe_generator tril_indices triu_indices typename use_deterministic_algorithms vander
        zeros
        """,
    "nn.functional": """
        hardsigmoid hardswish sigmoid tanh upsample upsample_bilinear upsample_nearest
        """,
    "nn.init": "calculate_gain",
    "fft": "fftfreq rfftfreq",
    "Tensor": """
        __class__ __delattr__ __delitem__ __dir__ __getattribute__ __hash__ __init__ __init_subclass__
        __iter__ __new__ __setattr__ __subclasshook__ __torch_function__ _make_subclass
        _typed_storage as_subclass eig lstsq new new_empty new_empty_strided new_full new_ones new_tensor
        new_zeros solve stride symeig unflatten
        """,
}


def is_function(name, value):
    """Return whether a name of the main namespace is an overridable function."""
    return (
        callable(value)
        and not isinstance(value, type)
        and name not in NOT_FUNCTIONS
        and not name.startswith(NOT_FUNCTIONS_PREFIXES)
    )
