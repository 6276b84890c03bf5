"""Where a row differs from PyTorch on purpose or for want of repair.

A difference is (pattern of cases, part of what the test says, reason); a case is called
``row/form/variant: what differs``. test_against_pytorch.py fails for an entry of KNOWN that differs
no longer.
"""

MORE = "PyTorch has no derivative of it"
NOT_RECORDED = "{'grad_fn': None, 'requires_grad': False}\n"
STRIDED = "PyTorch reads statistics with strides as if they were contiguous"
MIXED = "a backward is given the forward's own tensors, and does not check that their types agree"
INTERNAL = "the second derivative is made of other operators, so that this one has no node"
OUTSIDE = "PyTorch reads outside of its tensors"
RESIZED = "PyTorch resizes its own result and warns; nn.functional checks the sizes before"
BAG_STRIDED = "PyTorch reads indices with strides as if they were contiguous"
BAG_CHECKS = "nn.functional.embedding_bag checks before it, and is compared in tests/compat"
COMPLEX = "complex convolutions are one node here"
THREE = "PyTorch computes three real convolutions, each of which warns"
CASTS = "PyTorch casts several tensors, and warns of each"
MKLDNN = "which of two texts PyTorch has depends on the size and on the number of threads"
WEIGHTLESS = "PyTorch has no second derivative with a bias and no weight"

SCALES = "PyTorch has a second form with a list of scale factors"
BYTES = "images of bytes are resized by nn.functional.interpolate"

