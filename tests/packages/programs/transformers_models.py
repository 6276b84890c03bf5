"""transformers: small models of nine kinds, trained for a step, and texts generated."""

import tempfile

import torch
import transformers as tf

tf.logging.set_verbosity_error()
IDS = torch.tensor([[1, 5, 7, 2, 9], [3, 3, 4, 8, 6]])
SMALL = {"vocab_size": 32, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 31}
LAYERS = {
    "hidden_size": 16,
    "intermediate_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
}
LANGUAGE = {
    tf.GPT2LMHeadModel: tf.GPT2Config(n_layer=2, n_head=2, n_embd=16, n_positions=32, **SMALL),
    tf.LlamaForCausalLM: tf.LlamaConfig(num_key_value_heads=2, **LAYERS, **SMALL),
    tf.MistralForCausalLM: tf.MistralConfig(
        num_key_value_heads=2, sliding_window=3, **LAYERS, **SMALL
    ),
    tf.MixtralForCausalLM: tf.MixtralConfig(
        num_key_value_heads=2, num_local_experts=3, **LAYERS, **SMALL
    ),
    tf.MambaForCausalLM: tf.MambaConfig(hidden_size=16, state_size=4, num_hidden_layers=2, **SMALL),
}
PICTURES = {
    tf.ViTForImageClassification: tf.ViTConfig(image_size=32, patch_size=8, **LAYERS),
    tf.ResNetForImageClassification: tf.ResNetConfig(
        embedding_size=8, hidden_sizes=[8, 16], depths=[1, 1]
    ),
}


def report(name, model, out):
    out.loss.backward()
    size = sum(p.grad.abs().sum() for p in model.parameters() if p.grad is not None)
    print(name, f"{out.loss.item():.4f} {size.item():.3f}", out.logits.flatten()[:4].tolist())


for cls, config in LANGUAGE.items():
    torch.manual_seed(0)
    model = cls(config).eval()
    report(cls.__name__, model, model(input_ids=IDS, labels=IDS))
    for how in ({"do_sample": False}, {"num_beams": 3, "do_sample": False}):
        print(model.generate(IDS, max_new_tokens=5, pad_token_id=0, **how).tolist())

torch.manual_seed(0)
config = tf.T5Config(
    vocab_size=32, d_model=16, d_kv=8, d_ff=32, num_layers=2, num_heads=2, decoder_start_token_id=0
)
model = tf.T5ForConditionalGeneration(config).eval()
report("T5", model, model(input_ids=IDS, labels=IDS))
print(model.generate(IDS, max_new_tokens=5, do_sample=False).tolist())

torch.manual_seed(0)
model = tf.BertForMaskedLM(tf.BertConfig(vocab_size=32, **LAYERS)).eval()
mask = torch.tensor([[1, 1, 1, 1, 0], [1, 1, 1, 1, 1]])
report("BERT", model, model(IDS, attention_mask=mask, labels=IDS))

for cls, config in PICTURES.items():
    torch.manual_seed(0)
    model = cls(config).eval()
    report(cls.__name__, model, model(torch.randn(2, 3, 32, 32), labels=torch.tensor([0, 1])))

with tempfile.TemporaryDirectory() as directory:
    model.save_pretrained(directory)
    again = type(model).from_pretrained(directory)
    half = type(model).from_pretrained(directory, dtype=torch.bfloat16)
print(all(torch.equal(a, b) for a, b in zip(model.parameters(), again.parameters(), strict=True)))
print({str(p.dtype) for p in half.parameters()}, {p.device.type for p in half.parameters()})
with torch.device("meta"):
    empty = type(model)(model.config)
print(empty.num_parameters(), {p.device.type for p in empty.parameters()})
