"""PyTorch's signatures of functions that are written in Python here.

What stands in no row of derivatives.toml has no argument parser of its own; :func:`parsed_as` puts one in
front of it, so that a wrong call is refused before anything is computed or written. Signatures are in PyTorch's
notation, in the order in which its errors list them. Where PyTorch has a function in Python in front of one in
C, as for `meshgrid`, it is the latter's.
"""

from functools import partial

from minitorch.autograd.functions.composed import parsed

_TEXTS = """
_add_relu(Tensor input, Tensor other, *, Scalar alpha=1, Tensor out=None)
_add_relu(Tensor input, Scalar other, Scalar alpha=1)
_add_relu_(Tensor input, Tensor other, *, Scalar alpha=1)
_add_relu_(Tensor input, Scalar other, Scalar alpha=1)
_assert_async(Tensor input)
_assert_async(Tensor input, c10::string_view assert_msg)
_assert_tensor_metadata(Tensor a, IntArrayRef? size=None, IntArrayRef? stride=None, ScalarType? dtype=None, *, Device? device=None, Layout? layout=None)
_chunk_cat(TensorList tensors, int64_t dim, int64_t num_chunks, *, Tensor out=None)
_is_all_true(Tensor input)
_is_any_true(Tensor input)
_lu_with_info(Tensor input, bool pivot=True, bool check_errors=True)
_safe_softmax(Tensor input, int64_t dim, ScalarType? dtype=None)
_shape_as_tensor(Tensor input)
_unique(Tensor input, bool sorted=True, bool return_inverse=False)
_unique2(Tensor input, bool sorted=True, bool return_inverse=False, bool return_counts=False)
_native_batch_norm_legit(Tensor input, Tensor? weight, Tensor? bias, Tensor running_mean, Tensor running_var, bool training, double momentum, double eps, *, TensorList[3] out=None)
_native_batch_norm_legit(Tensor input, Tensor? weight, Tensor? bias, bool training, double momentum, double eps, *, TensorList[3] out=None)
_unsafe_masked_index(Tensor input, Tensor mask, TensorList indices, Scalar fill)
_index_put_impl_(Tensor input, c10::List<::std::optional<Tensor>> indices, Tensor values, bool accumulate=False, bool unsafe=False)
_unsafe_masked_index_put_accumulate(Tensor input, Tensor mask, TensorList indices, Tensor values)
_weight_norm(Tensor v, Tensor g, int64_t dim=0)
alpha_dropout(Tensor input, double p, bool train)
alpha_dropout_(Tensor input, double p, bool train)
atleast_1d(Tensor input)
atleast_1d(TensorList tensors)
atleast_2d(Tensor input)
atleast_2d(TensorList tensors)
atleast_3d(Tensor input)
atleast_3d(TensorList tensors)
bilinear(Tensor input1, Tensor input2, Tensor weight, Tensor? bias=None)
block_diag(TensorList tensors)
broadcast_tensors(TensorList tensors)
cartesian_prod(TensorList tensors)
cdist(Tensor x1, Tensor x2, double p=2, int64_t? compute_mode=None)
celu_(Tensor input, Scalar alpha=1.0)
chain_matmul(TensorList matrices, *, Tensor out=None)
_convolution(Tensor input, Tensor weight, Tensor? bias, SymIntArrayRef stride, SymIntArrayRef padding, SymIntArrayRef dilation, bool transposed, SymIntArrayRef output_padding, SymInt groups, bool benchmark, bool deterministic, bool cudnn_enabled)
_convolution(Tensor input, Tensor weight, Tensor? bias, SymIntArrayRef stride, SymIntArrayRef padding, SymIntArrayRef dilation, bool transposed, SymIntArrayRef output_padding, SymInt groups, bool benchmark, bool deterministic, bool cudnn_enabled, bool allow_tf32)
_convolution_mode(Tensor input, Tensor weight, Tensor? bias, SymIntArrayRef stride, c10::string_view padding, SymIntArrayRef dilation, SymInt groups)
_fused_sdp_choice(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, double dropout_p=0.0, bool is_causal=False, *, double? scale=None, bool enable_gqa=False)
_scaled_dot_product_attention_math(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, double dropout_p=0.0, bool is_causal=False, Tensor? dropout_mask=None, *, double? scale=None, bool enable_gqa=False)
channel_shuffle(Tensor input, SymInt groups)
conv_tbc(Tensor input, Tensor weight, Tensor bias, int64_t pad=0)
cosine_embedding_loss(Tensor input1, Tensor input2, Tensor target, double margin=0.0, int64_t reduction=at::Reduction::Mean)
ctc_loss(Tensor log_probs, Tensor targets, IntArrayRef input_lengths, IntArrayRef target_lengths, int64_t blank=0, int64_t reduction=at::Reduction::Mean, bool zero_infinity=False)
ctc_loss(Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor target_lengths, int64_t blank=0, int64_t reduction=at::Reduction::Mean, bool zero_infinity=False)
diag_embed(Tensor input, int64_t offset=0, int64_t dim1=-2, int64_t dim2=-1)
dropout_(Tensor input, double p, bool train)
einsum(c10::string_view equation, TensorList tensors, *, IntArrayRef? path=None)
elu_(Tensor input, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1)
embedding_bag(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq, int64_t mode, bool sparse, Tensor? per_sample_weights, bool include_last_offset, int64_t? padding_idx)
embedding_bag(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, int64_t mode=0, bool sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False)
embedding_renorm_(Tensor input, Tensor indices, double max_norm, double norm_type)
feature_alpha_dropout(Tensor input, double p, bool train)
feature_alpha_dropout_(Tensor input, double p, bool train)
feature_dropout_(Tensor input, double p, bool train)
frobenius_norm(Tensor input, IntArrayRef[1] dim, bool keepdim=False, *, Tensor out=None)
hardtanh_(Tensor input, Scalar min_val=-1, Scalar max_val=1)
hinge_embedding_loss(Tensor input, Tensor target, double margin=1.0, int64_t reduction=at::Reduction::Mean)
histogramdd(Tensor input, int64_t bins, ArrayRef<double>? range=None, Tensor? weight=None, bool density=False)
histogramdd(Tensor input, IntArrayRef bins, ArrayRef<double>? range=None, Tensor? weight=None, bool density=False)
histogramdd(Tensor input, TensorList bins, ArrayRef<double>? range=None, Tensor? weight=None, bool density=False)
hspmm(Tensor mat1, Tensor mat2, *, Tensor out=None)
is_conj(Tensor input)
is_distributed(Tensor input)
is_neg(Tensor input)
is_signed(Tensor input)
leaky_relu_(Tensor input, Scalar negative_slope=0.01)
linalg_cholesky_ex(Tensor input, *, bool upper=False, bool check_errors=False, TensorList[2] out=None)
linalg_eig(Tensor input, *, TensorList[2] out=None)
linalg_eigh(Tensor input, c10::string_view UPLO="L", *, TensorList[2] out=None)
linalg_householder_product(Tensor input, Tensor tau, *, Tensor out=None)
linalg_inv_ex(Tensor A, *, bool check_errors=False, TensorList[2] out=None)
linalg_ldl_factor_ex(Tensor input, *, bool hermitian=False, bool check_errors=False, TensorList[3] out=None)
linalg_ldl_solve(Tensor LD, Tensor pivots, Tensor B, *, bool hermitian=False, Tensor out=None)
linalg_lstsq(Tensor input, Tensor b, double? rcond=None, *, c10::string_view? driver=None, TensorList[4] out=None)
linalg_lu(Tensor A, *, bool pivot=True, TensorList[3] out=None)
linalg_lu_factor_ex(Tensor A, *, bool pivot=True, bool check_errors=False, TensorList[3] out=None)
linalg_lu_solve(Tensor LU, Tensor pivots, Tensor B, *, bool left=True, bool adjoint=False, Tensor out=None)
linalg_matrix_exp(Tensor input)
linalg_pinv(Tensor input, *, Tensor? atol=None, Tensor? rtol=None, bool hermitian=False, Tensor out=None)
linalg_pinv(Tensor input, *, double? atol=None, double? rtol=None, bool hermitian=False, Tensor out=None)
linalg_pinv(Tensor input, Tensor rcond, bool hermitian=False, *, Tensor out=None)
linalg_pinv(Tensor input, double rcond, bool hermitian=False, *, Tensor out=None)
linalg_qr(Tensor A, c10::string_view mode="reduced", *, TensorList[2] out=None)
linalg_vector_norm(Tensor input, Scalar ord=2, IntArrayRef[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None, Tensor out=None)
margin_ranking_loss(Tensor input1, Tensor input2, Tensor target, double margin=0.0, int64_t reduction=at::Reduction::Mean)
meshgrid(TensorList tensors)
meshgrid(TensorList tensors, *, c10::string_view indexing)
native_channel_shuffle(Tensor input, SymInt groups)
native_norm(Tensor input, Scalar p=2)
native_norm(Tensor input, Scalar? p, IntArrayRef[1] dim, bool keepdim, ScalarType? dtype)
norm(Tensor input, Scalar p=2)
norm(Tensor input, Scalar? p, *, ScalarType dtype)
norm(Tensor input, Scalar? p, IntArrayRef[1] dim, bool keepdim, *, ScalarType dtype, Tensor out=None)
norm(Tensor input, Scalar? p, IntArrayRef[1] dim, bool keepdim=False, *, Tensor out=None)
nonzero(Tensor input, *, bool as_tuple=False, Tensor out=None)
norm_except_dim(Tensor v, int64_t pow=2, int64_t dim=0)
nuclear_norm(Tensor input, IntArrayRef[2] dim, bool keepdim=False, *, Tensor out=None)
nuclear_norm(Tensor input, bool keepdim=False, *, Tensor out=None)
pad(Tensor input, SymIntArrayRef pad, c10::string_view mode="constant", double? value=None)
pdist(Tensor input, double p=2)
pixel_shuffle(Tensor input, int64_t upscale_factor)
pixel_unshuffle(Tensor input, int64_t downscale_factor)
poisson_nll_loss(Tensor input, Tensor target, bool log_input, bool full, double eps, int64_t reduction)
rms_norm(Tensor input, SymIntArrayRef normalized_shape, Tensor? weight=None, double? eps=None)
rrelu(Tensor input, Scalar lower=0.125, Scalar upper=0.3333333333333333, bool training=False, Generator? generator=None)
rrelu_(Tensor input, Scalar lower=0.125, Scalar upper=0.3333333333333333, bool training=False, Generator? generator=None)
scaled_dot_product_attention(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, double dropout_p=0.0, bool is_causal=False, *, double? scale=None, bool enable_gqa=False)
_convert_indices_from_coo_to_csr(Tensor input, int64_t size, *, bool out_int32=False, Tensor out=None)
_convert_indices_from_csr_to_coo(Tensor crow_indices, Tensor col_indices, *, bool out_int32=False, bool transpose=False, Tensor out=None)
segment_reduce(Tensor data, c10::string_view reduce, *, Tensor? lengths=None, Tensor? indices=None, Tensor? offsets=None, int64_t axis=0, bool unsafe=False, Scalar? initial=None)
selu_(Tensor input)
smm(Tensor input, Tensor mat2)
split(Tensor input, SymInt split_size, int64_t dim=0)
split(Tensor input, SymIntArrayRef split_size, int64_t dim=0)
sspaddmm(Tensor input, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1, Tensor out=None)
sspaddmm(Scalar beta, Tensor input, Tensor mat1, Tensor mat2)|deprecated
sspaddmm(Scalar beta, Tensor input, Scalar alpha, Tensor mat1, Tensor mat2)|deprecated
std_mean(Tensor input, IntArrayRef[1]? dim, bool unbiased=True, bool keepdim=False)
std_mean(Tensor input, IntArrayRef[1]? dim=None, *, Scalar? correction=None, bool keepdim=False)
std_mean(Tensor input, bool unbiased=True)
stft(Tensor input, int64_t n_fft, int64_t? hop_length=None, int64_t? win_length=None, Tensor? window=None, bool center=True, c10::string_view pad_mode="reflect", bool normalized=False, bool? onesided=None, bool? return_complex=None, bool? align_to_window=None)
stft(Tensor input, int64_t n_fft, int64_t? hop_length=None, int64_t? win_length=None, Tensor? window=None, bool normalized=False, bool? onesided=None, bool? return_complex=None, bool? align_to_window=None)
tensordot(Tensor input, Tensor other, IntArrayRef dims_self, IntArrayRef dims_other, *, Tensor out=None)
triplet_margin_loss(Tensor anchor, Tensor positive, Tensor negative, double margin=1.0, double p=2, double eps=1e-06, bool swap=False, int64_t reduction=at::Reduction::Mean)
unique_dim(Tensor input, int64_t dim, bool sorted=True, bool return_inverse=False, bool return_counts=False)
unique_consecutive(Tensor input, bool return_inverse=False, bool return_counts=False, int64_t? dim=None)
var_mean(Tensor input, IntArrayRef[1]? dim, bool unbiased=True, bool keepdim=False)
var_mean(Tensor input, IntArrayRef[1]? dim=None, *, Scalar? correction=None, bool keepdim=False)
var_mean(Tensor input, bool unbiased=True)
"""

