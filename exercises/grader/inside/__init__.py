"""What runs in the jail: the worker, and the seal that it puts on every child."""
