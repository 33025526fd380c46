"""Text in a picture: PP-OCRv4's recognizer, as the package rapidocr-onnxruntime has it, stage by stage."""

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from stages import Pipeline, open_session, package_file

MODEL = package_file("rapidocr_onnxruntime", "models", "ch_PP-OCRv4_rec_infer.onnx")
TEXTS = ["Assay 2026", "tolerance", "bfloat16 128", "KV-cache 32768"]
HEIGHT, INPUT = 48, "x"


def pictures():
    """Four lines of text on a tinted ground, with their gray letters a little blue: channels are not alike."""
    made = []
    for text in TEXTS:
        picture = Image.new("RGB", (64 + 22 * len(text), 60), (250, 240, 205))
        ImageDraw.Draw(picture).text((20, 8), text, fill=(40, 60, 130), font=ImageFont.load_default(36))
        made.append(picture)
    return made


def width_of(shape):
    """To a multiple of 8, which the model makes one step."""
    return 8 * round(HEIGHT * shape[1] / shape[0] / 8)


def decode(given):
    """Blue first, as the model was trained. One array: all pictures side by side, whose widths `widths` tells."""
    return np.concatenate([np.asarray(picture)[:, :, ::-1] for picture in given], axis=1)


WIDTHS = [picture.size[0] for picture in pictures()]


def apart(joined, widths):
    return np.split(joined, np.cumsum(widths)[:-1], axis=1)


def resized(filter_of_picture=Image.BILINEAR, antialias=True, shift=0.5):
    """To a height of 48. Without antialiasing a bilinear resize looks at four pixels, whatever the scale."""

    def stage(joined):
        parts = []
        for picture in apart(joined, WIDTHS):
            size = (width_of(picture.shape), HEIGHT)
            if antialias:
                parts.append(np.asarray(Image.fromarray(picture).resize(size, filter_of_picture)))
                continue
            rows = np.clip((np.arange(size[1]) + shift) * picture.shape[0] / size[1] - shift, 0, picture.shape[0] - 1)
            columns = np.clip((np.arange(size[0]) + shift) * picture.shape[1] / size[0] - shift, 0, picture.shape[1] - 1)
            y, x = rows.astype(int), columns.astype(int)
            below, right = np.minimum(y + 1, picture.shape[0] - 1), np.minimum(x + 1, picture.shape[1] - 1)
            v, u = (rows - y)[:, None, None], (columns - x)[None, :, None]
            p = picture.astype(np.float64)
            mixed = (p[y][:, x] * (1 - v) * (1 - u) + p[below][:, x] * v * (1 - u) + p[y][:, right] * (1 - v) * u + p[below][:, right] * v * u)
            parts.append(np.round(mixed).astype(np.uint8))
        return np.concatenate(parts, axis=1)

    return stage


RESIZED = [width_of((60, width)) for width in WIDTHS]


def normalized(mean=0.5, deviation=0.5, rounded=False):
    def stage(joined):
        scaled = joined.astype(np.float32) / np.float32(255)
        if rounded:  # to sixteenths before the mean is taken, as an integer pipeline may
            scaled = np.round(scaled * 16) / np.float32(16)
        return ((scaled - np.float32(mean)) / np.float32(deviation)).astype(np.float32)

    return stage


def models(folder):
    """Files of ONNX by name: the package's own."""
    return {"model": MODEL}


def model(network, layout=lambda picture: picture.transpose(2, 0, 1)):
    """Probabilities of characters by step, of all pictures below each other."""

    def stage(joined):
        return np.concatenate([network.run(None, {INPUT: np.ascontiguousarray(layout(picture))[None]})[0][0] for picture in apart(joined, RESIZED)])

    return stage


CHARACTERS = ["blank", *open_session(MODEL, "none").get_modelmeta().custom_metadata_map["character"].splitlines(), " "]


def steps_of(width):
    return width // 8


def ctc(blank=0, merges=True):
    """The best character of each step, repetitions merged, blanks left out; 1,000,000 ends a picture."""

    def stage(probabilities):
        ids, start = [], 0
        if len(probabilities) != sum(map(steps_of, RESIZED)):
            raise ValueError(f"{len(probabilities)} steps were given, of pictures that have {sum(map(steps_of, RESIZED))}")
        for width in RESIZED:
            steps = steps_of(width)
            best = probabilities[start : start + steps].argmax(axis=1)
            start += steps
            last = -1
            for one in best.tolist():
                if one != blank and not (merges and one == last):
                    ids.append(one)
                last = one
            ids.append(1_000_000)
        return ids

    return stage


def texts(shift=0):
    def stage(ids):
        said, line = [], ""
        for one in ids:
            if one == 1_000_000:
                said.append(line)
                line = ""
            else:
                line += CHARACTERS[min(max(one + shift, 0), len(CHARACTERS) - 1)]
        return said

    return stage


def pipeline(networks):
    stages = {"decode": decode, "resize": resized(), "normalize": normalized(), "model": model(networks["model"]),
              "ctc": ctc(), "text": texts()}
    bounds = {"decode": {"absolute": 0, "origin": "bytes are copied"},
              "resize": {"absolute": 1, "origin": "half a step of rounding, each side"},
              "normalize": {"absolute": 5e-7, "origin": "three float32 operations on [-1, 1]"},
              "model": {"absolute": 2e-3, "origin": "declared: float32 probabilities of a network of 60 layers"}}
    return Pipeline(stages, bounds)


GIVEN = pictures()
MODEL_STAGES = ("model",)
FAULTS = {
    "red first": ("decode", {"decode": lambda given: decode(given)[:, :, ::-1]}),
    "nearest pixel": ("resize", {"resize": resized(Image.NEAREST)}),
    "no antialiasing": ("resize", {"resize": resized(antialias=False)}),
    "corners instead of half pixels": ("resize", {"resize": resized(antialias=False, shift=0.0)}),
    "mean of ImageNet": ("normalize", {"normalize": normalized(0.485, 0.229)}),
    "rounded before the mean": ("normalize", {"normalize": normalized(rounded=True)}),
    "blank at the end": ("ctc", {"ctc": ctc(blank=len(CHARACTERS) - 1)}),
    "repetitions kept": ("ctc", {"ctc": ctc(merges=False)}),
    "characters off by one": ("text", {"text": texts(shift=-1)}),
}


def wrong_layout():
    """Rows and columns swapped in memory, read as if they were not."""
    return lambda picture: np.ascontiguousarray(picture.transpose(2, 1, 0)).reshape(3, picture.shape[0], picture.shape[1])


def faults(networks, folder):
    network = networks["model"]
    return {**FAULTS, "columns first": ("model", {"model": model(network, wrong_layout())})}


# What is told of speed: its name, and a function of outputs and seconds by stage.
RATE_OF = ("pictures/s", lambda outputs, seconds: f"{len(TEXTS) / sum(seconds.values()):.1f}")


def accuracy(outputs):
    """Share of texts that are read as they were written."""
    said = outputs["text"]
    return sum(text == wanted for text, wanted in zip(said, TEXTS)) / len(TEXTS)
