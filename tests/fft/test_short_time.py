"""stft and istft beside PyTorch."""

import numpy as np
import pytest

import minitorch
from tests.both import compare
from tests.expressions import lines

LINES = lines(
    """
    torch.stft(x,16)
    torch.stft(x,16,return_complex=True)
    torch.stft(x,16,return_complex=False)
    torch.stft(z,16)
    torch.stft(z,16,onesided=True)
    torch.stft(x,16,window=w,return_complex=True)
    torch.stft(x,16,window=w[:8],return_complex=True)
    torch.stft(x,16,win_length=8,window=w[:8],return_complex=True)
    torch.stft(x,16,win_length=20,return_complex=True)
    torch.stft(x,0,return_complex=True)
    torch.stft(x,50,return_complex=True)
    torch.stft(x,50,center=False,return_complex=True)
    torch.stft(x,100,return_complex=True)
    torch.stft(x,16,hop_length=0,return_complex=True)
    torch.stft(x,16,center=False,hop_length=4,return_complex=True)
    torch.stft(x[None],16,return_complex=True)
    torch.stft(x[0,0],16,return_complex=True)
    torch.stft(x.long(),16,return_complex=True)
    torch.stft(x,16,pad_mode='x',return_complex=True)
    torch.stft(x,16,pad_mode='constant',normalized=True,return_complex=True)
    torch.stft(x,16,onesided=False,return_complex=True)
    torch.stft(x,16,window=w.to(torch.complex64),return_complex=True)
    torch.stft(x,16,window=w.to(torch.complex64),onesided=True,return_complex=True)
    torch.stft(x,16,window=w.to(torch.complex64))
    torch.stft(x,16,return_complex=True,align_to_window=True)
    torch.stft(x,16,center=False,return_complex=True,align_to_window=True)
    x.stft(16,4,return_complex=True)
    torch.istft(s,16)
    torch.istft(sw,16,window=w)
    torch.istft(x,16)
    torch.istft(s,16,window=w[:8])
    torch.istft(s,8)
    torch.istft(s,16,onesided=False)
    torch.istft(s2,16,return_complex=True)
    torch.istft(s2,16)
    torch.istft(s2,16,onesided=True,return_complex=True)
    torch.istft(s,16,return_complex=True)
    torch.istft(s,16,length=30)
    torch.istft(s,16,length=50)
    torch.istft(s,16,length=60)
    torch.istft(s,16,hop_length=20)
    torch.istft(s,16,hop_length=0)
    torch.istft(s,16,win_length=20)
    torch.istft(s,16,win_length=0)
    torch.istft(s,16,window=torch.zeros(16))
    torch.istft(s,16,center=False)
    torch.istft(sw,16,window=w,center=False)
    torch.istft(s[0],16)
    torch.istft(s[0,0],16)
    torch.istft(s[None],16)
    torch.istft(s[:0],16)
    torch.istft(s,16,normalized=True)
    torch.istft(s,16,window=w.to(torch.complex64))
    torch.istft(s2,16,window=w.to(torch.complex64),return_complex=True)
    torch.istft(s[:, :, :0],16)
    torch.stft(x[0], 16, 4, 8, window=w[:8], center=False, return_complex=True, align_to_window=True)
    torch.stft(x[0], 16, 4, 8, center=False, return_complex=True, align_to_window=False)
    torch.stft(x[0], 16, 5, 8, return_complex=True)
    torch.istft(1)
    torch.istft(s)
    torch.istft(s, 16, 1.5)
    torch.istft(s, 16, 1, 2, 3)
    """
)


def names(torch):
    random = np.random.default_rng(0)
    x = torch.from_numpy(random.random((2, 40)))
    z = torch.from_numpy(random.random((2, 40)) + 1j * random.random((2, 40)))
    w = torch.hann_window(16, dtype=torch.float64)
    return {
        "torch": torch,
        "x": x,
        "z": z,
        "w": w,
        "s": torch.stft(x, 16, return_complex=True),
        "s2": torch.stft(z, 16, return_complex=True),
        "sw": torch.stft(x, 16, window=w, return_complex=True),
    }


def silently(program):
    """Without the warnings that are given once in a process."""

    def run(torch):
        import warnings

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return program(torch)

    return run


@pytest.mark.parametrize("line", LINES)
def test_a_call_does_what_pytorch_does(line):
    compare(silently(lambda torch: eval(line, names(torch))), 1e-9)


@pytest.mark.parametrize("normalized", [False, True])
def test_gradients_are_pytorchs(normalized):
    def program(torch):
        values = names(torch)
        x, w = values["x"].requires_grad_(), values["w"].requires_grad_()
        s = torch.stft(x, 16, window=w, normalized=normalized, return_complex=True)
        y = torch.istft(s * s, 16, window=w, normalized=normalized)
        return torch.autograd.grad((y * y).sum(), (x, w))

    compare(silently(program), 1e-8)


def test_the_inverse_gives_the_signal_back():
    w = minitorch.hann_window(32, dtype=minitorch.float64)
    x = minitorch.randn(3, 200, dtype=minitorch.float64)
    s = x.stft(32, 8, window=w, return_complex=True)
    np.testing.assert_allclose(s.istft(32, 8, window=w, length=200).numpy(), x.numpy(), atol=1e-12)


def test_a_lazy_conjugate_is_transformed_back():
    def program(torch):
        z = (torch.arange(45.0).view(9, 5) + 1j).conj().requires_grad_()
        result = torch.istft(z, 16, window=torch.ones(16))
        result.sum().backward()
        return result, z.grad

    compare(program)
