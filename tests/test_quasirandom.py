"""Sobol's points."""

import pytest

from tests.both import compare

DIMENSIONS = [1, 2, 3, 37, 1111]


def engine(torch, *args, **kwargs):
    return torch.quasirandom.SobolEngine(*args, **kwargs)


@pytest.mark.parametrize("dimension", DIMENSIONS)
def test_points_are_drawn_bit_for_bit(dimension):
    compare(lambda torch: engine(torch, dimension).draw(9), tolerance=0)


@pytest.mark.parametrize("dimension", DIMENSIONS)
def test_scrambled_points_are_drawn_bit_for_bit(dimension):
    compare(lambda torch: engine(torch, dimension, True, 5).draw(9), tolerance=0)


def test_without_a_seed_the_program_s_generator_scrambles():
    def program(torch):
        torch.manual_seed(1)
        return engine(torch, 2, scramble=True).draw(3), torch.rand(2)

    compare(program)


def test_points_go_on_and_begin_again():
    def program(torch):
        sobol = engine(torch, 3)
        parts = [sobol.draw(1), sobol.draw(2, dtype=torch.float64), sobol.fast_forward(3).draw()]
        return parts, sobol.num_generated, sobol.reset().draw_base2(2), repr(sobol)

    compare(program)


@pytest.mark.parametrize(
    "program",
    [
        lambda torch: engine(torch, 0),
        lambda torch: engine(torch, 21202),
        lambda torch: engine(torch, 2).fast_forward(3).draw_base2(3),
    ],
)
def test_refusals(program):
    compare(program)


def test_out_is_resized():
    def program(torch):
        out = torch.empty(0)
        return engine(torch, 2).draw(3, out=out) is out, out

    compare(program)


@pytest.mark.parametrize("dimension", [1, 5])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_draws_of_any_length_continue_the_sequence(dimension, dtype):
    def program(torch):
        sobol = engine(torch, dimension, scramble=True, seed=3)
        counts = (1, 1, 2, 3, 4, 7, 8, 0, 9, 31, 64, 1500, 1)
        parts = [sobol.draw(n, dtype=getattr(torch, dtype)) for n in counts]
        parts.append(sobol.fast_forward(100_003).draw(40))
        return parts, [part.stride() for part in parts if part.numel()], sobol.quasi

    compare(program, tolerance=0)
