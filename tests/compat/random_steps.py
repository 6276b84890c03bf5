"""The vocabulary of random programs: a statement of Python out of a few whole numbers.

`Choices` turns numbers into choices; `statement` looks at the variables as PyTorch has them by now,
so that most statements fit their operands, and some do not. A variable is a tensor and its name
begins with x. The same numbers give the same statement for the same variables, and smaller numbers give
simpler ones, which is what makes a failing program shrink.

What is left out on purpose: ``backward(inputs=...)`` with a tensor that is no leaf, of which minitorch
runs only what is needed and PyTorch more; values of memory that nobody has written; `logical_not_`,
which PyTorch lets write to a leaf that requires grad; ``x.data = y``, after which PyTorch's x goes on to
count the writes to its former memory; operators that are composed of others here and
have a node of their own there; lazy conjugates; numbers drawn at random, whose generators are compared
elsewhere.
"""

import torch

SHAPES = [(3,), (), (2, 3), (1,), (3, 3), (2, 1), (1, 3), (2, 3, 2), (0,), (3, 2, 1)]
DTYPES = ["float64"] * 6 + ["float32", "int64", "complex128", "bool", "float16"]

UNARY = """neg sin exp tanh sigmoid relu abs square sqrt log reciprocal cos floor sign clone detach
    positive rsqrt erf log1p expm1 atan isnan logical_not round frac sgn angle trunc softplus
    silu asin acos atanh sinh cosh tan asinh exp2 log2 log10 erfc lgamma digamma ceil sinc logit
    nan_to_num isfinite isinf erfinv trace triu gelu elu leaky_relu hardtanh mish hardswish
    softsign logsigmoid selu celu relu6 hardsigmoid tanhshrink softshrink acosh deg2rad rad2deg signbit isreal isposinf isneginf
    fliplr flipud""".split()
FUNCTIONAL = set(
    """softplus silu gelu elu leaky_relu hardtanh mish hardswish softsign logsigmoid selu celu
    relu6 hardsigmoid tanhshrink softshrink""".split()
)
BINARY = """mul add sub div pow maximum minimum atan2 eq lt where remainder hypot fmod logaddexp
    floor_divide ge matmul mm dot mv outer xlogy true_divide logical_and bitwise_or kron cdist inner vdot
    fmax fmin copysign heaviside logaddexp2 ne gt le bitwise_and logical_xor float_power rsub ldexp
    isclose""".split()
REDUCTIONS = """sum mean logsumexp std var cumsum softmax log_softmax
    any all norm count_nonzero median cummax sort flip roll prod cumprod amin amax argmax argmin max min
    nansum nanmean logcumsumexp cummin nanmedian kthvalue mode""".split()
PAIRS = {"mode", "median", "cummax", "sort", "max", "min", "cummin", "nanmedian"}
ALONG = set(
    """logsumexp cumsum softmax log_softmax cumprod cummax flip roll logcumsumexp cummin""".split()
)
VIEWS = """.view(-1) .reshape(-1) .t() .unsqueeze(0) .squeeze() [0] [...,None] [1:] [::2] .T .diagonal()
    .unsqueeze(-1) .flatten() .transpose(0,1) .transpose(0,-1) .expand(2,*{x}.shape) .narrow(0,0,1)
    .select(-1,0) .chunk(2)[0] .unbind()[0] .split(2)[-1] .detach() .squeeze(0) [-1]
    [...,0] .view_as({x}) .view({x}.shape) .permute(*range({x}.dim())[::-1]) .unfold(0,2,1) .real
    .expand_as({y}) .contiguous() .swapaxes(0,-1) .data .mT .view(*{x}.shape[::-1])
    .to(torch.float64) .double() .as_strided((2,),(1,)) .unflatten(0,(1,-1)) .imag
    .tensor_split(2)[0] .narrow_copy(0,0,1) .swapdims(0,1) .split([1,1])[0]
    .broadcast_to(2,*{x}.shape) [None] [:,0] [None,...,:1] [[0,0]] [{x}>0] .atleast_2d() .ravel()
    """.split()
