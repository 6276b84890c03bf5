"""Configuration of the library's logs and their levels.

The compiler's logs can be enabled but stay empty, because nothing is compiled.
"""

from minitorch._logging import _internal
from minitorch._logging._internal import (
    DEFAULT_LOGGING,
    LazyString,
    _init_logs,
    get_loggers,
    getArtifactLogger,
    register_artifact,
    register_log,
    set_logs,
    warning_once,
)

__all__ = [
    "DEFAULT_LOGGING",
    "LazyString",
    "_init_logs",
    "_internal",
    "getArtifactLogger",
    "get_loggers",
    "register_artifact",
    "register_log",
    "set_logs",
    "warning_once",
]
