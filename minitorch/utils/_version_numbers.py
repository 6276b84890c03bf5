"""`TorchVersion`: a string that compares as a version."""

import re

__all__ = ["TorchVersion"]

_PATTERN = re.compile(
    r"v?(?P<release>\d+(?:\.\d+)*)"
    r"(?:[-_.]?(?P<stage>alpha|beta|preview|pre|rc|a|b|c)[-_.]?(?P<number>\d*))?"
    r"(?:(?:-|[-_.]?(?:post|rev|r)[-_.]?)(?P<post>\d+))?"
    r"(?P<dev>[-_.]?dev[-_.]?(?P<development>\d*))?"
    r"(?:\+(?P<local>[a-z0-9]+(?:[-_.][a-z0-9]+)*))?",
    re.IGNORECASE,
)
_STAGES = {"alpha": "a", "beta": "b", "c": "rc", "pre": "rc", "preview": "rc"}
_FINAL = ("z", 0)


def release_of(version):
    """Return the release numbers of a version as a tuple, or None if the text is not a version."""
    match = _PATTERN.fullmatch(str(version).strip())
    return None if match is None else tuple(int(part) for part in match["release"].split("."))


def _key(version):
    """Return the key that orders versions by PEP 440, or None if `version` is not one."""
    if isinstance(version, (tuple, list)):
        version = ".".join(map(str, version))
    match = _PATTERN.fullmatch(str(version).strip())
    if match is None:
        return None
    release = [int(part) for part in match["release"].split(".")]
    while release and release[-1] == 0:
        release.pop()
    stage = _FINAL
    if match["stage"]:
        name = match["stage"].lower()
        stage = (_STAGES.get(name, name), int(match["number"] or 0))
    elif match["dev"] and not match["post"]:
        stage = ("", 0)
    local = ()
    if match["local"]:
        parts = re.split(r"[-_.]", match["local"].lower())
        local = tuple((1, int(part), "") if part.isdigit() else (0, 0, part) for part in parts)
    development = int(match["development"] or 0) if match["dev"] else float("inf")
    return release, stage, int(match["post"] or -1), development, local


class TorchVersion(str):
    """A version string that compares by version number.

    The other operand may be a string, a tuple of numbers, or an object whose string is a version.
    If one operand is not a version, both are compared as strings.

    Examples
    --------
    >>> from minitorch.torch_version import TorchVersion
    >>> TorchVersion("2.13.0") > "2.9", TorchVersion("2.13.0") > (2, 9)
    (True, True)
    """

    def _both(self, other):
        mine, others = _key(self), _key(other)
        if mine is None or others is None:
            return str(self), str(other)
        return mine, others

    def __lt__(self, other):
        mine, others = self._both(other)
        return mine < others

    def __le__(self, other):
        mine, others = self._both(other)
        return mine <= others

    def __gt__(self, other):
        mine, others = self._both(other)
        return mine > others

    def __ge__(self, other):
        mine, others = self._both(other)
        return mine >= others

    def __eq__(self, other):
        mine, others = self._both(other)
        return mine == others

    def __hash__(self):
        return hash(str(self))


TorchVersion.__module__ = "minitorch.torch_version"


# the version of PyTorch that this package reproduces, and its own
VERSION = TorchVersion("2.13.0+minitorch.0.1.0")
