"""The recorded operators: generated from derivatives/, and what is written by hand."""
