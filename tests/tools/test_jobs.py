"""How many modules are built at a time: MINITORCH_JOBS, affinity, control groups and memory."""

import os

import pytest

from tools import jobs

GIB = 1 << 30


@pytest.fixture(autouse=True)
def sixteen_cores(monkeypatch):
    monkeypatch.delenv("MINITORCH_JOBS", raising=False)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(16)), raising=False)


def machine(folder, available=64 * GIB, **files):
    """Write the files that the kernel would show; ``__`` in a name is a slash."""
    files["proc__meminfo"] = f"MemTotal: 1 kB\nMemAvailable: {available // 1024} kB\n"
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_dot_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def test_all_cores_of_the_affinity_are_used_where_nothing_limits_them(tmp_path):
    assert jobs.jobs(machine(tmp_path)) == 16


@pytest.mark.parametrize(
    ("limit", "cores"),
    [("200000 100000", 2), ("150000 100000", 2), ("5000 100000", 1), ("max 100000", 16)],
)
def test_a_limit_of_control_group_version_2_is_rounded_up(tmp_path, limit, cores):
    root = machine(
        tmp_path, proc__self__cgroup="0::/a/b\n", sys__fs__cgroup__a__b__cpu_dot_max=f"{limit}\n"
    )
    assert jobs.usable_cores(root) == cores


def test_a_limit_of_a_group_further_up_counts(tmp_path):
    root = machine(
        tmp_path,
        proc__self__cgroup="0::/a/b\n",
        sys__fs__cgroup__a__b__cpu_dot_max="max 100000\n",
        sys__fs__cgroup__a__cpu_dot_max="300000 100000\n",
    )
    assert jobs.usable_cores(root) == 3


def test_inside_a_container_the_top_folder_counts(tmp_path):
    root = machine(
        tmp_path,
        proc__self__cgroup="0::/../../of/the/host\n",
        sys__fs__cgroup__cpu_dot_max="200000 100000\n",
    )
    assert jobs.usable_cores(root) == 2


def test_a_limit_of_control_group_version_1_counts(tmp_path):
    folder = tmp_path / "sys/fs/cgroup/cpu,cpuacct/docker"
    folder.mkdir(parents=True)
    (folder / "cpu.cfs_quota_us").write_text("400000\n")
    (folder / "cpu.cfs_period_us").write_text("100000\n")
    (tmp_path / "sys/fs/cgroup/cpu").symlink_to("cpu,cpuacct")
    root = machine(tmp_path, proc__self__cgroup="4:cpu,cpuacct:/docker\n2:memory:/docker\n")
    assert jobs.usable_cores(root) == 4
    (folder / "cpu.cfs_quota_us").write_text("-1\n")
    assert jobs.usable_cores(root) == 16


@pytest.mark.parametrize(
    ("available", "expected"),
    [(jobs.MEMORY_OF_JOB // 2, 1), (GIB, 1), (4 * GIB, 5), (8 * GIB, 11), (64 * GIB, 16)],
)
def test_memory_limits_the_jobs(tmp_path, available, expected):
    assert jobs.jobs(machine(tmp_path, available)) == expected


def test_memory_of_the_control_group_counts_less_what_is_used(tmp_path):
    root = machine(
        tmp_path,
        proc__self__cgroup="0::/a\n",
        sys__fs__cgroup__a__memory_dot_max=f"{4 * GIB}\n",
        sys__fs__cgroup__a__memory_dot_current=f"{1 * GIB}\n",
    )
    assert jobs.available_memory(root) == 3 * GIB


def test_minitorch_jobs_overrides_everything(tmp_path, monkeypatch):
    monkeypatch.setenv("MINITORCH_JOBS", "5")
    assert jobs.jobs(machine(tmp_path, GIB)) == 5


@pytest.mark.parametrize("text", ["0", "-1", "two", "1.5", " 2"])
def test_minitorch_jobs_has_to_be_a_positive_integer(monkeypatch, text):
    monkeypatch.setenv("MINITORCH_JOBS", text)
    with pytest.raises(ValueError, match="MINITORCH_JOBS has to be a positive integer"):
        jobs.jobs()
