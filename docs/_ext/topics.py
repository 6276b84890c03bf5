"""The pages of the reference and the names on each.

A topic lists functions as ``add``, methods and attributes as ``Tensor.size``, other names as ``nn.Linear``, and all
names of a namespace as ``nn.init.*``. A method of Tensor stands with the function of its name, and an in-place form
with the form that is not; so neither has to be listed.
"""

import re
from dataclasses import dataclass

from docs._ext.names import every_name


@dataclass
class Topic:
    """A page of the reference."""

    slug: str
    title: str
    text: str
    names: str


GROUPS: dict[str, list[Topic]] = {}


def _topic(group: str, slug: str, title: str, text: str, names: str) -> None:
    GROUPS.setdefault(group, []).append(Topic(slug, title, text, names))


# ---- tensors

_T = "Tensors"
_topic(_T, "tensor_attributes", "Attributes of tensors", "The shape, the dtype, the gradient and other attributes.", """
    Tensor Tensor.H Tensor.T Tensor.mH Tensor.mT Tensor.data Tensor.dtype Tensor.grad Tensor.grad_dtype Tensor.grad_fn
    Tensor.imag Tensor.is_leaf Tensor.itemsize Tensor.name Tensor.nbytes Tensor.ndim Tensor.output_nr Tensor.real
    Tensor.requires_grad Tensor.retains_grad Tensor.shape Tensor.volatile Tensor.dim Tensor.element_size
    Tensor.is_contiguous Tensor.is_set_to Tensor.size Tensor.stride Tensor.storage_offset Tensor.ndimension
    Tensor.nelement Tensor.dim_order numel is_nonzero is_tensor typename Size is_same_size
""")  # fmt: skip
_topic(_T, "tensor_kinds", "Kinds of tensors", "The device and the layout of a tensor, and tests for them.", """
    Tensor.device Tensor.layout get_device Tensor.is_cpu Tensor.is_cuda Tensor.is_ipu Tensor.is_maia Tensor.is_meta
    Tensor.is_mkldnn Tensor.is_mps Tensor.is_mtia Tensor.is_nested Tensor.is_quantized Tensor.is_sparse
    Tensor.is_sparse_csr Tensor.is_vulkan Tensor.is_xla Tensor.is_xpu is_inference is_conj is_neg is_distributed
""")  # fmt: skip
_topic(_T, "tensor_data", "Reading and converting tensors",
       "Conversions between tensors, Python's numbers and lists, NumPy's arrays, dtypes and devices.", """
    Tensor.item Tensor.tolist Tensor.numpy Tensor.to Tensor.type Tensor.type_as Tensor.bool Tensor.byte Tensor.char
    Tensor.short Tensor.int Tensor.long Tensor.half Tensor.float Tensor.double Tensor.bfloat16 Tensor.cfloat
    Tensor.cdouble Tensor.chalf Tensor.cpu Tensor.cuda Tensor.xpu Tensor.data_ptr Tensor.storage
    Tensor.storage_type Tensor.untyped_storage Tensor.pin_memory Tensor.is_pinned Tensor.is_shared
    Tensor.share_memory_ Tensor.record_stream Tensor.as_subclass Tensor.apply_ Tensor.map_ Tensor.map2_ Tensor.new
    Tensor.new_empty Tensor.new_empty_strided Tensor.new_full Tensor.new_ones Tensor.new_tensor Tensor.new_zeros
    Tensor.module_load set_printoptions
""")  # fmt: skip
_topic(_T, "tensor_autograd", "Tensors and autograd", "Methods for gradients, and modes that switch recording on and off.", """
    Tensor.backward Tensor.register_hook Tensor.register_post_accumulate_grad_hook Tensor.retain_grad
    Tensor.requires_grad_ detach enable_grad no_grad inference_mode set_grad_enabled is_grad_enabled
    is_inference_mode_enabled is_anomaly_enabled is_anomaly_check_nan_enabled set_anomaly_enabled
""")  # fmt: skip
_topic(_T, "tensor_memory", "Memory of tensors", "Views, strides and writing to a tensor's memory.", """
    as_strided Tensor.contiguous Tensor.copy_ Tensor.resize_ Tensor.resize Tensor.resize_as resize_as_ Tensor.set_
    Tensor.fill_diagonal_ fill zero_ clone Tensor.view Tensor.view_as
""")  # fmt: skip
_topic(_T, "dtypes", "Dtypes, layouts and devices", "Types of elements, their limits, and how operators convert them.", """
    dtype layout memory_format qscheme device finfo iinfo can_cast promote_types result_type is_complex
    is_floating_point is_signed get_default_dtype set_default_dtype set_default_tensor_type get_default_device
    set_default_device SymBool SymFloat SymInt sym_float sym_int sym_ite sym_max sym_min sym_not sym_sum
""")  # fmt: skip
_topic(_T, "old_types", "Storages and old tensor types", "Storages, and the old classes of tensors for each dtype.", """
    BFloat16Tensor BoolTensor ByteTensor CharTensor DoubleTensor FloatTensor HalfTensor IntTensor LongTensor ShortTensor
    BFloat16Storage BoolStorage ByteStorage CharStorage ComplexDoubleStorage ComplexFloatStorage DoubleStorage
    FloatStorage HalfStorage IntStorage LongStorage ShortStorage Storage StorageBase TypedStorage UntypedStorage
    is_storage from_file
""")  # fmt: skip
_topic(_T, "settings", "Settings", "Threads, determinism, random seeds and other settings of the library.", """
    get_num_threads set_num_threads get_num_interop_threads set_num_interop_threads set_flush_denormal
    are_deterministic_algorithms_enabled use_deterministic_algorithms get_deterministic_debug_mode
    set_deterministic_debug_mode is_deterministic_algorithms_warn_only_enabled get_float32_matmul_precision
    set_float32_matmul_precision compiled_with_cxx11_abi is_vulkan_available get_device_module is_warn_always_enabled
    set_warn_always install_as_torch uninstall_as_torch AcceleratorError FatalError OutOfMemoryError DispatchKey Tag
    Event Stream Future Generator ScriptFunction ScriptModule PyTorchFileReader PyTorchFileWriter DeviceObjType compile
    cond while_loop
""")  # fmt: skip

