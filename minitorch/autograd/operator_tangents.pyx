"""The tangents of operators.

An operator that is called with dual tensors runs again while their level is hidden, which gives its value. Its tangent
is a function of the arguments, their tangents and the result (functions/generated/tangents.pyx), the operator itself
if it is linear, or else comes from two backward passes.
"""

from minitorch.autograd.forward_grad cimport (
    bases_are_dual, by_two_backwards, hide_level, keep_tangents, node_of, seen_tangent, show_levels, tangent_of,
    tangent_or_zeros, tangents_of, top_level_of, with_tangent, write_tangent, write_tangent_like, zeros_if_recorded)
from minitorch.autograd.node cimport Node
from minitorch.autograd.operators cimport (
    AS_VIEW, BY_FORMULA, CONSTANT, LIST, Missing, NOTHING, ON_TANGENT, ONE, ZEROS, ZEROS_UNLESS_NUMBER,
    Operator, out_of_place)
from minitorch.autograd.python_dispatch cimport call_kernel, has_kernels
from minitorch.autograd.recording_errors cimport no_forward_mode
from minitorch.autograd.saved_variable cimport PackedTensor, packed_in
from minitorch.autograd.special cimport any_level
from minitorch.autograd.variable cimport TensorBase, make_tensor
from minitorch.core.tensor_impl cimport TensorImpl

from minitorch.autograd.operators import operators


cdef int set_tangent(str name, str form, object (*tangent)(tuple, list, object)) except -1:
    (<Operator?>operators[name, form]).tangent = tangent
    return 0


cdef int level_of_tangents(Operator operator, tuple arguments) except -2:
    if not any_level or operator.dual is None or not _any_dual(operator.dual, arguments):
        return -1
    return top_level_of(_tensors_at(operator.dual, arguments))


cdef bint _any_dual(tuple places, tuple arguments):
    """Return whether tensors among some arguments may be dual."""
    cdef Py_ssize_t k
    if bases_are_dual:
        return True
    for k in places:
        argument = arguments[k]
        if type(argument) is list:
            for item in argument:
                if item is not None and (<TensorBase>item)._tangent is not None:
                    return True
        elif argument is not None and (<TensorBase>argument)._tangent is not None:
            return True
    return False


cdef object call_with_tangents(Operator operator, tuple arguments, int level):
    if operator.no_tangent is not None:
        if operator.no_tangent[1] in ("inplace", "out"):
            _call_hidden(operator, arguments, level)      # PyTorch raises after the write
        raise no_forward_mode(<str>operator.no_tangent[0], <str>operator.no_tangent[1])
    if has_kernels():
        outcome = call_kernel(operator, arguments)
        if outcome is not None:
            return outcome
    if operator.writes:
        return _write(operator, arguments, level)
    return _call(operator, arguments, level)


cdef object _call(Operator operator, tuple arguments, int level):
    """Compute the value and the tangent at the innermost level."""
    cdef int before = hide_level(level)
    cdef Node node
    try:
        result = operator.function(arguments)
        if result is arguments[0]:
            return result
        tangents = _tangents_at_edges(operator, arguments, level)
        outcome = _tangents_of_results(operator, arguments, tangents, result)
        node = node_of((result,) if operator.results == ONE else result)
        if node is not None:
            keep_tangents(node, _tensors_at(operator.kept, arguments))
    finally:
        show_levels(before)
    sources = () if operator.view else tuple(tangents[0]) if type(tangents[0]) is list else tuple(tangents)
    for item, tangent in zip(_differentiable(operator, result), outcome):
        if item is not None:
            with_tangent(<TensorBase>item, <TensorBase>tangent, level, sources)
    if node is not None:
        for _, k in operator.saved_results:
            keep_tangents(node, (result if operator.results == ONE else result[k],))
    return result


cdef object _differentiable(Operator operator, object result):
    if operator.results == ONE:
        return (result,)
    return result if operator.results == LIST else [result[k] for k in operator.differentiable]


cdef object _tangents_of_results(Operator operator, tuple arguments, list tangents, object result):
    """Return the tangent of each differentiable result."""
    if operator.linear:
        outcome = operator.function(_with_tangents(operator, arguments, tangents))
    elif operator.tangent != NULL:
        outcome = operator.tangent(arguments, tangents, result)
    else:
        outputs = None if operator.results == LIST else operator.differentiable
        return by_two_backwards(operator, arguments, dict(zip(operator.edges, tangents)), outputs)
    return (outcome,) if operator.results == ONE else outcome


cdef tuple _with_tangents(Operator operator, tuple arguments, list tangents):
    """Return the arguments, with tangents in place of those that have one."""
    cdef list mixed = list(arguments)
    for k, tangent in zip(operator.edges, tangents):
        mixed[k] = tangent
    return tuple(mixed)


cdef list _tangents_at_edges(Operator operator, tuple arguments, int level):
    # no list comprehension: Cython 3.3's frees an item twice if memory runs out while the list grows
    cdef list tangents = [None] * len(operator.edges)
    cdef Py_ssize_t k
    for k in range(len(operator.edges)):
        tangents[k] = _tangent_at(operator, arguments, k, level)
    return tangents


