"""Files of `save`: written whole or not at all, damaged ones, and plain pickles and copies."""

import copy
import io
import multiprocessing
import pickle
import random
import re
import signal
import stat
import struct
import subprocess
import sys
import time
import types
import zipfile
from multiprocessing.reduction import ForkingPickler
from pathlib import Path

import pytest

import minitorch
from tests.both import compare
from tests.serialization_fuzz import mutants, outcome
from tests.test_serialization import assortment, numbers

ROOT = Path(__file__).resolve().parents[1]


# --------------------------------------------------------------------------------------------------
# Files
# --------------------------------------------------------------------------------------------------


def test_paths_and_permissions(tmp_path):
    path = tmp_path / "x.pt"
    path.touch()
    path.chmod(0o640)
    link = tmp_path / "link.pt"
    link.symlink_to(path)
    minitorch.save(3, str(link))
    assert link.is_symlink() and minitorch.load(path) == 3
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert sorted(p.name for p in tmp_path.iterdir()) == ["link.pt", "x.pt"]


def test_a_failing_save_leaves_the_old_file(tmp_path):
    path = tmp_path / "x.pt"
    minitorch.save("old", path)
    with pytest.raises(AttributeError, match="Can't pickle local object"):
        minitorch.save([minitorch.ones(1000), lambda: 1], path)
    assert minitorch.load(path) == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_bad_targets_are_refused(tmp_path):
    with pytest.raises(RuntimeError, match="Parent directory .*missing does not exist."):
        minitorch.save(1, tmp_path / "missing" / "x.pt")
    with pytest.raises(RuntimeError, match="Is a directory"):
        minitorch.save(1, tmp_path)
    with pytest.raises(
        AttributeError, match="expected 'f' to be string, path, or a file-like object"
    ):
        minitorch.save(1, 3)
    with pytest.raises(
        AttributeError, match="You can only torch.load from a file that is seekable"
    ):
        minitorch.load(3)


_KILLED = """
import sys, minitorch
x = minitorch.ones(500_000)
generation = 0
while True:
    generation += 1
    minitorch.save({"generation": generation, "x": x * generation}, sys.argv[1])
    print(generation, flush=True)
"""


