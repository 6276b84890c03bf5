"""The library's logs: which are switched on, by a program and by ``TORCH_LOGS``, and what is written."""

import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest

import minitorch
from tests.both import compare, outcome, real, run_tests_in_pytorchs_way


@pytest.mark.parametrize(
    "given",
    [
        {"autograd": 3},
        {"guards": 1},
        {"no_such_log": 10},
        {"modules": {"no_such_module": 10}},
        {"all": "high"},
    ],
)
def test_what_cannot_be_set(given):
    def program(torch):
        torch._logging.set_logs(**given)

    compare(program)


def test_what_loggers_are_set_to():
    names = ["torch", "torch.autograd", "torch._dynamo", "torch.fx.experimental.sym_node"]

    def program(torch):
        logs = torch._logging
        logs.set_logs(autograd=logging.DEBUG, dynamic=logging.ERROR, guards=True)
        state = logs._internal.log_state
        found = [logging.getLogger(n).level for n in names]
        artifact = logs.getArtifactLogger("torch.some", "guards")
        found += [artifact.level, artifact.propagate, sorted(state.artifact_names)]
        logs.set_logs()
        return found, [logging.getLogger(n).level for n in names]

    compare(program)


@pytest.mark.parametrize("settings", ["+autograd", "autograd", "-all", "torch.autograd.graph"])
def test_the_variable(settings):
    program = "import {} as torch; torch.rand(2, requires_grad=True).sum().backward()"
    lines = []
    for library in (minitorch, real):
        name = library.__name__
        done = subprocess.run(
            [sys.executable, "-c", program.format(name)],
            capture_output=True,
            text=True,
            env={
                **os.environ,
                "TORCH_LOGS": settings,
                "PYTHONPATH": str(Path(library.__file__).parent.parent),
            },
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        lines.append([line.split("] ")[1].split(" object")[0] for line in done.stderr.splitlines()])
    assert lines[0] == lines[1]


def test_settings_that_are_none():
    def program(torch):
        torch._logging._internal._parse_log_settings("autograd,no_such_log")

    kind, name, text = outcome(program, minitorch)
    assert (kind, name) == ("raised", "ValueError")
    assert text.startswith(outcome(program, real)[2].partition("Valid settings")[0])


# PyTorch's tests of logs are written like this one; its testing modules are in its wheel
_TESTS = """
import logging, sys
import torch
import torch.testing

torch.testing.__path__.append(sys.argv.pop())
from torch.testing._internal.common_utils import run_tests
from torch.testing._internal.logging_utils import LoggingTestCase, make_logging_test


class TestLogs(LoggingTestCase):
    @make_logging_test(autograd=logging.DEBUG)
    def test_nodes(self, records):
        (torch.ones(2, requires_grad=True) * 2).sum().backward()
        names = [record.getMessage().split()[1] for record in records]
        self.assertEqual(names, ["<SumBackward0", "<MulBackward0", "<AccumulateGrad"])


run_tests()
"""


def test_tests_of_logs_in_pytorchs_way_run(tmp_path):
    done = run_tests_in_pytorchs_way(_TESTS, tmp_path, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "Ran 1 test" in done.stderr


def test_a_switch_is_set_for_a_while():
    from minitorch._dynamo import config

    with config.patch("verbose", True), config.patch({"suppress_errors": True}, disable=False):
        assert (config.verbose, config.suppress_errors, config.disable) == (True, True, False)
    assert (config.verbose, config.suppress_errors, config.disable) == (False, False, True)
