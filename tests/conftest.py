"""What the tests draw is the same in each run of them."""

import minitorch

minitorch.manual_seed(0)
