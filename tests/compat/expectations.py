"""The list of what is expected to differ from PyTorch: its file, and how a run makes it anew.

The file is TOML. A table is a topic, its name the reason. A key is a kind and an entry of one of
PyTorch's databases, the value says what differs, aspect by aspect::

    ["linear algebra is not there"]
    "operator linalg.svd" = { forward = "there is no linalg.svd" }

An entry keeps its topic when the list is made anew; a new one gets the topic that `topic_of` finds.
"""

import tomllib
from pathlib import Path

FILE = Path(__file__).with_name("expected_failures.toml")

HEAD = """\
# What is expected to differ from PyTorch, by topic: read by test_databases.py. An entry that no longer
# fails, or fails in another aspect, fails the test. `python -m tests.compat.update` writes this file
# anew and keeps the topics; the texts say what differed first and are not compared.
"""


def read():
    """``{topic: {entry: {aspect: text}}}``"""
    return tomllib.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}


def aspects(topics):
    """``{entry: set of aspects}``"""
    return {entry: set(found) for rows in topics.values() for entry, found in rows.items()}


def topic_of(entry, found):
    """The topic of an entry that has none yet."""
    texts = list(found.values())
    if any(text.startswith(("there is no", "NotImplementedError")) for text in texts):
        name = entry.split(" ", 1)[1]
        space = name.rsplit(".", 1)[0] if name.startswith(("linalg.", "fft.", "special.")) else ""
        space = space.split(".")[0]
        return (
            f"not there: {space}" if space else "not there: operators of the top namespace and nn"
        )
    if set(found) == {"errors"}:
        return "wrong arguments: another error, or none"
    return "results that differ"


def updated(topics, results):
    """The topics for the results of a run: ``{entry: {aspect: text}}`` of all entries that ran."""
    places = {entry: topic for topic, rows in topics.items() for entry in rows}
    made = {topic: {} for topic in topics}
    for entry, found in results.items():
        if found:
            topic = places.get(entry) or topic_of(entry, found)
            made.setdefault(topic, {})[entry] = found
    for entry, topic in places.items():
        if entry not in results:
            made[topic][entry] = topics[topic][entry]
    return {topic: rows for topic, rows in made.items() if rows}


def write(topics):
    lines = [HEAD]
    for topic in sorted(topics):
        lines.append(f"[{quoted(topic)}]")
        for entry, found in sorted(topics[topic].items()):
            texts = ", ".join(f"{_key(k)} = {quoted(v)}" for k, v in sorted(found.items()))
            lines.append(f"{quoted(entry)} = {{ {texts} }}")
        lines.append("")
    FILE.write_text("\n".join(lines), encoding="utf-8")


def _key(name):
    return quoted(name) if " " in name else name


def quoted(text):
    plain = "".join(c if c.isprintable() else " " for c in text[:200])
    return '"' + plain.replace("\\", "\\\\").replace('"', '\\"') + '"'
