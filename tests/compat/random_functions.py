"""The vocabulary of random transforms: bodies of functions, transforms around them, and wrong ones.

A `Program` is the text of a function, of transforms that it goes through, and of a call. Statements are
tried under PyTorch while a body is made, so that most fit their operands; a few do not, on purpose.
"""

import dataclasses
import random

import torch

from tests.compat.random_wrappers import PRELUDE

SHAPES = [(3,), (2, 3), (), (2, 2), (3, 1), (1, 3), (2, 3, 2)]
DTYPES = ["float64"] * 12 + ["float32", "int64", "complex128", "bool"]

UNARY = """neg sin exp tanh sigmoid relu abs square cos atan expm1 erf reciprocal clone detach positive sgn
    sign floor round frac isnan logical_not sinc asinh sinh cosh tan exp2 erfc angle trunc nan_to_num
    isfinite triu tril trace flatten t adjoint ravel numel_ fliplr contiguous conj resolve_conj
    argsort nonzero unique bool long float double i0 log1p sqrt log rsqrt logit lgamma digamma""".split()
FUNCTIONAL = """softplus silu gelu elu leaky_relu hardtanh mish hardswish softsign logsigmoid selu celu relu6
    hardsigmoid tanhshrink softshrink normalize""".split()
BINARY = """add mul sub div maximum minimum atan2 hypot logaddexp fmod remainder pow xlogy copysign eq lt ge ne
    true_divide floor_divide logical_and fmax fmin heaviside float_power ldexp rsub isclose""".split()
PRODUCTS = """{x}@{y} {x}.matmul({y}.mT) torch.outer({x},{y}) torch.kron({x},{y}) torch.dot({x},{y})
    torch.mv({x},{y}) torch.mm({x},{y}) torch.inner({x},{y}) torch.tensordot({x},{y},1) torch.vdot({x},{y})
    torch.einsum('i,i->i',{x},{y}) torch.einsum('ij,jk->ik',{x},{y}) torch.einsum('...i,...i->...',{x},{y})
    torch.einsum('ij,kj->ik',{x},{y}) torch.einsum('...i->i...',{x}) torch.einsum('ii->i',{x})
    torch.addmm({x},{y},{y}) torch.addmv({x},{y},{x}) torch.addr({x},{y},{y}) torch.baddbmm({x},{y},{y})
    torch.bmm({x},{y}.mT) F.linear({x},{y}) F.linear({x},{x}) F.bilinear({x},{y},c0.expand(2,3,3))
    torch.cdist({x},{y}) torch.linalg.vecdot({x},{y})
    torch.linalg.multi_dot([{x},{y},{x}])""".split()
REDUCTIONS = """sum mean prod amax amin logsumexp std var norm any all argmax argmin max min nansum median
    count_nonzero aminmax softmax log_softmax cumsum cumprod cummax logcumsumexp sort topk flip roll mode
    kthvalue nanmean diff renorm unbind cummin msort var_mean std_mean""".split()
PAIRS = """min max median aminmax cummax cummin sort topk mode kthvalue unbind var_mean
    std_mean""".split()
VIEWS = """.view(-1) .reshape(-1) .t() .unsqueeze(0) .squeeze() [0] [...,None] [1:] [::2] .T .diagonal()
    .unsqueeze(-1) .transpose(0,-1) .expand(2,*{x}.shape) .narrow(0,0,1) .select(-1,0) .chunk(2)[0]
    .unbind()[0] .split(2)[-1] .squeeze(0) [-1] [...,0] .view_as({x}) .permute(*range({x}.dim())[::-1])
    .unfold(0,2,1) .real .expand_as({y}) .swapaxes(0,-1) .mT .unflatten(0,(1,-1)) .tensor_split(2)[0]
    .broadcast_to(2,*{x}.shape) [None] [:,0] [[0,0]] .movedim(0,-1) .imag .as_strided((2,),(1,))
    [torch.tensor([0,1])] [...,i0] [i0] [:,i0] [{x}>0] [None,...,:1] .diag_embed() .diag() .T[0] .mT[...,:1]
    .atleast_2d() .view_as_real() .hsplit(1)[0] .swapdims(0,1) .flatten(0,1) .tile(2) .repeat(2,1)""".split()
