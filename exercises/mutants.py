"""Judge the scenarios of assignments: ``python -m exercises.mutants NAME [...]``.

Each mutant is the solution with one careless change inside an answer: cosmic-ray's operators, and
the deletion of a statement. A mutant is killed if it scores below 100. Those that survive are
either listed in the assignment's `EQUIVALENT`, as ``{"the changed line": "why it changes
nothing"}``, or show what no scenario asks for.
"""

import argparse
import ast
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from exercises.author import rules, run
from exercises.forks import observe, outcome, seed_of
from exercises.scenario import scenarios_of
from exercises.source import all_sources, answer_numbers, find

OPERATORS = [
    f"core/Replace{kind}"
    for kind in """
    BinaryOperator_Add_Sub BinaryOperator_Sub_Add BinaryOperator_Mul_Add BinaryOperator_Div_Mul
    BinaryOperator_FloorDiv_Mul BinaryOperator_Mod_Add BinaryOperator_Pow_Mul
    BinaryOperator_BitOr_BitAnd BinaryOperator_BitAnd_BitOr ComparisonOperator_Eq_NotEq
    ComparisonOperator_NotEq_Eq ComparisonOperator_Lt_LtE ComparisonOperator_LtE_Lt
    ComparisonOperator_Gt_GtE ComparisonOperator_GtE_Gt ComparisonOperator_Lt_GtE
    ComparisonOperator_Gt_LtE ComparisonOperator_Is_IsNot ComparisonOperator_IsNot_Is
    UnaryOperator_Delete_USub UnaryOperator_Delete_Not TrueWithFalse FalseWithTrue AndWithOr
    OrWithAnd BreakWithContinue ContinueWithBreak
    """.split()
] + ["core/AddNot", "core/NumberReplacer", "core/ZeroIterationForLoop", "core/RemoveDecorator"]

SECONDS = 3  # a mutant that loops forever need not be watched for longer


def mutants(source):
    """Yield pairs of what was changed and the mutant's text."""
    from cosmic_ray.mutating import mutate_code
    from cosmic_ray.plugins import get_operator

    text = source.solution()
    before, inside = text.splitlines(), answer_numbers(text)
    for name in OPERATORS:
        operator = get_operator(name)()
        occurrence = 0
        while (mutated := mutate_code(text, operator, occurrence)) is not None:
            occurrence += 1
            after = mutated.splitlines()
            changed = [k for k, (a, b) in enumerate(zip(before, after, strict=False), 1) if a != b]
            if changed and changed[0] in inside and _compiles(mutated):
                k = changed[0]
                yield f"{before[k - 1].strip()}  ->  {after[k - 1].strip()}", mutated
    yield from _mutants_of_formulas(text, inside)
    for node in ast.walk(ast.parse(text)):
        if (
            isinstance(node, ast.Assign | ast.AugAssign | ast.Expr | ast.Delete)
            and node.lineno in inside
            and not isinstance(getattr(node, "value", None), ast.Constant)
        ):
            line = before[node.lineno - 1]
            after = before.copy()
            after[node.lineno - 1 : node.end_lineno] = [line[: node.col_offset] + "pass"]
            yield f"{line.strip()}  ->  pass", "\n".join(after) + "\n"


def _mutants_of_formulas(text, inside):
    # an answer may be an expression in a string, as in the assignment on derivatives
    from cosmic_ray.mutating import mutate_code
    from cosmic_ray.plugins import get_operator

    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        if not (isinstance(node, ast.Constant) and isinstance(node.value, str)):
            continue
        if node.lineno not in inside or node.lineno != node.end_lineno:
            continue
        for name in OPERATORS:
            occurrence = 0
            while mutated := _mutate(mutate_code, node.value, get_operator(name)(), occurrence):
                occurrence += 1
                line = lines[node.lineno - 1]
                after = line[: node.col_offset] + repr(mutated) + line[node.end_col_offset :]
                new = [*lines[: node.lineno - 1], after, *lines[node.lineno :]]
                yield f"{line.strip()}  ->  {after.strip()}", "\n".join(new) + "\n"


def _mutate(mutate_code, formula, operator, occurrence):
    if not _compiles(formula):
        return None
    return mutate_code(formula, operator, occurrence)


def _compiles(text):
    try:
        compile(text, "mutant", "exec")
    except SyntaxError:
        return False
    return True


def survives(source, namespace, expected, text):
    """Return whether a mutant passes every scenario."""
    scenarios = scenarios_of(namespace).items()
    for name, scenario in sorted(
        scenarios, key=lambda named: named[1].baseline
    ):  # quick ones first
        scenario.seconds = min(scenario.seconds, SECONDS)
        seen = observe(source, namespace, scenario, text, seed_of(0, source.name, name))
        if not outcome({**expected, name: seen}, expected, namespace)[0][name]:
            return False
    return True


def judge(source, jobs=1):
    """Return the number of mutants, and those that survive without a listed reason."""
    namespace = rules(source)
    expected = run(source, source.solution(), retire=False)
    equivalent = namespace.get("EQUIVALENT", {})
    found = [(change, text) for change, text in mutants(source) if change not in equivalent]
    with ThreadPoolExecutor(jobs) as pool:
        alive = list(pool.map(lambda found: survives(source, namespace, expected, found[1]), found))
    survivors = [change for (change, _), lives in zip(found, alive, strict=True) if lives]
    return len(found), survivors


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m exercises.mutants", description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args(arguments)
    worst = 100.0
    for source in [find(name) for name in options.names] or all_sources().values():
        begin = time.monotonic()
        count, survivors = judge(source, options.jobs)
        killed = 100 * (count - len(survivors)) / max(1, count)
        worst = min(worst, killed)
        print(
            f"{source.name}: {count - len(survivors)} of {count} mutants killed "
            f"({killed:.1f} %), {time.monotonic() - begin:.0f} s"
        )
        for change in survivors:
            print(f"  survives: {change}")
    return 0 if worst >= 95 else 1


if __name__ == "__main__":
    sys.exit(main())
