"""An application in three processes, with a fallback, held to its promise: encode here, a relay, a model there, decide here.

  python3 three_processes.py OUT [--assay ASSAY] [--requests N] [--fault NAME]...

Each request is a window of 256 samples. The encoder rounds it to 8 bits, a relay (the network, which is able to lose and
to delay) hands it on, a server tells how strong eight tones are in it, and the caller decides which is strongest. Where
nothing comes back, a smaller model here answers from every second sample. Every process times its stages by its own
clock. What was recorded is judged by `assay pipeline requests`. Exit code: 0, or 1 if the right application was accused
or a fault was not found where it was built in. All traffic is to 127.0.0.1.
"""

import argparse
import cmath
import contextlib
import json
import math
import random
import socket
import subprocess
import sys
import time
from pathlib import Path

SAMPLES, TONES, CUT_EVERY = 256, 8, 6
DEADLINE, LATE, PATIENCE = 3.0, 3.5, 20.0  # seconds; a machine may be busy, and the application takes milliseconds

PROMISE = {
    "stages": ["encode", "model", "decide"],
    "fallback": ["encode", "small model", "decide"],
    "deadline": DEADLINE,
    "stage_deadlines": {"model": DEADLINE / 2, "decide": DEADLINE / 2},
    "cost_per_second": {"edge": 1e-6, "server": 4e-4},
    "answers": {"absolute": 1 / 127, "origin": "derived: twice the mean of what samples are off, half a step of 8 bits at most"},
    "fallback_answers": {"absolute": 0.06, "origin": "declared: noise that half the samples do not average out"},
}

# What is built in, the outcome that must fail, and what must stand in its reason.
FAULTS = {
    "none": (None, ""),
    "late model": ("deadline", "most of it in model"),
    "late relay": ("deadline", "most of it in between stages"),
    "late decision": ("deadline", "most of it in decide"),
    "fallback never engages": ("fallback", "were not answered by the fallback"),
    "fallback engages at once": ("fallback", "though nothing was cut"),
    "fallback forgets the scale": ("fallback_answers", "beyond their bound"),
    "answers of the request before": ("answers", "beyond their bound"),
    "model off by one tone": ("answers", "beyond their bound"),
    "asks twice": ("way", "passed model more than once"),
}


def strengths(samples, step=1):
    """Amplitudes of eight tones: of 256 samples, one that turns 3, 6, … 24 times."""
    chosen = samples[::step]
    return [2 / len(chosen) * abs(sum(x * cmath.exp(-2j * math.pi * 3 * (tone + 1) * i * step / SAMPLES) for i, x in enumerate(chosen))) for tone in range(TONES)]


def window(number):
    draw = random.Random(number)
    tone, phase = draw.randrange(TONES), draw.uniform(0, 2 * math.pi)
    return [max(-1.0, min(1.0, 0.7 * math.sin(2 * math.pi * 3 * (tone + 1) * i / SAMPLES + phase) + draw.gauss(0, 0.05))) for i in range(SAMPLES)]


def span(stage, place, begin):
    return {"stage": stage, "place": place, "begin": begin, "end": time.monotonic()}


def receive(connection, seconds):
    """One line; nothing where the other end is closed."""
    connection.settimeout(seconds)
    line = b""
    while not line.endswith(b"\n"):
        part = connection.recv(65536)
        if not part:
            return None
        line += part
    return json.loads(line)


def send(connection, message):
    connection.sendall(json.dumps(message).encode() + b"\n")


def listening():
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    return listener


def serve(fault):
    """The server's process: what is asked over a connection is answered over it."""
    listener, before = listening(), [0.0] * TONES
    while True:
        connection, _ = listener.accept()
        with connection, contextlib.suppress(OSError):
            asked = receive(connection, PATIENCE)
            if asked is None:
                continue
            begin = time.monotonic() + 1e5  # as a clock of another machine would differ
            answer = strengths([code / 127 for code in asked["codes"]])
            if fault == "late model" and asked["number"] == 3:
                time.sleep(LATE)
            if fault == "model off by one tone":
                answer = answer[1:] + answer[:1]
            if fault == "answers of the request before":
                answer, before = before, answer
            made = {"stage": "model", "place": "server", "begin": begin, "end": time.monotonic() + 1e5}
            send(connection, {"answer": answer, "spans": [made]})