FUNCTIONS = """torch.cat([{x},{y}]) torch.stack([{x},{x}]) torch.where({x}>0,{x},{y}) torch.where({y}>0,1.,{x})
    {x}.gather(0,torch.zeros_like({x},dtype=torch.int64)) {x}.index_select(0,i0) {x}.repeat(2) {x}.clamp(-0.5,0.5)
    {x}.clamp({y}) {x}.clamp(min={y},max={x}) {x}.masked_fill({x}>0,2.) {x}.masked_fill({y}>0,{y}.sum())
    {x}.scatter(0,i0.expand({x}.shape),1.) {x}.scatter_add(0,torch.zeros_like({x},dtype=torch.int64),{x})
    {x}.scatter_reduce(0,torch.zeros_like({x},dtype=torch.int64),{x},'amax') {x}.index_add(0,i0[:1],{x}[:1])
    {x}.index_copy(0,i0[:1],{y}[:1]) {x}.index_fill(0,i0,2.) {x}.index_put((i0,),{y}) {x}.take(i0)
    {x}.index_put((i0,),{y}[0],accumulate=True) {x}.take_along_dim({x}.argsort(0),0) {x}.select_scatter({y},0,0)
    {x}.slice_scatter({y},0,1) {x}.diagonal_scatter({y}) {x}.masked_select({x}>0) {x}.masked_scatter({x}>0,{y})
    torch.zeros_like({x}) torch.ones_like({x})*{y} {x}.new_ones(3) {x}.new_zeros(2)+{y} torch.full_like({x},2.)
    torch.lerp({x},{y},0.25) torch.lerp({x},{y},{x}) torch.addcmul({x},{y},{y}) torch.addcdiv({x},{y},{y})
    torch.tril({x}) torch.hstack([{x},{y}]) torch.vstack([{x},{y}]) torch.rot90({x}) torch.dist({x},{y})
    torch.block_diag({x},{y}) torch.cov({x}) torch.trapezoid({x}) torch.combinations({x}) torch.cartesian_prod({x},{y})
    {x}.to({y}.dtype) {x}.type_as({y}) {x}.to(torch.float32) {x}.expand_as({y})*{y} 1/{x} 2**{x} {x}**2 {x}**3 2-{x} -{x}
    {x}.repeat_interleave(2) {x}.repeat_interleave(i0+1) torch.searchsorted({x}.sort()[0],{y}) torch.bucketize({x},c0)
    torch.rand_like({x}) torch.randn(3) {x}+torch.randn({x}.shape) F.dropout({x},0.5) torch.bernoulli({x}.sigmoid())
    torch.randperm(3) {x}.new_empty(2).normal_() torch.randint(0,3,(2,)) torch.normal({x},1.) torch.rand(2)*{x}
    torch.utils.checkpoint.checkpoint(torch.sin,{x},use_reentrant=False)
    F.layer_norm({x},{x}.shape[-1:]) F.layer_norm({x},{x}.shape[-1:],{y},{y}) F.cosine_similarity({x},{y},dim=0)
    F.mse_loss({x},{x}*2) F.smooth_l1_loss({x},{x}*2) F.l1_loss({x},{y}) F.huber_loss({x},{x}*2) F.kl_div({x},{y})
    F.binary_cross_entropy_with_logits({x},{y}) F.pad({x},(1,1)) F.glu({x},-1) F.softmin({x},0) F.threshold({x},0.5,2)
    F.gelu({x},approximate='tanh') F.cross_entropy({x},i0[:{x}.shape[0]]) F.cross_entropy({x},{y}) F.nll_loss({x},i0)
    F.one_hot({x}.long().abs(),5) F.embedding(i0,{x}) F.conv1d({x}[None],{y}[None],padding=1) F.max_pool1d({x}[None],2)
    F.avg_pool1d({x}[None],2) F.conv2d({x}[None,None],{y}[None,None],padding=1) F.interpolate({x}[None],scale_factor=2)
    F.instance_norm({x}[None]) F.group_norm({x}[None],1) F.batch_norm({x},None,None,training=True) F.rms_norm({x},{x}.shape[-1:])
    F.scaled_dot_product_attention({x},{y},{x}) F.pairwise_distance({x},{y}) F.prelu({x},c0[:1]) F.unfold({x}[None,None],1)
    F.multi_margin_loss({x},i0) F.triplet_margin_loss({x},{y},{x}) F.adaptive_avg_pool1d({x}[None],1) F.pixel_shuffle({x},1)
    torch.linalg.inv({x}@{x}.mT+3*torch.eye(2,dtype={x}.dtype)) torch.linalg.det({x}) torch.linalg.slogdet({x}@{x}.mT)[1]
    torch.linalg.solve({x}@{x}.mT+3*torch.eye(2,dtype={x}.dtype),{y}) torch.linalg.cholesky({x}@{x}.mT+3*torch.eye(2,dtype={x}.dtype))
    torch.linalg.qr({x})[1] torch.linalg.svdvals({x}) torch.linalg.eigvalsh({x}@{x}.mT) torch.linalg.eigh({x}@{x}.mT)[0]
    torch.linalg.norm({x}) torch.linalg.vector_norm({x},3) torch.linalg.matrix_norm({x}) torch.linalg.pinv({x})
    torch.linalg.matrix_exp({x}) torch.linalg.matrix_power({x},2) torch.linalg.lu_factor({x})[0] torch.linalg.lu({x})[2]
    torch.linalg.solve_triangular({x}.triu()+3*torch.eye(2,dtype={x}.dtype),{y},upper=True) torch.linalg.lstsq({x},{y})[0]
    torch.linalg.svd({x},full_matrices=False)[1] torch.linalg.cond({x}@{x}.mT+3*torch.eye(2,dtype={x}.dtype)) torch.trace({x})
    torch.fft.fft({x}).abs() torch.fft.rfft({x}) torch.fft.irfft({x}) torch.view_as_complex({x}.expand(2,*{x}.shape).movedim(0,-1).contiguous())
    torch.complex({x},{y}) torch.polar({x}.abs(),{y}) {x}.abs().square().mean() torch.special.entr({x}.abs()) torch.special.xlog1py({x},{y}.abs())
    Cube.apply({x}) Staged.apply({x}) Batched.apply({x},{x}*2) Generated.apply({x},{y}) Doubled.apply({x}.clone())
    Pair.apply({x})[0] Old.apply({x}) NoVmap.apply({x}) cond({x}) list({x})[0] sum({x})""".split()
