"""Rename the private names of an answer in the tree that is run."""

import ast
import collections
import re

from exercises.grader.allowed import BUILTINS, FORBIDDEN, OWN, UNDERSCORED
from exercises.grader.tree import (
    IDENTIFIERS,
    VARIABLES,
    attributes_made_by,
    defined_in,
    identifiers,
    is_text,
    made_by,
    named_in,
    variables_of,
    walk,
)
from exercises.source import answer_numbers


def translated(text):
    """Return the syntax tree of a submission as it is run: Note [Private names of an answer]."""
    tree = ast.parse(text)
    translate(list(walk(tree, answer_numbers(text))))
    return tree


def translate(nodes):
    """Rename the private names of an answer, and give class patterns the names of attributes.

    Note [Private names of an answer]
    An answer may set ``self._cache``, and use an attribute of this name anywhere. In the tree that
    is run, it is called ``_cache_yours`` in all places of the answers. No object of the library has
    an attribute that ends like this, so such a name leads nowhere else. What the teacher's part of
    the file uses keeps its name, and so do variables of this name. An attribute that an answer sets
    is renamed, too, if it is called like something that is forbidden, such as ``self.types``. So are
    a variable such as ``input``, and what a class of the answer defines.
    """
    mine = [node for node, _, line, _ in nodes if line]
    made = {name for node in mine for name in made_by(node) if PRIVATE.fullmatch(name)}
    made |= FORBIDDEN & {name for node in mine for name in attributes_made_by(node)}
    made |= (FORBIDDEN | BUILTINS) & {name for node in mine for name in defined_in(node)}
    made -= UNDERSCORED
    variables = BUILTINS & {name for node in mine for name in variables_of(node)}
    keywords = {node.arg for node in mine if isinstance(node, ast.keyword)}
    if made or variables:
        given = given_names(nodes)
        renamed = {name: name + OWN for name in made - given}
        _rename(renamed, renamed | {name: name + OWN for name in variables - given}, mine)
        _keep_parameters((variables & keywords) - made - given, mine)
    if patterns := [node for node in mine if isinstance(node, ast.MatchClass)]:
        _give_names(patterns, _fields(nodes))


def given_names(nodes):
    """Return the names in the teacher's part of a file."""
    return {name for node, _, line, _ in nodes if not line for name in identifiers(node)}


def _rename(attributes, variables, nodes):
    """Replace names of attributes and of variables in nodes of a syntax tree."""
    for node in nodes:
        renamed = variables if isinstance(node, (*VARIABLES, ast.Nonlocal)) else attributes
        if isinstance(node, ast.alias):  # the library's name stays
            node.asname = renamed.get(node.asname or node.name, node.asname)
            continue
        for field in IDENTIFIERS:
            value = getattr(node, field, None)
            if isinstance(value, list):
                value[:] = [renamed.get(v, v) if isinstance(v, str) else v for v in value]
            elif value in renamed:
                setattr(node, field, renamed[value])
        for constant in named_in(node):
            constant.value = renamed.get(constant.value, constant.value)


def _keep_parameters(names, nodes):
    """Give parameters that are passed by their names these names again.

    The function begins with ``input_yours = input``. What is called by a keyword may be the library's.
    """
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for arg in node.args.args + node.args.kwonlyargs:
                name = arg.arg.removesuffix(OWN)
                if name in names:
                    renamed = ast.Name(arg.arg, ast.Store())
                    begin = ast.Assign([renamed], ast.Name(name, ast.Load()))
                    arg.arg, place = name, int(ast.get_docstring(node, clean=False) is not None)
                    node.body.insert(place, ast.copy_location(begin, arg))
                    ast.fix_missing_locations(begin)


def _give_names(patterns, fields):
    """Give class patterns by position the names of the attributes, if the fields are known."""
    for node in patterns:
        names = fields.get(getattr(node.cls, "id", None), ())
        if len(node.patterns) <= len(names):
            node.kwd_attrs[:0] = names[: len(node.patterns)]
            node.kwd_patterns[:0] = node.patterns
            node.patterns = []


PRIVATE = re.compile("__?[^_](.*[^_])?")


def _fields(nodes):
    """Return the fields that a class pattern may give by position, by the name of the class."""
    fields, count = {}, collections.Counter()
    for node, _, _, _ in nodes:
        count.update(made_by(node))
        match node:
            case ast.ClassDef(name=name, body=body) if _is_record(node):
                parts = [part.target for part in body if isinstance(part, ast.AnnAssign)]
                fields[name] = [part.id for part in parts if isinstance(part, ast.Name)]
            case ast.ClassDef(name=name, body=body):
                for part in body:
                    match part:
                        case ast.Assign(targets=[ast.Name(id="__match_args__")]):
                            fields[name] = [constant.value for constant in named_in(part)]
            case ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.Call(func=function, args=[_, names], keywords=[]),
            ) if _last_name(function) == "namedtuple":
                if is_text(names):
                    fields[name] = names.value.replace(",", " ").split()
                elif all(map(is_text, getattr(names, "elts", [None]))):
                    fields[name] = [constant.value for constant in names.elts]
    return {name: names for name, names in fields.items() if count[name] == 1}


def _is_record(node):
    """Return whether a class is a data class or a named tuple whose annotations are its fields."""
    words = {name for part in ast.walk(node) for name in identifiers(part)}
    kind = [_last_name(d) for d in node.decorator_list], [_last_name(b) for b in node.bases]
    return kind in ((["dataclass"], []), ([], ["NamedTuple"])) and not words & _UNUSUAL


def _last_name(node):
    """Return ``f`` for the expressions ``f``, ``a.f``, ``f()`` and ``a.f()``, None for others."""
    node = node.func if isinstance(node, ast.Call) else node
    return getattr(node, "id", None) or getattr(node, "attr", None)


_UNUSUAL = {"ClassVar", "InitVar", "KW_ONLY", "init", "kw_only", "match_args", "metaclass"}
