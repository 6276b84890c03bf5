"""The names of ``torch._C`` that programs and tests use; most are defined elsewhere."""

import weakref as _weakref
from contextlib import ExitStack as _ExitStack
from importlib import import_module

from minitorch._C import _autograd, _functions, _profiler
from minitorch._C._named_apart import NamedApart
from minitorch._C._script import (
    Block,
    Graph,
    Node,
    ScriptDict,
    ScriptFunction,
    ScriptList,
    ScriptMethod,
    ScriptObject,
    TensorType,
    Value,
    _get_graph_executor_optimize,
    _jit_can_fuse_on_cpu,
    _jit_can_fuse_on_gpu,
    _jit_override_can_fuse_on_cpu,
    _jit_override_can_fuse_on_gpu,
    _jit_set_profiling_executor,
    _jit_set_profiling_mode,
    _jit_set_texpr_fuser_enabled,
    _jit_texpr_fuser_enabled,
)
from minitorch._tensor import Tensor
from minitorch.autograd.anomaly import (
    is_anomaly_check_nan_enabled,
    is_anomaly_enabled,
    set_anomaly_enabled,
)
from minitorch.autograd.current_task import (
    _current_autograd_node,
    _current_graph_task_execution_order,
    _current_graph_task_id,
    _will_engine_execute_node,
)
from minitorch.autograd.engine import Engine as _ImperativeEngine
from minitorch.autograd.forward_grad import _is_fwd_grad_enabled, _set_fwd_grad_enabled
from minitorch.autograd.grad_mode import (
    _set_grad_enabled,
    _set_multithreading_enabled,
    _set_view_replay_enabled,
    inference_mode,
    is_grad_enabled,
    is_inference_mode_enabled,
    is_multithreading_enabled,
    is_view_replay_enabled,
)
from minitorch.autograd.inplace import _increment_version as _count_write
from minitorch.autograd.levels import current_levels
from minitorch.autograd.math_bits import become as _become
from minitorch.autograd.math_bits import bits_of as _bits_of
from minitorch.autograd.math_bits import marked as _marked
from minitorch.autograd.node import Node as _NodeBase
from minitorch.autograd.python_dispatch import has_own_dispatch as _has_own_dispatch
from minitorch.autograd.python_dispatch import switch_dispatch
from minitorch.autograd.python_function import _FunctionBase
from minitorch.autograd.special import special_of as _special_of
from minitorch.autograd.torch_function import (
    DisableTorchFunction,
    DisableTorchFunctionSubclass,
    _disabled_torch_function_impl,
    _EnableTorchFunction,
    _get_function_stack_at,
    _get_torch_function_state,
    _has_torch_function,
    _has_torch_function_unary,
    _has_torch_function_variadic,
    _is_torch_function_all_disabled,
    _is_torch_function_enabled,
    _is_torch_function_mode_enabled,
    _len_torch_function_stack,
    _peek_should_skip_torch_function,
    _pop_torch_function_stack,
    _push_on_torch_function_stack,
    _set_skip_next_torch_function,
    _set_torch_function_state,
    _TorchFunctionState,
)
from minitorch.autograd.variable import TensorBase
from minitorch.core.dtype import _dtypes
from minitorch.core.linalg_error import LinAlgError as _LinAlgError
from minitorch.core.types import Size, device, layout, memory_format, qscheme
from minitorch.core.untyped_storage import UntypedStorage as StorageBase
from minitorch.namespace.capabilities import cpu_capability as _get_cpu_capability

_disabled_torch_dispatch_impl = Tensor.__torch_dispatch__.__func__
_EngineBase = _ImperativeEngine
_TensorBase = TensorBase
_TensorMeta = type(TensorBase)
_is_multithreading_enabled = is_multithreading_enabled
_is_view_replay_enabled = is_view_replay_enabled

# names of higher layers are imported on first access
_IN_THE_NAMESPACE = {
    "_get_deterministic_algorithms": "are_deterministic_algorithms_enabled",
    "_get_warnAlways": "is_warn_always_enabled",
    "_infer_size": "broadcast_shapes",
    "_set_warnAlways": "set_warn_always",
    **{
        name: name
        for name in """
        Generator PyTorchFileReader PyTorchFileWriter autocast_decrement_nesting autocast_increment_nesting clear_autocast_cache
        default_generator finfo get_num_interop_threads get_num_threads iinfo is_autocast_cache_enabled
        is_autocast_enabled set_autocast_cache_enabled set_autocast_enabled set_flush_denormal
        set_num_interop_threads set_num_threads
        """.split()
    },
}

