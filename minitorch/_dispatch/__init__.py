"""Who is asked instead of a kernel: ``__torch_dispatch__`` of modes and classes, and the operators by name.

A file imports from those above its line:

schema_compatibility.py  whether programs written for an older schema can call a newer one
schema.py                PyTorch's notation of an operator's arguments, and binding a call to it
argument_types.py        whether a value fits an argument, by the rules of PyTorch's functions
argument_values.py       the same by the rules of ``torch.ops``
results.py               whether what was returned is what an operator returns
own_kernels.py           for which dispatch keys PyTorch's operators have kernels
key_sets.py              dispatch keys, sets of them, and those that a thread adds or passes by
operators.py             `OpOverload` and `OpOverloadPacket`: what ``torch.ops.aten`` has
replacements.py          kernels that a program puts in the place of those of PyTorch's operators
mode_stack.pyx           the modes that a thread has entered
modes.py                 asking modes and classes

pairing.py               an overload's arguments and the parameters of a row of derivatives.toml, side by side
composed.py              calling by name the operators that no row is
overloads.py             which row is which overload, both ways (autograd/overloads.txt); calling one
creation.py              functions that make a tensor of none
decompositions.py        what PyTorch composes of other operators, and a row does at once
gradients.py             rows of gradients that PyTorch has no operator for
composites.py            what PyTorch composes and nevertheless tells as one
records.py               what observers such as the profiler are told
telling.py               what the wrappers that record ask: all of this

kernels.py               what a program registers for an operator of its own
wrappers.py              tensors of classes with ``__torch_dispatch__``
fake_context.py          what functions for results without data may ask
custom_gradients.py      its gradients, or the warning that there is none
custom.py                calling an operator of a program's
tag_checks.py            what tags promise of a schema
infer_schema.py          the schema of a function, from its annotations
custom_op.py             `custom_op`
op_checks.py             `opcheck`
keys.py                  what programs ask of PyTorch's dispatcher itself: of tensors and operators
registrations.py         the same of its tables
kernel_functions.py      one kernel by itself
python.py                names around kernels in Python
schema_info.py           what an operator does to its arguments in one call
alias_info.py            which results share memory with which arguments
profiler_ops.py          ``torch.ops.profiler``
"""
