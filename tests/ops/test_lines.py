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


@pytest.mark.parametrize(
    "line",
    lines(
        """
        i % torch.tensor([0, 0, 1])
        i.remainder(torch.tensor([0, 0, 1]))
        torch.div(i, torch.tensor([0, 0, 1]), rounding_mode="trunc")
        torch.tensor([True]).fmod_(0)
        torch.tensor([1]).fmod_(torch.tensor([0, 0]))
        torch.fmod(i, 0, out=torch.empty(6).bool())
        i % 0
        torch.fmod(i, 0, out=torch.empty(6))
        """
    ),
)
def test_shapes_and_dtypes_are_checked_before_a_division_by_zero(line):
    check(line)


@pytest.mark.parametrize(
    "line",
    lines(
        """
        torch.cumsum(i[1:], 0, out=i[:5])
        torch.cumsum(m, 1, out=m)
        torch.logcumsumexp(x[1:], 0, out=x[:2])
        torch.topk(x, 2, out=(x[:2], i[:2]))
        torch.topk(i, 2, out=(torch.empty(2).long(), i[:2]))
        torch.sort(x[1:], out=(x[:2], i[:2]))
        torch.sort(i[1:], out=(torch.empty(5).long(), i[:5]))
        torch.msort(m[1:], out=m[:2])
        torch.max(m, 0, out=(m[0], i[:4]))
        torch.max(m[:1], 0, out=(m[0], i[:4]))
        torch.max(x[1:], x[1:], out=x[:2])
        torch.max(x, out=x[0])
        torch.aminmax(m, dim=0, out=(m[0], m[1]))
        torch.where(x[1:] > 1, x[1:], x[:2], out=x[:2])
        torch.where(x > 1, x, x, out=x)
        torch.nonzero(i, out=i.view(6, 1))
        torch.frexp(x[1:], out=(x[:2], torch.empty(2).int()))
        torch.kthvalue(x, 2, out=(x[1], i[0]))
        """
    ),
)
def test_a_result_may_not_share_a_part_of_an_input(line):
    check(line)
