"""accuracy_oracle.py ASSAY ENVIRONMENT: assay accuracy gives the figures of sacrebleu, jiwer, rouge_score, pycocotools
and, where it is there, scikit-learn, on random and on awkward data.

ENVIRONMENT is a virtual environment that has them. Exit status 77, which ctest calls skipped, where they are missing.
"""

import contextlib
import glob
import io
import json
import math
import os
import random
import subprocess
import sys
import tempfile

ASSAY, ENVIRONMENT = sys.argv[1:3]
sys.path[:0] = glob.glob(os.path.join(ENVIRONMENT, "lib", "python3*", "site-packages"))
try:
    import jiwer
    import numpy as np
    import sacrebleu
    from pycocotools.coco import COCO
    from pycocotools.cocoeval import COCOeval
    from rouge_score import rouge_scorer
except ImportError as error:
    reason = os.path.join(ENVIRONMENT, "reason")
    print("skipped:", open(reason).read().strip() if os.path.exists(reason) else f"{error} in {ENVIRONMENT}")
    sys.exit(77)
try:
    import sklearn.metrics
except ImportError:
    sklearn = None

compared = 0


def figures(folder, metric, *options):
    out = os.path.join(folder, "out")
    done = subprocess.run([ASSAY, "accuracy", metric, *options, "--out", out, "--quiet", "--no-config"], capture_output=True, encoding="utf-8")
    assert done.returncode == 0, (metric, options, done.stdout, done.stderr)
    with open(os.path.join(out, "report.json")) as file:
        outcome = json.load(file)["outcomes"][0]
    return {own["name"]: own["value"] for own in outcome["measurements"]}


def agree(what, ours, theirs, relative=1e-12):
    global compared
    compared += 1
    close = ours == theirs or abs(ours - theirs) <= relative * max(abs(ours), abs(theirs)) or (abs(ours) < 1e-12 and abs(theirs) < 1e-12)
    assert close, f"{what}: assay {ours!r}, the package {theirs!r}"


def write(folder, name, rows):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps(row) + "\n")
    return path


WORDS = "the cat sat on a mat , and then it 3.5 1,000 slept . Über straße naïve 我爱 北京 \u00a0x e-mail 12-3 'quoted' (so) $5 50% &amp; don't I'll <unk> [laugh] ... ?! „ja“ — …".split(" ")


def sentence(random_, longest=25):
    return " ".join(random_.choice(WORDS) for _ in range(random_.randint(0, longest)))


def disturbed(random_, text):
    words = text.split(" ")
    for _ in range(random_.randint(0, 6)):
        at = random_.randrange(len(words) + 1)
        kind = random_.randrange(4)
        if kind == 0:
            words.insert(at, random_.choice(WORDS))
        elif words and kind == 1:
            words.pop(at % len(words))
        elif words and kind == 2:
            words[at % len(words)] = random_.choice(WORDS)
        elif words:
            begin = at % len(words)
            run = words[begin:begin + 3]
            del words[begin:begin + 3]
            to = random_.randrange(len(words) + 1)
            words[to:to] = run
    return " ".join(words)


def texts(folder, seed, count):
    random_ = random.Random(seed)
    references = [sentence(random_) for _ in range(count)]
    hypotheses = [disturbed(random_, text) for text in references]
    ours = write(folder, "p.jsonl", [{"id": i, "text": text} for i, text in enumerate(hypotheses)])
    theirs = write(folder, "r.jsonl", [{"id": i, "text": text} for i, text in enumerate(references)])
    files = ("--predictions", ours, "--references", theirs)
    for tokenizer in ("13a", "intl", "zh", "char", "none"):
        for smoothing in ("exp", "floor", "add-k", "none"):
            theirs = sacrebleu.metrics.BLEU(tokenize=tokenizer, smooth_method=smoothing, force=True).corpus_score(hypotheses, [references]).score
            agree(f"BLEU {tokenizer} {smoothing}", figures(folder, "bleu", *files, "--tokenizer", tokenizer, "--smoothing", smoothing)["bleu"], theirs)
    agree("BLEU lowercase", figures(folder, "bleu", *files, "--lowercase")["bleu"], sacrebleu.metrics.BLEU(lowercase=True, force=True).corpus_score(hypotheses, [references]).score)
    agree("chrF", figures(folder, "chrf", *files)["chrf"], sacrebleu.corpus_chrf(hypotheses, [references]).score)
    agree("chrF++", figures(folder, "chrf++", *files)["chrf++"], sacrebleu.corpus_chrf(hypotheses, [references], word_order=2).score)
    agree("TER", figures(folder, "ter", *files)["ter"], sacrebleu.corpus_ter(hypotheses, [references]).score)
    words = jiwer.process_words(references, hypotheses)
    for metric in ("wer", "mer", "wil"):
        ours = figures(folder, metric, *files)
        agree(metric, ours[metric], getattr(words, metric))
        for count_ in ("hits", "substitutions", "deletions", "insertions"):
            agree(f"{metric} {count_}", ours[count_], getattr(words, count_))
    agree("CER", figures(folder, "cer", *files)["cer"], jiwer.cer(references, hypotheses))
    standard = jiwer.transformations.wer_standardize
    agree("WER standard", figures(folder, "wer", *files, "--normalize", "standard")["wer"], jiwer.wer(references, hypotheses, standard, standard))
    kinds = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
    scorer = rouge_scorer.RougeScorer(kinds)
    scores = [scorer.score(reference, hypothesis) for reference, hypothesis in zip(references, hypotheses)]
    for kind in kinds:
        agree(kind, figures(folder, kind, *files)[kind], math.fsum(score[kind].fmeasure for score in scores) / len(scores))


