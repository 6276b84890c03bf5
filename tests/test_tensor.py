"""Methods and attributes of Tensor that are written in Python or convert: as PyTorch's."""

import pytest

from tests.expressions import check, lines

METHODS = lines(
    r"""
x.to(torch.float64)
x.to('cpu') is x
x.to(torch.device('cpu')) is x
x.to(torch.device('cpu'), torch.float64)
x.to(torch.device('cpu'), dtype=torch.int32)
x.to(torch.float64, torch.device('cpu'))
x.to('cpu', 'cpu')
x.to('cpu', device='cpu')
x.to('cpu', non_blocking=True) is x
x.to('cpu', non_blocking='yes')
x.to('cpu', torch.float32, True, False) is x
x.to(torch.ones(1).double(), non_blocking=True)
x.to(torch.ones(1).double(), dtype=torch.float32)
x.to(torch.float32, dtype=torch.float64)
x.to(dtype=torch.float64, device=torch.device('cpu'), non_blocking=True)
x.to(torch.ones(1, device='meta')).is_meta
torch.ones(1, device='meta').to(torch.device('cpu'))
torch.zeros([2], dtype=torch.int64, device=torch.device('cpu'))
x.to('cuda')
x.to('foo')
x.to(torch.ones(1).double()).dtype
x.to('cpu', torch.int64)
x.to('cpu', torch.int64, True, True)
x.to(dtype=torch.int64)
x.to(device='cpu', dtype=torch.int64)
x.to(other=torch.ones(1).double()).dtype
x.to(tensor=torch.ones(1).double()).dtype
x.to()
x.to(None)
x.to(3)
x.to(float)
x.to(int)
x.to(bool)
x.to(complex)
x.to('float64')
x.to(torch.float32, copy=True) is x
x.to(copy=True) is x
x.to(torch.float64, non_blocking=True)
x.to(torch.float64, memory_format=torch.contiguous_format)
torch.ones(1,2,3,4).to(memory_format=torch.channels_last).stride()
torch.ones(1,2,3,4).to(memory_format=torch.channels_last).is_contiguous()
m.t().to(torch.float64).stride()
m.t().to(torch.float64, memory_format=torch.contiguous_format).stride()
m.t().to(torch.float32, memory_format=torch.contiguous_format).stride()
m.t().to(torch.float32, memory_format=torch.preserve_format) is m
torch.ones(2,requires_grad=True).to(torch.float64)
torch.ones(2,requires_grad=True).to(copy=True)
torch.ones(2,requires_grad=True).to(torch.float64, memory_format=torch.contiguous_format)
torch.ones(2,requires_grad=True).to(torch.int64)
torch.ones(2,requires_grad=True).double()
torch.ones(2,requires_grad=True).type(torch.float64)
x.float() is x
x.double()
x.half()
x.int()
x.long()
x.short()
x.char()
x.byte()
x.bool()
x.cfloat()
x.cdouble()
x.cpu() is x
x.cuda()
x.float(memory_format=torch.preserve_format) is x
x.double(3)
x.double(foo=3)
x.type()
x.type(torch.int64)
x.type('torch.LongTensor')
x.type('torch.FooTensor')
x.type(torch.LongTensor)
x.type(float)
x.type(int)
x.type(3)
x.type(dtype=torch.int64)
x.type(None)
x.type_as(torch.ones(1).long())
x.type_as(3)
torch.ones(2).long().type()
torch.ones(2).bool().type()
torch.ones(2).cfloat().type()
torch.tensor([1+2j]).float()
torch.tensor([1.5,-1.5,300.7]).byte()
torch.zeros(2, dtype=int).dtype
torch.zeros(2, dtype=bool).dtype
torch.zeros(2, dtype=complex).dtype
torch.tensor([1], dtype=float)
x.sum(dtype=float).dtype
x.to(torch.float32, True, True) is x
x.to(m) is x
x.to(x, memory_format=torch.channels_last)
x.cpu(memory_format=torch.contiguous_format) is x
x.mT
m.T
torch.ones(2,3,4).T
m.mT
m.H
m.mH
torch.tensor(1.).T
torch.tensor(1.).mT
torch.tensor(1.).H
torch.ones(2,3,4).H
torch.ones(2,3,4).mH.shape
x.H
x.adjoint()
torch.tensor([[1j]]).H
x.real is x
x.imag
torch.tensor([1+2j]).real
torch.tensor([1+2j]).imag
c=torch.tensor([1+2j]);;c.real=5;;c
c=torch.tensor([1+2j]);;c.imag=5;;c
x.imag=5;;x
x.item()
m.item()
torch.tensor([3]).item()
torch.tensor([]).item()
m.tolist()
x.element_size()
x.resize_(2)
x.resize_(2,2).shape
x.resize_((5,)).shape
x.resize_(-1)
x.resize_()
m.t().resize_(2,2)
m.resize_(2,2)
m[0].resize_(2)
torch.ones(2,requires_grad=True).resize_(3)
torch.ones(2,requires_grad=True).resize_(2)
torch.ones(2,3,4,5).resize_(1,2,3,4,memory_format=torch.channels_last).stride()
x.resize_as_(m).shape
x.resize_(2.)
x.view(torch.int32)
m.view(torch.float64).shape
m.view(torch.uint8).shape
x.view(torch.float64)
x.view(dtype=torch.int32)
m.view(2,-1).shape
m.view((2,6)).shape
m.view(5)
m.view(size=(2,6)).shape
m.view(torch.Size([2,6])).shape
m.view(2.)
m.view_as(torch.ones(12)).shape
m.reshape_as(torch.ones(12)).shape
x.expand_as(m[:,:3])
x.expand(2,3)
x.expand(2,-1)
x.expand(-1,2,3)
x.expand(4)
x.broadcast_to((2,3)).shape
x.requires_grad_().requires_grad
x.requires_grad_(False).requires_grad
x.detach_() is x
torch.ones(2,requires_grad=True).mul(2).detach_()
torch.ones(2,3,requires_grad=True).mul(2)[0].detach_()
x.is_same_size(m)
x.apply_(lambda v: v + 1)
torch.ones(2,requires_grad=True).apply_(lambda v: v + 1)
x.map_(torch.ones(3)*2, lambda a, b: a + b)
x.map_(torch.ones(3).double(), lambda a, b: a + b)
torch.ones(3).to_sparse().apply_(abs)
torch.ones(3, device="meta").apply_(abs).shape
torch.func.jvp(lambda t: t.clone().apply_(abs), (x,), (x,))
torch.ones(3).to_sparse().map_(torch.ones(3), max)
torch.ones(3, device="meta").map_(torch.ones(3, device="meta"), max).shape
torch.func.jvp(lambda t: t.clone().map_(t, max), (x,), (x,))
x.nelement()
x.clone(memory_format=torch.preserve_format)
m.t().clone().stride()
m.t().clone(memory_format=torch.contiguous_format).stride()
x.contiguous() is x
m.t().contiguous().stride()
torch.Tensor()
torch.Tensor(2,3).shape
torch.Tensor([1,2])
torch.Tensor([[1,2],[3,4]])
torch.Tensor(torch.ones(2))
torch.Tensor(torch.ones(2).long())
torch.Tensor(3.5)
torch.Tensor('a')
torch.Tensor(torch.Size([2,3])).shape
torch.Tensor((2,3))
torch.Tensor(None)
torch.Tensor(2, 'a')
torch.Tensor(device='cpu')
torch.Tensor([1,2], device='cpu')
torch.FloatTensor([1,2])
torch.LongTensor([1,2])
torch.LongTensor(2).shape
torch.LongTensor([1.5])
torch.ByteTensor([1,2])
torch.BoolTensor([1,0])
torch.DoubleTensor(2,3).dtype
torch.HalfTensor([1])
torch.IntTensor([1])
torch.ShortTensor([1])
torch.CharTensor([1])
isinstance(x, torch.FloatTensor)
isinstance(x, torch.LongTensor)
isinstance(3, torch.LongTensor)
torch.LongTensor.dtype
issubclass(torch.FloatTensor, torch.Tensor)
x.new([1,2])
x.new(2,3).shape
x.new()
torch.ones(1).long().new([1,2])
x.new_tensor([1,2])
x.new_tensor(torch.ones(2))
x.new_zeros(2,3)
x.new_zeros((2,3), dtype=torch.int64)
x.new_ones(2, requires_grad=True)
x.new_full((2,), 3)
x.new_empty(2,3).shape
x.new_empty((2,3)).shape
x.new_empty_strided((2,3),(1,2)).stride()
x.new_zeros('a')
format(x, '')
format(torch.tensor(3.5), '.2f')
format(x, '.2f')
f"{torch.tensor(3)}"
f"{torch.tensor(3):5d}"
float(torch.tensor(1+0j)), int(torch.tensor(2+0j))
float(torch.tensor(1+2j))
int(torch.tensor(1+2j))
torch.zeros(2).map2_(torch.ones(2), torch.arange(2.), lambda a, b, c: a + b + c)
torch.zeros(2).map2_(torch.ones(2), torch.arange(2), lambda a, b, c: a + b + c)
torch.zeros(2, requires_grad=True).map2_(x, x, max)
torch.symeig(x)
torch.eig(x)
torch.lstsq(x, x)
torch.solve(x, x)
torch.matrix_rank(x)
x.symeig()
x.eig()
x.lstsq(x)
x.solve(x)
torch.ones(2, 3).diff(prepend=torch.ones(1))
torch.ones(2, 3).diff(append=torch.ones(3, 1))
torch.ones(2, 3).diff(dim=7, append=torch.ones(1, 4))
torch.polar(torch.ones(1), torch.ones(1).double())
torch.polar(torch.ones(1).half(), torch.ones(1).bfloat16())
torch.bernoulli(torch.ones(2), out=torch.zeros(2, dtype=torch.bool))
torch.ones(2, dtype=torch.complex64).bool(), torch.zeros(2, dtype=torch.bool).copy_(torch.ones(2) * 1j)
torch.tensordot(torch.ones(2, 2), torch.ones(2, 2), ([0, 0], [0, 0]))
torch.corrcoef(torch.ones(1, 2, 2))
torch.einsum(torch.ones(2, 2), [0, 1], torch.ones(2, 2), [1, 99])
torch._foreach_zero_([torch.ones(2)])
torch._foreach_max([torch.ones(0)])
torch.device('cpu', 'a')
"""
)


@pytest.mark.parametrize("line", METHODS)
def test_method_is_pytorchs(line):
    check(line)
