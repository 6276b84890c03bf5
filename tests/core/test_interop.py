"""Memory shared with NumPy, buffers and DLPack: the same bytes, the right lifetimes, PyTorch's "
"errors."""

import ctypes
import gc
import subprocess
import sys
import weakref

import numpy as np
import pytest

from tests.probes.core import interop as probe

CODES = {
    "uint8": 0, "int8": 1, "int16": 2, "int32": 3, "int64": 4, "float16": 5, "float32": 6,
    "float64": 7,
    "complex64": 9, "complex128": 10, "bool": 11,
}  # fmt: skip
TYPES = pytest.mark.parametrize("dtype", CODES)


def torch():
    return pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")


def error_of(function, *args, **kwargs):
    try:
        function(*args, **kwargs)
    except Exception as error:
        return type(error), str(error)
    return None


def layouts(dtype):
    a = np.arange(24).reshape(2, 3, 4).astype(dtype)
    yield from (a, a.T, a[:, ::2], a[1, 1:], a[0, 0, 0, ...], a[:, :0], a[:1], a.transpose(0, 2, 1))
    yield np.broadcast_to(a[0, 0], (3, 4)).view()


# ---- NumPy


@TYPES
def test_an_array_and_its_tensor_share_memory(dtype):
    for array in layouts(dtype):
        t = probe.from_numpy(array, False)
        sizes, strides, offset, name, nbytes, fixed = probe.geometry(t)
        assert (sizes, offset, name, fixed) == (array.shape, 0, dtype, True)
        assert tuple(s * array.itemsize for s in strides) == array.strides
        back = probe.to_numpy(t)
        assert back.dtype == array.dtype and back.strides == array.strides
        assert back.flags.writeable
        np.testing.assert_array_equal(back, array)
        assert back.__array_interface__["data"][0] == array.__array_interface__["data"][0]


def test_writes_go_both_ways():
    array = np.zeros((2, 3))
    back = probe.to_numpy(probe.from_numpy(array))
    back[1, 2] = 5
    array[0, 0] = 3
    assert array[1, 2] == 5 and back[0, 0] == 3


def test_the_array_lives_as_long_as_the_tensor_and_what_was_made_from_it():
    array = np.zeros(3)
    alive = weakref.ref(array)
    t = probe.from_numpy(array)
    back = probe.to_numpy(t)
    del array, t
    gc.collect()
    assert alive() is not None
    del back
    assert alive() is None


def test_what_no_tensor_can_be_is_refused_as_pytorch_does():
    th = torch()
    for array in [
        [1], np.float64(3), np.ones(3)[::-1], np.ones((2, 3))[:, ::-1], np.ones(3, ">f4"),
        np.array(["a"]), np.array([None]), np.ones(3, "M8[s]"), np.ones(3, np.longdouble),
        np.ones(3, [("a", "i4"), ("b", "i1")])["a"], np.ones(3, [("a", "i4"), ("b", "i1")]),
    ]:  # fmt: skip
        expected = error_of(th.from_numpy, array)
        assert expected is not None
        assert error_of(probe.from_numpy, array) == expected
    assert error_of(probe.from_numpy, np.zeros(3, "V0"))[0] is TypeError


def run(program):
    subprocess.run([sys.executable, "-c", program], check=True)


def test_a_readonly_array_warns_once():
    run(
        "import warnings, numpy as np\n"
        "from tests.probes.core import interop as p\n"
        "a = np.zeros(3); a.flags.writeable = False\n"
        "with warnings.catch_warnings(record=True) as seen:\n"
        "    warnings.simplefilter('always')\n"
        "    p.from_numpy(a, False)\n"
        "    assert not seen\n"
        "    p.from_numpy(a); p.from_numpy(a)\n"
        "assert len(seen) == 1 and str(seen[0].message).startswith('The given NumPy array is "
        "not')\n"
    )


# ---- buffers


