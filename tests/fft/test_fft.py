"""torch.fft beside PyTorch and beside the definition of the transform."""

import math
import subprocess
import sys

import numpy as np
import pytest

import minitorch
from tests.both import compare
from tests.expressions import lines

LINES = lines(
    """
    torch.fft.fft(i)
    torch.fft.fft(i>1)
    torch.fft.fft(h)
    torch.fft.rfft(h)
    torch.fft.fft(h[:, :3])
    torch.fft.rfft(h[:, :3])
    torch.fft.rfft(z)
    torch.fft.ihfft(z)
    torch.fft.ihfft2(z)
    torch.fft.rfftn(z)
    torch.fft.irfft(x)
    torch.fft.irfft(i)
    torch.fft.hfft(x)
    torch.fft.hfftn(x)
    torch.fft.fft(s)
    torch.fft.fftn(s)
    torch.fft.fft2(s)
    torch.fft.fft2(i)
    torch.fft.fft(x,n=0)
    torch.fft.fft(x,n=-1)
    torch.fft.fft(x,n=-3)
    torch.fft.irfft(z,n=0)
    torch.fft.irfft(z[:, :1])
    torch.fft.irfft(z[:, :0])
    torch.fft.fft(e,dim=0)
    torch.fft.fft(x,dim=2)
    torch.fft.fft(x,dim=-3)
    torch.fft.fft(x,norm='x')
    torch.fft.rfft(x,norm='x')
    torch.fft.fftn(x,norm='x')
    torch.fft.irfftn(z,norm='x')
    torch.fft.hfftn(z,norm='x')
    torch.fft.hfft(z,norm='x')
    torch.fft.fftn(x,s=(3,),dim=(0,1))
    torch.fft.fftn(x,s=(3,0))
    torch.fft.fftn(x,s=(3,-1))
    torch.fft.fftn(x,s=(3,-2))
    torch.fft.fftn(x,s=(3,3,3))
    torch.fft.fftn(x,dim=(0,0))
    torch.fft.fftn(x,dim=(0,5))
    torch.fft.fftn(x,dim=())
    torch.fft.rfftn(x,dim=())
    torch.fft.irfftn(z,dim=())
    torch.fft.ihfftn(x,dim=())
    torch.fft.hfftn(z,dim=())
    torch.fft.irfftn(z,s=(3,0))
    torch.fft.irfftn(z,s=(3,1))
    torch.fft.rfftn(s)
    torch.fft.irfftn(s)
    torch.fft.fft2(x,dim=(0,1,1))
    torch.fft.fft2(x,s=(1,2,3))
    torch.fft.hfft2(z,s=(1,))
    torch.fft.fftn(x,s=(8,),)
    torch.fft.fftn(x,s=(2,))
    torch.fft.fftshift(x,dim=5)
    torch.fft.fftshift(s)
    torch.fft.fftshift(x,dim=(0,0))
    torch.fft.fftfreq(0)
    torch.fft.fftfreq(5,d=0.5)
    torch.fft.fftfreq(5,dtype=torch.int64)
    torch.fft.fftfreq(-1)
    torch.fft.rfftfreq(5)
    torch.fft.rfftfreq(0)
    torch.fft.fft(x,out=torch.zeros(3,4))
    torch.fft.fft(x,out=torch.zeros(3,4,dtype=torch.complex64))
    torch.fft.fft(x,out=torch.zeros(2,dtype=torch.complex128))
    torch.fft.rfft(x,out=torch.zeros(2,dtype=torch.complex128))
    torch.fft.irfft(z,out=torch.zeros(2,dtype=torch.complex64))
    torch.fft.irfft(z,out=torch.zeros(2,dtype=torch.float64))
    torch.fft.fftn(x,out=torch.zeros(2,dtype=torch.float64))
    torch.fft.fftfreq(4,out=torch.zeros(4,dtype=torch.float64))
    torch.fft.fft(torch.rand(3,5).half())
    torch.fft.hfft(z,n=0)
    torch.fft.ihfft(x,n=0)
    torch.fft.hfft(s)
    torch.fft.ihfftn(x,s=(0,2))
    torch.fft.rfftn(x,s=(0,2))
    """
)

ONE = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]
SEVERAL = ["fftn", "ifftn", "rfftn", "irfftn", "hfftn", "ihfftn"]
PLANE = ["fft2", "ifft2", "rfft2", "irfft2", "hfft2", "ihfft2"]


def inputs(torch, layout):
    """A real and a complex tensor of 3 x 4 x 5 elements that lie in memory in this way."""
    random = np.random.default_rng(0)
    x = torch.from_numpy(random.random((3, 4, 5)))
    z = torch.from_numpy(random.random((3, 4, 5)) + 1j * random.random((3, 4, 5)))
    if layout == "transposed":
        return x.transpose(0, 2), z.transpose(0, 2)
    if layout == "permuted":
        return x.permute(1, 2, 0), z.permute(1, 2, 0)
    if layout == "sliced":
        return x[:, ::2], z[:, ::2]
    if layout == "expanded":
        return x[:1].expand(3, 4, 5), z[:1].expand(3, 4, 5)
    return x, z


