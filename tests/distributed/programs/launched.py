"""Writes what a launcher tells a program; with ``--fail`` rank 1 fails."""

import json
import os
import sys
from pathlib import Path

NAMES = """
    RANK LOCAL_RANK WORLD_SIZE LOCAL_WORLD_SIZE GROUP_RANK ROLE_RANK ROLE_WORLD_SIZE ROLE_NAME GROUP_WORLD_SIZE
    TORCHELASTIC_RESTART_COUNT OMP_NUM_THREADS
""".split()

if __name__ == "__main__":
    found = {name: os.environ.get(name) for name in NAMES}
    found["arguments"] = sys.argv[2:]
    found["name"] = __name__
    found["port is a number"] = os.environ["MASTER_PORT"].isdigit()
    Path(sys.argv[1], f"{found['RANK']}.json").write_text(json.dumps(found))
    if "--fail" in sys.argv and found["RANK"] == "1":
        sys.exit(7)