# ---- operators

_O = "Operators"
_topic(_O, "creation", "Creating tensors from sizes", "Constants, ranges and empty tensors.", """
    zeros zeros_like ones ones_like empty empty_like empty_strided empty_permuted full full_like arange range linspace
    logspace eye tril_indices triu_indices scalar_tensor vander
""")  # fmt: skip
_topic(_O, "creation_from_data", "Creating tensors from data", "From Python's lists, NumPy's arrays and buffers.", """
    tensor as_tensor asarray from_numpy frombuffer from_dlpack complex polar
""")  # fmt: skip
_topic(_O, "random", "Random numbers", "Random tensors, and the generator that they come from.", """
    manual_seed seed initial_seed get_rng_state set_rng_state thread_safe_generator rand rand_like randint randint_like
    randn randn_like randperm bernoulli binomial multinomial normal poisson Tensor.normal_ Tensor.uniform_
    Tensor.random_ Tensor.exponential_ Tensor.cauchy_ Tensor.geometric_ Tensor.log_normal_ random.*
""")  # fmt: skip
_topic(_O, "arithmetic", "Arithmetic", "Elementwise sums, products, quotients, powers and roots.", """
    add sub subtract rsub mul multiply div divide true_divide floor_divide fmod remainder pow float_power addcdiv
    addcmul lerp maximum minimum fmax fmin clamp clamp_max clamp_min clip copysign hypot logaddexp logaddexp2 nextafter
    xlogy ldexp gcd lcm heaviside neg negative positive reciprocal abs absolute sign sgn square sqrt rsqrt
    """)  # fmt: skip
