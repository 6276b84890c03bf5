"""Print the warnings of one library as JSON, or the differences between both."""

import json
import sys

from tests.warned_calls import differences, told

if len(sys.argv) > 1:
    print(json.dumps(told(sys.argv[1])))
else:
    for call, (theirs, ours) in differences().items():
        print(call, *("  torch " + str(t) for t in theirs), sep="\n")
        print(*("  ours  " + str(t) for t in ours), sep="\n")
