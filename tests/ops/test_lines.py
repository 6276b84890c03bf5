"""Single lines, each of which does the same in PyTorch: masks, promotion, order of checks, overlaps."""

import pytest

from tests.expressions import check, lines

MASKS = lines(
    """
    h = torch.zeros(2, 3).half();; h[:, x > 0] = torch.tensor(-1.5);; h
    h = torch.zeros(2, 3).half();; h[..., torch.tensor([True, False, True])] = torch.tensor([1.5]);; h
    h = torch.zeros(2, 3).half();; h[:, [True, False, True]] = torch.ones(1, 1);; h
    h = torch.zeros(2, 3).half();; h[None, h > 1] = torch.tensor([2]);; h
    h = torch.zeros(2, 3, 2);; h[:, torch.tensor([True, False, True])] = torch.tensor([[2]]);; h
    h = torch.zeros(2, 3, dtype=torch.int32);; h[:, x > 0] = torch.tensor([2.7]);; h
    h = torch.zeros(2, 3, dtype=torch.uint8);; h[:, x > 0] = torch.tensor([1000]);; h
    torch.zeros(2, 3).half().index_put_((torch.ones(2).bool(),), torch.tensor([1.5]))
    torch.zeros(2, 3).half().index_put_((torch.ones(2).bool(), x > 0), torch.tensor([1.5]))
    torch.zeros(2, 3)[:, torch.tensor([1, 0, 1]).byte()].fill_(2.5)
    m.index_put_((torch.tensor([1, 0, 1]).byte(),), torch.tensor([2.5]))
    m[:, torch.tensor([True, False])] = 1;; m
    m[:, :, torch.tensor([True, False])] = 1;; m
    m[:, torch.tensor([True, False, True, True])] = torch.tensor([2j]);; m
    m[torch.tensor(True)] = torch.tensor([5]);; m
    m[:, torch.tensor(True)] = torch.tensor([5.0]).double();; m
    y = torch.tensor([2.0], requires_grad=True);; m[:, m[0] > 1] = y;; m.sum().backward();; y.grad
    """
)
PROMOTION = lines(
    """
    torch.lerp(i, i + 2, torch.tensor(0.5))
    i.lerp_(i, torch.tensor(0.5))
    torch.lerp(i, i, torch.tensor(2))
    torch.lerp(i > 2, i < 2, torch.tensor(0.5))
    torch.lerp(x, x, torch.tensor(0.5 + 0j))
    torch.lerp(x, x, torch.tensor(0.5 + 0j), out=torch.empty(3).double())
    torch.lerp(x[0], x[0], torch.tensor(0.5).double())
    torch.lerp(x, x, torch.tensor(0.5).double())
    torch.lerp(x[0].half(), x[0].half(), torch.tensor(0.5).bfloat16())
    """
)


@pytest.mark.parametrize("line", MASKS)
def test_a_number_is_written_where_a_mask_is_true(line):
    check(line)


@pytest.mark.parametrize("line", PROMOTION)
def test_a_weight_without_dimensions_takes_part_in_promotion(line):
    check(line)


def test_an_array_that_numpy_transposes_stays_the_same_memory():
    check("a = np.arange(6.0).reshape(2, 3);; np.transpose(torch.from_numpy(a)).fill_(7);; a.sum()")
    check("x.__array_wrap__(np.zeros(3)[::-1])")
