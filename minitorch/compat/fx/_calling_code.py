"""What the code that calls is about to do with a value: unpack it, or assert it."""

import dis
from bisect import bisect_left


def _instructions(frame):
    """The instructions of a frame, and the number of the one it is at."""
    instructions = list(dis.get_instructions(frame.f_code))
    at = bisect_left(instructions, frame.f_lasti, key=lambda instruction: instruction.offset)
    return instructions, at


def unpacked_into(frame):
    """How many names ``a, b = value`` in this frame has on its left; None if it does something else."""
    instructions, at = _instructions(frame)
    return instructions[at].argval if instructions[at].opname == "UNPACK_SEQUENCE" else None


def asserts(frame):
    """Whether the frame is in ``assert value``."""
    instructions, at = _instructions(frame)
    if instructions[at].opname != "POP_JUMP_IF_TRUE":
        return False
    following = instructions[at + 1]
    return following.opname == "LOAD_ASSERTION_ERROR" or following.argval == "AssertionError"
