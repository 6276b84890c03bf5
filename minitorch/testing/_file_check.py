"""`FileCheck`: checks that a text contains strings in a given order."""

import re

_CONTEXT = 2  # lines shown before and after the place of an error
_IN_A_FILE = re.compile(
    r"^# (CHECK(?:-NOT|-NEXT|-SAME|-DAG|-REGEX|-SOURCE-HIGHLIGHTED|-COUNT-(?:EXACTLY-)?\d+)?): ?(.*)$",
    re.MULTILINE,
)


class FileCheck:
    """A list of checks, in the order in which a text must satisfy them; `run` performs them.

    Raises
    ------
    RuntimeError
        From `run`, if the text does not satisfy a check.

    Examples
    --------
    >>> from minitorch.testing import FileCheck
    >>> FileCheck().check("one").check_not("two").check_next("three").run("one\\nthree")
    """

    def __init__(self):
        self._checks = []
        self._has_run = False

    def check(self, text):
        """Check that the text comes next."""
        return self._add("CHECK", text)

    def check_not(self, text):
        """Check that the text does not occur between the previous and the next match."""
        return self._add("CHECK-NOT", text)

    def check_same(self, text):
        """Check that the text comes next on the same line."""
        return self._add("CHECK-SAME", text)

    def check_next(self, text):
        """Check that the text is on the next line."""
        return self._add("CHECK-NEXT", text)

    def check_count(self, text, count, exactly=False):
        """Check that the text occurs `count` times, and with `exactly` no more often."""
        if count == 0 and not exactly:
            raise RuntimeError("Count == 0 && !exactly doesn't do anything")
        if count:
            self._add(f"CHECK-COUNT-{count}", text)
        return self.check_not(text) if exactly else self

    def check_dag(self, text):
        """Check that the text comes next; consecutive `check_dag` match in any order."""
        return self._add("CHECK-DAG", text)

    def check_source_highlighted(self, text):
        """Check that the text comes next and is underlined by tildes."""
        return self._add("CHECK-SOURCE-HIGHLIGHTED", text)

    def check_regex(self, pattern):
        """Check that a match of the regular expression comes next."""
        return self._add("CHECK-REGEX", pattern)

    def _add(self, kind, text):
        self._checks.append((kind, text))
        return self

    def run(self, text, tested=None):
        """Check a text.

        Parameters
        ----------
        text : str or Graph
            The text to check. With `tested`, a text of lines such as ``# CHECK-NEXT: three`` from
            which checks are added.
        tested : str or Graph, optional

        Raises
        ------
        RuntimeError
            If a check fails or there are no checks.
        """
        self._has_run = True
        if tested is not None:
            self._read(text)
            text = tested
        if not self._checks:
            raise RuntimeError(
                "No checks have been added to this instance ofFilecheck! Check for bad input."
            )
        _Search(str(text)).go(self._checks)

    def _read(self, text):
        for kind, wanted in _IN_A_FILE.findall(text):
            exactly = re.fullmatch(r"CHECK-COUNT-EXACTLY-(\d+)", kind)
            if exactly:
                self.check_count(wanted.strip(), int(exactly[1]), exactly=True)
            else:
                self._add(kind, wanted.strip())

    def __del__(self):
        if not self._has_run:
            print("You have not run this instance of FileCheck!\nFileCheck checks:")
            for kind, text in self._checks:
                print(f"\t{kind}: {text}")


class _Search:
    """A text and the position up to which it has been searched."""

    def __init__(self, text):
        self.text = text
        self.end = 0

    def go(self, checks):
        absent, unordered = [], []
        for kind, wanted in checks:
            if kind != "CHECK-DAG" and unordered:
                self.pass_by(absent, *self.find_all(unordered))
                absent, unordered = [], []
            if kind == "CHECK-NOT":
                absent.append((kind, wanted))
            elif kind == "CHECK-DAG":
                unordered.append((kind, wanted))
            else:
                self.pass_by(absent, *self.find_one(kind, wanted))
                absent = []
        if unordered:
            self.pass_by(absent, *self.find_all(unordered))
            absent = []
        self.pass_by(absent, len(self.text), len(self.text))

    def pass_by(self, absent, start, end):
        """Move to `end`, after checking that the unwanted texts do not occur before `start`."""
        for check in absent:
            self.reject(check[1], self.end, start, check)
        self.end = end

    def find_all(self, checks):
        found = [self.find(check[1], self.end, check) for check in checks]
        return min(start for start, _ in found), max(end for _, end in found)

    def find_one(self, kind, wanted):
        """Return the start and end of the match of a check."""
        check = kind, wanted
        if kind.startswith("CHECK-COUNT"):
            first, end = self.find(wanted, self.end, check)
            for _ in range(int(kind.rpartition("-")[2]) - 1):
                _, end = self.find(wanted, end, check)
            return first, end
        if kind == "CHECK-REGEX":
            match = re.compile(wanted).search(self.text, self.end)
            if match is None:
                raise RuntimeError(
                    f'Expected to find regex "{wanted}" but did not find it\nSearched string:\n{_source(check)}'
                )
            return match.span()
        begin = self.find("\n", self.end, check)[1] if kind == "CHECK-NEXT" else self.end
        start, end = self.find(wanted, begin, check)
        if kind in ("CHECK-NEXT", "CHECK-SAME"):
            self.reject("\n", begin, start, check)
        if kind == "CHECK-SOURCE-HIGHLIGHTED" and not self.is_underlined(start, end):
            raise RuntimeError(
                f'Expected to find "{wanted}"highlighted but it is not.\n{self.shown(start, end)}'
            )
        return start, end

    def find(self, wanted, begin, check):
        start = self.text.find(wanted, begin)
        if start < 0:
            raise RuntimeError(
                f"Expected to find {_quoted(wanted)} but did not find it\nSearched string:\n"
                f"{self.shown(begin, len(wanted))}{_source(check)}"
            )
        return start, start + len(wanted)

    def reject(self, unwanted, begin, end, check):
        start = self.text.find(unwanted, begin, end)
        if start >= 0:
            raise RuntimeError(
                f"Expected to not find {_quoted(unwanted)} but found it\n"
                f"{self.shown(start, start + len(unwanted))}{_source(check)}"
            )

    def is_underlined(self, start, end):
        line = self.text.rfind("\n", 0, start) + 1
        below = self.text.find("\n", end) + 1
        marks = self.text[below + start - line : below + end - line]
        return below > 0 and marks == "~" * (end - start)

    def shown(self, start, end):
        """Return the lines around a match, with tildes below it."""
        lines = self.text.splitlines(keepends=True) or [""]
        at = min(self.text.count("\n", 0, start), len(lines) - 1)
        column = start - (self.text.rfind("\n", 0, start) + 1)
        marks = min(end - start, len(lines[at].rstrip("\n")) - column)
        shown = lines[max(0, at - _CONTEXT) : at + 1]
        if marks > 0:
            shown[-1] = shown[-1].rstrip("\n") + "\n"
            shown.append(" " * column + "~" * marks + " <--- HERE\n")
        return "".join(shown + lines[at + 1 : at + 1 + _CONTEXT])


def _quoted(text):
    return '"' + text.replace("\n", "\\n") + '"'


def _source(check):
    return f"From {check[0]}: {check[1]}\n"


FileCheck.__module__ = "minitorch"

__all__ = ["FileCheck"]
