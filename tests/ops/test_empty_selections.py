"""Values for no element: they are checked as any other, against PyTorch."""

import pytest

from tests.both import compare

SELECTIONS = [
    "x[0:0]",
    "x[[]]",
    "x[torch.zeros(3,dtype=torch.bool)]",
    "x[torch.tensor([],dtype=torch.int64)]",
    "x[:,0:0]",
    "x[...,0:0]",
    "x[1:1,0]",
    "x[0:0,[0,1]]",
]
VALUES = """
1j 'a' None [1,2] 1e300 10**30 -1 300 NAN INF torch.ones(2) torch.ones(0) torch.ones(0,3) torch.ones(3) torch.ones(7)
torch.ones(2,dtype=torch.complex64) torch.ones(1,dtype=torch.complex64) torch.tensor(1j) [] (1,) True torch.tensor(300)
torch.ones(3,dtype=torch.float64) torch.zeros(1,1,1,1) 2.5 2**63 -2**63-1 torch.ones(3,requires_grad=True)
""".split()
NUMBERS = ["1j", "1e300", "-1", "300", "NAN", "INF", "2.5", "2**62", "torch.tensor(300)"]
OPERATIONS = """
e.fill_(v) torch.full((0,),v,dtype=e.dtype) torch.full_like(e,v) e.masked_fill(e.bool(),v) e.masked_fill_(e.bool(),v)
e.index_fill(1,torch.tensor([0]),v) x.index_fill_(0,none,v) x.masked_fill_(torch.zeros(3,3,dtype=torch.bool),v)
x.index_put_((none,),v if isinstance(v,torch.Tensor) else torch.tensor(v)) x[:0].copy_(torch.ones(0,3)) e.mul_(v) e==v
e.add(v) torch.where(e.bool(),e,v) torch.where(x.bool(),x,v) x.narrow(0,0,0).fill_(v) x.addcmul(x,x,value=v)
e.addcmul(e,e,value=v) e.addcdiv(e,e,value=v) F.pad(e,(0,0),value=v) x.scatter_(0,none.reshape(0,3),v)
""".split()
DTYPES = ["float32", "int64", "uint8", "bool", "complex64", "float16", "bfloat16", "int8"]


def scope(torch, dtype):
    return {
        "torch": torch,
        "F": torch.nn.functional,
        "INF": float("inf"),
        "NAN": float("nan"),
        "x": torch.ones(3, 3, dtype=getattr(torch, dtype)),
        "e": torch.ones(0, 3, dtype=getattr(torch, dtype)),
        "none": torch.tensor([], dtype=torch.int64),
    }


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("selection", [*SELECTIONS, "x[0]", "x[[0]]"])
def test_an_assigned_value(selection, dtype):
    for value in VALUES:

        def program(torch, value=value):
            names = scope(torch, dtype)
            exec(f"{selection} = {value}", names)
            return names["x"]

        compare(program)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_number_given_to_an_operator(operation, dtype):
    for value in NUMBERS:

        def program(torch, value=value):
            names = scope(torch, dtype)
            names["v"] = eval(value, names)
            return eval(operation, names)

        compare(program)
