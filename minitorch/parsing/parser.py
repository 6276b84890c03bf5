"""PyTorch's argument parser, and its errors for arguments that do not fit.

Purpose
-------
Operators parse their arguments by a fast path of their own. If that fails, they call this module
with the operator's signatures, and it raises PyTorch's error with the same text. The module also
has a complete but slow parser, for operators without a fast path.

Interface
---------
:func:`argument_error` makes the exception. :func:`bind` parses; :func:`fitting` and
:func:`unpacked` do it in two steps. Signatures are written as in PyTorch, ``"mul(Tensor input,
Tensor other, *, Tensor out=None)"``. :mod:`minitorch.parsing.values` decides what fits a type.

Note [Which text]
-----------------
======================================  ==========================================================
signatures whose number of arguments    text
could be right (deprecated ones never)
======================================  ==========================================================
one, or only one signature is there     about the first parameter that does not fit
none or several, one signature shown    ``got (...), but expected (...)``
none or several, several shown          ``got (...), but expected one of:``, a line for each and,
                                        where the number of arguments seems right, the reason
======================================  ==========================================================

References
----------
PyTorch's counterparts are ``torch/csrc/utils/python_arg_parser.cpp`` and
``torch/csrc/utils/invalid_arguments.cpp``.
"""

import os
from dataclasses import replace
from functools import cache

from minitorch.core.class_names import type_name
from minitorch.parsing.hash_order import unordered_map_order
from minitorch.parsing.signature import parse_signature
from minitorch.parsing.values import matches, unpack

__all__ = ["argument_error", "bind", "fitting", "unpacked", "with_keywords"]

# names that NumPy's users know, accepted beside PyTorch's
_NUMPY_NAMES = {
    "dim": ("axis",),
    "keepdim": ("keepdims",),
    "input": ("x", "a", "x1"),
    "other": ("x2",),
}
_NAMES = {name: (name, *others) for name, others in _NUMPY_NAMES.items()}

# the operators that accept a number for each tensor
_NUMBERS_AS_TENSORS = frozenset(
    name + suffix
    for name in (
        *("add", "sub", "subtract", "mul", "multiply", "div", "divide", "true_divide"),
        *("floor_divide", "copy", "to"),
    )
    for suffix in ("", "_")
)

# --------------------------------------------------------------------------------------------------
# Parsing
# --------------------------------------------------------------------------------------------------


class _Mismatch(Exception):
    """The arguments do not fit one signature; the text is PyTorch's for an operator with only this one.

    It holds the function that writes the text and its arguments, since usually another signature
    fits and no text is needed.
    """

    def __str__(self):
        write, *about = self.args
        return write(*about)


def bind(signatures, args, kwargs=None, *, name=None):
    """Find the first signature that takes the arguments.

    Parameters
    ----------
    signatures : sequence of str
        The overloads in the order in which they are tried.
    args : tuple
        Positional arguments; without the tensor if this is a method.
    kwargs : dict, optional
        Keyword arguments.
    name : str, optional
        The name in messages. By default the name in the signatures.

    Returns
    -------
    index : int
        The index of the signature.
    values : list
        The unpacked value for each of its parameters; the default if no argument was given.

    Raises
    ------
    TypeError, ValueError, RuntimeError, OverflowError
        With PyTorch's text, if no signature fits or an argument cannot be unpacked.
    """
    args, kwargs = tuple(args), kwargs or {}
    for index, text in enumerate(signatures):
        signature = _named(text, name)
        try:
            given = _fit(signature, args, kwargs)
        except _Mismatch:
            continue
        return index, unpacked(signature, given)
    raise _error([_named(text, name) for text in signatures], args, kwargs)


def fitting(signatures, args, kwargs=None, *, name=None):
    """Yield the signatures that take the arguments, in order; see :func:`bind`.

    Yields
    ------
    index : int
        The index of the signature.
    signature : Signature
    given : list
        The object for each of its parameters, not unpacked; None if no argument was given.
    """
    args, kwargs = tuple(args), kwargs or {}
    overloads = [_named(text, name) for text in signatures]
    found = False
    for index, signature in enumerate(overloads):
        try:
            given = _fit(signature, args, kwargs)
        except _Mismatch:
            continue
        found = True
        yield index, signature, given
    if not found:
        raise _error(overloads, args, kwargs)


@cache
def _named(text, name):
    signature = parse_signature(text)
    return signature if name in (None, signature.name) else replace(signature, name=name)


