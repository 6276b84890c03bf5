# cython: wraparound=True
"""Calling an operator when there is more to do than to record it and to run its kernel.

Note [Bind]
A recording wrapper is a straight line: make a node, run the kernel, give the result its history. It leaves that line
in one place, at its top, if an argument is unusual or operators are watched, and calls `bind`:

1. Inside transforms, a few operators call simpler ones that do everything (`compose`).
2. Dual tensors: the operator is called again for its value while their level is hidden, then for its tangent
   (operator_tangents.pyx).
3. Transforms and modes: a level that does not record the call handles all of it (`interpose`).
4. The call is recorded, by the function that the wrapper records with.
5. The last level computes the value (`compute`), or else the kernel does.

Each level calls operators again, on the values that its tensors have one level further out. So a call passes from the
innermost level to the outermost. In place and with ``out=`` the steps are the same.
"""

from minitorch.autograd.grad_mode cimport grad_enabled
from minitorch.autograd.inplace cimport check_inplace
from minitorch.autograd.interpose cimport compose, compute, interpose
from minitorch.autograd.levels cimport in_levels
from minitorch.autograd.operator_tangents cimport call_with_tangents, level_of_tangents
from minitorch.autograd.operators cimport BY_COPY, LIST, ONE, UNKNOWN, UNRECORDED, register
from minitorch.autograd.recording cimport (
    begin_out, begin_unknown_out, handles, make_views, record_result, record_results, record_write)
from minitorch.autograd.recording_errors cimport check_constant
from minitorch.autograd.special cimport any_of_kind, is_tensor
from minitorch.autograd.variable cimport (
    become_view, make_tensor, make_view, requires_grad, unrecorded_meta)
from minitorch.autograd.view_errors cimport DEFAULT
from minitorch.core.dtype cimport is_differentiable
from minitorch.core.special cimport Special
from minitorch.core.tensor_impl cimport bump_version


cdef class Primitive(Operator):
    cdef object function(self, tuple arguments):
        return bind(self, arguments)


cdef bint any_unusual(list tensors) except -1:
    for t in tensors:
        if unusual(<TensorBase>t):
            return True
    return False


# docs: transform, bind
cdef object bind(Operator operator, tuple arguments):
    cdef int level
    cdef bint special
    cdef Node node
    outcome = compose(operator, arguments) if in_levels() else None
    if outcome is not None:
        return outcome
    level = level_of_tangents(operator, arguments)
    if level >= 0:
        return call_with_tangents(operator, arguments, level)
    for k in operator.constants:
        check_constant(operator.name, operator.parameters[k][0], <TensorBase>arguments[k])
    special = interposers != 0 or any_of_kind(arguments, Special)
    if special:
        outcome = interpose(operator, arguments)
        if outcome is not None:
            return outcome
    if operator.writes:
        return _bind_in_place(operator, arguments, special)
    if operator.form:
        return _bind_out(operator, arguments, special)
    node = None
    if grad_enabled() and _any_requires_grad(operator.edges, arguments):
        node = operator.record(operator, arguments)
    if node is not None:
        node.special = special
    result = compute(operator, arguments) if special else None
    if result is None:
        result = operator.compute(arguments, None)
        if operator.results != ONE:
            result = handles(result)
        elif _is_first(result, arguments):
            return arguments[0]
        else:
            result = make_tensor(<TensorImpl>result)
    return _finish(operator, node, arguments, result)
# docs: end


cdef object _finish(Operator operator, Node node, tuple arguments, object result):
    """Give the result of an operator its base and its history."""
    if operator.results == ONE:
        if operator.view:
            make_view(<TensorBase>result, <TensorBase>arguments[0], DEFAULT if grad_enabled() else unrecorded_meta())
        if node is not None:
            record_result(operator, node, <TensorBase>result)
        return result
    if operator.view:
        make_views(<list>result, <TensorBase>arguments[0])
    if node is not None:
        record_results(operator, node, result, <TensorBase>arguments[operator.edges[0]])
    return result if operator.results == LIST else tuple(result)


cdef TensorBase _bind_in_place(Operator operator, tuple arguments, bint special):
    cdef TensorBase first = arguments[operator.receiver]
    cdef Node node = None
    cdef bint records = grad_enabled() and _any_requires_grad(operator.edges, arguments)
    if operator.casts:
        records = records and is_differentiable(first.impl.dtype)
    check_inplace(first, records)
    if records:
        node = operator.record(operator, arguments)
        node.special = special
    if not special or compute(operator, arguments) is None:
        value = operator.compute(arguments, first.impl)
        if operator.view:
            become_view(first, <TensorImpl>value)
        bump_version(first.impl)
    if node is not None:
        record_write(operator, node, first)
    return first


