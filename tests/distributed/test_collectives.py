"""Collectives write and raise what PyTorch's Gloo does, and raise on all ranks where ranks differ."""

import re

import pytest

from tests.distributed.ranks import PROGRAMS, needs_mpi, results, start

pytestmark = needs_mpi


def test_collectives_write_what_gloo_writes(tmp_path):
    pytest.importorskip("torch", reason="needs PyTorch")
    ours = results("values.py", 3, tmp_path)
    theirs = results("values.py", 3, tmp_path, library="torch")
    for rank, (mine, wanted) in enumerate(zip(ours, theirs, strict=True)):
        assert mine == wanted, f"on rank {rank}"


def test_collectives_write_the_same_without_shared_memory(tmp_path):
    (tmp_path / "with").mkdir()
    (tmp_path / "without").mkdir()
    with_memory = results("values.py", 3, tmp_path / "with")
    assert results("values_without_shared_memory.py", 3, tmp_path / "without") == with_memory


def test_wrong_arguments_raise_what_gloo_raises(tmp_path):
    pytest.importorskip("torch", reason="needs PyTorch")
    ours = results("errors.py", 2, tmp_path)
    theirs = results("errors.py", 2, tmp_path, library="torch")
    for rank, (mine, wanted) in enumerate(zip(ours, theirs, strict=True)):
        wanted = {
            name: text.replace("Gloo", "MPI") if text else text for name, text in wanted.items()
        }
        assert mine == wanted, f"on rank {rank}"


@pytest.fixture(scope="module")
def mismatches(tmp_path_factory):
    return results("mismatches.py", 3, tmp_path_factory.mktemp("mismatches"))


@pytest.mark.parametrize(
    "case, text",
    [
        (
            "shapes",
            r"ranks 0, 2: all_reduce\(shape=\(2,\), dtype=torch.float32, op=SUM\); "
            r"rank 1: all_reduce\(shape=\(3,\), dtype=torch.float32, op=SUM\)",
        ),
        ("dtypes", r"ranks 0, 2: .*dtype=torch.float32.*; rank 1: .*dtype=torch.float64"),
        ("long", r"ranks 0, 2: .*3000000.*; rank 1: .*3000001"),
        ("roots", r"ranks 0, 2: broadcast\(.*src=0\); rank 1: broadcast\(.*src=1\)"),
        ("operators", r"ranks 0, 2: .*op=SUM\); rank 1: .*op=MAX\)"),
        ("operations", r"ranks 0, 2: broadcast\(.*\); rank 1: all_reduce\(.*\)"),
        ("barrier", r"ranks 0, 2: all_gather_object; rank 1: barrier"),
        ("async", r"ranks 0, 2: .*\(2,\).*; rank 1: .*\(3,\)"),
        ("sizes", r"sizes of all_to_all differ between ranks"),
    ],
)
def test_every_rank_raises_where_ranks_differ(mismatches, case, text):
    for rank, found in enumerate(mismatches):
        assert re.search(text, found[case]), f"on rank {rank}: {found[case]}"


@pytest.mark.parametrize(
    "how, text",
    [
        ("kill", r"process rank 1 .*exited on\s+signal 9"),
        ("raise", r"ValueError: on purpose\n(.|\n)*rank 1 ended with ValueError"),
        ("exit", r"rank 1: the end of the program"),
        ("return", r"rank 1: the end of the program"),
        (
            "subgroup",
            r"rank 0 waits in all_reduce\(shape=\(3,\).* for rank 1, whose program has ended",
        ),
        ("sleep", r"rank [02] waited longer than the timeout of 4 s in all_reduce\(shape=\(3,\)"),
    ],
)
def test_the_end_of_one_rank_ends_the_job_with_a_message_that_names_it(how, text):
    done = start(PROGRAMS / "ending.py", 3, how, seconds=60)
    assert done.returncode != 0
    assert re.search(text, done.stderr + done.stdout), done.stderr
