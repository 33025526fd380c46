"""How fast versions of models are, and how much memory they take, with the outputs of all timed runs looked at.

  python3 performance.py OUT [--only NAME]... [--rounds N]

Each version has a process of its own. They take turns: in each round every version does each unit of work once, in an
order that is turned from round to round, so that what slows the machine slows all. Two rounds warm up. A median has the
order statistics that hold it with 95 %. Each run's output is compared with that version's first, bit by bit, and that
with the reference's. Exit code: 0, or 1 where outputs of timed runs differ, or a version that computes the same is
beyond the bound of its stage.
"""

import argparse
import importlib
import json
import logging
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

import variants
from intervals import median_interval

APPLICATIONS = ("ocr", "speech", "embedding", "transcription", "language")
BATCHES, PROMPTS, CONTEXT = (1, 2, 4, 8, 16, 32), (16, 64, 256), 64


def units(module, networks):
    """Units of work: a name, how much it is of what, the stage whose bound it has, and a function that returns the output."""
    pipeline = module.pipeline(networks)
    if module.__name__ == "ocr":
        ready, _ = module.Pipeline({name: pipeline.stages[name] for name in ("decode", "resize", "normalize")}, {}).free(module.GIVEN)
        yield "four lines of text", len(module.TEXTS), "lines", "model", lambda: pipeline.stages["model"](ready["normalize"])
    if module.__name__ == "speech":
        ready, _ = module.Pipeline({name: pipeline.stages[name] for name in ("samples", "resample", "windows")}, {}).free(module.GIVEN)
        yield "one window", module.WINDOW / module.RATE, "s of sound", "model", lambda: pipeline.stages["model"](ready["windows"][:1])
        yield "three seconds", 3, "s of sound", "model", lambda: pipeline.stages["model"](ready["windows"])
    if module.__name__ == "embedding":
        for batch in BATCHES:
            ids = pipeline.stages["tokenize"]((module.GIVEN * 2)[:batch])
            yield f"batch of {batch}", batch, "sentences", "model", lambda ids=ids: pipeline.stages["model"](ids)
    if module.__name__ == "transcription":
        ready, _ = module.Pipeline({name: pipeline.stages[name] for name in ("samples", "resample", "spectrum", "mel")}, {}).free(module.GIVEN[:1])
        yield "encoder, one recording", module.seconds_of(module.GIVEN[0]), "s of speech", "encoder", lambda: pipeline.stages["encoder"](ready["mel"])
        yield "all, one recording", module.seconds_of(module.GIVEN[0]), "s of speech", None, lambda: np.array(pipeline.stages["decoder"](pipeline.stages["encoder"](ready["mel"])))
    if module.__name__ == "language":
        own, tokens = module.Network(networks["model"]), module.TOKENIZER.encode(module.PROSE).ids
        for length in PROMPTS:
            yield f"prefill of {length}", length, "tokens", "logits", lambda length=length: own.run(tokens[:length])[0][-1:]
        _, past = own.run(tokens[:CONTEXT])
        yield f"decode after {CONTEXT}", 1, "tokens", "logits", lambda: own.run(tokens[CONTEXT : CONTEXT + 1], past)[0]


def megabytes(kind):
    """Memory of this process: VmRSS in use, VmHWM the most that ever was."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(kind))


def serve(name, version, folder):
    """A version's process: does a unit of work for each line that names one, and answers with seconds and what came of it."""
    module = importlib.import_module(name)
    files = {which: Path(path) for which, path in json.loads((folder / f"{version}.json").read_text()).items()}
    before = megabytes("VmRSS")
    networks = variants.VERSIONS[version].open(files)
    work, first = {title: rest for title, *rest in units(module, networks)}, {}
    print(json.dumps([[title, amount, what, stage] for title, (amount, what, stage, _) in work.items()]), flush=True)
    for line in sys.stdin:
        title = line.strip()
        start = time.perf_counter()
        output = work[title][-1]()
        seconds = time.perf_counter() - start
        if title not in first:
            first[title] = output
            np.save(folder / f"{version} {title}.npy", output)
        print(json.dumps({"seconds": seconds, "same": bool(np.array_equal(output, first[title])), "megabytes": megabytes("VmHWM") - before}), flush=True)


