"""Memory as it was found, which deterministic algorithms fill."""

import pytest

from tests.both import compare

MAKERS = {
    "empty": lambda torch: torch.empty(2, 3),
    "out of an integer dtype": lambda torch: torch.empty(3, dtype=torch.int16),
    "int64": lambda torch: torch.empty(3, dtype=torch.int64),
    "uint16": lambda torch: torch.empty(3, dtype=torch.uint16),
    "uint8": lambda torch: torch.empty(3, dtype=torch.uint8),
    "bool": lambda torch: torch.empty(3, dtype=torch.bool),
    "complex": lambda torch: torch.empty(3, dtype=torch.complex64),
    "strided": lambda torch: torch.empty_strided((2, 3), (1, 2)),
    "permuted": lambda torch: torch.empty_permuted((2, 3), (1, 0)),
    "like": lambda torch: torch.empty_like(torch.ones(3)),
    "new": lambda torch: torch.ones(2).new_empty(3),
    "new strided": lambda torch: torch.ones(2).new_empty_strided((2, 2), (1, 2)),
    "constructor": lambda torch: torch.Tensor(2, 3),
}


@pytest.mark.parametrize("maker", MAKERS.values(), ids=MAKERS)
def test_deterministic_algorithms_fill_it(maker):
    def program(torch):
        torch.use_deterministic_algorithms(True)
        try:
            return maker(torch)
        finally:
            torch.use_deterministic_algorithms(False)

    compare(program)


def test_filling_can_be_switched_off():
    def program(torch):
        module = torch.utils.deterministic
        before = module.fill_uninitialized_memory
        module.fill_uninitialized_memory = False
        torch.use_deterministic_algorithms(True)
        try:
            filled = bool(torch.empty(64).isnan().all())
        finally:
            torch.use_deterministic_algorithms(False)
            module.fill_uninitialized_memory = True
        return before, filled

    compare(program)


def test_the_switch_is_a_bool():
    def program(torch):
        torch.utils.deterministic.fill_uninitialized_memory = 1

    compare(program)


@pytest.mark.parametrize("warn_only", [False, True])
@pytest.mark.parametrize("accumulate", [False, True])
def test_put_says_that_its_order_is_not_determined(accumulate, warn_only):
    def program(torch):
        x = torch.zeros(4)
        torch.use_deterministic_algorithms(True, warn_only=warn_only)
        try:
            return x.put_(torch.tensor([0, 2]), torch.ones(2), accumulate)
        finally:
            torch.use_deterministic_algorithms(False)

    compare(program)


@pytest.mark.parametrize("dims", [1, 2, 3])
def test_unpooling_says_that_its_order_is_not_determined(dims):
    def program(torch):
        x, places = torch.ones(1, 1, *[1] * dims), torch.zeros(1, 1, *[1] * dims).long()
        torch.use_deterministic_algorithms(True)
        try:
            return getattr(torch.nn.functional, f"max_unpool{dims}d")(x, places, 2)
        finally:
            torch.use_deterministic_algorithms(False)

    compare(program)
