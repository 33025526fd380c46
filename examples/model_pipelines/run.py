"""Holds versions of five applications against the reference, and finds faults that were built in by hand.

  python3 run.py OUT [--assay ASSAY] [--only NAME]... [--no-versions | --no-faults]

Each version is recorded twice, on its own outputs and stage by stage on the reference's, and judged by `assay pipeline
run`. Exit code: 0, or 1 if a fault was not found at its stage, a version that computes the same was accused, or a timed
run gave other outputs than the one that was judged.
"""

import argparse
import importlib
import json
import logging
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

import numpy as np

import variants
from stages import record, write_bounds

APPLICATIONS = ("ocr", "speech", "embedding", "transcription", "language")


def judged(assay, folder, name, given, reference, candidate, like=None):
    """What `assay pipeline run` says: the stages to blame, and those that only show what came before them."""
    free, _ = candidate.free(given, like, reference)
    record(free, folder / name / "free")
    record(candidate.fed(given, reference, like), folder / name / "fed")
    out = folder / name / "report"
    done = subprocess.run([assay, "pipeline", "run", "--no-config", "--reference", folder / "reference", "--candidate", folder / name / "free", "--fed",
                           folder / name / "fed", "--bounds", folder / "bounds.json", "--name", name.replace(" ", "_"), "--out", out, "--quiet"],
                          capture_output=True, encoding="utf-8")
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stdout + done.stderr)
    outcomes = json.loads((out / "report.json").read_text())["outcomes"]
    shutil.rmtree(folder / name)
    stages = {outcome["labels"]["stage"].split("_", 1)[1]: outcome for outcome in outcomes if "stage" in outcome["labels"]}
    blamed = [stage for stage, outcome in stages.items() if outcome["verdict"] == "fail"]
    reached = [stage for stage, outcome in stages.items() if outcome["verdict"] == "pass" and "reaches here" in outcome["reason"]]
    if len(stages) != len(candidate.stages) or len(blamed) + sum(outcome["verdict"] == "pass" for outcome in stages.values()) != len(stages):
        raise RuntimeError(f"{name}: not every stage was decided: {stages}")
    return free, blamed, reached


def same(ours, theirs):
    return np.array_equal(ours, theirs, equal_nan=True) if isinstance(ours, np.ndarray) else ours == theirs


def timed(pipeline, given, outputs, rounds):
    """Median seconds by stage, and the stages that gave other outputs than those that were judged in any of the timed runs."""
    runs, other = [], set()
    for _ in range(rounds):
        again, seconds = pipeline.free(given)
        runs.append(seconds)
        other |= {stage for stage in again if not same(again[stage], outputs[stage])}
    return {stage: statistics.median(run[stage] for run in runs) for stage in outputs}, [stage for stage in outputs if stage in other]


def versions(module, assay, folder, paths, given, outputs, rounds):
    """A row a version; returns what is wrong."""
    wrong, models = [], module.MODEL_STAGES
    print(f"| {module.__name__} | accuracy | to blame | shows in | largest difference of {', '.join(models)} | ms | {module.RATE_OF[0]} |\n|---|---|---|---|---|---|---|")
    for name, version in variants.VERSIONS.items():
        try:
            candidate = module.pipeline(version.open(version.files(paths, folder)))
            free, blamed, reached = judged(assay, folder, name, given, outputs, candidate)
        except (ValueError, RuntimeError, ImportError) as error:  # what a quantizer or a runtime cannot make is no verdict on the model
            print(f"| {name} | not made: {next(line for line in str(error).splitlines() if line)[:100]} | | | | | |")
            if version.same and "openvino" not in str(error):
                wrong.append(f"{module.__name__}, {name}: {error}")
            continue
        apart = [f"{np.abs(free[stage].astype(float) - outputs[stage]).max():.2g}" if free[stage].shape == outputs[stage].shape else "shape" for stage in models]
        seconds, other = timed(candidate, given, free, rounds)
        rate = module.RATE_OF[1](outputs, seconds)
        print(f"| {name} | {module.accuracy(free):.2f} | {', '.join(blamed) or 'none'} | {', '.join(reached) or 'none'} | {', '.join(apart)} | {1000 * sum(seconds.values()):.0f} | {rate} |", flush=True)
        if version.same and blamed:
            wrong.append(f"{module.__name__}, {name}: {', '.join(blamed)} accused, which compute the same")
        if other:
            wrong.append(f"{module.__name__}, {name}: timed runs gave other outputs of {', '.join(other)} than the run that was judged")
    return wrong


def faults(module, assay, folder, networks, given, outputs, reference):
    wrong = []
    print(f"\n| fault in {module.__name__} | built into | to blame | shows in | accuracy |\n|---|---|---|---|---|")
    for name, (stage, other) in module.faults(networks, folder).items():
        free, blamed, reached = judged(assay, folder, name, given, outputs, reference.with_stages(**other), reference)
        print(f"| {name} | {stage} | {', '.join(blamed) or 'none'} | {', '.join(reached) or 'none'} | {module.accuracy(free):.2f} |", flush=True)
        if blamed != [stage]:
            wrong.append(f"{module.__name__}, {name}: {blamed} blamed for what is wrong in {stage}")
    return wrong


def application(module, asked, folder):
    folder.mkdir(parents=True, exist_ok=True)
    paths = module.models(folder)
    networks = variants.VERSIONS["graph as written"].open(paths)
    reference = module.pipeline(networks)
    outputs, _ = reference.free(module.GIVEN)
    record(outputs, folder / "reference")
    write_bounds(reference, folder / "bounds.json")
    wrong = [] if asked.no_versions else versions(module, asked.assay, folder, paths, module.GIVEN, outputs, asked.rounds)
    wrong += [] if asked.no_faults else faults(module, asked.assay, folder, networks, module.GIVEN, outputs, reference)
    print()
    return wrong


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("out", type=Path)
    options.add_argument("--assay", default="assay")
    options.add_argument("--only", choices=APPLICATIONS, action="append")
    options.add_argument("--rounds", type=int, default=3, help="runs that are timed, and whose outputs are compared")
    options.add_argument("--no-versions", action="store_true")
    options.add_argument("--no-faults", action="store_true")
    asked = options.parse_args()
    logging.getLogger().setLevel(logging.ERROR)
    wrong = []
    for name in asked.only or APPLICATIONS:
        try:
            module = importlib.import_module(name)
        except (ModuleNotFoundError, FileNotFoundError) as error:
            wrong.append(f"{name} was not run: {error}")
            continue
        wrong += application(module, asked, asked.out / name)
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
