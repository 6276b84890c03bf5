"""The cost model of data-parallel training."""

import doctest

import pytest

from benchmarks import cost_model
from benchmarks.cost_model import Link, Step, efficiency, fit, ring, step_time

STEP = Step(1.0, 2.0, 0.5, buckets=((0.5, 100), (1.5, 300), (2.0, 50)), copy=1e-4)


def test_the_examples_of_the_model():
    assert doctest.testmod(cost_model).failed == 0
    assert doctest.testmod(cost_model).attempted >= 8


def test_a_step_costs_its_computation_and_copies_if_sums_are_free():
    assert step_time(STEP, Link(0.0, 0.0)) == pytest.approx(STEP.compute + 0.045)
    assert step_time(STEP, Link(0.0, 0.0), overlap=False) == pytest.approx(STEP.compute + 0.045)


@pytest.mark.parametrize("per_byte", [1e-4, 1e-3, 1e-2])
def test_sums_beside_the_pass_save_at_most_their_own_time(per_byte):
    link = Link(0.01, per_byte)
    saved = step_time(STEP, link, overlap=False) - step_time(STEP, link)
    assert 0 < saved <= sum(link.time(size) for _, size in STEP.buckets) + 1e-12


def test_a_bucket_waits_for_the_one_before_it():
    late_first = Step(0.0, 1.0, 0.0, buckets=((0.9, 10), (0.1, 10)))
    assert step_time(late_first, Link(0.0, 0.1)) == pytest.approx(0.9 + 2 * 1.0)


def test_more_ranks_are_never_cheaper():
    shares = [efficiency(STEP, ring(ranks, 1e-3, 1e3)) for ranks in (1, 2, 4, 8, 1024)]
    assert shares == sorted(shares, reverse=True)


def test_a_ring_moves_nearly_twice_the_bytes_however_many_ranks():
    assert ring(1024, 0.0, 1.0).time(1.0) == pytest.approx(2.0, rel=0.01)


def test_the_fit_finds_an_exact_line_and_allows_no_negative_latency():
    sizes = (4, 4096, 1 << 20)
    found = fit([(size, 2e-5 + 3e-9 * size) for size in sizes])
    assert found.latency == pytest.approx(2e-5)
    assert found.per_byte == pytest.approx(3e-9)
    assert fit([(1000, 1e-6), (2000, 3e-6)]).latency == 0.0
