"""Metadata that new nodes copy from the node being run: annotations and stack traces."""

import copy
import traceback
from contextlib import contextmanager
from functools import wraps

__all__ = ["annotate", "annotate_fn", "format_stack", "get_current_meta", "has_preserved_node_meta",
           "preserve_node_meta", "set_current_meta", "set_stack_trace"]  # fmt: skip

current_meta: dict = {}
should_preserve_node_meta = False

# keys of ``meta`` that a new node copies from the node being run
_COPIED = ("nn_module_stack", "torch_fn", "source_fn_stack", "original_aten", "recompute",
           "ac_graph_id", "has_backward_hook", "from_node", "quantization_tag",
           "_numeric_debug_handle", "custom", "partitioner_tag")  # fmt: skip


@contextmanager
def preserve_node_meta(enable=True):
    """Make new nodes copy the metadata of the node being run inside the block."""
    global should_preserve_node_meta, current_meta
    before = should_preserve_node_meta, current_meta.copy()
    should_preserve_node_meta = enable
    try:
        yield
    finally:
        should_preserve_node_meta, current_meta = before


def has_preserved_node_meta():
    """Return whether new nodes copy the metadata of the node being run."""
    return should_preserve_node_meta


def get_current_meta():
    """Return the metadata that new nodes copy."""
    return current_meta


@contextmanager
def set_current_meta(node, pass_name=""):
    """Make `node` the source of metadata for new nodes inside the block.

    Parameters
    ----------
    node : Node
    pass_name : str
        Name of the pass that runs the node.
    """
    global current_meta
    if not (should_preserve_node_meta and node.meta):
        yield
        return
    before = current_meta
    current_meta = node.meta.copy()
    try:
        yield
    finally:
        current_meta = before


def copy_to(node):
    """Copy the current metadata to a new node."""
    if current_meta.get("stack_trace"):
        node.stack_trace = current_meta["stack_trace"]
    for field in _COPIED:
        if field in current_meta:
            node.meta[field] = copy.copy(current_meta[field])


def set_stack_trace(stack):
    """Set the stack trace for new nodes, given as lines of a formatted traceback."""
    if not should_preserve_node_meta:
        return
    if stack:
        current_meta["stack_trace"] = "".join(stack)
    else:
        current_meta.pop("stack_trace", None)


def format_stack():
    """Return the stack trace for new nodes.

    If metadata is not preserved, it is the current stack.
    """
    if should_preserve_node_meta:
        return [current_meta.get("stack_trace", "")]
    return traceback.format_list(traceback.extract_stack()[:-1])


@contextmanager
def annotate(annotation_dict):
    """Add annotations to ``meta["custom"]`` of new nodes inside the block.

    It has an effect only where metadata is preserved; see `preserve_node_meta`.

    Parameters
    ----------
    annotation_dict : dict

    Examples
    --------
    >>> from minitorch.fx import traceback
    >>> with traceback.annotate({"part": "head"}):
    ...     traceback.get_current_meta()["custom"]
    {'part': 'head'}
    """
    meta, before = current_meta, current_meta.get("custom")
    meta["custom"] = {**(before or {}), **annotation_dict}
    try:
        yield
    finally:
        if before is None:
            del meta["custom"]
        else:
            meta["custom"] = before


def annotate_fn(annotation_dict):
    """Return a decorator that annotates the nodes of a function; see `annotate`."""

    def decorate(func):
        @wraps(func)
        def annotated(*args, **kwargs):
            with annotate(annotation_dict):
                return func(*args, **kwargs)

        return annotated

    return decorate
