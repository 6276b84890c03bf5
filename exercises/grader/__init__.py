"""Grade a submission without trusting it.

The submission runs in a *worker*, a process in a jail (`jail`, `inside`). What it shows leaves the
jail as JSON (`worker`, `decode`). It is judged out here, where no code of a submission ever runs
(`judge`), against the values that the solution showed in a worker of its own (`key`). The right
values, the solution and the teacher's secret never enter the jail with the submission. The hidden
scenarios enter it only after the public ones have run, and nothing that a submission shows in them
is repeated in the report.

Modules: `submission` reads a student's file; `inside` is what runs in the jail; `grading` puts it
all together.
"""


def grade(assignment, path, *, secret, sandbox="auto", budget=60.0, hidden=True, key=None):
    """Grade one file.

    Parameters
    ----------
    assignment : Source or Bundle
    path : path-like
        The submission.
    secret : str or int
        What the seeds of the scenarios are made from.
    sandbox : {"auto", "bwrap", "user"}
        The jail; by default the first one that works here.
    budget : float
        The wall time in seconds that running the submission may take in all.
    hidden : bool
        Whether to run the hidden scenarios, too; a Bundle has none.
    key : Key, optional
        The right values (`exercises.grader.key.make_key`); by default they are made, once in a
        process.

    Returns
    -------
    Report

    Raises
    ------
    GraderError
        If there is no jail, no scenario, or the solution fails: then there is no grade.
    """
    # Imported here because the worker imports this package, too, but none of its grader.
    from exercises.grader.grading import grade_file

    return grade_file(assignment, path, secret, sandbox, budget, hidden, key)


class GraderError(RuntimeError):
    """Grading is not possible, through no fault of the submission."""