class Version:
    def __init__(self, name, version, folder):
        self.name, self.folder = version, folder
        self.process = subprocess.Popen([sys.executable, __file__, "--serve", name, version, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
        line = self.process.stdout.readline()
        self.units = json.loads(line) if line else []
        self.trouble = "" if line else self.process.communicate()[1].strip().splitlines()[-1]
        self.seconds, self.varies, self.megabytes = {title: [] for title, *_ in self.units}, set(), 0

    def run(self, title, counts):
        self.process.stdin.write(title + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        self.megabytes = answer["megabytes"]
        if counts:
            self.seconds[title].append(answer["seconds"])
        if not answer["same"]:
            self.varies.add(title)

    def output(self, title):
        return np.load(self.folder / f"{self.name} {title}.npy")

    def end(self):
        if self.process.poll() is None:
            self.process.stdin.close()
            self.process.wait(60)


def application(name, folder, rounds):
    module, wrong = importlib.import_module(name), []
    folder.mkdir(parents=True, exist_ok=True)
    paths = module.models(folder)
    versions = []
    for version, kind in variants.VERSIONS.items():
        try:
            files = kind.files(paths, folder)
            (folder / f"{version}.json").write_text(json.dumps({which: str(path) for which, path in files.items()}))
            versions.append(Version(name, version, folder))
            trouble = versions[-1].trouble
        except ValueError as error:  # what a quantizer cannot make
            trouble = str(error)
        if trouble:
            print(f"{name}, {version}: not made: {trouble[:120]}", file=sys.stderr)
    versions = [version for version in versions if not version.trouble]
    for turn in range(rounds + 2):
        order = versions[turn % len(versions) :] + versions[: turn % len(versions)]
        for title, *_ in versions[0].units:
            for version in order:
                version.run(title, turn >= 2)
    bounds = module.pipeline(dict.fromkeys(paths)).bounds
    print(f"| {name} | version | median, ms | 95 % interval | a second | largest difference | MB |\n|---|---|---|---|---|---|---|")
    for title, amount, what, stage in versions[0].units:
        reference = versions[0].output(title).astype(float)
        for version in versions:
            median, low, high = median_interval(version.seconds[title])
            output = version.output(title).astype(float)
            same_shape = output.shape == reference.shape
            difference = np.abs(output - reference).max() if same_shape else np.inf
            print(f"| {title} | {version.name} | {1e3 * median:.2f} | {1e3 * low:.2f} to {1e3 * high:.2f} | {amount / median:.3g} {what} | "
                  f"{f'{difference:.2g}' if same_shape else 'other length'} | {version.megabytes:.0f} |")
            bound = bounds[stage] if stage else {"absolute": 0}
            if variants.VERSIONS[version.name].same and not (same_shape and (np.abs(output - reference) <= bound["absolute"] + bound.get("relative", 0) * np.abs(reference)).all()):
                wrong.append(f"{name}, {version.name}, {title}: outputs are off by {difference:.2g}, beyond the bound of {stage}")
    wrong += [f"{name}, {version.name}, {title}: timed runs gave different outputs" for version in versions for title in sorted(version.varies)]
    for version in versions:
        version.end()
    print(flush=True)
    return wrong


def main():
    logging.getLogger().setLevel(logging.ERROR)
    if sys.argv[1:2] == ["--serve"]:
        return serve(sys.argv[2], sys.argv[3], Path(sys.argv[4]))
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("out", type=Path)
    options.add_argument("--only", choices=APPLICATIONS, action="append")
    options.add_argument("--rounds", type=int, default=15)
    asked = options.parse_args()
    wrong = []
    for name in asked.only or APPLICATIONS:
        wrong += application(name, asked.out / name, asked.rounds)
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