_topic(_O, "exponentials", "Exponentials and logarithms", "Elementwise functions of one tensor.", """
    exp exp2 expm1 log log10 log1p log2 sigmoid logit
""")  # fmt: skip
_topic(_O, "trigonometry", "Trigonometric and hyperbolic functions", "Elementwise functions, their inverses, and degrees and radians.", """
    sin cos tan asin acos atan arcsin arccos arctan atan2 arctan2 sinh cosh tanh asinh acosh atanh arcsinh arccosh
    arctanh sinc deg2rad rad2deg
""")  # fmt: skip
_topic(_O, "rounding", "Rounding and parts of numbers", "Elementwise functions that round, or return a part of each number.", """
    round ceil floor trunc fix frac frexp nan_to_num signbit
""")  # fmt: skip
_topic(_O, "complex", "Complex numbers", "Parts of complex tensors, and views between real and complex.", """
    real imag angle conj conj_physical resolve_conj resolve_neg view_as_complex view_as_real isreal
""")  # fmt: skip
_topic(_O, "gamma", "Gamma, error and Bessel functions", "Special functions in the main namespace.", """
    erf erfc erfinv digamma lgamma polygamma mvlgamma igamma igammac i0
""")  # fmt: skip
_topic(_O, "special_polynomials", "Bessel functions and orthogonal polynomials", "Bessel functions, Airy functions and polynomials of torch.special.", """
    special.airy_ai special.bessel_* special.modified_bessel_* special.scaled_modified_bessel_* special.spherical_bessel_*
    special.i0 special.i0e special.i1 special.i1e special.*_polynomial_*
""")  # fmt: skip
_topic(_O, "special", "torch.special", "The special functions of the namespace torch.special.", """
    special.*
""")  # fmt: skip
_topic(_O, "comparison", "Comparison and logic", "Operators with boolean results.", """
    eq ne not_equal lt less le less_equal gt greater ge greater_equal equal isclose allclose isfinite isinf isnan
    isneginf isposinf isin logical_and logical_or logical_xor logical_not bitwise_and bitwise_or bitwise_xor bitwise_not
    bitwise_left_shift bitwise_right_shift
""")  # fmt: skip
_topic(_O, "shapes", "Shapes and the order of dimensions", "Operators that reorder elements or change the shape.", """
    reshape flatten unflatten squeeze unsqueeze permute transpose t adjoint swapaxes swapdims movedim moveaxis flip
    fliplr flipud rot90 roll narrow select diagonal diag diag_embed diagflat tril triu ravel broadcast_to
    broadcast_tensors broadcast_shapes atleast_1d atleast_2d atleast_3d Tensor.expand Tensor.expand_as Tensor.repeat
    Tensor.reshape_as Tensor.unfold Tensor.sum_to_size tile
""")  # fmt: skip
_topic(_O, "joining", "Joining and splitting", "Several tensors to one, and one to several.", """
    cat concat concatenate stack column_stack dstack hstack vstack row_stack block_diag meshgrid cartesian_prod
    combinations chunk split split_with_sizes tensor_split dsplit hsplit vsplit unbind unsafe_chunk unsafe_split
    unsafe_split_with_sizes
""")  # fmt: skip
_topic(_O, "copied_views", "Views that copy", "Operators that return a copy where the others return a view.", """
    alias_copy as_strided_copy detach_copy diagonal_copy expand_copy narrow_copy permute_copy select_copy slice_copy
    split_copy split_with_sizes_copy squeeze_copy t_copy transpose_copy unbind_copy unfold_copy unsqueeze_copy
    view_as_complex_copy view_as_real_copy view_copy
""")  # fmt: skip
_topic(_O, "indexing", "Indexing", "Reading and writing elements by their indices or by masks.", """
    gather scatter scatter_add scatter_reduce index_add index_copy index_fill index_put index_reduce index_select
    masked_fill masked_scatter masked_select put take take_along_dim where nonzero nonzero_static argwhere
    as_strided_scatter diagonal_scatter select_scatter slice_scatter repeat_interleave unravel_index segment_reduce
    Tensor.slice_inverse
""")  # fmt: skip
_topic(_O, "reductions", "Reductions", "Sums, means, extrema and norms along dimensions.", """
    sum nansum mean nanmean prod max min amax amin aminmax argmax argmin all any count_nonzero logsumexp std std_mean
    var var_mean norm norm_except_dim frobenius_norm nuclear_norm native_norm dist renorm trace hash_tensor
""")  # fmt: skip
_topic(_O, "scans", "Cumulative operators and calculus", "Running sums, differences and integrals.", """
    cumsum cumprod cummax cummin logcumsumexp diff gradient trapezoid trapz cumulative_trapezoid
""")  # fmt: skip
_topic(_O, "sorting", "Sorting, searching and counting", "Order statistics, quantiles, histograms and unique elements.", """
    sort argsort msort topk kthvalue median nanmedian mode quantile nanquantile searchsorted bucketize unique
    unique_consecutive bincount histc histogram histogramdd cov corrcoef
""")  # fmt: skip
_topic(_O, "products", "Products of matrices and vectors", "Matrix products, with and without an addend.", """
    matmul mm bmm mv dot vdot inner outer ger kron tensordot einsum chain_matmul addmm addmv addr addbmm baddbmm cross
    hspmm smm dsmm spmm sspaddmm
""")  # fmt: skip
_topic(_O, "decompositions", "Decompositions and solvers", "Linear algebra in the main namespace.", """
    cholesky cholesky_inverse cholesky_solve det logdet slogdet inverse pinverse lu lu_solve lu_unpack qr svd geqrf orgqr
    ormqr triangular_solve matrix_exp matrix_power pca_lowrank svd_lowrank lobpcg eig lstsq matrix_rank solve symeig
    cdist pdist
""")  # fmt: skip
_topic(_O, "linalg", "torch.linalg", "Linear algebra in the namespace torch.linalg.", "linalg.*")
_topic(
    _O,
    "fft",
    "Fourier transforms",
    "torch.fft, and transforms of short pieces of a signal.",
    "fft.* stft istft",
)
_topic(_O, "windows", "Windows", "Weights for short pieces of a signal.", """
    bartlett_window blackman_window hamming_window hann_window kaiser_window signal.windows.*
""")  # fmt: skip
_topic(_O, "sparse", "Sparse tensors", "Tensors that store the elements that are not zero.", """
    sparse_coo_tensor sparse.* Tensor.coalesce Tensor.dense_dim Tensor.indices Tensor.is_coalesced Tensor.sparse_dim
    Tensor.sparse_mask Tensor.sparse_resize_ Tensor.sparse_resize_and_clear_ Tensor.to_dense Tensor.to_sparse
    Tensor.to_sparse_coo Tensor.values
""")  # fmt: skip
_topic(_O, "layer_operators", "Convolutions, pooling and recurrent cells",
       "Operators in the main namespace that layers for images and sequences use.", """
    adaptive_avg_pool1d adaptive_max_pool1d affine_grid_generator avg_pool1d channel_shuffle constant_pad_nd conv1d conv2d
    conv3d conv_tbc conv_transpose1d conv_transpose2d conv_transpose3d convolution grid_sampler grid_sampler_2d
    grid_sampler_3d gru gru_cell lstm lstm_cell max_pool1d max_pool1d_with_indices max_pool2d max_pool3d
    native_channel_shuffle pixel_shuffle pixel_unshuffle rnn_relu rnn_relu_cell rnn_tanh rnn_tanh_cell
""")  # fmt: skip
_topic(_O, "activation_operators", "Activations, normalization, dropout and losses",
       "Operators in the main namespace that other layers use.", """
    alpha_dropout batch_norm bilinear binary_cross_entropy_with_logits celu cosine_embedding_loss cosine_similarity
    ctc_loss dropout embedding embedding_bag embedding_renorm_ feature_alpha_dropout feature_dropout group_norm
    hardshrink hinge_embedding_loss instance_norm kl_div layer_norm log_softmax margin_ranking_loss native_batch_norm
    native_dropout native_group_norm native_layer_norm pairwise_distance poisson_nll_loss prelu relu rms_norm rrelu selu
    softmax threshold triplet_margin_loss
""")  # fmt: skip

