"""Loggers with short names for the parts of the library, and their configuration.

A registry maps each short name to loggers. A state holds the levels requested by ``TORCH_LOGS`` or
`set_logs`, and `_init_logs` configures the loggers accordingly. A registered logger has its own
handler and does not propagate, so the root logger of the program does not receive its records.
"""

import importlib.util
import itertools
import logging
import os
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path
from weakref import WeakSet

from minitorch._logging import _names

__all__ = [
    "LazyString",
    "LogRegistry",
    "LogState",
    "TorchLogsFormatter",
    "getArtifactLogger",
    "get_loggers",
    "log_registry",
    "log_state",
    "register_artifact",
    "register_log",
    "set_logs",
    "trace_log",
    "warning_once",
]

LOG_ENV_VAR = "TORCH_LOGS"
LOG_OUT_ENV_VAR = "TORCH_LOGS_OUT"
LOG_FORMAT_ENV_VAR = "TORCH_LOGS_FORMAT"
DEFAULT_LOGGING = {
    **dict.fromkeys(("dynamo", "aot", "inductor", "fsdp", "dynamic"), logging.INFO),
    **dict.fromkeys(("ddp_graphs", "graph_breaks", "side_effects", "guards", "recompiles"), True),
}

log = logging.getLogger("torch._logging._internal")
# machine-readable traces of compilations; unused, because nothing is compiled
trace_log = logging.getLogger("torch.__trace")


@dataclass
class LogRegistry:
    """Registered loggers and artifacts.

    Attributes
    ----------
    log_alias_to_log_qnames : dict
        Maps short names to names of loggers.
    artifact_names, visible_artifacts, off_by_default_artifact_names : set
        Names of artifacts; those listed in help messages; those enabled only by name.
    artifact_log_qnames, child_log_qnames : set
        Loggers of artifacts, and of modules that were configured by name.
    """

    log_alias_to_log_qnames: dict = field(default_factory=dict)
    artifact_log_qnames: set = field(default_factory=set)
    child_log_qnames: set = field(default_factory=set)
    artifact_names: set = field(default_factory=set)
    visible_artifacts: set = field(default_factory=set)
    artifact_descriptions: dict = field(default_factory=dict)
    off_by_default_artifact_names: set = field(default_factory=set)
    artifact_log_formatters: dict = field(default_factory=dict)

    def is_artifact(self, name):
        return name in self.artifact_names

    def is_log(self, alias):
        return alias in self.log_alias_to_log_qnames

    def register_log(self, alias, log_qnames):
        qnames = [log_qnames] if isinstance(log_qnames, str) else log_qnames
        self.log_alias_to_log_qnames[alias] = qnames

    def register_artifact_name(self, name, description, visible, off_by_default, log_format):
        self.artifact_names.add(name)
        self.artifact_descriptions[name] = description
        if visible:
            self.visible_artifacts.add(name)
        if off_by_default:
            self.off_by_default_artifact_names.add(name)
        if log_format is not None:
            self.artifact_log_formatters[name] = logging.Formatter(log_format)

    def register_artifact_log(self, artifact_log_qname):
        self.artifact_log_qnames.add(artifact_log_qname)

    def register_child_log(self, log_qname):
        self.child_log_qnames.add(log_qname)

    def get_log_qnames(self):
        return set(itertools.chain.from_iterable(self.log_alias_to_log_qnames.values()))

    def get_artifact_log_qnames(self):
        return set(self.artifact_log_qnames)

    def get_child_log_qnames(self):
        return set(self.child_log_qnames)

    def is_off_by_default(self, artifact_qname):
        return artifact_qname in self.off_by_default_artifact_names


