"""Dispatch of operators to ``__torch_dispatch__`` and custom kernels, and ``torch.ops``.

A file imports from the files listed above it:

schema_compatibility.py  checks that callers of an older schema can call a newer one
schema.py                schemas with their default values, binding a call to a schema
argument_types.py        type checks of arguments, by the rules of PyTorch's functions
argument_values.py       type checks and conversion of arguments, by the rules of ``torch.ops``
results.py               type checks of the values that kernels and modes return
own_kernels.py           the dispatch keys for which PyTorch's operators have kernels
key_sets.py              dispatch keys, sets of them, keys that a thread includes or excludes
operators.py             `OpOverload` and `OpOverloadPacket`, the attributes of ``torch.ops.aten``
replacements.py          kernels that a program registers for PyTorch's own operators
mode_stack.pyx           the stack of modes that a thread has entered
modes.py                 dispatching a call to modes and classes

pairing.py               converting between an overload's arguments and a row of derivatives/
composed.py              calling by name the operators without a row
overloads.py             mapping rows to overloads and back; calling one
creation.py              functions that create a tensor
decompositions.py        rows that PyTorch decomposes into several operators
gradients.py             gradient rows for which PyTorch has no operator
composites.py            composite operators that PyTorch dispatches as one call
records.py               schemas and values for observers such as the profiler
dispatcher.py            entry points for the recording wrappers

kernels.py               registered kernels and rules of custom operators
properties.py            properties that tensors read from their class
fake_context.py          the context of fake kernels (unbacked sizes)
custom_gradients.py      gradients of custom operators, or the warning about a missing one
custom.py                defining and calling custom operators
tag_checks.py            checks of schemas tagged ``inplace`` or ``out``
infer_schema.py          inferring a schema from a function's annotations
custom_op.py             `custom_op`
op_checks.py             `opcheck`
keys.py                  queries to the dispatcher: keys of tensors, operators by name
registrations.py         queries to the dispatcher's tables: schemas and registered kernels
kernel_functions.py      a single kernel of an operator as an object
python.py                context managers for kernels in Python, without effect
schema_info.py           aliasing and mutation of arguments in one call
alias_info.py            aliasing of results and arguments, from the schema
profiler_ops.py          ``torch.ops.profiler``
answers.py               the calls that autograd makes to this folder
"""

from minitorch._dispatch import answers  # noqa: F401  (autograd calls it)
