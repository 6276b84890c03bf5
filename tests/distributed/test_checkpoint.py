"""Sharded checkpoints: what several ranks save, what is left when a save or a rank is killed."""

import time

import numpy as np
import pytest

import minitorch
from minitorch.distributed import checkpoint
from minitorch.distributed.checkpoint import state_dict as state_dicts
from tests.distributed.ranks import PROGRAMS, needs_mpi, run, start, written


@pytest.fixture
def folders(tmp_path):
    (tmp_path / "output").mkdir()
    return tmp_path / "checkpoint", tmp_path / "output"


def values(folder):
    """The values of all tensors of a checkpoint, and whether each tensor has only one value."""
    metadata = checkpoint.filesystem.Folder(folder).read_metadata()
    state = {
        name: minitorch.zeros(item["shape"])
        for name, item in metadata["items"].items()
        if "shape" in item
    }
    checkpoint.load(state, checkpoint_id=folder)
    return {number for tensor in state.values() for number in tensor.flatten().tolist()}


@needs_mpi
def test_two_ranks_save_and_load(folders):
    run("checkpoints.py", 2, *folders)
    ranks = [written(folders[1], f"{rank}.json") for rank in range(2)]
    assert ranks[0]["metadata"] == ranks[1]["metadata"]
    files = ranks[0]["metadata"]["files"]
    assert sorted(files) == ["__0_1.distcp", "__1_1.distcp"]
    assert ranks[1]["files"] == [".metadata", *sorted(files)]  # those of the first save are gone
    items = ranks[0]["metadata"]["items"]
    assert items["of rank 0"]["file"] == "__0_1.distcp"
    assert items["of rank 1"]["file"] == "__1_1.distcp"
    assert {items[f"model.layer{k}"]["file"] for k in range(4)} == set(files)
    # the view of two elements does not bring its storage of 4,000 bytes along
    assert max(files.values()) < 3900
    for rank, seen in enumerate(ranks):
        assert seen["loaded"] == {
            "model": {f"layer{k}": [[2.0] * 3] * (k + 1) for k in range(4)},
            "view": [2.0] * 2,
            "groups": [{"lr": 0.2, "names": ["a", "b"]}],
            "counter": 2,
            f"of rank {rank}": [2.0] * (rank + 1),
        }
        # every rank raises what happened on any of them, and nothing was changed
        assert seen["missing"] == {
            "1": "RuntimeError: Missing key in checkpoint state_dict: nothing."
        }
        assert seen["unchanged"] == [[0.0] * 3]
        assert seen["shapes"] == {
            str(k): "ValueError: Size mismatch between saved torch.Size([1, 3]) and current: "
            f"torch.Size([{2 + k}]) for model.layer0"
            for k in range(2)
        }
        assert sorted(seen["no folder"]) == ["0", "1"]
    # one process can load what two have saved
    assert values(folders[0]) == {2.0}


@needs_mpi
@pytest.mark.parametrize(("where", "victim"), [("part", 1), ("metadata", 0)])
def test_a_killed_save_leaves_the_old_checkpoint(folders, where, victim):
    began = time.monotonic()
    done = start(PROGRAMS / "checkpoints.py", 2, *folders, where)
    assert done.returncode != 0
    assert time.monotonic() - began < 30 + 30  # 30 s to end, and the time to start and to save
    assert f"rank {victim}" in done.stdout + done.stderr
    assert values(folders[0]) == {2.0}
    # the next save removes what the killed one has left
    checkpoint.save({"x": minitorch.ones(2)}, checkpoint_id=folders[0])
    assert sorted(path.name for path in folders[0].glob("__*")) == ["__0_2.distcp"]
    assert values(folders[0]) == {1.0}


@needs_mpi
def test_resuming_after_a_killed_rank_gives_the_losses_of_an_uninterrupted_run(tmp_path):
    whole, interrupted = tmp_path / "whole", tmp_path / "interrupted"
    losses = tmp_path / "losses.json"
    run("interrupted.py", 2, whole, losses)
    expected = written(tmp_path, "losses.json")
    done = start(PROGRAMS / "interrupted.py", 2, interrupted, losses, 3)
    assert done.returncode != 0
    assert "rank 1" in done.stdout + done.stderr
    before = written(tmp_path, "losses.json")
    assert sorted(before) == ["0", "1", "2"]
    run("interrupted.py", 2, interrupted, losses)
    after = written(tmp_path, "losses.json")
    assert sorted(after) == [
        "2",
        "3",
        "4",
        "5",
    ]  # step 2 again: the checkpoint was made after step 1
    for number, loss in {**before, **after}.items():
        np.testing.assert_allclose(loss, expected[number], rtol=0, atol=1e-12, err_msg=number)


def test_a_file_that_was_cut_off_is_found(tmp_path):
    checkpoint.save({"x": minitorch.ones(100)}, checkpoint_id=tmp_path)
    (file,) = tmp_path.glob("__*")
    file.write_bytes(file.read_bytes()[:-1])
    with pytest.raises(checkpoint.CheckpointException, match=r"bytes, but \d+ were written"):
        checkpoint.load({"x": minitorch.zeros(100)}, checkpoint_id=tmp_path)


def test_two_paths_with_one_name_are_an_error(tmp_path):
    with pytest.raises(ValueError, match=r"duplicate key in the state dict: a\.b"):
        checkpoint.save({"a": {"b": 1}, "a.b": 2}, checkpoint_id=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_the_states_of_a_module_and_its_optimizer_have_the_names_of_parameters():
    model = minitorch.nn.Linear(2, 1)
    optimizer = minitorch.optim.Adam(model.parameters(), lr=0.5)
    model(minitorch.ones(2)).sum().backward()
    optimizer.step()
    of_model, of_optimizer = state_dicts.get_state_dict(model, optimizer)
    assert list(of_model) == ["weight", "bias"]
    assert list(of_optimizer["state"]) == ["weight", "bias"]
    assert of_optimizer["param_groups"][0]["params"] == ["weight", "bias"]
    other = minitorch.nn.Linear(2, 1)
    its_optimizer = minitorch.optim.Adam(other.parameters(), lr=0.1)
    state_dicts.set_state_dict(
        other, its_optimizer, model_state_dict=of_model, optim_state_dict=of_optimizer
    )
    assert other.weight.tolist() == model.weight.tolist()
    for of_one, of_other in zip(
        optimizer.state_dict()["state"].values(),
        its_optimizer.state_dict()["state"].values(),
        strict=True,
    ):
        assert {key: value.tolist() for key, value in of_one.items()} == {
            key: value.tolist() for key, value in of_other.items()
        }
    assert its_optimizer.param_groups[0]["lr"] == 0.5
