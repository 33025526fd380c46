"""Tests what the tool says of itself: help, the manual page, and completions in real shells.

  python3 help.py ASSAY [unittest options]

Options are read from help, as a user reads them; everything else must know the same ones. What needs a program that is not here
(man, mandoc, zsh, fish) is skipped by name.
"""

import os
import pty
import re
import select
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

ASSAY = str(Path(sys.argv.pop(1)).resolve())
NOWHERE = "/no/such/settings.toml"


def assay(*arguments, cwd=None):
    done = subprocess.run([ASSAY, *arguments], capture_output=True, text=True, timeout=120, cwd=cwd, env={**os.environ, "LC_ALL": "C.UTF-8"})
    return done.returncode, done.stdout, done.stderr


def help_of(*command):
    code, text, _ = assay(*command, "--help")
    assert code == 0, text
    return text


def commands():
    listed = help_of().split("Subcommands:\n")[1].split("\n\n")[0]
    return [line.split()[0] for line in listed.splitlines()]


def options_of(command):
    options = set()
    for line in help_of(command).splitlines():
        found = re.match(r"  ((?:-\w,)?--[\w-]+|-\w,--[\w-]+)", line)
        if found:
            options.update(found[1].split(","))
    return options


COMMANDS = commands()
OPTIONS = {command: options_of(command) for command in COMMANDS}


def examples_of(text):
    """The command lines of the examples, without the words beside them."""
    shown = text.split("Examples:\n")[1].split("\n\n")[0]
    return [re.split(r" {2,}", line.strip())[0] if "$(" not in line else "" for line in shown.splitlines()]


class Help(unittest.TestCase):
    def test_every_command_says_its_purpose_in_a_line_and_shows_examples_and_exit_codes(self):
        self.assertGreaterEqual(len(COMMANDS), 16)
        for command in COMMANDS:
            with self.subTest(command):
                text = help_of(command)
                self.assertLessEqual(len(text.splitlines()[0]), 100)
                self.assertRegex(text, r"Exit code.*: .*0.*2")
                self.assertGreaterEqual(len([line for line in examples_of(text) if f"assay {command}" in line or "$" in line]), 1)
                self.assertGreaterEqual(len(examples_of(text)), 2)
                self.assertIn("--help", OPTIONS[command])

    def test_every_example_is_understood(self):
        # The settings file is looked for when the options have been understood: where it is missing is all that is wrong with an example.
        for command in [None, *COMMANDS]:
            for example in filter(None, examples_of(help_of(*filter(None, [command])))):
                with self.subTest(example):
                    words = shlex.split(example)
                    arguments = words[words.index("assay") + 1:]
                    named = arguments[arguments.index("--config") + 1] if "--config" in arguments else None
                    code, _, errors = assay(*arguments, *([] if named else ["--config", NOWHERE]))
                    self.assertEqual(code, 2)
                    self.assertIn(named or NOWHERE, errors)

    def test_an_example_that_is_wrong_would_be_seen(self):
        for wrong in (["run", "--nuch"], ["matrix"], ["run", "--seed", "x"], ["report", "a.json"]):
            self.assertNotIn(NOWHERE, assay(*wrong, "--config", NOWHERE)[2])

    def test_examples_that_cost_nothing_do_what_they_say(self):
        ran = 0
        with tempfile.TemporaryDirectory() as folder:
            for command in ("doctor", "list", "explain", "faults", "gate"):
                for example in examples_of(help_of(command)):
                    arguments = shlex.split(example)[1:]
                    if arguments[:2] == ["faults", "list"] or command in ("list", "explain") or "--print-default-policy" in arguments or arguments == ["doctor"]:
                        with self.subTest(example):
                            code, output, errors = assay(*arguments, "--no-config", cwd=folder)
                            self.assertEqual((code, bool(output)), (0, True), errors)
                            ran += 1
        self.assertGreaterEqual(ran, 8)


