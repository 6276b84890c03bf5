"""Code generation: from a graph to the source of a function."""

import enum
import operator
import os
import pprint
import re
import types
import typing
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from minitorch._tensor import Tensor
from minitorch.core.dtype_abbrs import dtype_abbrs
from minitorch.fx import _names
from minitorch.fx._lines import Colors, summary_of
from minitorch.fx._tensor_metadata import TensorMetadata
from minitorch.fx.node import Node, _operator_class, sizes_text
from minitorch.fx.tensor_type import TensorType
from minitorch.utils import _pytree as pytree

__all__ = ["CodeGen", "PythonCode"]

reflectable_magic_methods = {
    "add": "{} + {}", "sub": "{} - {}", "mul": "{} * {}", "floordiv": "{} // {}",
    "truediv": "{} / {}", "div": "{} / {}", "mod": "{} % {}", "pow": "{} ** {}",
    "lshift": "{} << {}", "rshift": "{} >> {}", "and_": "{} & {}", "or_": "{} | {}",
    "xor": "{} ^ {}", "getitem": "{}[{}]", "matmul": "{} @ {}",
}  # fmt: skip
magic_methods = {
    "eq": "{} == {}", "ne": "{} != {}", "lt": "{} < {}", "gt": "{} > {}", "le": "{} <= {}",
    "ge": "{} >= {}", "pos": "+{}", "neg": "-{}", "invert": "~{}", **reflectable_magic_methods,
}  # fmt: skip
inplace_methods = {
    "iadd": "{} += {}", "iand": "{} &= {}", "ifloordiv": "{} //= {}", "ilshift": "{} <<= {}",
    "imod": "{} %= {}", "imul": "{} *= {}", "imatmul": "{} @= {}", "ior": "{} |= {}",
    "ipow": "{} **= {}", "irshift": "{} >>= {}", "isub": "{} -= {}", "itruediv": "{} /= {}",
    "ixor": "{} ^= {}", "setitem": "{}[{}] = {}",
}  # fmt: skip
_OPERATORS = operator.add.__module__
_OLD_GENERICS = {list: typing.List, dict: typing.Dict, set: typing.Set, tuple: typing.Tuple,  # noqa: UP006
                 frozenset: typing.FrozenSet}  # noqa: UP006  # fmt: skip
_COUNTER = re.compile(r"# COUNTER: (\d+)")


@dataclass
class PythonCode:
    """The source of a function and its globals.

    Parameters
    ----------
    src : str
    globals : dict
    """

    src: str
    globals: dict[str, Any]
    _lineno_map: dict[int, int | None] | None
    _prologue_start: int = 0


def format_target(base, target):
    """Return ``base.a.b``, using `getattr` for parts that are not identifiers."""
    for part in target.split("."):
        base = f"{base}.{part}" if part.isidentifier() else f'getattr({base}, "{part}")'
    return base


class Options(NamedTuple):
    """Options of the generated source; see `Graph.python_code`."""

    verbose: bool = False
    include_stride: bool = False
    include_device: bool = False
    colored: bool = False
    expanded_def: bool = False
    record_func: bool = False
    additional_meta: list[str] | None = None


