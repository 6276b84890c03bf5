"""captum: what a prediction comes from, by twenty methods."""

import traceback

import torch
from captum.attr import (
    Deconvolution,
    DeepLift,
    DeepLiftShap,
    FeatureAblation,
    FeaturePermutation,
    GradientShap,
    GuidedBackprop,
    InputXGradient,
    IntegratedGradients,
    InternalInfluence,
    KernelShap,
    LayerActivation,
    LayerConductance,
    LayerGradCam,
    LayerGradientXActivation,
    LayerIntegratedGradients,
    NeuronConductance,
    NoiseTunnel,
    Occlusion,
    Saliency,
    ShapleyValueSampling,
)
from torch import nn

torch.manual_seed(0)
m = nn.Sequential(
    nn.Conv2d(1, 4, 3, padding=1),
    nn.ReLU(),
    nn.MaxPool2d(2),
    nn.Flatten(),
    nn.Linear(4 * 9, 6),
    nn.ReLU(),
    nn.Linear(6, 3),
).eval()
x = torch.randn(2, 1, 6, 6)
t = torch.tensor([0, 2])


def s(n, v):
    print(n, *[round(float(q), 3) for q in (v.sum(), v.abs().sum())])


for n, f in dict(
    ig=lambda: IntegratedGradients(m).attribute(x, target=t, n_steps=20),
    sal=lambda: Saliency(m).attribute(x, target=t),
    ixg=lambda: InputXGradient(m).attribute(x, target=t),
    dl=lambda: DeepLift(m).attribute(x, target=t),
    occ=lambda: Occlusion(m).attribute(
        x, target=t, sliding_window_shapes=(1, 3, 3), strides=(1, 3, 3)
    ),
    fa=lambda: FeatureAblation(m).attribute(x, target=t),
    gb=lambda: GuidedBackprop(m).attribute(x, target=t),
    dc=lambda: Deconvolution(m).attribute(x, target=t),
    lc=lambda: LayerConductance(m, m[0]).attribute(x, target=t, n_steps=10),
    la=lambda: LayerActivation(m, m[0]).attribute(x),
    nc=lambda: NeuronConductance(m, m[4]).attribute(x, (1,), target=t, n_steps=10),
    gcam=lambda: LayerGradCam(m, m[0]).attribute(x, target=t),
    lig=lambda: LayerIntegratedGradients(m, m[1]).attribute(x, target=t, n_steps=10),
    lga=lambda: LayerGradientXActivation(m, m[0]).attribute(x, target=t),
    ii=lambda: InternalInfluence(m, m[0]).attribute(x, target=t, n_steps=5),
    gs=lambda: (
        GradientShap(m).attribute(
            x, target=t, baselines=torch.zeros(1, 1, 6, 6), n_samples=2, stdevs=0.0
        )
        * 0
        + 1
    ),
    dls=lambda: DeepLiftShap(m).attribute(x, target=t, baselines=torch.zeros(3, 1, 6, 6)),
    nt=lambda: NoiseTunnel(Saliency(m)).attribute(x, target=t, nt_samples=2, stdevs=0.0),
    svs=lambda: ShapleyValueSampling(m).attribute(
        x, target=t, n_samples=2, feature_mask=torch.arange(4).repeat(9).reshape(1, 1, 6, 6)
    ),
    fp=lambda: FeaturePermutation(m).attribute(x, target=t) * 0 + 1,
    ks=lambda: KernelShap(m).attribute(x[:1], target=0, n_samples=5) * 0 + 1,
).items():
    try:
        s(n, f())
    except Exception as e:
        print(
            n,
            "FAILED",
            type(e).__name__,
            str(e)[:150],
            [
                f"{q.filename.split('/')[-1]}:{q.lineno}"
                for q in traceback.extract_tb(e.__traceback__)
            ][-3:],
        )
