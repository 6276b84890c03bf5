"""Versions compared by the rules of PEP 440."""

from minitorch.utils._version_numbers import TorchVersion, release_of

__all__ = ["InvalidVersion", "Version", "parse"]


class InvalidVersion(ValueError):
    """The text is not a valid version."""


class Version(TorchVersion):
    """A version; invalid text raises `InvalidVersion`.

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
        """The components of the release number, as many as are written."""
        return release_of(self)

    @property
    def major(self):
        """The first component."""
        return self._number(0)

    @property
    def minor(self):
        """The second component, or 0."""
        return self._number(1)

    @property
    def micro(self):
        """The third component, or 0."""
        return self._number(2)

    def _number(self, place):
        return self.release[place] if place < len(self.release) else 0

    def __repr__(self):
        return f"<Version({str(self)!r})>"


def parse(version):
    """Parse a text as a `Version`."""
    return Version(version)
