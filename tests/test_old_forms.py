"""Old constructors, names and settings, and their errors, are PyTorch's."""

import subprocess
import sys

import pytest

from tests.both import compare
from tests.expressions import check, lines

LINES = lines(
    r"""
torch.Tensor(device='meta')
torch.Tensor([1], device='cuda')
torch.Tensor(2, device='meta')
torch.Tensor([1, 2], device='cpu')
x.new([1], device='cuda')
x.new(torch.ones(2, device='meta'))
torch.ones(1, device='meta').new(2).device, torch.ones(1, device='meta').new([1, 2]).device
torch.ones(1, device='meta').new(2, device='cpu')
torch.ones(1, device='meta').new(torch.ones(2, device='meta')).device
torch.IntTensor(torch.ones(2))
x.new(torch.ones(2, dtype=torch.bfloat16))
torch.device()
torch.device(None)
torch.device(1)
torch.device('cpu', -1)
torch.device('cuda:01')
torch.device('')
torch.device(torch.device('cpu'), 1)
torch.storage._LegacyStorage(3)
torch.empty(2, out=torch.empty(0), memory_format=torch.contiguous_format)
x.resize_(1, memory_format=torch.preserve_format)
torch.Generator('meta')
torch.Generator(1)
torch.Generator('foo')
torch.Generator('mps')
torch.Generator('hpu')
torch.Generator(1.5)
torch.Generator(None).device, torch.thread_safe_generator()
torch.random.fork_rng(devices=[0]).__enter__()
torch.use_deterministic_algorithms(1)
torch.use_deterministic_algorithms(True, warn_only=None)
torch.set_num_interop_threads(0)
torch.set_num_interop_threads(2.5)
torch.set_num_interop_threads(True)
torch.set_flush_denormal(1)
torch.set_default_tensor_type('torch.foo')
torch.set_default_tensor_type('foo')
torch.set_default_tensor_type('torch.IntTensor')
torch.set_default_tensor_type('torch.cuda.FloatTensor')
torch.set_default_tensor_type(torch.float)
torch.iinfo()
{torch.finfo(): 1}
torch.FloatTensor.layout, torch.LongTensor.__doc__, type(torch.FloatTensor)
torch.ones(2, 2).rot90(1, [0, 5])
torch.ones(2, 2).rot90(1, [-3, 0])
m.index_select(1, torch.tensor([0, 4]))
m.index_select(0, torch.tensor([0, 4]))
m[:0].index_select(1, torch.tensor([-1]))
x.repeat_interleave(2, dim=1)
torch.tensor(1.0).repeat_interleave(2, dim=-2)
x.map2_(torch.ones(2), torch.ones(4), max)
torch.fft.fft(c.to(torch.complex32))
torch._foreach_powsum([i])
torch._foreach_powsum([x], 1j)
torch._foreach_powsum([x, m], 3)
    """
)


@pytest.mark.parametrize("line", LINES)
def test_the_line_is_pytorchs(line):
    check(line)


def test_the_smallest_numbers_are_flushed_where_that_is_asked_for():
    def program(torch):
        small, wide = torch.tensor([1e-42, 1.0]), torch.tensor([1e-320, 1e-42], dtype=torch.float64)
        found = [torch.set_flush_denormal(True)]
        found += [small + 0, wide * 1, torch.tensor([1e-38]) * 0.01]
        torch.set_flush_denormal(False)
        return [*found, small + 0, wide * 1]

    compare(program)


@pytest.mark.parametrize("name", ["has_cuda", "has_cudnn", "has_mps"])
def test_old_questions_warn_and_answer(name):
    compare(lambda torch: getattr(torch, name))


def test_the_number_of_operators_side_by_side_is_set_once():
    program = (
        "import minitorch as torch\n"
        "torch.set_num_interop_threads(3)\n"
        "print(torch.get_num_interop_threads())\n"
        "torch.set_num_interop_threads(3)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "3\n"
    assert "cannot set number of interop threads after" in done.stderr


@pytest.mark.parametrize(
    "make",
    [
        lambda torch, x: torch.Tensor(x),
        lambda torch, x: torch.FloatTensor(x),
        lambda torch, x: x.new(x),
        lambda torch, x: type("Own", (torch.Tensor,), {})(x),
    ],
)
def test_an_old_constructor_gives_an_alias_of_a_tensor(make):
    def program(torch):
        x = torch.ones(2, requires_grad=True)
        y = make(torch, x)
        node = type(y.grad_fn).__name__
        (y * 3).sum().backward()
        with torch.no_grad():
            y += 1
        return type(y).__name__, y._is_view(), y._base is x, node, x.grad, x._version

    compare(program)
