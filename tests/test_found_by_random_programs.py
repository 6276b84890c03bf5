"""What random programs and calls have found to differ from PyTorch: a line for each kind.

A line is a program: its last statement is an expression, whose value, graph and error are compared.
"""

import contextlib
import math
import warnings

import pytest

from tests.both import compare

PROGRAMS = """
# a matrix product of a batch that is no view of a tall matrix, and a vector
t.matmul(t.ones(2, 3, 2).swapaxes(0, 2), t.ones(2))
x = t.ones(2, 3, 2, requires_grad=True); r = t.matmul(x.swapaxes(0, 2), t.ones(2)); [r, chain(r.grad_fn)]
t.matmul(t.ones(2, 3, 2).swapaxes(0, 2), t.ones(2) > 0)
# bools that are not multiplied
t.mm(t.ones(1, 0) > 0, t.ones(0, 1) > 0)
t.bmm(t.ones(1, 1, 0) > 0, t.ones(1, 0, 1) > 0)
t.mv(t.ones(0, 1) > 0, t.ones(1) > 0)
t.addmv(t.ones(1) > 0, t.ones(1, 0) > 0, t.ones(0) > 0)
t.addmm(t.ones(1, 1) > 0, t.ones(1, 0) > 0, t.ones(0, 1) > 0)
t.mm(t.ones(1, 1) > 0, t.ones(1, 1) > 0)
# infinite parts of complex numbers
t.lerp(t.full((9,), 0.5 + 0.25j), t.full((9,), complex(-inf, 0)), 0.25)
t.lerp(t.full((9,), 0.5 + 0.25j), t.full((9,), complex(-inf, inf)), 0.2 + 0.1j)
t.lerp(t.full((9,), complex(inf, 1)), t.full((9,), 1j), t.full((9,), 0.75 + 0j))
t.addcmul(t.full((9,), 1 + 2j), t.full((9,), 1j), t.full((9,), complex(inf, inf)), value=0.5 - 1j)
t.addcdiv(t.full((9,), 1 + 2j), t.full((9,), 0j), t.full((9,), complex(inf, nan)), value=2j)
t.ops.aten.tanh_backward(t.full((9,), complex(nan, -2.5)), t.full((9,), complex(nan, inf)))
t.ops.aten.sigmoid_backward(t.full((9,), complex(nan, -2.5)), t.full((9,), complex(nan, inf)))
t.full((2,), 1j).scatter_reduce(0, t.tensor([0, 1]), t.full((2,), complex(inf, inf)), "prod")
t.tensor([complex(1, 0)]) + t.tensor([complex(inf, 0)])
t.tensor([complex(1, 0)]) - t.tensor([complex(inf, 0)])
t.tensor([complex(inf, 0)] * 3).mean()
t.tensor([0j]) ** t.tensor([0j])
t.float_power(t.tensor([0j]), t.tensor([0j]))
t.tensor([0j]) ** 2.5
# infinite elements and their mean
t.var_mean(t.tensor([inf, 1.0]))
t.var_mean(t.tensor([1.0, inf]))
t.std_mean(t.tensor([[1.0, inf], [inf, inf], [1, 2]]), 0)
t.std_mean(t.tensor([1.0] * 40 + [inf] + [2.0]))
# a norm of equal elements is exactly 0
t.nn.functional.layer_norm(t.tensor([[0.8, 0.8, 0.8], [1.7, 1.7, 1.7]]), (3,))
t.nn.functional.group_norm(t.tensor([[0.8, 0.8], [1.7, 1.7]]), 1)
# gradients of products, extremes and others
x = t.tensor([2.0, 3, inf], requires_grad=True); x.prod().backward(); x.grad
x = t.tensor([2.0, 3, inf, 0, 0], requires_grad=True); x.prod().backward(); x.grad
x = t.tensor([[1.0, 2, inf, 4]], requires_grad=True); x.prod(1).sum().backward(); x.grad
x = t.ones(0, 3, requires_grad=True); x.prod(0).sum().backward(create_graph=True); x.grad
x = t.ones(2, requires_grad=True); y = x.prod(0, keepdim=True); y.relu_(); y.sum().backward(); x.grad
x = t.tensor([1.0, nan], requires_grad=True); x.amin().backward(); x.grad
x = t.tensor([1.0, nan], requires_grad=True); t.aminmax(x, dim=0)[0].backward(); x.grad
x = t.tensor([1.0, nan], requires_grad=True); x.min().backward(); x.grad
x = t.tensor([-1.5, 1.5], requires_grad=True); t.acosh(x).sum().backward(); x.grad
x = t.tensor([-2.5, 0.3], requires_grad=True); t.digamma(x).sum().backward(); x.grad
x = t.tensor([0.2], requires_grad=True); y = x.erfinv(); y.erf_(); y.sum().backward(); x.grad
x = t.ones(2, requires_grad=True); y = x.floor(); y.lerp_(y, 0.25); y.sum().backward(); y.sum().backward()
x = t.ones(2, 2, requires_grad=True); y = x * 1; z = y.cummax(0)[0]; y[0].unsqueeze_(0); z.sum().backward()
x = t.ones(0, requires_grad=True); x.cummin(0)[0].sum().backward(create_graph=True); x.grad
# which nodes
x = t.ones(3, requires_grad=True); chain(t.trapezoid(x).grad_fn), chain(t.trapezoid(x, x).grad_fn)
x = t.ones(3, requires_grad=True); chain(t.cumulative_trapezoid(x).grad_fn)
x = t.ones(3, requires_grad=True); t.autograd.grad(x[[0, 0]].log().sum(), x, create_graph=True)[0].grad_fn.name()
x = t.ones(3, requires_grad=True); r = t.combinations(x, with_replacement=True); [r, chain(r.grad_fn)]
x = t.ones(3, requires_grad=True); r = t.block_diag(x, x[:1, None]); r.sum().backward(); [r, chain(r.grad_fn), x.grad]
x = t.ones(3, requires_grad=True); r = t.deg2rad(x); r.sum().backward(); [r, chain(r.grad_fn), x.grad]
x = t.ones(3, 2, requires_grad=True); r = t.renorm(x.t(), 1, 0, 0.5); r.sum().backward(); [r, chain(r.grad_fn), x.grad]
x = t.ones(2, 3, requires_grad=True); r = t.renorm(x, 2.5, 1, 1.0); (r * r).sum().backward(); x.grad
t.renorm(t.ones(2, 2), 2, 5, 1.0)
t.renorm(t.ones(2, 2), 2, 0, -1.0)
t.rad2deg(t.ones(2, dtype=t.complex64))
x = t.ones(2, 3, requires_grad=True); r = F.cross_entropy(x, x, label_smoothing=0.1); [r, chain(r.grad_fn)]
x = t.ones(2, 3, requires_grad=True); r = F.cross_entropy(x, t.tensor([0, 1]), label_smoothing=0.1); [r, chain(r.grad_fn)]
x = t.ones(3, requires_grad=True); chain(t.tensordot(x, x, 1).grad_fn)
x = t.ones(1, 3, 2, requires_grad=True); chain(t.tensordot(x.mT, x.mT, ([1, 2], [1, 2])).grad_fn)
x = t.ones((), requires_grad=True); chain(x.movedim(0, -1).grad_fn)
x = t.ones(2, 3, requires_grad=True); chain(t.kron(x, x).grad_fn)
x = t.ones(1, 3, 2, requires_grad=True); r = F.linear(x, t.ones(4, 2), t.ones(3, 4)); [r, chain(r.grad_fn)]
F.linear(t.ones(1), t.ones(1, 1), t.ones(1, 1))
F.linear(t.ones(3, 2, 1), t.ones(1), t.ones(3, 2))
# memory
x = t.arange(6.0).reshape(2, 3).t(); t.kron(x, x[:1])
t.ldexp(t.ones(2, dtype=t.float64), t.ones(2, 2, dtype=t.float64).t())
t.ldexp(t.ones((), dtype=t.complex128), t.ones(1, dtype=t.int64))
t.isreal(t.ones(2, 3).t())
t.isposinf(t.ones(2, 3, dtype=t.int64).t())
t.einsum("ij,jk->ki", t.ones(2, 3), t.ones(3, 4))
t.einsum("acx,bdx->dbca", t.ones(2, 3, 4), t.ones(5, 6, 4))
x = t.ones(2, 3, requires_grad=True); chain(t.einsum("ij,kj->ik", x, x).grad_fn)
x = t.ones(2, 3, requires_grad=True); chain(t.einsum("i...,i...->...", x, x).grad_fn)
x = t.ones(2, 2, requires_grad=True); chain(t.einsum("ii,ij,jk->ik", x, x, x).grad_fn)
t.einsum("i...,i...->...", t.ones(1, 3, 3), t.ones(2, 3, 2))
t.einsum("ii->i", t.ones(2, 1))
t.einsum("i...->...i...", t.ones(2))
# 16 bits
t.sinc(t.linspace(-3, 3, 50).half())
t.sinc(t.linspace(-3, 3, 50).bfloat16()).float()
# in which order
t.ones(2, dtype=t.int64).clamp_max_(t.ones(3))
t.trapezoid(t.ones(3), t.ones(3, 2, 1))
t.trapezoid(t.ones(()))
t.trapezoid(t.ones(()), t.ones(3))
t.chain_matmul(t.ones(2, 2), t.ones(2))
t.linalg.multi_dot([t.ones(3, 2), t.ones(3)])
t.tensordot(t.ones(0) > 0, t.ones(1, 0) > 0, 1)
t.tensordot(t.ones(1, 3) > 0, t.ones(3, 1) > 0, 1)
# views whose history is lost
x = t.ones(2, 2, requires_grad=True); y = unrecorded(lambda: x[0]); unrecorded(lambda: y.mul_(2)); y.requires_grad_(); y.requires_grad
x = t.ones(2, 2, requires_grad=True) * 1; y = unrecorded(lambda: x[0]); unrecorded(lambda: y.mul_(2)); y.argsort(0)
x = t.ones(2, 2, requires_grad=True) * 1; y = unrecorded(lambda: x[0]); unrecorded(lambda: y.mul_(2)); y.isfinite()
# arguments given by their names
t.lgamma(t.ones(2), input=3)
t.swapdims(t.ones(2), 0, dim1="a")
t.ones(2).swapdims(0, dim1="a")
t.slice_scatter(t.ones(2), src=1.5)
t.squeeze(t.ones(3), 2**70)
t.ones(3).cumsum(2**70)
t.tril(t.ones(3, 3), diagonal=2**70)
x = t.tensor([[0, 2, 3], [2, 0, 3], [1, 2, 3], [0, 0, 2], [2, 0, 0.]], requires_grad=True); t.autograd.grad(x.cumprod(1), x, t.arange(15.).reshape(5, 3))
x = t.tensor([[0, 2, 3], [2, 0, 3], [1, 2, 3], [0, 0, 2.]], requires_grad=True); t.autograd.grad(x.cumprod(1), x, t.full((4, 3), nan))
x = t.tensor([[0, 2j, 3], [2, 0, 3j], [1j, 2, 3]], requires_grad=True); t.autograd.grad(x.cumprod(0), x, t.full((3, 3), 1 + 2j))
# a nan's gradient goes to both
p, q = [t.tensor(v, requires_grad=True) for v in ([nan, 1, 2, inf, nan], [0.5, nan, 2, -inf, nan])]; t.maximum(p, q).backward(t.tensor([1., 2, 3, inf, 5])); [p.grad, q.grad]
t.func.jvp(t.maximum, *[(t.tensor([nan, 1, 2, 1]), t.tensor([0.5, nan, 2, 3])), (t.ones(4), t.arange(4.))])
p, q = [t.tensor(v, requires_grad=True) for v in ([nan, 1, 2, inf, nan], [0.5, nan, 2, -inf, nan])]; t.minimum(p, q).backward(t.tensor([1., 2, 3, inf, 5])); [p.grad, q.grad]
t.func.jvp(t.minimum, *[(t.tensor([nan, 1, 2, 1]), t.tensor([0.5, nan, 2, 3])), (t.ones(4), t.arange(4.))])
# what has the shape already is no view
t.broadcast_tensors(t.ones(2, 3, requires_grad=True), t.ones(1, requires_grad=True))
chain(F.l1_loss(t.ones(2, 3, requires_grad=True), t.ones(1, requires_grad=True)).grad_fn)
# the power of two is one of x's dtype
[t.ldexp(t.ones((), dtype=a), t.tensor(0.2822265625, dtype=b)) for a in (t.half, t.double) for b in (t.half, t.float32)]
# a product of one factor that is 0
x = t.tensor([[0, 1, 2.]], requires_grad=True); t.autograd.grad(x.prod(0).sum(), x, create_graph=True)[0].requires_grad
# the mean of whole images in channels last
[F.adaptive_avg_pool2d(t.ones(2, 3, 4, 4).to(memory_format=t.channels_last), n) for n in (1, 2)]
[F.adaptive_avg_pool3d(x, 1) for x in (t.ones(2, 3, 4, 4, 4), t.ones(2, 3, 4, 4, 4).to(memory_format=t.channels_last_3d), t.ones(3, 2, 2, 2))]
chain(F.adaptive_avg_pool3d(t.ones(1, 1, 2, 2, 2, requires_grad=True), 1).grad_fn)
# a complex number of infinite size has no direction; few enough for PyTorch not to use vectors
t.tensor([complex(-inf, 0), complex(0, inf), complex(nan, 1), 0j]).sgn()
# the gradient of a 2-norm lies as its argument, that of a 0-norm is no tensor at all
x = t.arange(6.0).reshape(3, 2).requires_grad_(); y = x.t(); t.autograd.grad(t.dist(y, y * 2), [y])[0].stride()
x = t.ones(3, requires_grad=True); t.autograd.grad(x.norm(0), x, allow_unused=True)
x = t.tensor([1.0, nan, 2.0], requires_grad=True); t.autograd.grad(x.norm(inf), x)
x = t.rand(3, 2, requires_grad=True); t.autograd.grad(t.cdist(x, x + 1).sum(), x, create_graph=True)[0].sum().backward()
# a gradient that could not be taken over was written once; so were two that are added up while a conjugate lives
x = t.ones(3, requires_grad=True); x.sum().backward(); x.grad._version
c = t.ones(2, dtype=t.cfloat).conj(); x = t.ones(3, requires_grad=True); (x * x).sum().backward(); x.grad._version
# hooks after the accumulation run for a leaf that takes no gradient any more
x = t.ones(3, requires_grad=True); a = []; h = x.register_post_accumulate_grad_hook(a.append); y = x * 2; z = x.detach_(); y.sum().backward(); [a, x.grad]
# the kind of a result without elements is looked at all the same
t.log_softmax(t.zeros(0, 3, dtype=t.cfloat, requires_grad=True), 1)
t.softmax(t.zeros(0, 3, dtype=t.cfloat, requires_grad=True), 1)
# a gradient becomes .grad if only its memory is held by others, a lazy tensor around or not
x = t.ones(3, requires_grad=True); y = t.ones(3, requires_grad=True); (t.cat([x, y]) * 2).sum().backward(); [x.grad.storage_offset(), y.grad.storage_offset()]
lazy = t.ones(2, dtype=t.cfloat).conj(); x = t.ones(3, requires_grad=True); y = t.ones(3, requires_grad=True); (t.cat([x, y]) * 2).sum().backward(); [x.grad.storage_offset(), y.grad.storage_offset()]
g = t.ones(6); x = t.ones(2, 3, requires_grad=True); x.view(6).backward(g); x.grad.data_ptr() == g.data_ptr()
g = t.ones(6); x = t.ones(6, requires_grad=True); (x + 1).backward(g); x.grad.data_ptr() == g.data_ptr()
lazy = t.ones(2, dtype=t.cfloat).conj(); g = t.ones(6); x = t.ones(6, requires_grad=True); (x + 1).backward(g); x.grad.data_ptr() == g.data_ptr()
# of equal elements the one that PyTorch finds
t.tensor([1.0, 1.0, 1.0]).kthvalue(1)
(t.arange(300) % 7).reshape(3, 100).kthvalue(50)
t.tensor([nan, 2.0, nan, 1.0, 1.0, nan, 2.0]).kthvalue(6)
# a norm of single elements is laid out as that of several
t.ones(3, 2, 1).transpose(0, 2).norm(2, 0)
t.ones(3, 2, 1).transpose(0, 2).norm(2, 0, True)
# second derivatives where elements are 0 or nan
x = t.tensor([[1.0, 0, 2], [3, 4, 5]], requires_grad=True); r = t.autograd.grad(x.cumprod(1).sum(), x, create_graph=True)[0]; [r, chain(r.grad_fn), t.autograd.grad((r * r).sum(), x)]
x = t.tensor([[1j, 0, 2], [3, 4j, 5]], requires_grad=True); r = t.autograd.grad(x.cumprod(1).sum().abs(), x, create_graph=True)[0]; [r, t.autograd.grad((r * r).sum().abs(), x)]
x = t.full((2, 2), nan, requires_grad=True); r = t.autograd.grad(t.linalg.det(x), x, create_graph=True)[0]; [r, chain(r.grad_fn)]
x = t.ones(4, 2, requires_grad=True); t.autograd.grad((x * x).trace(), x, create_graph=True)[0]
# no element of another dtype is read
t.cdist(t.ones(1, 0), t.ones(1, 0).double())
x = t.ones(1, 0, requires_grad=True); y = t.ones(2, 0, requires_grad=True, dtype=t.double); t.autograd.grad(t.cdist(x, y).sum(), [x, y])
t.cdist(t.ones(0, 2), t.ones(1, 2).double())
t.cdist(t.ones(1, 2), t.ones(1, 2).double())
# a factor of 1 is multiplied by
t.addr(t.tensor(inf), t.ones(2, dtype=t.cfloat), t.ones(2, dtype=t.cfloat))
t.addr(t.tensor(complex(0, inf)), t.ones(9, dtype=t.cfloat), t.ones(9, dtype=t.cfloat), beta=2)
# which operand lays out the gradient of an activation
x = t.ones(4, 6).t().requires_grad_(); [t.autograd.grad(f(x), x, t.ones(6, 4))[0].stride() for f in (t.relu, F.leaky_relu, F.hardshrink, F.softshrink, F.logsigmoid)]
x = t.ones(4, 6).t().requires_grad_(); [t.autograd.grad(f(x).sum(), x)[0].stride() for f in (t.relu, F.leaky_relu, F.hardshrink, F.softshrink, F.logsigmoid)]
# a nan beside an infinity
t.log1p(t.tensor([complex(inf, nan), complex(nan, inf), complex(nan, 0), complex(inf, 0)]))
x = t.tensor([[complex(inf, nan), 0], [complex(nan, inf), 1]])[:, 0]; x.log1p_()
y = t.ones(3, 2, 2, dtype=t.bool).transpose(0, 1); t.ldexp(t.ones(1, 3, 2, dtype=t.bool), y).stride()
# a real number that is assigned into complex numbers
v = t.ones((), requires_grad=True); x = t.zeros(2, 3, dtype=t.complex64); x[0] = v; x.real.sum().backward(); v.grad
v = t.ones((), requires_grad=True); x = t.zeros(2, dtype=t.complex64); x[t.tensor([True, False])] = v; x.real.sum().backward(); v.grad
v = t.ones((), requires_grad=True); x = t.zeros(2, dtype=t.complex64); x[True] = v; x
v = t.ones(1, 1, requires_grad=True); x = t.zeros(2); x[True] = v; x[False] = 2; x, chain(x.grad_fn.next_functions[1][0])
v = t.ones(1, 1, requires_grad=True); x = t.zeros(2); x[1] = v; x, chain(x.grad_fn.next_functions[1][0])
x = t.tensor([complex(inf, nan), 1]); [x.prod(), x.prod(0), t.stack([x, x]).prod(0), t.stack([x, x]).prod(1)]
[f(x).stride() for f in (t.isposinf, t.isneginf) for x in (t.ones(1, 3).t(), t.ones(3, 1, 2, dtype=t.int64).permute(1, 2, 0))]
t.exp2(t.tensor([complex(inf, nan), complex(-inf, inf), complex(-inf, -2.5), complex(1, -0.0)]))
[f(t.tensor([complex(-1, 2.5), complex(-0.0, -inf)])) for f in (t.log2, t.log10)]
t.log1p(t.tensor([1e-10 + 1e-10j, -1e-8 + 1e-20j, 1e-30j, -0.0, complex(-0.9, nan), 3e200 + 1e200j], dtype=t.complex128))
x = t.zeros(3, dtype=t.float64, requires_grad=True); F.hardtanh(x.erfc()).sum().backward(); x.erfc() == 1, x.grad
x = t.tensor([complex(inf, 0.5), complex(inf, inf), complex(-inf, 1), complex(0, nan), 1 + 2j]); t.logaddexp(x[:, None], x)
x = t.tensor([-0.0] * 9, dtype=t.float64); t.sin(x).signbit(), t.relu(x).signbit()
v = t.ones(2, requires_grad=True); x = t.zeros(3, 2); x[0] = v; seen = []; x.grad_fn.register_hook(lambda given, wanted: seen.append(given)); x.sum().backward(); seen
x = t.ones(3, 2).t().expand(2, 2, 3).requires_grad_(); (x * x).sum().backward(create_graph=True); x.grad.stride(), chain(x.grad.grad_fn)
x = t.ones(2, 3, requires_grad=True).view(6); mode = t.inference_mode(); mode.__enter__(); y = x[:2]; y.square_(); mode.__exit__(None, None, None); y.long(), y.int().requires_grad
# complex gradients of elements that are seen several times
x = t.ones(1, dtype=t.complex64, requires_grad=True); x.as_strided((3, 2), (0, 0)).backward(t.arange(6).reshape(3, 2) * (1 + 2j)); x.grad
x = t.ones(5, dtype=t.complex128, requires_grad=True); x.as_strided((4, 2), (1, 1)).backward(t.ones(4, 2, dtype=t.complex128) * 1j); x.grad
x = t.ones((), dtype=t.complex128, requires_grad=True); y = x.expand(2); unrecorded(lambda: x.sub_(1)); y.real.mean().backward(); x.grad
t.cdist(t.ones(3, 2, 3, 2), t.ones(2, 3, 3, 2))
# the target's dtype is looked at before the sizes and the weights
t.nn.functional.cross_entropy(t.ones(0, 2), t.tensor(1.0))
t.nn.functional.cross_entropy(t.ones(2, 3, 4), t.ones(2, 4), t.ones(2))
t.nn.functional.cross_entropy(t.ones(1) > 0, t.ones(1), t.ones(3))
t.nn.functional.cross_entropy(t.ones(3), t.zeros(1).long(), label_smoothing=0.1)
t.ones(0, 3).index_reduce(0, t.tensor([0]), t.ones(1, 3), 'mean')
# sizes beyond all memory, which must not wrap around
t.ones(2).resize_(2**62)
t.normal(0.0, 1.0, (2**62, 1), out=t.ones(3))
t.add(t.ones(1).expand(2**62), 1, out=t.ones(3))
# None for what has to be there
t.ops.aten.view.dtype(t.ones(2), None)
t.ops.aten.prod.dim_int(t.ones(2), None)
# operators by name, with what does not fit
t.ops.aten._convolution_mode(t.ones(2, 2), t.ones(2), None, [1], 'same', [1], 1)
t.ops.aten._convolution_mode(t.ones(2, 2), t.ones(2, 2, 2), None, [1], 'same', [1], 1)
t.ops.aten._convolution_mode(t.ones(1, 2, 2, 2), t.ones(2, 2, 2, 2), None, [1], 'valid', [1], 1)
t.movedim(t.ones(2, 2), 2**40, 0)
# Python's own functions of a tensor
x = t.ones(2); hash(x) == id(x)
pow(t.ones(2), 2, 3)
type(iter(t.ones(2))).__name__
# powers that are too large or too small for float32, of which a norm is the sum
t.linalg.vector_norm(t.full((9,), 1e14), 3)
t.linalg.vector_norm(t.full((9,), 1e17), 2.5)
t.linalg.vector_norm(t.full((9,), 6e12), 3)
t.linalg.vector_norm(t.full((9,), 1e-16), 3)
t.linalg.vector_norm(t.full((3, 9), 1e14), 3, dim=0)
t.linalg.vector_norm(t.full((9,), 1e14), -3)
t.full((9,), 1e14, dtype=t.float64).norm(3)
# margins beside nan
x = t.tensor([[nan, 1.0, 2.0], [0.5, nan, 1.0]], requires_grad=True); l = t.nn.functional.multi_margin_loss(x, t.tensor([0, 2])); [l, t.autograd.grad(l, x)]
x = t.tensor([[nan, 1.0, 2.0], [0.5, nan, 1.0]], requires_grad=True); l = t.nn.functional.multi_margin_loss(x, t.tensor([0, 2]), p=2, reduction="none"); [l, t.autograd.grad(l.sum(), x)]
x = t.tensor([[nan, 1.0, 2.0], [0.5, nan, 1.0]], requires_grad=True); l = t.nn.functional.multilabel_margin_loss(x, t.tensor([[0, -1, 0], [2, 1, -1]])); [l, t.autograd.grad(l, x)]
# a view of integers that a tensor with a history is written to
a = t.ones(2, requires_grad=True); b = t.ones(2, 3, dtype=t.int64); b[0] = a.sum(); [b, b.requires_grad, type(b.grad_fn).__name__]
a = t.ones(2, requires_grad=True); b = t.ones(2, 3, dtype=t.int64); c = b[0]; c.fill_(a.sum()); [b, c.requires_grad, chain(b.grad_fn)]
a = t.ones(2, requires_grad=True); b = t.ones(2, 3) > 0; c = b[:, 1:]; c.masked_fill_(c, a.sum()); [b, c.requires_grad, type(c.grad_fn).__name__]
# a bool as the exponent of a power of 2 is complained of when the sizes are known to fit
t.ldexp(t.ones(3), t.ones(2, 3, 2) > 0)
# tangents of the smaller one beside nan, and of equal ones
t.func.jvp(t.fmin, (t.tensor([1.0, nan, 2.0, nan, 3.0]), t.tensor([nan, 1.0, 1.0, nan, 3.0])), (t.ones(5), 2 * t.ones(5)))
t.func.jvp(t.fmax, (t.tensor([1.0, nan, 2.0, nan, 3.0]), t.tensor([nan, 1.0, 1.0, nan, 3.0])), (t.ones(5), 2 * t.ones(5)))
t.func.jvp(t.fmax, (t.ones(2), t.ones(2)), (t.ones(2), nan * t.ones(2)))
t.func.jvp(lambda x: t.normal(x, 1.0), (t.ones(2),), (t.ones(2),))[1]
t.normal(t.tensor([1j]).requires_grad_(), 1.0)
# zeros for what is not reached, inside of a transform
t.func.grad(lambda x: t.autograd.grad(x.sum(), [x, t.ones(2, requires_grad=True)], materialize_grads=True, create_graph=True)[0].sum())(t.ones(2))
t.func.grad(lambda a: t.autograd.functional.vjp(lambda x: x * 1, a, t.ones(3), create_graph=True)[1].sum())(t.ones(3))
# a leaf that an in-place operation gave a history is a leaf no more
x = t.ones(2, requires_grad=True); y = x.neg(); x.requires_grad = False; x.lt_(y); y.sum().backward()
x = t.ones(2, requires_grad=True); y = x.clone(); x.requires_grad = False; x.mul_(y); y.sum().backward(); x.grad
x = t.ones(2, requires_grad=True); y = x.clone(); x.requires_grad = False; x.mul_(2); y.sum().backward(); x.grad
x = t.ones(2, requires_grad=True); y = x.clone(); x.requires_grad = False; x.mul_(y); x.detach_(); y.sum().backward(); x.grad
# pixels of an empty image are not moved
x = t.ones(2, 0, 4, 4, requires_grad=True); r = F.pixel_unshuffle(x, 2); [r, chain(r.grad_fn), r._is_view()]
r = F.pixel_unshuffle(t.ones(4, 0, 4).mT, 2); [r, r.stride(), r._is_view()]
x = t.ones(0, 4, 2, 2, requires_grad=True); F.pixel_shuffle(x, 1).sum().backward(); x.grad
# shuffled channels are a copy, even if the order stays
x = t.ones(1, 4, 2); r = F.channel_shuffle(x, 1); r.add_(1); [x, r._is_view()]
r = F.channel_shuffle(t.ones(2, 4, 0, 3).mT, 2); [r, r.stride(), r._is_view()]
# a contracted dimension of size 1 is summed, so the product keeps a copy of the first tensor
x = t.ones(3, 2, 1, requires_grad=True); y = x * 2; z = t.inner(y, t.ones(1)); t.cos_(y.detach()); z.sum().backward(); x.grad
x = t.ones(3, 2, 1, requires_grad=True); y = x * 2; z = t.tensordot(x, y, ([2], [2])); t.cos_(y.detach()); z.sum().backward()
# a number for every tensor, also for the one to write to
t.true_divide(t.ones(()), t.ones(()), out=nan)
t.add(t.ones(3), t.ones(3, requires_grad=True), out=1.0)
r = t.mul(t.ones(()), 2, out=1j); [r, type(r).__name__]
t.sub(1, 2, out=1)
t.floor_divide(t.ones(2), 2, out=True)
t.remainder(t.ones(2), 2, out=1.0)
[t.ones(2).to(1.0), t.ones(2).to(1j), t.ones(2).to(True)]
# an integer is the number of a device, and a bool is not
t.ones(2, device=True)
t.ones(2, device=1)
# complex elements have no order, even if there are none
t.zeros(0, 2, dtype=t.complex64, requires_grad=True).amax(-1)
t.zeros(2, 0, 3, dtype=t.complex64, requires_grad=True).amin((0, 2))
# inside of vmap, rot90 takes the batch for a dimension
t.vmap(t.rot90)(t.ones(2, 3))
t.vmap(lambda x: x.rot90(1, (0, 5)))(t.ones(2, 3, 4))
t.vmap(lambda x: x.rot90(1, (0, 0)))(t.ones(2, 3))
t.vmap(lambda x: x.rot90(1, (1, -1)))(t.ones(2, 3, 4))
t.vmap(t.vmap(lambda x: x.rot90(1, (0, 1, 0))))(t.ones(2, 3, 4, 5))
t.vmap(t.vmap(lambda x: x.rot90(1, (0, 0))))(t.ones(2, 3, 4, 5))
# inside of vmap, fold and unfold join the batch to the first dimension
t.vmap(lambda x: F.unfold(x, 1))(t.ones(3, 1, 1, 2, 2, 2))
t.vmap(lambda x: F.unfold(x, 1))(t.ones(3, 0, 2, 2))
t.vmap(lambda x: F.unfold(x, 2), in_dims=1)(t.arange(36.0).reshape(2, 2, 3, 3))
t.vmap(lambda x: F.unfold(x, 2))(t.arange(36.0).reshape(2, 1, 2, 3, 3))
t.vmap(lambda x: F.fold(x, (2, 2), 1))(t.ones(3, 1, 2, 2))
t.vmap(lambda x: F.fold(x, (3, 3), 2))(t.arange(32.0).reshape(2, 4, 4))
t.vmap(t.func.grad(lambda x: F.fold(x, (3, 3), 2).sin().sum()))(t.arange(64.0).reshape(2, 2, 4, 4))
# inside of vmap, an embedding has the rows of all samples side by side
log = []; t.vmap(lambda x: [log.append(F.embedding(t.tensor([0, 1]), x).stride()), x][1])(t.ones(2, 3, 4)); log
t.vmap(lambda x: F.embedding(t.tensor([0, 1]), x).view(-1))(t.ones(2, 3, 4))
t.vmap(lambda x: F.embedding(t.tensor([[0, 1], [2, 2]]), x), in_dims=2)(t.arange(24.0).reshape(3, 4, 2))
t.vmap(t.func.grad(lambda x: F.embedding(t.tensor([0, 1, 1]), x).sin().sum()))(t.arange(24.0).reshape(2, 3, 4)).tolist()
x = t.arange(24.0).reshape(2, 3, 4).requires_grad_(); t.vmap(lambda x: F.embedding(t.tensor([0, 1]), x, padding_idx=1))(x).sum().backward(); x.grad
# inside of vmap, the error of a write by indices names the view that the program made
t.vmap(lambda x: x.unbind()[0].index_put_((t.tensor([0, 1]),), t.ones(2)))(t.ones(1, 1, 3, requires_grad=True))
t.vmap(t.vmap(lambda x: x.unbind()[0].index_put_((t.tensor([0, 1]),), t.ones(2))))(t.ones(1, 2, 1, 3, requires_grad=True))
x = t.ones(1, 2, 3, requires_grad=True); put = lambda b: [b.__setitem__((slice(None), t.tensor([0, 1])), 1.0), b][1]; type(t.vmap(lambda a: put(a * 2))(x).grad_fn).__name__
# random numbers inside of vmap belong to the transforms around it, so they can be written to
t.func.grad(lambda x: t.vmap(lambda y: t.rand(3).zero_() + y, randomness="same")(x).sum())(t.ones(2, 3))
t.func.grad(lambda x: t.vmap(lambda y: t.randn(3).zero_() + y, randomness="different")(x).sum())(t.ones(2, 3))
t.func.jvp(lambda x: t.vmap(lambda y: t.rand_like(y).zero_() + y, randomness="different")(x), (t.ones(2, 3),), (t.ones(2, 3),))
t.func.jvp(lambda x: t.vmap(lambda y: t.randint_like(t.ones(3), 5).mul_(0) + y, randomness="same")(x), (t.ones(2, 3),), (t.ones(2, 3),))
t.manual_seed(0); t.func.grad(lambda x: t.vmap(lambda y: t.randn(3) * y, randomness="different")(x).sum())(t.ones(2, 3))
log = []; t.func.grad(lambda x: t.vmap(lambda y: [log.append(t.randn(3, requires_grad=True).requires_grad), y][1], randomness="different")(x).sum())(t.ones(2, 3)); log
# in a vmap inside of another, an operator without a rule writes only to what has the innermost batch of all its arguments
t.vmap(lambda a, b: t.vmap(lambda x: x.clone().addcmul_(b, b))(a))(t.ones(2, 2, 3), t.ones(2, 3))
t.vmap(lambda a, b: t.vmap(lambda x: x.clone().lerp_(b, 0.5))(a), in_dims=(0, None))(t.ones(2, 2, 3), t.ones(3))
t.vmap(lambda a, b: t.vmap(lambda x: x.clone().hypot_(b), in_dims=1)(a))(t.ones(2, 3, 3), t.ones(2, 3))
t.vmap(lambda a, b: t.vmap(lambda x: x.clone().atan2_(b))(a))(t.ones(2, 2, 3), t.ones(2, 3))
t.vmap(lambda a, b: t.vmap(lambda x: x.clone().pow_(2).addmm_(x, x))(a))(t.ones(2, 2, 3, 3), t.ones(2, 3))
# inside of vmap, a slice of a sample without dimensions is of what is behind the batch
t.vmap(lambda x: x[::2])(t.ones(3))
t.vmap(lambda x: x[:])(t.ones(3))
t.vmap(t.vmap(lambda x: x[1:]))(t.ones(3, 2))
t.vmap(lambda x: x[::-1])(t.ones(3))
t.vmap(lambda x: x[0:1,])(t.ones(3))
t.vmap(lambda x: [x.clone().__setitem__(slice(None), 1.0), x][1])(t.ones(3))
t.func.grad(lambda x: x[:])(t.ones(()))
# inside of vmap, a bound without dimensions promotes like one with dimensions
t.vmap(lambda b, c: c.clamp(min=b))(t.ones(2, dtype=t.float64), t.ones(2, 3))
t.vmap(lambda b, c: c.clamp(c, b))(t.ones(2, dtype=t.float64), t.ones(2, 3))
t.vmap(lambda b, c: b.clamp(max=c))(t.ones(2, dtype=t.float64), t.ones(2, 3))
t.vmap(lambda b, c: c.clamp(b, b))(t.ones(2), t.ones(2, 3, dtype=t.int64))
# inside of vmap, the derivative of the softmax of a single number is a constant
t.func.jacrev(lambda x: x.softmax(-1))(t.ones((), requires_grad=True))
t.func.jacrev(lambda x: x.log_softmax(0))(t.ones((), requires_grad=True))
t.vmap(t.func.jacrev(lambda x: x.softmax(-1)))(t.ones(3, requires_grad=True))
t.func.jacrev(lambda x: x.log_softmax(0))(t.ones(1, requires_grad=True))
# the vmap of batched gradients has no rule for flip, which takes a dimension of a number
x = t.ones((), requires_grad=True); t.autograd.grad(x.flip(0), x, t.ones(2), is_grads_batched=True)
t.autograd.functional.jacobian(lambda x: x.flip(-1) * x, t.ones(()), vectorize=True, strategy="forward-mode")
t.vmap(lambda x: x.flip(0))(t.ones(3))
# inside of vmap, a mask that differs between samples is rejected before the indices are counted
t.vmap(lambda x: x.index_put((x > 0,), t.tensor(1.0)))(t.ones(3))
t.vmap(lambda x: x.clone().index_put_((x > 0,), t.tensor(1.0)))(t.ones(3))
t.vmap(lambda x: x.index_put((t.tensor([True, False]),), t.tensor(2.0)))(t.ones(3, 2))
t.vmap(lambda x: x.index_put((t.tensor([0]), t.tensor([0])), t.tensor(2.0)))(t.ones(3, 2))
# inside of a transform, dropout draws in the order of the indices
t.manual_seed(0); t.func.grad(lambda x: F.dropout(x.mT).sum())(t.ones(3, 3, 2))
t.manual_seed(0); t.vmap(lambda x: F.dropout(x.mT), randomness="same")(t.ones(2, 3, 2))
t.manual_seed(0); t.vmap(lambda x: F.dropout(x.clone().mT, inplace=True), in_dims=2, randomness="same")(t.ones(2, 3, 2))
t.manual_seed(0); t.vmap(lambda x: F.dropout(t.ones(2, 3).mT) + x, randomness="same")(t.ones(2))
t.manual_seed(0); t.func.jvp(lambda x: F.dropout(x.mT), (t.ones(3, 3, 2),), (t.ones(3, 3, 2),))[1]
t.manual_seed(0); t.func.functionalize(lambda x: F.dropout(x.mT))(t.ones(3, 3, 2))
t.manual_seed(0); F.dropout(t.ones(3, 3, 2).mT)
# in inference mode, a gradient has no tangent
t.func.jvp(t.inference_mode()(t.func.grad(lambda y: (y * y).sum())), (t.ones(2),), (t.ones(2),))
t.func.jvp(t.vmap(t.inference_mode()(t.func.grad(lambda y: y * y))), (t.ones(2),), (t.ones(2),))
t.func.jvp(t.inference_mode()(lambda x: t.func.vjp(lambda y: y * y, x)[1](x)[0]), (t.ones(2),), (t.ones(2),))
t.func.jvp(t.func.grad(lambda x: t.inference_mode()(t.func.grad(lambda y: (y * y).sum()))(x).sum()), (t.ones(2),), (t.ones(2),))
t.func.jvp(t.no_grad()(t.func.grad(lambda y: (y * y).sum())), (t.ones(2),), (t.ones(2),))
# a number is filled in as the tangent of a value without one, by the operator of the value
told(lambda: t.func.jacfwd(lambda x: x.masked_fill(t.tensor([True, False]), t.tensor(2.0)))(t.ones(2)))
told(lambda: t.func.jacfwd(lambda x: x.clone().masked_fill_(t.tensor([True, False]), t.tensor(2.0)))(t.ones(2)))
told(lambda: t.func.jacfwd(lambda x: x.clone().masked_fill_(t.tensor([True, False]), x.sum()))(t.ones(2)))
told(lambda: t.func.jacfwd(lambda x: x.clone().masked_fill_(t.tensor([True, False]), 2.0))(t.ones(2)))
t.func.jvp(lambda v: t.ones(2).masked_fill_(t.tensor([True, False]), v), (t.tensor(2.0),), (t.tensor(3.0),))
# the tangent of huber_loss is the derivative of the loss, which has tangents inside of vmap
t.func.jvp(t.func.hessian(lambda x: F.huber_loss(x, x * 2)), (t.arange(3.0),), (t.ones(3),))
t.func.jvp(lambda x, y: F.huber_loss(x, y, reduction="none"), (t.arange(3.0), t.zeros(3)), (t.ones(3), t.arange(3.0)))
t.func.jvp(lambda y: F.huber_loss(t.arange(3.0), y, reduction="sum"), (t.zeros(3),), (t.arange(3.0),))
t.func.jvp(t.func.grad(lambda x: F.huber_loss(x, x * 2)), (t.arange(3.0),), (t.ones(3),))
# the tangent of atan2 has the negative of the first argument
t.func.jvp(lambda x: t.atan2(x > 0, x), (t.arange(3.0),), (t.ones(3),))
t.func.jvp(lambda x: t.atan2(t.arange(3), x), (t.arange(3.0) + 1,), (t.ones(3),))[1].signbit()
# inside of vmap, squeeze leaves the batch between the other dimensions
log = []; t.vmap(lambda x: [log.append(t.func.debug_unwrap(x.squeeze(0)).shape), x][1], in_dims=1)(t.ones(3, 1)); log
log = []; t.vmap(lambda x: [log.append(t.func.debug_unwrap(x.squeeze()).shape), x][1], in_dims=2)(t.ones(1, 3, 2)); log
log = []; t.vmap(lambda x: [log.append(t.func.debug_unwrap(x.squeeze((0, -1))).shape), x][1], in_dims=2)(t.ones(1, 3, 2, 1)); log
log = []; t.vmap(lambda x: [log.append(t.func.debug_unwrap(x.clone().squeeze_(0)).shape), x][1], in_dims=1)(t.ones(1, 2, 3)); log
x = t.ones(1, 3, 2, requires_grad=True); chain(t.vmap(lambda x: x.squeeze(), in_dims=2)(x).grad_fn)
x = t.ones(1, 3, 2, requires_grad=True); chain(t.vmap(lambda x: x.clone().squeeze_(), in_dims=2)(x).grad_fn)
t.vmap(lambda x: x.squeeze((0, 0)))(t.ones(3, 1))
# a gradient that is nan is nan for every class
x = t.arange(6.0).reshape(2, 3).requires_grad_(); t.autograd.grad(F.multi_margin_loss(x, t.tensor([0, 1])), x, t.tensor(nan))
x = t.arange(6.0).reshape(2, 3).requires_grad_(); t.autograd.grad(F.multi_margin_loss(x, t.tensor([0, 1]), p=2, reduction="none"), x, t.tensor([nan, 1.0]))
x = t.arange(6.0).reshape(2, 3).requires_grad_(); t.autograd.grad(F.multilabel_margin_loss(x, t.tensor([[0, -1, 0], [2, 1, -1]])), x, t.tensor(nan))
x = t.tensor([[inf, 1.0, -inf], [nan, 0.0, inf]], requires_grad=True); l = F.multi_margin_loss(x, t.tensor([1, 1]), reduction="none"); [l, t.autograd.grad(l.sum(), x)]
F.multi_margin_loss(t.tensor([[9.0, 0.0, 1.0]]), t.tensor([0]), reduction="none").signbit()
# inside of vmap, multi_margin_loss warns before it looks at its arguments
told(lambda: t.vmap(lambda x: raised(lambda: F.multi_margin_loss(x, t.tensor([0, 1]))))(t.ones(3, 3, 3)))[0]
told(lambda: t.vmap(lambda x: raised(lambda: F.multi_margin_loss(x, t.tensor([0, 7]))))(t.ones(3, 2, 3)))[0]
F.multi_margin_loss(t.ones(2, 3), t.tensor([0, 7]))
F.multi_margin_loss(t.ones(2, 3).int(), t.tensor([0, 1]))
# the gradient of a comparison in place does not depend on the one that comes in
told(lambda: t.func.jacrev(lambda x: x.cummin(-1)[0].clone().eq_(1))(t.ones(3, 1)))
told(lambda: t.func.hessian(lambda x: x.cummin(-1)[0].clone().gt_(x).sum())(t.ones(3, 1)))
told(lambda: t.vmap(t.func.grad(lambda x: x.cummin(-1)[0].clone().le_(x).sum()))(t.ones(3, 1)))
x = t.ones(2, 3, requires_grad=True); y = t.ones(3, requires_grad=True); z = (x * 1).ne_(y); [chain(z.grad_fn), t.autograd.grad(z.sum(), (x, y), create_graph=True)]
# inside of grad, the tangent of bilinear is computed by an operator without a batching rule
told(lambda: t.func.jacfwd(t.func.grad(lambda x: F.bilinear(x, x, t.ones(2, 3, 3)).sum()))(t.ones(2, 3)))
told(lambda: t.func.hessian(lambda x: [x.sum(), F.bilinear(x, x, t.ones(2, 3, 3))][0])(t.ones(2, 3)))
told(lambda: t.func.jacfwd(lambda x: t.func.jvp(lambda a: F.bilinear(a, a, t.ones(2, 3, 3)), (x,), (x,))[1])(t.ones(2, 3)))
# a mask that has a batch further out is rejected as a mask
t.vmap(t.func.jacfwd(lambda x: [y := x.clone(), y.__setitem__(x > 0, 1.0)][0]))(t.ones(2, 3))
t.vmap(t.func.hessian(lambda x: [y := x * 2, y.__setitem__(y > 0, x.sum())][0].sum()))(t.ones(2, 3))
t.func.jacfwd(lambda x: x[t.tensor([True, False, True])] * 2)(t.ones(3))
# fill_ with a tensor writes to the tangent in place, at every level
t.func.jacfwd(lambda x: t.func.jvp(lambda a: [b := a.clone(), b[0, 0].fill_(a.sum())][0], (x,), (x.cos(),)))(t.ones(2, 2))
t.func.jacfwd(lambda x: t.func.jvp(lambda a: [b := a.clone(), b.__setitem__(0, a.sum())][0], (x,), (x.cos(),)))(t.ones(2, 2))
t.func.jacfwd(lambda x: t.func.jvp(lambda a: t.ones(2).fill_(a), (x,), (x.cos(),)))(t.ones(()))
t.func.jvp(lambda a: t.ones(2, 2, dtype=t.float64).fill_(a), (t.ones(()),), (t.tensor(2.0),))
v = t.ones(2); t.func.jvp(lambda a, b: [b.fill_(a), v._version, v][1:], (t.ones(()), t.ones(2)), (t.tensor(2.0), v))
x = t.ones(2, requires_grad=True); t.func.jvp(lambda a, b: b.fill_(a), (t.ones(()), t.ones(2)), (x.sum(), x * 2))[1].grad_fn.name()
# inside of vmap, most operators of one tensor write in place to a view with the batch in front
x = t.ones(3, 1, 2, requires_grad=True); y, back = t.func.vjp(t.vmap(lambda x: x.clone().sgn_(), in_dims=-1), x); [chain(y.grad_fn), back(y.cos())[0].requires_grad]
x = t.ones(2, 3, requires_grad=True); [chain(t.vmap(lambda x: getattr(x.clone(), f)(), in_dims=1)(x).grad_fn) for f in ("neg_", "relu_", "zero_", "square_", "fix_")]
x = t.ones(2, 3, requires_grad=True); [chain(t.vmap(lambda x: getattr(x.clone(), f)(2.0), in_dims=1)(x).grad_fn) for f in ("add_", "mul_", "eq_", "clamp_", "clamp_max_", "copysign_", "fmod_", "pow_", "fill_")]
x = t.ones(2, 3, requires_grad=True); [chain(t.vmap(lambda x: x.clone().fill_(v), in_dims=1)(x).grad_fn) for v in (2.0, t.tensor(2.0))]
# argwhere is called for each sample by vmap alone; inside of a further transform it is nonzero
told(lambda: t.vmap(lambda x: t.argwhere(x))(t.ones(2, 3)))
t.vmap(t.func.jacfwd(lambda x: t.argwhere(x > 0)))(t.ones(2, 3))
t.vmap(t.func.grad(lambda x: x[t.argwhere(x)].sum()))(t.ones(2, 3))
t.func.grad(lambda x: t.vmap(lambda y: y[t.argwhere(y)])(x).sum())(t.ones(2, 3))
# alpha without its name is the overload of subtract for numbers
x = t.ones(2, requires_grad=True); [chain(f.grad_fn) for f in (t.subtract(x, 0, 1), x.subtract(2.0, 3), (x * 1).subtract_(0, 1), x.subtract(0, alpha=1), x.subtract(0))]
[t.ones(2, dtype=d).subtract(2, 3) for d in (t.int64, t.float32, t.complex64)]
t.ones(2, dtype=t.int64).subtract(2, 0.5)
t.ones(2).subtract_(2, 1j)
t.subtract(1, 2, 3), t.subtract(t.tensor(1), t.tensor(2), t.tensor(3))
told(lambda: t.vmap(lambda x: x.subtract(1, 2))(t.ones(2, 3)))
told(lambda: t.vmap(lambda x: x.clone().subtract_(1, 2), in_dims=1)(t.ones(2, 3)))
told(lambda: t.vmap(lambda x: x.clone().subtract_(1))(t.ones(2, 3)))
t.func.jvp(lambda x: x.subtract(1, 2) * x.clone().subtract_(2, 3), (t.ones(2),), (t.ones(2),))
y = t.ones(3); t.func.grad(lambda x: y.subtract_(1, 2).sum() * x)(t.tensor(1.0))
y = t.ones(3); t.func.grad(lambda x: y.divide_(2, rounding_mode="floor").sum() * x)(t.tensor(1.0))
# a chunk of one row of an output without elements has no row
t.func.jacrev(lambda x: x[:0], chunk_size=1)(t.ones(3))
t.func.jacrev(lambda x: (x[:0], x), chunk_size=1)(t.ones(0, 2))
[t.func.jacrev(lambda x: x[:0], chunk_size=n)(t.ones(3)) for n in (None, 2)]
t.func.jacrev(lambda x: (x[:0], x), chunk_size=1)(t.ones(3))
# an operator that has no tangent raises the error after it has written
x = t.ones(3); [raised(lambda: t.func.jvp(lambda v: x.index_reduce_(0, t.tensor([0]), v[:1] * 5, "prod"), (t.ones(3),), (t.ones(3),))), x, x._version]
x = t.full((3,), 2.0); [raised(lambda: t.func.jvp(lambda v: t.sin(v, out=x), (t.ones(3),), (t.ones(3),))), x, x._version]
x = t.full((3,), 2.0); [raised(lambda: t.func.jvp(lambda v: x.heaviside_(v), (t.ones(3),), (t.ones(3),))), x, x._version]
t.func.jvp(lambda v: v.clone().igamma_(v), (t.ones(3),), (t.ones(3),))
t.func.jvp(lambda v: v.clone().index_reduce_(0, t.tensor([7]), v[:1], "prod"), (t.ones(3),), (t.ones(3),))
told(lambda: raised(lambda: t.vmap(t.func.jacfwd(lambda v: v.clone().index_reduce_(0, t.tensor([0]), v[:1], "mean")))(t.ones(2, 3))))
# index_copy_ looks at the memory of its arguments before their sizes
x = t.ones(2, 2); x.index_copy_(0, t.tensor([0]), x)
x = t.ones(2, 2); x.index_copy_(0, t.tensor([0]), x[1])
x = t.ones(2, 2); x.index_copy_(0, t.tensor([0]), t.ones(2, 2))
x = t.ones(2, 2); x.index_copy_(5, t.tensor([0]), x)
# copy_ and clamp_min_ look at memory before sizes, lerp and others at sizes before dtypes
x = t.ones(2, 3, 2); x.unsqueeze(-1).copy_(x)
x = t.ones(3, 3); x.copy_(x[0][:, None])
x = t.ones(2, 3, 2); x.unsqueeze(-1).clamp_min_(x)
x = t.ones(2, 3, 2); x.unsqueeze(-1).clamp_max_(x)
t.lerp(t.arange(12), t.ones(2, 3, 2, dtype=t.int64), 0.5)
t.arange(12).lerp_(t.ones(2, 3, 2, dtype=t.int64), t.ones(2, dtype=t.int64))
t.lerp(t.arange(3), t.arange(3), 0.5)
t.addcmul(t.ones(12) > 0, t.ones(2, 3, 2) > 0, t.ones(2) > 0)
t.clamp_min(t.ones(12), t.ones(2, 3, 2, dtype=t.complex64))
t.masked_fill(t.ones(12), t.ones(2, 3, 2), 1)
t.ones(12).masked_fill_(t.ones(2, 3, 2), 1)
# what kron saves does not count writes to its operands, wherever the batch is
x = t.ones(3, 2, 2).requires_grad_(); t.autograd.grad(t.vmap(lambda a, b: (t.kron(a, b), b.mul_(2))[0], in_dims=(0, -1))(x, t.ones(2, 2, 3)).sum(), x)
x = t.ones(2, 2, 3).requires_grad_(); t.autograd.grad(t.vmap(lambda a, b: (t.kron(b, a), b.mul_(2))[0], in_dims=(-1, 0))(x, t.ones(3, 2, 2)).sum(), x)
# the sizes in the error are those of the outermost batch
t.vmap(t.vmap(lambda a, b: a.clone().index_put_((t.tensor([0, 1]),), b)), in_dims=(0, None))(t.ones(2, 3, 3), t.ones(3, 3))
t.vmap(t.vmap(lambda a, b: a.index_put((t.tensor([0, 1]),), b)), in_dims=(None, 0))(t.ones(3, 3), t.ones(2, 3, 3))
t.vmap(t.vmap(lambda a, b: a.index_put((t.tensor([0, 1]),), b)), in_dims=(0, None))(t.ones(2, 3, 3), t.ones(3, 2))
# in forward mode, the errors and warnings of an operator in place come before those of its tangent
told(lambda: t.vmap(lambda v: t.func.jvp(lambda a: a.clone().cumprod_(0), (v,), (v,)))(t.ones(2)))
told(lambda: t.vmap(lambda v: t.func.jvp(lambda a: a.clone().addmm_(a, a), (v,), (v,)))(t.ones(2, 3)))
told(lambda: raised(lambda: t.vmap(lambda v: t.func.jvp(lambda a: a.clone().addr_(a, a), (v,), (v,)))(t.ones(2, 2, 2))))
t.func.jvp(lambda a: a.clone().baddbmm_(a, a), (t.ones(3),), (t.ones(3),))
# of the parts of a tensor that is written to, the tangents are those before
x = t.tensor([1.0, 2.0, 3.0]); t.func.jvp(lambda a: (b := a.clone()).mul_(b[0].clone()), (x,), (x.cos(),))
# linearize calls its function before it looks at the arguments
c = []; raised(lambda: t.func.linearize(lambda a: c.append(a.sum()) or a, t.arange(3))); c[0]
# the backward of a piecewise linear function has a tangent only if the gradient has
x = t.tensor([0.5, -2.0, 3.0]); t.func.jvp(t.func.grad(lambda a: F.leaky_relu(a).sum()), (x,), (x,))
with_tangents(lambda g, x: t.ops.aten.leaky_relu_backward(g, x, 0.1, False))
with_tangents(lambda g, x: t.ops.aten.hardtanh_backward(g, x, -1, 1))
with_tangents(lambda g, x: t.ops.aten.hardshrink_backward(g, x, 0.5))
with_tangents(lambda g, x: t.ops.aten.softshrink_backward(g, x, 0.5))
with_tangents(lambda g, x: t.ops.aten.threshold_backward(g, x, 0.5))
"""