cdef TensorBase _bind_out(Operator operator, tuple arguments, bint special):
    cdef TensorBase out = arguments[-1]
    cdef Node node = None
    if operator.out_rule == UNKNOWN:
        node = begin_unknown_out(operator, out, tuple([arguments[k] for k in operator.edges]))
    else:
        begin_out(operator, out, _any_requires_grad(tuple(range(len(arguments) - 1)), arguments))
    if node is not None:
        node.special = special
    if not special or compute(operator, arguments) is None:
        operator.compute(arguments, out.impl)
        bump_version(out.impl)
    if node is not None:
        record_write(operator, node, out)
    return out


cdef bint _any_requires_grad(tuple places, tuple arguments) except -1:
    cdef Py_ssize_t k
    for k in places:
        argument = arguments[k]
        if is_tensor(argument):
            if requires_grad(<TensorBase>argument):
                return True
        elif type(argument) is list:
            for item in argument:
                if is_tensor(item) and requires_grad(<TensorBase>item):
                    return True
    return False


cdef bint _is_first(object impl, tuple arguments):
    return len(arguments) > 0 and is_tensor(arguments[0]) and impl is (<TensorBase>arguments[0]).impl


# ---- making operators

cdef Primitive make_primitive(str name, tuple parameters, object (*compute)(tuple, TensorImpl),
                              Node (*record)(Operator, tuple), dict rest):
    cdef Primitive self = _new(name, "", parameters, compute, record)
    _set(self, rest)
    return self


cdef Primitive make_in_place(str name, tuple parameters, object (*compute)(tuple, TensorImpl),
                             Node (*record)(Operator, tuple), dict rest):
    cdef Primitive self = _new(name, "_", parameters, compute, record)
    self.writes = True
    _set(self, rest)
    return self


cdef Primitive in_place(Primitive operator, dict rest):
    """Make the form in place of an operator, which is recorded in the same way."""
    cdef Primitive self = _copy(operator, "_")
    self.writes = True
    _set(self, rest)
    return self


cdef Primitive with_out(Primitive operator, object (*compute)(tuple, TensorImpl), dict rest):
    cdef Primitive self = _copy(operator, "_out")
    self.parameters = (*operator.parameters, ("out", "Tensor", None))
    self.view = False
    self.saved_results = ()
    if compute != NULL:
        self.compute = compute
    _set(self, rest)
    return self


cdef Primitive _new(str name, str form, tuple parameters, object (*compute)(tuple, TensorImpl),
                    Node (*record)(Operator, tuple)):
    cdef Primitive self = Primitive.__new__(Primitive)
    self.name = self.public_name = name
    self.form = form
    self.parameters = parameters
    self.compute = compute
    self.record = record
    self.edges = self.constants = self.saved_results = self.kept = self.twins = ()
    self.differentiable = (0,)
    return self


cdef Primitive _copy(Primitive operator, str form):
    cdef Primitive self = _new(operator.name, form, operator.parameters, operator.compute, operator.record)
    self.public_name = operator.public_name
    self.view = operator.view
    self.receiver = operator.receiver
    self.edges = operator.edges
    self.dual = operator.dual
    self.saved_results = operator.saved_results
    self.casts = operator.casts
    self.unknown = operator.unknown
    self.linear = operator.linear
    self.missing = operator.missing
    self.kept = operator.kept
    return self


cdef int _set(Primitive self, dict rest) except -1:
    """Set the fields that are not the default, and register the operator."""
    self.public_name = rest.get("public_name", self.public_name)
    self.view = rest.get("view", self.view)
    self.results = rest.get("results", self.results)
    self.receiver = rest.get("receiver", self.receiver)
    self.edges = rest.get("edges", self.edges)
    self.constants = rest.get("constants", self.constants)
    self.differentiable = rest.get("differentiable", self.differentiable)
    self.saved_results = rest.get("saved_results", self.saved_results)
    self.casts = rest.get("casts", self.casts)
    self.unknown = rest.get("unknown", self.unknown)
    self.lets_go = rest.get("lets_go", False)
    self.real_autograd = rest.get("real_autograd")
    self.out_rule = rest.get("out_rule", UNRECORDED)
    self.out_name = rest.get("out_name", self.public_name)
    self.dual = rest.get("dual", self.dual or self.edges or None)
    self.no_tangent = rest.get("no_tangent")
    self.linear = rest.get("linear", self.linear)
    self.missing = rest.get("missing", self.missing)
    self.kept = rest.get("kept", self.kept)
    self.in_place = rest.get("in_place", BY_COPY)
    self.plain = self.real_autograd is None and not self.saved_results
    return register(self)
