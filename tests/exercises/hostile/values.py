"""Forge results and values; these are answers to a04_value."""

# ruff: noqa: F821


def writes_a_result_of_its_own():
    forge('{"values": [["a.grad", 1.0]]}')


def writes_the_answer_of_the_worker():
    import json
    import struct

    text = json.dumps({"status": "ended", "cpu": 0.0}).encode()
    data = b'!{"values": [["a.grad", 1.0]]}'
    forge(struct.pack(">II", len(text), len(data)) + text + data)


def patches_the_judge():
    import builtins
    import json
    import math
    import sys

    for name, module in list(sys.modules.items()):
        if name.startswith("exercises"):
            for key in list(vars(module)):
                setattr(module, key, lambda *a, **k: True)
    math.isclose = lambda *a, **k: True
    builtins.isinstance = lambda *a: True
    json.dumps = lambda *a, **k: '{"values": true}'


def finds_scenarios_by_the_collector():
    import gc

    for thing in gc.get_objects():
        if type(thing).__name__ == "Scenario":
            thing.points, thing.tolerance = 1e9, float("inf")
            thing.function = lambda torch, piece, draw: iter([("a.grad", 0.0)])
            thing.hidden = False


def changes_the_task_in_the_frames():
    import sys

    frame = sys._getframe()
    while frame is not None:
        for value in frame.f_locals.values():
            if isinstance(value, dict) and "retire" in value:
                value.update(scenario=None, retire=False, seconds=1e9)
        frame = frame.f_back


def changes_the_code_of_scenarios():
    import sys

    rules = sys.modules["rules"]
    for value in vars(rules).values():
        if type(value).__name__ == "Scenario":
            value.function.__code__ = (lambda torch, piece, draw: (yield "a.grad", 1.0)).__code__


def watches_every_call():
    import sys
    import threading

    def profile(frame, event, argument):
        frame.f_locals.clear()

    sys.setprofile(profile)
    threading.setprofile(profile)


def is_equal_to_everything():
    class Anything(float):
        __class__ = float

        def __eq__(self, other):
            return True

        __ne__ = __lt__ = __gt__ = __eq__
        __hash__ = float.__hash__

    answer_with(Anything(1.0))


def is_a_subclass_of_int():
    class Number(int):
        def __repr__(self):
            return "1.0"

        __str__ = __repr__

    answer_with(Number(1))


def is_not_a_number():
    answer_with(float("nan"))


def is_infinite():
    answer_with(float("inf"))


def is_a_huge_integer():
    answer_with(10**400)


def is_too_long_to_be_printed():
    answer_with(1 << 100_000)


def is_true():
    answer_with(True)


def is_nested_deeply():
    value = []
    for _ in range(100_000):
        value = [value]
    answer_with(value)


def contains_itself():
    value = []
    value.append(value)
    answer_with(value)


def is_half_a_surrogate_and_an_escape():
    answer_with("\ud800 \x1b[2J \x1b]0;title\x07" * 50)


def pretends_to_be_a_tensor():
    class Tensor:
        dtype, shape = "x.float64", ()

        def detach(self):
            return self

        def tolist(self):
            return self

    answer_with(Tensor())


def writes_json_that_is_deep():
    forge('{"values": [["a.grad", ' + "[" * 100_000 + "]" * 100_000 + "]]}")


def writes_json_with_two_keys():
    forge('{"values": [["a.grad", 1.0]], "values": [["a.grad", 2.0]]}')


def writes_nan_as_json():
    forge('{"values": [["a.grad", NaN], ["b.grad", Infinity]]}')


def writes_an_integer_of_many_digits():
    forge('{"values": [["a.grad", ' + "9" * 100_000 + "]]}")


def writes_an_error_of_any_form():
    forge('{"error": ["\\u001b[31m", "' + "x" * 10_000 + '", 1e300, true]}')


def writes_bytes_that_are_no_text():
    forge(b"\xff\xfe\x00")


def shows_the_tests():
    import sys

    names = [n for n, v in vars(sys.modules["rules"]).items() if type(v).__name__ == "Scenario"]
    code = [str(v.function.__code__.co_consts) for v in vars(sys.modules["rules"]).values()
            if type(v).__name__ == "Scenario"]  # fmt: skip
    answer_with(" ".join(names + code))


def patches_what_sends_the_result():
    import sys

    child, scenario = (sys.modules[f"exercises.{n}"] for n in ("grader.inside.child", "scenario"))
    child.SEALED = b"?"
    child.encode = scenario.encode = lambda pairs: '[["a.grad", 1.0]]'
    child._described = lambda error: ["x" * 10_000, 1, 2, 3]


def names_a_line_that_is_not_there():
    raise SyntaxError("\x1b[2J", ("<original>", 10**18, 1, "x"))


def has_an_error_whose_name_is_an_escape():
    raise type("\x1b[31m" * 100, (Exception,), {})("\x00\ud800" * 100_000)
