"""Write the smallest autograd there is: numbers that remember how they were made.

A `Value` holds one number. Arithmetic on values makes new values, and each of them remembers the
values it was made from and the slopes of the operation there. `backward` follows this record from
the result down to the inputs, and adds up what the chain rule gives along every path.

    a, b = Value(2.0), Value(3.0)
    c = a * b + a
    c.backward()                # now a.grad == 4.0 and b.grad == 2.0

You write the arithmetic, the order of the backward pass, and the backward pass itself. Nothing here
needs a tensor: `float`, `math` and tuples will do. The library's own backward pass is switched off.

The result of every operation is `Value(number, inputs)`, where `inputs` is a tuple of pairs
`(value, slope)`: the values it was made from, in the order in which they are written. On the pages,
slopes are computed in the backward pass; here, the operation itself computes them.
"""

import math


def value_of(x):
    """Return a Value as it is, and a number as a Value."""
    return x if isinstance(x, Value) else Value(float(x))


class Value:
    """A number, the gradient of the result with respect to it, and how it was made.

    Attributes
    ----------
    data : float
    grad : float
        0.0 until `backward` adds to it.
    inputs : tuple of (Value, float)
        The values this one was made from, each with the slope of this value with respect to it.
    """

    def __init__(self, data, inputs=()):
        self.data = data
        self.grad = 0.0
        self.inputs = inputs

    def __add__(self, other):
        other = value_of(other)
        return Value(self.data + other.data, ((self, 1.0), (other, 1.0)))

    def __sub__(self, other):
        """Return self - other; `other` may be a number."""
        other = value_of(other)
        # <answer Value.__sub__>
        # hint: If `other` grows by a little, does the difference grow or shrink?
        # hint: `__add__` above is written out; the slope of one of the two inputs changes.
        # hint: The slopes are 1.0 for `self` and -1.0 for `other`.
        return Value(self.data - other.data, ((self, 1.0), (other, -1.0)))
        # <wrong sign_of_difference>
        #| return Value(self.data - other.data, ((self, 1.0), (other, 1.0)))
        # </answer>

    def __mul__(self, other):
        """Return self * other; `other` may be a number."""
        other = value_of(other)
        # <answer Value.__mul__>
        # hint: Keep one factor fixed: the product is a straight line in the other one.
        # hint: The slope of a product with respect to one factor is the other factor.
        # hint: The pairs are `(self, other.data)` and `(other, self.data)`.
        return Value(self.data * other.data, ((self, other.data), (other, self.data)))
        # <wrong slope_is_own_value>
        #| return Value(self.data * other.data, ((self, self.data), (other, other.data)))
        # </answer>

    def __truediv__(self, other):
        """Return self / other; `other` may be a number."""
        other = value_of(other)
        # <answer Value.__truediv__>
        # hint: The slope with respect to the denominator is negative: a larger denominator makes
        #   the quotient smaller.
        # hint: On paper, write a / b as a times b to the power of -1, and differentiate that. The
        #   inputs of the result are still `self` and `other`.
        # hint: The slopes are 1 / b with respect to a, and -a / b**2 with respect to b.
        slope = 1.0 / other.data
        return Value(self.data / other.data, ((self, slope), (other, -self.data * slope * slope)))
        # <wrong sign_of_quotient>
        #| slope = 1.0 / other.data
        #| return Value(self.data / other.data, ((self, slope), (other, self.data * slope * slope)))
        # </answer>

    def __pow__(self, exponent):
        """Return self ** exponent; the exponent is a number, 0 and negative ones too, not a Value."""
        # <answer Value.__pow__>
        # hint: The exponent is a plain number, so there is one input.
        # hint: The exponent comes down as a factor and is then one less.
        # hint: At exponent 0 the slope is 0.0, also if the base is 0, where 0.0 ** -1 would raise.
        slope = exponent * self.data ** (exponent - 1) if exponent else 0.0
        return Value(self.data**exponent, ((self, slope),))
        # <wrong exponent_kept>
        #| return Value(self.data**exponent, ((self, exponent * self.data**exponent),))
        # </answer>

    def exp(self):
        """Return e to the power of self."""
        # <answer Value.exp>
        # hint: The exponential function is its own derivative.
        # hint: So compute it once, and use the number twice.
        # hint: `result = math.exp(self.data)`, and the slope is `result`.
        result = math.exp(self.data)
        return Value(result, ((self, result),))
        # </answer>

    def tanh(self):
        """Return the hyperbolic tangent of self."""
        # <answer Value.tanh>
        # hint: The slope can be written with the result alone, so the input is not needed.
        # hint: It is 1 at zero and close to 0 where the curve is flat.
        # hint: The slope is 1 minus the square of the *result*.
        result = math.tanh(self.data)
        return Value(result, ((self, 1.0 - result * result),))
        # <wrong tanh_of_input>
        #| return Value(math.tanh(self.data), ((self, 1.0 - self.data * self.data),))
        # </answer>

    def relu(self):
        """Return self if it is positive, else 0.0; the slope at 0 is 0, as in PyTorch."""
        # <answer Value.relu>
        # hint: The curve has two straight pieces, each with a slope of its own.
        # hint: Which of the two pieces has 0 on it is a matter of convention. The docstring says
        #   which.
        # hint: The slope is 1.0 if `self.data > 0`, else 0.0.
        return Value(max(self.data, 0.0), ((self, 1.0 if self.data > 0 else 0.0),))
        # </answer>

    def __radd__(self, other):
        return value_of(other) + self

    def __rsub__(self, other):
        return value_of(other) - self

    def __rmul__(self, other):
        return value_of(other) * self

    def __rtruediv__(self, other):
        return value_of(other) / self

    def __neg__(self):
        return self * -1.0

    def order(self):
        """Return a list of this value and all values below it, from the inputs up to this one.

        Each value that can be reached is in the list once, after all values it was made from. So
        the list ends with this value. A result may be 20,000 operations deep.
        """
        # <answer Value.order>
        # hint: Draw a diamond: b and c are made from a, and d from b and c. If you walk down from d,
        #   when may a be put into the list?
        # hint: A value goes into the list when everything below it is already there. So it has to
        #   come off the stack twice: once to look at its inputs, and once after them. A result may
        #   be 20,000 operations deep, so do this with a stack of your own and without recursion.
        # hint: Put pairs `(value, False)` on the stack. If you take one off whose value you have not
        #   seen, it is seen now: put `(value, True)` back, and its inputs on top with False. If you
        #   take off one with True, everything below the value is in the list, so append the value.
        order, seen, stack = [], set(), [(self, False)]
        while stack:
            value, done = stack.pop()
            if done:
                order.append(value)
            elif value not in seen:
                seen.add(value)
                stack.append((value, True))
                stack += [(other, False) for other, _ in value.inputs]
        return order
        # <wrong recursion>
        #| order, seen = [], set()
        #| def visit(value):
        #|     if value not in seen:
        #|         seen.add(value)
        #|         for other, _ in value.inputs:
        #|             visit(other)
        #|         order.append(value)
        #| visit(self)
        #| return order
        # <wrong not_topological>
        #| order, seen = [self], {self}
        #| for value in order:
        #|     for other, _ in value.inputs:
        #|         if other not in seen:
        #|             seen.add(other)
        #|             order.append(other)
        #| return order[::-1]
        # <wrong visits_again>
        #| order, stack = [], [self]
        #| while stack:
        #|     value = stack.pop()
        #|     order.append(value)
        #|     stack += [other for other, _ in value.inputs]
        #| return order[::-1]
        # <wrong list_for_seen>
        #|- order, seen, stack = [], set(), [(self, False)]
        #|+ order, seen, stack = [], [], [(self, False)]
        #|-     elif value not in seen:
        #|-         seen.add(value)
        #|+     elif not any(value is other for other in seen):
        #|+         seen.append(value)
        # </answer>

    def backward(self):
        """Add to the `grad` of this value, and of every value below it, the slope of this one.

        A second call adds the same again, and so does a call on another value. What is already in
        a `grad` is not passed on.
        """
        # <answer Value.backward>
        # hint: A value may pass on what has arrived only when all of it has arrived. In which
        #   direction do you have to read `self.order()`?
        # hint: Keep what arrives in this pass apart from `grad`, which may hold something from an
        #   earlier pass: use a dictionary, with 0.0 for each value and 1.0 for this one.
        # hint: For each value from the last to the first: add what has arrived to its `grad`; then
        #   for each pair in `inputs`, add slope times what has arrived to what has arrived there.
        order = self.order()
        arrived = dict.fromkeys(order, 0.0)
        arrived[self] = 1.0
        for value in reversed(order):
            value.grad += arrived[value]
            for other, slope in value.inputs:
                arrived[other] += slope * arrived[value]
        # <wrong replaces_along_paths>
        #|-         arrived[other] += slope * arrived[value]
        #|+         arrived[other] = slope * arrived[value]
        # <wrong replaces_grad>
        #| order = self.order()
        #| for value in order:
        #|     value.grad = 0.0
        #| self.grad = 1.0
        #| for value in reversed(order):
        #|     for other, slope in value.inputs:
        #|         other.grad += slope * value.grad
        # <wrong passes_on_old_grad>
        #| self.grad += 1.0
        #| for value in reversed(self.order()):
        #|     for other, slope in value.inputs:
        #|         other.grad += slope * value.grad
        # <wrong follows_every_path>
        #| self.order()
        #| paths = [(self, 1.0)]
        #| while paths:
        #|     value, arrived = paths.pop()
        #|     value.grad += arrived
        #|     paths += [(other, slope * arrived) for other, slope in value.inputs]
        # </answer>