INPLACE = """mul_(2) add_(1) sub_({y}) mul_({y}) zero_() fill_(0.5) copy_({y}) neg_() sin_() exp_() relu_()
    clamp_(-1,1) add_({y},alpha=2) t_() unsqueeze_(0) detach_() addcmul_({y},{y}) lerp_({y},0.25)
    tanh_() pow_(2) abs_() sigmoid_() masked_fill_({x}>0,1) index_fill_(0,i0,2) index_add_(0,i0[:1],{y})
    transpose_(0,-1) clamp_min_(0) floor_() fill_({y}) eq_(1) scatter_(0,i0[:1],1) fill_diagonal_(1) sgn_() atan2_({y})
    cumsum_(0) index_put_((i0,),{y}) scatter_add_(0,torch.zeros_like({y},dtype=torch.int64),{y}) addmm_({y},{y})
    triu_() masked_scatter_({x}>0,{y}) index_copy_(0,i0[:1],{y}) requires_grad_() retain_grad()
    normal_() uniform_() random_(0,3) div_({y}) swapaxes_(0,-1)
    index_reduce_(0,i0[:1],{y},'mean') cumprod_(0) put_(i0,{y}) square_() floor_divide_(2)""".split()
ASSIGNMENTS = """{x}[0]={y} {x}[...]=1 {x}+={y} {x}*={y} {x}[1:]*=2 {x}[{x}>0]=0 {x}-=1 {x}[::2]={y} {x}/=2
    {x}[i0]={y} {x}[0]={y}.sum() {x}[...,0]+={y}[...,0] {x}[i0]+=1 {x}[0,0]={y}.sum()""".split()
