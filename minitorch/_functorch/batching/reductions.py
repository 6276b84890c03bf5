"""Reductions over all dimensions, except for the batch."""

from minitorch._functorch.batching._common import for_each_sample, in_front, rule, wrapped
from minitorch._functorch.batching.dimensions import check_range
from minitorch.autograd.operators import _operator


def _flat(self, level):
    return in_front(self, level).reshape(level.batch_size, self.numel())


@rule("sum", "mean", "prod")
def _sum(operator, arguments, level):
    self, dtype = arguments
    if operator.name == "prod":
        result = _operator("prod_dim_int")(_flat(self, level), 1, False, dtype)
    else:
        dims = tuple(range(1, self.dim() + 1)) or (1,)
        value = in_front(self, level)
        if self.dim() == 0:
            value = value.unsqueeze(1)
        result = _operator(f"{operator.name}_dim")(value, dims, False, dtype)
    return wrapped(result, level)


@rule("max_all", "min_all")
def _max(operator, arguments, level):
    (self,) = arguments
    along = _operator(operator.name.replace("all", "dim"))
    return wrapped(along(_flat(self, level), 1, False)[0], level)


@rule("median", "nanmedian")
def _median(operator, arguments, level):
    (self,) = arguments
    return wrapped(_operator(f"{operator.name}_dim")(_flat(self, level), 1, False)[0], level)


@rule("argmax", "argmin")
def _argmax(operator, arguments, level):
    self, dim, keepdim = arguments
    if dim is None:
        if keepdim:
            return for_each_sample(operator, arguments, level)
        return wrapped(operator(_flat(self, level), 1, False), level)
    check_range(dim, self.dim())
    value = in_front(self, level)
    if self.dim() == 0:
        return wrapped(operator(value.unsqueeze(1), 1, False), level)
    return wrapped(operator(value, dim % self.dim() + 1, keepdim), level)


@rule("aminmax")
def _aminmax(operator, arguments, level):
    self, dim, keepdim = arguments
    if dim is None and keepdim:
        return for_each_sample(operator, arguments, level)
    if dim is not None:
        check_range(dim, self.dim())
    if dim is None or self.dim() == 0:
        return wrapped(operator(_flat(self, level), 1, False), level)
    return wrapped(operator(in_front(self, level), dim % self.dim() + 1, keepdim), level)
