"""gradient and trapezoid beside PyTorch."""

import numpy as np
import pytest

from tests.both import compare
from tests.expressions import lines

LINES = lines(
    """
    torch.gradient(x)
    torch.gradient(x,spacing=2.)
    torch.gradient(x,spacing=[2.,3.])
    torch.gradient(x,spacing=[torch.arange(4.)**2,torch.arange(5.)*1.5])
    torch.gradient(x,spacing=(torch.arange(4.)**2,),dim=0)
    torch.gradient(x,spacing=(torch.arange(4.)**2,torch.arange(5.)),dim=(0,1),edge_order=2)
    torch.gradient(x,dim=1,edge_order=2)
    torch.gradient(x,dim=(0,1),spacing=2)
    torch.gradient(x,dim=(1,0),spacing=[1.,2.])
    torch.gradient(z)
    torch.gradient(i)
    torch.gradient(x,edge_order=3)
    torch.gradient(x,spacing=[1.])
    torch.gradient(x,spacing=[1.,2.,3.])
    torch.gradient(x,dim=(0,0))
    torch.gradient(x,dim=5)
    torch.gradient(x,spacing=[torch.rand(2,2),torch.rand(5)])
    torch.gradient(x[:1],dim=0)
    torch.gradient(x[:2],dim=0,edge_order=2)
    torch.gradient(x>0)
    torch.gradient(x,spacing=0)
    torch.gradient(torch.tensor(1.))
    torch.gradient(i.to(torch.uint8))
    torch.gradient(x,spacing=[torch.arange(4),torch.arange(5)])
    torch.trapezoid(x)
    torch.trapezoid(x,dx=2)
    torch.trapezoid(x,dx=2,dim=0)
    torch.trapezoid(x,torch.arange(5.))
    torch.trapezoid(x,torch.arange(4.),dim=0)
    torch.trapezoid(x,torch.arange(3.))
    torch.trapezoid(x,torch.tensor(2.))
    torch.trapezoid(torch.tensor(2.))
    torch.trapezoid(i)
    torch.trapezoid(x>0)
    torch.trapezoid(x,x>0)
    torch.trapezoid(x,dx=True)
    torch.trapezoid(x,dx=1j)
    torch.trapezoid(x[:, :0])
    torch.trapezoid(x[:, :1])
    torch.trapezoid(x,dim=3)
    torch.trapz(x,dx=2)
    torch.trapz(x,torch.arange(5.))
    torch.cumulative_trapezoid(x)
    torch.cumulative_trapezoid(x,dx=2,dim=0)
    torch.cumulative_trapezoid(x,torch.arange(5.))
    torch.cumulative_trapezoid(x,torch.arange(4.),dim=0)
    torch.cumulative_trapezoid(x,torch.arange(3.))
    torch.cumulative_trapezoid(torch.tensor(2.))
    torch.cumulative_trapezoid(i)
    torch.cumulative_trapezoid(x>0)
    torch.cumulative_trapezoid(x[:, :0])
    """
)


def names(torch):
    random = np.random.default_rng(0)
    return {
        "torch": torch,
        "x": torch.from_numpy(random.random((4, 5), dtype="f")),
        "z": torch.from_numpy((random.random((4, 5)) + 1j).astype("complex64")),
        "i": torch.arange(4),
    }


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("line", LINES)
def test_a_call_does_what_pytorch_does(line):
    compare(lambda torch: eval(line, names(torch)), 1e-5)