NETWORKS = [
    # ---- images in another resolution
    ("*upsample_*/function/bad-too-few: error", "missing 1 required", SCALES),
    ("*upsample_*/function/bad-keyword: error", "unexpected keyword", SCALES),
    ("upsample_bilinear2d/*-uint8: *", "", BYTES),
    ("upsample_bicubic2d/*-uint8: *", "", BYTES),
    # ---- images at the points of a grid
    ("grid_sampler_?d_backward/*-argument-0-*: first gradient", "is invalid for input of size", OUTSIDE),
    ("grid_sampler_3d_backward/*-argument-0-deeper: error", "expected grad_output", OUTSIDE),
    # ---- activations
    ("silu_backward/*: first gradient", "is not implemented", MORE),
    ("silu_backward/*: result", "torch::autograd::NotImplemented", MORE),
    ("mish_backward/*: first gradient", "is not implemented", MORE),
    ("mish_backward/*: result", "torch::autograd::NotImplemented", MORE),
    ("log_sigmoid_backward/*: error", '"log_sigmoid_cpu"', "the call of log_sigmoid_forward for its buffer"),
    ("gelu_backward/*-argument-1-float32: error", "itensor", "a limit of MKLDNN"),
    ("threshold/inplace/*-expanded: error", "single memory location", "writes several times to one place"),
    ("_prelu_kernel/*: warnings", "resized", RESIZED),
    ("_prelu_kernel_backward/*", "argument-2", RESIZED),
    # ---- losses
    ("huber_loss/*: warnings", "resized", RESIZED),
    ("huber_loss_backward/*-0-deeper: first gradient", "invalid gradient", RESIZED),
    ("binary_cross_entropy/*-0-dim: *", "", RESIZED),
    ("binary_cross_entropy/*-deeper: *", "", RESIZED),
    ("binary_cross_entropy_backward/*-0-dim: *", "", RESIZED),
    ("binary_cross_entropy_backward/*-deeper: *", "", RESIZED),
    ("_log_softmax_backward_data/*: error", "to have same size", OUTSIDE),
    # ---- embedding
    ("embedding/*/2*: second gradient", "scale_grad_by_freq", "PyTorch's forgets the scale"),
    ("embedding_dense_backward/*/2*: first gradient", "scale_grad_by_freq", "PyTorch's forgets the scale"),
    ("embedding/*-argument-0-0-dim: error", "must be 2-D", "the size that PyTorch's node asks for first"),
    ("embedding/*-argument-1-empty*: second gradient", "cannot reshape", "works here"),
    ("_embedding_bag/*: result [123]", "'value'", "what is kept for the backward is made otherwise"),
    ("_embedding_bag/*-sliced: result 0", "'value'", BAG_STRIDED),
    ("_embedding_bag/*-sliced: first gradient", "non-contiguous", BAG_STRIDED),
    ("_embedding_bag/*: first gradient 0", "", "scale_grad_by_freq: PyTorch counts another index"),
    ("_embedding_bag/*: second gradient", "_embedding_bag_backward' is not implemented", MORE),
    ("_embedding_bag/*: error", "to have one of the following scalar types", BAG_CHECKS),
    ("_embedding_bag/*-argument-0-0-dim: error", "has to be a 2D", BAG_CHECKS),
    ("_embedding_bag/*-argument-1-deeper: error", "offsets", BAG_CHECKS),
    ("_embedding_bag/*-argument-2-longer: error", "index_size", BAG_CHECKS),
    ("_embedding_bag/*/bad-4-int: error", "`mode` must be", BAG_CHECKS),
    # ---- convolution
    ("conv?d_*/*-complex*: result", "AddBackward0", COMPLEX),
    ("conv_transpose?d/*-complex*: result", "AddBackward0", COMPLEX),
    ("convolution/*-complex*: error", "slow_conv", COMPLEX),
    ("convolution_backward/*-complex*: error", "slow_conv", COMPLEX),
    ("conv?d_padding/function/0-complex*: warnings", "padding='same'", THREE),
    ("convolution/function/1-argument-2-complex128: warnings", "discards", CASTS),
    ("conv?d_padding/*-float32: error", "MKLDNN", MKLDNN),
    ("conv_transpose?d/*-float32: error", "MKLDNN", MKLDNN),
    ("convolution/*-float32: error", "MKLDNN", MKLDNN),
    ("convolution_backward/*-float32: error", "MKLDNN", MKLDNN),
    ("convolution_backward/*-longer: error", "expected grad_output of size", OUTSIDE),
    # ---- pooling
    ("adaptive_max_pool3d_backward/*-sliced: result", "value", "PyTorch reads strided indices as if they were not"),
    # ---- normalization
    ("native_batch_norm/*: error", "should contain", OUTSIDE),
    ("native_batch_norm/*-argument-0-0-dim: error", "SmallVector", OUTSIDE),
    ("native_batch_norm/*-argument-0-empty: error", "out of range", OUTSIDE),
    ("native_batch_norm/*-argument-1-deeper: first gradient", "TensorAccessor", "a text of an inner check"),
    ("batch_norm/*-argument-1-deeper: first gradient", "TensorAccessor", "a text of an inner check"),
    ("batch_norm/*-argument-0-0-dim: error", "has no dimensions", OUTSIDE),
    ("instance_norm/*/1-argument-4-*: error", "expected scalar type", "works here: a variance of another type"),
    ("native_group_norm/*: error", "X.is_contiguous", "works here"),
    ("native_group_norm/*float16: second gradient 0", "", "roundings of another order"),
    ("native_layer_norm_backward/*-sliced: result ?", "'value'", STRIDED),
    ("native_layer_norm_backward/*-expanded: result ?", "'value'", STRIDED),
    ("native_layer_norm_backward/*-deeper: first gradient", "mean' is not implemented", OUTSIDE),
    ("native_layer_norm_backward/*: error", "should contain", OUTSIDE),
    ("native_layer_norm_backward/*-argument-?-*: error", "scalar type", MIXED),
    ("native_batch_norm_backward/*: error", "should contain", OUTSIDE),
    ("native_batch_norm_backward/*-argument-1-*: error", "batch_norm_backward_cpu", MIXED),
    ("native_batch_norm_backward/*-argument-2-float32: error", "mixed dtype", MIXED),
    ("native_group_norm_backward/*: result ?", NOT_RECORDED, INTERNAL),
    ("native_group_norm_backward/*: first gradient", "native_group_norm_backward is not", INTERNAL),
    ("native_group_norm_backward/*-transposed: result ?", "'value'", STRIDED),
    ("native_group_norm_backward/*-sliced: result ?", "'value'", STRIDED),
    ("native_group_norm_backward/*-expanded: result ?", "'value'", STRIDED),
    ("native_group_norm_backward/*: error", "should contain", "another text of the same check"),
    ("native_group_norm_backward/*-argument-2-*: error", "mixed dtype", MIXED),
    # ---- dropout
    ("native_dropout/*-empty*", "gradient", "PyTorch makes the input its own result's node"),
    ("native_dropout_backward/*: first gradient", "mask' is not implemented", "a mask with a gradient"),
    ("native_dropout/*/bad-2-none: *", "gradient", "PyTorch forgets the scale where `train` is None"),
    # ---- layers without a weight
    ("layer_norm/*/bad-2-none: second gradient", "undefined Tensor", WEIGHTLESS),
    ("batch_norm/*/bad-1-none: second gradient", "undefined Tensor", WEIGHTLESS),
    ("instance_norm/*/bad-1-none: second gradient", "undefined Tensor", WEIGHTLESS),
    ("native_group_norm/*/bad-1-none: first gradient", "is invalid", WEIGHTLESS),
    ("group_norm/*/bad-2-none: first gradient", "is invalid", WEIGHTLESS),
]  # fmt: skip
_GAMMA = "PyTorch approximates this derivative to about a thousandth; ours is exact"
_EQUAL = "which of equal elements is found is left open; ours is the first"
_UNSORTED = "the boundaries are not sorted"
_READS_BEYOND = "PyTorch reads memory beyond the gradient; ours is checked"
_MIXED = "a complex gradient for a real argument: its real part"
_NUMBER_FIRST = "the remainder of a number by a tensor has a derivative here"
_RESIZED = "the strides of an out= that had to be resized"