# whether linear algebra and Fourier transforms are available
has_lapack = has_spectral = True


class _InferenceMode:
    """Context manager that enters inference mode, or with False leaves it."""

    def __init__(self, mode):
        self._mode = inference_mode(mode)

    def __enter__(self):
        self._mode.__enter__()

    def __exit__(self, *error):
        self._mode.__exit__(*error)


class _WeakTensorRef:
    """A weak reference to a tensor."""

    def __init__(self, tensor, /):
        if not isinstance(tensor, Tensor):
            raise TypeError(f"expected a Tensor, not {type(tensor).__name__}")
        self._reference = _weakref.ref(tensor)

    def expired(self):
        """Return whether the tensor has been deleted."""
        return self._reference() is None


class _Lasting:
    """Enters a context on construction, and exits it after a ``with`` block or on deletion."""

    _context = None

    def __init__(self, context):
        self._context = context
        context.__enter__()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self._leave()

    def __del__(self):
        self._leave()

    def _leave(self):
        context, self._context = self._context, None
        if context is not None:
            context.__exit__(None, None, None)


def _key_sets():
    return import_module("minitorch._dispatch.key_sets")


class _AutoDispatchBelowAutograd(_Lasting):
    """While it is alive or in its block, operators are called below the autograd layer."""

    def __init__(self):
        super().__init__(_key_sets().below_recording())


class _Guard:
    """A context manager that can be entered again after it was exited."""

    def __init__(self, make):
        self._make = make

    def __enter__(self):
        self._context = self._make()
        self._context.__enter__()

    def __exit__(self, *error):
        self._context.__exit__(None, None, None)


class _AutoDispatchBelowADInplaceOrView(_Guard):
    """In its block, operators are called below the autograd and in-place-or-view kernels."""

    def __init__(self):
        super().__init__(_key_sets().below_views)


class _ExcludeDispatchKeyGuard(_Guard):
    """In its block, operators skip the kernels for some keys.

    Parameters
    ----------
    keys : DispatchKeySet
    """

    def __init__(self, keys):
        super().__init__(lambda: _key_sets().passing_by(keys._keys))


class _IncludeDispatchKeyGuard(_Guard):
    """In its block, operators use the program's kernels for an additional key.

    Parameters
    ----------
    key : DispatchKey or DispatchKeySet
    """

    def __init__(self, key):
        names = getattr(key, "_keys", None) or [key.name]
        super().__init__(lambda: _key_sets().adding(names))


class _ForceDispatchKeyGuard(_Guard):
    """In its block, exactly these keys are included and excluded in dispatch.

    Parameters
    ----------
    include, exclude : DispatchKeySet
    """

    def __init__(self, include, exclude):
        super().__init__(lambda: _key_sets().exactly(include, exclude))


class _PreserveDispatchKeyGuard(_Guard):
    """Restores the thread's included and excluded dispatch keys at the end of its block."""

    def __init__(self):
        super().__init__(_key_sets().kept)


class _SetExcludeDispatchKeyGuard:
    """In its block, a key is excluded from dispatch, or is not.

    Parameters
    ----------
    key : DispatchKey
    exclude : bool
    """

    def __init__(self, key, exclude):
        self._key, self._exclude = key, exclude

    def __enter__(self):
        self._before = _key_sets().is_excluded(self._key)
        _key_sets().set_excluded(self._key, self._exclude)

    def __exit__(self, *error):
        _key_sets().set_excluded(self._key, self._before)


class _DisableTorchDispatch(_Lasting):
    """While it is alive or in its block, no ``__torch_dispatch__`` is called."""

    def __init__(self):
        switch_dispatch(True)
        context = _ExitStack()
        context.callback(switch_dispatch, False)
        super().__init__(context)


def _dispatch_keys(tensor):
    """Return the dispatch keys of a tensor in PyTorch."""
    names = import_module("minitorch._dispatch.keys").names_of(tensor)
    return _key_sets().DispatchKeySet._of(names)


def _log_api_usage_once(name):
    """Do nothing; PyTorch logs that an API is used."""


def _increment_version(tensors):
    """Increment the versions of tensors after a write that autograd did not see."""
    for tensor in tensors:
        _count_write(tensor)


def _dispatch_key_name(key):
    """Return the name of a dispatch key."""
    return key.name


