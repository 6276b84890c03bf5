"""pytorch-lightning: a classifier with validation, a schedule, clipped gradients and a checkpoint."""

import logging
import tempfile
import warnings

warnings.simplefilter("ignore")

import pytorch_lightning as lightning
import torch

for name in ("pytorch_lightning", "lightning_fabric", "lightning.pytorch", "lightning.fabric"):
    logging.getLogger(name).setLevel(logging.ERROR)


def show(*values):
    print(*(round(float(value), 4) for value in values))


class Model(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.save_hyperparameters()
        self.layers = torch.nn.Sequential(
            torch.nn.Linear(4, 8), torch.nn.Tanh(), torch.nn.Linear(8, 3)
        )

    def forward(self, x):
        return self.layers(x)

    def training_step(self, batch, number):
        x, y = batch
        loss = torch.nn.functional.cross_entropy(self(x), y)
        self.log("loss", loss)
        return loss

    def validation_step(self, batch, number):
        x, y = batch
        self.log("accuracy", (self(x).argmax(1) == y).float().mean())

    def configure_optimizers(self):
        optimizer = torch.optim.Adam(self.parameters(), lr=0.05)
        return [optimizer], [torch.optim.lr_scheduler.StepLR(optimizer, 2, 0.5)]


lightning.seed_everything(3, verbose=False)
x = torch.randn(60, 4)
y = (x @ torch.randn(4, 3)).argmax(1)
data = torch.utils.data.TensorDataset(x, y)
model = Model()
with tempfile.TemporaryDirectory() as folder:
    trainer = lightning.Trainer(
        max_epochs=4,
        accelerator="cpu",
        default_root_dir=folder,
        logger=False,
        enable_progress_bar=False,
        gradient_clip_val=1.0,
    )
    trainer.fit(
        model,
        torch.utils.data.DataLoader(data, 10, shuffle=True),
        torch.utils.data.DataLoader(data, 30),
    )
    show(*trainer.callback_metrics.values())
    trainer.save_checkpoint(folder + "/x.ckpt")
    again = Model.load_from_checkpoint(folder + "/x.ckpt")
show(*(p.norm() for p in model.parameters()), *(a.sum() for a in again.state_dict().values()))
print(
    again.device,
    again.dtype,
    lightning.utilities.model_summary.ModelSummary(model).total_parameters,
)