# <tests>
from contextlib import nullcontext

from exercises.plugs import forbid_backward
from exercises.scenario import scenario

ABOUT = {
    "number": 4,
    "title": "Scalar autograd",
    "part": "The graph",
    "goal": "Write arithmetic that records itself, and a backward pass through the record.",
    "reading": ["learn/zero/chain_rule", "learn/zero/graph", "learn/zero/accumulation"],
    "difficulty": 2,
    "importance": 5,
    "hours": 3,
}


def install(piece):
    return nullcontext()


def retire():
    """Take the library's backward pass away, which could be asked for the gradients."""
    forbid_backward()


def number(x):
    """Return a float as it is, so that nothing else passes for one."""
    if type(x) is not float:
        raise TypeError(f"expected a float, got {type(x).__name__}")
    return x


def values(piece, draw, count):
    """Draw values that are far enough from zero to divide by them."""
    return [
        piece.Value(draw.choice([-1.0, 1.0]) * draw.integer(33, 127) / 64) for _ in range(count)
    ]


def made(result):
    """Return what an operation has recorded: the number, and the slope at each input."""
    return [number(result.data), [number(float(slope)) for _, slope in result.inputs]]


@scenario(points=5, idea="A larger second term makes the difference smaller.")
def a_difference(torch, piece, draw):
    a, b = values(piece, draw, 2)
    k = draw.integer(2, 9)
    yield "a - b", made(a - b)
    yield "a - number", (a - k).data
    yield "number - a", (k - a).data
    (a - b).backward()
    yield "a.grad and b.grad", [a.grad * k, b.grad * k]