@pytest.mark.parametrize("delay", [0.0, 0.004, 0.01, 0.017])
def test_a_file_is_whole_after_a_kill(tmp_path, delay):
    path = tmp_path / "x.pt"
    process = subprocess.Popen(
        [sys.executable, "-c", _KILLED, str(path)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    try:
        seen = [int(process.stdout.readline()) for _ in range(3)][-1]
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
    finally:
        process.kill()
        process.communicate()
    loaded = minitorch.load(path)
    assert loaded["generation"] >= seen
    assert (loaded["x"] == loaded["generation"]).all()


# --------------------------------------------------------------------------------------------------
# Damage
# --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_damaged_files_raise_and_run_nothing(seed):
    outcomes = [outcome(data) for data in mutants(150, seed=1000 + seed)]
    assert outcomes.count("loaded") < len(outcomes)


def changed_pickle(old, new):
    """A file of ``{"a": zeros(3)}`` with a piece of its pickle exchanged."""
    file, result = io.BytesIO(), io.BytesIO()
    minitorch.save({"a": minitorch.zeros(3)}, file)
    with zipfile.ZipFile(file) as good, zipfile.ZipFile(result, "w") as bad:
        for name in good.namelist():
            data = good.read(name)
            if name.endswith("data.pkl"):
                assert data.count(old) == 1
                data = data.replace(old, new)
            bad.writestr(name, data)
    return result.getvalue()


_SIZE = b"QK\x00K\x03\x85q\x08K\x01\x85"  # offset 0, size (3,), stride (1,)
_NUMEL = b"K\x03tq\x07Q"


@pytest.mark.parametrize(
    "old, new, text",
    [
        (_SIZE, b"QK\x00J\xff\xff\xff\xff\x85q\x08K\x01\x85", "numel: integer multiplication overflow"),
        (_SIZE, b"QJ\xff\xff\xff\xffK\x03\x85q\x08K\x01\x85", "Tensor: invalid storage offset -1"),
        (_SIZE, b"QK\x00K\x03\x85q\x08J\xff\xff\xff\xff\x85", "Storage size calculation overflowed with"),
        (_SIZE, b"QK\x00K\x03\x85q\x08)", "unequal size length (1) and stride length (0)"),
        (_SIZE, b"QK\x01K\x03\x85q\x08K\x01\x85", "are out of bounds for storage of size 12"),
        (_SIZE, b"QK\x00K\x03\x85q\x08K\x02\x85", "are out of bounds for storage of size 12"),
        (_SIZE, b"QK\x00\x8a\x08" + b"\xff" * 7 + b"\x7f\x85q\x08K\x01\x85", "out of bounds"),
        (_NUMEL, b"K\x02tq\x07Q", "record size (12 bytes) does not match expected size (8 bytes"),
        (_NUMEL, b"J\xff\xff\xff\xfftq\x07Q", "a storage cannot have -1 elements"),
    ],
)  # fmt: skip
def test_lies_about_tensors_are_noticed(old, new, text):
    with pytest.raises(RuntimeError) as caught:
        minitorch.load(io.BytesIO(changed_pickle(old, new)))
    assert text in str(caught.value)


def test_a_changed_byte_of_a_tensor_is_read_as_it_is():
    def program(torch):
        file = io.BytesIO()
        torch.save(torch.full((4,), 7.0), file)
        data = file.getvalue()
        place = data.index(torch.full((4,), 7.0).numpy().tobytes())
        return torch.load(io.BytesIO(data[:place] + b"\1" + data[place + 1 :]))

    compare(program)


def _subclass(torch, remade):
    class Plain(torch.Tensor):
        pass

    class Remade(torch.Tensor):
        def new_empty(self, *args, **kwargs):
            return super().new_empty(*args, **kwargs).as_subclass(Remade)

    return Remade if remade else Plain


@pytest.mark.parametrize("remade", [False, True])
def test_a_subclass_is_copied_if_new_empty_makes_one(remade):
    def program(torch):
        made = torch.ones(2).as_subclass(_subclass(torch, remade))
        made.note = "kept"
        copied = copy.deepcopy(made)
        return type(copied) is type(made), copied.note, copied.tolist()

    compare(program)


def test_an_unpickler_of_the_users_finds_the_classes(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", minitorch)
    asked = []

    class Unpickler(pickle.Unpickler):
        def find_class(self, module, name):
            asked.append(name)
            return super().find_class(module, name)

    module = types.ModuleType("own")
    module.Pickler, module.Unpickler = pickle.Pickler, Unpickler
    file = io.BytesIO()
    minitorch.save([minitorch.ones(2)], file, pickle_module=module)
    file.seek(0)
    (read,) = minitorch.load(file, pickle_module=module, weights_only=False)
    assert read.tolist() == [1, 1]
    assert "OrderedDict" in asked


def test_deeply_nested_keys_do_not_overflow_the_stack():
    program = b"\x80\x02}(" + b")" + b"\x85" * 200_000 + b"K\x01u."
    data = changed_pickle(b"\x80\x02}", program)
    with pytest.raises(pickle.UnpicklingError, match="nested too deeply"):
        minitorch.load(io.BytesIO(data))


# --------------------------------------------------------------------------------------------------
# Plain pickles and copies
# --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("protocol", [2, 5])
def test_plain_pickles_of_tensors_modules_and_storages(protocol):
    def again(value):
        return pickle.loads(pickle.dumps(value, protocol))

    values = assortment(minitorch)
    assert str(numbers(again(values))) == str(numbers(values))
    assert again(minitorch.ones(2).untyped_storage()).tolist() == [0, 0, 128, 63] * 2
    layer = minitorch.nn.LSTM(2, 3)
    assert numbers(again(layer).state_dict()) == numbers(layer.state_dict())
    assert again(minitorch.float32) is minitorch.float32


def test_another_process_reads_a_plain_pickle():
    x = minitorch.ones(2)
    x.note = 1
    program = "import sys, pickle; print(pickle.load(sys.stdin.buffer))"
    shown = subprocess.run(
        [sys.executable, "-c", program], input=pickle.dumps([x, minitorch.nn.Parameter(x)]), cwd=ROOT,
        capture_output=True, check=True,
    ).stdout  # fmt: skip
    assert b"tensor([1., 1.])" in shown and b"Parameter containing" in shown


def test_copies_share_memory_and_keep_attributes():
    x = minitorch.zeros(2)
    x.note = 1
    y = copy.copy(x)
    y.fill_(1)
    assert x.tolist() == [1, 1] and y.note == 1 and type(y) is minitorch.Tensor


def test_deep_copies_share_what_was_shared():
    x = minitorch.zeros(4)
    whole, part, storage = copy.deepcopy([x, x[2:], x.untyped_storage()])
    part.fill_(1)
    assert whole.tolist() == [0, 0, 1, 1]
    assert storage == whole.untyped_storage()
    assert x.tolist() == [0, 0, 0, 0]


def test_saving_does_not_fix_the_size():
    x = minitorch.ones(3)
    minitorch.save(x, io.BytesIO())
    pickle.dumps(x)
    assert x.resize_(5).size() == (5,)


def _add_one(x):
    x += 1


def _send_back(x, pipe):
    ForkingPickler(pipe_file := io.BytesIO()).dump(x)
    pipe.send_bytes(pipe_file.getvalue())
    pipe.recv()
    x += 1
    pipe.send("done")


def test_shared_memory_is_seen_by_forked_processes():
    layer = minitorch.nn.Linear(2, 2).share_memory()
    x = minitorch.zeros(100_000)
    view, array = x[5:], x.numpy()
    assert not x.is_shared()
    assert x.share_memory_() is x and view.is_shared() and layer.weight.is_shared()
    array[0] = 3  # what looked at the old memory still has it
    process = multiprocessing.get_context("fork").Process(target=_add_one, args=(x,))
    process.start()
    process.join()
    assert process.exitcode == 0
    assert view.sum().item() == 99_995 and x[0].item() == 1


def test_shared_memory_is_sent_by_its_descriptor():
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe()
    x = minitorch.arange(3)
    x.share_memory_()
    process = context.Process(target=_send_back, args=(x, there))
    process.start()
    received = here.recv()
    here.send("go on")
    assert here.recv() == "done"
    process.join()
    assert received.is_shared() and received.tolist() == x.tolist() == [1, 2, 3]


def test_safetensors(tmp_path):
    numpy_format = pytest.importorskip("safetensors.numpy")
    path = str(tmp_path / "x.safetensors")
    numpy_format.save_file({"x": minitorch.arange(3.0).numpy()}, path)
    assert minitorch.load(path)["x"].tolist() == [0, 1, 2]


_SAFETENSORS = """
import sys, minitorch
for name, module in list(sys.modules.items()):
    if name.partition(".")[0] == "minitorch":
        sys.modules["torch" + name.removeprefix("minitorch")] = module
if not hasattr(minitorch, "bfloat16"):
    minitorch.bfloat16 = object()  # its table of types names it
import torch
from safetensors.torch import load_file, load_model, safe_open, save, save_file, save_model
state = {"x": torch.arange(6.0).reshape(2, 3), "half": torch.ones(2).half(), "empty": torch.empty(0)}
save_file(state, sys.argv[1])
assert {k: v.tolist() for k, v in load_file(sys.argv[1]).items()} == {k: v.tolist() for k, v in state.items()}
with safe_open(sys.argv[1], "pt") as file:
    assert file.get_slice("x")[:1].tolist() == [[0, 1, 2]]
layer, other = torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)
save_model(layer, sys.argv[1])
load_model(other, sys.argv[1])
assert torch.equal(layer.weight, other.weight)
try:
    save({"x": state["x"], "y": state["x"]})
except RuntimeError as error:
    assert "share memory" in str(error)
else:
    raise AssertionError("shared memory was not noticed")
"""


def test_the_library_safetensors_works_with_minitorch_as_torch(tmp_path):
    pytest.importorskip("safetensors")
    path = str(tmp_path / "x.safetensors")
    subprocess.run([sys.executable, "-c", _SAFETENSORS, path], cwd=ROOT, check=True)


def test_a_small_file_does_not_become_a_large_object():
    file = io.BytesIO()
    minitorch.save(minitorch.zeros(1 << 20), file)
    with zipfile.ZipFile(file) as old:
        deflated = io.BytesIO()
        with zipfile.ZipFile(deflated, "w", zipfile.ZIP_DEFLATED) as new:
            for name in old.namelist():
                new.writestr(name, old.read(name))
    deflated.seek(0)
    assert minitorch.load(deflated).sum().item() == 0
    data = bytearray(deflated.getvalue())
    at = data.rindex(b"PK\1\2", 0, data.rindex(b"archive/data/0"))
    data[at + 24 : at + 28] = struct.pack("<L", 1 << 31)
    with pytest.raises(RuntimeError, match="unexpected sizes"):
        minitorch.load(io.BytesIO(bytes(data)))


BAD_TEXTS = """
b'', b'.', b'abc', b'hello world\\n', b'\\n', b'0.1 0.2\\n1 2\\n', b'a,b\\n1,2\\n', b'{"a": 1}\\n', b'<html>\\n', b'PK',
b'PK\\3\\4', b'PK\\3\\4' + b'x' * 90, b'%PDF-1.4', b'GIF89a', b'\\x89PNG\\r\\n\\x1a\\n', b'\\x93NUMPY\\1\\0', b'\\x1f\\x8b\\x08',
b'cos\\nsystem\\n', b'c\\n\\n', b'ctorch\\n', b'c\\xff\\n\\xff\\n', b'X\\3\\0\\0\\0\\xff\\xff\\xff.', b'X\\5\\0\\0\\0ab', b'U\\5ab',
b'U\\1\\xff', b'K', b'G\\0\\0', b'J\\1', b'M', b'\\x8a', b'\\x8a\\5ab', b'\\x80', b'\\x80\\2.', b'\\x80\\4.', b'h\\1', b'q', b'q\\1',
b'r\\1', b'j\\0\\0\\0\\0', b'(.', b't', b'\\x85', b'NN\\x87', b'u', b'(u', b'](K\\1u', b'}(K\\1u', b'K\\1K\\2s', b'NNa', b'R', b'b', b'NNb',
b'Q', b'NQ', b'K\\1Q', b'(K\\1K\\2tQ', b'\\x81', b'NN\\x81', b'\\x88.', b'}.'
"""


def damaged(rest, count):
    """Byte strings that are no archive: texts, beginnings and garbled bytes of pickles, and noise."""
    numbers = random.Random(20 + rest)
    yield from eval(f"[{BAD_TEXTS}]")[rest::4]
    good = []
    for protocol in range(6):
        for value in (minitorch.serialization.MAGIC_NUMBER, [1, "a", (2.5, None)], {1, 2}):
            good.append(pickle.dumps(value, protocol))
    file = io.BytesIO()
    minitorch.save({"a": minitorch.ones(2)}, file, _use_new_zipfile_serialization=False)
    good.append(file.getvalue())
    opcodes = b".(0122}]()\x85\x86\x87\x88\x89NKMJGXUqhrjcRb\x81QasuetI\n"
    for _ in range(count):
        whole = numbers.choice(good)
        yield whole[: numbers.randrange(len(whole))]
        changed = bytearray(whole)
        changed[numbers.randrange(len(whole))] = numbers.randrange(256)
        yield bytes(changed)
        yield numbers.randbytes(numbers.randrange(1, 30))
        yield bytes(numbers.choice(opcodes) for _ in range(numbers.randrange(1, 14)))


@pytest.mark.parametrize("rest", range(4))
def test_what_is_no_archive_raises_what_pytorch_raises(tmp_path, rest):
    path = tmp_path / "file"
    for data in damaged(rest, 25):
        path.write_bytes(data)
        for arguments in ({}, {"weights_only": True}, {"weights_only": False}, {"mmap": True}):
            if "False" in str(arguments) and b"r" in data:
                continue  # a LONG_BINPUT, for which Python's own unpickler may ask for gigabytes
            for from_path in (False, True):

                def program(torch, data=data, arguments=arguments, from_path=from_path):
                    try:
                        return torch.load(path if from_path else io.BytesIO(data), **arguments)
                    except (AttributeError, RuntimeError) as error:
                        # the first names a file of the library, in the second PyTorch's numbers run together
                        text = re.sub(r"<module '(mini)?(torch\S*)' from .*>", r"\2", str(error))
                        return re.sub("wrong byte size: .*", "", text)

                compare(program)


def test_a_file_may_not_construct_tensors_from_sizes():
    for call in (
        b"ctorch\nTensor\n",
        b"ctorch\nFloatTensor\n",
        b"ctorch.storage\nUntypedStorage\n",
    ):
        program = b"\x80\x02" + call + b"J\xff\xff\xff\x7f\x85R."
        with pytest.raises(pickle.UnpicklingError, match="Trying to construct"):
            minitorch._weights_only_unpickler.load(io.BytesIO(program))
    program = b"\x80\x02ctorch._tensor\n_rebuild_from_type_v2\n(" + 2 * b"ctorch\nTensor\n"
    program += b"J\xff\xff\xff\x7f\x85NtR."
    with pytest.raises(pickle.UnpicklingError, match="Trying to construct"):
        minitorch._weights_only_unpickler.load(io.BytesIO(program))


@pytest.mark.parametrize("arguments", [{"foo": 3}, {"fix_imports": True}, {"encoding": "latin1"}])
def test_arguments_that_a_weights_only_load_has_not_are_refused(arguments):
    def program(torch):
        file = io.BytesIO()
        torch.save(torch.ones(1), file)
        file.seek(0)
        return torch.load(file, **arguments)

    compare(program)
