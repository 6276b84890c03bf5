"""Observation of backward passes and operators: traces, diagrams and profiles."""