def _dispatch_keyset_to_string(keys):
    """Return a set of dispatch keys as text."""
    return repr(keys)


def _set_bits(tensor, conj, neg):
    # a class with __torch_dispatch__ holds its own elements and handles the bits itself
    if _bits_of(tensor) == (conj, neg) or _has_own_dispatch(tensor):
        return
    if _special_of(tensor) is not None and not any(_bits_of(tensor)):
        raise NotImplementedError("lazy conjugates and negatives of tensors that are not strided")
    _become(tensor, _marked(tensor, conj, neg))


def _set_conj(tensor, conj, /):
    """Set whether a tensor's elements are conjugated when read; the memory does not change."""
    _set_bits(tensor, conj, _bits_of(tensor)[1])


def _set_neg(tensor, neg, /):
    """Set whether a tensor's elements are negated when read; the memory does not change."""
    _set_bits(tensor, _bits_of(tensor)[0], neg)


def _data_address(tensor):
    """Return the address of the tensor's first element."""
    return tensor.data_ptr()


def _are_functorch_transforms_active():
    """Return whether this thread is inside a function transform."""
    return bool(current_levels())


def _get_all_dtypes():
    """Return a list of all dtypes."""
    return list(_dtypes().values())


def _get_default_device():
    """Return the device of the default tensor type, the CPU."""
    return "cpu"


def _get_privateuse1_backend_name():
    """Return the name reserved for a custom device, which is not supported."""
    return "privateuseone"


def _get_tracing_state():
    """Return None: there is no TorchScript tracing."""
    return None


def _is_tracing():
    """Return False: there is no TorchScript tracing."""
    return False


_OF_MODES = {
    "_len_torch_dispatch_stack": "_len_torch_dispatch_stack",
    "_get_dispatch_stack_at": "_get_dispatch_stack_at",
    "_push_on_torch_dispatch_stack": "_push_mode",
    "_pop_torch_dispatch_stack": "_pop_mode",
}


_OF_GRADIENTS = {
    "_get_autograd_fallback_mode": "fallback_mode",
    "_set_autograd_fallback_mode": "set_fallback_mode",
}


_OF_CUSTOM_OPERATORS = {
    "_dispatch_has_kernel_for_dispatch_key": "has_kernel_for",
    "_dispatch_has_kernel": "is_defined",
}


_OF_KEYS = {
    "_dispatch_call_boxed": "call",
    "_dispatch_find_schema_or_throw": "find",
    "_dispatch_isTensorSubclassLike": "is_subclass_like",
    "_DispatchOperatorHandle": "OperatorHandle",
}

_OF_KEY_SETS = {
    "DispatchKey": "DispatchKey",
    "DispatchKeySet": "DispatchKeySet",
    "_after_ADInplaceOrView_keyset": "AFTER_VIEWS",
    "_after_autograd_keyset": "AFTER_AUTOGRAD",
    "_dispatch_is_alias_key": "is_alias",
    "_dispatch_is_included_in_alias": "is_included_in_alias",
    "_dispatch_key_for_device": "key_of_device_type",
    "_dispatch_key_parse": "key_of_name",
    "_parse_dispatch_key": "key_of_name_or_none",
    "_dispatch_keyset_full": "full",
    "_dispatch_keyset_full_after": "full_after",
    "_dispatch_tls_is_dispatch_key_excluded": "is_excluded",
    "_dispatch_tls_is_dispatch_key_included": "is_included",
    "_dispatch_tls_local_exclude_set": "local_exclude_set",
    "_dispatch_tls_local_include_set": "local_include_set",
    "_dispatch_tls_set_dispatch_key_excluded": "set_excluded",
    "_dispatch_tls_set_dispatch_key_included": "set_included",
}

_OF_REGISTRATIONS = {
    "_dispatch_get_all_op_names": "names",
    "_dispatch_get_registrations_for_dispatch_key": "registrations",
    "_dispatch_has_backend_fallback": "has_fallback",
    "_dispatch_has_computed_kernel_for_dispatch_key": "has_computed_kernel_for",
    "_dispatch_has_kernel_for_any_dispatch_key": "has_kernel_for_any",
    "_dispatch_kernel_for_dispatch_key_is_fallthrough": "is_fallthrough",
    "_get_schema": "schema_of",
    "_jit_get_all_schemas": "schemas",
    "_jit_get_schemas_for_operator": "schemas_of",
}

