"""The failure of one comparison, before its message is final."""


class ErrorMeta(Exception):
    """Two values are not close, or cannot be compared.

    Parameters
    ----------
    type : type
        The exception type to raise.
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
        """Return the exception to raise; `msg` may be a function of the default message."""
        if isinstance(msg, str):
            return self.type(msg)
        text = self.msg
        if self.id:
            text += f"\n\nThe failure occurred for item {item_path(self.id)}"
        return self.type(msg(text) if callable(msg) else text)


class UnsupportedInputs(Exception):
    """Raised by a kind of pair that does not support two values, so that the next kind is tried."""


def item_path(keys):
    """Return the path to an item of a structure as Python code: ``['a'][0]``."""
    return "".join(f"[{key!r}]" for key in keys)