# what cannot work inside of some transforms, or only looks
PEEKS = """if~{x}.sum()>0:~{n}={x} {n}={x}*{x}.sum().item() {n}={x}*float({x}.sum()) c0.add_({x}.sum())
    c0.copy_({x}) c0[0]={x}.sum() {n}=c0.mul_({x}) note({x}) note({x}) note({x}) note({x}*2) log.append(repr({x}))
    log.append({x}.tolist()) assert~{x}.shape {n}=torch.tensor([{x}.sum(),1.]) log.append({x}.stride())
    {x}.sum().backward() {n}=torch.autograd.grad({x}.sum(),{y})[0] {n}={x}.clone().requires_grad_()
    log.append(len({x})) log.append({x}.is_contiguous()) log.append(hash({x})!=0)
    {n}=torch.as_tensor({x}) {n}=torch.tensor({x}) {n}={x}.detach().clone()
    log.append(bool({x}.all())) log.append(int({x}.sum())) log.append({x}.sum().is_nonzero())
    log.append(torch.equal({x},{y})) log.append(torch.allclose({x},{x})) c0.add_({x}) c0+={x}
    {x}.register_hook(lambda~g:~g*2) log.append(torch.is_grad_enabled()) {n}={x}+1
    log.append(torch.func.debug_unwrap({x}).shape) log.append({x}.size()) log.append(torch.is_tensor({x})) {n}=torch.randn(())*{x}
    {n}=torch.func.vmap(torch.sin)({x}) {n}=torch.func.grad(lambda~t:~(t*{x}).sum())({y}) {n}=torch.func.jacrev(torch.sin)({x})
    {n}=torch.func.jvp(torch.sin,({x},),({x},))[1] {n}=torch.func.grad(lambda~t:~(t*t).sum())({x})
    log.append(torch.autograd.forward_ad.unpack_dual({x}).tangent~is~None)""".split()
MODES = [
    "torch.no_grad()",
    "torch.enable_grad()",
    "torch.autocast('cpu')",
    "torch.inference_mode()",
]

