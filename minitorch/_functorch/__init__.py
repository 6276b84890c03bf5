"""What stands behind `minitorch.func`: vmap, the batching rules, and the transforms that differentiate."""
