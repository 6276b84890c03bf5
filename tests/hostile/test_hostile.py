"""Hostile programs end with an exception, not with a signal: each runs in a process of its own."""

import os
import tempfile

import pytest

import minitorch
from tests.hostile.survival import run


def test_objects_made_by_new_can_be_used():
    assert [line for line in run("made_by_new", seconds=200) if line] == []


@pytest.mark.parametrize(
    "workload",
    "backward,create_graph,hooks,function,nested,in_place,step,no_grad,grad,vmap of grad,jvp,jacfwd".split(
        ","
    ),
)
def test_a_failed_allocation_leaves_all_usable(workload):
    pytest.importorskip("_testcapi", reason="this Python was built without _testcapi")
    assert run("failing_allocations", workload, seconds=200)[-1] == "ok"


@pytest.mark.parametrize(
    "workload", "grad,vmap,jvp,modes,saved,autocast,fake,proxy,watched".split(",")
)
def test_interrupts_leave_nothing_behind(workload):
    assert run("interrupts", workload, 3) == ["ok"]


@pytest.mark.parametrize(
    "chain",
    "from_dlpack,from_numpy,as_array,frombuffer,view,detach,data,graph,gradients,metadata,threads".split(
        ","
    ),
)
def test_long_chains_and_ended_threads_are_freed(chain):
    assert run("chains", chain) == ["ok"]


def test_junk_arguments():
    # all calls take some minutes of computing: `python -m tests.hostile.survival junk_arguments 0 1`
    assert [line for line in run("junk_arguments", 0, 0.25, seconds=600) if line] == []


def test_deep_indices_foreign_contexts_and_buffers():
    assert [line for line in run("loose_ends") if line] == []


def test_destructors_can_compute_while_the_interpreter_ends():
    lines = run("at_shutdown")
    assert lines and set(lines) == {"[2.0, 2.0]"}


def has_nameless_files(folder):
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            return os.fstat(file.fileno()).st_nlink == 0 and hasattr(os, "O_TMPFILE")
    except OSError:
        return False


def test_a_killed_save_leaves_the_old_file_and_no_other(tmp_path):
    if not has_nameless_files(tmp_path):
        pytest.skip("the system has no files without names")
    path = tmp_path / "x.pt"
    minitorch.save(minitorch.zeros(2), path)
    with pytest.raises(AssertionError, match=r"killed_save.py ended with -25"):
        run("killed_save", path)
    assert [file.name for file in tmp_path.iterdir()] == ["x.pt"]
    assert minitorch.load(path).tolist() == [0.0, 0.0]


def test_sizes_at_the_limits_of_integers():
    assert [line for line in run("sizes", seconds=200) if line] == []
