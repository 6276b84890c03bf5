"""Training on several ranks gives the losses of one process, and those of PyTorch's Gloo."""

import numpy as np
import pytest

from tests.distributed.ranks import needs_mpi, run, written

pytestmark = needs_mpi

MODELS = ("mlp", "cnn", "transformer")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("losses")


@pytest.fixture(scope="module")
def losses(folder):
    """The losses of minitorch by the number of ranks, then by mode and model."""
    found = {}
    for count in (1, 2, 4):
        run("training.py", count, folder, *(["plain"] * (count == 1)), "local", "synchronized")
        found[count] = written(folder, "losses.json")
    return found


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("count", [1, 2, 4])
def test_losses_are_those_of_one_process(losses, count, model):
    # batch normalization on a part of the batch is another function, so it needs common statistics
    np.testing.assert_allclose(
        losses[count]["synchronized"][model], losses[1]["plain"][model], rtol=0, atol=1e-6
    )


def test_local_statistics_of_batch_norm_give_other_losses(losses):
    difference = np.subtract(losses[2]["local"]["cnn"], losses[1]["plain"]["cnn"])
    assert np.abs(difference).max() > 1e-3


@pytest.mark.parametrize("count", [2, 4])
def test_losses_are_those_of_gloo(losses, folder, count):
    run("training.py", count, folder, "local", library="torch")
    reference = written(folder, "losses.json")["local"]
    for model in MODELS:
        np.testing.assert_allclose(
            losses[count]["local"][model], reference[model], rtol=0, atol=1e-6, err_msg=model
        )