@dataclass
class LogState:
    """Requested levels of loggers and enabled artifacts."""

    log_qname_to_level: dict = field(default_factory=dict)
    artifact_names: set = field(default_factory=set)

    def enable_artifact(self, artifact_name):
        self.artifact_names.add(artifact_name)

    def is_artifact_enabled(self, name):
        return name in self.artifact_names

    def enable_log(self, log_qnames, log_level):
        qnames = [log_qnames] if isinstance(log_qnames, str) else log_qnames
        self.log_qname_to_level.update(dict.fromkeys(qnames, log_level))

    def get_log_level_pairs(self):
        return self.log_qname_to_level.items()

    def clear(self):
        self.log_qname_to_level.clear()
        self.artifact_names.clear()


class LazyString:
    """A string that is computed only when a log record is formatted.

    Examples
    --------
    >>> from minitorch._logging import LazyString
    >>> str(LazyString("-".join, "abc"))
    'a-b-c'
    """

    def __init__(self, func, *args, **kwargs):
        self.func, self.args, self.kwargs = func, args, kwargs

    def __str__(self):
        return self.func(*self.args, **self.kwargs)


log_registry = LogRegistry()
log_state = LogState()
# handlers added by this module; other handlers are not touched
_handlers: WeakSet = WeakSet()


def register_log(setting_name, log_name):
    """Register a short name for a logger or a list of loggers."""
    log_registry.register_log(setting_name, log_name)


def register_artifact(
    setting_name, description, visible=False, off_by_default=False, log_format=None
):
    """Register an artifact, a kind of output that can be switched on or off."""
    log_registry.register_artifact_name(
        setting_name, description, visible, off_by_default, log_format
    )


def getArtifactLogger(module_qname, artifact_name):
    """Return the logger of an artifact in a module.

    Raises
    ------
    ValueError
        If there is no such artifact.
    """
    if artifact_name not in log_registry.artifact_names:
        raise ValueError(
            f"Artifact name: {artifact_name!r} not registered,"
            f"please call register_artifact({artifact_name!r}) in torch._logging.registrations."
        )
    name = f"{module_qname}.__{artifact_name}"
    logger = logging.getLogger(name)
    logger.artifact_name = artifact_name
    log_registry.register_artifact_log(name)
    _configure_artifact(logger)
    return logger


def get_loggers():
    """Return all registered loggers."""
    return [logging.getLogger(name) for name in log_registry.get_log_qnames()]


def warning_once(logger_obj, *args, **kwargs):
    """Log a warning once per logger and arguments."""
    key = (logger_obj, *args)
    if key not in _warned:
        _warned.add(key)
        logger_obj.warning(*args, **kwargs)


_warned: set = set()


def set_logs(*, all=None, modules=None, **logs):
    """Set the log levels of parts of the library, written to stderr.

    Replaces all earlier settings. If the environment variable ``TORCH_LOGS`` is set, it takes
    precedence and the call has no effect.

    Parameters
    ----------
    all : int, optional
        Level of all loggers.
    modules : dict, optional
        Levels by module name, such as ``{"torch.fx": logging.DEBUG}``.
    **logs
        Levels by short name, such as ``autograd=logging.INFO``; True or False for artifacts.

    Raises
    ------
    TypeError
        If there is no such log.
    ValueError
        If there is no such level or module.

    Examples
    --------
    >>> import logging
    >>> import minitorch as torch
    >>> torch._logging.set_logs(autograd=logging.INFO)
    >>> logging.getLogger("torch.autograd").level == logging.INFO
    True
    >>> torch._logging.set_logs()
    """
    unknown = (
        logs.keys() - log_registry.log_alias_to_log_qnames.keys() - log_registry.artifact_names
    )
    if unknown:
        raise TypeError(f"set_logs() got an unexpected keyword argument '{min(unknown)}'")
    if LOG_ENV_VAR in os.environ:
        log.warning(
            "Using TORCH_LOGS environment variable for log settings, ignoring call to set_logs"
        )
        return
    log_state.clear()
    for alias, value in itertools.chain([("torch", all)], logs.items(), (modules or {}).items()):
        if value is not None:
            _ask_for(log_state, alias, value)
    _init_logs()