# ---- operators that are not layers or losses
OPERATORS = [
    ("_standard_gamma/*: first gradient 0", "", _GAMMA),
    ("_standard_gamma_grad/*: result", "value", _GAMMA),
    ("unfold_backward/*", "", _READS_BEYOND),
    ("masked_scatter_backward/*-argument-1-0-dim: error", "", "a mask of one element is broadcast"),
    ("abs/out/2-transposed: empty", "strides", _RESIZED),
    ("angle/out/2-transposed: empty", "strides", _RESIZED),
    ("take/out/0-transposed: empty", "strides", _RESIZED),
    ("renorm/out/*-transposed: empty", "strides", _RESIZED),
    ("pow_number/out/1-transposed: empty", "strides", _RESIZED),
    (
        "*median_dim/*/1-expanded*",
        "",
        "PyTorch sorts in place in memory that the elements of an expanded tensor share",
    ),
    ("index_put*", "got NoneType", "None stands for a whole dimension, as it does in x[None]"),
    (
        "index_fill*/*-argument-0-empty*",
        "setStorage",
        "an index out of range of an empty dimension is called that",
    ),
    (
        "addcdiv/*-argument-2-*: first gradient",
        "",
        "PyTorch divides the number by the tensor in the tensor's own type, and stumbles",
    ),
    (
        "addmv/*/1-argument-1-empty-2d*",
        "",
        "a matrix without rows: PyTorch gives a number instead of an empty vector",
    ),
    ("remainder/function/bad-0-*", "NotImplemented", _NUMBER_FIRST),
    ("remainder/function/bad-0-*: first gradient", "is not implemented", _NUMBER_FIRST),
    ("pow*/function/bad-0-bool: first gradient", "ivalue tag", "PyTorch fails in an inner check"),
    (
        "mean_dim/out/*: int64",
        "can't be cast",
        "which of two texts; the type and the reason are the same",
    ),
    (
        "view_dtype/function/1-argument-0-complex128: *",
        "",
        "parts of complex numbers by their bits: PyTorch says that they require no grad",
    ),
    (
        "as_strided_scatter/*: *",
        "",
        "PyTorch gives self the gradient of what was overwritten, and wants it contiguous",
    ),
    ("diagonal_scatter/*-complex128: first gradient", "isFloatingType", _MIXED),
    ("fill_copy_tensor/*-complex128: first gradient", "isFloatingType", _MIXED),
    ("grid_sampler*/function/bad-?-int: error", "unknown", "PyTorch returns memory as it was"),
    ("affine_grid_generator/*-float16: error", "tensor_cpu", "computed here"),
    ("t/inplace/0-argument-0-deeper: error", "t_() expects", "the message names the other form"),
]

_EXACT = "PyTorch writes to a tensor of another type, or resizes its own result"
_NUMBER_TIMES_NOTHING = (
    "an empty tensor times a number has strides of no meaning, which PyTorch keeps"
)
_MKL = "which text PyTorch has depends on where the empty tensor is found out"