def relay(fault, port):
    """The network's process: one connection in, one out; a request that is to be cut is not handed on."""
    listener = listening()
    while True:
        connection, _ = listener.accept()
        with connection, contextlib.suppress(OSError):
            asked = receive(connection, PATIENCE)
            if asked is None or asked["cut"]:
                continue
            if fault == "late relay" and asked["number"] == 3:
                time.sleep(LATE)
            with socket.create_connection(("127.0.0.1", port), PATIENCE) as onward:
                send(onward, asked)
                send(connection, receive(onward, PATIENCE))


def asked_of_server(port, message):
    """What came back; nothing where nothing did."""
    try:
        with socket.create_connection(("127.0.0.1", port), PATIENCE) as connection:
            send(connection, message)
            return receive(connection, PATIENCE)
    except OSError:
        return None


def one_request(number, port, fault):
    """What is recorded of a request."""
    samples, cut = window(number), number % CUT_EVERY == CUT_EVERY - 1
    begin = time.monotonic()
    codes = [round(127 * x) for x in samples]
    spans = [span("encode", "edge", begin)]
    message = {"number": number, "codes": codes, "cut": cut}
    told = None if fault == "fallback engages at once" else asked_of_server(port, message)
    if fault == "asks twice" and told is not None and number == 2:
        spans += told["spans"]
        told = asked_of_server(port, message)
    record = {"id": f"window {number}", "begin": begin, "cut": cut, "fell_back": False, "spans": spans, "reference": strengths(samples)}
    if told is not None:
        record["answer"] = told["answer"]
        spans += told["spans"]
    elif fault != "fallback never engages":
        start = time.monotonic()
        scale = 1 if fault == "fallback forgets the scale" else 127
        record["answer"], record["fell_back"] = strengths([code / scale for code in codes], step=2), True
        spans.append(span("small model", "edge", start))
    if "answer" in record:
        start = time.monotonic()
        max(range(TONES), key=record["answer"].__getitem__)
        if fault == "late decision" and number == 3:
            time.sleep(LATE)
        spans.append(span("decide", "edge", start))
    record["end"] = time.monotonic()
    return record


@contextlib.contextmanager
def process(*arguments):
    """A process of this program, and the port that it listens on."""
    started = subprocess.Popen([sys.executable, __file__, *arguments], stdout=subprocess.PIPE, encoding="utf-8")
    try:
        yield int(started.stdout.readline())
    finally:
        started.kill()
        started.communicate()


def judged(assay, folder, name):
    done = subprocess.run([assay, "pipeline", "requests", "--no-config", "--records", folder / "requests.jsonl", "--promise", folder / "promise.json",
                           "--name", name, "--out", folder / "report"], capture_output=True, encoding="utf-8")
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stdout + done.stderr)
    return {outcome["id"].split("/", 2)[2]: outcome for outcome in json.loads((folder / "report" / "report.json").read_text())["outcomes"]}


def main():
    if sys.argv[1:2] == ["--serve"]:
        serve(sys.argv[2])
    if sys.argv[1:2] == ["--relay"]:
        relay(sys.argv[2], int(sys.argv[3]))
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("out", type=Path)
    options.add_argument("--assay", default="assay")
    options.add_argument("--requests", type=int, default=24)
    options.add_argument("--fault", choices=FAULTS, action="append")
    asked = options.parse_args()
    wrong = []
    print("| built in | to blame | in words | median, ms | p99, ms | between stages, ms |\n|---|---|---|---|---|---|")
    for fault in asked.fault or FAULTS:
        folder = asked.out / fault.replace(" ", "_")
        folder.mkdir(parents=True, exist_ok=True)
        with process("--serve", fault) as server, process("--relay", fault, str(server)) as port:
            records = [one_request(number, port, fault) for number in range(asked.requests)]
        (folder / "requests.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
        (folder / "promise.json").write_text(json.dumps(PROMISE))
        outcomes = judged(asked.assay, folder, "tones")
        failed = {check: outcome["reason"] for check, outcome in outcomes.items() if outcome["verdict"] not in ("pass", "new_baseline")}
        expected, words = FAULTS[fault]
        if (set(failed) != set() if expected is None else words not in failed.get(expected, "")):
            wrong.append(f"{fault}: {failed or 'nothing'} was blamed, and {expected or 'nothing'} is wrong")
        numbers = {own["name"]: own["value"] for own in outcomes["deadline"]["measurements"]}
        between = {own["name"]: own["value"] for own in outcomes["between"]["measurements"]}
        print(f"| {fault} | {', '.join(failed) or 'none'} | {failed.get(expected, '')} | {1e3 * numbers['median']:.2f} | {1e3 * numbers['p99']:.2f} | {1e3 * between['median']:.2f} |", flush=True)
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
