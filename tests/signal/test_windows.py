"""Windows beside PyTorch and SciPy."""

import numpy as np
import pytest

import minitorch
from tests.both import compare
from tests.expressions import lines

LINES = lines(
    """
    torch.signal.windows.kaiser(5,beta=-1)
    torch.signal.windows.kaiser(1,beta=-1)
    torch.signal.windows.gaussian(5,std=0)
    torch.signal.windows.exponential(5,tau=0)
    torch.signal.windows.exponential(5,center=2)
    torch.signal.windows.exponential(0,tau=-1)
    torch.signal.windows.general_cosine(5,a=1)
    torch.signal.windows.general_cosine(5,a=[])
    torch.signal.windows.general_cosine(1,a=[])
    torch.kaiser_window(5)
    torch.kaiser_window(5,False,3.)
    torch.kaiser_window(-1)
    torch.kaiser_window(1)
    torch.kaiser_window(0)
    torch.kaiser_window(5,dtype=torch.float16)
    torch.hann_window(-1)
    torch.kaiser_window(5,True,-2.)
    torch.blackman_window(5)
    torch.hann_window(5, dtype=torch.int64)
    torch.kaiser_window(5, dtype=torch.int64)
    torch.hamming_window(3, 'x')
    torch.kaiser_window(3, True, 'x')
    """
)

WINDOWS = minitorch.signal.windows.__all__
ARGUMENTS = {"general_cosine": {"a": [0.4, 0.5, 0.1]}}


@pytest.mark.parametrize("line", LINES)
def test_a_call_does_what_pytorch_does(line):
    compare(lambda torch: eval(line, {"torch": torch}), 1e-6)


@pytest.mark.parametrize("sym", [True, False])
@pytest.mark.parametrize("name", WINDOWS)
def test_a_window_is_pytorchs(name, sym):
    def program(torch):
        found = []
        for n in (0, 1, 2, 3, 7, 8):
            window = getattr(torch.signal.windows, name)
            found.append(window(n, sym=sym, dtype=torch.float64, **ARGUMENTS.get(name, {})))
            found.append(window(n, sym=sym, requires_grad=True, **ARGUMENTS.get(name, {})))
        return found

    compare(program, 1e-6)


@pytest.mark.parametrize("arguments", [(-1,), (3.5,), ("x",)])
@pytest.mark.parametrize("name", ["cosine", "kaiser", "bartlett"])
def test_a_length_that_is_none_is_refused(name, arguments):
    def program(torch):
        try:
            getattr(torch.signal.windows, name)(*arguments)
        except (TypeError, ValueError) as error:
            return type(error).__name__

    compare(program)


@pytest.mark.parametrize("sym", [True, False])
@pytest.mark.parametrize("name", ["bartlett", "blackman", "cosine", "hann", "hamming", "nuttall"])
def test_a_window_is_scipys(name, sym):
    windows = pytest.importorskip("scipy.signal").windows
    ours = getattr(minitorch.signal.windows, name)(9, sym=sym, dtype=minitorch.float64)
    np.testing.assert_allclose(ours.numpy(), getattr(windows, name)(9, sym=sym), atol=1e-12)
