"""kornia: colours, filters, geometry, features, losses, augmentation, with gradients."""

import warnings

warnings.simplefilter("ignore")

import kornia as K
import torch


def show(name, *values):
    print(name, *(round(float(value.double().abs().mean()), 4) for value in values))


torch.manual_seed(0)
x = torch.rand(2, 3, 16, 20)
g = x.mean(1, keepdim=True)


def attempt(name, function):
    y = x.clone().requires_grad_()
    result = function(y)
    results = result if isinstance(result, (tuple, list)) else (result,)
    total = sum(r.sum() for r in results if r.is_floating_point())
    total.backward() if total.requires_grad else None
    show(name, *results, *([] if y.grad is None else [y.grad]))


for name in ("rgb_to_grayscale", "rgb_to_hsv", "rgb_to_lab", "rgb_to_luv", "rgb_to_ycbcr", "rgb_to_xyz",
             "rgb_to_yuv", "rgb_to_hls", "rgb_to_linear_rgb", "sepia"):  # fmt: skip
    attempt(name, getattr(K.color, name))
attempt("gaussian", lambda y: K.filters.gaussian_blur2d(y, (5, 5), (1.5, 1.5)))
attempt("sobel", K.filters.sobel)
attempt("laplacian", lambda y: K.filters.laplacian(y, 3))
attempt("median", lambda y: K.filters.median_blur(y, 3))
attempt("box", lambda y: K.filters.box_blur(y, 3))
attempt("unsharp", lambda y: K.filters.unsharp_mask(y, (3, 3), (1.0, 1.0)))
attempt("bilateral", lambda y: K.filters.bilateral_blur(y, 3, 0.1, (1.5, 1.5)))
attempt("canny", lambda y: K.filters.canny(y)[0])
attempt("pyramid", lambda y: K.geometry.transform.pyrdown(y))
attempt("rotate", lambda y: K.geometry.transform.rotate(y, torch.tensor([30.0, 60.0])))
attempt("affine", lambda y: K.geometry.transform.resize(y, (9, 11)))
attempt("warp", lambda y: K.geometry.transform.warp_perspective(
    y, torch.eye(3).repeat(2, 1, 1) + torch.tensor([[0.1, 0.0, 1.0], [0.0, 0.0, 2.0], [0.0, 0.0, 0.0]]), (16, 20)
))  # fmt: skip
attempt("erosion", lambda y: K.morphology.erosion(y, torch.ones(3, 3)))
attempt("dilation", lambda y: K.morphology.dilation(y, torch.ones(3, 3)))
attempt("gradient", lambda y: K.morphology.gradient(y, torch.ones(3, 3)))
attempt("harris", lambda y: K.feature.harris_response(y))
attempt("ssim", lambda y: K.metrics.ssim(y, x.flip(-1), 5))
attempt("psnr", lambda y: K.metrics.psnr(y, x.flip(-1), 1.0))
attempt("ssim loss", lambda y: K.losses.ssim_loss(y, x.flip(-1), 5))
attempt("total variation", lambda y: K.losses.total_variation(y))
attempt("equalize", lambda y: K.enhance.equalize(y.detach()))
attempt("brightness", lambda y: K.enhance.adjust_brightness(y, 0.2))
attempt("hue", lambda y: K.enhance.adjust_hue(y, 0.3))
attempt("gamma", lambda y: K.enhance.adjust_gamma(y, 0.7))
attempt("normalize", lambda y: K.enhance.normalize(y, torch.tensor([0.5]), torch.tensor([0.2])))
attempt("zca", lambda y: K.enhance.zca_whiten(y.flatten(2)[:, 0, :5]))
attempt("spatial softmax", lambda y: K.geometry.subpix.spatial_soft_argmax2d(y))
attempt("crops", lambda y: K.geometry.transform.center_crop(y, (8, 8)))
labels = (g[:, 0] * 3).long()
attempt("focal", lambda y: K.losses.focal_loss(y, labels, 0.5, 2.0, "mean"))
attempt("dice", lambda y: K.losses.dice_loss(y, labels))
points = torch.rand(2, 5, 3)
show("quaternions", K.geometry.conversions.axis_angle_to_quaternion(points), K.geometry.convert_points_to_homogeneous(points))  # fmt: skip
show("rotation", K.geometry.conversions.axis_angle_to_rotation_matrix(points[0]))
torch.manual_seed(1)
layers = K.augmentation.AugmentationSequential(
    K.augmentation.RandomHorizontalFlip(p=0.5),
    K.augmentation.RandomAffine(20.0, p=1.0),
    K.augmentation.ColorJiggle(0.1, 0.1, 0.1, 0.1, p=1.0),
    data_keys=["input"],
)
attempt("augmentation", layers)
