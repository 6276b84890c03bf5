"""Bytecode inspection: whether the calling code unpacks or asserts a value."""

import dis
from bisect import bisect_left


def _instructions(frame):
    """Return the instructions of a frame and the index of the current one."""
    instructions = list(dis.get_instructions(frame.f_code))
    at = bisect_left(instructions, frame.f_lasti, key=lambda instruction: instruction.offset)
    return instructions, at


def unpacked_into(frame):
    """Return the number of targets if the frame executes ``a, b = value``, else None."""
    instructions, at = _instructions(frame)
    return instructions[at].argval if instructions[at].opname == "UNPACK_SEQUENCE" else None


def asserts(frame):
    """Return whether the frame executes ``assert value``."""
    instructions, at = _instructions(frame)
    if instructions[at].opname != "POP_JUMP_IF_TRUE":
        return False
    following = instructions[at + 1]
    return following.opname == "LOAD_ASSERTION_ERROR" or following.argval == "AssertionError"
