"""PyTorch's argument parser: what operators accept, and the errors for what they do not.

A file imports from the files listed above it:

grammar.py     the grammar of schemas and signatures; tools/ loads it too, by its path
values.py      which Python objects fit a type, and how they are converted
signature.py   the signatures of Python functions
hash_order.py  the order in which PyTorch's messages name keyword arguments
parser.py      finding the signature that takes a call's arguments, or PyTorch's error
"""