_STEPS = {"gru": "Tensor", "lstm": "TensorList", "rnn_relu": "Tensor", "rnn_tanh": "Tensor"}


def _recurrent():
    for name, state in _STEPS.items():
        rest = (
            f"{state} hx, TensorList params, bool has_biases, int64_t num_layers, double dropout, "
            "bool train, bool bidirectional"
        )
        yield f"{name}(Tensor data, Tensor batch_sizes, {rest})"
        yield f"{name}(Tensor input, {rest}, bool batch_first)"
        yield (
            f"{name}_cell(Tensor input, {state} hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, "
            "Tensor? b_hh=None)"
        )


_NUMBER, _NUMBERS = "Scalar scalar", "ScalarList scalars"
_OTHER, _OTHERS = "Tensor other", "TensorList other"
_SCALED = ", *, Scalar alpha=1"
_POWERS = ("Scalar exponent", "ScalarList exponent", "TensorList exponent")
# what comes after the list of tensors
_FOREACH = {
    "add": (_NUMBER, _NUMBERS, _OTHER + _SCALED, _OTHERS + _SCALED),
    "sub": (_NUMBER, _NUMBERS, _OTHERS + _SCALED),
    **dict.fromkeys(("mul", "div"), (_NUMBERS, _OTHER, _OTHERS, _NUMBER)),
    **dict.fromkeys(("clamp_max", "clamp_min", "maximum", "minimum"), (_NUMBER, _NUMBERS, _OTHERS)),
    **dict.fromkeys(
        ("addcdiv", "addcmul"),
        tuple(
            f"TensorList tensor1, TensorList tensor2, {factor}"
            for factor in ("ScalarList scalars", "Tensor scalars", "Scalar value=1")
        ),
    ),
    "lerp": tuple(
        f"TensorList tensors1, {weight}"
        for weight in ("Scalar weight", "ScalarList weight", "TensorList weights")
    ),
    "pow": _POWERS,
}


def _foreach():
    yield "_foreach_pow(Scalar self, TensorList exponent)"
    for name, forms in _FOREACH.items():
        for suffix in ("", "_"):
            for form in forms:
                yield f"_foreach_{name}{suffix}(TensorList self, {form})"


def _by_name(texts):
    found = {}
    for text in texts:
        found.setdefault(text.partition("(")[0], []).append(text)
    return {name: tuple(texts) for name, texts in found.items()}


signatures = _by_name([*_TEXTS.split("\n")[1:-1], *_recurrent(), *_foreach()])


def parsed_as(name):
    """Decorate a function so that PyTorch's parser for this name checks its arguments.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.channel_shuffle(torch.zeros(1, 4, 1, 1), 2.0)
    Traceback (most recent call last):
    TypeError: channel_shuffle(): argument 'groups' (position 2) must be int, not float
    """
    return partial(_parsed_as, name)


def _parsed_as(name, function):
    function.__name__ = name
    return parsed(function, signatures[name], takes_integer=True)


def parsed_method(*texts):
    """Decorate a method so that PyTorch's parser checks its arguments against these signatures."""
    return partial(_parsed_method, texts)


def _parsed_method(texts, function):
    return parsed(function, texts, method=True)
