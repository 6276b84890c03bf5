"""Sizes, steps and paddings that no memory has and no integer of the machine holds: errors, never crashes."""

import pytest

import minitorch
from tests.both import compare
from tests.expressions import check

MAX = 2**63 - 1

LINES = [
    line
    for line in """
torch.nn.functional.fold(torch.ones(1, 8, 16), (5, 5), 2**62)
torch.nn.functional.fold(torch.ones(1, 8, 16), (5, 5), (2**33, 2**33))
torch.nn.functional.unfold(torch.ones(1, 2, 5, 5), 2, stride=2**63 - 1)
torch.nn.functional.unfold(torch.ones(1, 2, 5, 5), 2, padding=1, stride=2**62)
torch.nn.functional.fold(torch.ones(1, 8, 1), (5, 5), 2, stride=2**63 - 1)
torch.nn.functional.conv2d(torch.ones(1, 2, 5, 5), torch.ones(2, 2, 3, 3), padding=(1, 2**63 - 1))
torch.nn.functional.conv2d(torch.ones(1, 2, 5, 5), torch.ones(2, 2, 3, 3), stride=2**63 - 1)
torch.nn.functional.max_pool2d(torch.ones(1, 2, 5, 5), (2**31, 1))
torch.nn.functional.max_pool2d(torch.ones(1, 2, 5, 5), 2, stride=2**63 - 1)
torch.nn.functional.avg_pool2d(torch.ones(1, 2, 5, 5), 2, padding=2**40)
torch.nn.functional.avg_pool3d(torch.ones(1, 2, 5, 5, 5), 2**31 - 1, padding=2**30 - 1)
torch.arange(0, 1, float("nan"))
torch.range(0, float("nan"))
torch.range(float("-inf"), 0)
torch.range(0, 1, float("nan"))
torch.ones(1).expand(2**62).tolist()
torch.ones(2, 3).chunk(2**40)
torch.nn.utils.rnn.pad_packed_sequence(torch.nn.utils.rnn.PackedSequence(torch.ones(4, 3), torch.tensor([2**63 - 1, 1])))
""".splitlines()
    if line
]


@pytest.mark.parametrize("line", LINES)
def test_answers_are_pytorchs(line):
    check(line)


# PyTorch computes with what is left of such numbers in 64 bits
@pytest.mark.parametrize("name", ["conv1d", "conv2d", "conv3d"])
@pytest.mark.parametrize(
    "options",
    [{"dilation": MAX}, {"dilation": 2**62}, {"padding": 2**62 - 1}],
)
def test_windows_beyond_all_addresses_are_refused(name, options):
    dims = int(name[4])
    image, kernel = minitorch.ones([1, 2] + [5] * dims), minitorch.ones([2, 2] + [3] * dims)
    with pytest.raises(RuntimeError, match="is too large"):
        getattr(minitorch.nn.functional, name)(image, kernel, **options)


@pytest.mark.parametrize(
    "options",
    [{"dilation": MAX}, {"stride": 2**62}, {"stride": MAX}, {"output_padding": MAX}],
)
def test_images_beyond_all_addresses_are_refused(options):
    image, kernel = minitorch.ones(1, 2, 5, 5), minitorch.ones(2, 2, 3, 3)
    with pytest.raises(RuntimeError, match="is too large"):
        minitorch.nn.functional.conv_transpose2d(image, kernel, **options)


def test_columns_of_windows_beyond_all_addresses_are_refused():
    with pytest.raises(RuntimeError, match="is too large"):
        minitorch.nn.functional.unfold(minitorch.ones(1, 2, 5, 5), 3, dilation=MAX)


def test_more_parts_than_memory_holds_are_refused_at_once():
    with pytest.raises(MemoryError):
        minitorch.ones(3).tensor_split(MAX)


@pytest.mark.parametrize("stride", [(1,), ()])
def test_a_storage_does_not_grow_for_a_tensor_that_is_as_long_as_before(stride):
    def program(torch):
        storage = torch.arange(3.0).untyped_storage()
        return torch.ones(4).set_(storage, 0, (4,), stride)

    compare(program)


def test_a_tensor_whose_sizes_stay_keeps_its_strides_when_none_are_given():
    compare(
        lambda torch: torch.ones(4, 4).t().set_(torch.arange(16.0).untyped_storage(), 0, (4, 4))
    )