_OF_SCHEMAS = {
    "_SchemaInfo": "SchemaInfo",
    "_SchemaArgument": "SchemaArgument",
    "_SchemaArgType": "SchemaArgType",
    "_has_storage": "has_storage",
    "_is_alias_of": "is_alias_of",
    "_overlaps": "overlaps",
}

_OF_PYTHON = {
    "_DisablePythonDispatcher": "no_python_dispatcher",
    "_EnablePreDispatch": "enable_pre_dispatch",
    "_EnablePythonDispatcher": "enable_python_dispatcher",
}

_ELSEWHERE = {
    "minitorch._dispatch.custom": _OF_CUSTOM_OPERATORS,
    "minitorch._dispatch.custom_gradients": _OF_GRADIENTS,
    "minitorch._dispatch.keys": _OF_KEYS,
    "minitorch._dispatch.key_sets": _OF_KEY_SETS,
    "minitorch._dispatch.python": _OF_PYTHON,
    "minitorch._dispatch.registrations": _OF_REGISTRATIONS,
    "minitorch._dispatch.schema": {
        "FunctionSchema": "FunctionSchema",
        "parse_schema": "parse_schema",
    },
    "minitorch._dispatch.schema_info": _OF_SCHEMAS,
    "minitorch.utils._python_dispatch": _OF_MODES,
}

_fft, _linalg, _special = map(NamedApart, ("fft", "linalg", "special"))


def __getattr__(name):
    if name in ("_functorch", "_nn"):
        # higher layers than most imports of this package
        return import_module(f"minitorch._C.{name}")
    if name.startswith("_debug_only_") and "vmap_fallback" in name:
        return getattr(import_module("minitorch._functorch.batching.fallback"), name)
    if name in _IN_THE_NAMESPACE:
        return getattr(import_module("minitorch"), _IN_THE_NAMESPACE[name])
    for module, names in _ELSEWHERE.items():
        if name in names:
            return getattr(import_module(module), names[name])
    if name == "_SafeKernelFunction":
        return import_module("minitorch._dispatch.kernel_functions").SafeKernelFunction
    if name == "FileCheck":
        return import_module("minitorch.testing").FileCheck
    if name == "_VariableFunctions":
        return import_module("minitorch._VF")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "ScriptDict",
    "ScriptFunction",
    "ScriptList",
    "ScriptMethod",
    "ScriptObject",
    "TensorType",
    "DisableTorchFunction",
    "DisableTorchFunctionSubclass",
    "TensorBase",
    "StorageBase",
    "_EnableTorchFunction",
    "_DisableTorchDispatch",
    "_EngineBase",
    "_FunctionBase",
    "_ImperativeEngine",
    "_TensorMeta",
    "_LinAlgError",
    "_are_functorch_transforms_active",
    "_autograd",
    "_current_autograd_node",
    "_current_graph_task_id",
    "_disabled_torch_dispatch_impl",
    "_functions",
    "_get_all_dtypes",
    "_get_cpu_capability",
    "_get_default_device",
    "_get_function_stack_at",
    "_get_graph_executor_optimize",
    "_get_privateuse1_backend_name",
    "_jit_can_fuse_on_cpu",
    "_jit_can_fuse_on_gpu",
    "_jit_override_can_fuse_on_cpu",
    "_jit_override_can_fuse_on_gpu",
    "_jit_set_profiling_executor",
    "_jit_set_profiling_mode",
    "_jit_set_texpr_fuser_enabled",
    "_jit_texpr_fuser_enabled",
    "_get_torch_function_state",
    "_get_tracing_state",
    "_is_tracing",
    "_is_fwd_grad_enabled",
    "_log_api_usage_once",
    "_set_fwd_grad_enabled",
    "_has_torch_function",
    "_has_torch_function_unary",
    "_has_torch_function_variadic",
    "_is_torch_function_all_disabled",
    "_is_torch_function_enabled",
    "_is_torch_function_mode_enabled",
    "_len_torch_function_stack",
    "_peek_should_skip_torch_function",
    "_pop_torch_function_stack",
    "_profiler",
    "_push_on_torch_function_stack",
    "_set_grad_enabled",
    "_set_skip_next_torch_function",
    "_set_torch_function_state",
    "_TorchFunctionState",
    "_disabled_torch_function_impl",
    "_will_engine_execute_node",
    "has_lapack",
    "has_spectral",
    "is_grad_enabled",
    "is_inference_mode_enabled",
    "is_multithreading_enabled",
    "is_view_replay_enabled",
]
