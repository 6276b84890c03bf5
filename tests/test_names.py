"""Every name that programs can import is where it was: the list is names.txt."""

import subprocess
import sys
from pathlib import Path


def test_listed_names_and_signatures():
    """In a process of its own, in which no test has imported or replaced anything."""
    program = [sys.executable, "-m", "tests.names"]
    root = Path(__file__).parent.parent
    found = subprocess.run(program, cwd=root, capture_output=True, text=True, check=False)
    assert found.stdout + found.stderr == ""
    assert found.returncode == 0