# (transform, weight); {d} argnums, {o} options of functional.*, which end in a comma
TRANSFORMS = {
    "torch.func.grad(total(f){d})": 6,
    "torch.func.grad_and_value(total(f){d})": 3,
    "torch.func.grad(total_and_out(f){d}, has_aux=True)": 2,
    "torch.func.grad_and_value(total_and_out(f){d}, has_aux=True)": 1,
    "torch.func.grad(f{d})": 1,
    "pulled(f)": 4,
    "pulled_aux(f)": 1,
    "pushed(f)": 4,
    "pushed_first(f)": 3,
    "pushed_aux(f)": 1,
    "linearized(f)": 2,
    "torch.func.jacrev(f{d}{c})": 4,
    "torch.func.jacfwd(f{d}{r})": 4,
    "torch.func.jacrev(with_aux(f){d}, has_aux=True)": 1,
    "torch.func.jacfwd(with_aux(f){d}, has_aux=True)": 1,
    "torch.func.hessian(total(f){d})": 3,
    "called(f)": 2,
    "called_strict(f)": 1,
    "dual(f)": 3,
    "dual_first(f)": 3,
    "taped(f{u})": 2,
    "graphed(f{u})": 2,
    "batched_grads(f{u})": 2,
    "ungraded(f)": 1,
    "lambda *xs, f=f: fa.jacobian(f, xs{j})": 3,
    "lambda *xs, f=f: fa.jacobian(lambda x: f(x, *xs[1:]), xs[0]{j})": 2,
    "lambda *xs, f=f: fa.hessian(total(f), xs{h})": 2,
    "lambda *xs, f=f: fa.vjp(f, xs, cotangents(f, xs){o})": 2,
    "lambda *xs, f=f: fa.jvp(f, xs, tuple(x.cos() for x in xs){o})": 2,
    "lambda *xs, f=f: fa.vhp(total(f), xs, tuple(x.cos() for x in xs){o})": 1,
    "lambda *xs, f=f: fa.hvp(total(f), xs, tuple(x.cos() for x in xs){o})": 1,
    "lambda *xs, f=f: fa.vjp(f, xs{o})": 1,
}
WRONG = """torch.func.vmap(f,in_dims=5) torch.func.vmap(f,in_dims=(0,0,0,0)) torch.func.vmap(f,in_dims=None)
    torch.func.vmap(f,in_dims=-9) torch.func.vmap(f,out_dims=4) torch.func.vmap(f,out_dims=(0,0)) torch.func.vmap(f,in_dims='0')
    torch.func.vmap(f,out_dims=None) torch.func.vmap(f,randomness='equal') torch.func.vmap(f,chunk_size=0) torch.func.vmap(f,out_dims=-5)
    torch.func.vmap(f,in_dims=[0]) torch.func.vmap(f,in_dims={{}}) torch.func.vmap(f,out_dims='a') torch.func.vmap(f,in_dims=0.5)
    torch.func.grad(f,argnums=4) torch.func.grad(f,argnums=-4) torch.func.grad(f,argnums=(0,0)) torch.func.grad(f,argnums='x')
    torch.func.grad(f,has_aux=True) torch.func.jacrev(f,argnums=7) torch.func.jacfwd(f,argnums=(0,7)) torch.func.jacrev(f,has_aux=True)
    torch.func.jacrev(f,chunk_size=0) torch.func.jacrev(f,argnums=0.5) torch.func.grad(f,argnums=()) torch.func.jacfwd(f,has_aux=True)
    torch.func.vmap(lambda*xs:(f(*xs),1)) torch.func.grad(lambda*xs:2.) torch.func.jacrev(lambda*xs:'a') torch.func.jacfwd(lambda*xs:None)
    lambda*xs,f=f:torch.func.vjp(f,*xs)[1](1.) lambda*xs,f=f:torch.func.vjp(f,*xs)[1]() lambda*xs,f=f:torch.func.jvp(f,xs,())
    lambda*xs,f=f:torch.func.jvp(f,xs[0],xs[0]) lambda*xs,f=f:torch.func.jvp(f,xs,[1.]) lambda*xs,f=f:torch.func.jvp(f,list(xs),list(xs))
    lambda*xs,f=f:torch.func.jvp(f,xs,tuple(x[0]for~x~in~xs)) lambda*xs,f=f:torch.func.vjp(f,*xs)[1](torch.ones(7,dtype=torch.float64))
    lambda*xs,f=f:torch.func.linearize(f,*xs)[1](xs[0][0]) lambda*xs,f=f:torch.func.linearize(f,*xs)[1]() lambda*xs:f(1.)
    lambda*xs,f=f:fa.jacobian(f,1.) lambda*xs,f=f:fa.jacobian(f,xs,strict=True,vectorize=True) lambda*xs,f=f:fa.jacobian(f,xs,strategy='forward')
    lambda*xs,f=f:fa.jacobian(f,xs,strategy='other') lambda*xs,f=f:fa.hessian(f,xs) lambda*xs,f=f:fa.vjp(f,xs,()) lambda*xs,f=f:fa.jvp(f,xs)
    lambda*xs,f=f:fa.jvp(f,xs,xs[0][0]) lambda*xs,f=f:fa.vhp(f,xs,xs) lambda*xs,f=f:fa.hvp(f,xs) lambda*xs,f=f:fa.jacobian(lambda*a:1,xs)
    lambda*xs,f=f:fa.hessian(total(f),xs,outer_jacobian_strategy='x') lambda*xs,f=f:fa.vjp(f,xs,strict=1) lambda*xs,f=f:forward_ad.make_dual(xs[0],xs[0])
    lambda*xs,f=f:torch.func.functional_call(Module(f),{{'weights':xs[0]}},xs[1:]) lambda*xs,f=f:torch.func.functional_call(Module(f),xs[0],xs[1:])
    lambda*xs,f=f:torch.func.functional_call(Module(f),{{'weight':xs[0]}},xs[1:],strict=True) lambda*xs,f=f:torch.func.functional_call(f,{{}},xs)
    lambda*xs,f=f:torch.func.functional_call(Module(f),({{'weight':xs[0]}},{{'weight':xs[0]}}),xs[1:]) torch.func.vmap(1) torch.func.grad(None)
    torch.func.vmap(f,in_dims=((0,),)) torch.func.hessian(f) lambda*xs,f=f:torch.func.vjp(f,*xs,has_aux=True) torch.func.vmap(f,chunk_size=-1)
    lambda*xs,f=f:torch.func.jvp(f,xs,xs,has_aux=True) lambda*xs,f=f:torch.func.vjp(f,1,2.) lambda*xs,f=f:torch.func.jvp(f,(1.,),(1.,))
    lambda*xs,f=f:torch.func.grad(total(f))(list(xs)) lambda*xs,f=f:torch.func.grad(lambda~d:total(f)(*d['a']))({{'a':xs}})
    lambda*xs,f=f:torch.func.vmap(f)(xs) lambda*xs,f=f:torch.func.vmap(f)() lambda*xs,f=f:torch.func.vmap(f)(1.) lambda*xs,f=f:torch.func.vmap(f)([])
    lambda*xs,f=f:torch.func.vmap(f,in_dims=0)(torch.tensor(1.),*xs[1:]) lambda*xs,f=f:torch.func.vmap(f)(*xs,torch.ones(9))""".split()


