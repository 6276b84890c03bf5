"""After the same seed every function of random numbers gives PyTorch's numbers."""

import subprocess
import sys

import pytest

from tests.both import compare
from tests.expressions import check, lines

RANDOM = lines(
    r"""
torch.rand(3)
torch.rand(3, dtype=torch.float64)
torch.rand(2, 3, dtype=torch.float16)
torch.rand(2, dtype=torch.complex64)
torch.randn(3)
torch.randn(20).tolist()[:3]
torch.randn(15), torch.randn(17)
torch.randn(4, 5, dtype=torch.float64)
torch.randn(3, dtype=torch.complex64)
torch.randn(40, dtype=torch.float16)
torch.randint(10, (5,))
torch.randint(-5, 5, (2, 3))
torch.randint(0, 2**40, (3,))
torch.randint(0, 10, (4,), dtype=torch.int8)
torch.randint(0, 10, (4,), dtype=torch.float64)
torch.randint(0, 2, (4,), dtype=torch.bool)
torch.randperm(10)
torch.randperm(5, dtype=torch.int32)
torch.randperm(0)
torch.rand_like(m)
torch.randn_like(m)
torch.randn_like(m.t()).stride()
torch.randn_like(m.t())
torch.rand_like(m, dtype=torch.float64)
torch.randint_like(m, 5)
torch.randint_like(m, 2, 5)
torch.randint_like(i, torch.tensor(5))
torch.normal(0., 1., (4,))
torch.normal(0, 2, (2, 3))
torch.normal(0.5, 1, [2], dtype=torch.float64)
torch.normal(0, 1, size=(3,), requires_grad=True)
torch.normal(0., 1., (2,), generator=torch.Generator().manual_seed(3))
torch.normal(0, -1, (2,))
torch.normal(0, True, (2,))
torch.normal(0, 1, (2,), size=(3,))
torch.normal(m, 1.)
torch.normal(m, 2)
torch.normal(m, -1)
torch.normal(m, m + 1)
torch.normal(2., m + 1)
torch.normal(torch.zeros(20), torch.ones(20))
torch.normal(torch.zeros(20), 2.)
torch.normal(mean=0.5, std=torch.arange(1., 6.))
torch.bernoulli(torch.full((3, 4), 0.5))
torch.bernoulli(m / 12)
torch.bernoulli((m / 12).t())
torch.bernoulli(m, 0.3)
m.bernoulli(0.3)
m.bernoulli_()
m.bernoulli_(0.2)
m.bernoulli_(torch.full((4,), 0.5))
m.t().bernoulli_(torch.full((4, 3), 0.5))
i.bernoulli_(0.5)
m.uniform_()
m.uniform_(-1, 1)
m.uniform_(**{'from': 1, 'to': 2})
m.uniform_(to=2, **{'from': torch.tensor(1.0)}, generator=None)
m.uniform_(0.5, **{'from': 1})
m.double().uniform_(2, 3)
m.t().uniform_()
m[:, ::2].uniform_();; m[:, ::2].uniform_();; m
m.normal_()
m.normal_(3, 2)
m.t().normal_()
torch.zeros(5, 6).normal_()
torch.zeros(5, 6).t().normal_()
torch.zeros(5, 6)[:, ::2].normal_()
torch.zeros(8, 6)[:, 1:].normal_()
torch.zeros(4, 3, 2).permute(2, 0, 1).uniform_()
torch.zeros(4, 3, 2).permute(2, 0, 1)[:, 1:].uniform_()
torch.zeros(3, 1).expand(3, 4).uniform_()
m.exponential_()
m.exponential_(2.)
m.t().exponential_()
m.geometric_(0.3)
i.geometric_(0.3)
m.cauchy_()
m.log_normal_()
m.random_()
i.random_()
i.random_(10)
i.random_(5, 10)
i.random_(-(2**63), None)
m.random_(0, 100)
torch.zeros(5, dtype=torch.uint8).random_()
torch.zeros(5, dtype=torch.bool).random_()
torch.multinomial(torch.tensor([1., 2, 3]), 2)
torch.multinomial(torch.tensor([1., 2, 3]), 10, replacement=True)
torch.multinomial(torch.tensor([[1., 2, 3], [3, 0, 1]]), 2)
torch.multinomial(torch.tensor([1., 2, 3]), 1)
torch.tensor([1., 2, 3]).multinomial(2)
torch.poisson(torch.tensor([1., 5, 20]))
torch.binomial(torch.tensor([10., 100]), torch.tensor([0.3, 0.5]))
g = torch.Generator();; g.manual_seed(3);; torch.rand(3, generator=g), torch.rand(2)
g = torch.Generator().manual_seed(3);; h = torch.Generator().manual_seed(4);; h.set_state(g.get_state());; torch.rand(3, generator=h)
g = torch.Generator().manual_seed(3);; m.uniform_(generator=g)
g = torch.Generator().manual_seed(3);; torch.randperm(6, generator=g)
s = torch.get_rng_state();; a = torch.rand(2);; torch.set_rng_state(s);; torch.equal(a, torch.rand(2))
torch.manual_seed(-5);; torch.initial_seed()
torch.initial_seed()
torch.Generator().initial_seed()
torch.random.manual_seed(4);; torch.rand(1)
torch.rand(2, out=torch.zeros(2))
o = torch.zeros(3, 2);; torch.randn(2, 3, out=o);; o.shape
torch.rand(3, requires_grad=True)
torch.rand((2, 3)).shape, torch.rand([2, 3]).shape, torch.rand(torch.Size([2, 3])).shape, torch.rand(()).shape, torch.rand(size=(1,)).shape
torch.rand(0), torch.randn(0)
torch.rand(3, device='cpu'), torch.rand(3, layout=torch.strided)
p = torch.ones(3, requires_grad=True);; p.uniform_()
p = torch.ones(3, requires_grad=True);; q = p * 2;; q.uniform_();; q.sum().backward();; p.grad
p = torch.ones(3, requires_grad=True);; (p * 1).normal_().grad_fn.name()
p = torch.ones(3, requires_grad=True);; (p * 1).bernoulli_(0.5).grad_fn.name()
p = torch.ones(3, requires_grad=True);; torch.bernoulli(p * 0.5).grad_fn.name()
p = torch.ones(3, requires_grad=True);; torch.rand_like(p).requires_grad
m.uniform_();; m._version
torch.seed() != torch.seed()
torch.dropout(torch.ones(10), 0.5, True)
torch.rand(2, dtype=torch.int64)
torch.randn(2, dtype=torch.int64)
torch.randn(2, dtype=torch.complex64).dtype
torch.randint(0, (2,))
torch.randint(3, 3, (2,))
torch.randint(3, (2,2), dtype=torch.float32).dtype
torch.randint(3)
torch.randint(300, (2,), dtype=torch.uint8)
torch.randint(high=3, size=(2,)).dtype
torch.randperm(-1)
torch.randperm(300, dtype=torch.uint8)
torch.randperm(3, dtype=torch.bool)
torch.rand_like(torch.ones(3, dtype=torch.int64))
torch.randint_like(x, 3).dtype
torch.manual_seed('a')
torch.manual_seed(2**64)
torch.manual_seed(-2**63-1)
torch.get_rng_state().shape
torch.set_rng_state(torch.zeros(3))
torch.set_rng_state(torch.zeros(3, dtype=torch.uint8))
torch.Generator().get_state().dtype
torch.Generator('cpu').device
torch.rand(2, generator=3)
torch.rand(2, generator=None).shape
torch.rand(2, generator=torch.Generator().manual_seed(0))
x.uniform_(1, 0)
x.normal_(0, -1)
x.bernoulli_(2)
x.bernoulli_(torch.tensor([1.,2.]))
torch.zeros(2,dtype=torch.int64).uniform_()
x.random_(3, 2)
x.random_(0)
x.exponential_(-1)
x.geometric_(0)
x.cauchy_(0, 0)
x.log_normal_(0, 0)
torch.normal(0, 1)
torch.normal(0., 1., (2,)).shape
torch.normal(x, -1)
torch.normal(x, -x)
torch.normal(x, torch.ones(2))
torch.multinomial(torch.ones(3), 4)
torch.multinomial(torch.ones(3), 0)
torch.multinomial(torch.ones(3), -1)
torch.multinomial(-torch.ones(3), 1)
torch.multinomial(torch.zeros(3), 1)
torch.multinomial(torch.ones(3).long(), 1)
torch.multinomial(torch.ones(3,3,3), 1)
torch.bernoulli(torch.ones(3)*2)
torch.bernoulli(torch.ones(3, dtype=torch.long))
torch.poisson(-torch.ones(2))
"""
)


@pytest.mark.parametrize("line", RANDOM)
def test_random_numbers_are_pytorchs(line):
    check(line)


def test_a_fork_for_no_kind_of_device():
    def program(torch):
        with torch.random.fork_rng(device_type="abacus"):
            pass

    compare(program)


def test_programs_that_do_not_seed_draw_other_numbers_each_time():
    program = (
        "import minitorch as torch; print(torch.initial_seed(), torch.Generator().initial_seed())"
    )
    printed = [
        subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True
        ).stdout.split()
        for _ in range(2)
    ]
    (one, new), (other, again) = printed
    assert one != other
    assert new == again
