"""x-transformers: language models of many kinds, trained and sampled; an encoder with a decoder; images."""

import torch
from x_transformers import (
    AutoregressiveWrapper,
    ContinuousTransformerWrapper,
    Decoder,
    Encoder,
    TransformerWrapper,
    ViTransformerWrapper,
    XTransformer,
)

KINDS = {
    "alibi": {"alibi_pos_bias": True},
    "flash": {"attn_flash": True},
    "gated": {"ff_glu": True, "gate_residual": True},
    "normalized": {"use_rmsnorm": True, "attn_qk_norm": True, "sandwich_norm": True},
    "one key head": {"attn_kv_heads": 1, "attn_num_mem_kv": 2},
    "relative": {"rel_pos_bias": True, "shift_tokens": 1},
    "residual": {"residual_attn": True, "macaron": True},
    "talking": {"attn_pre_talking_heads": True, "attn_softclamp_logits": True},
}


def show(name, tensor):
    print(name, tuple(tensor.shape), [round(x, 4) for x in tensor.flatten()[:4].tolist()])


for name, options in KINDS.items():
    torch.manual_seed(0)
    layers = Decoder(dim=16, depth=2, heads=2, attn_dim_head=8, **options)
    model = AutoregressiveWrapper(
        TransformerWrapper(num_tokens=20, max_seq_len=16, attn_layers=layers)
    )
    optimizer = torch.optim.Adam(model.parameters(), 1e-3)
    tokens = torch.randint(0, 20, (2, 12))
    for _ in range(2):
        loss = model(tokens)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        show(name, loss)
    show(name, model.generate(torch.zeros(2, 1).long(), 5).float())

torch.manual_seed(0)
sizes = {"num_tokens": 10, "depth": 1, "heads": 2, "max_seq_len": 8}
both = XTransformer(
    dim=16, **{f"{side}_{key}": n for side in ("enc", "dec") for key, n in sizes.items()}
)
loss = both(
    torch.randint(0, 10, (1, 6)), torch.randint(0, 10, (1, 7)), mask=torch.ones(1, 6).bool()
)
loss.backward()
show("encoder and decoder", loss)

images = ViTransformerWrapper(
    image_size=16, patch_size=8, num_classes=3, attn_layers=Encoder(dim=16, depth=1, heads=2)
)
show("images", images(torch.randn(1, 3, 16, 16)))
numbers = ContinuousTransformerWrapper(
    dim_in=4, dim_out=3, max_seq_len=8, attn_layers=Encoder(dim=16, depth=1, heads=2)
)
show("numbers", numbers(torch.randn(1, 8, 4), mask=torch.ones(1, 8).bool()))
