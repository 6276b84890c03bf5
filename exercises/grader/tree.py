"""Find the names in the nodes of a syntax tree: those that a node binds, sets or contains."""

import ast

from exercises.grader.allowed import BY_NAME


def walk(tree, lines):
    """Yield the nodes of a syntax tree in their order.

    Parameters
    ----------
    tree : ast.Module
        The submission in the teacher's file.
    lines : set of int
        The lines of the answers.

    Yields
    ------
    node, outer : ast.AST
        The node, and the node that contains it.
    line : int or None
        The line of a node of an answer, None for a node that is given.
    inside : bool
        Whether the node is in the body of a function or class.
    """
    stack = [(tree, None, None, 0, False)]
    while stack:
        node, outer, line, last, inside = stack.pop()
        last = getattr(node, "lineno", last)
        # what an expression of the student contains is the student's: the lines of nodes in an
        # f-string are not always right
        line = max(last, 1) if last in lines or (line and isinstance(outer, ast.expr)) else None
        yield node, outer, line, inside
        body = isinstance(node, DEFINITIONS)
        stack += [
            (child, node, line, last, inside or (body and isinstance(child, ast.stmt)))
            for child in reversed(list(ast.iter_child_nodes(node)))
        ]


DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def bound(node):
    """Return the names that one node of the syntax tree binds."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            return [name]
        case ast.alias(name=name, asname=None):
            return [name.partition(".")[0]]
        case ast.alias(asname=name) | ast.ExceptHandler(name=str(name)):
            return [name]
        case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            return [name]
        case ast.MatchMapping(rest=str(name)):
            return [name]
    return []


def attribute_set(node):
    """Return the name of the attribute that one node sets, or None."""
    match node:
        case ast.Attribute(attr=name, ctx=ast.Store() | ast.Del()):
            return name
        case ast.Call(func=ast.Name(id="setattr"), args=[_, ast.Constant(value=name), *_]):
            return name
    return None


IDENTIFIERS = ("arg", "asname", "attr", "id", "kwd_attrs", "name", "names", "rest")


def identifiers(node):
    """Return the names that are written in one node of the syntax tree."""
    values = [getattr(node, field, None) for field in IDENTIFIERS]
    return [v for value in values for v in (value if isinstance(value, list) else [value])]


def made_by(node):
    """Return the names of variables and attributes that one node makes."""
    if isinstance(node, ast.arg):
        return [node.arg]
    return attributes_made_by(node) + bound(node)


def variables_of(node):
    """Return the name of the variable that a node sets or that is a parameter, in a list."""
    return made_by(node) if isinstance(node, VARIABLES) else []


VARIABLES = (
    *(ast.Name, ast.arg, ast.ExceptHandler),
    *(ast.MatchAs, ast.MatchStar, ast.MatchMapping),
)


def defined_in(node):
    """Return the names in the body of a class, which are names of attributes, or none."""
    if not isinstance(node, ast.ClassDef):
        return []
    targets = [getattr(part, "targets", [getattr(part, "target", part)]) for part in node.body]
    return [name for parts in targets for part in parts for name in bound(part)]


def attributes_made_by(node):
    """Return the names of attributes that one node makes."""
    match node:
        case ast.Attribute(attr=name, ctx=ast.Store()):
            return [name]
        case (
            ast.Assign(targets=[ast.Name(id="__slots__")])
            | ast.AnnAssign(target=ast.Name(id="__slots__"))
            | ast.Call(func=ast.Name(id="setattr"))
        ):
            return [constant.value for constant in named_in(node)]
    return []


def named_in(node):
    """Return the constants in one node that are names of attributes."""
    match node:
        case ast.Assign(targets=[ast.Name(id="__match_args__")], value=value):
            return [c for c in getattr(value, "elts", [value]) if is_text(c)]
        case (
            ast.Assign(targets=[ast.Name(id="__slots__")], value=ast.AST() as value)
            | ast.AnnAssign(target=ast.Name(id="__slots__"), value=ast.AST() as value)
        ):
            return [c for c in ast.walk(value) if is_text(c)]
        case ast.Call(func=ast.Name(id=name), args=[_, constant, *_]) if name in BY_NAME:
            return [constant] if is_text(constant) else []
    return []


def is_text(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, str)
