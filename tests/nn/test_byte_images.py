"""Images of integers in another resolution."""

import pytest

from tests.both import compare

MODES = {
    "linear": (2, 5), "bilinear": (2, 4, 5), "bicubic": (2, 4, 5), "trilinear": (2, 3, 4, 5),
    "nearest": (2, 4, 5), "nearest-exact": (2, 4, 5),
}  # fmt: skip


@pytest.mark.parametrize("dtype", ["uint8", "int32", "bool"])
@pytest.mark.parametrize("antialias", [False, True])
@pytest.mark.parametrize("mode", MODES)
def test_interpolate(mode, antialias, dtype):
    def program(torch):
        shape = (3, *MODES[mode])
        numbers = torch.arange(torch.tensor(shape).prod().item()) * 37 % 251
        image = numbers.reshape(shape).to(getattr(torch, dtype))
        size = [7, 3, 8][: len(shape) - 2]
        return torch.nn.functional.interpolate(image, size=size, mode=mode, antialias=antialias)

    compare(program)


@pytest.mark.parametrize("align_corners", [False, True])
@pytest.mark.parametrize("mode", ["bilinear", "bicubic"])
def test_a_photograph_by_factors(mode, align_corners):
    def program(torch):
        torch.manual_seed(0)
        image = torch.randint(0, 256, (2, 3, 17, 23), dtype=torch.uint8)
        enlarge = torch.nn.functional.interpolate
        factors = ((2, 2), (0.5, 0.3), (1, 1.7))
        return [
            enlarge(image, scale_factor=f, mode=mode, align_corners=align_corners) for f in factors
        ]

    compare(program)
