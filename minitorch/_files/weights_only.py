"""A restricted unpickler, which only makes tensors, numbers, texts and containers.

It calls the few functions that are known to be safe, and no others. Interface: `Unpickler`, shaped
like ``pickle.Unpickler``; `safe_globals` has the list of globals that users have declared safe.

Note [What may be called]: a pickle is a program. Here, its GLOBAL opcode does not import anything:
it looks a name up in a table. REDUCE, NEWOBJ and BUILD accept only objects from that table,
compared by identity. A broken program (an empty stack, a missing memo) raises Python's own
exception for the failed step, as in PyTorch.
"""

import pickle
import pickletools
import struct
import warnings
from _compat_pickle import IMPORT_MAPPING, NAME_MAPPING
from collections import Counter, OrderedDict
from pickle import UnpicklingError, decode_long

from minitorch._files.safe_globals import check_call, find_global, is_allowed
from minitorch._tensor import Tensor
from minitorch.nn.parameter import Parameter
from minitorch.tensors import rebuilding as _rebuild

_MARKS = (dict, OrderedDict, Counter)
_DEEPEST_TUPLE = 500
_LARGEST_TUPLE = 1 << 30


class Unpickler:
    """Unpickler of one object from a pickle of protocol 2.

    Parameters
    ----------
    file : file-like
        Has the methods ``read`` and ``readline``.
    encoding : str
        The encoding of texts pickled by Python 2.
    """

    def __init__(self, file, *, encoding="bytes"):
        self.encoding = encoding
        self.readline = file.readline
        self.read = file.read
        self.memo = {}
        self.proto = -1

    def load(self):
        """Run the program and return the object it leaves on the stack.

        Raises
        ------
        UnpicklingError
            If it uses a global that is not allowed.
        EOFError
            If the file ends before the program does.
        IndexError, KeyError, struct.error, UnicodeDecodeError
            If the program is broken.
        """
        self.metastack, self.stack = [], []
        self._tuples = {}  # id: (tuple, depth, size) of each nested tuple; see `_tuple`
        while True:
            opcode = self.read(1)
            if not opcode:
                raise EOFError
            if opcode == pickle.STOP:
                return self.stack.pop()
            step = _STEPS.get(opcode[0])
            if step is None:
                raise UnpicklingError(f"Unsupported operand {opcode[0]}")
            step(self)

    def persistent_load(self, pid):
        """Return the object for a persistent id; the readers of files override this method."""
        raise UnpicklingError("unsupported persistent id encountered")

    # ---- opcodes that look up or call globals

    def _global(self):
        module = self.readline()[:-1].decode()
        self.stack.append(find_global(module, self.readline()[:-1].decode()))

    def _newobj(self):
        args, cls = self.stack.pop(), self.stack.pop()
        if cls is Parameter:
            self.stack.append(Parameter(*args))
        elif isinstance(cls, type) and is_allowed(cls):
            check_call(cls, args)
            self.stack.append(cls.__new__(cls, *args))
        else:
            raise UnpicklingError(
                "Can only create new object for nn.Parameter or classes allowlisted via "
                f"`add_safe_globals` but got {cls}"
            )

    def _reduce(self):
        args, function = self.stack.pop(), self.stack[-1]
        check_call(function, args)
        self.stack[-1] = function(*args)

    def _build(self):
        state, instance = self.stack.pop(), self.stack[-1]
        if type(instance) is Tensor:
            storage, offset, size, stride = state
            untyped, item = storage.untyped(), instance.dtype.itemsize
            size, stride = _rebuild.check_view(untyped.nbytes(), item, offset, size, stride)
            instance.set_(untyped, offset, size, stride)
        elif type(instance) is OrderedDict:
            instance.__dict__.update(state)
        elif not is_allowed(type(instance)):
            raise UnpicklingError(
                "Can only build Tensor, Parameter, OrderedDict or types allowlisted via "
                f"`add_safe_globals`, but got {type(instance)}"
            )
        elif hasattr(instance, "__setstate__"):
            instance.__setstate__(state)
        else:
            slots = None
            if isinstance(state, tuple) and len(state) == 2:
                state, slots = state
            if state:
                instance.__dict__.update(state)
            for name, value in (slots or {}).items():
                setattr(instance, name, value)

    def _persid(self):
        pid = self.stack.pop()
        if type(pid) is not tuple and type(pid) is not int:
            raise UnpicklingError(f"persistent_load id must be tuple or int, but got {type(pid)}")
        if type(pid) is tuple and pid and pid[0] not in ("storage", b"storage"):
            raise UnpicklingError(
                f"Only persistent_load of storage is allowed, but got {type(pid[0])}"
            )
        self.stack.append(self.persistent_load(pid))

    # ---- containers

    def _mark(self):
        self.metastack.append(self.stack)
        self.stack = []

    def _pop_mark(self):
        items, self.stack = self.stack, self.metastack.pop()
        return items

    def _append(self):
        self._extend_list("append to", [self.stack.pop()])

    def _appends(self):
        self._extend_list("extend", self._pop_mark())

    def _extend_list(self, what, items):
        target = self.stack[-1]
        if type(target) is not list:
            raise UnpicklingError(f"Can only {what} lists, but got {type(target)}")
        target.extend(items)

    def _setitem(self):
        value, key = self.stack.pop(), self.stack.pop()
        self._set_items("SETITEM", [key, value])

    def _setitems(self):
        self._set_items("SETITEMS", self._pop_mark())

    def _set_items(self, opcode, items):
        target = self.stack[-1]
        if type(target) not in _MARKS:
            raise UnpicklingError(
                f"Can only {opcode} for dict, collections.OrderedDict, collections.Counter, but got "
                f"{type(target)}"
            )
        for index in range(0, len(items), 2):
            target[items[index]] = items[index + 1]

    def _tuple(self, items):
        # hash() of a tuple recurses into nested tuples of any depth on the C stack
        depth, size = 1, len(items)
        for item in items:
            if type(item) is tuple:
                _, below, inside = self._tuples.get(id(item), (None, 1, len(item)))
                depth, size = max(depth, below + 1), size + inside
        if depth > _DEEPEST_TUPLE or size > _LARGEST_TUPLE:
            raise UnpicklingError("tuples are nested too deeply")
        result = tuple(items)
        if depth > 1:
            self._tuples[id(result)] = (result, depth, size)
        self.stack.append(result)

    def _tuple_of_mark(self):
        self._tuple(self._pop_mark())

    @staticmethod
    def _tuple_of(count):
        def step(self):
            if len(self.stack) < count:
                raise IndexError("list index out of range")
            items = self.stack[-count:]
            del self.stack[-count:]
            self._tuple(items)

        return step

    # ---- plain values

    @staticmethod
    def _constant(make):
        return lambda self: self.stack.append(make())

    def _byte(self):
        return self.read(1)[0]

    def _unpacked(self, layout):
        (value,) = struct.unpack(layout, self.read(struct.calcsize(layout)))
        return value

    @staticmethod
    def _number(read, *layout):
        return lambda self: self.stack.append(read(self, *layout))

    def _binunicode(self):
        length = self._unpacked("<I")
        self.stack.append(str(self.read(length), "utf-8", "surrogatepass"))

    def _short_binstring(self):
        text = self.read(self._byte())
        self.stack.append(text if self.encoding == "bytes" else text.decode(self.encoding))

    def _long1(self):
        self.stack.append(decode_long(self.read(self._byte())))

    # ---- the memo

    @staticmethod
    def _get(read, *layout):
        return lambda self: self.stack.append(self.memo[read(self, *layout)])

    @staticmethod
    def _put(read, *layout):
        def step(self):
            index = read(self, *layout)
            self.memo[index] = self.stack[-1]

        return step

    def _proto(self):
        self.proto = self._byte()
        if self.proto != 2:
            warnings.warn(
                f"Detected pickle protocol {self.proto} in the checkpoint, which was not the default "
                "pickle protocol used by `torch.load` (2). The weights_only Unpickler might not support "
                "all instructions implemented by this protocol, please file an issue for adding support "
                "if you encounter this.",
                stacklevel=2,
            )

    steps = {
        pickle.GLOBAL: _global,
        pickle.NEWOBJ: _newobj,
        pickle.REDUCE: _reduce,
        pickle.BUILD: _build,
        pickle.BINPERSID: _persid,
        pickle.MARK: _mark,
        pickle.APPEND: _append,
        pickle.APPENDS: _appends,
        pickle.SETITEM: _setitem,
        pickle.SETITEMS: _setitems,
        pickle.TUPLE: _tuple_of_mark,
        pickle.TUPLE1: _tuple_of(1),
        pickle.TUPLE2: _tuple_of(2),
        pickle.TUPLE3: _tuple_of(3),
        pickle.NONE: _constant(lambda: None),
        pickle.NEWFALSE: _constant(lambda: False),
        pickle.NEWTRUE: _constant(lambda: True),
        pickle.EMPTY_TUPLE: _constant(tuple),
        pickle.EMPTY_LIST: _constant(list),
        pickle.EMPTY_DICT: _constant(dict),
        pickle.EMPTY_SET: _constant(set),
        pickle.BININT: _number(_unpacked, "<i"),
        pickle.BININT1: _number(_byte),
        pickle.BININT2: _number(_unpacked, "<H"),
        pickle.BINFLOAT: _number(_unpacked, ">d"),
        pickle.BINUNICODE: _binunicode,
        pickle.SHORT_BINSTRING: _short_binstring,
        pickle.LONG1: _long1,
        pickle.BINGET: _get(_byte),
        pickle.LONG_BINGET: _get(_unpacked, "<I"),
        pickle.BINPUT: _put(_byte),
        pickle.LONG_BINPUT: _put(_unpacked, "<I"),
        pickle.PROTO: _proto,
    }
    del _tuple_of, _constant, _number, _get, _put


_STEPS = {opcode[0]: step for opcode, step in Unpickler.steps.items()}
_STOP = pickle.STOP[0]


Unpickler.__module__ = "minitorch._weights_only_unpickler"


def load(file, *, encoding="ASCII"):
    """Read one object from a pickle."""
    return Unpickler(file, encoding=encoding).load()


def get_globals_in_pkl(file):
    """Return the names of all globals that a pickle uses, without running it."""
    names = set()
    for opcode, argument, _ in pickletools.genops(file):
        if opcode.name == "GLOBAL":
            module, name = argument.split(" ", 1)
            module, name = NAME_MAPPING.get(
                (module, name), (IMPORT_MAPPING.get(module, module), name)
            )
            names.add(f"{module}.{name}")
        elif opcode.code.encode("latin1")[0] not in (*_STEPS, _STOP):
            raise UnpicklingError(f"Unsupported operand {ord(opcode.code)}")
    return names