SPECIAL = [
    ("special_ndtr/*: result", "MulBackward1", "a product with a number has one node here"),
    ("special_ndtr/out/*: recorded", "mul()", "out= of what is composed is refused here"),
    ("special_ndtr/out/*: empty", "strides", "PyTorch resizes out to row-major first"),
    ("special_zeta/*bad-0-bool: first gradient", "boolean negative", "which of two texts"),
    ("ldexp/*: warnings", "was resized", _EXACT),
    ("ldexp/*-empty-2d: *", "strides", _EXACT),
    ("deg2rad/*-empty*", "strides", _NUMBER_TIMES_NOTHING),
    ("rad2deg/*-empty*", "strides", _NUMBER_TIMES_NOTHING),
    ("ldexp/out/*: *", "needs_dynamic_casting", _EXACT),
    ("_fft_*/*-0-dim: error", "", _MKL),
    ("_fft_*/*-empty*: error", "", _MKL),
    ("_fft_c2r/*: error", "signal_size", "an assertion about the number of points"),
]

_SINGULAR = "a singular matrix: what is divided by zero, and in which order, is LAPACK's"
_CONVERTS = "PyTorch writes to a tensor of another type here"
_PIVOTS = "pivots of another shape than the matrix's"

LINALG = [
    ("cholesky/*-empty*: first gradient", "", "what is empty has no gradient in PyTorch"),
    ("linalg_solve_triangular/*-argument-0-complex128: first gradient", "", _CONVERTS),
    ("linalg_solve_triangular/out/*: complex64", "", _CONVERTS),
    ("linalg_solve_triangular/out/*: float32", "", _CONVERTS),
    ("linalg_solve_triangular/out/*: int64", "", _CONVERTS),
    ("_linalg_solve_ex/*-expanded: *", "", _SINGULAR),
    ("_linalg_det/*-expanded: second gradient*", "", _SINGULAR),
    ("_linalg_slogdet/*-expanded: *", "", _SINGULAR),
    ("linalg_qr/*: *", "", _SINGULAR),
    ("lu_unpack/*: error", "", _PIVOTS),
    ("linalg_lstsq/*-argument-0-deeper: *", "", "a matrix on the right that has fewer dimensions"),
    ("linalg_lstsq/*-argument-1-empty*: error", "", "which of two sizes is named"),
    ("linalg_pinv/*: error", "", "the text is that of linalg.pinv, which has another overload"),
    ("linalg_matrix_exp/*float16: *", "", "PyTorch overflows in 16 bits"),
    ("addbmm/inplace/*: error", "", "PyTorch resizes the tensor that it writes to"),
    ("addbmm/out/*: error", "Dimension specified", "which of two dimensions is named"),
]

KNOWN = [*NETWORKS, *OPERATORS, *SPECIAL, *LINALG]

# these depend on the numbers of a sample, and may be missing
SOMETIMES = [
    ("linalg_solve_triangular/*-expanded: *", "", _SINGULAR),
    ("geqrf/*-expanded: *", "", _SINGULAR),
    ("special_bessel_y0/*", "value", "PyTorch's polynomials are right to nine digits"),
    ("special_bessel_y0/out/*", "", "PyTorch's polynomials are right to nine digits"),
    ("special_bessel_y1/*", "value", "PyTorch's polynomials are right to nine digits"),
    ("special_bessel_y1/out/*", "", "PyTorch's polynomials are right to nine digits"),
    ("_embedding_bag/*-expanded: error", "found idx to be", BAG_STRIDED),
    ("_embedding_bag/*-expanded: error", "offsets[-1]", BAG_STRIDED),
    ("native_*_norm/*none: second gradient*", "Expected a proper Tensor", WEIGHTLESS),
    ("grid_sampler*/*float16: *", "", "computed in float32 here, and rounded once"),
    ("group_norm/*float16: * gradient*", "", "a difference of nearly equal numbers"),
    ("affine_grid_generator/*-bfloat16: error", "", "which of two errors comes first"),
    ("index_reduce/*-float16: second gradient*", "", "a quotient of large numbers"),
    ("eq/inplace/*-complex128: warnings", "imaginary", "the complex operand is compared as it is"),
    (
        "instance_norm/*/1-argument-3-complex128: warnings",
        "discards",
        CASTS,
    ),
    ("topk/*int*: result 1", "value", _EQUAL),
    ("topk/*bool*: result 1", "value", _EQUAL),
    ("*median_dim/*int*: result 1", "value", _EQUAL),
    ("*median_dim/*longer: *", "", _EQUAL),
    ("searchsorted/*-argument-0-longer*", "", _UNSORTED),
    ("bucketize/*-argument-1-longer*", "", _UNSORTED),
]
