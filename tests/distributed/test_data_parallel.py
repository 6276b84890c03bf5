"""DistributedDataParallel and ZeroRedundancyOptimizer do what PyTorch's do with Gloo."""

import pytest

from tests.distributed.ranks import needs_mpi, run, written

pytestmark = needs_mpi


def assert_close(ours, theirs, where):
    """Compare lists, dicts and numbers; texts and other values must be equal."""
    assert type(ours) is type(theirs), where
    if isinstance(theirs, list):
        assert len(ours) == len(theirs), where
        for k, pair in enumerate(zip(ours, theirs, strict=True)):
            assert_close(*pair, f"{where}[{k}]")
    elif isinstance(theirs, dict):
        assert ours.keys() == theirs.keys(), where
        for key in theirs:
            assert_close(ours[key], theirs[key], f"{where}[{key!r}]")
    elif isinstance(theirs, float):
        assert ours == pytest.approx(theirs, rel=1e-9, abs=1e-12), where
    else:
        assert ours == theirs, where


@pytest.mark.parametrize("program", ["data_parallel.py", "zero.py"])
def test_every_rank_sees_what_it_sees_with_gloo(program, tmp_path):
    folders = [tmp_path / "ours", tmp_path / "theirs"]
    for folder in folders:
        folder.mkdir()
    run(program, 2, folders[0])
    run(program, 2, folders[1], library="torch")
    for rank in range(2):
        ours, theirs = (written(folder, f"{rank}.json") for folder in folders)
        assert len(theirs) >= 3
        assert_close(ours, theirs, f"rank {rank}")
