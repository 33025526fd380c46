"""Runs examples/model_pipelines: 65 faults built into five real applications are each found at their stage, and graphs that are written there
give what other implementations of the same models give.

  python3 model_pipelines.py ASSAY FOLDER_OF_THE_EXAMPLE ENVIRONMENT
"""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ASSAY, EXAMPLE, ENVIRONMENT = (Path(argument).resolve() for argument in sys.argv[1:4])
del sys.argv[1:4]
PYTHON = ENVIRONMENT / "bin/python3"
FAULTS = {"ocr": 10, "speech": 8, "embedding": 13, "transcription": 18, "language": 16}
SAME = ("graph as written", "graph optimized", "OpenVINO in float32")

WHISPER = """
import numpy as np, ctranslate2, transcription
from stages import open_session
paths = transcription.models(folder)
outputs, _ = transcription.pipeline({name: open_session(path, "none") for name, path in paths.items()}).free(transcription.GIVEN)
other = ctranslate2.models.Whisper(str(transcription.package_file(transcription.PACKAGE, "model")), compute_type="float32", intra_threads=1)
said = []
for features, states in zip(outputs["mel"], outputs["encoder"]):
    theirs = other.encode(ctranslate2.StorageView.from_array(np.ascontiguousarray(features[None])))
    assert np.abs(np.array(theirs)[0] - states).max() < 2e-3, np.abs(np.array(theirs)[0] - states).max()
    said += other.generate(theirs, [[transcription.START, transcription.NO_TIMES]], beam_size=1)[0].sequences_ids[0] + [transcription.END]
assert said == outputs["decoder"], (said, outputs["decoder"])
assert transcription.accuracy(outputs) > 0.9, outputs["text"]
"""

LLAMA = """
import json, urllib.request, numpy as np, language, xllamacpp
from stages import open_session
network = open_session(language.models(folder)["model"], "all")
outputs, _ = language.pipeline({"model": network}).free(language.GIVEN)
parameters = xllamacpp.CommonParams()
parameters.model.path = str(language.package_file(language.PACKAGE, language.FILE))
parameters.n_ctx, parameters.cpuparams.n_threads = 512, 1
server = xllamacpp.Server(parameters)
def ask(path, **body):
    request = urllib.request.Request(server.listening_address + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
    return json.load(urllib.request.urlopen(request, timeout=60))
tokens = ask("/tokenize", content=outputs["template"][0], parse_special=True, add_special=False)["tokens"]
assert tokens == outputs["tokenize"], (tokens, outputs["tokenize"])
answer = ask("/completion", prompt=tokens, temperature=0, n_predict=12, n_probs=5)
assert answer["content"] == outputs["text"][0], (answer["content"], outputs["text"])
ours = outputs["logits"][-1].astype(float)
ours -= np.log(np.exp(ours - ours.max()).sum()) + ours.max()
for own in answer["completion_probabilities"][0]["top_logprobs"]:  # llama.cpp rounds what it multiplies the weights of 4 bits with to 8
    assert abs(own["logprob"] - ours[own["id"]]) < 0.5, (own, ours[own["id"]])
"""


def table(text):
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("| ")]


class ModelPipelines(unittest.TestCase):
    def run_python(self, *arguments, timeout=900):
        return subprocess.run([PYTHON, *arguments], timeout=timeout, capture_output=True, encoding="utf-8")

    def check(self, name):
        with tempfile.TemporaryDirectory() as folder:
            done = self.run_python(EXAMPLE / "run.py", folder, "--assay", ASSAY, "--only", name, "--rounds", "1")
        if "pocketsphinx-testdata" in done.stderr:
            self.skipTest(done.stderr.strip())
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        rows = table(done.stdout)
        faults = [row for row in rows if len(row) == 5 and not row[0].startswith("fault in")]
        self.assertEqual(len(faults), FAULTS[name], done.stdout)
        for fault, stage, blamed, *_ in faults:
            self.assertEqual(stage, blamed, fault)
        same = {row[0]: row[2] for row in rows if row[0] in SAME}
        self.assertEqual(same, dict.fromkeys(SAME, "none"), done.stdout)
        rounded = [row for row in rows if row[0] == "bf16 weights"]
        self.assertNotEqual(rounded[0][2], "none", done.stdout)

    def test_text_in_pictures(self):
        self.check("ocr")

    def test_detection_of_speech(self):
        self.check("speech")

    def test_sentences_as_vectors(self):
        self.check("embedding")

    def test_speech_to_text(self):
        self.check("transcription")

    def test_a_language_model(self):
        self.check("language")

    def agrees(self, code):
        with tempfile.TemporaryDirectory() as folder:
            lines = f"import sys, pathlib\nsys.path.insert(0, {str(EXAMPLE)!r})\nfolder = pathlib.Path({folder!r})\n"
            done = self.run_python("-c", lines + code, timeout=300)
        if "No module named" in done.stderr or "pocketsphinx-testdata" in done.stderr:
            self.skipTest(done.stderr.strip().splitlines()[-1])
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_whisper_is_what_ctranslate2_computes(self):
        self.agrees(WHISPER)

    def test_smollm2_is_what_llama_cpp_computes(self):
        self.agrees(LLAMA)

    def test_a_stage_that_is_not_there_is_refused(self):
        code = "import sys; sys.path.insert(0, sys.argv[1]); import speech; speech.pipeline({'model': None}).with_stages(modle=None)"
        done = self.run_python("-c", code, EXAMPLE)
        self.assertIn("['modle'] is no stage; the stages are ['samples',", done.stderr)


if __name__ == "__main__":
    unittest.main()