# ---- layers

_N = "torch.nn"
_topic(_N, "nn_module", "Modules and containers", "The base class of layers, parameters, and containers.", """
    nn.Module nn.Parameter nn.Buffer nn.UninitializedParameter nn.UninitializedBuffer nn.Sequential nn.ModuleList
    nn.ModuleDict nn.ParameterList nn.ParameterDict nn.Container nn.Identity nn.DataParallel nn.Flatten nn.Unflatten
    nn.factory_kwargs
""")  # fmt: skip
_topic(_N, "nn_linear", "Linear layers and embeddings", "Affine maps and tables of vectors.", """
    nn.Linear nn.Bilinear nn.LazyLinear nn.Embedding nn.EmbeddingBag
    nn.LinearCrossEntropyLoss
""")  # fmt: skip
_topic(_N, "nn_convolution", "Convolutions", "Convolutional layers, folding and padding.", """
    nn.Conv* nn.LazyConv* nn.Fold nn.Unfold nn.*Pad1d nn.*Pad2d nn.*Pad3d
""")  # fmt: skip
_topic(_N, "nn_pooling", "Pooling and resampling", "Layers that make images smaller or larger.", """
    nn.*Pool1d nn.*Pool2d nn.*Pool3d nn.Upsample* nn.Upsampling* nn.PixelShuffle nn.PixelUnshuffle nn.ChannelShuffle
""")  # fmt: skip
_topic(_N, "nn_activation", "Activations", "Nonlinear layers.", """
    nn.CELU nn.ELU nn.GELU nn.GLU nn.Hard* nn.LeakyReLU nn.Log* nn.Mish nn.PReLU nn.RReLU nn.ReLU nn.ReLU6 nn.SELU
    nn.SiLU nn.Sigmoid nn.Soft* nn.Tanh nn.Tanhshrink nn.Threshold nn.AdaptiveLogSoftmaxWithLoss
""")  # fmt: skip
_topic(_N, "nn_normalization", "Normalization and dropout", "Layers that scale or drop elements.", """
    nn.BatchNorm* nn.LazyBatchNorm* nn.SyncBatchNorm nn.InstanceNorm* nn.LazyInstanceNorm* nn.GroupNorm nn.LayerNorm
    nn.RMSNorm nn.LocalResponseNorm nn.CrossMapLRN2d nn.*Dropout*
""")  # fmt: skip
_topic(_N, "nn_sequences", "Recurrent and transformer layers", "Layers for sequences.", """
    nn.RNN* nn.LSTM* nn.GRU* nn.MultiheadAttention nn.Transformer* nn.attention.*
""")  # fmt: skip
_topic(_N, "nn_loss", "Losses and distances", "Layers that compare predictions with targets.", """
    nn.*Loss nn.*Loss2d nn.CosineSimilarity nn.PairwiseDistance
""")  # fmt: skip
_F = "torch.nn.functional"
_topic(_F, "functional_layers", "Linear and convolutional functions", "Products, convolutions, padding, embeddings.", """
    nn.functional.linear nn.functional.bilinear nn.functional.conv* nn.functional.fold nn.functional.unfold
    nn.functional.pad nn.functional.embedding* nn.functional.one_hot nn.functional.scaled_*
    nn.functional.multi_head_attention_forward nn.functional.linear_cross_entropy
""")  # fmt: skip
_topic(_F, "functional_pooling", "Pooling and resampling functions", "Functions that make images smaller or larger.", """
    nn.functional.*pool* nn.functional.interpolate nn.functional.upsample* nn.functional.grid_sample
    nn.functional.affine_grid nn.functional.pixel_* nn.functional.*channel_shuffle
""")  # fmt: skip
_topic(_F, "functional_activation", "Activation functions", "Elementwise nonlinear functions, and softmax.", """
    nn.functional.*elu* nn.functional.glu nn.functional.hard* nn.functional.log* nn.functional.mish nn.functional.silu
    nn.functional.sigmoid nn.functional.soft* nn.functional.tanh* nn.functional.threshold* nn.functional.gumbel_softmax
""")  # fmt: skip
_topic(_F, "functional_normalization", "Normalization and dropout functions", "Functions that scale or drop elements.", """
    nn.functional.*norm nn.functional.normalize nn.functional.*dropout*
""")  # fmt: skip
_topic(_F, "functional_loss", "Loss and distance functions", "Functions that compare predictions with targets.", """
    nn.functional.*loss* nn.functional.*cross_entropy* nn.functional.kl_div nn.functional.cosine_similarity
    nn.functional.pairwise_distance nn.functional.pdist nn.functional.*
""")  # fmt: skip
_U = "Initialization and utilities of modules"
_topic(_U, "nn_init", "Initialization", "Functions that fill parameters.", "nn.init.*")
_topic(
    _U,
    "nn_utils",
    "Utilities of modules",
    "Clipping, flattening, fusing and packing.",
    "nn.utils.* nn.utils.rnn.*",
)
_topic(_U, "nn_parametrize", "Parametrizations and pruning", "Parameters that are computed from others.", """
    nn.utils.parametrize.* nn.utils.parametrizations.* nn.utils.prune.*
""")  # fmt: skip
_topic(_U, "nn_other", "Other modules", "Modules that are in no other group.", "nn.*")

