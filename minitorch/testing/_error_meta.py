"""The failure of one comparison, before it is known under which text it will be raised."""


class ErrorMeta(Exception):
    """Two values are not close, or cannot be compared.

    Parameters
    ----------
    type : type
        What is raised in the end.
    msg : str
    id : tuple
        The indices and keys that lead to the values.
    """

    def __init__(self, type, msg, *, id=()):
        super().__init__(msg)
        self.type = type
        self.msg = msg
        self.id = id

    def to_error(self, msg=None):
        """The exception that the user sees; `msg` is the user's text, or a function of ours."""
        if isinstance(msg, str):
            return self.type(msg)
        text = self.msg
        if self.id:
            text += f"\n\nThe failure occurred for item {item_path(self.id)}"
        return self.type(msg(text) if callable(msg) else text)


class UnsupportedInputs(Exception):
    """A pair is not responsible for two values; the next kind of pair is asked."""


def item_path(keys):
    """How to get to an item of a structure: ``['a'][0]``."""
    return "".join(f"[{key!r}]" for key in keys)