@dataclasses.dataclass
class Layer:
    """A transform: its text, and where it takes a dimension from each argument when it is a vmap."""

    text: str
    in_dims: list = None
    size: int = 2


@dataclasses.dataclass
class Program:
    shapes: list
    dtypes: list
    body: list
    result: str
    layers: list
    given: list = dataclasses.field(default_factory=list)  # whether an argument requires grad
    after: str = ""  # what is done with the result
    layouts: list = dataclasses.field(default_factory=list)  # of each argument, or None

    def text(self):
        shapes = [list(s) for s in self.shapes]
        for layer in self.layers:
            for shape, dim in zip(shapes, layer.in_dims or [], strict=False):
                if dim is not None:
                    shape.insert(dim if dim >= 0 else len(shape) + 1 + dim, layer.size)
        lines = ["c0 = sample((3,), 5)", "i0 = torch.tensor([0, 1])"]
        for k, (shape, dtype) in enumerate(zip(shapes, self.dtypes, strict=True)):
            grad = ".requires_grad_()" if self.given[k] else ""
            kind = "" if dtype == "float64" else f", {dtype!r}"
            made = f"sample({tuple(shape)}, {k + 1}{kind})"
            layout = self.layouts[k] if shape and self.layouts else None
            made = f"laid({made}, {layout!r})" if layout else made
            lines.append(f"x{k} = {made}{grad}")
        names = ", ".join("abc"[: len(shapes)])
        lines += ["", "", f"def f({names}):"]
        lines += [f"    {line}" for statement in self.body for line in statement.split("\n")]
        lines += [f"    return {self.result}", "", ""]
        lines += [f"f = {layer.text}" for layer in self.layers]
        lines.append(f"out = f({', '.join(f'x{k}' for k in range(len(shapes)))})")
        return "\n".join(lines + self.after.splitlines()) + "\n"


LAYOUTS = ["transposed", "strided", "rows", "columns"]
AFTER = """roots = [t for t in leaves(out) if torch.is_tensor(t) and t.requires_grad]
wanted = [x for x in [{names}] if x.requires_grad]
if roots and wanted:
    again = torch.autograd.grad(sum(weighed(t) for t in roots), wanted, allow_unused=True)"""