@scenario(points=6, idea="The slope of a product with respect to one factor is the other factor.")
def a_product(torch, piece, draw):
    a, b = values(piece, draw, 2)
    (a * b).backward()
    yield "a.grad", number(a.grad)
    yield "b.grad", number(b.grad)
    yield "slopes of a * number", made(a * draw.integer(2, 9))


@scenario(points=6, idea="A larger denominator makes the quotient smaller.")
def a_quotient(torch, piece, draw):
    a, b = values(piece, draw, 2)
    (a / b).backward()
    yield "a.grad", number(a.grad)
    yield "b.grad", number(b.grad)
    yield "number / a", made(draw.integer(2, 9) / a)


@scenario(points=6, idea="The exponent comes down as a factor and is then one less.")
def a_power(torch, piece, draw):
    (a,) = values(piece, draw, 1)
    for exponent in (draw.integer(3, 5), -draw.integer(1, 2), 1):
        yield f"a ** {exponent}", made(a**exponent)
    (a**3).backward()
    yield "a.grad", number(a.grad)
    negative = piece.Value(-a.data - 9)
    yield "a negative number ** 4", made(negative**4)
    yield "a negative number ** -3", made(negative**-3)


@scenario(points=3, idea="Anything to the power of 0 is 1, and its slope is 0.")
def a_power_of_zero(torch, piece, draw):
    zero, (a,) = piece.Value(0.0), values(piece, draw, 1)
    result = zero**0 * a + zero ** draw.integer(2, 4) + zero**1 * a
    result.backward()
    yield "result", number(result.data)
    yield "gradients", [zero.grad + a.data, number(a.grad)]
    yield "a ** 0", made(a**0)


