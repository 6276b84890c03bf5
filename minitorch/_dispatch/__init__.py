"""Who is asked instead of a kernel: ``__torch_dispatch__`` of modes and classes, and the operators by name.

schema.py         PyTorch's notation of an operator's arguments, and binding a call to it
operators.py      `OpOverload` and `OpOverloadPacket`: what ``torch.ops.aten`` has
overloads.py      which row of derivatives.toml is which overload (autograd/overloads.txt), both ways
decompositions.py what PyTorch composes of other operators, and a row does at once
gradients.py      rows of gradients that PyTorch has no operator for
creation.py       functions that make a tensor of none
modes.py          the stack of modes, and asking them and the classes
key_sets.py       dispatch keys, and which of them a thread adds or passes by
replacements.py   kernels that a program puts in the place of the operators' own
wrappers.py       tensors of classes with ``__torch_dispatch__``
"""
