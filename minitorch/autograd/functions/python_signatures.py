"""PyTorch's argument parser in front of functions that are written in Python here.

What no row of derivatives/ computes has no argument parser of its own. :func:`parsed_as` puts one in
front of it, so that a wrong call raises before anything is computed or written. The signatures are the
`parsed_as` of the operators' records, in the order in which PyTorch's errors list them. Where PyTorch has
a function in Python in front of one in C, as for `meshgrid`, they are those of the latter.
"""

from functools import partial

from minitorch.autograd.functions.composed import parsed
from minitorch.autograd.functions.signature_table import SIGNATURES


def parsed_as(name):
    """Decorate a function so that PyTorch's parser for this name checks its arguments.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.channel_shuffle(torch.zeros(1, 4, 1, 1), 2.0)
    Traceback (most recent call last):
    TypeError: channel_shuffle(): argument 'groups' (position 2) must be int, not float
    """
    return partial(_parsed_as, name)


def _parsed_as(name, function):
    function.__name__ = name
    return parsed(function, SIGNATURES[name], takes_integer=True)


def parsed_method(*texts):
    """Decorate a method so that PyTorch's parser checks its arguments against these signatures."""
    return partial(_parsed_method, texts)


def _parsed_method(texts, function):
    return parsed(function, texts, method=True)
