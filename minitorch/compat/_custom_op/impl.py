"""The deprecated `CustomOp` class: operators with kernels and derivatives registered step by step.

The functions of `torch._custom_ops` call the methods of a `CustomOp`. The ``Autograd`` kernel is
registered when the operator is defined; it looks up the derivative at each call.
"""

import functools
import inspect
import sys
import warnings
from dataclasses import dataclass

from minitorch._custom_op.autograd import autograd_kernel, make_formula
from minitorch._dispatch.custom import has_kernel_for
from minitorch._dispatch.fake_context import context_from
from minitorch._dispatch.infer_schema import infer_schema
from minitorch._dispatch.kernels import kernels_of
from minitorch._dispatch.operators import custom as _packets
from minitorch._dispatch.schema import FunctionSchema
from minitorch.library import Library, get_ctx
from minitorch.utils._python_dispatch import Tag

__all__ = ["CustomOp", "custom_op", "get_ctx", "infer_schema"]

SUPPORTED_DEVICE_TYPE_TO_KEY = {"cpu": "CPU", "cuda": "CUDA"}
RESERVED_NS = {"prim", "prims", "aten", "at", "torch", "pytorch"}
_DIFFERENTIABLE = ("int", "SymInt", "bool", "float", "Tensor", "List[Tensor]")

# the operators created here, by name, until they are destroyed
global_registry: dict[str, "CustomOp"] = {}


def warn_deprecated():
    """Warn that this interface is deprecated."""
    warnings.warn(
        "torch._custom_op is deprecated and will be removed in PyTorch 2.6, please "
        "use the equivalent torch.library API instead.",
        DeprecationWarning,
        stacklevel=2,
    )


def parse_qualname(qualname):
    """Split ``"namespace::name"`` into namespace and name.

    Raises
    ------
    ValueError
        If there is no namespace, or the name includes an overload.

    Examples
    --------
    >>> from minitorch._custom_op.impl import parse_qualname
    >>> parse_qualname("mine::twice")
    ('mine', 'twice')
    """
    namespace, colons, name = qualname.partition("::")
    if not colons:
        raise ValueError(
            f"Expected there to be a namespace in {qualname}, i.e. The "
            f"operator name should look something like ns::foo"
        )
    if "." in name:
        raise ValueError(
            f"The torch.custom_ops APIs do not handle overloads, "
            f"i.e. operator names with '.' in them. "
            f"Please name your operator something like ns::foo. "
            f"Got: {qualname}"
        )
    return namespace, name


def validate_namespace(ns):
    """Raise an error if a namespace contains a dot or is reserved for PyTorch."""
    if "." in ns:
        raise ValueError(
            f'custom_op(..., ns="{ns}"): expected ns to not contain any . (and be a '
            f"valid variable name)"
        )
    if ns in RESERVED_NS:
        raise ValueError(
            f"custom_op(..., ns='{ns}'): '{ns}' is a reserved namespace, "
            f"please choose something else. "
        )


def check_function(qualname, name, func):
    """Raise an error unless `func` is a function with the operator's name."""
    if not inspect.isfunction(func):
        raise ValueError(
            f"custom_op(...)(func): Expected `func` to be a Python function, got: {type(func)}"
        )
    if func.__name__ != name:
        raise ValueError(
            f"custom_op(qualname='{qualname}', ...)(func): expected `func` "
            f"to have name '{name}' but got '{func.__name__}'. "
            f"Please either change the name of `func` or the qualname that "
            f"is passed to `custom_op`"
        )


def _is_functional(schema):
    """Return whether an operator has results and neither mutates nor aliases arguments."""
    arguments = schema.arguments + schema.returns
    return bool(schema.returns) and all(a.alias_info is None for a in arguments)


def _check_schema(text):
    try:
        schema = FunctionSchema(text, "")
    except ValueError as error:
        raise AssertionError(f"Invalid function schema: {text}") from error
    if not _is_functional(schema):
        raise ValueError(
            f"custom_op only supports functional operators "
            f"(ops that do not mutate any inputs, do not return "
            f"views of the inputs, and has at least one return). "
            f"Got the following non-functional schema: {text}"
        )
    if any(a.name == "self" for a in schema.arguments):
        raise ValueError(
            f"custom_op does not support arguments named 'self'. Please rename your argument. Got: {text}"
        )


