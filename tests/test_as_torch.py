"""``import torch`` means minitorch after `install_as_torch`, and PyTorch after `uninstall_as_torch`."""

import importlib
import importlib.machinery
import importlib.metadata
import importlib.util
import operator
import os
import pickle
import subprocess
import sys
import types

import pytest

import minitorch
from minitorch.torch_version import TorchVersion
from tests.both import real


@pytest.fixture
def installed():
    minitorch.install_as_torch()
    yield
    minitorch.uninstall_as_torch()


def test_submodules_are_the_same_objects(installed):
    import torch
    import torch.nn.functional as functional
    from torch.nn.modules import linear
    from torch.optim.lr_scheduler import StepLR

    assert torch is minitorch
    assert functional is minitorch.nn.functional
    assert linear is sys.modules["minitorch.nn.modules.linear"]
    assert linear.Linear is minitorch.nn.Linear
    assert StepLR is minitorch.optim.lr_scheduler.StepLR


def test_a_module_is_named_under_torch_and_keeps_its_own_spec(installed):
    importlib.import_module("torch.nn.modules.conv")
    module = sys.modules["minitorch.nn.modules.conv"]
    assert module.__name__ == "torch.nn.modules.conv"
    assert module.__spec__.name == "minitorch.nn.modules.conv"
    assert importlib.util.find_spec("torch.nn.modules.conv") is not None
    minitorch.uninstall_as_torch()
    assert module.__name__ == "minitorch.nn.modules.conv"
    assert minitorch.__name__ == "minitorch"


def test_what_is_missing_is_named_in_the_error(installed):
    with pytest.raises(ModuleNotFoundError, match="'torch.no_such_module'") as caught:
        importlib.import_module("torch.no_such_module")
    assert caught.value.name == "torch.no_such_module"
    with pytest.raises(ImportError, match="'no_such_name'"):
        from torch import no_such_name  # noqa: F401
    with pytest.raises(AttributeError, match="no_such_name"):
        minitorch.no_such_name  # noqa: B018
    assert importlib.util.find_spec("torch.no_such_module") is None


def test_a_submodule_that_only_pytorch_has_is_not_taken_from_it(installed):
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("torch.package")


def test_functorch_is_there_without_pytorch(installed, monkeypatch):
    def hidden(finder):
        def find_spec(name, *args, **kwargs):
            return None if name.startswith("functorch") else finder.find_spec(name, *args, **kwargs)

        return types.SimpleNamespace(find_spec=find_spec)

    for name in [name for name in sys.modules if name.partition(".")[0] == "functorch"]:
        monkeypatch.delitem(sys.modules, name)
    theirs = importlib.machinery.PathFinder
    monkeypatch.setattr(sys, "meta_path", [hidden(f) if f is theirs else f for f in sys.meta_path])
    functorch = importlib.import_module("functorch")
    control_flow = importlib.import_module("functorch.experimental.control_flow")
    rearrange = importlib.import_module("functorch.einops").rearrange
    with pytest.warns(FutureWarning, match="functorch.make_functional"):
        call, weights = functorch.make_functional(minitorch.nn.Linear(2, 1))
    assert call(weights, minitorch.ones(3, 2)).shape == (3, 1)
    assert control_flow.cond is minitorch.cond
    assert rearrange(minitorch.ones(2, 3), "a b -> b a").shape == (3, 2)
    with pytest.raises(ModuleNotFoundError, match="functorch.dim"):
        importlib.import_module("functorch.dim")
    monkeypatch.undo()
    minitorch.uninstall_as_torch()
    assert sys.modules.get("functorch") is not functorch


def test_pytorch_comes_back():
    before = sys.modules["torch"], sys.modules["torch.nn"]
    own_version = minitorch.__version__
    minitorch.install_as_torch()
    importlib.import_module("torch.nn")
    minitorch.uninstall_as_torch()
    assert (sys.modules["torch"], sys.modules["torch.nn"]) == before
    assert importlib.import_module("torch.nn") is real.nn
    assert minitorch.__version__ == own_version
    assert not [name for name in sys.modules if name.startswith("torch") and "minitorch" in
                str(getattr(sys.modules[name], "__file__", ""))]  # fmt: skip


def test_installing_or_uninstalling_twice_changes_nothing():
    minitorch.install_as_torch()
    minitorch.install_as_torch()
    minitorch.uninstall_as_torch()
    minitorch.uninstall_as_torch()
    assert importlib.import_module("torch") is real


def test_the_version_is_pytorchs_while_installed(installed):
    import torch

    ours, reals = torch.__version__, real.__version__
    assert ours.split("+")[0] == reals.split("+")[0]
    assert importlib.metadata.version("torch") == ours == torch.version.__version__
    assert torch.version.cuda is None
    packaging = pytest.importorskip("packaging.version", reason="comes with pytest")
    assert packaging.Version(ours) >= packaging.Version("2.13")


