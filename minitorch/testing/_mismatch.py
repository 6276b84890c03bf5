"""The failure of one comparison, before it is known under which text it will be raised."""


class Mismatch(Exception):
    """Two values are not close, or cannot be compared.

    Parameters
    ----------
    text : str
    where : tuple
        The indices and keys that lead to the values.
    error : type
        What is raised in the end.
    """

    def __init__(self, text, where=(), error=AssertionError):
        super().__init__(text)
        self.text = text
        self.where = where
        self.error = error

    def final(self, msg):
        """The exception that the user sees; `msg` is the user's text, or a function of ours."""
        if isinstance(msg, str):
            return self.error(msg)
        text = self.text
        if self.where:
            path = "".join(f"[{key!r}]" for key in self.where)
            text += f"\n\nThe failure occurred for item {path}"
        return self.error(msg(text) if callable(msg) else text)