def _ask_for(state, alias, value):
    """Record the requested level of a log or artifact in `state`."""
    if log_registry.is_artifact(alias):
        if not isinstance(value, bool):
            raise ValueError(f"Expected bool to enable artifact {alias}, received {value}")
        if value:
            state.enable_artifact(alias)
    elif log_registry.is_log(alias) or alias in log_registry.child_log_qnames:
        if value not in logging._levelToName:
            raise ValueError(
                f"Unrecognized log level for log {alias}: {value}, valid level values "
                f"are: {','.join(map(str, logging._levelToName))}"
            )
        state.enable_log(log_registry.log_alias_to_log_qnames.get(alias, alias), value)
    elif _is_module(alias):
        _register_module(alias)
        state.enable_log(alias, value)
    else:
        raise ValueError(f"Unrecognized log or artifact name passed to set_logs: {alias}")


def _ours(name):
    """Return this package's name for a module called ``torch.x``."""
    return name.replace("torch", __name__.partition(".")[0], 1) if _is_torch(name) else name


def _is_torch(name):
    return name.partition(".")[0] == "torch"


def _is_module(name):
    try:
        return importlib.util.find_spec(_ours(name)) is not None
    except ModuleNotFoundError:
        return False


def _register_module(name):
    registered = log_registry.get_log_qnames()
    parts = name.split(".")
    if any(".".join(parts[:i]) in registered for i in range(1, len(parts) + 1)):
        log_registry.register_child_log(name)
    else:
        log_registry.register_log(name, name)


def _loggers_of(name):
    """Return the logger ``torch.x`` and the logger of this package's module."""
    return [logging.getLogger(each) for each in dict.fromkeys((name, _ours(name)))]


def _set_level(name, level):
    for logger in _loggers_of(name):
        logger.setLevel(level)


def _configure_artifact(logger):
    """Configure the logger of an artifact according to the state."""
    if log_registry.is_off_by_default(logger.artifact_name):
        logger.propagate = False
    if log_state.is_artifact_enabled(logger.artifact_name):
        logger.setLevel(logging.DEBUG)
        logger.propagate = True


def _parse_log_settings(settings):
    """Parse settings such as ``"+autograd,-dynamo,guards"`` into a state."""
    if settings in ("help", "+help"):
        raise ValueError(help_message(verbose=settings == "+help"))
    state = LogState()
    if settings == "":
        return state
    if not re.fullmatch(r"((\+|-)?[\w\.]+,\s*)*(\+|-)?[\w\.]+?", settings):
        raise ValueError(_of_invalid_settings(settings))
    levels = {"+": logging.DEBUG, "-": logging.ERROR}
    for setting in re.sub(r"\s+", "", settings).split(","):
        name = setting.lstrip("+-")
        name = "torch" if name == "all" else name
        if not (log_registry.is_log(name) or log_registry.is_artifact(name) or _is_module(name)):
            raise ValueError(_of_invalid_settings(settings))
        switch = log_registry.is_artifact(name)
        _ask_for(state, name, True if switch else levels.get(setting[0], logging.INFO))
    return state


def help_message(verbose=False):
    """Return the text shown for ``TORCH_LOGS=help``."""
    registry = log_registry
    artifacts = registry.artifact_names if verbose else registry.visible_artifacts
    heading = (
        "All registered names"
        if verbose
        else "Visible registered names (use TORCH_LOGS='+help' for full list)"
    )
    lines = [
        "all",
        *sorted(registry.log_alias_to_log_qnames),
        *sorted(f"{name:<30}\t{registry.artifact_descriptions[name]}" for name in artifacts),
    ]
    listed = "\n  ".join(lines)
    return f"\nTORCH_LOGS Info\n{heading}:\n  {listed}\n"


def _of_invalid_settings(settings):
    names = ["all", *log_registry.log_alias_to_log_qnames, *log_registry.artifact_names]
    return f"""
Invalid log settings: {settings}, must be a comma separated list of fully
qualified module names, registered log names or registered artifact names.
For more info on various settings, try TORCH_LOGS="help"
Valid settings:
{", ".join(sorted(names))}
"""