INPLACE = """mul_(2) add_(1) sub_({y}) mul_({y}) zero_() fill_(0.5) copy_({y}) neg_() sin_() exp_() relu_()
    clamp_(-1,1) div_({y}) add_({y},alpha=2) t_() unsqueeze_(0) squeeze_() detach_() requires_grad_()
    requires_grad_(False) addcmul_({y},{y}) lerp_({y},0.25) tanh_() pow_(2) abs_() sigmoid_() sqrt_()
    masked_fill_({x}>0,1) index_fill_(0,torch.tensor([0]),2) index_add_(0,torch.tensor([0]),{y})
    transpose_(0,1) clamp_min_(0) square_() floor_() fill_({y}) eq_(1) lt_({y})
    scatter_(0,torch.tensor([0]),1) index_copy_(0,torch.tensor([0]),{y}) fill_diagonal_(1) maximum({y})
    data.mul_(2) data.fill_(1) sgn_() atan2_({y}) xlogy_({y}) floor_divide_(2) remainder_(2)
    addcdiv_({y},{y}) log_() log1p_() rsqrt_() reciprocal_() trunc_() cos_() clamp_max_({y}) fmod_(2) hypot_({y})
    cumsum_(0) cumprod_(0) logit_() nan_to_num_() index_put_((torch.tensor([0]),),{y}) pow_({y}) copysign_({y})
    scatter_add_(0,torch.zeros_like({y},dtype=torch.int64),{y}) addmm_({y},{y}) triu_() swapaxes_(0,1) frac_()
    masked_scatter_({x}>0,{y}) tril_() squeeze_(0) as_strided_((1,),(1,)) erf_() round_()
    """.split()
ASSIGNMENTS = """{x}[0]={y} {x}[...]=1 {x}+={y} {x}*={y} {x}[1:]*=2 {x}[{x}>0]=0 {x}-=1 {x}[::2]={y} {x}/=2
    {x}[-1]+={y} {x}.grad=None {x}.grad={y} {x}.requires_grad=True
    {x}[[0,0]]={y} {x}**=2 {x}[...,0]={y} {x}.requires_grad=False del~{x}""".split()
GRAD_USES = """{n}={x}.grad {x}.grad.zero_() {x}.grad.mul_(2) {x}.grad=None {x}.grad.detach_()
    {n}={x}.grad.clone() {n}={x}.grad*{x} {x}.grad+={y}""".split()
