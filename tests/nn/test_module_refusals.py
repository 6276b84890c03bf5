"""Errors of modules and their containers, and the arithmetic of `Sequential`, compared with PyTorch."""

import pytest

from tests.both import compare

EXPRESSIONS = """
nn.Module().register_buffer(3, torch.ones(1))
nn.Module().register_parameter(1, None)
nn.Module().add_module(1, nn.ReLU())
nn.Module().add_module("a", torch.ones(1))
nn.Module().add_module("a", 3)
nn.ModuleDict({"a": nn.Parameter(torch.ones(1))})
nn.Sequential(torch.ones(1))
nn.utils.rnn.pad_sequence("abc")
nn.utils.rnn.pad_sequence([torch.ones(1), None])
nn.functional.pad(torch.ones(4), (-1, 1), "reflect", 1)
nn.functional.pad(torch.ones(4), (1,), "mirror")
nn.Module(3)
nn.Module(a=3)
nn.Parameter(3)
nn.Buffer([1.0])
nn.ModuleDict([1])
nn.ModuleDict(3)
nn.ModuleDict([(1, 2, 3)])
nn.ModuleList(3)
nn.ModuleList([nn.ReLU()]).extend(3)
repr(nn.ModuleList([nn.ReLU()]) + [nn.Tanh()])
repr(nn.ModuleList([nn.ReLU(), nn.Tanh()])[1:])
repr(nn.Sequential(nn.ReLU()) + nn.Sequential(nn.Tanh()))
nn.Sequential(nn.ReLU()) + [nn.ReLU()]
repr(nn.Sequential(nn.ReLU(), nn.Tanh()) * 2)
repr(2 * nn.Sequential(nn.ReLU()))
nn.Sequential(nn.ReLU()) * 0
nn.Sequential(nn.ReLU()) * "a"
nn.Sequential(nn.ReLU()).insert(5, nn.ReLU())
nn.Sequential(nn.ReLU()).insert(0, 3)
repr(nn.Sequential(nn.ReLU()).insert(-1, nn.Tanh()))
nn.Sequential(nn.ReLU()).pop(9)
list(nn.Sequential(OrderedDict(a=nn.ReLU(), b=nn.Tanh(), c=nn.ReLU()))[1:]._modules)
nn.ConvTranspose2d(1, 1, 3, 2)(torch.ones(1, 1, 3, 3), output_size=(8, 7)).shape
nn.ConvTranspose2d(1, 1, 3, 2)(torch.ones(1, 1, 3, 3), torch.Size([1, 1, 8, 8])).shape
nn.ConvTranspose1d(1, 1, 3, 2)(torch.ones(1, 3), [8]).shape
nn.ConvTranspose2d(1, 1, 3, 2)(torch.ones(1, 1, 3, 3), output_size=(20, 20))
nn.ConvTranspose2d(1, 1, 3, 2)(torch.ones(1, 1, 3, 3), output_size=(1,))
nn.GroupNorm(2, 4)(torch.ones(1, 3))
nn.RMSNorm([3, 4])(torch.ones(3, 5))
nn.functional.rms_norm(torch.ones(3), [])
nn.functional.rms_norm(torch.ones(3), [3], torch.ones(2))
nn.MaxUnpool2d(2)(torch.ones(1, 1, 2, 2), torch.full((1, 1, 2, 2), 99))
nn.Unflatten(1, 3.0)
nn.Unflatten(1, (2, "a"))
nn.Hardtanh(2, 1)
repr(nn.Hardtanh(min_value=0, max_value=6, inplace=True))
nn.Linear(1, 1).to(torch.complex64).weight.dtype.is_complex
repr(nn.utils.parametrizations.orthogonal(nn.Linear(2, 2)))
nn.init._calculate_correct_fan(torch.empty(2, 3, 4), "fan_out")
nn.init._calculate_correct_fan(torch.empty(2, 3, 4), "fan")
"""


@pytest.mark.parametrize("expression", EXPRESSIONS.strip().splitlines())
def test_an_expression_does_what_it_does_in_pytorch(expression):
    from collections import OrderedDict

    def program(torch):
        torch.manual_seed(0)
        names = {"torch": torch, "nn": torch.nn, "OrderedDict": OrderedDict}
        try:
            return eval(expression, names)
        except Exception as error:
            # of classes, the text has the module in which they are
            raise type(error)(str(error).replace("minitorch.", "torch.")) from None

    compare(program)


def in_place(torch):
    nn = torch.nn
    layers = nn.Sequential(nn.ReLU(), nn.Tanh())
    layers *= 2
    layers += nn.Sequential(nn.Sigmoid())
    del layers[1:3]
    return repr(layers)


def a_buffer_in_the_place_of_another(torch):
    layer = torch.nn.Linear(1, 1)
    layer.register_buffer("state", torch.ones(1))
    layer.state = torch.nn.Buffer(torch.zeros(2), persistent=False)
    return list(layer.state_dict()), list(dict(layer.named_buffers()))


def a_buffer_before_the_module_is_one(torch):
    class Early(torch.nn.Module):
        def __init__(self):
            self.state = torch.nn.Buffer(torch.ones(1))

    Early()


def a_layer_that_computes_its_weights(torch):
    class Standardized(torch.nn.Conv2d):
        def forward(self, x):
            return self._conv_forward(x, self.weight - self.weight.mean(), self.bias)

    torch.manual_seed(0)
    layer = Standardized(1, 2, 3, padding=1, padding_mode="reflect")
    return layer(torch.arange(16.0).view(1, 1, 4, 4))


@pytest.mark.parametrize(
    "program",
    [
        in_place,
        a_buffer_in_the_place_of_another,
        a_buffer_before_the_module_is_one,
        a_layer_that_computes_its_weights,
    ],
)
def test_a_program_does_what_it_does_in_pytorch(program):
    compare(program, 1e-5)


FUNCTIONS = """
F.huber_loss(x, x.flip(1), weight=x.sigmoid())
F.huber_loss(x, x.flip(1), weight=x.sigmoid(), reduction="sum")
F.interpolate(x, (3, 3), mode="bilinear", antialias=True)
F.interpolate(x.to(memory_format=torch.channels_last), (3, 3), mode="bicubic", antialias=True)
F.channel_shuffle(x[:, :2], 2)
F.channel_shuffle(x.to(memory_format=torch.channels_last), 3)
F.conv_tbc(torch.ones(3, 2, 1), torch.ones(2, 1, 2), torch.zeros(2))
"""


@pytest.mark.parametrize("expression", FUNCTIONS.strip().splitlines())
def test_a_function_gives_what_pytorch_gives(expression):
    def program(torch):
        torch.manual_seed(0)
        x = torch.randn(2, 3, 4, 4)
        return eval(expression, {"torch": torch, "F": torch.nn.functional, "x": x})

    compare(program, 1e-5)