def test_frombuffer_agrees_with_pytorch():
    th = torch()
    names = {"int8": th.int8, "int32": th.int32, "int16": th.int16, "float64": th.float64}
    word = bytearray(b"12345678")
    for buffer, dtype, options in [
        (word, "int8", {}), (word, "int32", {"offset": 4}),
        (word, "int16", {"offset": 1, "count": 2}),
        (word, "int32", {"offset": 1}), (word, "int32", {"offset": 8}),
        (word, "int32", {"offset": -1}),
        (word, "int32", {"count": 3}), (word, "int32", {"count": 0}),
        (word, "int32", {"count": -2}),
        (bytearray(b"12345"), "int32", {}), (bytearray(), "int8", {}), (5, "int8", {}),
        (np.ones((2, 3)).T, "float64", {}), (np.ones(6)[::2], "float64", {}),
        (np.ones((2, 3)), "float64", {}),
        (word, "int32", {"count": 1, "offset": 6}),
    ]:  # fmt: skip
        ours = dict(options)
        expected = error_of(th.frombuffer, buffer, dtype=names[dtype], **options)
        assert error_of(probe.frombuffer, buffer, CODES[dtype], **ours) == expected
        if expected is None:
            result = probe.to_numpy(probe.frombuffer(buffer, CODES[dtype], **ours))
            expected = th.frombuffer(buffer, dtype=names[dtype], **options).numpy()
            np.testing.assert_array_equal(result, expected)


def test_a_buffer_is_shared_and_held():
    word = bytearray(b"1234")
    array = probe.to_numpy(probe.frombuffer(word, CODES["uint8"]))
    array[0] = 65
    assert word == b"A234"
    with pytest.raises(BufferError):
        word.append(1)
    del array
    word.append(1)


def test_a_readonly_buffer_warns_once():
    run(
        "import warnings\n"
        "from tests.probes.core import interop as p\n"
        "with warnings.catch_warnings(record=True) as seen:\n"
        "    warnings.simplefilter('always')\n"
        "    p.frombuffer(b'1234', 0); p.frombuffer(b'1234', 0)\n"
        "assert len(seen) == 1 and str(seen[0].message).startswith('The given buffer is not "
        "writable')\n"
    )


@TYPES
def test_a_tensor_exports_a_buffer(dtype):
    for array in layouts(dtype):
        exporter = probe.Exporter(probe.from_numpy(array, False))
        view = memoryview(exporter)
        assert view.shape == array.shape and not view.readonly
        if dtype.startswith("complex"):
            assert view.format in ("Zf", "Zd")
        elif array.size and dtype != "float16":
            assert view.tolist() == array.tolist()
        back = np.asarray(view)
        assert back.dtype == array.dtype
        np.testing.assert_array_equal(back, array)


def test_a_consumer_without_strides_gets_contiguous_memory_only():
    array = np.arange(6, dtype=np.uint8).reshape(2, 3)
    assert bytes(probe.Exporter(probe.from_numpy(array))) == bytes(range(6))
    import io

    transposed = probe.Exporter(probe.from_numpy(array.T))
    with pytest.raises(TypeError, match="read-write bytes-like"):
        io.BytesIO(bytes(6)).readinto(transposed)
    assert bytes(transposed) == array.T.tobytes()


def test_a_buffer_outlives_its_exporter():
    array = np.arange(3.0)
    alive = weakref.ref(array)
    view = memoryview(probe.Exporter(probe.from_numpy(array)))
    del array
    gc.collect()
    assert view.tolist() == [0, 1, 2]
    view.release()
    del view
    assert alive() is None


# ---- DLPack


@TYPES
@pytest.mark.parametrize("version", [None, (0, 5), (1, 0), (2, 3)])
def test_dlpack_there_and_back(dtype, version):
    for array in layouts(dtype):
        t = probe.from_numpy(array, False)
        capsule = probe.to_dlpack(t, version)
        name = "dltensor_versioned" if version and version[0] >= 1 else "dltensor"
        assert f'"{name}"' in repr(capsule)
        back = probe.from_capsule(capsule)
        assert probe.geometry(back)[:2] == probe.geometry(t)[:2]
        np.testing.assert_array_equal(probe.to_numpy(back), array)
        assert f'"used_{name}"' in repr(capsule)
        assert error_of(probe.from_capsule, capsule)[0] is RuntimeError