_compiled = compile(PRELUDE, "<prelude>", "exec")


def scope_of(library):
    scope = {"torch": library}
    exec(_compiled, scope)
    return scope


class Body:
    """Statements that are tried as they are made."""

    def __init__(self, rng, shapes, dtypes):
        self.rng, self.statements = rng, []
        self.scope = scope_of(torch)
        exec("c0 = sample((3,), 5); i0 = torch.tensor([0, 1])", self.scope)
        self.names = list("abc"[: len(shapes)])
        for k, name in enumerate(self.names):
            self.scope[name] = self.scope["sample"](shapes[k], k + 1, dtypes[k])
        self.counter = 0

    def one(self):
        names = self.names + (["c0"] if self.rng.random() < 0.1 else [])
        return names[-1 - min(self.rng.randrange(len(names)), self.rng.randrange(len(names)))]

    def statement(self):
        rng, of = self.rng, self.rng.choice
        x, y, n = self.one(), self.one(), f"t{self.counter}"
        names = {"x": x, "y": y, "n": n}
        kind = rng.randrange(20)
        if kind < 3:
            op = of(UNARY + FUNCTIONAL)
            where = "F" if op in FUNCTIONAL else "torch"
            text = f"{n} = {where}.{op}({x})"
            if where == "torch" and (not hasattr(torch, op) or op in ("long", "bool")):
                text = f"{n} = {x}.{op}()"
        elif kind < 6:
            text = f"{n} = torch.{of(BINARY)}({x}, {of([y, y, x, '2', '0.5'])})"
        elif kind < 8:
            text = f"{n} = " + of(PRODUCTS).format(**names)
        elif kind < 10:
            text = self.reduction(x, n)
        elif kind < 12:
            text = f"{n} = {x}" + of(VIEWS).format(**names)
        elif kind < 17:
            text = f"{n} = " + of(FUNCTIONS).format(**names)
        elif kind < 19:
            fresh = rng.random() < 0.8
            names["x"] = n if fresh else x
            change = of(INPLACE + ASSIGNMENTS)
            change = (change if change in ASSIGNMENTS else "{x}." + change).format(**names)
            text = f"{n} = {x}.clone()\n{change}" if fresh else change
        else:
            text = of(PEEKS).format(**names).replace("~", " ")
        if rng.random() < 0.03:
            text = f"with {of(MODES)}:\n" + "\n".join("    " + t for t in text.split("\n"))
        return text

    def reduction(self, x, n):
        op = self.rng.choice(REDUCTIONS)
        dim = self.rng.choice(["", "0", "-1", "1", "(0,1)"])
        if (
            op
            in (
                "logsumexp softmax log_softmax cumsum cumprod cummax cummin logcumsumexp flip"
            ).split()
        ):
            dim = dim or "0"
        first = {"topk": "1", "kthvalue": "1", "roll": "1", "norm": "2", "renorm": "2"}.get(op)
        last = {"renorm": "1.0"}.get(op)
        if op == "renorm":
            dim = "0"
        if op == "norm" and not dim:
            first = None
        keep = "keepdim=True" if dim and self.rng.random() < 0.15 else None
        arguments = ", ".join(part for part in (first, dim, last, keep) if part)
        text = f"{x}.{op}({arguments})"
        return f"{n} = first({text})" if op in PAIRS else f"{n} = {text}"

    def add(self):
        for _ in range(6):
            text = self.statement()
            if self.works(text) or self.rng.random() < 0.01:
                break
        else:
            return
        self.statements.append(text)
        name = f"t{self.counter}"
        if isinstance(self.scope.get(name), torch.Tensor) and name not in self.names:
            self.names.append(name)
        self.counter += 1

    def works(self, text):
        try:
            exec(text, self.scope)
        except Exception:
            return False
        name = f"t{self.counter}"
        made = self.scope.get(name)
        if isinstance(made, torch.Tensor) and made.numel() > 40:
            del self.scope[name]
            return False
        return True


