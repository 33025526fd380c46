"""Is somebody speaking? Silero's detector, as the package silero-vad has it, stage by stage."""

import numpy as np

from stages import Pipeline, package_file

MODEL = package_file("silero_vad", "data", "silero_vad_op18_ifless.onnx")
RATE, WINDOW, CONTEXT = 16000, 512, 64
MODEL_STAGES = ("model",)


def recording():
    """Three seconds at 48 kHz in 16 bits: quiet noise, a voice-like second of three formants, quiet noise."""
    random = np.random.default_rng(7)
    time = np.arange(3 * 48000) / 48000
    pitch = 120 * (1 + 0.03 * np.sin(2 * np.pi * 3 * time))
    phase = 2 * np.pi * np.cumsum(pitch) / 48000
    voice = np.zeros_like(time)
    for harmonic in range(1, 40):
        frequency = 120 * harmonic
        gain = sum(a * np.exp(-(((frequency - f) / w) ** 2)) for a, f, w in ((1, 600, 150), (0.6, 1200, 200), (0.3, 2500, 300)))
        voice += gain * np.sin(harmonic * phase)
    envelope = np.where((time > 1) & (time < 2), 0.5 - 0.5 * np.cos(2 * np.pi * 4 * time), 0)
    sound = 0.15 * voice * envelope + 0.002 * random.standard_normal(len(time))
    return np.clip(np.round(sound * 32768), -32768, 32767).astype(np.int16)


def samples(scale=32768.0):
    return lambda given: given.astype(np.float32) / np.float32(scale)


def taps():
    """A low-pass filter below 8 kHz at 48 kHz: 97 taps, Hamming's window."""
    n = np.arange(97) - 48
    h = np.sinc(n / 3.0) / 3.0 * np.hamming(97)
    return h / h.sum()


def resampled(filtered=True, step=3):
    """48 to 16 kHz. Without the filter what lies above 8 kHz is folded down."""

    def stage(sound):
        smooth = np.convolve(sound.astype(np.float64), taps(), mode="same") if filtered else sound
        return smooth[::step].astype(np.float32)

    return stage


def windows(offset=0, context=True):
    """Windows of 512 samples, each with the 64 samples before it, which the model wants."""

    def stage(sound):
        made = []
        for start in range(0, 3 * RATE - WINDOW + 1, WINDOW):
            begin = start + offset
            before = sound[max(begin - CONTEXT, 0) : begin] if context else np.zeros(0, np.float32)
            row = np.zeros(CONTEXT + WINDOW, np.float32)
            row[CONTEXT - len(before) : CONTEXT] = before
            part = sound[begin : begin + WINDOW]
            row[CONTEXT : CONTEXT + len(part)] = part
            made.append(row)
        return np.stack(made)

    return stage


def models(folder):
    """Files of ONNX by name: the package's own."""
    return {"model": MODEL}


def model(network, keeps_state=True, rate=RATE):
    """The probability of speech, window by window, with the state that the window before left."""

    def stage(rows):
        state, probabilities = np.zeros((2, 1, 128), np.float32), []
        for row in rows:
            out, new = network.run(None, {"input": row[None], "state": state, "sr": np.array(rate, np.int64)})
            state = new if keeps_state else state
            probabilities.append(out[0, 0])
        return np.array(probabilities, np.float32)

    return stage


def segments(threshold=0.5, unit=WINDOW):
    """Beginnings and ends of speech in samples of 16 kHz."""

    def stage(probabilities):
        spoken = np.concatenate([[False], probabilities > threshold, [False]])
        return (np.flatnonzero(spoken[1:] != spoken[:-1]) * unit).tolist()

    return stage


def pipeline(networks):
    stages = {"samples": samples(), "resample": resampled(), "windows": windows(), "model": model(networks["model"]),
              "segments": segments()}
    bounds = {"samples": {"absolute": 0, "origin": "a power of two divides exactly"},
              "resample": {"absolute": 1e-6, "origin": "97 products in float32 at most"},
              "windows": {"absolute": 0, "origin": "samples are copied"},
              "model": {"absolute": 2e-3, "origin": "declared: float32 probabilities after a recurrent network"}}
    return Pipeline(stages, bounds)


GIVEN = recording()


def faults(networks, folder):
    network = networks["model"]
    return {
        "scaled by 32767": ("samples", {"samples": samples(32767.0)}),
        "every fourth sample (12 kHz)": ("resample", {"resample": resampled(step=4)}),
        "no low-pass filter": ("resample", {"resample": resampled(filtered=False)}),
        "windows off by one": ("windows", {"windows": windows(offset=1)}),
        "no context": ("windows", {"windows": windows(context=False)}),
        "state forgotten": ("model", {"model": model(network, keeps_state=False)}),
        "half the threshold": ("segments", {"segments": segments(threshold=0.02)}),
        "segments in windows": ("segments", {"segments": segments(unit=1)}),
    }


# What is told of speed: its name, and a function of outputs and seconds by stage.
RATE_OF = ("seconds of sound a second (RTFx)", lambda outputs, seconds: f"{3 / sum(seconds.values()):.0f}")


def accuracy(outputs):
    """Share of the windows that are told as the second of voice, or its absence, demands."""
    told = outputs["model"] > 0.5
    centers = (np.arange(len(told)) + 0.5) * WINDOW / RATE
    return float(np.mean(told == ((centers > 1) & (centers < 2))))
