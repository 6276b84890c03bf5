"""Submissions that try to earn points without solving the assignment, or to do harm.

Each is a function. Its text is put into the region ``helpers`` of a stub and called there, so it
runs when the submission is loaded. `CANARY` is a folder with files that must not change.
"""
