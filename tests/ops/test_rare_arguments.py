"""Arguments that few programs give: nothing to compute, other types, other layouts."""

import pytest

from tests.both import compare
from tests.expressions import check

LINES = [
    line
    for line in """
torch.softmax(torch.tensor(1), 0)
torch.softmax(torch.empty(0, 2).int(), 1)
torch.softmax(i, 0)
torch.linspace(0, 1, 1, dtype=torch.bool)
torch.linspace(0, 1, 3, dtype=torch.bool)
torch.logspace(0, 1, 3, dtype=torch.bool)
torch.nonzero(i, as_tuple=True, out=torch.empty(0).long())
torch.quantile(x, torch.tensor([0.5, 2.0]))
torch.segment_reduce(x, "sum", lengths=torch.tensor([1, 2]), axis=1)
torch.segment_reduce(torch.ones(3), "amax", offsets=torch.tensor([0, 2, 3])).mul(2)
torch.segment_reduce(torch.ones(3), "amin", lengths=torch.tensor([1, 2]), initial=0)
torch.segment_reduce(x, "sum", lengths=torch.tensor([1, 2]), axis=-1)
torch._convert_indices_from_coo_to_csr(torch.tensor([0, 0, 2]), 4, out_int32=True)
torch._convert_indices_from_coo_to_csr(torch.tensor([], dtype=torch.int64), size=2)
torch._convert_indices_from_coo_to_csr(torch.tensor([[0, 0, 2]]), 4)
torch._convert_indices_from_coo_to_csr(torch.tensor([0.0]), 4)
torch._convert_indices_from_csr_to_coo(torch.tensor([0, 2, 2, 3]), torch.tensor([1, 0, 2]), transpose=True)
torch._convert_indices_from_csr_to_coo(torch.tensor([[0, 2, 3], [0, 1, 3]]), torch.tensor([[1, 0, 2], [0, 1, 1]]))
torch._convert_indices_from_csr_to_coo(torch.tensor([0.0]), torch.tensor([1]))
torch._foreach_norm([torch.empty(0)], float("inf"))
torch.signal.windows.blackman(-1)
hasattr(m.max(1), "_fields"), m.max(1)
torch.max(m, 1, out=type(m.max(1))([torch.empty(0), torch.empty(0).long()]))
torch.nn.functional.max_unpool2d(*torch.nn.functional.max_pool2d(torch.arange(32.0).view(1, 2, 4, 4).to(memory_format=torch.channels_last), 2, return_indices=True), 2).stride()
torch.ops.aten._upsample_bilinear2d_aa(m[None, None], [2, 2], False, 0.5, 0.7)
torch.ops.aten._upsample_bilinear2d_aa(m[None, None], [2, 2], True)
torch.nn.functional.interpolate(m[None, None].half(), scale_factor=0.5, mode="bilinear", antialias=True)
torch.arange(3).apply_(lambda k: "a")
x.apply_(lambda k: "a")
torch.backends.cuda.preferred_linalg_library("x")
torch.backends.cuda.preferred_blas_library()
torch.set_float32_matmul_precision("foo")
""".splitlines()
    if line
]


@pytest.mark.parametrize("line", LINES)
def test_answers_are_pytorchs(line):
    check(line)


@pytest.mark.parametrize("dtype", ["float32", "int32", "bool", "complex64"])
def test_a_tensor_that_grows_is_filled_where_that_is_asked_for(dtype):
    torch = pytest.importorskip("minitorch")
    torch.use_deterministic_algorithms(True)
    try:
        t = torch.zeros(2, dtype=getattr(torch, dtype)).resize_(5)
        wanted = torch.empty(3, dtype=t.dtype)
    finally:
        torch.use_deterministic_algorithms(False)
    assert t[:2].tolist() == [0, 0]
    assert repr(t[2:]) == repr(wanted)


def test_old_ways_to_index_warn_each_time():
    def program(torch):
        x, mask = torch.arange(6).view(2, 3), torch.tensor([1, 0], dtype=torch.uint8)
        y = x.clone().index_put_((mask,), x[mask], accumulate=True)
        return x[mask], x[mask], x[[[0, 1], [1, 0]]], x[[slice(None), 0]], x[[0, 1]], y

    compare(program)


def test_a_number_goes_where_a_mask_of_bools_is_true_but_not_one_of_bytes():
    def program(torch):
        x = torch.zeros(3)
        x[torch.tensor([1, 0, 1], dtype=torch.uint8)] = 1

    compare(program)