class Topics(unittest.TestCase):
    def setUp(self):
        code, text, errors = assay("help", "--no-config")
        self.assertEqual(code, 0, errors)
        self.topics = re.findall(r"^  ([a-z]+) {2,}\S", text, re.M)

    def test_each_is_short_and_fits_a_terminal_in_ascii(self):
        self.assertGreaterEqual(len(self.topics), 20)
        for topic in self.topics:
            with self.subTest(topic):
                code, text, errors = assay("help", topic, "--no-config")
                self.assertEqual(code, 0, errors)
                self.assertTrue(text.isascii())
                self.assertLessEqual(len(text.splitlines()), 40)
                self.assertLessEqual(max(map(len, text.splitlines())), 80)

    def test_every_command_line_in_them_is_understood(self):
        tried = 0
        for topic in self.topics:
            for line in assay("help", topic, "--no-config")[1].splitlines():
                if not line.startswith("  assay "):
                    continue
                with self.subTest(line):
                    arguments = shlex.split(re.split(r" {2,}", line.strip())[0])[1:]
                    if "--no-config" in arguments:
                        continue
                    named = arguments[arguments.index("--config") + 1] if "--config" in arguments else None
                    code, _, errors = assay(*arguments, *([] if named else ["--config", NOWHERE]))
                    self.assertEqual(code, 2)
                    self.assertIn(named or NOWHERE, errors)
                    tried += 1
        self.assertGreaterEqual(tried, 50)

    def test_a_command_has_its_own_help_and_what_is_unknown_the_nearest(self):
        self.assertEqual(assay("help", "run", "--no-config")[1], help_of("run"))
        code, _, errors = assay("help", "tolerence", "--no-config")
        self.assertEqual(code, 2)
        self.assertIn("unknown topic 'tolerence'; nearest: tolerances", errors)
        self.assertNotIn("worker", errors)


class Doctor(unittest.TestCase):
    PARTS = ["OpenSSL", "SQLite", "libpq", "hwloc", "mpirun", "cc", "OpenCL", "CLBlast", "Vulkan", "glslangValidator", "python3", "assay", "NumPy, JupyterLab", "torch", "jax", "onnx", "models"]

    def parts(self, **variables):
        done = subprocess.run([ASSAY, "doctor", "--no-config"], capture_output=True, text=True, timeout=120, env={**os.environ, "COLUMNS": "250", "LC_ALL": "C.UTF-8", **variables})
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = re.split(r"^optional part +for +state +brought by\n.*\n", done.stdout, flags=re.M)
        self.assertEqual(len(rows), 2, done.stdout)
        return {cells[0]: cells[1:] for cells in (re.split(" {2,}", line.strip()) for line in rows[1].split("\n\n")[0].splitlines()) if len(cells) == 4}

    def test_every_optional_part_has_the_command_that_brings_it(self):
        parts = self.parts()
        self.assertEqual(list(parts), self.PARTS)
        for name, (purpose, state, command) in parts.items():
            self.assertRegex(command, r"^(apt-get|pip) install [a-z]", name)
            self.assertIn(state, ("here", "not here", "built in", "not built in"))
        self.assertEqual(parts["python3"][1], "here")
        self.assertEqual(parts["cc"][1], "here" if shutil.which("cc") else "not here")

    def test_what_is_not_here_is_told_as_that(self):
        parts = self.parts(PATH="/nowhere")
        for name in ("mpirun", "cc", "python3", "torch", "NumPy, JupyterLab", "models"):
            self.assertEqual(parts[name][1], "not here")

    def test_the_guides_of_labs_models_and_kernels_are_followed(self):
        commands = " ".join(command for _, _, command in self.parts().values())
        guides = Path(__file__).resolve().parents[2] / "examples"
        for guide, packages in {"labs": ["examples/python", "numpy", "jupyterlab"], "model_pipelines": ["silero-vad", "rapidocr-onnxruntime", "onnxruntime"]}.items():
            text = (guides / guide / "README.md").read_text()
            for package in packages:
                self.assertIn(package, text)
                self.assertIn(package, commands)