@scenario(points=4, idea="The exponential function is its own derivative.")
def an_exponential(torch, piece, draw):
    (a,) = values(piece, draw, 1)
    yield "a.exp()", made(a.exp())


@scenario(points=7, idea="The slope of tanh is one minus the square of the result.")
def a_hyperbolic_tangent(torch, piece, draw):
    (a,) = values(piece, draw, 1)
    yield "a.tanh()", made(a.tanh())


@scenario(points=3, idea="relu has slope 1 above zero, and slope 0 below zero and at zero.")
def a_relu(torch, piece, draw):
    size = draw.integer(1, 64) / 64
    for x in (size, -size, 0.0):
        result = piece.Value(x).relu() * piece.Value(size)
        result.backward()
        yield f"result at {x}", number(result.data)
        yield f"slope at {x}", number(result.inputs[0][0].inputs[0][0].grad)


@scenario(points=7, idea="Gradients along several paths add up.", page="learn/zero/accumulation")
def a_value_that_is_used_twice(torch, piece, draw):
    a, b = values(piece, draw, 2)
    (a * a + a * b + a).backward()
    yield "a.grad", number(a.grad)
    yield "b.grad", number(b.grad)


@scenario(
    points=6,
    idea="In `order`, a value comes after all values that it is made from.",
    page="learn/zero/accumulation",
)
def a_long_path_and_a_short_one(torch, piece, draw):
    a, b = values(piece, draw, 2)
    middle = a * b
    end = middle
    for k in range(draw.integer(3, 6)):
        end = end.tanh() * b if k % 2 else end - b
    (middle * end).backward()  # the short way to `middle` is much shorter than the long one
    yield "middle.grad", number(middle.grad)
    yield "a.grad and b.grad", [number(a.grad), number(b.grad)]


@scenario(
    points=6,
    idea="Each value comes once, after all values it was made from.",
    page="learn/zero/accumulation",
)
def the_order(torch, piece, draw):
    a, b = values(piece, draw, 2)
    c = a * b
    d, e = c - a, c.exp()
    f = d / e
    letters = draw.shuffled("abcdef")
    names = {id(v): letter for letter, v in zip(letters, (a, b, c, d, e, f), strict=True)}
    order = [names[id(v)] for v in f.order()]
    yield "length of the list, times a.data", len(order) * a.data
    for first, later in ((0, 2), (1, 2), (2, 3), (0, 3), (2, 4), (3, 5), (4, 5)):
        pair = letters[first], letters[later]
        yield f"of {min(pair)} and {max(pair)}, the first in the list", min(pair, key=order.index)
    yield "the last one", order[-1]


@scenario(
    points=6,
    idea="A second pass starts with 1 again and passes on only its own gradients; `grad` keeps the "
    "sum of both passes.",
    page="learn/zero/accumulation",
)
def a_second_pass(torch, piece, draw):
    a, b = values(piece, draw, 2)
    c = a * b
    d = c * c - a
    d.backward()
    d.backward()
    yield "after two passes", [v.grad for v in (a, b, c, d)]
    c.backward()
    yield "after a pass from c", [v.grad for v in (a, b, c, d)]


