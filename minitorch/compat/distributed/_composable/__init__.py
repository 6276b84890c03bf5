"""The older names of what is made of a module rather than put around it."""
