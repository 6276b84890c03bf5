"""``python -m tests.compat.update``: run PyTorch's databases and write expected_failures.toml anew.

``python -m tests.compat.update --show softmax`` prints what differs in the entries whose names contain
the word, and writes nothing.
"""

import argparse
import warnings

from tests.compat import expectations
from tests.compat.databases import DATABASES, entries, run


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", metavar="WORD", help="print the differences of these entries")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    if options.show is not None:
        for entry in entries():
            if options.show in entry:
                for aspect, text in run(entry).items():
                    print(f"{entry}: {aspect}: {text}")
        return
    results = {entry: run(entry) for entry in entries()}
    expectations.write(expectations.updated(expectations.read(), results))
    for kind in DATABASES:
        rows = [found for entry, found in results.items() if entry.split()[0] == kind]
        print(f"{kind}: {sum(not found for found in rows)} of {len(rows)} as in PyTorch")


if __name__ == "__main__":
    main()
