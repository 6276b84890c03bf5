"""`save` and `load`: files that PyTorch reads, files that it wrote, and files that are damaged."""

import copy
import importlib
import io
import linecache
import operator
import os
import pickle
import struct
import warnings
from collections import OrderedDict
from importlib import import_module
from pathlib import Path

import pytest

import minitorch
from tests.both import compare, like_pytorch

ROOT = Path(__file__).resolve().parents[1]
REASON = "needs the compat extra: pip install -e '.[compat]'"


def pytorch():
    return pytest.importorskip("torch", reason=REASON)


def through(obj, saver=minitorch, loader=minitorch, zipped=True, **arguments):
    """`obj`, saved by one library and loaded by another."""
    file = io.BytesIO()
    saver.save(obj, file, _use_new_zipfile_serialization=zipped)
    file.seek(0)
    return loader.load(file, **arguments)


def networks(torch):
    """Five architectures."""
    nn = torch.nn
    return {
        "mlp": nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Dropout(0.1), nn.Linear(8, 2)),
        "convolutional": nn.Sequential(
            nn.Conv2d(1, 2, 3, padding="same"),
            nn.BatchNorm2d(2),
            nn.MaxPool2d(2),
            nn.Flatten(),
            nn.Linear(8, 2),
        ),
        "recurrent": nn.LSTM(3, 4, num_layers=2, bidirectional=True),
        "transformer": nn.TransformerEncoderLayer(8, 2, 16, batch_first=True),
        "embeddings": nn.ModuleDict(
            {"e": nn.Embedding(5, 3), "n": nn.LayerNorm(3), "g": nn.GRU(3, 2)}
        ),
    }