def program(seed):
    rng = random.Random(seed)
    count = rng.choice([1, 1, 2, 2, 3])
    first = rng.choice(SHAPES)
    shapes = [first] + [rng.choice([first, first, rng.choice(SHAPES)]) for _ in range(count - 1)]
    dtypes = [rng.choice(DTYPES) for _ in range(count)]
    body = Body(rng, shapes, dtypes)
    for _ in range(rng.randint(1, 5)):
        body.add()
    names = body.names
    result = names[-1]
    if rng.random() < 0.15:
        result = rng.choice(["({x}, {y})", "[{x}, {y}]", "dict(p={x}, q={y})", "({x}, ({y},))"])
        result = result.format(x=names[-1], y=rng.choice(names))
    layers = [layer(rng, count, shapes) for _ in range(rng.choice([1, 1, 2, 2, 2, 3]))]
    given = [
        rng.random() < 0.3 and dtypes[k].startswith(("float", "complex")) for k in range(count)
    ]
    after = AFTER.format(names=", ".join(f"x{k}" for k in range(count))) if any(given) else ""
    layouts = [rng.choice(LAYOUTS) if rng.random() < 0.15 else None for _ in shapes]
    return Program(shapes, dtypes, body.statements, result, layers, given, after, layouts)


def layer(rng, count, shapes):
    kind = rng.random()
    if kind < 0.45:
        return vmap(rng, count, shapes)
    if kind < 0.51:
        return Layer(rng.choice(WRONG).format().replace("~", " "))
    names, weights = zip(*TRANSFORMS.items(), strict=True)
    text = rng.choices(names, weights)[0]
    # PyTorch's forward mode takes negative numbers for those of no argument
    last = count - 1 if "jacfwd" in text or "hessian" in text else -1
    argnums = rng.choice([0, 0, 0, count - 1, last, (0,), tuple(range(count)), (count - 1, 0)])
    flags = ["", "", ", create_graph=True", ", strict=True", ", create_graph=True, strict=True"]
    ways = [
        "",
        "",
        ", vectorize=True",
        ", vectorize=True, create_graph=True",
        ", strict=True",
        ", create_graph=True",
    ]
    forward = ", vectorize=True, strategy='forward-mode'"
    outer = ", vectorize=True, outer_jacobian_strategy='forward-mode'"
    return Layer(
        text.replace("{d}", rng.choice(["", f", argnums={argnums!r}"]))
        .replace("{c}", rng.choice(["", "", ", chunk_size=1", ", chunk_size=2"]))
        .replace("{r}", rng.choice(["", "", ", randomness='same'", ", randomness='different'"]))
        .replace("{u}", rng.choice(["", ", allow_unused=True", ", materialize_grads=True"]))
        .replace("{o}", rng.choice(flags))
        .replace("{j}", rng.choice([*ways, forward]))
        .replace("{h}", rng.choice([*ways, outer]))
    )


def vmap(rng, count, shapes):
    dims = [rng.choice([0, 0, 0, -1, None, len(shape)]) for shape in shapes]
    if all(d is None for d in dims):
        dims[0] = 0
    options = ""
    if any(d != 0 for d in dims):
        options += f", in_dims={dims[0] if count == 1 else tuple(dims)!r}"
    options += rng.choice(["", "", "", ", out_dims=-1", ", out_dims=1", ", out_dims=0"])
    options += rng.choice(["", "", ", randomness='same'", ", randomness='different'"])
    options += rng.choice(["", "", "", "", ", chunk_size=1", ", chunk_size=2"])
    text = f"torch.func.vmap(f{options})"
    if rng.random() < 0.06:
        inner = f"({', '.join(map(str, dims))},)"
        text = f"unpacked(torch.func.vmap(packed(f), in_dims=({inner},)))"
    return Layer(text, dims, rng.choice([2, 2, 3, 1]))
