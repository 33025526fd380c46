"""A loader of data in several processes, held to its promise.

  python3 loading.py OUT [--assay ASSAY] [--samples N] [--fault NAME]...

Epochs of one seed are loaded by one, two and three workers; each sample is unpacked, and disturbed at random as training
does it. Samples, checksums of their data, the time of the epoch and the time in which the consumer waited are judged by
`assay pipeline loading`. Exit code: 0, or 1 if the right loader was accused or a fault was not found.
"""

import argparse
import json
import multiprocessing
import multiprocessing.connection
import random
import subprocess
import sys
import time
import zlib
from pathlib import Path

BATCH, SEED = 8, 7

# What is built in, and the outcome that must fail.
FAULTS = {
    "none": None,
    "each worker loads the whole of it": "coverage",
    "the last worker's end is forgotten": "coverage",
    "who is ready first comes first": "determinism",
    "disturbed by the worker's own seed": "determinism",
}


def packed(number):
    """What is stored of a sample."""
    return zlib.compress(random.Random(number).randbytes(2000))


def loaded(number, worker, fault):
    """A sample's data, disturbed. What disturbs it is to depend on the sample, and not on who loads it."""
    data = bytearray(zlib.decompress(packed(number)))
    own_seed = worker if fault == "disturbed by the worker's own seed" else ""
    draw = random.Random(f"{SEED} {own_seed} {number}")
    for _ in range(20):
        data[draw.randrange(len(data))] = draw.randrange(256)
    return zlib.crc32(data)


def batches_of(order, worker, workers, fault):
    """The batches that a worker loads: every so many."""
    batches = [order[first : first + BATCH] for first in range(0, len(order), BATCH)]
    own = batches if fault == "each worker loads the whole of it" else batches[worker::workers]
    return own[:-1] if fault == "the last worker's end is forgotten" and worker == workers - 1 else own


def work(order, worker, workers, fault, pipe):
    for position, batch in enumerate(batches_of(order, worker, workers, fault)):
        if fault == "who is ready first comes first":
            time.sleep(random.Random(f"{worker} {position}").uniform(0, 0.01))
        pipe.send([(number, loaded(number, worker, fault)) for number in batch])
    pipe.send(None)


def epoch(samples, workers, fault):
    order = list(range(samples))
    random.Random(SEED).shuffle(order)
    pipes, processes = [], []
    start, stalled, said = time.monotonic(), 0.0, []
    for worker in range(workers):
        ours, theirs = multiprocessing.Pipe(duplex=False)
        processes.append(multiprocessing.Process(target=work, args=(order, worker, workers, fault, theirs), daemon=True))
        processes[-1].start()
        theirs.close()
        pipes.append(ours)
    turn = 0
    while pipes:
        begin = time.monotonic()
        if fault == "who is ready first comes first":
            pipe = multiprocessing.connection.wait(pipes, 60)[0]
        else:
            pipe = pipes[turn % len(pipes)]  # batch by batch, whoever is ready
        batch = pipe.recv()
        stalled += time.monotonic() - begin
        if batch is None:
            pipes.remove(pipe)
            continue
        said += batch
        turn += 1
    for process in processes:
        process.join(60)
    return {"samples": [number for number, _ in said], "checksums": [checksum for _, checksum in said], "seconds": time.monotonic() - start, "stalled_seconds": stalled}


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("out", type=Path)
    options.add_argument("--assay", default="assay")
    options.add_argument("--samples", type=int, default=400)
    options.add_argument("--fault", choices=FAULTS, action="append")
    asked = options.parse_args()
    wrong = []
    print("| built in | to blame | in words | samples/s | stalled, % |\n|---|---|---|---|---|")
    for fault in asked.fault or FAULTS:
        folder = asked.out / "".join(letter if letter.isalnum() else "_" for letter in fault)
        folder.mkdir(parents=True, exist_ok=True)
        epochs = [epoch(asked.samples, workers, fault) for workers in (1, 2, 3)]
        (folder / "epochs.jsonl").write_text("".join(json.dumps(own) + "\n" for own in epochs))
        (folder / "promise.json").write_text(json.dumps({"dataset": asked.samples, "batch": BATCH}))
        done = subprocess.run([asked.assay, "pipeline", "loading", "--no-config", "--records", folder / "epochs.jsonl", "--promise", folder / "promise.json",
                               "--out", folder / "report"], capture_output=True, encoding="utf-8")
        if done.returncode not in (0, 1):
            raise RuntimeError(done.stdout + done.stderr)
        outcomes = {outcome["id"].rsplit("/", 1)[1]: outcome for outcome in json.loads((folder / "report" / "report.json").read_text())["outcomes"]}
        failed = {check: outcome["reason"] for check, outcome in outcomes.items() if outcome["verdict"] not in ("pass", "skipped")}
        if (failed != {}) if FAULTS[fault] is None else FAULTS[fault] not in failed:
            wrong.append(f"{fault}: {failed or 'nothing'} was blamed, and {FAULTS[fault] or 'nothing'} is wrong")
        numbers = {own["name"]: own["value"] for own in outcomes["coverage"]["measurements"]}
        print(f"| {fault} | {', '.join(failed) or 'none'} | {failed.get(FAULTS[fault], '')[:90]} | {numbers['samples_per_second']:.0f} | {100 * numbers['stalled_share']:.0f} |", flush=True)
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
