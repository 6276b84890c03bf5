"""The parts of the jail: the filter of system calls and the command that starts a worker."""

import errno
import subprocess
import sys

import pytest

from exercises.grader import jail
from exercises.grader.inside import landlock, seccomp

ALLOW, ERRNO, KILL = 0x7FFF0000, 0x00050000, 0x80000000
ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}


def verdict(program, number, architecture, *arguments):
    """Run a filter as the kernel does and return its verdict on a call."""
    words = {0: number, 4: architecture}
    for index, value in enumerate([*arguments, 0, 0, 0, 0, 0, 0][:6]):
        words[16 + 8 * index] = value & 0xFFFFFFFF
        words[20 + 8 * index] = value >> 32
    position = accumulator = 0
    while True:
        code, if_true, if_false, operand = program[position]
        position += 1
        if code == 0x20:
            accumulator = words[operand]
        elif code == 0x06:
            return operand
        else:
            true = {
                0x15: accumulator == operand,
                0x35: accumulator >= operand,
                0x45: bool(accumulator & operand),
            }[code]
            position += if_true if true else if_false


@pytest.fixture(params=ARCHITECTURES)
def call(request, monkeypatch):
    """Return a function that gives the verdict on a system call by its number on each machine."""
    monkeypatch.setattr(seccomp, "MACHINE", request.param)
    column = list(ARCHITECTURES).index(request.param)
    program = seccomp.program(may_open=True, pid=42)
    return lambda numbers, *arguments: verdict(
        program, numbers[column], ARCHITECTURES[request.param], *arguments
    )


def test_reading_and_writing_are_allowed(call):
    assert call((0, 63)) == call((1, 64)) == call((257, 56)) == ALLOW


@pytest.mark.parametrize(
    "numbers",
    [
        (59, 221),  # execve
        (322, 281),  # execveat
        (435, 435),  # clone3
        (41, 198),  # socket
        (101, 117),  # ptrace
        (311, 271),  # process_vm_writev
        (434, 434),  # pidfd_open
        (424, 424),  # pidfd_send_signal
        (165, 40),  # mount
        (272, 97),  # unshare
        (321, 280),  # bpf
        (425, 425),  # io_uring_setup
        (250, 219),  # keyctl
        (323, 282),  # userfaultfd
        (319, 279),  # memfd_create
        (263, 35),  # unlinkat
        (268, 53),  # fchmodat
        (157, 167),  # prctl
        (317, 277),  # seccomp
        (112, 157),  # setsid
        (999, 999),  # what is not known yet
    ],
)
def test_what_is_not_on_the_list_does_not_exist(call, numbers):
    assert call(numbers) == ERRNO | errno.ENOSYS


def test_threads_are_allowed_and_processes_are_not(call):
    assert call((56, 220), 0x3D0F00) == ALLOW
    assert call((56, 220), 0x11) == call((56, 220), 0x4111) == ERRNO | errno.EPERM


def test_signals_reach_only_the_process_itself(call):
    for kill in ((62, 129), (234, 131)):
        assert call(kill, 42, 9) == ALLOW
        for other in (1, 0, 0xFFFFFFFF, 43):
            assert call(kill, other, 9) == ERRNO | errno.EPERM


def test_limits_can_be_read_but_not_set(call):
    assert call((302, 261), 0, 7, 0, 0x7FFF00000000) == ALLOW
    assert call((302, 261), 0, 7, 0x7FFF00000000, 0) == ERRNO | errno.EPERM
    assert call((302, 261), 0, 7, 0x1000, 0) == ERRNO | errno.EPERM


def test_nothing_types_into_a_terminal(call):
    assert call((16, 29), 0, 0x5412) == ERRNO | errno.ENOTTY
    assert call((72, 25), 0, 8, 1) == ERRNO | errno.EPERM  # F_SETOWN


def test_another_architecture_is_killed(monkeypatch):
    monkeypatch.setattr(seccomp, "MACHINE", "x86_64")
    program = seccomp.program(may_open=True, pid=42)
    assert verdict(program, 11, 0x40000003) == KILL  # execve of i386
    assert verdict(program, 0x40000000 + 59, ARCHITECTURES["x86_64"]) == KILL  # of x32


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_a_compiler_may_start_programs_but_not_connect_or_trace(machine, monkeypatch):
    monkeypatch.setattr(seccomp, "MACHINE", machine)
    program, column = seccomp.program_for_compilers(), list(ARCHITECTURES).index(machine)

    def call(numbers, architecture=ARCHITECTURES[machine]):
        return verdict(program, numbers[column], architecture)

    assert call((59, 221)) == call((257, 56)) == call((1, 64)) == ALLOW  # execve, openat, write
    for numbers in ((41, 198), (53, 199), (101, 117), (165, 40), (272, 97), (425, 425), (319, 279)):
        assert call(numbers) == ERRNO | errno.EPERM
    assert call((59, 221), 0x40000003) == KILL


def test_a_submission_in_python_can_name_no_file(monkeypatch):
    monkeypatch.setattr(seccomp, "MACHINE", "x86_64")
    program = seccomp.program(may_open=False, pid=42)
    for number in (2, 4, 6, 21, 78, 89, 257, 262, 332, 437):
        assert verdict(program, number, ARCHITECTURES["x86_64"]) == ERRNO | errno.ENOSYS


def test_bubblewrap_does_not_show_the_assignments():
    if jail.why_not("bwrap") is not None:
        pytest.skip(jail.why_not("bwrap"))
    program = (
        "import os\n"
        f"print(sorted(os.listdir({str(jail.EXERCISES)!r})))\n"
        "print(os.path.exists('/etc/passwd'), os.listdir('/tmp'))\n"
    )
    command = [*jail._bwrap(), "--", sys.executable, "-I", "-c", program]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    shown, rest = output.splitlines()
    assert "scenario.py" in shown and "grader" in shown
    for name in jail.SECRET:
        assert repr(name) not in shown
    assert rest.startswith("False")


def test_there_is_a_version_of_landlock_or_none():
    assert isinstance(landlock.version(), int)
