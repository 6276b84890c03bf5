"""Whose memory the results of an operator are: the operands', or each other's."""

from minitorch._tensor import Tensor
from minitorch.core.types import strided
from minitorch.utils import _pytree as pytree

__all__ = ["output_alias_each_other", "outputs_alias_inputs", "outputs_are_inputs"]


def _tensors(tree):
    return [leaf for leaf in pytree.tree_leaves(tree) if isinstance(leaf, Tensor)]


def _storages(tree):
    with_memory = [t for t in _tensors(tree) if t.layout is strided]
    return [t.untyped_storage()._cdata for t in with_memory]


def outputs_alias_inputs(outputs, inputs):
    """Whether a tensor of the one tree shares memory with a tensor of the other."""
    return not set(_storages(inputs)).isdisjoint(_storages(outputs))


def outputs_are_inputs(outputs, inputs):
    """Whether the same tensor is in both trees."""
    given = {id(t) for t in _tensors(inputs)}
    return any(id(t) in given for t in _tensors(outputs))


def output_alias_each_other(outputs):
    """Whether two tensors of the tree share memory."""
    storages = _storages(outputs)
    return len(set(storages)) < len(storages)
