"""What new nodes take over from those they are made of: annotations, and where a program called them."""

import copy
import traceback
from contextlib import contextmanager
from functools import wraps

__all__ = ["annotate", "annotate_fn", "format_stack", "get_current_meta", "has_preserved_node_meta",
           "preserve_node_meta", "set_current_meta", "set_stack_trace"]  # fmt: skip

current_meta: dict = {}
should_preserve_node_meta = False

# what a new node has of the node that is being computed
_COPIED = ("nn_module_stack", "torch_fn", "source_fn_stack", "original_aten", "recompute",
           "ac_graph_id", "has_backward_hook", "from_node", "quantization_tag",
           "_numeric_debug_handle", "custom", "partitioner_tag")  # fmt: skip


@contextmanager
def preserve_node_meta(enable=True):
    """A block in which new nodes take over what is known of the node that is being computed."""
    global should_preserve_node_meta, current_meta
    before = should_preserve_node_meta, current_meta.copy()
    should_preserve_node_meta = enable
    try:
        yield
    finally:
        should_preserve_node_meta, current_meta = before


def has_preserved_node_meta():
    """Whether new nodes take it over."""
    return should_preserve_node_meta


def get_current_meta():
    """What new nodes take over."""
    return current_meta


@contextmanager
def set_current_meta(node, pass_name=""):
    """A block in which this node is being computed.

    Parameters
    ----------
    node : Node
    pass_name : str
        By whom.
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
    """Write into a new node what it takes over."""
    if current_meta.get("stack_trace"):
        node.stack_trace = current_meta["stack_trace"]
    for field in _COPIED:
        if field in current_meta:
            node.meta[field] = copy.copy(current_meta[field])


def set_stack_trace(stack):
    """Say where the program called what is being computed, as lines of a traceback."""
    if not should_preserve_node_meta:
        return
    if stack:
        current_meta["stack_trace"] = "".join(stack)
    else:
        current_meta.pop("stack_trace", None)


def format_stack():
    """Where the program called what is being computed; by default this place."""
    if should_preserve_node_meta:
        return [current_meta.get("stack_trace", "")]
    return traceback.format_list(traceback.extract_stack()[:-1])


@contextmanager
def annotate(annotation_dict):
    """A block whose nodes carry these words in ``meta["custom"]``, where nodes take anything over.

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
    """Decorate a function whose nodes carry these words."""

    def decorate(func):
        @wraps(func)
        def annotated(*args, **kwargs):
            with annotate(annotation_dict):
                return func(*args, **kwargs)

        return annotated

    return decorate
