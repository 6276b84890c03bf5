"""Packages written for PyTorch, unchanged, on both libraries: what they print must be the same.

They are not installed with minitorch. ``pip install --no-deps --target folder einops ...`` and
``PYTHONPATH=folder pytest tests/packages`` runs the programs of those that are there.
"""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[1]
ENVIRONMENT = {
    **os.environ,
    "PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]),
    "OMP_NUM_THREADS": "1",
}

# program: package
PROGRAMS = {
    "backpack_extensions": "backpack",
    "botorch_search": "botorch",
    "captum_attributions": "captum",
    "curvlinops_products": "curvlinops",
    "diffusers_denoising": "diffusers",
    "einops_layers": "einops",
    "einops_operations": "einops",
    "entmax_maps": "entmax",
    "geometric_graphs": "torch_geometric",
    "geoopt_manifolds": "geoopt",
    "gpytorch_processes": "gpytorch",
    "higher_loops": "higher",
    "kornia_images": "kornia",
    "laplace_posteriors": "laplace",
    "lightning_training": "pytorch_lightning",
    "linear_operator_solves": "linear_operator",
    "metric_learning_losses": "pytorch_metric_learning",
    "normflows_densities": "normflows",
    "opacus_privacy": "opacus",
    "peft_adapters": "peft",
    "pyro_inference": "pyro",
    "skorch_training": "skorch",
    "tensorboard_events": "tensorboard",
    "tensordict_containers": "tensordict",
    "timm_models": "timm",
    "torch_optimizer_steps": "torch_optimizer",
    "torchdiffeq_solvers": "torchdiffeq",
    "torchinfo_tables": "torchinfo",
    "torchjd_jacobians": "torchjd",
    "torchmetrics_metrics": "torchmetrics",
    "torchmin_minimizers": "torchmin",
    "torchopt_optimizers": "torchopt",
    "torchsde_solvers": "torchsde",
    "torchsummary_table": "torchsummary",
    "transformers_models": "transformers",
    "unfoldnd_patches": "unfoldNd",
    "x_transformers_variants": "x_transformers",
    "zuko_flows": "zuko",
}

NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")


def run(*command):
    done = subprocess.run(
        [sys.executable, *command], env=ENVIRONMENT, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_program_is_run_here():
    assert sorted(PROGRAMS) == sorted(path.stem for path in (FOLDER / "programs").glob("*.py"))


@pytest.mark.parametrize("name", PROGRAMS)
def test_both_print_the_same(name):
    pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")
    if importlib.util.find_spec(PROGRAMS[name]) is None:
        pytest.skip(f"needs the package {PROGRAMS[name]}")
    program = str(FOLDER / "programs" / f"{name}.py")
    theirs, ours = run(program), run("-m", "minitorch", "run", program)
    assert "FAILED" not in theirs
    assert NUMBER.sub("#", ours) == NUMBER.sub("#", theirs)
    expected = [float(number) for number in NUMBER.findall(theirs)]
    assert [float(number) for number in NUMBER.findall(ours)] == pytest.approx(
        expected, rel=1e-3, abs=1e-3
    )