@scenario(
    points=11,
    idea="A result may be thousands of operations deep: use a stack of your own, not recursion.",
    page="learn/zero/graph",
    seconds=2,
    cost=8,
)
def a_deep_chain(torch, piece, draw):
    a, b = values(piece, draw, 2)
    end = a
    for _ in range(4_000):
        end = end * draw.choice([-1.0, 1.0]) - b
    end.backward()
    yield "a.grad", number(a.grad)
    yield "b.grad", number(b.grad)


@scenario(
    points=11,
    idea="The number of paths grows exponentially; visit each value once.",
    page="learn/zero/accumulation",
    seconds=1,
)
def many_diamonds(torch, piece, draw):
    a, b = values(piece, draw, 2)
    end = a
    for k in range(60):
        end = end * draw.integer(1, 2) - (end * b if k % 7 == 0 else end / 2)
    end.backward()
    yield "a.grad", number(a.grad)
    yield "b.grad", number(b.grad)


# </tests>


# <hidden>
@scenario(points=6, idea="What is in `grad` from an earlier pass is not passed on.", hidden=True)
def two_results_with_a_common_part(torch, piece, draw):
    a, b = values(piece, draw, 2)
    common = (a * b).tanh()
    first, second = common * a, common - b
    first.backward()
    second.backward()
    yield "gradients", [number(v.grad) for v in (a, b, common, first, second)]


@scenario(
    points=7,
    idea="Gradients add up along all paths of the network, each with its own slopes.",
    page="learn/zero/graph",
    hidden=True,
)
def a_small_network(torch, piece, draw):
    inputs, weights = values(piece, draw, 3), values(piece, draw, 12)
    hidden = []
    for k in range(3):
        total = 0.0
        for x, w in zip(inputs, weights[3 * k :], strict=False):
            total = total + x * w
        hidden.append(total.tanh() if k else total.relu())
    out = sum(h * w for h, w in zip(hidden, weights[9:], strict=True)) / 3
    loss = (out - hidden[1]) ** 2 / weights[0] + (hidden[2] * 0.125).exp()
    zero = piece.Value(0.0)
    loss = loss + zero.relu() * weights[1] + zero**0 * weights[2]
    loss.backward()
    yield "loss", number(loss.data)
    yield "zero.grad, plus a weight", zero.grad + weights[0].data
    yield "gradients", [number(v.grad) for v in inputs + weights + hidden]


MISTAKES = {
    "sign_of_difference": "In a - b, the slope with respect to b is -1: the difference shrinks as b"
    " grows.",
    "slope_is_own_value": "In a product, the slope with respect to one factor is the other factor."
    " You have recorded each factor's own value.",
    "sign_of_quotient": "In a / b, the slope with respect to b is negative: -a / b**2.",
    "exponent_kept": "In the slope of x ** n, the exponent is one less: n * x ** (n - 1).",
    "tanh_of_input": "The slope of tanh is one minus the square of its result. You have squared its"
    " input.",
    "recursion": "Your `order` calls itself, and Python's stack is not deep enough for a long chain."
    " Use a list as a stack.",
    "not_topological": "Your `order` sorts values by their distance from the result. A value on a"
    " short path and a long one then passes on its gradient before all of it has arrived.",
    "visits_again": "Your `order` has a value in it once for each path that leads to it. Remember"
    " the values you have seen.",
    "list_for_seen": "Your `order` is right but slow: it searches a list for every value. A set"
    " finds a value at once.",
    "replaces_along_paths": "If a value is used twice, two gradients arrive, and you keep only the"
    " last. Add them: `+=`, not `=`.",
    "replaces_grad": "`backward` has to add to `grad`. After your second pass, what the first has found"
    " is lost.",
    "passes_on_old_grad": "Your second pass also passes on what the first has left in `grad`. Keep"
    " what arrives in this pass in a place of its own.",
    "follows_every_path": "You follow every path by itself, and their number grows exponentially."
    " Visit each value once, after all of its gradient has arrived.",
}

EQUIVALENT = {}
# </hidden>
