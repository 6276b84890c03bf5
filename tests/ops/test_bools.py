"""Bool tensors over bytes that are neither 0 nor 1: each that is not 0 is true."""

import pytest

from tests.both import compare

CALLS = [
    "x[b]", "x.masked_select(b)", "b.nonzero()", "b.sum()", "b.float()", "b.long()", "b.to(torch.complex64)",
    "b.half()", "b.sort(stable=True)", "b.argsort(stable=True)", "b.unique(return_counts=True)",
    "b.unique_consecutive()", "b.view(7, 1).unique(dim=0)", "b.cumsum(0)", "b.cummax(0)", "b.cummin(0)",
    "b.max(0)", "b.view(7, 1).min(0)", "b.mode()", "b == ones", "b != ones", "b < ones", "b >= ones", "b ^ ones",
    "torch.logical_xor(b, ones)", "torch.bincount(b.long())", "b * x", "torch.cat([b, x])", "x.scatter(0, b.long(), 9)",
    "zeros.scatter_reduce(0, index, b, 'amax')", "b.view(7, 1).sum(0)", "torch.repeat_interleave(x, b.long())",
    "torch.where(b, x, -x)", "b[::2] == ones[::2]", "b.to(torch.uint8)", "b.tolist()", "x.masked_fill(b, 9)",
    "torch.equal(b, bytes != 0)",
]  # fmt: skip


@pytest.mark.parametrize("call", CALLS)
def test_each_byte_that_is_not_zero_is_true(call):
    def program(torch):
        data = torch.tensor([0, 2, 255, 128, 1, 0, 7], dtype=torch.uint8)
        names = {
            "torch": torch,
            "bytes": data,
            "b": data.view(torch.bool),
            "x": torch.arange(7.0),
            "ones": torch.ones(7, dtype=torch.bool),
            "zeros": torch.zeros(7, dtype=torch.bool),
            "index": torch.arange(7),
        }
        return eval(call, names)

    compare(program)
