"""Runs the assay command-line tool as its users do, and looks at what it says, writes and returns.

  python3 assay_cli.py PROGRAM [unittest options]
"""

import json
import math
import os
import pty
import re
import resource
import select
import shlex
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest
import xml.etree.ElementTree
from fcntl import ioctl
from pathlib import Path

PROGRAM = str(Path(sys.argv.pop(1)).resolve())
ONE = "gemm/host/f32.f32.f32/m1-n1-k1-nn-row/normal"
FAILING = "gemm/host/bf16.f32.bf16/m113-n127-k131-nn-row/normal"  # with --tolerance atol=0
ENDLESS = "gemm/host/f32.f32.f32/m32-n48-k14336-nn-row/normal"  # with --repeat 20000
SMALL = ["--op", "gemm", "--backend", "host", "--shape", "m1-n1-k1-nn-row"]
PATIENCE = float(os.environ.get("ASSAY_TEST_PATIENCE", 120))  # seconds until a program that should have ended is taken to hang


class CommandLine(unittest.TestCase):
    """A folder of its own for every test, and ways to run the tool in it."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name).resolve()

    def environment(self, **changes):
        variables = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "ASSAY_CONFIG")}
        variables["HOME"] = str(self.folder / "no-home")
        variables["PATH"] = os.path.dirname(PROGRAM) + os.pathsep + variables["PATH"]
        variables.update(changes)
        return variables

    def assay(self, *arguments, code=0, says="", within=None, **changes):
        """Runs the tool, expects the exit code and a regular expression in what it says, and returns its standard output."""
        done = subprocess.run([PROGRAM, *arguments], cwd=within or self.folder, env=self.environment(**changes), timeout=PATIENCE,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, encoding="utf-8")
        said = done.stdout + done.stderr
        self.assertEqual(done.returncode, code, f"assay {shlex.join(arguments)}\n{said}")
        self.assertRegex(said, re.compile(says, re.DOTALL), f"assay {shlex.join(arguments)}")
        return done.stdout

    def refused(self, says, *arguments, **changes):
        """The tool runs nothing, says so in one line and returns 2."""
        self.assertNotIn("passed", self.assay(*arguments, code=2, says="assay: .*" + says, **changes))

    def written(self, path, text):
        (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / path).write_text(text)
        return self.folder / path

    def report(self, folder="report"):
        return json.loads((self.folder / folder / "report.json").read_text())

    def ids(self, folder="report"):
        return [outcome["id"] for outcome in self.report(folder)["outcomes"]]

    def started(self, *arguments, changes={}, **more):
        return subprocess.Popen([PROGRAM, *arguments], cwd=self.folder, env=self.environment(**changes), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                stdin=subprocess.DEVNULL, encoding="utf-8", start_new_session=True, **more)

    def on_a_terminal(self, *arguments, interrupt_at=(), columns=150, **changes):
        """What the tool draws on a terminal, and its exit code. It is interrupted whenever the next expression was seen."""
        ours, theirs = pty.openpty()
        ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        process = subprocess.Popen([PROGRAM, *arguments], cwd=self.folder, env=self.environment(**{"TERM": "xterm", **changes}), stdout=theirs,
                                   stderr=theirs, stdin=subprocess.DEVNULL, start_new_session=True)
        os.close(theirs)
        awaited, drawn, end = list(interrupt_at), "", time.monotonic() + PATIENCE
        while time.monotonic() < end:
            ready, _, _ = select.select([ours], [], [], 1)
            try:
                part = os.read(ours, 65536) if ready else None
            except OSError:  # the other end is closed
                break
            if part is not None:
                drawn += part.decode("utf-8", "replace")
            if awaited and re.search(awaited[0], drawn):
                awaited.pop(0)
                process.send_signal(signal.SIGINT)
        os.close(ours)
        return drawn, process.wait(PATIENCE)

    def drawn(self, *arguments, **how):
        return self.on_a_terminal(*arguments, **how)[0]


class Help(CommandLine):
    def test_help_is_short_and_has_examples(self):
        text = self.assay("--help", says="run.*list.*explain.*report.*doctor.*Examples:.*Exit code")
        commands = re.findall(r"^  [a-z-]+ {2,}", text.split("Subcommands:")[1].split("\n\n")[0], re.M)
        self.assertGreater(len(commands), 20)
        self.assertLess(len(text.splitlines()), len(commands) + 18)
        self.assertNotIn("worker", text)

    def test_the_options_of_run_come_in_groups(self):
        self.assay("run", "--help", says="Which cases.*--shard.*How they are judged.*--tolerance.*How they run.*--timeout.*What comes out.*--format.*--no-config")

    def test_version_and_doctor(self):
        self.assay("--version", says=r"^\d+\.\d+\.\d+")
        for asked in "--help", "--version":
            with open("/dev/full", "w") as full:
                done = subprocess.run([PROGRAM, asked], stdout=full, stderr=subprocess.PIPE, encoding="utf-8", timeout=PATIENCE)
            self.assertEqual((done.returncode, done.stderr), (2, "assay: the standard output could not be written\n"), asked)
        self.assay("doctor", says="processor.*settings +no assay.toml here or above.*openblas")


class Lists(CommandLine):
    def test_names(self):
        operations = self.assay("list", "ops").split()
        self.assertEqual(operations[:3], ["gemm", "quantize", "dequantize"])
        self.assertLess({"softmax", "layernorm", "attention", "convolution", "gelu", "reduce_sum", "adamw_step"}, set(operations))
        self.assay("list", "backends", says="host")
        self.assay("list", "formats", says=r"e4m3fn +8 +4 +3 +7 +-448 +448 +0\.015625 +0\.00195312 +0 +2 +\+0 -0\n.*bf16\.f32\.bf16")
        self.assertEqual(len(self.assay("list", "formats", "e8m0fnu", "int4").splitlines()), 4)
        self.refused("unknown format 'e4m3nf'; nearest: e4m3fn", "list", "formats", "e4m3nf")
        self.refused("takes no names", "list", "ops", "gemm")
        self.assay("list", "fills", says="near_tie")
        told = self.assay("list", "coverage", "--op", "layernorm", says=r"normalization\n.*length +classes reached")
        self.assertRegex(told, r"2 tiles of 128 and a rest +")
        self.assertNotIn("missed ", told.split("first problem")[1])
        self.refused("no operation whose formats are data is named 'gemm'", "list", "coverage", "--op", "gemm")
        self.assay("list", "shapes", says="m33-n17-k1-nn-row")
        self.assertEqual(self.assay("list", "cases", "--only", ONE), ONE + "\n")

    def test_selection(self):
        some = self.assay("list", "cases", *SMALL, "--dtype", "f64,f32")
        self.assertIn("/f64", some)
        self.assertIn("/f32", some)
        self.assertNotRegex(some, "bf16|kokkos")

    def test_shards_partition_the_cases(self):
        whole = self.assay("list", "cases", *SMALL).splitlines()
        parts = [self.assay("list", "cases", *SMALL, "--shard", f"{i}/2").splitlines() for i in (1, 2)]
        self.assertEqual(sorted(whole), sorted(parts[0] + parts[1]))
        self.assertFalse(set(parts[0]) & set(parts[1]))

    def test_the_order_is_the_suites_however_the_cases_run(self):
        listed = self.assay("list", "cases", *SMALL).splitlines()
        for how in ([], ["--jobs", "3"], ["--isolate", "--jobs", "2"]):
            self.assay("run", *SMALL, *how, "--out", "report", says=f"{len(listed)} passed")
            self.assertEqual(self.ids(), listed)


class Runs(CommandLine):
    def test_a_report_is_written(self):
        self.assay("run", "--only", ONE, "--out", "report", says="1 passed.*report: report/report.html")
        self.assertIn(ONE, (self.folder / "report/report.html").read_text())
        self.assertEqual(self.report()["command"], f"assay run --only {ONE} --out report")
        self.assertEqual(self.ids(), [ONE])

    def test_every_way_of_judging(self):
        for tolerance in ("derived", "strict", "normal", "relaxed", "ulps=2", "atol=1e-3,rtol=0"):
            self.assay("run", "--only", ONE, "--tolerance", tolerance, says="1 passed")
        self.assay("run", "--only", ONE, "--seed", "18446744073709551615", "--repeat", "3", "--require-determinism", "--jobs", "2", says="1 passed")
        self.assay("run", "--only", FAILING, "--tolerance", "exact", "--seed", "3", code=1, says="fail " + FAILING)

    def test_quick_checks_carry_their_name_and_say_what_they_cannot_see(self):
        for check in ("residual", "sampled"):
            name = ONE + "/" + check
            self.assertIn(name, self.assay("list", "cases", "--only", ONE + "*", "--check", check).split())
            self.assay("run", "--only", name, "--check", check, "--isolate", "--out", "report", says="1 passed")
            outcome = self.report()["outcomes"][0]
            self.assertEqual((outcome["id"], outcome["labels"]["check"]), (name, check))
            self.assertIn(check + " check only", outcome["reason"])
            self.assertIn("--check " + check, outcome["reproduce"])
            self.assay(*shlex.split(outcome["reproduce"])[1:], says="1 passed")
            self.assay("explain", name, "--check", check, says=check + " check:")
        self.refused("unknown check 'residal'; nearest: residual", "run", "--check", "residal")

    def test_quiet_normal_and_verbose(self):
        quiet = self.assay("run", "--only", ONE, "--quiet", "--out", "report")
        self.assertRegex(quiet, r"^1 case: 1 passed, 0 failed in [^\n]*\n$")
        self.assertNotIn("pass " + ONE, self.assay("run", "--only", ONE))
        self.assay("run", "--only", ONE, "--verbose", says="pass " + ONE)
        self.assay("run", "--only", FAILING, "--tolerance", "atol=0", "--verbose", code=1, says="the tolerance:.*E = ")
        self.assertRegex(self.assay("run", "--only", FAILING, "--tolerance", "atol=0", "--quiet", code=1), r"^failed: host \(1 of 1 case\)\n1 × gemm on host: [^\n]*\n  assay run [^\n]*\n1 case: [^\n]*\n$")

    def npy(self, name, shape, values):
        """A file of float32, as numpy writes it."""
        header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({', '.join(map(str, shape))}), }}"
        header += " " * (63 - (10 + len(header)) % 64) + "\n"
        data = struct.pack(f"<{len(values)}f", *values)
        (self.folder / name).write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data)
        return name

    def test_arrays_in_files_are_judged_or_refused(self):
        x = self.npy("x.npy", (2, 3), [0, 1, 2, 0, 0, 0])
        y = [math.exp(v) / sum(math.exp(w) for w in (0, 1, 2)) for v in (0, 1, 2)] + [1 / 3] * 3
        right, wrong = self.npy("y.npy", (2, 3), y), self.npy("wrong.npy", (2, 3), [*y[:5], 0.5])
        self.assay("check", "--op", "softmax", x, right, says="pass softmax/given/f32.f32/2x3x1/given")
        self.assay("check", "--op", "softmax", x, wrong, code=1, says=r"fail softmax.*1 of 6 elements.*at \[1, 2\]: actual 0.5, expected 0.333")
        self.assay("check", "--op", "softmax", "--set", "axis=0", x, right, code=1, says="fail softmax/given/f32.f32/1x2x3")
        self.refused("output has extents .2x3., and the problem asks for .3x2.", "check", "--op", "softmax", self.npy("t.npy", (3, 2), [0] * 6), right)
        self.refused("1 tensors were given", "check", "--op", "softmax", x)
        self.refused("--set nonsense: softmax has the members outer", "check", "--op", "softmax", "--set", "nonsense=1", x, right)
        self.refused("unknown operation 'sofmax'; nearest: softmax", "check", "--op", "sofmax", x, right)
        a, b = self.npy("a.npy", (2, 3), [1, 2, 3, 4, 5, 6]), self.npy("b.npy", (3, 2), [1, 0, 0, 1, 1, 1])
        self.assay("check", "--op", "gemm", a, b, self.npy("c.npy", (2, 2), [4, 5, 10, 11]), says="pass fused_gemm/given/f32.f32/2x2x3/given")
        off = self.assay("check", "--op", "gemm", a, b, self.npy("d.npy", (2, 2), [4, 5, 10, 12]), code=1, says=r"at \[1, 1\]: actual 12, expected 11")
        self.assertIn("row 1 of 2 holds all violations", off)

    def test_problems_of_ones_own_are_written_like_those_of_the_suite(self):
        self.assay("run", "--op", "gemm", "--backend", "host", "--dtype", "f32.f32.f32", "--shape", "m77-n13-k50-nn-row", says="[1-9][0-9]* passed, 0 failed")
        self.assay("run", "--only", "softmax/host/f32.f32/5x77x3/normal", says="1 case: 1 passed")
        self.refused("written like none of the suite from 'q50' on: '.*' is the nearest", "run", "--op", "gemm", "--shape", "m77-n13-q50")

    def test_nothing_decided_is_no_success(self):
        if "eigen" not in self.assay("list", "backends").split():
            self.skipTest("only Eigen promises sums in so few bits that no bound holds")
        void = "gemm/eigen/f16.f16.f16/m32-n48-k14336-nn-row/constant"
        self.assay("run", "--only", void, code=2, says="1 inconclusive.*nothing was decided")
        self.assay("run", "--only", void, "--require-conclusive", code=1, says="1 inconclusive.*counts as failed")

    def test_where_every_case_is_to_decide_all_reports_say_that_one_did_not(self):
        if "eigen" not in self.assay("list", "backends").split():
            self.skipTest("only Eigen promises sums in so few bits that no bound holds")
        void = "gemm/eigen/f16.f16.f16/m32-n48-k14336-nn-row/constant"
        self.assay("run", "--only", f"{void},{ONE}", "--require-conclusive", "--out", "report", "--format", "markdown,sarif", code=1)
        self.assay("report", "report/report.json", "--out", "later", "--format", "markdown,html,sarif")
        for folder in ("report", "later"):
            self.assertIn("**Failed.**", (self.folder / folder / "report.md").read_text())
            self.assertIn("1 of 2 cases inconclusive", (self.folder / folder / "report.html").read_text())
            self.assertEqual(json.loads((self.folder / folder / "report.sarif").read_text())["runs"][0]["invocations"][0]["exitCode"], 1)

    def test_retries_measure_and_excuse_nothing(self):
        self.assay("run", "--only", FAILING, "--tolerance", "atol=0", "--retries", "2", "--out", "report", code=1, says="failed in all 3 attempts.*1 failed")

    def test_the_command_told_runs_this_case_again_and_only_this(self):
        for more in ([], ["--isolate", "--timeout", "60"], ["--repeat", "2", "--require-determinism", "--seed", "9"]):
            self.assay("run", *SMALL[:4], "--shape", "m113-n127-k131-nn-row", "--dtype", "bf16.f32.bf16", "--tolerance", "atol=0", *more,
                       "--out", "report", code=1)
            outcome = self.report()["outcomes"][0]
            arguments = shlex.split(outcome["reproduce"])
            self.assertEqual(arguments[0], "assay")
            self.assertEqual("--isolate" in arguments, "--isolate" in more)
            self.assay(*arguments[1:], "--out", "again", code=1, says="1 case: 0 passed, 1 failed")
            again = self.report("again")["outcomes"][0]
            for part in ("id", "seed", "reason", "reproduce"):
                self.assertEqual(again[part], outcome[part])


class Matrices(CommandLine):
    def npy(self, name, rows, columns, values):
        header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({rows}, {columns}), }}".ljust(117) + "\n"
        (self.folder / name).write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack(f"<{len(values)}f", *values))

    def setUp(self):
        super().setUp()
        self.npy("a.npy", 2, 3, [1, 2, 3, 4, 5, 6])
        self.npy("b it's.npy", 3, 1, [1, 2, 3])

    def test_they_are_multiplied_by_every_kernel(self):
        of_ones_own = ["--a", "a.npy", "--b", "b it's.npy"]
        self.assay("run", *of_ones_own, "--backend", "host", "--dtype", "f32,f64,f16", "--out", "own", says="4 passed")
        self.assertIn("gemm/host/f32.f32.f32/m2-n1-k3-nn-row/given", self.ids("own"))
        self.assay(*shlex.split(self.report("own")["outcomes"][0]["reproduce"])[1:], says="1 passed")
        self.assay("run", *of_ones_own, "--backend", "host", "--dtype", "f32", "--isolate", says="1 passed")
        self.assay("explain", *of_ones_own, "gemm/host/f64*", says="matrices of the user's own.*P = ")

    def test_what_is_wrong_with_them_is_told(self):
        self.refused("--a requires --b", "run", "--a", "a.npy")
        self.refused("--b requires --a", "run", "--b", "a.npy")
        self.refused("absent.npy: no such file", "run", "--a", "a.npy", "--b", "absent.npy")
        self.refused("A's columns must be as many as B's rows", "run", "--a", "a.npy", "--b", "a.npy")
        self.refused("not an npy file", "run", "--a", "a.npy", "--b", str(self.written("text", "no matrix")))


class Profiles(CommandLine):
    def test_the_arithmetic_of_our_own_kernel(self):
        said = self.assay("profile", "--backend", "host", "--dtype", "f32", "--json", "f32.json", says="numeric profile of host")
        for finding in ("products  .*rounded", "accumulator  .*f32", "sum rounding  .*nearest_even", "order  .*sequential", "repeatable  .*yes"):
            self.assertRegex(said, finding)
        kept = json.loads((self.folder / "f32.json").read_text())
        self.assertEqual(kept["schema"], "assay-profile/1")
        self.assertEqual(kept["findings"]["sum rounding"]["value"], "nearest_even")

    def test_what_changed_is_told(self):
        self.assay("profile", "--backend", "host", "--dtype", "f32", "--json", "before.json")
        self.assay("profile", "--backend", "host", "--dtype", "f32", "--compare", "before.json", says="nothing changed numerically since before.json")
        kept = json.loads((self.folder / "before.json").read_text())
        kept["findings"]["sum rounding"]["value"] = "toward_zero"
        self.written("other.json", json.dumps(kept))
        self.assay("profile", "--backend", "host", "--dtype", "f32", "--compare", "other.json", code=1, says="what changed numerically.*sum rounding +toward_zero +nearest_even")

    def test_functions_have_profiles_too(self):
        said = self.assay("profile", "--backend", "host", "--op", "exp,rsqrt", "--dtype", "bf16", "--json", "functions.json")
        self.assertRegex(said, r"(?m)^exp +bf16 → bf16 +65536, all +0\.[0-9]+ ")
        self.assertRegex(said, r"(?m)^rsqrt +bf16 → bf16 ")
        self.assay("profile", "--backend", "host", "--op", "exp,rsqrt", "--dtype", "bf16", "--compare", "functions.json", says="nothing changed numerically since functions.json")
        self.assay("profile", "--backend", "host", "--op", "exp", "--dtype", "bf16", "--compare", "functions.json", says="nothing changed numerically since functions.json")
        self.assay("profile", "--backend", "host", "--op", "exp,sqrt", "--dtype", "bf16", "--compare", "functions.json", code=1, says="sqrt, bf16 → bf16, 65536, all inputs +profile +missing +there")

    def test_what_is_wrong_is_told(self):
        self.refused("unknown backend 'hots'; nearest: host", "profile", "--backend", "hots")
        self.refused("unknown format 'f33'; known: .*f32.f32.f32", "profile", "--backend", "host", "--dtype", "f33")
        self.refused("gemm and functions have profiles of different kinds", "profile", "--backend", "host", "--op", "gemm,exp")
        self.refused("unknown operation with a profile 'softmax'", "profile", "--backend", "host", "--op", "softmax")
        self.refused("2 are meant; give --dtype one of bf16.f32.f32 bf16.f32.bf16", "profile", "--backend", "host", "--dtype", "bf16", "--json", "x.json")
        self.refused("cannot read 'absent.json'", "profile", "--backend", "host", "--dtype", "f32", "--compare", "absent.json")


class Faults(CommandLine):
    def test_they_are_listed_with_their_class_and_effect(self):
        told = self.assay("faults", "list", "--op", "softmax", "--class", "special_value")
        for part in ("fully_masked_nan", "writes 0 where NaN is due", "0 right kernels"):
            self.assertIn(part, told)

    def test_the_default_suite_catches_them_and_leaves_right_kernels_in_peace(self):
        told = self.assay("faults", "run", "--op", "softmax", "--fault", "no_shift,flipped_bit,negative_zero,online", "--cases", "10")
        self.assertRegex(told, r"caught +softmax/flipped_bit +by normal, case 1\n")
        self.assertRegex(told, r"invisible +softmax/negative_zero +-0 equals 0")
        self.assertRegex(told, r"2 faults caught, 1 invisible as proved; 1 right kernels in \d+ validations; 0 not as it should be")

    def test_what_is_wrong_is_told(self):
        told = self.assay("faults", "coverage", "--op", "softmax", "--fault", "no_shift,negative_zero", "--cases", "3")
        self.assertRegex(told, r"(?m)^no_shift +\S.*\bextreme\b")
        self.assertRegex(told, r"(?m)^negative_zero +invisible: ")
        self.refused("unknown fault 'flipped_bits'; nearest: flipped_bit", "faults", "list", "--fault", "flipped_bits")
        self.refused(r"unknown fault 'zz\*'; assay faults list tells all \d+$", "faults", "list", "--fault", "zz*")
        self.refused("unknown action 'show'", "faults", "show")


class ShrunkCases(CommandLine):
    def test_the_smallest_failing_case_is_kept_and_fails_again_in_another_process(self):
        told = self.assay("minimize", FAILING, "--tolerance", "atol=0", "--out", "case.json", says="run it again: assay run --no-config --case case.json")
        self.assertRegex(told, r"m1-n1-k\d\b")
        kept = json.loads((self.folder / "case.json").read_text())
        self.assertEqual(kept["verdict"], "fail")
        self.assay("run", "--case", "case.json", "--out", "again", code=1, says="1 case: 0 passed, 1 failed")
        outcome, = json.loads((self.folder / "again" / "report.json").read_text())["outcomes"]
        self.assertEqual(outcome["reproduce"], "assay run --no-config --case case.json")
        self.written("assay.toml", '[run]\nbackend = ["host"]\nisolate = true\ntimeout = 50\ntolerance = "strict"\nseed = 9\nshard = "1/2"\nrepeat = 2\nrequire-determinism = true\n')
        self.assay("run", "--case", "case.json", code=1, says="1 case: 0 passed, 1 failed")
        for option in (["--shard", "2/8"], ["--exclude", "x"], ["--suite", "large"]):
            self.refused("--case runs the case of its file; leave out what selects others", "run", "--case", "case.json", *option)
        for option in (["--seed", "7"], ["--repeat", "3"], ["--check", "residual"], ["--require-determinism"]):
            self.refused("--case runs and judges as its file says", "run", "--case", "case.json", *option)
        self.written("other.json", json.dumps({**kept, "id": "gone/nowhere/f32/1/normal"}))
        self.refused("unknown case 'gone/nowhere/f32/1/normal'; assay list cases tells all", "run", "--case", "other.json")

    def test_what_is_wrong_is_told(self):
        self.refused("unknown case 'gemm/hots", "minimize", "gemm/hots/f32.f32.f32/m1-n1-k1-nn-row/normal", "--out", "case.json")
        self.refused("does not fail", "minimize", ONE, "--out", "case.json")
        self.refused("absent.json", "run", "--case", "absent.json")
        self.refused("case.json", "run", "--case", str(self.written("case.json", "{}")))


class Diagnoses(CommandLine):
    PADDED = "layernorm/onednn/f32.f32.f32/4x384-folded/normal/padded"  # oneDNN takes rows to lie without gaps

    def setUp(self):
        super().setUp()
        if "onednn" not in self.assay("list", "backends").split():
            self.skipTest("no kernel of another library here is known to fail")

    def outcome(self, *more):
        self.assay("run", "--only", self.PADDED, *more, "--out", "report", code=1)
        return self.report()["outcomes"][0]

    def test_promises_of_a_unit_are_judged_by_and_told(self):
        case = "gemm/host/bf16.f32.bf16/m31-n37-k41-nn-row/subnormal"
        known = "subnormals of bf16 dot products are flushed \\(promised by --promise\\)"
        for more in ([], ["--isolate"], ["--no-diagnosis"]):  # a kernel that keeps them is right as well
            self.assay("run", "--only", case, "--promise", "flush_products=bf16", *more, says="1 passed")
        self.assay("explain", case, "--promise", "flush_products=bf16", says=f"judged with: {known}")
        self.assay("explain", case, "--promise", "flush_products=bf16", "--promise", "keep_subnormals=f16", says=known)
        for promise in ("flush_products=bf16", "keep_subnormals"):  # nothing is forgiven to this one
            self.assertNotIn("judged with", self.assay("explain", case.replace("bf16.f32.bf16", "f32.f32.f32"), "--promise", promise))
        for promise, refusal in (("flush_product=bf16", "unknown property 'flush_product'; nearest: flush_products"),
                                 ("flush_products=bf61", "unknown format 'bf61'"),
                                 ("flush_subnormals,keep_subnormals=f16", "flush_subnormals and keep_subnormals=f16 contradict each other"),
                                 ("absent.json", "absent.json")):
            said = self.assay("run", "--only", case, "--promise", promise, code=2, says=re.escape(refusal))
            self.assertEqual(said, "", promise)  # nothing is judged

    def test_problems_of_ones_own_are_explained(self):
        for name in (["--op", "gemm", "--backend", "host", "--dtype", "f32", "--fill", "normal", "--shape", "m777-n13-k50-nn-row"],
                     ["gemm/host/f32.f32.f32/m777-n13-k50-nn-row/normal"]):
            self.assay("explain", *name, says="m777-n13-k50-nn-row/normal.*at most 50 non-zero products a sum")
        self.assay("explain", "softmax/host/f32.f32/5x77x1/normal", says="5x77x1.*reference")

    def test_what_fails_names_its_likely_cause_with_evidence_and_a_picture(self):
        for more in ([], ["--isolate"]):
            outcome = self.outcome(*more)
            told = re.match(r"(certain|likely|possible): (\w+), \w+: .+", outcome["diagnosis"][0])
            self.assertTrue(told, outcome["diagnosis"])
            self.assertEqual(outcome["labels"]["fault_class"], told[2])
            self.assertIn("violations of output", [heat_map["title"] for heat_map in outcome["heat_maps"]])
            page = (self.folder / "report/report.html").read_text()
            self.assertIn(told[0][:40], page)
            self.assertIn("violations of output", page)

    def test_it_can_be_switched_off(self):
        self.written("assay.toml", "[run]\nno-diagnosis = true\n")
        for outcome in (self.outcome("--no-diagnosis", "--no-config"), self.outcome("--no-diagnosis", "--isolate", "--no-config"), self.outcome()):
            self.assertNotIn("fault_class", outcome["labels"])
            self.assertIn("--no-diagnosis", outcome["reproduce"])
        self.assertIn("fault_class", self.outcome("--no-diagnosis=false")["labels"])


class Relations(CommandLine):
    def test_they_hold_for_right_kernels_and_say_what_they_cannot_see(self):
        self.assay("run", "--check", "relations", "--backend", "host", "--op", "softmax,gemm", "--dtype", "f32,f32.f32.f32", "--out", "r", says=" 0 failed")
        outcomes = json.loads((self.folder / "r" / "report.json").read_text())["outcomes"]
        self.assertEqual({outcome["labels"]["operation"] for outcome in outcomes}, {"softmax", "gemm"})
        passed = [outcome for outcome in outcomes if outcome["verdict"] == "pass"]
        self.assertGreater(len(passed), 20)
        for outcome in passed:
            self.assertRegex(outcome["derivation"][-1], "cannot see|blind")


class Envelopes(CommandLine):
    def run_softmax(self, seed, *more):
        self.assay("run", "--backend", "host", "--op", "softmax", "--dtype", "f32", "--fill", "normal", "--seed", str(seed), "--out", f"run{seed}", *more)
        return json.loads((self.folder / f"run{seed}" / "report.json").read_text())["outcomes"]

    def test_what_lies_outside_of_known_runs_is_told(self):
        for seed in range(1, 16):
            self.run_softmax(seed)
        self.assay("envelope", "learn", *[f"run{seed}/report.json" for seed in range(1, 16)], "--rate", "0.5", "--out", "envelope.json", says="in 15 runs; [1-9]")
        known = self.run_softmax(16, "--envelope", "envelope.json")
        measured = [m["value"] for outcome in known for m in outcome["measurements"] if m["name"] == "outside_envelope"]
        self.assertTrue(measured and set(measured) <= {0, 1}, measured)
        kept = json.loads((self.folder / "envelope.json").read_text())
        self.assertEqual(kept["rate"], 0.5)
        self.written("required.json", json.dumps({**kept, "groups": {}}))
        self.assay("run", "--backend", "host", "--op", "softmax", "--dtype", "f32", "--fill", "normal", "--envelope", "required.json", "--require-envelope", "--out", "required",
                   code=2, says="0 passed, 0 failed, [1-9][0-9]* inconclusive")
        again = self.report("required")["outcomes"][0]["reproduce"]
        self.assertIn("--envelope required.json --require-envelope", again)
        self.assay(*shlex.split(again)[1:], code=2, says="1 case: 0 passed, 0 failed, 1 inconclusive")

    def test_runs_too_few_for_any_limit_are_refused(self):
        self.run_softmax(1)
        self.refused("needs 499 runs of a group of cases, and no group has more than", "envelope", "learn", "run1/report.json", "--out", "envelope.json")
        self.assertFalse((self.folder / "envelope.json").exists())

    def test_what_is_wrong_is_told(self):
        self.refused("unknown action 'teach'", "envelope", "teach", "a.json", "--out", "b.json")
        self.refused("absent.json", "envelope", "learn", "absent.json", "--out", "b.json")
        self.refused("absent.json", "run", "--envelope", "absent.json")


class WhatIsTypedWrong(CommandLine):
    def test_commands_and_options(self):
        self.assay(code=2, says="assay --help")
        self.refused("unknown command 'rnu'; nearest: run; known: accuracy, baseline, capacity, certify, check, chips, cluster, collectives, cost, doctor, envelope, explain, faults, fleet, frameworks, gate, hardware, help, history, list, matrix, merge, minimize, node, notebooks, pipeline, profile, quantize-report, report, roofline, run, serve-bench, serve-check, telemetry; see assay --help", "rnu")
        self.refused("unknown option '--bakend'; nearest: --backend", "run", "--bakend", "host")
        self.refused("unknown option '--sede'; nearest: --seed", "explain", ONE, "--sede=3")
        self.refused("'host' was not expected", "run", "host")
        self.refused("unknown list 'opps'; nearest: ops", "list", "opps")
        self.refused("not for use by hand", "worker")

    def test_names(self):
        self.refused("unknown backend 'hots'; nearest: host; known: .*host", "run", "--backend", "hots")
        self.refused("unknown operation 'gem'; nearest: gemm,", "run", "--op", "gem")
        self.refused("unknown format 'bf61'; nearest: bf16", "run", "--dtype", "bf61")
        self.refused("unknown fill 'norml'; nearest: normal", "run", "--fill", "norml")
        self.refused("unknown shape 'm1-n1-kx-nn-row'; nearest: m1-n1-k1-nn-row.*written like none of the suite from 'x-nn-row' on", "run", "--shape", "m1-n1-kx-nn-row")
        self.refused(f"unknown case '{ONE[:-2]}'; nearest: {ONE}", "run", "--only", ONE[:-2])
        self.refused(r"no case matches 'conv/\*'", "run", "--exclude", "conv/*")
        self.refused("unknown suite 'lagre'; nearest: large", "run", "--suite", "lagre")
        self.refused("unknown tolerance 'stirct'; nearest: strict", "run", "--tolerance", "stirct")
        self.refused("unknown color 'alwys'; nearest: always", "run", "--color", "alwys")
        self.refused("unknown report format 'junti'; nearest: junit", "run", "--out", "x", "--format", "junti")

    def test_numbers(self):
        self.refused("has no number of 0 or more", "run", "--tolerance", "atol=-1")
        self.refused("shard 3/2 does not exist; give i/n", "run", "--shard", "3/2")
        self.refused("shard 'x' cannot be read", "run", "--shard", "x")
        self.refused("--seed is '-1'; give a whole number from 0 to 18446744073709551615", "run", "--seed", "-1")
        self.refused("--jobs is '0'; give a whole number from 1", "run", "--jobs", "0")
        self.refused("--repeat is 'many'", "run", "--repeat", "many")
        self.refused("--retries is '-1'; give a whole number from 0", "run", "--retries", "-1")
        self.refused("--timeout is '0'; give a number of seconds above 0", "run", "--timeout", "0")
        self.refused("--timeout is 'nan'; give a number of seconds above 0", "run", "--timeout", "nan")
        self.refused("--memory is '2GB'; give a number of GiB above 0", "run", "--memory", "2GB")

    def test_options_that_do_not_go_together(self):
        self.refused("give --repeat 2 or more", "run", "--require-determinism")
        self.refused("--quiet excludes --verbose", "run", "--quiet", "--verbose")
        self.refused("--out is missing; give --out DIR", "run", "--format", "junit")
        self.refused("--config excludes --no-config", "run", "--no-config", "--config", "x.toml")

    def test_an_empty_value_is_no_option_left_out(self):
        for command in ("run", "list", "merge"):
            self.refused("--out was given an empty value" if command != "list" else "--only was given an empty value",
                         *{"run": ["run", "--only", ONE, "--out", ""], "list": ["list", "cases", "--only", ""], "merge": ["merge", "a.json", "--out", ""]}[command])
        for option in ("--timeout", "--memory", "--case", "--envelope", "--config", "--distribute", "--a", "--b", "--plugin", "--opencl", "--vulkan", "--webgpu", "--python", "--backend"):
            self.refused(f"{option} was given an empty value; give it one, or leave it out", "run", "--only", ONE, option, "")

    def test_operations_that_a_check_is_not_for(self):
        self.refused("--op asks for 'softmax', and only gemm has --check residual; leave out --check residual, or give --op gemm", "run", "--op", "softmax", "--check", "residual")

    def test_nothing_selected(self):
        self.refused(r"nothing is selected: exclude \* leaves none", "run", "--exclude", "*")
        self.refused("there are more shards than cases", "run", "--only", ONE, "--shard", "2/2")
        self.refused("ask for large cases", "run", "--only", "*m16-n4096-k4096*")


class Explanations(CommandLine):
    def test_a_case_in_words_and_numbers(self):
        text = self.assay("explain", FAILING, says=r"op\(A\) 113×131.*sums are kept in f32.*N\(0, 1\).*E = g.*accept iff.*P = .*S = .*accepted: ")
        self.assertTrue(text.startswith(FAILING + "\n"))

    def test_every_pattern_of_data_is_explained(self):
        ids = self.assay("list", "cases", "--backend", "host", "--dtype", "f32.f32.f32", "--shape", "m32-n48-k3000-nn-row").splitlines()
        text = self.assay("explain", *ids)
        self.assertEqual(len(ids), 12)
        for case in ids:
            self.assertIn(case + "\n", text)
            self.assertIn(f" {case.rsplit('/', 1)[1]}: ", text)

    def test_globs_and_large_cases(self):
        self.assertEqual(self.assay("explain", "gemm/host/*/m1-n1-k1-nn-row/normal").count("for example row 0, column 0"), 6)
        self.assay("explain", "gemm/host/f32.f32.f32/m16-n4096-k4096-nn-row/normal", says="16×4096")

    def test_seed_and_tolerance(self):
        first = self.assay("explain", FAILING)
        self.assertNotEqual(first, self.assay("explain", FAILING, "--seed", "2"))
        self.assertEqual(first, self.assay("explain", FAILING, "--seed", "1"))
        self.assay("explain", FAILING, "--tolerance", "atol=0.25", says="0.25")

    def test_it_tells_the_bound_that_run_uses(self):
        self.assay("run", "--only", FAILING, "--out", "report")
        text = self.assay("explain", FAILING)
        for step in self.report()["outcomes"][0]["derivation"]:
            self.assertIn(step, text)

    def test_unknown_cases(self):
        self.refused(f"unknown case '{ONE[:-2]}'; nearest: {ONE}", "explain", ONE[:-2])
        self.refused(r"no case matches 'conv/\*'", "explain", "conv/*")
        self.assay("explain", code=2, says="id")


class Settings(CommandLine):
    def test_the_command_line_comes_before_the_file_and_the_file_before_the_default(self):
        self.written("assay.toml", '# ours\n[run]\nseed = 7 # lucky\nfill = ["normal",\n  "uniform"]\nbackend = "host"\nquiet = true\n')
        self.assay("run", *SMALL[4:], "--dtype", "f32.f32.f32", "--out", "report")
        self.assertEqual((self.report()["seed"], len(self.ids())), ("7", 2))
        self.assay("run", *SMALL[4:], "--dtype", "f32.f32.f32", "--out", "report", "--seed", "8", "--fill", "special", "--verbose", says="settings of .*assay.toml: --backend=host\n")
        self.assertEqual((self.report()["seed"], len(self.ids())), ("8", 1))
        self.assay("run", *SMALL, "--dtype", "f32.f32.f32", "--out", "report", "--no-config")
        self.assertEqual((self.report()["seed"], len(self.ids())), ("1", 12))

    def test_the_command_told_needs_no_file(self):
        self.written("assay.toml", '[run]\ntolerance = "atol=0"\nbackend = ["eigen", "host"]\nshape = "m113-n127-k131-nn-row"\nseed = 5\nisolate = true\n')
        self.assay("run", "--backend", "host", "--dtype", "bf16.f32.bf16", "--fill", "normal", "--out", "report", code=1)
        outcome = self.report()["outcomes"][0]
        self.assertIn("--no-config", outcome["reproduce"])
        self.assay(*shlex.split(outcome["reproduce"])[1:], "--out", "again", code=1, says="1 failed", within=self.written("elsewhere/x", "").parent)
        self.assertEqual(self.report("elsewhere/again")["outcomes"][0]["reason"], outcome["reason"])
        self.assay(*shlex.split(self.report()["command"])[1:], code=1, says="1 failed")

    def test_where_the_file_is_looked_for(self):
        file = self.written("repository/assay.toml", "[run]\nseed = 11\n")
        (self.folder / "repository/.git").mkdir()
        deep = self.folder / "repository/a/b"
        deep.mkdir(parents=True)
        seed = lambda within, *more, **changes: re.search(r"seed (\d+)", self.assay("run", "--only", ONE, *more, within=within, **changes)).group(1)
        self.assertEqual(seed(deep), "11")
        nearer = self.written("repository/a/assay.toml", "[run]\nseed = 12\n")
        self.assertEqual(seed(deep), "12")
        (deep / ".git").mkdir()
        self.assertEqual(seed(deep), "1", "a file above the repository counts")
        self.assertEqual(seed(deep, "--config", str(file)), "11")
        self.assertEqual(seed(deep, ASSAY_CONFIG=str(nearer)), "12")
        self.assertEqual(seed(deep, "--config", str(file), ASSAY_CONFIG=str(nearer)), "11")
        self.assertEqual(seed(deep, "--no-config", ASSAY_CONFIG=str(nearer)), "1")
        plain = self.written("home/x/y/file", "").parent
        self.written("home/assay.toml", "[run]\nseed = 13\n")
        self.assertEqual(seed(plain), "1", "a file above counts outside of home and repository")
        self.assertEqual(seed(plain, HOME=str(self.folder / "home")), "13")

    def test_switches_and_limits_are_overruled(self):
        self.written("assay.toml", "[run]\nisolate = true\ntimeout = 50\nverbose = true\nrequire-conclusive = false\n")
        self.assay("run", "--only", FAILING, "--tolerance", "atol=0", "--isolate=false", "--quiet", "--out", "report", code=1)
        self.assertNotIn("--isolate", self.report()["outcomes"][0]["reproduce"])
        self.assay("run", "--only", FAILING, "--tolerance", "atol=0", "--quiet", "--out", "report", code=1)
        self.assertIn("--isolate --timeout 50", self.report()["outcomes"][0]["reproduce"])

    def test_what_cannot_stand_beside_the_command_line_is_overruled(self):
        quick = ["--op", "softmax", "--backend", "host", "--dtype", "f32", "--shape", "7x31x1", "--fill", "normal", "--verbose"]
        self.written("assay.toml", '[run]\ntolerance = "strict"\nisolate = true\ntimeout = 50\njobs = 2\n')
        self.assay("run", "--check", "relations", *quick, "--out", "relations", says="1 passed|passed")
        self.assay("run", *quick, "--no-isolate", "--out", "report", says="1 passed")
        self.assertIn("--no-isolate", self.report()["command"])
        self.assertNotIn("--timeout", self.report()["command"])
        without_leaks = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"  # those are Open MPI's
        self.refused("mpirun|without MPI", "run", *quick, "--distribute", "mpi", ASAN_OPTIONS=without_leaks)
        self.written("assay.toml", '[run]\ncheck = "relations"\n')
        self.assay("run", *quick, "--tolerance", "strict", says="1 passed")

    def test_explain_explains_what_run_does(self):
        self.written("assay.toml", '[run]\ntolerance = "atol=0.125"\nbackend = "nothing-of-this-name"\n')
        self.assay("explain", FAILING, says="0.125")
        self.assertEqual(self.assay("list", "backends"), self.assay("list", "backends", "--no-config"))
        self.written("assay.toml", '[run]\ntolerance = "atol=0.125"\n[explain]\ntolerance = "atol=0.375"\n')
        self.assay("explain", FAILING, says="0.375")

    def test_doctor_tells_them(self):
        self.written("assay.toml", '[run]\nseed = 7\ndtype = ["bf16", "f16"]\n')
        self.assay("doctor", says=r"settings +/.*/assay.toml\n +\[run\] seed = 7\n +\[run\] dtype = bf16,f16")
        self.assay("doctor", "--no-config", says="settings +none: --no-config")
        self.written("assay.toml", '[run]\nseed = "seven"\n')
        self.refused("assay.toml: --seed is 'seven'", "doctor")

    def test_what_is_wrong_in_a_file_is_told_with_its_name(self):
        for text, says in {
            '[run]\n\nsede = 7\n': "assay.toml:3: unknown key 'sede'; nearest: seed",
            '[rnu]\nseed = 7\n': "assay.toml:2: unknown section 'rnu'; nearest: run",
            'seed = 7\n': "assay.toml:1: 'seed' stands outside a section",
            '[run]\nseed = 7\nseed = 8\n': r"assay.toml:3: 'seed' is said twice in \[run\], first in line 2",
            '[run]\nseed = -7\n': "assay.toml: --seed is '-7'",
            '[run]\nquiet = 1\n': "assay.toml:2: 'quiet' is a switch; give true or false",
            '[run]\nseed = [7, 8]\n': "assay.toml:2: 'seed' takes one value, not a list",
            '[run]\nfill = normal\n': "assay.toml:2: 'normal' is neither a number nor true or false; put texts in quotes",
            '[run]\nfill = ["normal"\n[list]\n': "assay.toml:2: the list of 'fill' does not end",
            '[run]\nfill = "normal\n': "assay.toml:2: a text does not end",
            '[run]\nseed 7\n': r"assay.toml:2: neither \[section\] nor key = value",
            '[run\n': "assay.toml:1: a section is a name in brackets",
            '[run]\nseed = 7 8\n': "assay.toml:2: '8' was not expected",
            '[run]\nseed =\n': "assay.toml:2: a value is missing",
            '[run]\nconfig = "x"\n': "assay.toml:2: unknown key 'config'",
            '[run]\nrequire-determinism = true\n': "assay.toml: --require-determinism compares runs",
            '[run]\nquiet = true\nverbose = true\n': "assay.toml: --quiet excludes --verbose",
            '[list]\nbakend = "host"\n': "assay.toml:2: unknown key 'bakend'; nearest: backend",
        }.items():
            with self.subTest(text):
                self.written("assay.toml", text)
                self.refused(says, "run", "--only", ONE)
        self.refused("--config 'absent.toml' does not exist", "run", "--config", "absent.toml")
        self.refused("ASSAY_CONFIG 'absent.toml' does not exist", "run", ASSAY_CONFIG="absent.toml")
        self.refused("--config: cannot read .*: it is a folder; name a settings file, or give --no-config", "run", "--config", str(self.folder))
        self.refused("--config: cannot read '/proc/self/mem': reading failed", "run", "--config", "/proc/self/mem")

    def test_an_editors_byte_order_mark_is_no_key(self):
        (self.folder / "assay.toml").write_bytes(b"\xef\xbb\xbf[run]\nseed = 7\n")
        self.assay("run", "--only", ONE, says="seed 7")


class Terminals(CommandLine):
    def test_a_pipe_gets_plain_lines(self):
        for how in ([], ["--isolate"], ["--verbose"]):
            text = self.assay("run", *SMALL, *how, TERM="xterm")
            self.assertNotRegex(text, "[\x00-\x09\x0b-\x1f]")
        self.assay("run", "--only", FAILING, "--tolerance", "atol=0", "--color=always", code=1, says="\x1b\\[31mfail\x1b\\[0m")

    def test_a_terminal_sees_progress_with_the_remaining_time_and_no_trace_of_it_stays(self):
        drawn = self.drawn("run", "--backend", "host", "--repeat", "40", interrupt_at=[r"\d+ s, (about [\d a-z]+|a few seconds) left  gemm/host/"])
        self.assertRegex(drawn, r"\r\x1b\[2K\x1b\[2m\d+/\d+  [\d.]+/s  \d+ s, (about [\d a-z]+|a few seconds) left  gemm/host/")
        self.assertRegex(drawn, r"cut short: \d+ of \d+ planned cases did not run\x1b\[0m\r\n$")
        for line in re.findall(r"\r\x1b\[2K\x1b\[2m([^\x1b\r\n]*)\x1b\[0m", drawn):
            self.assertLess(len(line), 150)

    def test_isolated_cases_are_shown_too(self):
        self.assertRegex(self.drawn("run", *SMALL, "--isolate"), r"\r\x1b\[2K\x1b\[2m\d+/\d+  .*gemm/host/")

    def test_colors_can_be_refused(self):
        self.assertRegex(self.drawn("run", "--only", ONE), r"\x1b\[32m1 case: 1 passed")
        for refusal in ({"NO_COLOR": "1"}, {}):
            drawn = self.drawn("run", "--only", ONE, *([] if refusal else ["--color=never"]), **refusal)
            self.assertNotRegex(drawn, r"\x1b\[\d+m")
            self.assertIn("\r\x1b[2K", drawn)
        self.assertRegex(self.drawn("run", "--only", ONE, "--color=always", NO_COLOR="1"), r"\x1b\[32m1 case")

    def test_a_dumb_terminal_is_a_file(self):
        self.assertNotRegex(self.drawn("run", *SMALL, TERM="dumb"), "\x1b")

    def test_quiet_is_quiet_on_a_terminal(self):
        self.assertRegex(self.drawn("run", *SMALL, "--quiet", "--color=never"), r"^\d+ cases: [^\r\n]*\r\n$")

    def test_explanations_are_wrapped_to_the_terminal(self):
        self.assertLessEqual(max(map(len, self.drawn("explain", FAILING, columns=64).splitlines())), 64)


class Isolation(CommandLine):
    def test_a_case_beyond_its_time_costs_one_case(self):
        self.assay("run", "--only", f"{ONE},{ENDLESS}", "--repeat", "1000", "--timeout", "4", "--out", "report", code=1,
                   says=f"error {ENDLESS}.*2 cases: 1 passed, 0 failed, 1 with an error")
        late = self.report()["outcomes"][1]
        self.assertEqual(late["labels"]["ended"], "timeout")
        self.assertIn("--isolate --timeout 4 ", late["reproduce"])

    def test_a_limit_of_memory(self):
        self.assay("run", "--only", ONE, "--memory", "16", says="1 passed")
        self.assay("run", "--only", ENDLESS, "--repeat", "20000", "--memory", "0.001", code=1, says="memory.*--isolate --memory 0.001 ")

    def test_workers_need_no_other_program(self):
        self.assay("run", "--only", ONE, "--isolate", "--jobs", "2", says="1 passed", PATH="/nowhere")

    def test_a_library_is_told_to_use_another_instruction_set(self):
        choices = re.findall(r"(?:onednn|openblas)@\w+", self.assay("doctor"))
        if not choices:
            self.skipTest("no library here can be told")
        case = ["--op", "gemm", "--dtype", "f32.f32.f32", "--shape", "m31-n37-k41-nn-row", "--fill", "normal", "--out", "report"]
        for backend in choices:
            self.assay("run", "--backend", backend, *case, says="1 passed")
            self.assertEqual(self.ids(), [f"gemm/{backend}/f32.f32.f32/m31-n37-k41-nn-row/normal"])
            self.assay("run", "--only", self.ids()[0], says="1 passed")
        library = choices[0].split("@")[0]
        self.assay("run", "--backend", f"host,{library}@*", *case, says="passed")
        self.assertEqual({name.split("/")[1] for name in self.ids()}, {"host", *(choice for choice in choices if choice.startswith(library))})
        self.assertNotIn("@", self.assay("list", "cases", "--backend", library))
        self.refused(f"nearest: {choices[0]}", "run", "--backend", choices[0] + "x")

    def test_the_numbers_are_those_of_a_run_without(self):
        for backend in self.assay("list", "backends").split():
            cases = ["--backend", backend, "--shape", "m33-n17-k1-nn-row", "--dtype", "f32.f32.f32"]
            self.assay("run", *cases, "--out", "plain")
            self.assay("run", *cases, "--isolate", "--jobs", "2", "--out", "isolated")
            for plain, isolated in zip(self.report("plain")["outcomes"], self.report("isolated")["outcomes"]):
                for part in ("id", "verdict", "reason", "seed", "derivation"):
                    self.assertEqual(plain.get(part), isolated.get(part))
                numbers = lambda outcome: {m["name"]: m["value"] for m in outcome["measurements"] if m["unit"] != "s"}
                self.assertEqual(numbers(plain), numbers(isolated))


class Interruptions(CommandLine):
    def interrupted(self, signal_number, *arguments):
        process = self.started("run", "--backend", "host", "--verbose", "--out", "report", "--format", "junit,sarif,markdown,ocp", *arguments)
        for line in process.stdout:
            if line.startswith("pass"):
                break
        os.killpg(process.pid, signal_number)  # as a terminal does: the whole group
        said, errors = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 2, said + errors)
        self.assertIn("stopping after the running cases", errors)
        self.assertIn("cut short", said)
        run = self.report()
        self.assertGreater(len(run["outcomes"]), 0)
        self.assertLess(len(run["outcomes"]), run["planned_cases"])
        self.assertTrue(all(outcome["verdict"] == "pass" for outcome in run["outcomes"]))
        listed = self.assay("list", "cases", "--backend", "host").splitlines()
        ran = set(self.ids())
        self.assertEqual(self.ids(), [case for case in listed if case in ran])
        xml.etree.ElementTree.parse(self.folder / "report/report.junit.xml")
        json.loads((self.folder / "report/report.sarif").read_text())
        self.assay("report", "report/report.json", "--out", "converted", says="converted/report.html")

    def test_an_interrupted_run_leaves_valid_reports_of_what_ran(self):
        self.interrupted(signal.SIGINT)

    def test_a_terminated_one_too(self):
        self.interrupted(signal.SIGTERM)

    def test_an_isolated_one_too(self):
        self.interrupted(signal.SIGINT, "--isolate", "--jobs", "2")

    def test_the_second_interrupt_ends_at_once(self):
        for how in ([], ["--isolate"]):
            drawn, code = self.on_a_terminal("run", "--only", ENDLESS, "--repeat", "20000", *how, interrupt_at=[r"0/1  .*" + ENDLESS, "stopping after"])
            self.assertEqual(code, -signal.SIGINT, drawn)


class Reports(CommandLine):
    def files(self, folder):
        return sorted(file.name for file in (self.folder / folder).iterdir())

    def test_every_format(self):
        self.assay("run", *SMALL, "--fill", "normal,uniform", "--out", "all/of them", "--format", "ocp,junit,sarif", "--format", "markdown,html",
                   says="report: all/of them/report.junit.xml")
        self.assertEqual(self.files("all/of them"), ["report.html", "report.json", "report.junit.xml", "report.md", "report.ocp.jsonl", "report.sarif"])
        self.assay("report", "all/of them/report.json", "--out", "converted", "--format", "html,json,junit,sarif,markdown,ocp")
        self.assertEqual(self.files("converted"), self.files("all/of them"))
        self.assertEqual(self.report("converted"), self.report("all/of them"))
        for folder in ("all/of them", "converted"):
            suite = xml.etree.ElementTree.parse(self.folder / folder / "report.junit.xml")
            self.assertEqual(len(list(suite.iter("testcase"))), len(self.ids(folder)))
            self.assertEqual(json.loads((self.folder / folder / "report.sarif").read_text())["version"], "2.1.0")
            for line in (self.folder / folder / "report.ocp.jsonl").read_text().splitlines():
                json.loads(line)
            self.assertIn("passed", (self.folder / folder / "report.md").read_text())

    def test_parts_that_were_judged_by_different_rules_are_not_merged(self):
        for shard, how in (("1/2", []), ("2/2", ["--tolerance", "relaxed"])):
            self.assay("run", *SMALL, "--shard", shard, *how, "--out", shard[0])
        self.refused("tolerance is 'derived' in one of them and 'relaxed' in another", "merge", "1/report.json", "2/report.json", "--out", "whole")
        self.assay("run", *SMALL, "--shard", "2/2", "--out", "2")
        self.assay("merge", "1/report.json", "2/report.json", "--out", "whole", says="2 runs merged")
        self.assertEqual(self.report("whole")["rules"], self.report("1")["rules"])

    def test_a_report_is_html_unless_asked_otherwise(self):
        self.assay("run", "--only", ONE, "--out", "report")
        self.assertEqual(self.files("report"), ["report.html", "report.json"])
        self.assay("report", "report/report.json", "--out", "page")
        self.assertEqual(self.files("page"), ["report.html"])

    def test_what_cannot_be_converted(self):
        self.refused("absent.json", "report", "absent.json", "--out", "x")
        self.refused("no.json", "report", str(self.written("no.json", "{}")), "--out", "x")
        self.assay("report", "no.json", code=2, says="--out is required")
        self.refused("unknown report format 'hmtl'; nearest: html", "report", "no.json", "--out", "x", "--format", "hmtl")

    def test_a_place_that_cannot_be_written_is_told_before_anything_runs(self):
        self.written("taken", "")
        self.refused("--out 'taken' cannot be", "run", "--only", ONE, "--out", "taken")
        self.refused("--out 'taken/x' cannot be", "run", "--only", ONE, "--out", "taken/x")
        self.refused("--out '/proc/nowhere' cannot be", "run", "--only", ONE, "--out", "/proc/nowhere")
        (self.folder / "odd/report.html").mkdir(parents=True)
        self.refused("has a folder where report.html is to be", "run", "--only", ONE, "--out", "odd")
        self.assertEqual(self.files("odd"), ["report.html"])

    def test_a_medium_that_fills_up_loses_neither_the_summary_nor_the_other_files(self):
        limited = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536))
        uncounted = {"LLVM_PROFILE_FILE": "/dev/null"}  # or else a build for coverage ends by what it writes last
        process = self.started("run", *SMALL, "--out", "report", "--format", "junit", preexec_fn=limited, changes=uncounted)
        said, errors = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 2, said + errors)
        self.assertRegex(said, r"\d+ cases: \d+ passed")
        self.assertRegex(errors, "cannot write .*report.html.*File too large")
        self.assertEqual(self.files("report"), ["report.junit.xml"])

    def test_a_reader_that_goes_away_does_not_cost_the_report(self):
        process = self.started("run", *SMALL, "--out", "report")
        process.stdout.close()
        self.assertEqual((process.wait(PATIENCE), process.stderr.read()), (2, "assay: the standard output could not be written\n"))
        self.assertGreater(len(self.ids()), 0)
        process.stderr.close()


if __name__ == "__main__":
    unittest.main()
