"""Element types that are only names here, and the short names of all types."""

# Types that programs name and compare with, but that no tensor has here: a function that would make such a tensor
# calls `code_of`, which raises. Name, the name in error messages, the C++ type, bytes, kind: floating-point or
# quantized.
WITHOUT_TENSORS = [
    ("float4_e2m1fn_x2", "Float4_e2m1fn_x2", "c10::Float4_e2m1fn_x2", 1, "floating"),
    ("qint8", "QInt8", "c10::qint8", 1, "quantized"),
    ("quint8", "QUInt8", "c10::quint8", 1, "quantized"),
    ("qint32", "QInt32", "c10::qint32", 4, "quantized"),
    ("quint4x2", "QUInt4x2", "c10::quint4x2", 1, "quantized"),
    ("quint2x4", "QUInt2x4", "c10::quint2x4", 1, "quantized"),
    *[
        (name, name.capitalize(), f"c10::{name}", 2 if name == "bits16" else 1, "bits")
        for name in ("bits1x8", "bits2x4", "bits4x2", "bits8", "bits16")
    ],
    *[
        (f"int{bits}", f"Int{bits}", f"c10::dummy_int1_7_t<{bits}>", 1, "signed")
        for bits in range(1, 8)
    ],
    *[
        (f"uint{bits}", f"UInt{bits}", f"c10::dummy_uint1_7_t<{bits}>", 1, "unsigned")
        for bits in range(1, 8)
    ],
]

# letters for the kind, and the bits
_LETTERS = {"uint": "u", "int": "i", "float": "f", "bfloat": "bf", "complex": "c"}


def abbreviation(name):
    """Return the short name of a type, such as ``"f32"``; the whole name if there is none."""
    kind = name.rstrip("0123456789")
    if name == "bool":
        return "b8"
    if name.startswith("bits"):
        return {"bits8": "b8x1", "bits16": "b16x1"}.get(name) or "b" + name[4:]
    if kind in _LETTERS and int(name[len(kind) :]) >= 8:
        return _LETTERS[kind] + name[len(kind) :]
    if name.startswith("float"):
        return "f" + name[5:].replace("_", "")
    return name