@TYPES
def test_numpy_reads_our_capsules_and_we_read_its(dtype):
    for array in layouts(dtype):
        t = probe.from_numpy(array, False)
        np.testing.assert_array_equal(np.from_dlpack(probe.Exporter(t)), array)
        if array.flags.writeable:
            back, must_copy = probe.from_dlpack(array)
            assert not must_copy
            np.testing.assert_array_equal(probe.to_numpy(back), array)
            if array.size:
                assert np.shares_memory(probe.to_numpy(back), array)


@TYPES
def test_pytorch_reads_our_capsules_and_we_read_its(dtype):
    th = torch()
    for version in (None, (1, 0)):
        for array in layouts(dtype):
            t = th.from_dlpack(probe.to_dlpack(probe.from_numpy(array, False), version))
            assert str(t.dtype) == "torch." + dtype and tuple(t.shape) == array.shape
            np.testing.assert_array_equal(t.numpy(), array)
            back = probe.from_capsule(t.__dlpack__(max_version=version))
            assert probe.geometry(back)[:2] == (tuple(t.shape), t.stride())


def test_a_bad_capsule_is_refused_as_pytorch_does():
    th = torch()
    used = probe.to_dlpack(probe.from_numpy(np.ones(2)))
    probe.from_capsule(used)
    for thing in (5, None, used):
        assert error_of(probe.from_capsule, thing) == error_of(th.from_dlpack, thing)
    with pytest.raises(BufferError, match="negative strides"):
        probe.from_dlpack(np.ones(3)[::-1])


@pytest.mark.parametrize("version", [None, (1, 0)])
def test_memory_lives_until_the_consumer_lets_go_and_no_longer(version):
    for consume in (False, True):
        array = np.zeros(3)
        alive = weakref.ref(array)
        holder = probe.to_dlpack(probe.from_numpy(array), version)
        if consume:
            holder = probe.from_capsule(holder)
        del array
        gc.collect()
        assert alive() is not None
        del holder
        assert alive() is None


def test_a_refused_capsule_still_belongs_to_its_producer():
    array = np.ones(3)
    alive = weakref.ref(array)
    capsule = array[::-1].__dlpack__()
    del array
    assert error_of(probe.from_capsule, capsule)[0] is BufferError
    assert alive() is not None
    del capsule
    assert alive() is None


def test_a_consumer_may_let_go_from_another_thread():
    import threading

    held = [probe.from_capsule(probe.to_dlpack(probe.from_numpy(np.zeros(3)), (1, 0)))]
    thread = threading.Thread(target=held.clear)
    thread.start()
    thread.join()


def test_the_arguments_a_producer_does_not_know_are_left_out():
    class Old:
        def __dlpack__(self, stream=None):
            return np.arange(3.0).__dlpack__()

    class Newer(Old):
        def __dlpack__(self, stream=None, copy=None):
            return np.arange(3.0).__dlpack__()

    assert probe.from_dlpack(Old())[1] is False
    assert probe.from_dlpack(Old(), True)[1] is True
    assert probe.from_dlpack(Newer(), True)[1] is False

    class Broken:
        def __dlpack__(self, **arguments):
            raise TypeError("broken")

    with pytest.raises(TypeError, match="broken"):
        probe.from_dlpack(Broken())


def test_a_newer_major_version_is_refused():
    capsule = probe.to_dlpack(probe.from_numpy(np.zeros(3)), (1, 0))
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    version = ctypes.cast(pointer(capsule, b"dltensor_versioned"), ctypes.POINTER(ctypes.c_uint32))
    version[0] = 2
    with pytest.raises(BufferError, match="version"):
        probe.from_capsule(capsule)
