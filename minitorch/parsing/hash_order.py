"""The order in which PyTorch's error messages name keyword arguments.

PyTorch collects them in a C++ hash table, ``std::unordered_map<std::string, ...>``, and lists them
in the order of that table. To give the same messages, this module imitates the table of GNU's C++
library: its hash function, its numbers of buckets, and the place where it links an entry.

References
----------
The hash is MurmurHash2 for 64 bits by Austin Appleby, with the seed that ``std::hash`` uses.
"""

_MASK = (1 << 64) - 1
_MULTIPLIER = 0xC6A4A7935BD1E995
_SEED = 0xC70F6907
# a table grows to the next of these when its entries outnumber its buckets
_BUCKETS = (13, 29, 59, 127, 257, 541, 1109)


def _mix(value):
    return value ^ (value >> 47)


def string_hash(text):
    """Return ``std::hash<std::string>`` of the text's UTF-8 bytes."""
    data = text.encode(errors="surrogatepass")
    result = _SEED ^ (len(data) * _MULTIPLIER & _MASK)
    whole = len(data) & ~7
    for i in range(0, whole, 8):
        word = int.from_bytes(data[i : i + 8], "little") * _MULTIPLIER & _MASK
        result = (result ^ (_mix(word) * _MULTIPLIER & _MASK)) * _MULTIPLIER & _MASK
    if len(data) > whole:
        tail = int.from_bytes(data[whole:], "little")
        result = (result ^ tail) * _MULTIPLIER & _MASK
    return _mix(_mix(result) * _MULTIPLIER & _MASK)


def _link(order, entry, hashes, buckets):
    # before the first entry of the same bucket; an empty bucket comes first of all
    bucket = hashes[entry] % buckets
    for i, other in enumerate(order):
        if hashes[other] % buckets == bucket:
            order.insert(i, entry)
            return
    order.insert(0, entry)


def unordered_map_order(keys):
    """Return the keys in the order of a table into which they were inserted one by one."""
    hashes = {key: string_hash(key) for key in keys}
    sizes = iter(_BUCKETS)
    buckets, order = 0, []
    for key in keys:
        if len(order) == buckets:
            buckets = next(sizes, 2 * buckets + 1)
            previous, order = order, []
            for entry in previous:
                _link(order, entry, hashes, buckets)
        _link(order, key, hashes, buckets)
    return order
