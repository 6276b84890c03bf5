"""Key-value stores shared by processes: `HashStore`, `TCPStore` and `PrefixStore`.

A `_Table` holds the values. A `HashStore` has its own table. The `TCPStore` of the master process
serves its table over the network with one thread per client; all processes, including the master,
connect to it as clients.
"""

import json
import socket
import threading
import time
from datetime import timedelta

__all__ = [
    "DistError",
    "DistNetworkError",
    "DistStoreError",
    "FileStore",
    "HashStore",
    "PrefixStore",
    "Store",
    "TCPStore",
]

_DEFAULT_TIMEOUT = timedelta(seconds=300)


class DistError(RuntimeError):
    """Base class of errors in communication between processes.

    Examples
    --------
    >>> from minitorch.distributed import DistError, DistNetworkError
    >>> issubclass(DistNetworkError, DistError)
    True
    """


class DistNetworkError(DistError):
    """A network error.

    Examples
    --------
    >>> from datetime import timedelta
    >>> import minitorch.distributed as dist
    >>> first = dist.TCPStore("127.0.0.1", 0, is_master=True)
    >>> try:
    ...     dist.TCPStore("127.0.0.1", first.port, is_master=True)
    ... except dist.DistNetworkError as error:
    ...     print("address already in use" in str(error))
    True
    """


class DistStoreError(DistError):
    """A store operation timed out.

    Examples
    --------
    >>> from datetime import timedelta
    >>> import minitorch.distributed as dist
    >>> dist.HashStore().wait(["a"], timedelta(milliseconds=1))
    Traceback (most recent call last):
    minitorch.distributed._stores.DistStoreError: Wait timeout
    """


class _Table:
    """Thread-safe table of values by key, with waiting."""

    def __init__(self):
        self.values = {}
        self.changed = threading.Condition()

    def set(self, key, value):
        with self.changed:
            self.values[key] = value
            self.changed.notify_all()

    def append(self, key, value):
        with self.changed:
            self.set(key, self.values.get(key, b"") + value)

    def add(self, key, amount):
        with self.changed:
            total = int(self.values.get(key, b"0")) + amount
            self.set(key, str(total).encode())
        return total

    def compare_set(self, key, expected, desired):
        with self.changed:
            there = self.values.get(key)
            if there == expected or (there is None and expected == b""):
                self.set(key, desired)
                return desired
            return expected if there is None else there

    def delete_key(self, key):
        with self.changed:
            return self.values.pop(key, None) is not None

    def check(self, keys):
        with self.changed:
            return all(key in self.values for key in keys)

    def num_keys(self):
        return len(self.values)

    def list_keys(self):
        with self.changed:
            return sorted(self.values)

    def wait(self, keys, seconds):
        """Wait for all keys and return whether they were set before the timeout."""
        with self.changed:
            return self.changed.wait_for(lambda: self.check(keys), seconds)

    def get(self, key, seconds):
        """Wait for a key and return its value, or None after the timeout."""
        with self.changed:
            return self.values[key] if self.wait([key], seconds) else None


def _as_bytes(value):
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, (bytes, bytearray)):
        return bytes(value)
    raise TypeError(
        "set(): incompatible function arguments. The following argument types are supported:\n"
        "    1. (self: torch._C._distributed_c10d.Store, arg0: str, arg1: str) -> None\n\n"
        f"Invoked with: {value!r}"
    )