def argument_error(name, signatures, args, kwargs=None):
    """Make the exception for arguments that no signature takes.

    Parameters
    ----------
    name : str
        The operator's name in the message.
    signatures, args, kwargs
        As for :func:`bind`.

    Returns
    -------
    Exception
        A `TypeError` as a rule; what unpacking raises if the arguments fit and cannot be unpacked.
    """
    args, kwargs = tuple(args), kwargs or {}
    try:
        bind(signatures, args, kwargs, name=name)
    except (TypeError, ValueError, RuntimeError, OverflowError) as error:
        return error.with_traceback(None)
    return TypeError(f"{name}(): invalid arguments")


def _fit(signature, args, kwargs):
    """Return the object for each parameter, ``None`` if no argument was given."""
    name, nargs = signature.name, len(args)
    if nargs > signature.max_positional and not signature.takes_varargs:
        raise _Mismatch(_too_many, signature, nargs)
    given, at, unused = [], 0, len(kwargs)
    for i, parameter in enumerate(signature.parameters):
        obj, by_keyword, missing = None, at >= nargs, True
        if not by_keyword:
            if parameter.keyword_only:
                raise _Mismatch(_too_many, signature, nargs)
            obj, missing = args[at], False
        elif not unused and i >= signature.required:
            given += [None] * (len(signature.parameters) - i)
            break
        else:
            for key in _NAMES.get(parameter.name) or (parameter.name,):
                if key in kwargs:
                    obj, missing = kwargs[key], False
                    break
        if missing:
            if parameter.default is None:
                raise _Mismatch(_missing, signature, i)
            given.append(None)
            continue
        fits, element = (
            type(obj) in parameter.plain_types or (obj is None and parameter.allow_none),
            -1,
        )
        if not fits:
            fits, element = matches(parameter, obj, i, name in _NUMBERS_AS_TENSORS)
        if signature.takes_varargs and not by_keyword and (nargs > 1 or not fits):
            if matches(parameter, args, i)[0]:
                given.append(args)
                at = nargs
                continue
            if nargs > 1:
                raise _Mismatch(_too_many, signature, nargs)
        if not fits:
            raise _Mismatch(_wrong_type, signature, parameter, obj, by_keyword, at, element)
        given.append(obj)
        if by_keyword:
            unused -= 1
        else:
            at += 1
    if unused:
        raise _Mismatch(_unused, signature, kwargs, nargs)
    return given


def unpacked(signature, given):
    """Return the values for the objects from :func:`fitting`; the default if none was given."""
    values = list(signature.default_values)
    # PyTorch unpacks from the last to the first, which decides whose error is seen
    for i in range(len(given) - 1, -1, -1):
        if given[i] is not None:
            values[i] = unpack(signature.parameters[i], given[i], signature.name)
    return values


# --------------------------------------------------------------------------------------------------
# One signature
# --------------------------------------------------------------------------------------------------


def _too_many(signature, nargs):
    least, most = signature.min_args, signature.max_positional
    text = f"{signature.name}() takes "
    if least != most:
        return text + f"from {least} to {most} positional arguments but {nargs} were given"
    text += f"{most} positional argument{'' if most == 1 else 's'} but {nargs} "
    return text + ("was given" if nargs == 1 else "were given")


def _missing(signature, start):
    names = [f'"{p.name}"' for p in signature.parameters[start:] if p.default is None]
    # the plural is the wrong way round in PyTorch
    plural = "s" if len(names) == 1 else ""
    return (
        f"{signature.name}() missing {len(names)} required positional argument{plural}: "
        f"{', '.join(names)}"
    )


def _wrong_type(signature, parameter, obj, by_keyword, at, element):
    text = f"{signature.name}(): argument '{parameter.name}' "
    if not by_keyword:
        text += f"(position {at + 1}) "
    text += f"must be {parameter.printed_type}, "
    if element >= 0 and not by_keyword:
        return text + f"but found element of type {type_name(obj[element])} at pos {element}"
    return text + f"not {type_name(obj)}"


def _unused(signature, kwargs, nargs):
    names = [parameter.name for parameter in signature.parameters]
    for key in kwargs:
        if not isinstance(key, str):
            return "keywords must be strings"
        if key not in names:
            return f"{signature.name}() got an unexpected keyword argument '{key}'"
        if names.index(key) < nargs:
            return f"{signature.name}() got multiple values for argument '{key}'"
    return "invalid keyword arguments"