class Writer:
    """Writes the body of a function, node by node.

    Parameters
    ----------
    codegen : CodeGen
    nodes : iterable of Node
    root_module : str
        Name of the module in the source.
    namespace : Namespace
    options : Options
    """

    def __init__(self, codegen, nodes, root_module, namespace, options):
        self.codegen = codegen
        self.nodes = nodes
        self.root_module = root_module
        self.namespace = namespace
        self.options = options
        self.color = Colors(options.colored)
        self.globals = {}
        self.free_vars = []
        self.body = []
        self.wrapped = {}
        self.returns = ""
        self.summary = None
        for name, entry in _names.custom_builtins().items():
            self.add_global(name, entry.obj)

    # ---- names and values

    def add_global(self, hint, obj):
        """Return the name of a global object in the source, and register the object."""
        if _names.is_from_torch(obj) and obj is not _names.package().device:
            return _names.qualified_name(obj)
        name = self.namespace.create_name(hint, obj)
        known = self.globals.setdefault(name, obj)
        if known is not obj and known != obj:
            raise AssertionError(f"Global name {name} already assigned to different object")
        return name

    def type_text(self, kind):
        """Return a type as the text of an annotation."""
        if kind == ():
            return "()"
        name = _names.type_name(kind)
        if isinstance(kind, types.UnionType) and "|" in name:
            return "|".join(map(self.type_text, typing.get_args(kind)))
        origin = getattr(kind, "__origin__", None)
        if origin is None:
            return self.add_global(name, kind)
        if isinstance(kind, typing._GenericAlias):  # type: ignore[attr-defined]
            origin = _OLD_GENERICS.get(origin, origin)
        name = self.add_global(_names.type_name(origin), origin)
        inner = kind.dims if isinstance(kind, TensorType) else typing.get_args(kind)
        return f"{name}[{','.join(map(self.type_text, inner))}]" if inner else name

    def value(self, arg):
        """Return an argument as the text of an expression."""
        if isinstance(arg, Node):
            return repr(arg)
        if isinstance(arg, tuple) and hasattr(arg, "_fields"):
            name = self.add_global(_names.qualified_name(type(arg)), type(arg))
            return f"{name}{tuple(arg)!r}"
        if isinstance(arg, _operator_class()):
            return self.add_global(_names.qualified_name(arg), arg)
        if isinstance(arg, enum.Enum):
            return f"{self.add_global(type(arg).__name__, type(arg))}.{arg.name}"
        if isinstance(arg, Tensor):
            dtype = str(arg.dtype).split(".")[-1]
            return f"torch.Tensor(size={list(arg.size())}, dtype={dtype})"
        if isinstance(arg, tuple):
            return f"({', '.join(map(self.value, arg))}{',' if len(arg) == 1 else ''})"
        if isinstance(arg, list):
            return f"[{', '.join(map(self.value, arg))}]"
        if isinstance(arg, slice):
            return f"slice({', '.join(map(self.value, (arg.start, arg.stop, arg.step)))})"
        return self.color.blue(repr(arg))

    def arguments(self, args, kwargs):
        """Return the argument list of a call as text, without the parentheses."""
        named = [f"{name} = {self.value(value)}" for name, value in kwargs.items()]
        return ", ".join([*map(self.value, args), *named])

    # ---- the lines of a node

    def write(self):
        """Write the body and return its lines."""
        if self.options.record_func:
            self.body.append(
                "_rf = torch._C._profiler._RecordFunctionFast"
                "('## ENTER_GRAPH_PLACEHOLDER_KEY ##'); _rf.__enter__()\n"
            )
        for number, node in enumerate(self.nodes):
            if self.options.verbose:
                self._write_summary(node)
            # Marks the lines of this node; `_numbered` removes the marks.
            self.body.append(f"# COUNTER: {number}\n")
            records = self.options.record_func and node.op.startswith("call_")
            if records:
                self.body.append(
                    f"_rf_{node.name} = torch._C._profiler._RecordFunctionFast('## {number} ##'); "
                    f"_rf_{node.name}.__enter__()\n"
                )
            self._write_node(node)
            self._write_deletions(node)
            if records:
                self.body.append(f"_rf_{node.name}.__exit__(None, None, None)\n")
        if self.options.record_func:
            self.body.append("_rf.__exit__(None, None, None)\n")
        return self.body or ["pass\n"]

    def _write_summary(self, node):
        if node.op in ("placeholder", "output"):
            return
        text = self.color.dim(summary_of(node, self.options.additional_meta))
        if text != self.summary:
            self.summary = text
            self.body.append(f"\n{text}\n")

    def _write_node(self, node):
        if os.environ.get("FX_GRAPH_SHOW_META", "0") == "1" and node.meta:
            self.body.append('"""\n')
            for key, value in node.meta.items():
                self.body.append(f"{key}: {pprint.pformat(str(value), width=80, compact=True)}\n")
            self.body.append('"""\n')
        writer = getattr(self, f"_write_{node.op}", None)
        if writer is None:
            raise NotImplementedError(f"node: {node.op} {node.target}")
        kind = "" if node.type is None else f" : {self.type_text(node.type)}"
        if self.options.verbose:
            kind = self._tensor_annotation(node) or kind
        writer(node, kind)

    def _tensor_annotation(self, node):
        from minitorch._subclasses.fake_tensor import FakeTensor

        value = node.meta.get("val", node.meta.get("tensor_meta", node.meta.get("example_value")))
        if isinstance(value, TensorMetadata):
            return f': "{dtype_abbrs[value.dtype]}{sizes_text(value.shape)}"'
        if not isinstance(value, Tensor):
            return None
        stride = self.options.include_stride or os.environ.get("FX_GRAPH_SHOW_STRIDE", "0") == "1"
        device = self.options.include_device or os.environ.get("FX_GRAPH_SHOW_DEVICE", "0") == "1"
        text = (
            f"{self.color.red(dtype_abbrs[value.dtype])}"
            f"{self.color.blue(sizes_text(value.shape))}"
            f"{self.color.dim_blue(sizes_text(value.stride()) if stride else '')}"
            f"{self.color.dim_green(str(value.device) if device else '')}"
        )
        plain = type(value) in (Tensor, FakeTensor)
        return f': "{text}"' if plain else f': "{type(value).__name__}({text})"'

    def _write_placeholder(self, node, kind):
        default = f" = {self.value(node.args[0])}" if node.args else ""
        description = node.meta.get("desc") if self.options.expanded_def else None
        comment = "" if description is None else f"  # {description}"
        self.free_vars.append(f"{node.target}{kind}{default}{comment}")
        name = node.target.replace("*", "")
        if name != repr(node):
            self.body.append(f"{node!r} = {name}\n")

    def _write_call_method(self, node, kind):
        method = format_target(self.value(node.args[0]), node.target)
        self.body.append(f"{node!r}{kind} = {method}({self.arguments(node.args[1:], node.kwargs)})")

    def _write_call_function(self, node, kind):
        name = getattr(node.target, "__name__", None)
        if getattr(node.target, "__module__", "") == _OPERATORS:
            values = [self.value(arg) for arg in node.args]
            if name in magic_methods:
                self.body.append(f"{node!r}{kind} = {magic_methods[name].format(*values)}")
                return
            if name in inplace_methods:
                done = inplace_methods[name].format(*values)
                self.body.append(f"{done};  {node!r}{kind} = {values[0]}")
                return
        name = self.add_global(_names.qualified_name(node.target), node.target)
        if name == "getattr" and len(node.args) == 2 and self._is_name(node.args[1]):
            self.body.append(
                f"{node!r}{kind} = {format_target(self.value(node.args[0]), node.args[1])}"
            )
            return
        self.body.append(f"{node!r}{kind} = {name}({self.arguments(node.args, node.kwargs)})")
        if node.meta.get("is_wrapped", False):
            self.wrapped.setdefault(name)

    @staticmethod
    def _is_name(arg):
        return isinstance(arg, str) and arg.isidentifier()

    def _write_call_module(self, node, kind):
        module = format_target(self.root_module, node.target)
        self.body.append(f"{node!r}{kind} = {module}({self.arguments(node.args, node.kwargs)})")

    def _write_get_attr(self, node, kind):
        self.body.append(f"{node!r}{kind} = {format_target(self.root_module, node.target)}")

    def _write_output(self, node, kind):
        if node.type is not None:
            self.returns = f" -> {self.type_text(node.type)}"
        descs = node.meta.get("desc") if self.options.expanded_def else None
        self.body.append(
            self.codegen.generate_output(node.args[0], descs=descs, repr_fn=self.value)
        )

    # ---- deletion of values after their last use

    @cached_property
    def _last_uses(self):
        seen = set()
        uses = {}
        for user in reversed(self.nodes):
            for node in user._input_nodes:
                if node not in seen:
                    seen.add(node)
                    uses.setdefault(user, []).append(node)
        return uses

    def _write_deletions(self, node):
        if node.op == "placeholder":
            return
        unneeded = [] if node.op == "output" else list(self._last_uses.get(node, ()))
        if node.op != "output" and not node.users:
            unneeded.append(node)
        if not unneeded:
            self.body.append("\n")
            return
        self.body.append(f";  {self.color.dim(' = '.join([*map(repr, unneeded), 'None']))}\n")