MODES = ["", "", "", "", "torch.no_grad()", "torch.enable_grad()", "torch.inference_mode()"]
# what asks about gradients: PyTorch does not look in inference mode
NOT_IN_INFERENCE = ("detach_", "requires_grad", ".data")
# a leaf must not get another shape behind the back of its node
NOT_IN_MODES = ("t_(", "squeeze_", "transpose_", "swapaxes_", "as_strided_")
HOOKS = [
    "{x}.register_hook(note('{x}'))",
    "{x}.retain_grad()",
    "{x}.register_post_accumulate_grad_hook(note('after {x}'))",
    "{x}.register_hook(lambda g: g * 2)",
    "{x}.grad_fn.register_hook(note_node('{x}'))",
    "{x}.grad_fn.register_prehook(note_before('{x}'))",
    "{h} = {x}.register_hook(lambda g: g.neg())",
    "{h}.remove()",
    "{x}.grad_fn.register_hook(lambda gi, go: tuple(None if g is None else g * 3 for g in gi))",
    "{x}.register_hook(lambda g: log.append(({x}._version, {x}.grad is None)))",
    "{x}.register_post_accumulate_grad_hook(lambda t: setattr(t, 'grad', None))",
    "{x}.register_hook(lambda g: None if {y}.mul_(2) is None else None)",
]
FUNCTIONS = """Cube.apply({x}) Doubled.apply({x}) Both.apply({x},{y}) torch.cat([{x},{y}])
    torch.stack([{x},{x}]) torch.addmm({x},{y},{y}) torch.where({x}>0,{x},{y})
    {x}.gather(0,torch.zeros_like({x},dtype=torch.int64)) {x}.index_select(0,torch.tensor([0]))
    {x}.repeat(2) {x}.tril()
    torch.nn.functional.mse_loss({x},{y}) {x}.masked_select({x}>0)
    {x}.clamp(-0.5,0.5) {x}.clamp({y}) {x}.sum_to_size(1)
    {x}.take(torch.tensor([0])) torch.zeros_like({x}) {x}.new_ones(3) torch.bmm({x},{y}) {x}.diff() {x}.numel()
    {x}.max(0).values {x}.topk(1).values {x}.std() {x}.float() {x}.to({y}.dtype) {x}.long()
    {x}.index_put((torch.tensor([0]),),{y}) {x}.expand_as({y})*{y} {x}@{y}
    {x}.masked_fill({x}>0,2.) 1/{x} 2**{x} 2-{x} {x}.T@{y} {x}.diag() {x}.diag_embed() {x}.cov()
    F.layer_norm({x},{x}.shape[-1:]) F.layer_norm({x},{x}.shape[-1:],{y},{y}) F.normalize({x},dim=0)
    F.cosine_similarity({x},{y},dim=0) F.smooth_l1_loss({x},{y}) F.l1_loss({x},{y}) F.huber_loss({x},{y})
    F.kl_div({x},{y}) F.binary_cross_entropy_with_logits({x},{y}) F.pad({x},(1,1))
    F.linear({x},{y}) F.glu({x},0) F.softmin({x},0) F.threshold({x},0.5,2) F.gelu({x},approximate='tanh')
    torch.tensordot({x},{y},1) torch.baddbmm({x},{y},{y})
    torch.addmv({x},{y},{x}) torch.addr({x},{y},{y}) torch.lerp({x},{y},0.25) torch.lerp({x},{y},{x})
    torch.var_mean({x},0)[0] torch.std_mean({x})[1] torch.aminmax({x})[0]
    torch.hstack([{x},{y}]) torch.vstack([{x},{y}]) torch.tile({x},(2,1)) torch.rot90({x}) torch.addcmul({x},{y},{y})
    torch.addcdiv({x},{y},{y}) {x}.repeat_interleave(2) {x}.scatter_add(0,torch.zeros_like({x},dtype=torch.int64),{x})
    {x}.scatter_reduce(0,torch.zeros_like({x},dtype=torch.int64),{x},'amax') {x}.index_add(0,torch.tensor([0]),{y})
    {x}.index_copy(0,torch.tensor([0]),{y}) {x}.index_fill(0,torch.tensor([0]),2) {x}.masked_scatter({x}>0,{y})
    {x}.take_along_dim(torch.tensor([[0]]),0) {x}.nonzero() {x}.argsort(0,stable=True) {x}.unique()
    torch.linalg.norm({x}) torch.linalg.vector_norm({x},3) torch.dist({x},{y})
    {x}.put(torch.tensor([0]),{y}) {x}.select_scatter({y},0,0) {x}.slice_scatter({y},0,1)
    {x}.clamp_min({y}) {x}.index_reduce(0,torch.tensor([0]),{y},'mean') {x}.type_as({y}) {x}.new_full((2,),3)
    torch.full_like({x},2) torch.cartesian_prod({x},{y})
    torch.utils.checkpoint.checkpoint(Cube.apply,{x},use_reentrant=False)
    torch.renorm({x},2,0,1.) torch.renorm({x},1,-1,0.5) {x}.movedim(0,-1)
    torch.einsum("i...,i...->...",{x},{y}) torch.einsum("ij,jk->ik",{x},{y}) torch.einsum("...i->i...",{x})
    torch.einsum("ii->i",{x}) torch.einsum("ij->j",{x}) torch.einsum("i,j",{x},{y})
    F.cross_entropy({x},torch.tensor([0])) F.cross_entropy({x},{y}) F.cross_entropy({x},torch.tensor(0))
    F.cross_entropy({x},torch.tensor([0,1,0])) F.nll_loss({x},torch.tensor([0]))
    torch.trapezoid({x}) torch.trapezoid({x},{y}) torch.trapezoid({x},dim=0) torch.cumulative_trapezoid({x})
    torch.linalg.inv({x}+{x}.new_ones(3).diag()*4) torch.linalg.det({x}) torch.linalg.slogdet({x}+{x}.new_ones(3).diag()*4)[1]
    torch.linalg.multi_dot([{x},{y}]) torch.linalg.multi_dot([{x},{y},{x}]) torch.chain_matmul({x},{y})
    torch.combinations({x}) torch.combinations({x},with_replacement=True) torch.block_diag({x},{y})
    {x}.real.adjoint() {x}.real.mH {x}.real.H F.linear({x},{y},{x}) F.linear({x},{y},{y})
    """.split()

