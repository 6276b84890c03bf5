"""Checks whether the results of an operator share memory with its inputs or each other."""

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
    """Return whether an output shares memory with an input."""
    return not set(_storages(inputs)).isdisjoint(_storages(outputs))


def outputs_are_inputs(outputs, inputs):
    """Return whether an output is one of the inputs."""
    given = {id(t) for t in _tensors(inputs)}
    return any(id(t) in given for t in _tensors(outputs))


def output_alias_each_other(outputs):
    """Return whether two outputs share memory."""
    storages = _storages(outputs)
    return len(set(storages)) < len(storages)