def detections(folder, seed, images):
    random_ = random.Random(seed)
    box = lambda: [random_.uniform(0, 300), random_.uniform(0, 300), random_.choice([8, 30, 60, 120]) * random_.uniform(0.5, 1.5), random_.choice([8, 30, 60, 120]) * random_.uniform(0.5, 1.5)]
    truths, found = [], []
    for image in range(1, images + 1):
        for _ in range(random_.randint(0, 8)):
            own = box()
            category = random_.randint(1, 5)
            truths.append({"id": len(truths) + 1, "image_id": image, "category_id": category, "bbox": own, "area": own[2] * own[3] * random_.uniform(0.5, 1), "iscrowd": int(random_.random() < 0.1)})
            for _ in range(random_.randint(0, 3)):
                near = [side + random_.uniform(-0.1, 0.1) * own[2 + i % 2] for i, side in enumerate(own)]
                found.append({"image_id": image, "category_id": category, "bbox": near, "score": round(random_.random(), 1)})
        for _ in range(random_.randint(0, 3)):
            found.append({"image_id": image, "category_id": random_.randint(1, 6), "bbox": box(), "score": round(random_.random(), 1)})
    document = {"images": [{"id": i} for i in range(1, images + 1)], "categories": [{"id": i} for i in range(1, 7)], "annotations": truths}
    truth, result = os.path.join(folder, "instances.json"), os.path.join(folder, "results.json")
    json.dump(document, open(truth, "w"))
    json.dump(found, open(result, "w"))
    with contextlib.redirect_stdout(io.StringIO()):
        coco = COCO(truth)
        evaluation = COCOeval(coco, coco.loadRes(result), "bbox")
        evaluation.evaluate()
        evaluation.accumulate()
        evaluation.summarize()
    ours = figures(folder, "map", "--predictions", result, "--references", truth)
    for name, theirs in zip(["map", "ap50", "ap75", "ap_small", "ap_medium", "ap_large", "ar_1", "ar_10", "ar_100", "ar_small", "ar_medium", "ar_large"], evaluation.stats):
        agree(f"COCO {name}, {images} images", ours[name], float(theirs))


def classes(folder, seed):
    generator = np.random.default_rng(seed)
    truths = generator.integers(0, 7, 500)
    scores = generator.integers(0, 5, (500, 7)).astype(np.float32)  # full of ties
    labels, logits = os.path.join(folder, "labels.npy"), os.path.join(folder, "scores.npy")
    np.save(labels, truths)
    np.save(logits, scores)
    for k in (1, 2, 5):
        theirs = sklearn.metrics.top_k_accuracy_score(truths, scores, k=k, labels=range(7))
        agree(f"top-{k}", figures(folder, "top_k", "--predictions", logits, "--references", labels, "-k", str(k), "--ties", "highest_index")[f"top{k}"], theirs)
    guesses = np.where(generator.random(500) < 0.6, truths, generator.integers(0, 7, 500))
    guessed = os.path.join(folder, "guesses.npy")
    np.save(guessed, guesses)
    ours = figures(folder, "accuracy", "--predictions", guessed, "--references", labels)
    agree("accuracy", ours["accuracy"], sklearn.metrics.accuracy_score(truths, guesses))
    agree("macro F1", ours["macro_f1"], sklearn.metrics.f1_score(truths, guesses, average="macro"))
    agree("balanced accuracy", ours["balanced_accuracy"], sklearn.metrics.balanced_accuracy_score(truths, guesses))
    agree("kappa", ours["kappa"], sklearn.metrics.cohen_kappa_score(truths, guesses))
    agree("Matthews", ours["matthews"], sklearn.metrics.matthews_corrcoef(truths, guesses))
    agree("mIoU", figures(folder, "miou", "--predictions", guessed, "--references", labels)["miou"], sklearn.metrics.jaccard_score(truths, guesses, average="macro"))


with tempfile.TemporaryDirectory() as folder:
    for seed in (1, 2):
        texts(folder, seed, 200)
    for seed, images in ((1, 3), (2, 40), (3, 150)):
        detections(folder, seed, images)
    if sklearn is not None:
        classes(folder, 1)
    print(compared, "figures agree with sacrebleu", sacrebleu.__version__ + ", jiwer, rouge_score, pycocotools" + ("" if sklearn is None else " and scikit-learn " + sklearn.__version__))