PRELUDE = """
F = torch.nn.functional
log = []


def keep(g):
    return g.detach().clone() if isinstance(g, torch.Tensor) else g


def note(name):
    return lambda g: log.append((name, [keep(x) for x in g] if isinstance(g, tuple | list) else keep(g)))


def note_node(name):
    return lambda gi, go: log.append((name, [keep(g) for g in gi], [keep(g) for g in go]))


def note_before(name):
    return lambda go: log.append((name, [keep(g) for g in go]))


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x * x

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * 3 * x * x


class Doubled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        x.mul_(2)
        ctx.mark_dirty(x)
        return x

    @staticmethod
    def backward(ctx, grad):
        return grad * 2


class Both(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return x * y

    @staticmethod
    def backward(ctx, grad):
        x, y = ctx.saved_tensors
        return (grad * y).sum_to_size(x.shape), (grad * x).sum_to_size(y.shape)
"""


class Choices:
    """Choices out of a sequence of numbers; the first possibility once they are used up."""

    def __init__(self, numbers):
        self.numbers = list(numbers)

    def below(self, n):
        return self.numbers.pop(0) % n if self.numbers and n else 0

    def of(self, items):
        return items[self.below(len(items))]


def statement(choices, variables, counter):
    """The next statement; `variables` are PyTorch's by name, `counter` numbers new ones."""
    tensors = [name for name in variables if name.startswith("x")]
    if not tensors or (len(tensors) < 10 and choices.below(8) == 7):
        return creation(choices, f"x{counter}")
    kind = choices.of(KINDS)
    x, y = _one(choices, tensors), _one(choices, tensors)
    names = {"x": x, "y": y, "n": f"x{counter}", "h": "h0"}
    text = kind(choices, names, variables)
    mode = choices.of(MODES)
    if mode == MODES[-1] and (kind is hook or any(word in text for word in NOT_IN_INFERENCE)):
        mode = ""
    if any(word in text for word in NOT_IN_MODES):
        mode = ""
    return f"with {mode}: {text}" if mode else text


def _one(choices, tensors):
    # mostly of the newest
    return tensors[-1 - min(choices.below(len(tensors)), choices.below(len(tensors)))]


def creation(choices, name):
    shape, dtype = choices.of(SHAPES), choices.of(DTYPES)
    size, start = torch.Size(shape).numel(), choices.below(7)
    values = f"torch.arange({size}, dtype=torch.float64).add({start}).sin().mul(2).reshape({tuple(shape)})"
    grad = dtype.startswith(("float", "complex")) and choices.below(4) != 3
    values += choices.of([".clone()", ".clone()", ".clone()", ""])  # else a view that is a leaf
    return f"{name} = {values}.to(torch.{dtype}){'.requires_grad_()' if grad else ''}"