# --------------------------------------------------------------------------------------------------
# Several signatures
# --------------------------------------------------------------------------------------------------


def _error(signatures, args, kwargs):
    count = len(args) + len(kwargs)
    candidates = signatures
    if len(signatures) > 1:
        candidates = [
            s for s in signatures if s.min_args <= count <= len(s.parameters) and not s.deprecated
        ]
    if len(candidates) == 1:
        try:
            _fit(candidates[0], args, kwargs)
        except _Mismatch as mismatch:
            return TypeError(str(mismatch))
    name = signatures[0].name
    options = [str(s) for s in signatures if not s.deprecated]
    return TypeError(
        f"{name}() received an invalid combination of arguments - "
        + _invalid_combination(options, args, kwargs)
    )


def _invalid_combination(options, args, kwargs):
    kwargs = {key: kwargs[key] for key in unordered_map_order(kwargs)}
    if len(options) == 1:
        names = _option_names(options[0])
        unmatched = _unmatched_keywords(names, kwargs)
        if unmatched:
            return "got unrecognized keyword arguments: " + ", ".join(unmatched)
        fits_in_number = len(names) == len(args) + len(kwargs)
        got = _marked(options[0], args, kwargs) if fits_in_number else _listed(args, kwargs)
        return f"got {got}, but expected {options[0]}"
    text = f"got {_listed(args, kwargs)}, but expected one of:\n"
    for option in options:
        text += f" * {option}\n"
        names = _option_names(option)
        if len(names) != len(args) + len(kwargs):
            continue
        unmatched = _unmatched_keywords(names, kwargs)
        if unmatched:
            text += "      didn't match because some of the keywords were incorrect: "
            text += f"{', '.join(unmatched)}\n"
        else:
            text += "      didn't match because some of the arguments have invalid types: "
            text += f"{_marked(option, args, kwargs)}\n"
    return text


def with_keywords(text, args, kwargs):
    """Return the text of an error of several signatures, for arguments with some keywords.

    Parameters
    ----------
    text : str
        The text that :func:`argument_error` makes for the same arguments without keywords.
    args : tuple
    kwargs : dict
    """
    options = [line[3:] for line in text.split("\n") if line.startswith(" * ")]
    if len(options) < 2:
        return text
    head, _, _ = text.partition(" - ")
    return f"{head} - {_invalid_combination(options, args, kwargs)}"


# Note [Reading an option back]
# PyTorch makes this text from the printed signatures. It splits them at every ", " and then at the
# last space of each part. So the "*" counts as an argument, and the name of an argument with a
# default is the default: "bool keepdim = False" is called False. Both change the text, so this code
# does the same.


def _option_parts(option):
    return [part.rpartition(" ")[::2] for part in option[1:-1].split(", ")]


def _option_names(option):
    return [name for _, name in _option_parts(option)]


def _unmatched_keywords(names, kwargs):
    last = names[max(0, len(names) - len(kwargs)) :]
    return [key for key in kwargs if key not in last]


def _listed(args, kwargs):
    text = ", ".join([type_name(arg) for arg in args])
    if kwargs:
        text += ", " if args else ""
        text += ", ".join(f"{key}={type_name(value)}" for key, value in kwargs.items())
        text += "" if args else ", "
    return f"({text})"


def _marked(option, args, kwargs):
    """Return the types of the arguments, and mark those that differ from the option's."""
    right, wrong = ("", ""), ("!", "!")
    if os.isatty(1) and os.isatty(2):
        right, wrong = ("\33[32;1m", "\33[0m"), ("\33[31;1m", "\33[0m")
    parts = []
    for i, (kind, name) in enumerate(_option_parts(option)):
        by_keyword = i >= len(args)
        obj = kwargs[name] if by_keyword else args[i]
        accepted = ("float", "int") if kind == "float" else (kind,)
        before, after = right if type_name(obj) in accepted else wrong
        parts.append(f"{before}{name + '=' if by_keyword else ''}{_described(obj)}{after}")
    return f"({', '.join(parts)}{'' if args else ', '})"


def _described(obj):
    if not isinstance(obj, (tuple, list)):
        return type_name(obj)
    elements = ", ".join(map(type_name, obj))
    if isinstance(obj, list):
        return f"{type_name(obj)} of [{elements}]"
    return f"{type_name(obj)} of ({elements}{',' if len(obj) == 1 else ''})"