# ---- training and transforms

_R = "Training"
_topic(
    _R, "optim", "Optimizers", "Algorithms that update parameters from their gradients.", "optim.*"
)
_topic(
    _R,
    "lr_scheduler",
    "Schedules of learning rates",
    "Learning rates that change during training.",
    "optim.lr_scheduler.*",
)
_topic(
    _R,
    "swa_utils",
    "Averaged weights",
    "Averages of a model's weights during training.",
    "optim.swa_utils.*",
)
_topic(_R, "data", "Loading data", "Datasets, samplers and batches.", "utils.data.*")
_topic(_R, "amp", "Automatic mixed precision", "Computing in 16 bits where that is precise enough.", """
    amp.* autocast autocast_decrement_nesting autocast_increment_nesting clear_autocast_cache get_autocast_cpu_dtype
    get_autocast_dtype get_autocast_gpu_dtype get_autocast_ipu_dtype get_autocast_xla_dtype is_autocast_cache_enabled
    is_autocast_cpu_enabled is_autocast_enabled is_autocast_ipu_enabled is_autocast_xla_enabled
    set_autocast_cache_enabled set_autocast_cpu_dtype set_autocast_cpu_enabled set_autocast_dtype set_autocast_enabled
    set_autocast_gpu_dtype set_autocast_ipu_dtype set_autocast_ipu_enabled set_autocast_xla_dtype
    set_autocast_xla_enabled GradScaler
""")  # fmt: skip
_topic(
    _R,
    "files",
    "Saving and loading",
    "Files of tensors and of modules' states.",
    "save load serialization.* hub.*",
)

