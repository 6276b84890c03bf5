"""What type checkers see: typed programs pass, wrong ones do not, and the stubs say what is there."""

import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

pytest.importorskip("mypy", reason="needs the lint extra: pip install -e '.[lint]'")

ROOT = Path(__file__).resolve().parent.parent
TYPED = """
import minitorch as torch
import minitorch.nn.functional as F
from minitorch import Tensor, nn


class Net(nn.Module):
    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.linear = nn.Linear(3, hidden)
        self.scale = nn.Parameter(torch.ones(hidden))

    def forward(self, x: Tensor) -> Tensor:
        return F.relu(self.linear(x)) * self.scale


@torch.no_grad()
def accuracy(net: Net, x: Tensor) -> float:
    return (net(x) > 0).float().mean().item()


net = Net(4)
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
x = torch.randn(5, 3, dtype=torch.float64, requires_grad=True).to(torch.float32)
for _ in range(3):
    loss = net(x).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
with torch.no_grad():
    values, indices = torch.max(x, dim=1)
    best: Tensor = torch.max(x, 1).values
    size: int = x.size(0) + x.dim() + x.shape[0]
    parts = torch.cat([x, x[:2]]) + 2 * torch.sin(x[0]) ** 2
    sums: Tensor = x.sum((0, 1), keepdim=True).add(1, alpha=2).clamp_(min=0)
kind: torch.dtype = torch.promote_types(x.dtype, torch.int64)
"""
WRONG = {
    "torch.sin(3)": "arg-type",
    "torch.ones(3).size('a')": "call-overload",
    "torch.ones(3).add(1, alpha='2')": "arg-type",
    "x: int = torch.ones(3).sum()": "assignment",
    "torch.zeros(3, dtype=3)": "arg-type",
    "torch.ones(3).grad.zero_()": "union-attr",
    "torch.add(torch.ones(3))": "call-arg",
}
REVEALED = {
    "torch.ones(3) + 1": "Tensor",
    "torch.topk(torch.ones(3), 2).indices": "Tensor",
    "torch.split(torch.ones(4), 2)": "tuple[Tensor, ...]",
    "torch.ones(3).shape": "Size",
    "torch.ones(3).grad": "Tensor | None",
    "torch.ones(3).dtype": "dtype",
    "torch.is_grad_enabled()": "bool",
    "torch.linalg.norm(torch.ones(3))": "Tensor",
    "torch.linalg.svd(torch.ones(3, 3)).S": "Tensor",
    "torch.fft.rfft(torch.ones(3))": "Tensor",
    "torch.special.entr(torch.ones(3))": "Tensor",
}
# modules that lie in minitorch/compat/, and what a checker says of wrong uses of them
COMPATIBILITY = """
import minitorch as torch
import minitorch.fx
import minitorch.jit
from minitorch.fx import Graph, GraphModule
from minitorch.fx.experimental.proxy_tensor import make_fx
from minitorch.masked import MaskedTensor


def graph_of(module: GraphModule) -> Graph:
    return module.graph


masked: type[torch.Tensor] = MaskedTensor
traced: GraphModule = torch.fx.symbolic_trace(torch.nn.Linear(2, 3))
values: torch.Tensor = torch.linalg.svd(torch.ones(3, 3)).S
make_fx(graph_of), minitorch.jit.script
wrong: int = minitorch.fx.Node
missing = minitorch.fx.no_such_name
"""
# stubs written by hand beside compiled modules, and the generated one
STUBS = """core.dtype core.generator autograd.variable autograd.grad_mode autograd.functions.creation
    autograd.functions.from_data autograd.functions.random autograd.functions.namespace
    autograd.functions.interchange autograd.functions.properties autograd.functions.subscript
    autograd.functions.tensor_methods""".split()
# the signature at run time is `(*args, **kwargs)`, or none: PyTorch's parser reads the arguments
# and composed methods are `Tensor`'s own, not those of its base
ALLOWED = r"is inconsistent|is not present at runtime|variable differs|disjoint base"


def mypy(*arguments):
    return subprocess.run(
        [sys.executable, "-m", *arguments], cwd=ROOT, capture_output=True, text=True
    )


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("mypy")


def check(cache, text):
    program = cache / "program.py"
    program.write_text(text)
    return mypy("mypy", "--config-file=", "--cache-dir", str(cache), str(program)).stdout


@pytest.mark.slow
def test_a_typed_program_passes(cache):
    found = [line for line in check(cache, TYPED).splitlines() if "program.py" in line]
    assert found == []


@pytest.mark.slow
def test_wrong_types_are_found_and_results_have_types(cache):
    lines = ["import minitorch as torch", *WRONG, *(f"reveal_type({text})" for text in REVEALED)]
    output = check(cache, "\n".join(lines))
    codes = dict(re.findall(r"program\.py:(\d+): error: .*\[([\w-]+)\]", output))
    for number, (line, code) in enumerate(WRONG.items(), 2):
        assert codes.get(str(number)) == code, (line, output)
    types = re.findall(r'Revealed type is "(.*)"', output)
    assert [re.sub(r"[\w.]+\.(\w+)", r"\1", text) for text in types] == list(REVEALED.values())


@pytest.fixture(params=["wheel", "editable"])
def interpreter(request, tmp_path):
    """The interpreter of an environment in which minitorch is installed, as far as type checkers see."""
    if not (ROOT / "minitorch-stubs").exists():
        pytest.skip("wants the checkout: the build writes minitorch-stubs there")
    environment = tmp_path / "environment"
    venv.create(environment, symlinks=True)
    (site,) = environment.glob("lib/python*/site-packages")
    if request.param == "wheel":
        for name in ("minitorch", "minitorch-stubs"):
            (site / name).symlink_to(ROOT / name)
    else:
        (site / "__editable__.minitorch_autograd.pth").write_text(f"{ROOT}\n")
    return environment / "bin" / "python"


def lines_with_errors(output):
    return [int(line) for line in re.findall(r"program\.py:(\d+):(?:\d+ -)? error", output)]


LAST_LINES = [len(COMPATIBILITY.splitlines()) - 1, len(COMPATIBILITY.splitlines())]


@pytest.mark.slow
def test_mypy_finds_the_compatibility_modules_of_an_installed_package(interpreter, tmp_path):
    (tmp_path / "program.py").write_text(COMPATIBILITY)
    options = ["--config-file=", "--cache-dir", "cache", "--python-executable", str(interpreter)]
    output = subprocess.run(
        [sys.executable, "-m", "mypy", *options, "program.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    ).stdout
    assert lines_with_errors(output) == LAST_LINES, output


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pyright") is None, reason="needs pyright")
def test_pyright_finds_the_compatibility_modules_of_an_installed_package(interpreter, tmp_path):
    (tmp_path / "program.py").write_text(COMPATIBILITY)
    output = subprocess.run(
        ["pyright", "--pythonpath", str(interpreter), "program.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    ).stdout
    assert lines_with_errors(output) == LAST_LINES, output


@pytest.mark.slow
def test_what_stubs_name_is_there():
    modules = [f"minitorch.{name}" for name in STUBS]
    options = ["--mypy-config-file", "pyproject.toml", "--concise", "--ignore-missing-stub"]
    output = mypy("mypy.stubtest", *options, *modules).stdout
    assert "not checking stubs" not in output
    found = [line for line in output.splitlines() if line.startswith("minitorch")]
    assert [line for line in found if not re.search(ALLOWED, line)] == []