ORDERED = ["1.13.1", "2.0.0a1", "2.0.0b1.dev3", "2.0.0rc1", "2.0", "2.0.1.post1", "2.13.0.dev1",
           "2.13.0", "2.13.0+cpu", "2.13.0+minitorch.0.1.0", "2.14"]  # fmt: skip


@pytest.mark.parametrize("first", ORDERED)
@pytest.mark.parametrize("second", ORDERED)
def test_versions_compare_by_their_numbers(first, second):
    ours, reals = TorchVersion(first), real.torch_version.TorchVersion(first)
    for compare in ("__lt__", "__le__", "__eq__", "__ge__", "__gt__"):
        assert getattr(ours, compare)(second) == getattr(reals, compare)(second)


@pytest.mark.parametrize("other", [(2, 9), (2, 13), "parrot", "", "2.13"])
def test_versions_compare_with_tuples_and_texts(other):
    ours, reals = TorchVersion("2.13.0"), real.torch_version.TorchVersion("2.13.0")
    assert (ours < other, ours == other, ours > other) == (
        reals < other, reals == other, reals > other)  # fmt: skip


STARTS_ANOTHER = """
import multiprocessing
import torch

def tell(queue):
    queue.put(torch.nn.__name__)

if __name__ == "__main__":
    for method in ("spawn", "forkserver"):
        context = multiprocessing.get_context(method)
        queue = context.SimpleQueue()
        process = context.Process(target=tell, args=(queue,))
        process.start()
        print(queue.get())
        process.join()
"""


def test_interpreters_that_it_starts_have_it_too(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(STARTS_ANOTHER)
    command = [sys.executable, "-m", "minitorch", "run", str(program)]
    done = subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": os.getcwd()}
    )
    assert done.stdout.split() == ["torch.nn"] * 2, done.stderr


def test_a_function_is_not_replaced_by_the_module_of_its_name(installed):
    import torch
    from torch.autograd.gradcheck import GradcheckError

    assert issubclass(GradcheckError, RuntimeError)
    assert torch.autograd.gradcheck is minitorch.autograd.gradcheck
    assert callable(torch.autograd.gradcheck)


def test_classes_and_functions_are_named_under_torch(installed):
    from torch.distributions import Normal

    torch = sys.modules["torch"]
    shown = [torch.Size, torch.nn.Linear, torch.optim.SGD, torch.utils.data.DataLoader, Normal]
    theirs = [
        real.Size,
        real.nn.Linear,
        real.optim.SGD,
        real.utils.data.DataLoader,
        real.distributions.Normal,
    ]
    assert [str(cls) for cls in shown] == [str(cls) for cls in theirs]
    assert torch.autograd.grad.__module__ == "torch.autograd"
    assert pickle.loads(pickle.dumps(torch.nn.Linear(1, 1))).in_features == 1


@pytest.mark.parametrize("name", ["Generator", "abs", "from_numpy", "einsum", "vmap"])
def test_objects_of_the_namespace_have_a_module_in_torch(installed, name):
    """By which packages tell whose class or function it is."""
    torch = sys.modules["torch"]
    ours, theirs = (operator.attrgetter(name)(library) for library in (torch, real))
    assert ours.__module__.partition(".")[0] == theirs.__module__.partition(".")[0] == "torch"
    assert pickle.loads(pickle.dumps(ours)) is ours


@pytest.mark.parametrize("name", ["Generator", "testing.FileCheck"])
def test_a_class_of_another_folder_has_pytorchs_place(installed, name):
    ours, theirs = (operator.attrgetter(name)(torch) for torch in (sys.modules["torch"], real))
    assert str(ours) == str(theirs)


def test_names_come_back():
    minitorch.install_as_torch()
    minitorch.uninstall_as_torch()
    assert minitorch.nn.Linear.__module__ == "minitorch.nn.modules.linear"
    assert minitorch.Size.__module__ == "minitorch.core.types"
    assert minitorch.abs.__module__ == "minitorch"
    assert minitorch.nn.Parameter.__module__ == "torch.nn.parameter"  # as always


def test_a_whole_module_that_was_saved_under_torch_is_pytorchs(installed, tmp_path):
    """The file has the names of PyTorch's classes, and minitorch alone finds them too."""
    torch = sys.modules["torch"]
    model = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU(), torch.nn.BatchNorm1d(3))
    torch.save(model, tmp_path / "model.pt")
    minitorch.uninstall_as_torch()
    again = minitorch.load(tmp_path / "model.pt", weights_only=False)
    theirs = real.load(tmp_path / "model.pt", weights_only=False)
    assert repr(again) == repr(theirs)