def _numbered(body, first):
    """Return the lines of the body, and a map from line number to node number."""
    lines = []
    numbers = {}
    number = None
    for line in "".join(body).split("\n"):
        counter = _COUNTER.search(line)
        if counter is None:
            numbers[len(lines) + first] = number
            lines.append(line)
        else:
            number = int(counter[1])
    return lines, numbers


class CodeGen:
    """Writes the head and the return statement of a generated function; subclass it to change them.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.fx.CodeGen().gen_fn_def(["x", "y"], "")
    'def forward(self, x, y):'
    """

    def __init__(self):
        self._body_transformer = None
        self._func_name = "forward"

    def gen_fn_def(self, free_vars, maybe_return_annotation, *, expanded_def=False):
        """Return the ``def`` line of the function.

        Parameters
        ----------
        free_vars : list of str
            The parameters.
        maybe_return_annotation : str
            ``" -> type"`` or the empty string.
        expanded_def : bool
            Whether to write each parameter on its own line.
        """
        if not free_vars or free_vars[0] != "self":
            free_vars.insert(0, "self")
        if not expanded_def:
            return f"def {self._func_name}({', '.join(free_vars)}){maybe_return_annotation}:"
        lines = "".join(map(_line_of_argument, free_vars))
        return f"def {self._func_name}(\n{lines}){maybe_return_annotation}:"

    def generate_output(self, output_args, *, descs=None, repr_fn=None):
        """Return the ``return`` statement of the function.

        Parameters
        ----------
        output_args : object
            The values to return.
        descs : list of str, optional
            A comment for each element.
        repr_fn : callable, optional
            Converts a value to its text.
        """
        return f"return {_values_text(output_args, descs, repr_fn or repr)}"

    def process_inputs(self, *args):
        """Convert the arguments of the function to inputs of the graph."""
        return args

    def process_outputs(self, outputs):
        """Convert the output of the graph to the result of the function."""
        return outputs

    def additional_globals(self):
        """Return additional globals of the function as pairs of name and value.

        Returns
        -------
        list of tuple
        """
        return []

    def _gen_python_code(self, nodes, root_module, namespace, **options):
        writer = Writer(self, nodes, root_module, namespace, Options(**options))
        body = writer.write()
        wraps = ""
        if writer.wrapped:
            wrap = writer.add_global("wrap", _names.package().fx.wrap)
            wraps = "\n".join(f'{wrap}("{name}")' for name in writer.wrapped)
        if self._body_transformer:
            body = self._body_transformer(body)
        for name, value in self.additional_globals():
            writer.add_global(name, value)
        expanded = {"expanded_def": True} if writer.options.expanded_def else {}
        head = self.gen_fn_def(writer.free_vars, writer.returns, **expanded)
        lines, numbers = _numbered(body, head.count("\n") + 1)
        code = "\n".join(f"    {line}" for line in "\n".join(lines).lstrip("\n").split("\n"))
        source = f"\n{wraps}\n\n{head}\n{code}"
        return PythonCode(source, writer.globals, numbers, wraps.count("\n") + 4)