def check_signature(schema, func):
    """Raise an error unless the parameters of `func` match the schema.

    They must have neither annotations nor defaults.
    """
    signature = inspect.signature(func)
    parameters = signature.parameters.values()
    title, given = "custom_op(..., manual_schema)(func):", f"signature: {signature}"
    both = f"func's {given}, manual_schema: {schema}"
    if any(p.kind not in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY) for p in parameters):
        raise ValueError(
            f"{title} positional-only args, varargs, and kwargs are not supported. Please rewrite `func` "
            f"to not have them. Got `func` with {given}"
        )
    if any(
        annotation is not inspect.Parameter.empty
        for annotation in (signature.return_annotation, *(p.annotation for p in parameters))
    ):
        raise ValueError(
            f"{title} When passing in a manual schema, we expect `func` to have no type annotations to avoid "
            f"ambiguity. Got `func` with {given}"
        )
    ours = [(p.name, p.kind == p.KEYWORD_ONLY) for p in parameters]
    if ours != [(a.name, a.kwarg_only) for a in schema.arguments]:
        raise ValueError(
            f"{title} When passing in a manual schema, we expect `func`'s signature to match `manual_schema` "
            f"(aside from type annotations). {both}"
        )
    if any(p.default is not p.empty for p in parameters) or any(
        a.has_default_value() for a in schema.arguments
    ):
        raise ValueError(
            f"{title} neither func nor manual_schema should have default arguments. Got {both}"
        )


def custom_op(qualname, manual_schema=None):
    """Return a decorator that defines an operator from a function's annotations. Deprecated.

    If `manual_schema` is given, it is used instead of the annotations.

    Examples
    --------
    >>> import warnings
    >>> import minitorch as torch
    >>> from minitorch._custom_op.impl import custom_op
    >>> with warnings.catch_warnings(action="ignore"):
    ...     @custom_op("guide::twice")
    ...     def twice(x: torch.Tensor) -> torch.Tensor: ...
    >>> _ = twice.impl("cpu")(lambda x: 2 * x)
    >>> twice(torch.ones(2))
    tensor([2., 2.])
    >>> twice._destroy()
    """
    warn_deprecated()

    def inner(func):
        namespace, name = parse_qualname(qualname)
        validate_namespace(namespace)
        check_function(qualname, name, func)
        if manual_schema is None:
            found = _define(qualname, infer_schema(func, mutates_args=()))
        else:
            _check_schema(name + manual_schema)
            check_signature(FunctionSchema(name + manual_schema, ""), func)
            found = _define(qualname, manual_schema)
        found.__name__, found.__module__, found.__doc__ = name, func.__module__, func.__doc__
        return found

    return inner


def _define(qualname, schema, tags=()):
    namespace, name = parse_qualname(qualname)
    _check_schema(name + schema)
    library = Library(namespace, "FRAGMENT")
    library.define(name + schema, tags=tags)
    overload = get_op(qualname)
    found = CustomOp(library, namespace, overload._schema, name, overload, _private_access=True)
    found._register_autograd_kernel_indirection()
    kernels_of(qualname).explain = found._explain
    return found


def _custom_op_with_schema(qualname, schema, needs_fixed_stride_order=True):
    tags = [Tag.needs_fixed_stride_order] if needs_fixed_stride_order else []
    _define(qualname, schema, tags)
    return get_op(qualname)


def get_op(qualname):
    """Return the default overload of an operator.

    Raises
    ------
    ValueError
        If there is no such operator.
    """
    packet = _packets.get(parse_qualname(qualname))
    if packet is None or "default" not in packet._overloads:
        raise ValueError(
            f"Could not find the operator {qualname}. Please make sure you have "
            f"already registered the operator and (if registered from C++) "
            f"loaded it via torch.ops.load_library."
        )
    return packet.default


def _find_custom_op(qualname, also_check_torch_library=False):
    if qualname in global_registry:
        return global_registry[qualname]
    if not also_check_torch_library:
        raise RuntimeError(
            f'Could not find custom op "{qualname}". Did you register it via the torch._custom_ops API?'
        )
    overload = get_op(qualname)
    namespace, name = parse_qualname(qualname)
    library = Library(namespace, "FRAGMENT")
    return CustomOp(library, namespace, overload._schema, name, overload, _private_access=True)


def get_abstract_impl(qualname):
    """Return the function registered with ``impl_abstract``, or None."""
    found = global_registry.get(qualname)
    return found._get_impl("abstract").func if found and found._has_impl("abstract") else None


@dataclass
class FuncAndLocation:
    """A registered function and the source location of its registration."""

    func: object
    location: str