def names(torch):
    random = np.random.default_rng(0)
    return {
        "torch": torch,
        "x": torch.from_numpy(random.random((3, 4), dtype="f")),
        "z": torch.from_numpy((random.random((3, 4)) + 1j).astype("complex64")),
        "i": torch.arange(4),
        "h": torch.ones(3, 4).half(),
        "s": torch.tensor(1.0),
        "e": torch.ones(0, 3),
    }


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("line", LINES)
def test_a_call_does_what_pytorch_does(line):
    compare(lambda torch: eval(line, names(torch)))


@pytest.mark.parametrize("argument", ["", "1", "x, 1, 2, 3, 4", "None", "z, dim='a'", "x, wrong=1"])
@pytest.mark.parametrize("name", [*ONE, *SEVERAL, *PLANE, "fftfreq", "fftshift"])
def test_wrong_arguments_raise_as_in_pytorch(name, argument):
    compare(lambda torch: eval(f"torch.fft.{name}({argument})", names(torch)))


@pytest.mark.parametrize("layout", ["contiguous", "transposed", "permuted", "sliced", "expanded"])
@pytest.mark.parametrize("name", [*ONE, *SEVERAL])
def test_values_and_strides_are_pytorchs_in_every_layout(name, layout):
    dims = [[0], [1], [2], [0, 1], [1, 0], [2, 0], [1, 2], [0, 1, 2], [2, 1, 0]]
    choices = dims if name.endswith("n") else [0, 1, 2]

    def program(torch):
        found = []
        for dim in choices:
            for x in inputs(torch, layout):
                if x.is_complex() and name in ("rfft", "ihfft", "rfftn", "ihfftn"):
                    continue
                for norm in (None, "ortho", "forward"):
                    found.append(getattr(torch.fft, name)(x, dim=dim, norm=norm))
        return found

    compare(program, 1e-10)


@pytest.mark.parametrize("points", [3, 8])
@pytest.mark.parametrize("name", [*ONE, *SEVERAL])
def test_the_input_is_cut_or_padded(name, points):
    n = {"s": [points, points]} if name.endswith("n") else {"n": points}
    compare(lambda torch: getattr(torch.fft, name)(inputs(torch, "contiguous")[0], **n), 1e-10)


@pytest.mark.parametrize("name", [*ONE, *SEVERAL, *PLANE])
def test_the_graph_has_pytorchs_nodes(name):
    def program(torch):
        found = []
        for x in inputs(torch, "contiguous"):
            if x.is_complex() and name.startswith(("rfft", "ihfft")):
                continue
            x = x.clone().requires_grad_()
            node = getattr(torch.fft, name)(x).grad_fn
            while node is not None:
                found.append(node.name())
                node = node.next_functions[0][0] if node.next_functions else None
        return found

    compare(program)


@pytest.mark.parametrize("name", [*ONE, *SEVERAL])
def test_gradients_are_pytorchs(name):
    def program(torch):
        x = inputs(torch, "contiguous")[0].requires_grad_()
        y = getattr(torch.fft, name)(x, norm="ortho")
        (g,) = torch.autograd.grad((y * y.conj()).real.sum() if y.is_complex() else (y * y).sum(), x,
                                   create_graph=True)  # fmt: skip
        (second,) = torch.autograd.grad((g * g).sum(), x)
        return [g.detach().contiguous(), second.contiguous()]

    compare(program, 1e-9)


@pytest.mark.parametrize("n", [1, 2, 5, 8, 17])
def test_the_transform_is_its_definition(n):
    x = minitorch.randn(3, n, dtype=minitorch.complex128)
    k = np.arange(n)
    matrix = np.exp(-2j * math.pi * np.outer(k, k) / n)
    np.testing.assert_allclose(minitorch.fft.fft(x).numpy(), x.numpy() @ matrix, atol=1e-12)


def test_forth_and_back_is_the_identity():
    x = minitorch.randn(4, 6, 5, dtype=minitorch.float64)
    for there, back in (("fftn", "ifftn"), ("rfftn", "irfftn"), ("ihfftn", "hfftn")):
        y = getattr(minitorch.fft, there)(x)
        sizes = {} if there == "fftn" else {"s": x.shape}
        again = getattr(minitorch.fft, back)(y, **sizes)
        np.testing.assert_allclose(again.numpy(), x.numpy(), atol=1e-12)


def test_the_result_of_a_transform_can_be_written_to():
    y = minitorch.fft.fft(minitorch.ones(4))
    y += 1
    assert y[1] == 1 and y._version == 1


def test_scipys_transforms_and_functions_are_not_imported_before_they_are_needed():
    program = (
        "import sys, minitorch\n"
        "assert not {'scipy.fft', 'scipy.special'} & set(sys.modules)\n"
        "minitorch.fft.fft(minitorch.ones(2)); minitorch.i0(minitorch.ones(2))\n"
        "assert {'scipy.fft', 'scipy.special'} <= set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize("shape", [(), (1,), (2, 3), (0,), (2, 7)])
@pytest.mark.parametrize("name", ["ifft", "ihfft"])
def test_a_transform_back_of_reals_makes_room_in_out(name, shape):
    def program(torch):
        x = torch.arange(14.0).view(2, 7)
        out = torch.empty(shape, dtype=torch.complex64)
        transform = getattr(torch.fft, name)
        return transform(x, out=out) is out, torch.allclose(out, transform(x)), out.is_conj()

    compare(program)
