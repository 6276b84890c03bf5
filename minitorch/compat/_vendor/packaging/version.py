"""Versions that compare by PEP 440."""

from minitorch.torch_version import TorchVersion, release_of

__all__ = ["InvalidVersion", "Version", "parse"]


class InvalidVersion(ValueError):
    """The text is no version."""


class Version(TorchVersion):
    """A version; a text that is none raises `InvalidVersion`.

    Examples
    --------
    >>> from minitorch._vendor.packaging.version import Version
    >>> Version("2.13.0rc1") < Version("2.13"), Version("2.13.0").release
    (True, (2, 13, 0))
    """

    def __new__(cls, version):
        if release_of(version) is None:
            raise InvalidVersion(f"Invalid version: {version!r}")
        return super().__new__(cls, version)

    @property
    def release(self):
        """Its numbers, as many as are written."""
        return release_of(self)

    @property
    def major(self):
        """The first number."""
        return self._number(0)

    @property
    def minor(self):
        """The second number, or 0."""
        return self._number(1)

    @property
    def micro(self):
        """The third number, or 0."""
        return self._number(2)

    def _number(self, place):
        return self.release[place] if place < len(self.release) else 0

    def __repr__(self):
        return f"<Version({str(self)!r})>"


def parse(version):
    """The `Version` that a text names."""
    return Version(version)