class CustomOp:
    """A custom operator and its registrations, created by `custom_op`. Deprecated.

    Raises
    ------
    RuntimeError
        If it is constructed directly.
    """

    def __init__(self, lib, cpp_ns, schema, operator_name, ophandle, *, _private_access=False):
        warn_deprecated()
        if not _private_access:
            raise RuntimeError(
                "The CustomOp constructor is private and we do not guarantee "
                "BC for it. Please use custom_op(...) to create a CustomOp object"
            )
        self._lib, self._cpp_ns, self._opname = lib, cpp_ns, operator_name
        self._schema, self._ophandle = schema, ophandle
        self._qualname = f"{cpp_ns}::{operator_name}"
        self._impls = {}
        self._output_differentiability = None
        self._registered_autograd_kernel_indirection = False
        global_registry[self._qualname] = self

    def __repr__(self):
        return f'<CustomOp(op="{self._qualname}")>'

    def __call__(self, *args, **kwargs):
        return self._ophandle(*args, **kwargs)

    def _register_autograd_kernel_indirection(self):
        if not self._registered_autograd_kernel_indirection:
            self._lib.impl(self._opname, autograd_kernel(self), "Autograd")
            self._registered_autograd_kernel_indirection = True

    def _register_impl(self, kind, func, stacklevel=2):
        if self._has_impl(kind):
            raise RuntimeError(
                f"Attempting to register a {kind} impl for operator {self._qualname} "
                f"that already has a {kind} impl registered from Python at "
                f"{self._impls[kind].location}. This is not supported."
            )
        frame = inspect.getframeinfo(sys._getframe(stacklevel))
        self._impls[kind] = FuncAndLocation(func, f"{frame.filename}:{frame.lineno}")

    def _get_impl(self, kind):
        return self._impls[kind]

    def _has_impl(self, kind):
        return kind in self._impls

    def _destroy(self):
        kernels_of(self._qualname).explain = None
        self._lib._destroy()
        del global_registry[self._qualname]

    def impl(self, device_types, _stacklevel=2):
        """Return a decorator that registers a kernel for the given devices."""
        device_types = [device_types] if isinstance(device_types, str) else list(device_types)
        for device_type in device_types:
            if device_type not in SUPPORTED_DEVICE_TYPE_TO_KEY:
                raise ValueError(
                    f"CustomOp.impl(device_types=[{device_type}, ...]): we only support device_type "
                    f"in {SUPPORTED_DEVICE_TYPE_TO_KEY.keys()}."
                )

        def inner(f):
            for device_type in dict.fromkeys(device_types):
                self._check_has_no_kernel(device_type)
                self._register_impl(device_type, f, _stacklevel)
                self._lib.impl(self._opname, f, SUPPORTED_DEVICE_TYPE_TO_KEY[device_type])
            return f

        return inner

    def _check_has_no_kernel(self, device_type):
        keys = (SUPPORTED_DEVICE_TYPE_TO_KEY[device_type], *_COMPOSITE)
        if not self._has_impl(device_type) and any(has_kernel_for(self._qualname, k) for k in keys):
            raise RuntimeError(
                f"impl(..., device_types={device_type}): the operator {self._qualname} "
                f"already has an implementation for this device type via a "
                f"pre-existing torch.library or TORCH_LIBRARY registration."
            )

    def impl_factory(self):
        """Return a decorator that registers the kernel of an operator without tensor arguments."""

        def inner(f):
            self._register_impl("factory", f)
            self._lib.impl(self._opname, f, "CompositeExplicitAutograd")
            return f

        return inner

    def impl_abstract(self, _stacklevel=2):
        """Return a decorator that registers the kernel for ``meta`` tensors."""

        def inner(f):
            self._check_has_no_kernel_without_data()
            self._register_impl("abstract", f, _stacklevel)
            location = self._get_impl("abstract").location

            def raise_no_context():
                raise RuntimeError(
                    f"Attempted to call get_ctx() for the meta implementation "
                    f"for {self._qualname}."
                    f"You have presumably called get_ctx() because the operator "
                    f"has a data-dependent output shape; if so, there is no "
                    f"such meta implementation and this error is the correct "
                    f"behavior. Otherwise, please remove the call to get_ctx() "
                    f"in the implementation registered with impl_abstract "
                    f"at {location}"
                )

            @functools.wraps(f)
            def without_data(*args, **kwargs):
                with context_from(raise_no_context):
                    return f(*args, **kwargs)

            self._lib.impl(self._opname, without_data, "Meta")
            return f

        return inner

    def _check_has_no_kernel_without_data(self):
        if self._has_impl("abstract"):
            return
        title = f"impl_abstract(...): the operator {self._qualname} already has"
        if has_kernel_for(self._qualname, "CompositeImplicitAutograd"):
            raise RuntimeError(
                f"{title} an implementation for this device type via a "
                f"pre-existing registration to DispatchKey::CompositeImplicitAutograd."
                f"CompositeImplicitAutograd operators do not need an abstract impl; "
                f"instead, the operator will decompose into its constituents and those "
                f"can have abstract impls defined on them."
            )
        if has_kernel_for(self._qualname, "Meta"):
            raise RuntimeError(
                f"{title} a DispatchKey::Meta implementation via a "
                f"pre-existing torch.library or TORCH_LIBRARY registration. "
                f"Please either remove that registration or don't call impl_abstract."
            )

    def impl_save_for_backward(self, _stacklevel=2):
        """Return a decorator for ``f(inputs, output)``, which returns what to save for backward."""
        return self._part_of_formula("save_for_backward", _stacklevel)

    def impl_backward(self, output_differentiability=None, _stacklevel=2):
        """Return a decorator for ``f(ctx, saved, *grads)``, which returns gradients by name."""
        if output_differentiability is not None:
            given = output_differentiability
            if (
                not isinstance(given, list)
                or not all(isinstance(each, bool) for each in given)
                or len(given) != len(self._schema.returns)
            ):
                raise RuntimeError(
                    f"impl_backward(output_differentiability): expected "
                    f"output_differentiability to be a list of bools with "
                    f"length equal to the number of outputs of this CustomOp "
                    f"got: {output_differentiability}"
                )
        return self._part_of_formula("backward", _stacklevel, output_differentiability)

    def _part_of_formula(self, kind, stacklevel, output_differentiability=None):
        def inner(f):
            self._check_can_have_formula()
            self._check_has_no_autograd_kernel()
            self._register_autograd_kernel_indirection()
            self._register_impl(kind, f, stacklevel)
            if kind == "backward":
                self._output_differentiability = output_differentiability
            if self._has_impl("backward") and self._has_impl("save_for_backward"):
                self._register_impl("autograd", make_formula(self))

        return inner

    def _check_can_have_formula(self):
        schema = self._schema
        text = str(schema).partition("::")[2]

        def fail(detail):
            raise RuntimeError(
                f"Cannot use torch._custom_ops APIs to register backward "
                f"formula for {detail}. Got operator "
                f"{self._qualname} with schema: {text}"
            )

        if schema.is_mutable:
            fail("non-functional operator")
        if not schema.returns:
            fail("operator with no returns")
        if any(r.alias_info is not None for r in schema.returns):
            fail("operator that returns views")
        for result in schema.returns:
            if str(result.type) not in _DIFFERENTIABLE:
                shown = str(result.type).replace("List[", "").replace("]", "[]")
                shown = shown.replace("number", "Scalar")
                fail(f"operator with return not in {list(_DIFFERENTIABLE)} (got {shown})")

    def _check_has_no_autograd_kernel(self):
        if self._registered_autograd_kernel_indirection:
            return
        if has_kernel_for(self._qualname, "CompositeImplicitAutograd"):
            raise RuntimeError(
                f"impl_backward/impl_save_for_backward: the operator {self._qualname} "
                f"already has an implementation for this device type via a "
                f"pre-existing registration to DispatchKey::CompositeImplicitAutograd."
                f"CompositeImplicitAutograd operators do not need an autograd formula; "
                f"instead, the operator will decompose into its constituents and those "
                f"can have autograd formulas defined on them."
            )
        for key in ("Autograd", "AutogradCPU", "AutogradCUDA"):
            if has_kernel_for(self._qualname, key):
                raise RuntimeError(
                    f"impl_backward/impl_save_for_backward: "
                    f"the operator {self._qualname} already has an Autograd kernel "
                    f"registered to DispatchKey::{key} vi a pre-existing "
                    f"torch.library or TORCH_LIBRARY registration. Please either "
                    f"remove those registrations or don't use the torch._custom_ops APIs"
                )

    def _explain(self, key):
        """Raise the error for a call of the operator without a kernel for `key`."""
        if key == "Undefined":
            raise NotImplementedError(
                f"{self}: There were no Tensor inputs to this operator "
                f"(e.g. you passed an empty list of Tensors). If your operator is a "
                f"factory function (that is, it takes no Tensors and constructs "
                f"a new one), then please use CustomOp.impl_factory to register "
                f"an implementation for it"
            )
        if key == "Meta":
            return
        if key not in SUPPORTED_DEVICE_TYPE_TO_KEY.values():
            raise NotImplementedError(
                f"{self}: No implementation for dispatch key {key}. It is likely "
                f"that we have not added this functionality yet, please either open an "
                f"issue or if you're feeling adventurous, use the low-level "
                f"torch.library API"
            )
        device = key.lower()
        raise NotImplementedError(
            f"{self}: when running with device='{device}' tensors: there is no "
            f"{device} impl registered for this CustomOp. Please register one via "
            f"CustomOp.impl(device_type='{device}')"
        )


_COMPOSITE = ("CompositeImplicitAutograd", "CompositeExplicitAutograd")
