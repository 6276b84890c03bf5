"""`view(dtype)`, which autograd does not see, and views of complex numbers as pairs and back."""

import pytest

from tests.both import compare

DTYPES = ["float32", "int32", "complex64", "float64", "float16"]
USES = {
    "nothing": lambda torch, base, view: None,
    "a write to the view": lambda torch, base, view: view.add_(1),
    "a write to the base": lambda torch, base, view: base.mul_(2),
    "a part of the view": lambda torch, base, view: view[0].zero_(),
    "another shape": lambda torch, base, view: view.unsqueeze_(0),
    "detaching it": lambda torch, base, view: view.detach_(),
}
MAKERS = {
    "a leaf": lambda torch: torch.arange(4.0).view(2, 2).contiguous().requires_grad_(),
    "a result": lambda torch: torch.arange(4.0).view(2, 2).requires_grad_() * 1,
    "a constant": lambda torch: torch.arange(4.0).view(2, 2).clone(),
}


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_a_view_of_another_dtype_is_no_view_to_autograd(dtype, maker, use):
    def program(torch):
        base = MAKERS[maker](torch)
        view = base.view(getattr(torch, dtype))
        about = [
            view is base,
            view._is_view(),
            view._base is base,
            view.requires_grad,
            view.is_leaf,
        ]
        with torch.no_grad() if maker == "a leaf" else torch.enable_grad():
            USES[use](torch, base, view)
        return about, view.grad_fn is None, view.shape, view._version, base._version, base.detach()

    compare(program)


def test_no_gradient_passes_a_view_of_the_same_dtype():
    def program(torch):
        x = torch.ones(2, requires_grad=True)
        x.view(torch.float32).sum().backward()

    compare(program)


def test_a_view_of_integers_as_floats_can_be_a_leaf():
    def program(torch):
        leaf = torch.ones(2, 2, dtype=torch.int32).view(torch.float32).requires_grad_()
        (leaf * 3).sum().backward()
        return leaf.grad

    compare(program)


SHAPES = {
    "transpose_": lambda view: view.transpose_(0, 1),
    "swapaxes_": lambda view: view.swapaxes_(0, -1),
    "unsqueeze_": lambda view: view.unsqueeze_(1),
    "squeeze_": lambda view: view.squeeze_(),
    "as_strided_": lambda view: view.as_strided_((2,), (1,)),
    "two of them": lambda view: view.transpose_(0, 1).unsqueeze_(0),
}
WRITES = {
    "the view": lambda base, view: view.mul_(2),
    "the base": lambda base, view: base.mul_(3),
    "a row": lambda base, view: view[0].mul_(5),
    "both": lambda base, view: (view.mul_(2), base.mul_(3), view.mul_(2)),
    "nothing": lambda base, view: None,
}
THERE_AND_BACK = {
    "as real, as complex": lambda torch, a: torch.view_as_complex(torch.view_as_real(a)),
    "a part, as real, as complex": lambda torch, a: torch.view_as_complex(
        torch.view_as_real(a[:1])
    ),
    "as real, a part, as complex": lambda torch, a: torch.view_as_complex(
        torch.view_as_real(a)[:1]
    ),
    "as real, as complex, as real": lambda torch, a: torch.view_as_real(
        torch.view_as_complex(torch.view_as_real(a))
    )[..., 0],
}


@pytest.mark.parametrize("ends_at_base", [False, True])
@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("make", THERE_AND_BACK)
def test_a_shape_in_place_of_complex_numbers_seen_as_pairs_and_back(
    make, shape, write, ends_at_base
):
    def program(torch):
        leaf = torch.arange(1.0, 10.0).view(3, 3).to(torch.complex64).requires_grad_()
        base = leaf.clone()
        view = THERE_AND_BACK[make](torch, base)
        SHAPES[shape](view)
        WRITES[write](base, view)
        out = base if ends_at_base else view
        weights = torch.arange(1.0, 1.0 + out.numel()).view(out.shape).to(out.dtype)
        out.backward(weights)
        return leaf.grad, view.shape, view.stride(), view._version

    compare(program)
