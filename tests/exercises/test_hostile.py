"""No hostile submission earns points, does harm, or takes long, in either sandbox."""

import inspect
import os
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

from exercises.grader import grading, jail
from exercises.grader.key import make_key
from exercises.grader.worker import Worker
from exercises.source import find
from tests.exercises.hostile import engines, files, processes, values

REPORTED = 20.0  # seconds
VALUE_TOOLS = '''
def answer_with(value):
    """Let every attribute and every method of a Value give one value."""
    global Value
    class Value:
        def __init__(self, *arguments):
            self.data = self.grad = value
            self.inputs = ()
        def backward(self):
            pass
        def __getattr__(self, name):
            return lambda *_: self
        __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = lambda *_: Value()
        __truediv__ = __rtruediv__ = __pow__ = __rpow__ = __neg__ = lambda *_: Value()


def forge(text):
    """Send a result without what else would be sent, as soon as a scenario begins."""
    global Value
    import os
    class Value:
        def __init__(self, *arguments):
            for fd in range(3, 64):
                try:
                    os.write(fd, text if isinstance(text, bytes) else text.encode())
                except OSError:
                    pass
            os._exit(0)

'''


def attacks_of(module):
    return [f for _, f in inspect.getmembers(module, inspect.isfunction)]


ATTACKS = [
    *((4, f) for module in (processes, files, values) for f in attacks_of(module)),
    *((7, f) for f in attacks_of(engines)),
]


def hostile_text(source, attack, folder, victim):
    """Return the text of a submission: no answers, and the attack among the helpers."""
    text = source.stub().replace("raise NotImplementedError", "pass  # ")
    tools = [
        f"CANARY = {str(folder)!r}",
        f"SUBMISSION = {str(folder / 'submission.py')!r}",
        f"SOLUTION = {str(source.path)!r}",
        f"ROOT = {str(Path(__file__).parents[2])!r}",
        f"ASSIGNMENT = {source.name!r}",
        f"VICTIM = {victim}",
        VALUE_TOOLS,
        inspect.getsource(attack),
        f"\n{attack.__name__}()",
    ]
    head, mark, tail = text.partition("# --- yours: helpers\n")
    return head + mark + "\n".join(tools) + "\n" + tail


@pytest.fixture(scope="module", params=["bwrap", "user"])
def sandbox(request):
    reason = jail.why_not(request.param)
    if reason is not None:
        pytest.skip(f"the sandbox {request.param} does not work here: {reason}")
    return request.param


@pytest.fixture(scope="module")
def keys(sandbox):
    return {number: make_key(find(number), "teacher", sandbox) for number in (4, 7)}


@pytest.fixture(scope="module")
def workers(sandbox, keys):
    """Workers that all attacks share, so that one which harms its worker harms the others."""
    workers = {number: Worker(sandbox, key.tests) for number, key in keys.items()}
    yield workers
    for worker in workers.values():
        worker.__exit__()


@pytest.fixture(scope="module")
def victim():
    process = subprocess.Popen(["sleep", "600"])
    yield process
    process.kill()
    process.wait()


@pytest.fixture(autouse=True)
def short_patience(monkeypatch):
    monkeypatch.setattr(grading, "CHECKED", False)  # the jail has to hold, not the check
    monkeypatch.setattr("exercises.grader.worker.GUARDED", False)
    monkeypatch.setattr(grading, "LOADING", 1.5)
    monkeypatch.setattr(grading, "TOGETHER", 6)


def state_of(folder):
    return {
        path.name: (path.read_bytes(), path.stat().st_mode, path.stat().st_mtime_ns)
        for path in folder.iterdir()
    }


def processes_of_workers():
    """Return the processes that run as one of the users of the workers, or below this process."""
    found = set()
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            try:
                line = Path(entry.path, "cmdline").read_bytes()
            except OSError:
                continue
            if b"exercises.grader.inside" in line and b"sleep" not in line:
                found.add(int(entry.name))
    return found


@pytest.mark.parametrize("number,attack", ATTACKS, ids=[f.__name__ for _, f in ATTACKS])
def test_an_attack_earns_nothing_and_does_no_harm(
    number, attack, sandbox, keys, workers, victim, tmp_path
):
    source = find(number)
    neighbour = tmp_path / "neighbour.py"
    neighbour.write_text("the submission of another student\n")
    path = tmp_path / "submission.py"
    path.write_text(hostile_text(source, attack, tmp_path, victim.pid))
    os.chmod(tmp_path, 0o777)  # the sandbox has to hold, not the file's rights
    os.chmod(neighbour, 0o666)
    before, begin = state_of(tmp_path), time.monotonic()
    report = grading.grade_in(workers[number], source, path, keys[number])
    assert time.monotonic() - begin < REPORTED
    assert report.complete
    assert report.score == 0, report
    assert report.sandbox == sandbox
    assert len(report.results) == len(keys[number].right)
    assert state_of(tmp_path) == before
    assert victim.poll() is None
    assert not Path(tempfile.gettempdir(), "hostile_was_here").exists()
    text = report.to_json()
    assert "LEAKED" not in text
    assert "\x1b" not in text and len(text) < 100_000
    for result in report.results:
        if result.hidden:
            assert result.expected is result.got is result.line is None
            assert result.error in (None, grading.NOT_RUN)


def test_there_are_at_least_forty_attacks():
    assert len(ATTACKS) >= 40


@pytest.mark.parametrize("number", [4, 7])
def test_after_all_attacks_the_solution_still_gets_everything(number, keys, workers, tmp_path):
    source = find(number)
    path = tmp_path / "solution.py"
    path.write_text(source.solution())
    report = grading.grade_in(workers[number], source, path, keys[number])
    assert report.score == report.total == 100, report


def test_no_process_outlives_its_worker(workers):
    before = processes_of_workers()
    for worker in workers.values():
        worker.__exit__()
    deadline = time.monotonic() + 5
    own = {pid for pid in before if _is_ours(pid)}
    while own & processes_of_workers() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not own & processes_of_workers()


def _is_ours(pid):
    """Return whether a process descends from this one."""
    while pid > 1:
        if pid == os.getpid():
            return True
        try:
            pid = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError):
            return False
    return False