def unary(choices, names, variables):
    op, form = choices.of(UNARY), choices.below(2)
    if op in FUNCTIONAL:
        return "{n} = torch.nn.functional.{op}({x})".format(op=op, **names)
    return ("{n} = {x}.{op}()" if form else "{n} = torch.{op}({x})").format(op=op, **names)


def binary(choices, names, variables):
    op, other = choices.of(BINARY), choices.of(["{y}", "{y}", "{x}", "2", "0.5", "True"])
    if op == "pow" and any(variables[names[k]].is_complex() for k in "xy"):
        op = "mul"  # 0 to the power of 0 depends on the processor there
    other = other.format(**names)
    if op == "where":
        return "{n} = torch.where({x} > 0, {x}, {other})".format(other=other, **names)
    return "{n} = torch.{op}({x}, {other})".format(op=op, other=other, **names)


def reduction(choices, names, variables):
    op = choices.of(REDUCTIONS)
    dim, keep = choices.of(["", "0", "-1", "1", "(0,1)"]), choices.below(3) == 2
    if op in ALONG:
        dim, keep = dim or "0", False
    if op in ("count_nonzero", "sort"):
        keep = False
    arguments = ("2, " if op in ("norm", "roll") and dim else "") + dim
    arguments += ", keepdim=True" if keep and dim else ""
    if op == "kthvalue":
        arguments = "1" + (", " + arguments if arguments else "")
    pair = "[0]" if op in PAIRS and (dim or op == "sort") or op == "kthvalue" else ""
    return "{n} = {x}.{op}({a}){pair}".format(op=op, a=arguments, pair=pair, **names)


def view(choices, names, variables):
    return ("{n} = {x}" + choices.of(VIEWS)).format(**names)


def inplace(choices, names, variables):
    return ("{x}." + choices.of(INPLACE)).format(**names)


def assignment(choices, names, variables):
    return choices.of(ASSIGNMENTS).format(**names).replace("~", " ")


def hook(choices, names, variables):
    return choices.of(HOOKS).format(**names)


def function(choices, names, variables):
    return "{n} = {text}".format(text=choices.of(FUNCTIONS).format(**names), **names)


def use_grad(choices, names, variables):
    return choices.of(GRAD_USES).format(**names)


def backward(choices, names, variables):
    flags = choices.of(
        ["", "retain_graph=True", "create_graph=True", "retain_graph=False, create_graph=True"]
    )
    leaves = [k for k, v in variables.items() if is_leaf(v)]
    root = choices.of(["{x}.sum()", "{x}", "({x} * {x}).sum()", "{x}.real.mean()"]).format(**names)
    if leaves and choices.below(4) == 3:
        flags += (", " if flags else "") + f"inputs=[{choices.of(leaves)}]"
    if choices.below(4) == 3:
        gradient = choices.of(["torch.ones_like({x})", "{y}", "None"]).format(**names)
        return "{x}.backward({g}{rest})".format(g=gradient, rest=flags and f", {flags}", **names)
    return f"{root}.backward({flags})"


def is_leaf(tensor):
    try:
        return tensor.is_leaf
    except RuntimeError:
        return False  # a view whose history was lost


def grad(choices, names, variables):
    flags = choices.of(["", ", retain_graph=True", ", create_graph=True"])
    flags += choices.of(["", ", allow_unused=True", ", materialize_grads=True"])
    root = choices.of(["{x}.sum()", "({x} * {y}).sum()", "{x}"]).format(**names)
    tensors = [k for k in variables if k.startswith("x")]
    given = [names["y"], choices.of(tensors)][: 1 + choices.below(2)]
    return "{n} = torch.autograd.grad({r}, [{given}]{flags})[0]".format(
        r=root, given=", ".join(given), flags=flags, **names
    )


KINDS = [
    unary,
    binary,
    view,
    inplace,
    backward,
    view,
    inplace,
    assignment,
    hook,
    reduction,
    function,
]
KINDS += [binary, backward, view, grad, use_grad, inplace, unary, hook, function]
