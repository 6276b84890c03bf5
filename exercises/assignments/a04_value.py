"""Write the smallest autograd there is: numbers that remember how they were made.

A `Value` holds one number. Arithmetic on values makes new values, and each of them remembers its
inputs and the slopes of the operation at these inputs. `backward` follows this record from the
result to the inputs and adds up what the chain rule gives along every path.
"""


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
        # <answer Value.__add__>
        # hint: The slope of a sum is 1 with respect to each of its terms.
        return Value(self.data + other.data, ((self, 1.0), (other, 1.0)))
        # </answer>

    def __mul__(self, other):
        # <answer Value.__mul__>
        # hint: The slope of a product with respect to one factor is the other factor.
        return Value(self.data * other.data, ((self, other.data), (other, self.data)))
        # <wrong slope_is_own_value>
        #| return Value(self.data * other.data, ((self, self.data), (other, other.data)))
        # </answer>

    def backward(self):
        """Add to the `grad` of every value below this one the slope of this one."""
        # <answer Value.backward>
        # hint: A value may pass on its gradient only when all of it has arrived.
        # hint: Sort the values so that each comes after every value it was made from, without
        #   recursion; then walk the list backwards.
        order, seen, stack = [], set(), [(self, False)]
        while stack:
            value, done = stack.pop()
            if done:
                order.append(value)
            elif value not in seen:
                seen.add(value)
                stack.append((value, True))
                stack += [(other, False) for other, _ in value.inputs]
        arrived = dict.fromkeys(order, 0.0)
        arrived[self] = 1.0
        for value in reversed(order):
            value.grad += arrived[value]
            for other, slope in value.inputs:
                arrived[other] += slope * arrived[value]
        # </answer>


# <tests>
from contextlib import nullcontext

from exercises.scenario import scenario

ABOUT = {
    "number": 4,
    "title": "Scalar autograd",
    "part": "The graph",
    "goal": "Write forward arithmetic that records itself, and a backward pass through the record.",
    "reading": ["learn/zero/chain_rule", "learn/zero/graph"],
    "difficulty": 2,
    "importance": 5,
    "hours": 3,
}


def install(piece):
    return nullcontext()


def retire():
    """Nothing in the library does what is asked here."""


@scenario(points=50, idea="A product's slope with respect to one factor is the other factor.")
def a_product(torch, piece, draw):
    a, b = piece.Value(draw.floats()), piece.Value(draw.floats())
    (a * b).backward()
    yield "a.grad", a.grad
    yield "b.grad", b.grad


# </tests>


# <hidden>
@scenario(points=50, idea="Gradients along several paths add up.", hidden=True)
def a_square(torch, piece, draw):
    a = piece.Value(draw.floats())
    (a * a + a).backward()
    yield "a.grad", a.grad


MISTAKES = {
    "slope_is_own_value": "The slope of a product with respect to one factor is the other factor.",
}
# </hidden>
