"""What the tests see of dropout: `TensorImpl`s in and out. Not part of the
package's interface."""

from minitorch.core.generator cimport default_generator
from minitorch.ops.nn cimport dropout


def call(str name, *args, **kwargs):
    """The operator of that name."""
    return _OPERATORS[name](*args, **kwargs)


_OPERATORS = {
    "native_dropout": lambda input, p, train: dropout.native_dropout(input, p, train),
    "native_dropout_backward": lambda grad_output, mask, scale:
        dropout.native_dropout_backward(grad_output, mask, scale),
    "dropout_noise": lambda input, p, feature=False: dropout.dropout_noise(input, p, feature),
}


def seed(unsigned long long value):
    """Seed the default generator."""
    default_generator().seed_with(value)
