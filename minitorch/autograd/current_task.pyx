"""The backward pass that is running on a thread, and functions that give information about it."""

from cpython.object cimport PyObject

from minitorch.autograd.accumulate_grad cimport AccumulateGrad
from minitorch.autograd.exec_info cimport execution_order, nodes_to_execute
from minitorch.autograd.graph_task cimport GraphTask
from minitorch.autograd.node cimport Node

from minitorch.autograd.other_modes import is_multithreading_enabled

cdef extern from *:
    """
    static _Thread_local PyObject* minitorch_current_task = NULL;   /* borrowed */
    """
    PyObject* minitorch_current_task


cdef GraphTask current_task():
    return None if minitorch_current_task == NULL else <GraphTask>minitorch_current_task


cdef void set_current_task(GraphTask task) noexcept:
    global minitorch_current_task
    minitorch_current_task = NULL if task is None else <PyObject*>task


def _current_graph_task_id():
    """Return the number of the backward pass that is running on this thread; -1 outside of one."""
    cdef GraphTask task = current_task()
    return -1 if task is None else task.number


def _get_current_graph_task_keep_graph():
    """Return whether the current backward pass keeps the saved tensors of nodes; True outside of one."""
    cdef GraphTask task = current_task()
    return task is None or bool(task.keep_graph)


def _current_autograd_node():
    """Return the node that is running on this thread, or None."""
    cdef GraphTask task = current_task()
    return None if task is None else task.current


def _will_engine_execute_node(node):
    """Return whether the current backward pass runs `node`; as in PyTorch, False for the only root of a pass."""
    cdef GraphTask task = current_task()
    if not isinstance(node, Node):
        raise RuntimeError(
            f"_will_engine_execute_node expects an grad_fn, but got {type(node).__name__}")
    if task is None:
        raise RuntimeError("_get_should_execute_nodes should only be called during the backward pass")
    if task.executed is None:
        task.executed = nodes_to_execute(task)
    if node not in task.executed or len(task.roots) == 1 and node is task.roots[0]:
        return False
    if isinstance(node, AccumulateGrad) and task.captures and node in task.captures:
        raise RuntimeError(
            "A leaf node was passed to _will_engine_execute_node but we are currently running "
            "autograd.grad(). This is currently not supported.")
    return True


def _current_graph_task_execution_order():
    """Return all nodes that the current backward pass runs, in order.

    The list includes nodes that have not run yet. Multithreading must be switched off, because PyTorch
    defines an order only for a single thread.
    """
    cdef GraphTask task = current_task()
    if task is None:
        raise RuntimeError("_current_graph_task_execution_order should only be called during the backward pass")
    if is_multithreading_enabled():
        raise RuntimeError(
            "get_current_graph_task_execution_order expects the current backward to be executed with "
            "multithreading disabled, e.g. by running:\n\n"
            ">>> with torch.autograd.set_multithreading_enabled(False):\n...     torch.autograd.grad(...)\n")
    return execution_order(task)
