"""peft: six kinds of adapters of a small language model, trained for three steps."""

import peft
import torch
from transformers import LlamaConfig, LlamaForCausalLM

IDS = torch.tensor([[1, 5, 7, 2], [3, 3, 4, 8]])
ADAPTERS = {
    "lora": peft.LoraConfig(r=4, target_modules=["q_proj", "v_proj"], task_type="CAUSAL_LM"),
    "dora": peft.LoraConfig(r=2, target_modules=["q_proj"], use_dora=True),
    "ia3": peft.IA3Config(
        target_modules=["k_proj", "down_proj"], feedforward_modules=["down_proj"]
    ),
    "lokr": peft.LoKrConfig(r=2, target_modules=["q_proj"]),
    "vera": peft.VeraConfig(r=4, target_modules=["q_proj"]),
    "prompts": peft.PromptTuningConfig(task_type="CAUSAL_LM", num_virtual_tokens=3),
}

for name, config in ADAPTERS.items():
    torch.manual_seed(0)
    base = LlamaConfig(
        vocab_size=32,
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
    )
    model = peft.get_peft_model(LlamaForCausalLM(base), config)
    model.print_trainable_parameters()
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=0.01)
    for _ in range(3):
        loss = model(input_ids=IDS, labels=IDS).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(name, f"{loss.item():.5f}", len(peft.get_peft_model_state_dict(model)))
