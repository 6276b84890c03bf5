"""Writing Cython source: lines with indentation, and the parameters of a function."""

from tools.schema import C_TYPES, Schema


class Writer:
    """Lines with indentation."""

    def __init__(self):
        self.lines: list[str] = []
        self.depth = 0

    def __call__(self, line: str = "") -> None:
        self.lines.append("    " * self.depth + line if line else "")

    def block(self, line: str):
        self(line)
        return self

    def __enter__(self):
        self.depth += 1

    def __exit__(self, *_):
        self.depth -= 1

    def text(self) -> str:
        return "\n".join(self.lines) + "\n"


def c_parameters(schema: Schema, recorded: bool, extra: tuple[str, ...] = ()) -> str:
    parts = [f"{C_TYPES[p.kind][recorded]} {p.name}" for p in schema.parameters]
    return ", ".join([*parts, *extra])


def c_return(schema: Schema, recorded: bool) -> str:
    if len(schema.returns) > 1:
        return "tuple"
    kind = schema.returns[0][0]
    return C_TYPES[kind][recorded] if kind in C_TYPES else "object"
