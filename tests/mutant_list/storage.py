"""Mutants of `core/storage.pyx` and `core/storage.pxd`."""

from tests.mutant_list.mutant import of

MUTANTS = [
    *of(
        "core/storage.pyx",
        (
            "nbytes if nbytes <= INLINE_LIMIT else 0\n",
            "nbytes if nbytes < INLINE_LIMIT else 0\n",
            "16384 bytes are one block",
        ),
        (
            "    self.capacity = nbytes\n    self.version = 0\n",
            "    self.capacity = nbytes\n",
            "the version of new memory",
        ),
        ("    self.fixed_size = False\n", "", "new memory cannot be resized"),
        ("    self.exports = 0\n", "", "exports of new memory"),
        ("    self.owner = NULL\n", "", "the owner of new memory"),
        ("    self.writer = NULL\n", "", "who wrote to new memory"),
        (
            "    self.nbytes = self.capacity = nbytes\n    self.fixed_size = True\n",
            "    self.nbytes = self.capacity = nbytes\n",
            "foreign memory is resized",
        ),
        (
            "    Py_INCREF(owner)\n    self.owner = <PyObject*>owner\n    return self",
            "    self.owner = <PyObject*>owner\n    return self",
            "the owner of foreign memory goes too early",
        ),
        (
            "    if self.fixed_size or self.exports:\n        raise",
            "    if self.fixed_size:\n        raise",
            "memory is resized while a buffer of it is out",
        ),
        (
            "    if self.fixed_size or self.exports:\n        raise",
            "    if self.exports:\n        raise",
            "foreign memory is resized",
        ),
        (
            "    if nbytes > self.capacity:\n",
            "    if nbytes >= self.capacity:\n",
            "memory moves although it has the size",
        ),
        (
            "    if nbytes > self.capacity:\n",
            "    if nbytes != self.capacity:\n",
            "memory moves when it shrinks",
        ),
        (
            "        memcpy(data, self.data, self.nbytes)\n        release",
            "        release",
            "resizing loses the content",
        ),
        (
            "        memcpy(data, self.data, self.nbytes)\n        release",
            "        memcpy(data, self.data, self.nbytes // 2)\n        release",
            "resizing loses half of the content",
        ),
        (
            "        self.capacity = nbytes\n    self.nbytes = nbytes\n",
            "    self.nbytes = nbytes\n",
            "the capacity after resizing",
        ),
    ),
    *of(
        "core/storage.pyx",
        (
            "    if self.data != inline_data(self):\n        deallocate(self.data, self.capacity)",
            "    if self.data != inline_data(self):\n        deallocate(self.data, self.nbytes)",
            "memory is freed into the wrong size class",
        ),
        (
            "    if self.data != inline_data(self):\n        deallocate(self.data, self.capacity)",
            "    pass",
            "large memory leaks",
        ),
        (
            "        release_data(self)\n        self.data = data\n",
            "        self.data = data\n",
            "resizing leaks the old memory",
        ),
    ),
    *of(
        "core/untyped_storage.pyx",
        ("        impl.exports += 1\n", "        impl.exports = 1\n", "two buffers count as one"),
        (
            "        self.storage.impl.exports -= 1\n",
            "        self.storage.impl.exports = 0\n",
            "releasing one buffer releases all",
        ),
        (
            "        self.storage.impl.exports -= 1\n",
            "        pass\n",
            "memory stays fixed after its buffers are gone",
        ),
        (
            "    release_storage(self.impl)\n    retain_storage(impl)\n",
            "    retain_storage(impl)\n",
            "each storage handle leaks an empty storage",
        ),
        (
            '        if nbytes < 0:\n            raise RuntimeError(f"Storage size must be non-negative, got {size}")\n        self.impl',
            "        self.impl",
            "negative sizes",
        ),
        (
            "        return not (self.impl.fixed_size or self.impl.exports)\n",
            "        return not self.impl.fixed_size\n",
            "resizable()",
        ),
        ("        i += n if i < 0 else 0\n", "", "negative indices"),
        (
            "        if not 0 <= i < n:\n            raise IndexError",
            "        if not 0 <= i <= n:\n            raise IndexError",
            "an index one beyond the end",
        ),
        (
            '        if not 0 <= i < n:\n            raise RuntimeError("out of bounds")',
            '        if not i < n:\n            raise RuntimeError("out of bounds")',
            "a negative index is written to",
        ),
        ("        if step != 1:\n", "        if step < 1:\n", "slices with a step"),
        (
            "        self.impl.fixed_size = True\n        part",
            "        part",
            "memory moves away from a slice of it",
        ),
        (
            "self.impl.data + start, max(stop - start, 0), self)",
            "self.impl.data + start, max(stop, 0), self)",
            "the length of a slice",
        ),
        (
            "        if target.len < impl.nbytes:\n",
            "        if target.len + 1 < impl.nbytes:\n",
            "memory that is too small",
        ),
        (
            "        if copy:\n            memcpy(target.buf",
            "        if not copy:\n            memcpy(target.buf",
            "moving to other memory copies",
        ),
        (
            "        memcpy(other.impl.data, self.impl.data, self.impl.nbytes)\n",
            "",
            "a clone has no content",
        ),
        (
            "(<UntypedStorage>other).impl == self.impl\n",
            "(<UntypedStorage>other).impl.nbytes == self.impl.nbytes\n",
            "equality of storages",
        ),
    ),
    *of(
        "core/storage.pxd",
        ("    self.refcount += 1\n", "    self.refcount += 2\n", "memory leaks"),
    ),
]
