"""The time of `assay accuracy` beside that of the packages it agrees with, on the same files in the same run.

    python3 bench/accuracy_peers.py --assay build/release/bin/assay [--images N] [--texts N]

Prints a Markdown table of seconds from the files to the value, and leaves out, with a reason, a package that is missing. Exit code 1 where
values differ.
"""

import argparse
import contextlib
import io
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import time

WORDS = "the cat sat on a mat while rain was quite red seldom green and then left".split()


def detections(folder, images):
    """Seven objects and 36 detections an image, of 80 categories; every twentieth image has a crowd."""
    draw, objects, found = random.Random(2), [], []
    for image in range(1, images + 1):
        for index in range(36):
            box = [draw.randrange(500), draw.randrange(400), 8 + draw.randrange(200), 8 + draw.randrange(200)]
            category = 1 + draw.randrange(80)
            if index < 7:
                objects.append({"id": len(objects) + 1, "image_id": image, "category_id": category, "bbox": box, "area": box[2] * box[3], "iscrowd": int(index == 6 and image % 20 == 0)})
            found.append({"image_id": image, "category_id": category, "bbox": [box[0] + draw.randrange(9), *box[1:]], "score": draw.randrange(1000) / 1000})
    truth = {"images": [{"id": image} for image in range(1, images + 1)], "annotations": objects, "categories": [{"id": category} for category in range(1, 81)]}
    (folder / "truth.json").write_text(json.dumps(truth))
    (folder / "found.json").write_text(json.dumps(found))


def texts(folder, count):
    draw, lines = random.Random(1), {"ours": [], "theirs": []}
    for _ in range(count):
        theirs = [draw.choice(WORDS) for _ in range(12)]
        ours = [draw.choice(WORDS) if draw.randrange(15) == 0 else word for word in theirs if draw.randrange(20)]
        lines["theirs"].append(" ".join(theirs))
        lines["ours"].append(" ".join(ours) or "the")
    for name, own in lines.items():
        (folder / f"{name}.txt").write_text("\n".join(own) + "\n")


def pycocotools_value(folder):
    from pycocotools.coco import COCO
    from pycocotools.cocoeval import COCOeval

    with contextlib.redirect_stdout(io.StringIO()):
        truth = COCO(str(folder / "truth.json"))
        evaluation = COCOeval(truth, truth.loadRes(str(folder / "found.json")), "bbox")
        evaluation.evaluate()
        evaluation.accumulate()
        evaluation.summarize()
    return evaluation.stats[0]


def lines_of(folder):
    return [(folder / f"{name}.txt").read_text().splitlines() for name in ("ours", "theirs")]


def jiwer_value(folder):
    import jiwer

    ours, theirs = lines_of(folder)
    return jiwer.wer(theirs, ours)


def sacrebleu_value(metric):
    def value(folder):
        import sacrebleu

        ours, theirs = lines_of(folder)
        return getattr(sacrebleu, f"corpus_{metric}")(ours, [theirs]).score

    return value


def timed(function, *arguments):
    start = time.perf_counter()
    value = function(*arguments)
    return value, time.perf_counter() - start


def assay_value(assay, folder, metric, predictions, references):
    subprocess.run([assay, "accuracy", metric, "--no-config", "--predictions", folder / predictions, "--references", folder / references, "--out", folder / "out", "--quiet"],
                   check=True, stdout=subprocess.DEVNULL)
    outcome = json.loads((folder / "out" / "report.json").read_text())["outcomes"][0]
    return outcome["measurements"][0]["value"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--assay", default="build/release/bin/assay")
    parser.add_argument("--images", type=int, default=5000)
    parser.add_argument("--texts", type=int, default=100000)
    options = parser.parse_args()
    code = 0
    print("| metric | package | its seconds | assay's | times as fast |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        detections(folder, options.images)
        texts(folder, options.texts)
        for metric, package, value, files in (
            ("map", "pycocotools", pycocotools_value, ("found.json", "truth.json")),
            ("wer", "jiwer", jiwer_value, ("ours.txt", "theirs.txt")),
            ("bleu", "sacrebleu", sacrebleu_value("bleu"), ("ours.txt", "theirs.txt")),
            ("chrf", "sacrebleu", sacrebleu_value("chrf"), ("ours.txt", "theirs.txt")),
            ("ter", "sacrebleu", sacrebleu_value("ter"), ("ours.txt", "theirs.txt")),
        ):
            ours, seconds = timed(assay_value, options.assay, folder, metric, *files)
            try:
                theirs, package_seconds = timed(value, folder)
            except ImportError as error:
                print(f"| {metric} | {package} | {error} | {seconds:.2f} | |")
                continue
            print(f"| {metric} | {package} | {package_seconds:.2f} | {seconds:.2f} | {package_seconds / seconds:.1f} |", flush=True)
            if abs(ours - theirs) > 1e-9 * max(1, abs(theirs)):
                print(f"{metric}: assay {ours!r}, {package} {theirs!r}", file=sys.stderr)
                code = 1
    return code


if __name__ == "__main__":
    sys.exit(main())