class ManualPage(unittest.TestCase):
    def setUp(self):
        code, self.page, errors = assay("man")
        self.assertEqual(code, 0, errors)

    def rendered(self):
        for program in (["man", "-l", "-"], ["mandoc", "-a", "-"], ["groff", "-man", "-Tutf8", "-"]):
            if shutil.which(program[0]):
                shown = subprocess.run(program, input=self.page, capture_output=True, text=True, env={**os.environ, "MANWIDTH": "200", "MANPAGER": "cat", "LC_ALL": "C.UTF-8"})
                self.assertEqual(shown.returncode, 0, shown.stderr)
                return re.sub(r".\x08|\x1b\[[0-9;]*m", "", shown.stdout)
        self.skipTest("man, mandoc and groff are not installed")

    def test_it_has_every_command_and_option(self):
        text = self.rendered()
        for command in COMMANDS:
            section = re.split(rf"^ +assay {command}$", text, flags=re.M)
            self.assertEqual(len(section), 2, command)
            section = re.split(r"^   ?assay [\w-]+$|^[A-Z]", section[1], flags=re.M)[0]
            for option in OPTIONS[command] - {"-h", "--help"}:
                self.assertRegex(section.replace("\u2010", "-").replace("\u2212", "-"), rf"(^|[ ,]){re.escape(option)}\b", f"{command} {option}")

    def test_it_has_every_topic_word_by_word(self):
        text = self.rendered().replace("\u2010", "-").replace("\u2212", "-")
        topics = re.findall(r"^  ([a-z]+) {2,}(\S.*)", assay("help", "--no-config")[1], re.M)
        self.assertGreaterEqual(len(topics), 20)
        squeezed = re.sub(r"\s+", " ", text)
        for topic, gist in topics:
            with self.subTest(topic):
                self.assertIn(f"{topic}: {gist}", squeezed)
                for line in assay("help", topic, "--no-config")[1].splitlines()[1:]:
                    self.assertIn(re.sub(r"\s+", " ", line.strip()), squeezed)

    def test_it_is_without_fault(self):
        with tempfile.NamedTemporaryFile("w", suffix=".1", encoding="utf-8") as file:
            file.write(self.page)
            file.flush()
            checked = 0
            if shutil.which("man"):
                found = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", file.name], capture_output=True, text=True)
                self.assertEqual((found.returncode, found.stderr), (0, ""))
                checked += 1
            if shutil.which("mandoc"):
                found = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", file.name], capture_output=True, text=True)
                self.assertEqual([line for line in found.stdout.splitlines() if "missing date" not in line], [])
                checked += 1
            if not checked:
                self.skipTest("man and mandoc are not installed")


class Terminal:
    """A shell on a pseudo-terminal, and what it shows after keys."""

    def __init__(self, arguments, folder):
        self.child, self.descriptor = pty.fork()
        if self.child == 0:
            os.chdir(folder)
            os.execvpe(arguments[0], arguments, {"PATH": f"{Path(ASSAY).parent}:{os.environ['PATH']}", "TERM": "dumb", "HOME": folder, "COLUMNS": "150", "LC_ALL": "C.UTF-8"})

    def read(self, quiet, until=None, limit=30):
        shown, end = b"", time.time() + limit
        while time.time() < end:
            ready, _, _ = select.select([self.descriptor], [], [], quiet)
            if not ready:
                if until is None or until.encode() in shown:
                    break
                continue
            try:
                shown += os.read(self.descriptor, 65536)
            except OSError:
                break
            if until and until.encode() in shown:
                break
        return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", shown.decode(errors="replace"))

    def begin(self, line):
        os.write(self.descriptor, f'{line}; echo REA""DY\n'.encode())
        self.read(0.2, "READY\r")
        self.read(0.3)

    def keys(self, keys, until):
        os.write(self.descriptor, ("\x15" + keys).encode())
        return self.read(0.5, until)

    def close(self):
        os.close(self.descriptor)
        os.waitpid(self.child, 0)


