"""What a language model's accuracy costs: formats of weights by perplexity, size and time, as `assay accuracy pareto` draws it.

  python3 trade_offs.py OUT [--assay ASSAY] [--sequences N]

Each format reads the same texts, a text with one format after the other, so that what slows the machine slows all. The
losses that are judged are those of the runs that are timed. Intervals of 95 %: of perplexity by paired bootstrap of the
texts against float32, of time by order statistics of the median.
"""

import argparse
import json
import math
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import onnx

import language
import variants
from intervals import median_interval
from stages import open_session

TOKENS = 128
# "dynamic": a scale a column, inputs in 8 bits as well; "b32": a scale and an offset for each 32 of a column; "words": their table too.
FORMATS = {
    "float32": None,
    "bf16": variants.bfloat16_weights,
    "int8 dynamic": variants.int8_weights,
    "int8 b32": lambda path, out: variants.block_weights(path, out, 8, 32),
    "int4 b32": lambda path, out: variants.block_weights(path, out, 4, 32),
    "int4 b128": lambda path, out: variants.block_weights(path, out, 4, 128),
    "int4 b128 words": lambda path, out: variants.block_weights(path, out, 4, 128, words=True),
}


def texts(count):
    """Documentation of ONNX's operators: prose and formulas that the pinned package has. Their first tokens."""
    docs = {schema.name: schema.doc for schema in onnx.defs.get_all_schemas() if schema.domain == "" and schema.doc}
    sequences = [language.TOKENIZER.encode(docs[name].strip()).ids[: TOKENS + 1] for name in sorted(docs)]
    sequences = [ids for ids in sequences if len(ids) == TOKENS + 1]
    if len(sequences) < count:
        raise ValueError(f"there are {len(sequences)} texts of {TOKENS + 1} tokens, and {count} were asked for")
    return sequences[:count]


def log_softmax(logits):
    high = logits.max(axis=1, keepdims=True)
    return logits - high - np.log(np.exp(logits - high).sum(axis=1, keepdims=True))


def measured(networks, sequences):
    """By format: losses [texts, tokens], divergence from the first format, agreement with its likeliest token, and seconds [texts]."""
    found = {name: {"losses": [], "divergence": [], "agrees": [], "seconds": []} for name in networks}
    for network in networks.values():
        network.run(sequences[0][:-1])  # memory is made ready
    for ids in sequences:
        reference = None
        for name, network in networks.items():
            start = time.perf_counter()
            logits, _ = network.run(ids[:-1])
            own = found[name]
            own["seconds"].append(time.perf_counter() - start)
            likely = log_softmax(logits.astype(np.float64))
            reference = likely if reference is None else reference
            own["losses"].append(-likely[np.arange(len(ids) - 1), ids[1:]])
            own["divergence"].append((np.exp(reference) * (reference - likely)).sum(axis=1))
            own["agrees"].append(reference.argmax(axis=1) == likely.argmax(axis=1))
    return {name: {what: np.array(values) for what, values in own.items()} for name, own in found.items()}


def perplexity_interval(losses, reference, resamples=2000):
    """Of exp(mean loss): the reference's, times exp of the interval of the mean difference over texts, which are paired."""
    difference = (losses - reference).mean(axis=1)
    drawn = np.random.default_rng(1).integers(0, len(difference), (resamples, len(difference)))
    low, high = np.quantile(difference[drawn].mean(axis=1), [0.025, 0.975])
    return [math.exp(reference.mean() + each) for each in (low, high)]


def claim(assay, folder, name):
    """Whether perplexity is within ±0.5 of float32's, as the tool judges it: pass, fail or inconclusive."""
    done = subprocess.run([assay, "accuracy", "perplexity", "--no-config", "--predictions", folder / f"{name}.jsonl", "--against", folder / "float32.jsonl", "--within",
                           "0.5", "--out", folder / "claim", "--quiet"], capture_output=True, encoding="utf-8")
    if not (folder / "claim" / "report.json").exists():
        raise RuntimeError(done.stdout + done.stderr)
    return json.loads((folder / "claim" / "report.json").read_text())["outcomes"][0]["verdict"]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("out", type=Path)
    options.add_argument("--assay", default="assay")
    options.add_argument("--sequences", type=int, default=32)
    asked = options.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    path = language.models(asked.out)["model"]
    networks, sizes = {}, {}
    for name, make in FORMATS.items():
        file = path if make is None else asked.out / f"{len(networks)}.onnx"
        if make:
            make(path, file)
        sizes[name] = file.stat().st_size
        networks[name] = language.Network(open_session(file, "all"))
    found = measured(networks, texts(asked.sequences))
    reference, rows = found["float32"]["losses"], []
    for name, own in found.items():
        (asked.out / f"{name}.jsonl").write_text("".join(json.dumps({"id": index, "losses": losses.tolist()}) + "\n" for index, losses in enumerate(own["losses"])))
    print("| format | perplexity | interval | within 0.5? | KL | same likeliest | MB | ms a text | interval |\n|---|---|---|---|---|---|---|---|---|")
    for name, own in found.items():
        value, (low, high) = math.exp(own["losses"].mean()), perplexity_interval(own["losses"], reference)
        median, fast, slow = median_interval(own["seconds"])
        verdict = "" if name == "float32" else claim(asked.assay, asked.out, name)
        print(f"| {name} | {value:.3f} | {low:.3f} to {high:.3f} | {verdict} | {own['divergence'].mean():.2g} | {100 * own['agrees'].mean():.1f} % | {sizes[name] / 1e6:.0f} | {1e3 * median:.0f} | {1e3 * fast:.0f} to {1e3 * slow:.0f} |")
        rows.append({"name": name, "metric": "perplexity", "higher_is_better": False, "accuracy": value, "lower": low, "upper": high, "bytes": sizes[name],
                     "seconds": median, "seconds_lower": fast, "seconds_upper": slow})
    (asked.out / "formats.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = subprocess.run([asked.assay, "accuracy", "pareto", "--no-config", "--predictions", asked.out / "formats.jsonl", "--page", asked.out / "formats.html", "--model",
                           "SmolLM2-135M-Instruct"], capture_output=True, encoding="utf-8")
    print("\n" + done.stdout + done.stderr)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