def _line_of_argument(argument):
    name, sharp, comment = argument.partition("#")
    if not sharp:
        return f"    {argument},\n"
    return f"    {name.rstrip()},  # {comment.lstrip()}\n"


def _values_text(values, descs, repr_fn):
    if descs is None or not isinstance(values, (list, tuple)):
        return repr_fn(values)
    left, right = "()" if isinstance(values, tuple) else "[]"
    pairs = zip(values, descs, strict=True)
    lines = "".join(f"    {repr_fn(value)},  # {text}\n" for value, text in pairs)
    return f"{left}\n{lines}{right}"


class _BoxedCodeGen(CodeGen):
    """Code generator for a function that takes its inputs as one list and clears it."""

    def gen_fn_def(self, free_vars, maybe_return_annotation, *, expanded_def=False):
        lines = [f"def {self._func_name}(self, args_list){maybe_return_annotation}:"]
        names = [v.split(":")[0].split("=")[0].strip() for v in free_vars if v != "self"]
        if names:
            lines.append("args_iter = iter(args_list)")
            lines.extend(f"{name} = next(args_iter)" for name in names)
            lines.append("args_list.clear()")
        return "\n    ".join(lines)


class _PyTreeInfo(NamedTuple):
    """The original argument names of a function and the pytree specs of its inputs and output."""

    orig_args: list[str]
    in_spec: Any
    out_spec: Any


