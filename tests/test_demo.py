"""What ``python -m minitorch demo`` shows and makes."""

import importlib.util
import re

import pytest

from minitorch import __main__ as command
from minitorch.commands import demo


def needs_the_extra():
    for module, name in demo.EXTRAS.items():
        pytest.importorskip(module, reason=f"{name} is missing: pip install -e '.[demo]'")


@pytest.mark.slow
def test_the_classifier_reaches_97_percent_and_leaves_a_picture(tmp_path, capsys):
    needs_the_extra()
    picture = tmp_path / "picture.png"
    assert command.main(["demo", "--output", str(picture)]) == 0
    printed = capsys.readouterr().out
    assert len(re.findall(r"^epoch +\d+/12 +loss \d\.\d+ +held-out", printed, re.MULTILINE)) == 12
    accuracy = float(re.search(r"^held-out accuracy ([\d.]+)%", printed, re.MULTILINE)[1])
    assert accuracy >= 97.0
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_no_image_is_in_both_parts_and_every_digit_has_its_share():
    needs_the_extra()
    digits = demo.load(seed=0)
    assert len(digits.train_labels) + len(digits.test_labels) == 1797
    for digit in range(10):
        held_out = (digits.test_labels == digit).sum().item()
        learnt = (digits.train_labels == digit).sum().item()
        assert held_out / (held_out + learnt) == pytest.approx(0.2, abs=0.01)


def test_a_missing_extra_is_named_with_the_command_that_installs_it(monkeypatch, capsys):
    find = importlib.util.find_spec
    monkeypatch.setattr(demo, "EXTRAS", {"tqdm": "tqdm", "json": "json"})
    monkeypatch.setattr(importlib.util, "find_spec", lambda n: None if n == "tqdm" else find(n))
    assert command.main(["demo"]) == 1
    message = capsys.readouterr().err
    assert "needs tqdm." in message
    assert 'pip install ".[demo]"' in message


def test_tracing_the_demo_names_what_it_lacks(monkeypatch, capsys, tmp_path):
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda n: None if n == "sklearn" else find(n))
    monkeypatch.chdir(tmp_path)
    assert command.main(["trace"]) == 1
    assert "needs scikit-learn." in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_one_backward_is_shown_in_the_order_of_the_engine(capsys):
    demo.show_backward()
    steps = re.findall(
        r"^ +(\d)\. (\w+(?: of \w)?) +gets (\S+)", capsys.readouterr().out, re.MULTILINE
    )
    ran = [name for _, name, _ in steps]
    assert [number for number, _, _ in steps] == ["1", "2", "3", "4", "5"]
    assert ran[:3] == ["PowBackward0", "AddBackward0", "MulBackward0"]
    # the derivatives of (a b + a)^2 at a = 2, b = 3
    gradients = {name: float(value) for _, name, value in steps}
    assert gradients["AccumulateGrad of a"] == 2 * (2 * 3 + 2) * (3 + 1)
    assert gradients["AccumulateGrad of b"] == 2 * (2 * 3 + 2) * 2
