"""What the functions of `autograd.functional` share."""
