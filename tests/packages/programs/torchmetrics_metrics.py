"""torchmetrics: metrics of classes, numbers, images, texts, sounds and rankings."""

import traceback

import torch
import torchmetrics as tm
import torchmetrics.functional as tf

torch.manual_seed(0)
p = torch.rand(40, 5).softmax(1)
t = torch.randint(5, (40,))
b = torch.rand(40)
bt = torch.randint(2, (40,))
r = torch.randn(40)
rt = r + 0.3 * torch.randn(40)


def s(n, f):
    try:
        v = f()
        v = v if isinstance(v, (tuple, list)) else list(v.values()) if isinstance(v, dict) else [v]
        print(
            n,
            *[
                round(float(q), 4)
                for u in v
                for q in torch.as_tensor(u, dtype=torch.float64).flatten()[:8]
            ],
        )
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


C = tm.classification
for n, m, a in [
    ("acc", C.MulticlassAccuracy(5), (p, t)),
    ("f1", C.MulticlassF1Score(5, average=None), (p, t)),
    ("prec", C.MulticlassPrecision(5), (p, t)),
    ("rec", C.MulticlassRecall(5), (p, t)),
    ("cm", C.MulticlassConfusionMatrix(5), (p, t)),
    ("auroc", C.MulticlassAUROC(5), (p, t)),
    ("bauroc", C.BinaryAUROC(), (b, bt)),
    ("ap", C.BinaryAveragePrecision(), (b, bt)),
    ("roc", C.BinaryROC(thresholds=5), (b, bt)),
    ("prc", C.BinaryPrecisionRecallCurve(), (b, bt)),
    ("cal", C.BinaryCalibrationError(), (b, bt)),
    ("mcc", C.MulticlassMatthewsCorrCoef(5), (p, t)),
    ("kappa", C.MulticlassCohenKappa(5), (p, t)),
    ("hinge", C.MulticlassHingeLoss(5), (p, t)),
    ("jac", C.MulticlassJaccardIndex(5), (p, t)),
    ("mse", tm.MeanSquaredError(), (r, rt)),
    ("mae", tm.MeanAbsoluteError(), (r, rt)),
    ("r2", tm.R2Score(), (r, rt)),
    ("pear", tm.PearsonCorrCoef(), (r, rt)),
    ("spear", tm.SpearmanCorrCoef(), (r, rt)),
    ("kend", tm.KendallRankCorrCoef(), (r, rt)),
    ("ev", tm.ExplainedVariance(), (r, rt)),
    ("cos", tm.CosineSimilarity(), (r[None], rt[None])),
    ("kl", tm.KLDivergence(), (p, p.flip(0))),
    ("mean", tm.MeanMetric(), (r,)),
    ("max", tm.MaxMetric(), (r,)),
    ("cat", tm.CatMetric(), (r,)),
    ("acc2", tm.Accuracy(task="multiclass", num_classes=5, top_k=2), (p, t)),
]:
    s(n, lambda: (m.update(*a), m.compute())[1])
im = torch.rand(2, 3, 32, 32)
im2 = (im + 0.1 * torch.rand(2, 3, 32, 32)).clamp(0, 1)
s("psnr", lambda: tm.image.PeakSignalNoiseRatio(data_range=1.0)(im, im2))
s("ssim", lambda: tm.image.StructuralSimilarityIndexMeasure(data_range=1.0)(im, im2))
s("tv", lambda: tm.image.TotalVariation()(im))
s("wer", lambda: tm.text.WordErrorRate()(["a b c"], ["a b d"]))
s("bleu", lambda: tm.text.BLEUScore()(["the cat is on the mat"], [["the cat is on a mat"]]))
s("ppl", lambda: tm.text.Perplexity()(p[None].log(), t[None]))
s("rouge", lambda: tm.text.CharErrorRate()(["abc"], ["abd"]))
s("ndcg", lambda: tm.retrieval.RetrievalNormalizedDCG()(b, bt, torch.arange(4).repeat(10)))
s("map", lambda: tm.retrieval.RetrievalMAP()(b, bt, torch.arange(4).repeat(10)))
s("coll", lambda: tm.MetricCollection([C.MulticlassAccuracy(5), C.MulticlassPrecision(5)])(p, t))
s("snr", lambda: tm.audio.SignalNoiseRatio()(r, rt))
s("boot", lambda: tm.MinMaxMetric(tm.MeanSquaredError())(r, rt))
s("sisdr", lambda: tm.audio.ScaleInvariantSignalDistortionRatio()(r, rt))
s("pair", lambda: tf.pairwise_cosine_similarity(p[:3]))
import pickle

m = pickle.loads(pickle.dumps(C.MulticlassAccuracy(5)))
s("pickle", lambda: m(p, t))
