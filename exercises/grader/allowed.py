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
    dispatch_table fdel fget format format_map fset get_buffer get_parameter get_submodule
    get_type_hints global_enum make_dataclass methodcaller new_class open open_code
    partialmethod redirect_stderr redirect_stdout singledispatch singledispatchmethod
    update_wrapper wraps
    """.split()
)

# attributes: the library's inside, and those of its classes that use names from an object
FORBIDDEN = ESCAPES | set(
    """
    LRScheduler ParameterDict ParameterList SWALR accumulate_by_operators all_weights answers
    as_torch bind by_sample collections compat composed contextlib core current_task dataclasses
    disabled engine_steps enum events exec_info forward_grad function_tangents functions functools
    fusion get_device_module get_kernel graph_api graph_task impl input_buffer install_as_torch
    interpose jacobians kernels layer lazy_attributes levels library load_library lr_scheduler
    math_bits meta modules namespace observe operator_tangents operators ops other_modes overrides
    parametrizations parametrize parsing plug_sum_to plugs profiler profiler_util prune
    python_dispatch python_function recording recording_errors remove_spectral_norm return_types
    saved_errors saved_tensor saved_tensor_hooks saved_variable serialization sparse_tensor
    spectral_norm swa_utils swap_tensors switched tensor_methods tensors torch_function typing
    uninstall_as_torch upward_calls view_errors view_replay vmap_steps warnings weak weakref
    wide_node zero_tensor
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