class Store:
    """Base class of stores; subclasses implement ``_ask(operation, *arguments)``.

    Raises
    ------
    NotImplementedError
        If a subclass does not implement it.

    Examples
    --------
    >>> import minitorch.distributed as dist
    >>> isinstance(dist.HashStore(), dist.Store)
    True
    """

    _timeout = _DEFAULT_TIMEOUT

    def _ask(self, operation, *arguments):
        raise NotImplementedError(
            f"torch.distributed.{type(self).__name__} is not part of minitorch"
        )

    def _late(self, keys):
        return DistStoreError("Wait timeout")

    @property
    def timeout(self):
        """The timeout of `get` and `wait`, a timedelta."""
        return self._timeout

    def set_timeout(self, timeout):
        """Set the timeout of `get` and `wait`."""
        self._timeout = timeout

    def set(self, key, value):
        """Set the value of a key to a str or bytes."""
        self._ask("set", key, _as_bytes(value))

    def get(self, key):
        """Wait for a key and return its value as bytes.

        Raises
        ------
        DistStoreError
            If the key is not set before the timeout.
        """
        value = self._ask("get", key, self._timeout.total_seconds())
        if value is None:
            raise self._late([key])
        return value

    def wait(self, keys, timeout=None):
        """Wait until all keys are set.

        Raises
        ------
        DistStoreError
            If they are not set before the timeout.
        """
        seconds = (self._timeout if timeout is None else timeout).total_seconds()
        if not self._ask("wait", list(keys), seconds):
            raise self._late(keys)

    def add(self, key, amount):
        """Add to a counter and return the new value."""
        return self._ask("add", key, amount)

    def append(self, key, value):
        """Append bytes to a value."""
        self._ask("append", key, _as_bytes(value))

    def compare_set(self, key, expected_value, desired_value):
        """Set a value if the current one is `expected_value`.

        A missing key counts as empty. Returns the current value, or `expected_value` if the key
        is missing and was not set.
        """
        return self._ask("compare_set", key, _as_bytes(expected_value), _as_bytes(desired_value))

    def check(self, keys):
        """Return whether all keys are set."""
        return self._ask("check", list(keys))

    def delete_key(self, key):
        """Delete a key and return whether it was set."""
        return self._ask("delete_key", key)

    def num_keys(self):
        """Return the number of keys."""
        return self._ask("num_keys")

    def list_keys(self):
        """Return the sorted keys."""
        return self._ask("list_keys")

    def multi_set(self, keys, values):
        """Set several values."""
        for key, value in zip(keys, values, strict=True):
            self.set(key, value)

    def multi_get(self, keys):
        """Wait for several keys and return their values."""
        return [self.get(key) for key in keys]

    def has_extended_api(self):
        """Return True: `append`, `multi_get` and `multi_set` are supported."""
        return True

    def __reduce__(self):
        raise TypeError(f"cannot pickle 'torch._C._distributed_c10d.{type(self).__name__}' object")


class HashStore(Store):
    """A store in the memory of one process.

    Examples
    --------
    >>> import minitorch.distributed as dist
    >>> store = dist.HashStore()
    >>> store.set("name", "value")
    >>> store.get("name")
    b'value'
    >>> store.add("count", 2)
    2
    """

    def __init__(self):
        self._table = _Table()

    def _ask(self, operation, *arguments):
        return getattr(self._table, operation)(*arguments)


class FileStore(Store):
    """File-based store, which is not supported.

    Raises
    ------
    NotImplementedError
        If it is constructed.

    Examples
    --------
    >>> import minitorch.distributed as dist
    >>> dist.FileStore("a file", 1)
    Traceback (most recent call last):
    NotImplementedError: torch.distributed.FileStore is not part of minitorch
    """

    def __init__(self, *args, **kwargs):
        self._ask("num_keys")


class PrefixStore(Store):
    """Wrapper of a store that adds a prefix to each key.

    Parameters
    ----------
    prefix : str
    store : Store

    Examples
    --------
    >>> import minitorch.distributed as dist
    >>> store = dist.HashStore()
    >>> dist.PrefixStore("a", store).set("name", "value")
    >>> store.list_keys()
    ['a/name']
    """

    def __init__(self, prefix, store):
        self._prefix = prefix
        self.underlying_store = store
        self._timeout = store.timeout

    def _ask(self, operation, *arguments):
        if arguments:
            keys, *rest = arguments
            if isinstance(keys, list):
                keys = [f"{self._prefix}/{key}" for key in keys]
            else:
                keys = f"{self._prefix}/{keys}"
            arguments = (keys, *rest)
        return self.underlying_store._ask(operation, *arguments)


# ---- network protocol: one line of JSON per request and reply, with bytes as latin-1 text


def _packed(value):
    return {"bytes": value.decode("latin-1")} if isinstance(value, bytes) else value


def _unpacked(value):
    return value["bytes"].encode("latin-1") if isinstance(value, dict) else value


def _write(file, values):
    file.write(json.dumps([_packed(value) for value in values]).encode() + b"\n")
    file.flush()


def _read(file):
    line = file.readline()
    if not line:
        raise EOFError
    return [_unpacked(value) for value in json.loads(line)]