class Completions(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        Path(self.folder, "results.json").write_text("{}")

    def script(self, shell):
        if not shutil.which(shell):
            self.skipTest(f"{shell} is not installed")
        code, text, errors = assay("complete", shell)
        self.assertEqual(code, 0, errors)
        file = Path(self.folder, "_assay" if shell == "zsh" else f"assay.{shell}")
        file.write_text(text)
        self.assertEqual(subprocess.run([shell, "-n", file], capture_output=True, text=True).stderr, "")
        return str(file)

    def test_another_shell_is_refused(self):
        self.assertEqual(assay("complete", "fihs")[0], 2)
        self.assertIn("nearest: fish", assay("complete", "fihs")[2])

    def in_bash(self, script, questions):
        """What bash would offer: for each list of words, the last one being typed."""
        program = f"source {shlex.quote(script)}\nask() {{ COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _assay; echo \"${{COMPREPLY[*]}}\"; }}\n"
        program += "".join("ask " + " ".join(map(shlex.quote, words)) + "\n" for words in questions)
        done = subprocess.run(["bash", "-c", program], capture_output=True, text=True, cwd=self.folder, timeout=120)
        self.assertEqual(done.stderr.replace("bash: line", ""), "")
        answers = [line.split() for line in done.stdout.splitlines()]
        self.assertEqual(len(answers), len(questions))
        return answers

    def test_bash_knows_every_command_and_option(self):
        answers = self.in_bash(self.script("bash"), [[ASSAY, ""], *([ASSAY, command, "-"] for command in COMMANDS)])
        self.assertEqual(answers[0], COMMANDS)
        for command, answer in zip(COMMANDS, answers[1:]):
            self.assertEqual(set(answer), OPTIONS[command], command)

    def test_bash_knows_values(self):
        backends = assay("list", "backends", "--no-config")[1].split()
        cases = [
            (["list", ""], {"ops", "backends", "formats", "shapes", "fills", "cases", "coverage"}),
            (["run", "--backend", ""], set(backends)),
            (["run", "--backend", "=", ""], set(backends)),
            (["run", "--op", "softmax,soft"], {"softmax,softmax", "softmax,softmax_backward", "softmax,softplus", "softmax,softplus_backward"}),
            (["run", "--check", "r"], {"residual", "relations"}),
            (["run", "--format", "junit,s"], {"junit,sarif"}),
            (["run", "--seed", ""], set()),
            (["gate", "res"], {"results.json"}),
            (["gate", "--policy", "res"], {"results.json"}),
            (["faults", "r"], {"run"}),
            (["faults", "--op", "softmax", "r"], {"run"}),
            (["matrix", "report", "res"], {"results.json"}),
            (["help", "tol"], {"tolerances"}),
            (["notebooks", ""], {"check"}),
            (["collectives", "--runtime", "in"], {"in_process"}),
        ]
        for (words, expected), answer in zip(cases, self.in_bash(self.script("bash"), [[ASSAY, *words] for words, _ in cases])):
            self.assertEqual(set(answer), expected, words)
        self.assertIn("bf16", self.in_bash(self.script("bash"), [[ASSAY, "run", "--dtype", ""]])[0])

    def test_the_tab_key_of_bash_completes(self):
        terminal = Terminal(["bash", "--norc", "--noprofile", "-i"], self.folder)
        self.addCleanup(terminal.close)
        terminal.begin(f"source {self.script('bash')}")
        self.assertIn("assay quantize-report", terminal.keys("assay qua\t", "quantize-report"))
        self.assertIn("--require-envelope", terminal.keys("assay run --require-e\t", "--require-envelope"))
        self.assertIn("--backend=host", terminal.keys("assay run --backend=ho\t", "=host"))

    def test_zsh_knows_every_command_and_option(self):
        script = self.script("zsh")
        terminal = Terminal(["zsh", "-f", "-i"], self.folder)
        self.addCleanup(terminal.close)
        terminal.begin(f"autoload -Uz compinit; compinit -u -D; LISTMAX=10000; zstyle ':completion:*' verbose no; PROMPT='READY> '; source {script}")
        for command in COMMANDS:
            self.assertIn(command, terminal.keys(f"assay {command[:-1]}\t", command))
            shown = terminal.keys(f"assay {command} -\t", f"READY> assay {command} -")  # the prompt again, below the list
            for option in OPTIONS[command]:
                self.assertRegex(shown, rf"(^|\s){re.escape(option)}(\s|$)", f"{command} {option}")
        self.assertIn("softmax,softplus_backward", terminal.keys("assay run --op softmax,softplus_b\t", "softplus_backward"))
        self.assertIn("softplus", terminal.keys("assay run --op softp\t", "softplus"))
        self.assertIn("results.json", terminal.keys("assay gate res\t", "results.json"))

    def test_fish_knows_every_command_and_option(self):
        script = self.script("fish")

        def ask(*lines):
            program = f"source {script}\n" + "".join(f"complete -C '{line}'\necho END\n" for line in lines)
            done = subprocess.run(["fish", "--no-config", "-c", program], capture_output=True, text=True, cwd=self.folder, timeout=120, env={**os.environ, "HOME": self.folder})
            self.assertEqual(done.stderr, "")
            return [{line.split("\t")[0] for line in part.splitlines()} for part in done.stdout.split("END\n")[:-1]]

        self.assertEqual(ask("assay ")[0], set(COMMANDS))
        for command, (long_options, short_options) in zip(COMMANDS, zip(*[iter(ask(*(f"assay {command} {dashes}" for command in COMMANDS for dashes in ("--", "-"))))] * 2)):
            self.assertEqual({option for option in OPTIONS[command] if option.startswith("--")}, {option.rstrip("=") for option in long_options}, command)
            self.assertLessEqual({option for option in OPTIONS[command] if not option.startswith("--")}, short_options, command)
        values = ask(f"{ASSAY} run --backend ", f"{ASSAY} run --op softmax,softp", "assay faults ", "assay run --check rel", "assay gate res")
        self.assertEqual(values[0], set(assay("list", "backends", "--no-config")[1].split()))
        self.assertIn("softmax,softplus", values[1])
        self.assertEqual(values[2], {"list", "run", "coverage"})
        self.assertEqual(values[3], {"relations"})
        self.assertIn("results.json", values[4])


if __name__ == "__main__":
    unittest.main(verbosity=1)
