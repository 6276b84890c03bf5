"""The names that an answer in Python may use: lists, and questions to them.

Note [What a Python answer may name] in names.py says why.
"""

from exercises.grader.offered import EVERYTHING, LIBRARY, OFFERED

IMPORTS = OFFERED.keys() | LIBRARY.keys()

# modules of which all public names may be imported at once
STARRED = set(EVERYTHING) - {"collections.abc"}

# names with an underscore that an answer may use
UNDERSCORED = set(
    "_ _asdict _execution_engine _fields _input_metadata _replace _sequence_nr _version".split()
)

SPECIAL = {
    f"__{name}__"
    for name in """
    abs add and bool call ceil complex contains debug del delitem divmod doc enter eq exit float floor floordiv
    format ge getitem gt hash iadd iand ifloordiv imatmul imod imul index init int invert ior ipow
    isub iter itruediv ixor le len length_hint lshift lt match_args matmul missing mod mul name ne
    neg next or pos post_init pow qualname radd rand rdivmod repr reversed rfloordiv rlshift rmatmul
    rmod rmul ror round rpow rrshift rshift rsub rtruediv rxor setitem slots str sub truediv trunc
    xor
    """.split()
}

# names by which Python and the library find an object again, so an answer may only read them
NAMING = {"__name__", "__qualname__"}

# builtins that lead out of the text
BUILTINS = set(
    """
    breakpoint compile delattr dir eval exec exit globals help input locals memoryview open os quit
    vars
    """.split()
)

BY_NAME = {"getattr", "hasattr", "setattr"}  # with a name that is written down

# attributes: modules, frames, functions that find attributes by a name
ESCAPES = set(
    """
    ast bltns builtins codecs copyreg ctypes gc importlib inspect io logging marshal mmap
    multiprocessing os pickle platform posix resource socket subprocess sys threading traceback
    tracemalloc types np numpy scipy

    CodeType ag_code ag_frame cell_contents co_consts cr_code cr_frame f_back f_builtins f_code f_globals f_locals f_trace
    func_closure func_code func_defaults func_dict func_doc func_globals func_name gi_code gi_frame gi_yieldfrom tb_frame tb_next

    cached_property lazy_property

    FileIO ForwardRef Formatter NamedTupleMeta WRAPPER_ASSIGNMENTS WRAPPER_UPDATES attrgetter
    dispatch_table fdel fget format format_map fset get_buffer get_parameter get_submodule obj
    get_type_hints global_enum import_module make_dataclass methodcaller new_class open open_code
    partialmethod redirect_stderr redirect_stdout singledispatch singledispatchmethod
    update_wrapper wraps
    """.split()
)

# attributes: what the library offers that leads to others by a name
FORBIDDEN = ESCAPES | set(
    """
    ParameterDict ParameterList all_weights extra_dict_ref get_device_module hooks_dict_ref
    install_as_torch lazy_attributes modules next_id set_default_tensor_type swap_tensors
    uninstall_as_torch
    """.split()
)

OWN = "_yours"  # the end of a private name of an answer


class Forbidden(Exception):
    """An answer uses a name that it may not use.

    Attributes
    ----------
    lineno : int or None
        The line of the text that was checked.
    """

    def __init__(self, message, lineno):
        super().__init__(message)
        self.lineno = lineno


def allows_attribute(name):
    """Return whether an attribute of anything may have this name, after `translate`."""
    if name.startswith("_"):
        special = name in SPECIAL and name != "__init__"  # which may change what it is called on
        return special or name in UNDERSCORED or name.endswith(OWN)
    return name not in FORBIDDEN


def allows_variable(name):
    """Return whether a variable may have this name; one underscore makes it no one else's."""
    if name.startswith("__"):
        return name in SPECIAL or name.endswith(OWN)
    return name not in BUILTINS