class TorchLogsFormatter(logging.Formatter):
    """Formatter of lines such as ``V0131 12:30:59.123000 4711 torch/version.py:10] text``."""

    _LETTERS = {"DEBUG": "V", "INFO": "I", "WARNING": "W", "ERROR": "E", "CRITICAL": "C"}

    def format(self, record):
        artifact = getattr(logging.getLogger(record.name), "artifact_name", None)
        other = log_registry.artifact_log_formatters.get(artifact)
        if other is not None:
            return other.format(record)
        record.message = record.getMessage()
        record.asctime = self.formatTime(record, "%m%d %H:%M:%S")
        letter = self._LETTERS.get(record.levelname, record.levelname)
        mark = "" if artifact is None else f" [__{artifact}]"
        prefix = (
            f"{letter}{record.asctime}.{int(record.msecs * 1000):06d} {record.process} "
            f"{_relative(record.pathname)}:{record.lineno}]{mark}"
        )
        text = record.message
        if record.exc_info and not record.exc_text:
            record.exc_text = self.formatException(record.exc_info)
        for more in (record.exc_text, record.stack_info and self.formatStack(record.stack_info)):
            if more:
                text = text.removesuffix("\n") + "\n" + more
        return "\n".join(f"{prefix} {line}" for line in text.split("\n"))


def _relative(path):
    """Return a path relative to the first entry of ``sys.path`` that contains it."""
    resolved = Path(path).resolve()
    for folder in sys.path:
        if resolved.is_relative_to(folder):
            return str(resolved.relative_to(folder))
    return str(resolved)


def _formatter():
    shape = os.environ.get(LOG_FORMAT_ENV_VAR)
    if shape is None:
        return TorchLogsFormatter()
    return logging.Formatter(logging.BASIC_FORMAT if shape in ("short", "basic") else shape)


def _get_log_state():
    return log_state


def _set_log_state(state):
    global log_state
    log_state = state


def _reset_logs():
    """Remove the handlers and reset the levels."""
    for name in log_registry.get_log_qnames():
        for logger in _loggers_of(name):
            logger.setLevel(logging.WARNING)
            logger.propagate = False
            for handler in [h for h in logger.handlers if h in _handlers]:
                logger.removeHandler(handler)
    for name in log_registry.artifact_log_qnames | log_registry.child_log_qnames:
        for logger in _loggers_of(name):
            logger.setLevel(logging.NOTSET)
            logger.propagate = True


def _init_logs(log_file_name=None):
    """Configure all loggers according to the state."""
    _reset_logs()
    if LOG_ENV_VAR in os.environ:
        _set_log_state(_parse_log_settings(os.environ[LOG_ENV_VAR]))
    log_file_name = os.environ.get(LOG_OUT_ENV_VAR, log_file_name)
    names = log_registry.get_log_qnames()
    for name in names - {"torch"}:
        _set_level(name, logging.NOTSET)
    for name, level in log_state.get_log_level_pairs():
        _set_level(name, level)
    for logger in itertools.chain.from_iterable(map(_loggers_of, names)):
        _add_handler(logger, logging.StreamHandler())
        if log_file_name is not None:
            _add_handler(logger, logging.FileHandler(log_file_name))
    for name in log_registry.artifact_log_qnames:
        _configure_artifact(logging.getLogger(name))


def _add_handler(logger, handler):
    handler.setFormatter(_formatter())
    handler.setLevel(logging.DEBUG)
    _handlers.add(handler)
    logger.addHandler(handler)


for _name, _qnames in _names.LOGS.items():
    register_log(_name, _qnames)
for _name in _names.ARTIFACTS:
    register_artifact(_name, "", _name in _names.VISIBLE, _name in _names.OFF_BY_DEFAULT)
_init_logs()