def numbers(value):
    """Tensors as lists, so that two libraries' can be compared."""
    if hasattr(value, "tolist") and hasattr(value, "dtype"):
        return (str(value.dtype), tuple(value.shape), tuple(value.stride()), value.tolist())
    if isinstance(value, dict):
        return {key: numbers(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [numbers(part) for part in value]
    return value


@pytest.mark.parametrize("zipped", [True, False])
@pytest.mark.parametrize("name", sorted(networks(minitorch)))
def test_state_dicts_go_both_ways(name, zipped):
    torch = pytorch()
    for saver, loader in [(minitorch, torch), (torch, minitorch)]:
        state = networks(saver)[name].state_dict()
        loaded = through(state, saver, loader, zipped)
        assert type(loaded) is OrderedDict
        assert numbers(loaded) == numbers(state)
        assert loaded._metadata == state._metadata
        networks(loader)[name].load_state_dict(loaded)


@pytest.mark.parametrize("name", sorted(networks(minitorch)))
def test_whole_modules_go_both_ways_and_compute_the_same(name):
    torch = pytorch()
    inputs = {
        "mlp": (2, 4),
        "convolutional": (1, 1, 4, 4),
        "recurrent": (5, 2, 3),
        "transformer": (2, 3, 8),
    }
    for saver, loader in [(minitorch, torch), (torch, minitorch)]:
        module = networks(saver)[name].eval()
        loaded = through(module, saver, loader, weights_only=False)
        assert type(loaded) is type(networks(loader)[name])
        assert repr(loaded) == repr(module)
        if name in inputs:
            size = inputs[name]
            x = [k / 10 for k in range(int(saver.Size(size).numel()))]
            results = [
                m(lib.tensor(x).reshape(size)) for m, lib in ((module, saver), (loaded, loader))
            ]
            first, second = [r[0] if isinstance(r, tuple) else r for r in results]
            assert first.flatten().tolist() == pytest.approx(second.flatten().tolist(), abs=1e-5)


@pytest.mark.parametrize("name", ["Adam", "SGD", "AdamW", "RMSprop", "Adagrad"])
def test_state_dicts_of_optimizers_go_both_ways(name):
    torch = pytorch()

    def trained(lib):
        lib.manual_seed(0)
        layer = lib.nn.Linear(3, 2)
        optimizer = getattr(lib.optim, name)(layer.parameters(), lr=0.1)
        for _ in range(3):
            optimizer.zero_grad()
            layer(lib.ones(2, 3)).sum().backward()
            optimizer.step()
        return optimizer

    for saver, loader in [(minitorch, torch), (torch, minitorch)]:
        state = trained(saver).state_dict()
        loaded = through(state, saver, loader)
        assert numbers(loaded) == numbers(state)
        trained(loader).load_state_dict(loaded)


def assortment(torch):
    x = torch.arange(24.0).reshape(2, 3, 4)
    with_attribute = torch.ones(2)
    with_attribute.note = "kept"
    parameter = torch.nn.Parameter(torch.ones(2), requires_grad=False)
    return {
        "transposed": x.transpose(0, 2),
        "step": x[:, ::2, 1:],
        "expanded": torch.ones(1, 3).expand(4, 3),
        "empty": torch.empty(0, 3),
        "scalar": torch.tensor(2.5),
        "leaf": torch.ones(2, requires_grad=True),
        "result": torch.ones(2, requires_grad=True) * 2,
        "parameter": parameter,
        "attribute": with_attribute,
        "complex": torch.complex(torch.ones(2), torch.ones(2)).conj(),
        "other": [
            torch.Size([1, 2]),
            torch.device("cpu"),
            torch.float64,
            torch.strided,
            {1, 2},
            b"bytes",
        ],
        "plain": [None, True, -1, 1 << 80, 1.5, 2j, "text \u20ac", (1, (2, 3))],
    }


@pytest.mark.parametrize("zipped", [True, False])
@pytest.mark.parametrize("way", ["ours to PyTorch", "PyTorch's to us", "ours to us"])
def test_all_kinds_of_values_go_both_ways(way, zipped):
    saver, loader = {
        "ours to PyTorch": (minitorch, pytorch()),
        "PyTorch's to us": (pytorch(), minitorch),
        "ours to us": (minitorch, minitorch),
    }[way]
    values = assortment(saver)
    loaded = through(values, saver, loader, zipped)
    assert str(numbers(loaded)) == str(numbers(values))
    for name in ("leaf", "result", "parameter"):
        assert loaded[name].requires_grad == values[name].requires_grad
        assert loaded[name].grad_fn is None
    assert type(loaded["parameter"]) is loader.nn.Parameter
    assert loaded["attribute"].note == "kept"


@pytest.mark.parametrize(
    "dtype", ["uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64", "complex64",
              "complex128", "bool"]
)  # fmt: skip
def test_every_dtype_goes_both_ways(dtype):
    torch = pytorch()
    for saver, loader in [(minitorch, torch), (torch, minitorch)]:
        x = saver.tensor([0, 1, 1], dtype=getattr(saver, dtype))
        assert numbers(through(x, saver, loader)) == numbers(x)


def test_a_file_has_the_bytes_that_pytorch_writes():
    torch = pytorch()
    files = []
    for lib in (torch, minitorch):
        file = io.BytesIO()
        lib.save({"a": lib.arange(5), "b": lib.nn.Parameter(lib.ones(2))}, file)
        files.append(file.getvalue())
    first, second = files
    # what differs is an identity at the end, and its checksum in the directory
    end = first.index(b"archive/.data/serialization_id")
    assert len(first) == len(second)
    assert first[:end] == second[:end]


def test_views_of_one_storage_stay_views_of_one_storage():
    x = minitorch.zeros(4)
    for zipped in (True, False):
        whole, part = through([x, x[2:]], zipped=zipped)
        part.fill_(1)
        assert whole.tolist() == [0, 0, 1, 1]
    whole, part = pickle.loads(pickle.dumps([x, x[2:]]))
    part.fill_(1)
    assert whole.tolist() == [0, 0, 1, 1]


def test_two_types_of_one_memory_are_refused():
    x = minitorch.zeros(2)
    with pytest.raises(RuntimeError, match="view the same data as different types"):
        minitorch.save([x, x.view(minitorch.int32)], io.BytesIO())


class Marked(minitorch.Tensor):
    pass


def test_subclasses_need_to_be_allowed():
    marked = minitorch.ones(2).as_subclass(Marked)
    with pytest.raises(pickle.UnpicklingError, match="Marked was not an allowed global by default"):
        through(marked)
    with minitorch.serialization.safe_globals([Marked]):
        assert type(through(marked)) is Marked
    assert minitorch.serialization.get_safe_globals() == []
    assert type(through(marked, weights_only=False)) is Marked


class Hostile:
    def __reduce__(self):
        return os.system, ("true",)


def test_by_default_a_file_runs_nothing():
    with pytest.raises(pickle.UnpicklingError, match="posix.system whose module posix is blocked"):
        through(Hostile())
    with pytest.raises(pickle.UnpicklingError, match="Unsupported global: GLOBAL print was not"):
        through(print)
    with minitorch.serialization.safe_globals([os.system]), pytest.raises(pickle.UnpicklingError):
        through(Hostile())


def test_what_a_file_may_not_have_is_listed_without_running_it():
    file = io.BytesIO()
    minitorch.save([Hostile(), minitorch.ones(1), minitorch.nn.Linear(1, 1)], file)
    file.seek(0)
    names = minitorch.serialization.get_unsafe_globals_in_checkpoint(file)
    assert sorted(names) == ["posix.system", "torch.nn.modules.linear.Linear"]


@pytest.mark.parametrize(
    "names",
    [
        "distributions.AffineTransform distributions.transforms.ComposeTransform",
        "distributions.StackTransform distributions.constraints.cat",
        "autograd.graph.save_on_cpu autograd.profiler.KinetoStepTracker",
        "fx.graph.CodeGen nn.utils.parametrize.ParametrizationList",
        "Generator nn.modules.module._IncompatibleKeys",
    ],
)
def test_a_file_names_the_modules_in_which_pytorch_has_its_classes(names):
    def named(torch):
        file = io.BytesIO()
        torch.save([operator.attrgetter(name)(torch) for name in names.split()], file)
        file.seek(0)
        return sorted(torch.serialization.get_unsafe_globals_in_checkpoint(file))

    compare(named)


def test_the_environment_can_force_safe_loading(monkeypatch):
    monkeypatch.setenv("TORCH_FORCE_WEIGHTS_ONLY_LOAD", "1")
    with pytest.raises(pickle.UnpicklingError):
        through(print, weights_only=False)
    monkeypatch.setenv("TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD", "1")
    with pytest.raises(RuntimeError, match="Only one of"):
        through(1)
    monkeypatch.delenv("TORCH_FORCE_WEIGHTS_ONLY_LOAD")
    with pytest.warns(UserWarning, match="forcing weights_only=False"):
        assert through(print) is print


@pytest.mark.parametrize(
    "location",
    [
        "cpu",
        minitorch.device("cpu"),
        {"cuda:0": "cpu"},
        lambda storage, tag: storage,
        lambda storage, tag: None,
        b"cpu",
    ],
)
def test_map_location_brings_storages_to_the_cpu(location):
    assert through(minitorch.ones(2), map_location=location).tolist() == [1, 1]


def test_an_unknown_location_is_an_error():
    with pytest.raises(RuntimeError, match="Attempting to deserialize object on a CUDA device but"):
        through(minitorch.ones(2), map_location="cuda:1")
    with pytest.raises(RuntimeError, match=r"don't know how to restore .* \(tagged with nowhere\)"):
        through(minitorch.ones(2), map_location={"cpu": "nowhere"})


def test_a_mapped_file_is_read_when_it_is_looked_at(tmp_path):
    path = tmp_path / "x.pt"
    minitorch.save({"x": minitorch.arange(1000.0), "y": minitorch.ones(2)}, path)
    loaded = minitorch.load(path, mmap=True)
    assert loaded["x"].sum().item() == 499500
    loaded["y"].fill_(3)  # in memory only
    assert minitorch.load(path)["y"].tolist() == [1, 1]
    with pytest.raises(ValueError, match="f must be a file path in order to use the mmap argument"):
        minitorch.load(io.BytesIO(path.read_bytes()), mmap=True)
    minitorch.save(1, path, _use_new_zipfile_serialization=False)
    with pytest.raises(RuntimeError, match="mmap can only be used with files saved with"):
        minitorch.load(path, mmap=True)


def test_hooks_are_not_saved():
    x = minitorch.ones(2, requires_grad=True)
    x.register_hook(print)
    with pytest.warns(UserWarning, match="backward hook .* on tensor will not be serialized"):
        assert not through(x)._backward_hooks


def test_pickle_protocols_and_modules():
    for protocol in (2, 3, 4, 5):
        file = io.BytesIO()
        minitorch.save([minitorch.ones(2), minitorch.float32], file, pickle_protocol=protocol)
        file.seek(0)
        x, dtype = minitorch.load(file, pickle_module=pickle)
        assert x.tolist() == [1, 1] and dtype is minitorch.float32


_SOURCE = """
from {library}.nn import Module
class Layer(Module):
    def forward(self, x):
        return x + {number}
"""


def test_a_changed_source_is_noticed_in_old_files(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    path = tmp_path / "a_layer_of_a_user.py"
    path.write_text(_SOURCE.format(library="minitorch", number=1))
    module = importlib.import_module(path.stem)
    file = io.BytesIO()
    minitorch.save(module.Layer(), file, _use_new_zipfile_serialization=False)
    file.seek(0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        minitorch.load(file, weights_only=False)
    path.write_text(_SOURCE.format(library="minitorch", number=2))
    linecache.clearcache()
    file.seek(0)
    with pytest.warns(
        minitorch.serialization.SourceChangeWarning, match="'a_layer_of_a_user.Layer' has"
    ):
        minitorch.load(file, weights_only=False)


def test_sparse_tensors_of_old_files_are_checked_when_their_indices_are_there():
    sparse = minitorch.sparse_coo_tensor([[0, 1, 1]], [3.0, 4.0, 5.0], (4,))
    file = io.BytesIO()
    minitorch.save(sparse, file, _use_new_zipfile_serialization=False)
    file.seek(0)
    assert minitorch.load(file).to_dense().tolist() == [3, 9, 0, 0]
    written = bytearray(file.getvalue())
    place = written.rindex(struct.pack("<qqq", 0, 1, 1))
    written[place + 16] = 9
    with pytest.raises(RuntimeError, match="size is inconsistent with indices"):
        minitorch.load(io.BytesIO(bytes(written)))


def test_settings_of_files_are_changed_for_a_while():
    def program(torch):
        config = import_module(f"{torch.__name__}.utils.serialization").config
        with config.patch("save.storage_alignment", 4096):
            inside = config.save.storage_alignment
        with config.patch({"load.mmap": True}):
            inside = inside, config.load.mmap
        return inside, config.save.storage_alignment, config.load.mmap

    compare(program)


OLD_STATES = {
    "a tensor's": lambda x: (x.untyped_storage(), 1, (2,), (2,)),
    "a variable's": lambda x: (x, 0, None, True, 0),
    "its last parts": lambda x: (True, None, None),
    "of no bool": lambda x: (1, None, None),
    "too short": lambda x: (True, None),
}


@pytest.mark.parametrize("state", OLD_STATES)
@pytest.mark.parametrize("leaf", [True, False])
def test_states_that_the_first_versions_pickled(state, leaf):
    def program(torch):
        t = torch.zeros(2, requires_grad=not leaf) * 1
        t.__setstate__(OLD_STATES[state](torch.arange(4.0)))
        return t, t.requires_grad

    compare(program)


@like_pytorch
def test_a_subclass_keeps_its_attributes_and_may_set_its_own_state(torch):
    class Marked(torch.Tensor):
        def __setstate__(self, state):
            self.told = state

    plain = torch.ones(2).as_subclass(type("Plain", (torch.Tensor,), {}))
    plain.mark = 3
    own = torch.ones(2).as_subclass(Marked)
    own.mark = 4
    return copy.copy(plain).mark, copy.copy(own).told
