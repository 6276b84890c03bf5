"""Functions that PyTorch has for float32 and float64 only."""


def refuse_16_bits(input, kernel):
    """NotImplementedError for float16 and bfloat16, by the name of PyTorch's kernel."""
    if input.is_floating_point() and input.element_size() == 2:
        name = input.type().removeprefix("torch.").removesuffix("Tensor")
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{name}'")