_G = "Autograd and transforms"
_topic(
    _G,
    "autograd",
    "torch.autograd",
    "Backward passes, gradients and custom functions.",
    "autograd.* autograd.function.*",
)
_topic(
    _G,
    "autograd_graph",
    "torch.autograd.graph",
    "Nodes, edges, hooks and saved tensors.",
    "autograd.graph.*",
)
_topic(_G, "autograd_functional", "Jacobians and forward mode", "Derivatives of functions as matrices, and tangents.", """
    autograd.functional.* autograd.forward_ad.*
""")  # fmt: skip
_topic(_G, "engine", "The engine", "The compiled engine, its steps as functions, and the class that observes it.", """
    autograd.engine.Engine autograd.engine_steps.unpack_arguments autograd.engine_steps.call_tensor_pre_hooks
    autograd.engine_steps.call_function autograd.events.Observer
""")  # fmt: skip
_topic(_G, "legacy", "PyTorch 0.2", "The interface of PyTorch 0.2, on this engine.", """
    legacy.Variable legacy.backward legacy.grad legacy.autograd.Function legacy.lift legacy.ImperativeEngine
""")  # fmt: skip
_topic(
    _G, "func", "torch.func", "Transforms of functions: gradients, batches and more.", "func.* vmap"
)
_topic(
    _G,
    "profiler",
    "Profilers",
    "Measuring the time and the memory that operators need.",
    "autograd.profiler.* profiler.*",
)
_topic(
    _G,
    "checkpoint",
    "Checkpoints",
    "Recomputing values in the backward pass to save memory.",
    "utils.checkpoint.*",
)