cdef object _tangent_at(Operator operator, tuple arguments, Py_ssize_t edge, int level):
    """Return the tangent of the argument at one edge, or what takes its place."""
    cdef Missing missing = operator.missing[edge] if operator.missing is not None else NOTHING
    cdef TensorBase t, tangent
    argument = arguments[<Py_ssize_t>operator.edges[edge]]
    if type(argument) is list:
        return tangents_of(argument, level)
    t = argument
    if missing == ZEROS:
        return tangent_or_zeros(t, level)
    tangent = seen_tangent(t, level)
    if tangent is not None or t is None or missing == NOTHING:
        return tangent
    # a number that is a tensor in no overload of PyTorch has no tangent there either
    if missing == ZEROS_UNLESS_NUMBER and t.impl.is_wrapped_number:
        return None
    return zeros_if_recorded(t, _tensors_at(operator.edges, arguments))


cdef list _tensors_at(tuple places, tuple arguments):
    """Return the tensors among some arguments, those in lists too; None for a tensor that is not there."""
    cdef list found = []
    cdef Py_ssize_t k
    for k in places:
        argument = arguments[k]
        if type(argument) is list:
            found.extend(argument)
        else:
            found.append(argument)
    return found


# ---- in place

cdef TensorBase _write(Operator operator, tuple arguments, int level):
    """Write a value, and its tangent at the innermost level."""
    cdef TensorBase first = arguments[operator.receiver]
    cdef TensorBase result
    if operator.in_place == BY_FORMULA:
        return _write_by_formula(operator, arguments, level)
    if operator.in_place == ON_TANGENT:
        return _write_on_tangent(operator, arguments, level)
    if operator.in_place == AS_VIEW:
        result = out_of_place(operator).function(arguments)
        _call_hidden(operator, arguments, level)
        first._tangent = result._tangent
    elif operator.in_place == CONSTANT:
        _call_hidden(operator, arguments, level)
        write_tangent_like(first, make_tensor(first.impl), level)
    else:
        copies = _as_before(arguments, first)
        _call_hidden(operator, arguments, level)     # its errors and warnings come first
        result = out_of_place(operator).function(copies)
        write_tangent_like(first, result, level)
        if operator.kept is not None:
            keep_tangents_like(first, result)
    return first


cdef tuple _as_before(tuple arguments, TensorBase written):
    """Return the arguments with copies of `written` and of tensors that share its memory."""
    cdef Operator clone = <Operator>operators["clone", ""]
    cdef TensorBase old = clone.function((written, 1))
    cdef list kept = []
    for argument in arguments:
        if argument is written:
            argument = old
        elif isinstance(argument, TensorBase) and (<TensorBase>argument).impl.storage == written.impl.storage:
            argument = clone.function((argument, 1))
        kept.append(argument)
    return tuple(kept)


cdef int _call_hidden(Operator operator, tuple arguments, int level) except -1:
    """Call an operator on the values, which may themselves be dual at levels further out."""
    cdef int before = hide_level(level)
    try:
        operator.function(arguments)
    finally:
        show_levels(before)
    return 0


cdef TensorBase _write_by_formula(Operator operator, tuple arguments, int level):
    cdef TensorBase first = arguments[operator.receiver]
    cdef list tangents = _tangents_at_edges(operator, arguments, level)
    cdef int before = hide_level(level)
    try:
        tangent = operator.tangent(arguments, tangents, None)
        operator.function(arguments)
    finally:
        show_levels(before)
    write_tangent(first, <TensorBase>tangent, level)
    return first


cdef TensorBase _write_on_tangent(Operator operator, tuple arguments, int level):
    """Apply the operator to the value, then to the tangent."""
    cdef TensorBase first = arguments[operator.receiver]
    cdef TensorBase own = tangent_of(first, level)
    cdef int before
    _call_hidden(operator, arguments, level)
    before = hide_level(level)
    try:
        tangents = [tangent_or_zeros(<TensorBase>arguments[k], level) for k in operator.edges]
        function = operator if own is not None else out_of_place(operator)
        tangent = _tangents_of_results(<Operator>function, arguments, tangents, None)[0]
    finally:
        show_levels(before)
    if own is None:
        write_tangent(first, <TensorBase>tangent, level)
    if first._grad_fn is not None:
        keep_tangents(first._grad_fn, _tensors_at(operator.kept, arguments))
    return first


cdef TensorImpl _original_of(Node node, int slot):
    """Return the impl that is saved in a slot, or was before a hook packed it."""
    cdef unsigned int version
    cdef TensorImpl saved = node.get_saved(slot, &version)
    cdef PackedTensor packed = packed_in(node, saved, version)
    return saved if packed is None else packed.original


cdef int keep_tangents_like(TensorBase written, TensorBase result) except -1:
    """Copy tangents of saved tensors, slot by slot, from the node of `result` to the node of `written`.

    `written` is the result of an operator in place, `result` that of its out-of-place form.
    """
    cdef Node like = result._grad_fn
    cdef Node node = (written if written._view is None else written._view.base)._grad_fn
    cdef int slot
    if like is None or like.tangents is None or node is None:
        return 0
    node = getattr(node, "_function", None) or node      # a base that was written to through a view
    if not isinstance(node, type(like)):
        return 0
    for slot in range(3):
        saved, its = _original_of(like, slot), _original_of(node, slot)
        if saved is None or its is None:
            continue
        for impl, tangent in like.tangents:
            if impl is saved:
                if node.tangents is None:
                    node.tangents = []
                node.tangents.append((its, tangent))
    return 0
