"""Views that read complex numbers as pairs, or pairs as complex numbers, whose shape changes in place."""

import pytest

from tests.both import compare

BASES = {
    "view_as_real": ((2, 2), "complex64", lambda torch, a: torch.view_as_real(a)),
    "view_as_real of a row": ((3, 2), "complex64", lambda torch, a: torch.view_as_real(a[1])),
    "view_as_real, not square": ((2, 3), "complex64", lambda torch, a: torch.view_as_real(a)),
    "real": ((2, 2), "complex64", lambda torch, a: a.real),
    "imag": ((2, 3), "complex64", lambda torch, a: a.imag),
    "view_as_complex": ((2, 2, 2), "float32", lambda torch, a: torch.view_as_complex(a)),
    "view_as_complex, not square": (
        (2, 3, 2),
        "float32",
        lambda torch, a: torch.view_as_complex(a),
    ),
    "conj": ((2, 2), "complex64", lambda torch, a: a.conj()),
    "imag of conj": ((2, 2), "complex64", lambda torch, a: a.conj().imag),
    "same dtype": ((2, 2), "float32", lambda torch, a: a[:]),
    "same dtype, not square": ((2, 3), "float32", lambda torch, a: a[:]),
    "complex, same dtype": ((2, 2), "complex64", lambda torch, a: a.view_as(a)),
    "one row": ((1, 2), "complex64", lambda torch, a: torch.view_as_real(a)),
}
SHAPES = {
    "transpose_": lambda b: b.transpose_(0, 1),
    "swapaxes_": lambda b: b.swapaxes_(0, -1),
    "unsqueeze_": lambda b: b.unsqueeze_(0),
    "squeeze_": lambda b: b.squeeze_(0),
    "t_": lambda b: b.t_() if b.dim() == 2 else b,
    "as_strided_": lambda b: b.as_strided_((2,), (1,)),
    "transposed twice": lambda b: b.transpose_(0, 1).transpose_(0, 1),
}
WRITES = {
    "to the view": lambda a, b: b.mul_(2),
    "to the base": lambda a, b: a.mul_(2),
    "to a view of the view": lambda a, b: b[0].mul_(2),
    "to a later view": lambda a, b: a[0].mul_(2),
    "nothing": lambda a, b: None,
}


@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("base", BASES)
def test_gradients_after_the_shape_of_a_view_changed_in_place(base, shape, write):
    sizes, dtype, look = BASES[base]

    def program(torch):
        count = torch.Size(sizes).numel()
        a0 = torch.arange(1.0, 1 + count).view(sizes).to(getattr(torch, dtype)).requires_grad_()
        a = a0 * 1
        b = look(torch, a)
        SHAPES[shape](b)
        WRITES[write](a, b)
        weights = torch.arange(1.0, 1 + b.numel()).view(b.shape).to(b.dtype)
        b.backward(weights)
        return b.detach().resolve_conj(), a0.grad

    compare(program)