def _listen(host, port):
    try:
        return socket.create_server((host, port))
    except OSError as error:
        raise DistNetworkError(
            "The server socket has failed to listen on any local network address. "
            f"port: {port}, useIpv6: false, code: -{error.errno}, name: EADDRINUSE, "
            "message: address already in use"
        ) from None


class _Server:
    """Server of the master's table, with one thread per client."""

    OPERATIONS = frozenset(name for name in vars(_Table) if not name.startswith("_"))

    def __init__(self, host, port):
        self.table = _Table()
        self.listener = _listen(host, port)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        """Stop accepting clients."""
        self.listener.shutdown(socket.SHUT_RDWR)  # wakes the accepting thread
        self.listener.close()

    def _accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return  # the listener was closed
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        with connection, connection.makefile("rwb") as file:
            while True:
                try:
                    operation, *arguments = _read(file)
                except (EOFError, OSError):
                    return
                if operation not in self.OPERATIONS:
                    return
                try:
                    answer = [True, getattr(self.table, operation)(*arguments)]
                except ValueError as error:
                    answer = [False, str(error)]
                _write(file, answer)


class TCPStore(Store):
    """Client of a store that the master process serves over the network.

    Parameters
    ----------
    host_name : str
        Host of the master.
    port : int
        Port of the master; for the master, 0 selects a free port.
    world_size : int, optional
        Number of clients, which the master waits for.
    is_master : bool, default False
    timeout : timedelta, default 300 seconds
    wait_for_workers : bool, default True
    multi_tenant, master_listen_fd, use_libuv
        Ignored.

    Raises
    ------
    DistNetworkError
        If the port is in use, or the master does not accept the connection in time.
    DistStoreError
        If the other clients do not connect in time.

    Examples
    --------
    >>> import minitorch.distributed as dist
    >>> master = dist.TCPStore("127.0.0.1", 0, is_master=True)  # port 0: any that is free
    >>> client = dist.TCPStore("127.0.0.1", master.port)
    >>> client.set("name", "value")
    >>> master.get("name")
    b'value'
    """

    def __init__(
        self,
        host_name,
        port,
        world_size=None,
        is_master=False,
        timeout=_DEFAULT_TIMEOUT,
        wait_for_workers=True,
        multi_tenant=False,
        master_listen_fd=None,
        use_libuv=True,
    ):
        self.host = host_name
        self._timeout = timeout
        self._server = _Server(host_name, port) if is_master else None
        self.port = self._server.port if is_master else port
        self._lock = threading.Lock()
        with self._connected() as connection:
            self._file = connection.makefile("rwb")
        joined = self._ask("add", "", 1)
        if is_master and world_size is not None and wait_for_workers:
            self._wait_for(world_size, joined)

    def _connected(self):
        deadline = time.monotonic() + self._timeout.total_seconds()
        while True:
            try:
                return socket.create_connection((self.host, self.port))
            except OSError:
                if time.monotonic() > deadline:
                    raise DistNetworkError(
                        f"The client socket has timed out after {self._milliseconds()}ms while trying "
                        f"to connect to ({self.host}, {self.port})."
                    ) from None
                time.sleep(0.02)

    def _wait_for(self, world_size, joined):
        deadline = time.monotonic() + self._timeout.total_seconds()
        while joined < world_size:
            if time.monotonic() > deadline:
                seconds = max(1, round(self._timeout.total_seconds()))
                raise DistStoreError(
                    f"Timed out after {seconds} seconds waiting for clients. {joined}/{world_size} "
                    "clients joined."
                )
            time.sleep(0.005)
            joined = self._ask("add", "", 0)

    def _ask(self, operation, *arguments):
        with self._lock:
            _write(self._file, [operation, *arguments])
            done, answer = _read(self._file)
        if not done:
            raise ValueError(answer)
        return answer

    def _milliseconds(self):
        return round(self._timeout.total_seconds() * 1000)

    def _late(self, keys):
        named = ", ".join(f"/{key}" for key in keys)
        return DistStoreError(f"wait timeout after {self._milliseconds()}ms, keys: {named}")

    def __del__(self):
        if "_file" in self.__dict__:
            self._file.close()
        if self.__dict__.get("_server") is not None:
            self._server.close()