def _chain(node):
    """The names of the nodes of a graph."""
    if node is None:
        return None
    return [
        node.name().rpartition("::")[2],
        *(_chain(next_node) for next_node, _ in node.next_functions),
    ]


@pytest.mark.parametrize(
    "text", [line for line in PROGRAMS.strip().splitlines() if not line.startswith("#")]
)
def test_as_pytorch(text):
    *statements, expression = text.split("; ")

    def program(torch):
        def unrecorded(function):
            with torch.no_grad():
                return function()

        def told(function):
            """The warnings that a function causes, each once, and its result."""
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                result = function()
            texts = [str(w.message).partition(" (Triggered")[0] for w in caught]
            return [*dict.fromkeys(w for w in texts if "torch.jit" not in w)], result

        def raised(function):
            """A number in place of the error that a function raises."""
            with contextlib.suppress(RuntimeError, ValueError):
                function()
            return torch.ones(())

        def with_tangents(function):
            """Return the tangents of a function of two tensors, if one or both have one or require a gradient."""
            found = []
            for dual in ((0,), (1,), (0, 1)):
                for recorded in ((), (0,), (1,), (2,)):
                    given = [
                        torch.tensor(v) for v in ([1.0, 2, 3], [0.7, -2, math.nan], [0.3, 0.4, 0.5])
                    ]
                    for k in recorded:
                        given[k].requires_grad_()
                    with torch.autograd.forward_ad.dual_level():
                        for k in dual:
                            given[k] = torch.autograd.forward_ad.make_dual(given[k], given[2])
                        found.append(
                            torch.autograd.forward_ad.unpack_dual(function(*given[:2])).tangent
                        )
            return found

        scope = {"t": torch, "F": torch.nn.functional, "inf": math.inf, "nan": math.nan}
        scope |= {
            "chain": _chain,
            "unrecorded": unrecorded,
            "told": told,
            "raised": raised,
            "with_tangents": with_tangents,
        }
        for statement in statements:
            exec(statement, scope)
        return eval(expression, scope)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        compare(program)