class _PyTreeCodeGen(CodeGen):
    """Code generator for a function with nested containers as arguments and result."""

    def __init__(self, pytree_info):
        super().__init__()
        self.pytree_info = pytree_info

    def process_inputs(self, *inputs):
        return pytree.arg_tree_leaves(*inputs)

    def process_outputs(self, out):
        if self.pytree_info is None or self.pytree_info.out_spec is None:
            return out
        out = out if isinstance(out, (list, tuple)) else [out]
        return pytree.tree_unflatten(out, self.pytree_info.out_spec)

    def gen_fn_def(self, free_vars, maybe_return_annotation, *, expanded_def=False):
        expanded = {"expanded_def": expanded_def}
        if self.pytree_info is None:
            return super().gen_fn_def(free_vars, maybe_return_annotation, **expanded)
        arguments = self.pytree_info.orig_args
        if arguments and arguments[0] == "self":
            free_vars.insert(0, "self")
        head = super().gen_fn_def(arguments[:], maybe_return_annotation, **expanded)
        if free_vars:
            head += self.gen_var_bindings(arguments, free_vars, expanded_def)
        return head

    def gen_var_bindings(self, fn_args, free_vars, expanded_def):
        """Return the statement that flattens the arguments into the inputs of the graph."""
        structure = self.pytree_info.in_spec
        values = f"[{', '.join(fn_args)}], self._in_spec"
        if _is_args_and_kwargs(structure):
            count = structure.child(0).num_children
            given = self.pytree_info.orig_args
            pairs = zip(structure.child(1).context, given[count:], strict=False)
            named = ", ".join(f"'{key}':{name}" for key, name in pairs)
            values = f"([{', '.join(given[:count])}], {{{named}}}), self._in_spec"
        names = [text.split(":")[0].split("#")[0] for text in free_vars]
        annotated = _annotations([text for text in free_vars if ":" in text], expanded_def)
        return f"{annotated}\n    {', '.join(names)}, = fx_pytree.tree_flatten_spec({values})"

    def generate_output(self, output_args, *, descs=None, repr_fn=None):
        if not (self.pytree_info and self.pytree_info.out_spec):
            return super().generate_output(output_args, descs=descs, repr_fn=repr_fn)
        values = _values_text(output_args, descs, repr_fn or repr)
        return f"return pytree.tree_unflatten({values}, self._out_spec)"


def _is_args_and_kwargs(structure):
    return (
        structure.type is tuple
        and structure.num_children == 2
        and structure.child(0).type is tuple
        and structure.child(1).type is dict
    )


def _annotations(annotated, expanded_def):
    if not annotated:
        return ""
    if expanded_def:
        return "\n    " + "\n    ".join(annotated)
    return "\n    " + "".join(f"{text}; " for text in annotated) + "\n"
