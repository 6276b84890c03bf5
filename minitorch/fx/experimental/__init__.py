"""What packages ask of the tracers, under the names of their modules."""
