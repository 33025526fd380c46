"""Holds versions of two applications against the reference, and finds faults that were built in by hand.

  python3 run.py OUT [--assay ASSAY] [--only ocr|speech]

Each version is recorded twice, on its own outputs and stage by stage on the reference's, and judged by `assay pipeline
run`. Exit code: 0, or 1 if a fault was not found at its stage, or a version that computes the same was accused.
"""

import argparse
import importlib
import json
import logging
import statistics
import subprocess
import sys
import time
from pathlib import Path

from stages import record, write_bounds


def judged(assay, folder, name, given, reference, candidate):
    """What `assay pipeline run` says: the stages to blame, and those that only show what came before them."""
    free, _ = candidate.free(given)
    record(free, folder / name / "free")
    record(candidate.fed(given, reference), folder / name / "fed")
    out = folder / name / "report"
    done = subprocess.run([assay, "pipeline", "run", "--no-config", "--reference", folder / "reference", "--candidate", folder / name / "free", "--fed",
                           folder / name / "fed", "--bounds", folder / "bounds.json", "--name", name.replace(" ", "_"), "--out", out, "--quiet"],
                          capture_output=True, encoding="utf-8")
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stdout + done.stderr)
    outcomes = json.loads((out / "report.json").read_text())["outcomes"]
    stages = {outcome["labels"]["stage"].split("_", 1)[1]: outcome for outcome in outcomes if "stage" in outcome["labels"]}
    blamed = [stage for stage, outcome in stages.items() if outcome["verdict"] == "fail"]
    reached = [stage for stage, outcome in stages.items() if outcome["verdict"] == "pass" and "reaches here" in outcome["reason"]]
    if len(stages) != len(candidate.stages) or len(blamed) + sum(outcome["verdict"] == "pass" for outcome in stages.values()) != len(stages):
        raise RuntimeError(f"{name}: not every stage was decided: {stages}")
    return free, blamed, reached


def seconds_of(pipeline, given, rounds=5):
    pipeline.free(given)
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        pipeline.free(given)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def versions_of(module, folder):
    """Sessions by name, the unoptimized graph first; of what cannot be made the reason."""
    yield "graph as written", lambda: module.session("none"), True
    yield "graph optimized", lambda: module.session("all"), True
    import variants

    for name, make in (("bf16 weights", variants.bfloat16_weights), ("int8 weights", variants.int8_weights)):
        def built(name=name, make=make):
            path = folder / (name.replace(" ", "_") + ".onnx")
            make(module.MODEL, path)
            return module.session("all", path)

        yield name, built, False


def application(module, assay, folder):
    folder.mkdir(parents=True, exist_ok=True)
    reference = module.pipeline()
    outputs, _ = reference.free(module.GIVEN)
    record(outputs, folder / "reference")
    write_bounds(reference, folder / "bounds.json")
    wrong = []
    print(f"| {module.__name__} | accuracy | to blame | shows in | largest difference of the model | ms |\n|---|---|---|---|---|---|")
    for name, open_session, same in versions_of(module, folder):
        try:
            candidate = module.pipeline(open_session())
        except Exception as error:  # what a quantizer cannot make is no verdict on the model
            print(f"| {name} | not made: {str(error).splitlines()[0][:80]} | | | | |")
            continue
        free, blamed, reached = judged(assay, folder, name, module.GIVEN, outputs, candidate)
        difference = abs(free["model"].astype(float) - outputs["model"].astype(float)).max()
        print(f"| {name} | {module.accuracy(free):.2f} | {', '.join(blamed) or 'none'} | {', '.join(reached) or 'none'} | {difference:.2g} | {1000 * seconds_of(candidate, module.GIVEN):.0f} |")
        if same and blamed:
            wrong.append(f"{module.__name__}, {name}: {', '.join(blamed)} accused, which compute the same")
    print(f"\n| fault in {module.__name__} | built into | to blame | shows in | accuracy |\n|---|---|---|---|---|")
    for name, (stage, other) in module.faults().items():
        free, blamed, reached = judged(assay, folder, name, module.GIVEN, outputs, reference.with_stages(**other))
        print(f"| {name} | {stage} | {', '.join(blamed) or 'none'} | {', '.join(reached) or 'none'} | {module.accuracy(free):.2f} |")
        if blamed != [stage]:
            wrong.append(f"{module.__name__}, {name}: {blamed} blamed for what is wrong in {stage}")
    print()
    return wrong


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("out", type=Path)
    options.add_argument("--assay", default="assay")
    options.add_argument("--only", choices=["ocr", "speech"])
    asked = options.parse_args()
    logging.getLogger().setLevel(logging.ERROR)
    wrong = []
    for name in ("ocr", "speech"):
        if asked.only in (None, name):
            wrong += application(importlib.import_module(name), asked.assay, asked.out / name)
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