_D = "Distributions"
# before the other names of the namespace
_topic(_D, "transforms", "Transforms of distributions", "Invertible functions, with the logarithm of the determinant of each Jacobian.", """
    distributions.*Transform distributions.biject_to distributions.transform_to distributions.identity_transform
    distributions.transforms.*
""")  # fmt: skip
_topic(
    _D,
    "distributions",
    "Distributions",
    "Distributions to sample from, with densities.",
    "distributions.*",
)
_topic(
    _D,
    "constraints",
    "Constraints",
    "The values that a parameter or a sample may have.",
    "distributions.constraints.*",
)
_X = "Extending"
_topic(_X, "library", "Custom operators", "Operators of your own.", "library.*")
_topic(
    _X,
    "overrides",
    "Overrides",
    "Classes and modes that override functions.",
    "overrides.* utils.hooks.*",
)
_topic(
    _X,
    "testing",
    "Testing",
    "Comparing tensors, and counting operations.",
    "testing.* utils.flop_counter.* utils.dlpack.*",
)
_topic(
    _X,
    "distributed",
    "Several processes",
    "Process groups and ranks, and stores of keys and values.",
    "distributed.*",
)
_topic(_X, "collectives", "Collective operations", "What processes compute and send together, on MPI.", """
    distributed.ReduceOp distributed.Work distributed.all_gather distributed.all_gather_into_tensor
    distributed.all_gather_object distributed.all_gather_single distributed.all_reduce distributed.all_to_all
    distributed.all_to_all_single distributed.barrier distributed.monitored_barrier distributed.broadcast
    distributed.broadcast_object_list distributed.gather distributed.gather_object distributed.reduce
    distributed.reduce_scatter distributed.reduce_scatter_single distributed.reduce_scatter_tensor
    distributed.scatter distributed.scatter_object_list distributed.send distributed.recv distributed.isend
    distributed.irecv distributed.P2POp distributed.batch_isend_irecv distributed.send_object_list
    distributed.recv_object_list
""")  # fmt: skip
_topic(
    _X,
    "data_parallel",
    "Data parallelism",
    "Training on several processes, each with its part of every batch, and checkpoints of all of them.",
    "nn.parallel.* distributed.algorithms.* distributed.algorithms.ddp_comm_hooks.* "
    "distributed.algorithms.ddp_comm_hooks.default_hooks.* distributed.optim.* distributed.checkpoint.* "
    "distributed.checkpoint.state_dict.*",
)
_topic(_X, "masked", "Masked tensors", "Operators that leave elements out.", "masked.*")
_topic(_X, "absent", "Names that are not implemented", "Names that exist and raise NotImplementedError.", """
    Tensor.ccol_indices Tensor.col_indices Tensor.crow_indices Tensor.dequantize Tensor.int_repr
    Tensor.q_per_channel_axis Tensor.q_per_channel_scales Tensor.q_per_channel_zero_points Tensor.q_scale
    Tensor.q_zero_point Tensor.resize_as_sparse_ Tensor.row_indices Tensor.to_mkldnn Tensor.to_padded_tensor
    Tensor.to_sparse_bsc Tensor.to_sparse_bsr Tensor.to_sparse_csc Tensor.to_sparse_csr
""")  # fmt: skip


# ---- where a name stands


def pages(names: dict[str, list[str]]) -> dict[str, list[str]]:
    """Return the full names on each page.

    Parameters
    ----------
    names : dict
        The public names of each namespace: ``"torch"``, ``"Tensor"``, ``"nn"``, and so on.

    Returns
    -------
    dict
        For each slug the full names, in order: ``"add"``, ``"Tensor.add"``, ``"Tensor.add_"``, ``"nn.Linear"``.
    """
    every = [
        name if space == "torch" else f"{space}.{name}"
        for space, own in names.items()
        for name in own
    ]
    placed: dict[str, str] = {}
    found: dict[str, list[str]] = {}
    topics = [topic for group in GROUPS.values() for topic in group]
    patterns = [(topic.slug, text) for topic in topics for text in topic.names.split()]
    known = set(every)
    for slug, text in patterns:
        if text in known:
            placed.setdefault(text, slug)
    # a pattern takes what no topic lists, and that of the longest namespace comes first
    for slug, text in sorted(patterns, key=lambda pair: -pair[1].count(".")):
        if "*" in text:
            expression = re.compile(re.escape(text).replace(r"\*", r"\w*") + "$")
            for name in every:
                if expression.match(name):
                    placed.setdefault(name, slug)
    for name in every:
        if name not in placed:
            slug = _with_function(name, placed)
            if slug is not None:
                placed[name] = slug
    for topic in topics:
        found[topic.slug] = [name for name in every if placed.get(name) == topic.slug]
    missing = [name for name in every if name not in placed]
    if missing:
        found.setdefault("", []).extend(missing)
    return found


def entries() -> set[str]:
    """Return the full names of all public names that have a place in the reference."""
    placed = pages(every_name())
    return {name for slug, names in placed.items() if slug for name in names}


def _with_function(name: str, placed: dict[str, str]) -> str | None:
    """Return the page of a method or in-place form: that of its function."""
    short = name.removeprefix("Tensor.")
    for other in (
        short,
        short.rstrip("_"),
        f"Tensor.{short.rstrip('_')}",
        f"{short}_",
        f"Tensor.{short}_",
    ):
        if other != name and other in placed:
            return placed[other]
    return None
