"""What the tests of the course share."""

import pytest

from exercises.student import course


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory):
    """Keep the bundles that are made in a folder of this run; each is made once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def value(cache):
    """Return the bundle of the assignment on scalar autograd."""
    return course.load("a04_value")
