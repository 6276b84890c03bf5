"""Recorded operators, their nodes and their tangents, which tools/ generates from derivatives/."""
