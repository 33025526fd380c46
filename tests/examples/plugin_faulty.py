"""Plugins that misbehave, in one run of the `assay` tool beside one that does not: each costs its own case, which says what it did, and no other.

  python3 plugin_faulty.py PROGRAM FAULTY [unittest options]

FAULTY is tests/testing/faulty_plugin.cpp as a library: a copy of it has the fault that it is named after.
"""

import functools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM, FAULTY = (str(Path(sys.argv.pop(1)).resolve()) for _ in range(2))
CASE = "softmax/{}/f32.f32/7x31x1/normal"
PATIENCE = float(os.environ.get("ASSAY_TEST_PATIENCE", 300))  # seconds until a program that should have ended is taken to hang
TIMEOUT = 3  # seconds that a case may take, of the three that hang

# While the case runs: what becomes of it, and what its reason or its diagnosis says.
RUNNING = {
    "right": ("pass", ""),
    "later-minor": ("pass", ""),
    "has-names-of-others": ("pass", ""),
    "throws": ("error", r"threw an exception.*: a tile of -3 rows"),
    "throws-a-number": ("error", "threw"),
    "crashes": ("error", "SIGSEGV|[Ss]egmentation|signal 11"),
    "aborts": ("error", "SIGABRT|[Aa]bort|signal 6"),
    "exits": ("error", "exit|ended"),
    "hangs": ("error", f"{TIMEOUT} s"),
    "prints-without-end": ("error", f"{TIMEOUT} s"),
    "untouched": ("fail", "NaN|not written"),
    "forks": ("pass", ""),
    "exits-quickly": ("error", "exit|ended"),
    "refuses-late": ("unsupported", "the driver has no kernel for that after all"),
    "errs": ("error", "error 719 of the device"),
    "errs-without-words": ("error", "gave no reason"),
    "errs-in-other-bytes": ("error", "red"),
    "unknown-status": ("error", "run returned 77; it returns 0"),
    "overwrites-input": ("fail", "input_modified: input was modified"),
    "one-past-the-end": ("fail", "beside those of output were overwritten|canary of output"),
    "workspace-overrun": ("error", "wrote behind its workspace of 100 bytes"),
    "workspace-too-large": ("error", "workspace of 4611686018427387904 bytes"),
    "supports-crashes": ("error", "SIGSEGV|[Ss]egmentation|signal 11"),
    "supports-returns-7": ("error", "supports returned 7"),
}
if b"__asan_init" in Path(PROGRAM).read_bytes() or b"__tsan_init" in Path(PROGRAM).read_bytes():
    del RUNNING["has-names-of-others"]  # sanitizers' dlopen gives no library names of its own

# While it is loaded.
LOADING = {
    "next-abi": r"ABI 3\.0, and this is 2\.0.*plugin\.h",
    "no-description": "gave no description",
    "no-size": "size of assay_plugin is 0",
    "no-name": "name is null",
    "unfit-name": "name is not 1 to 64",
    "taken-name": "host",
    "no-kernels": "no kernels",
    "no-run": r"run is null",
    "twice": "second of its operation",
    "unknown-operation": "unknown operation 'sofmax'; nearest: softmax",
    "unknown-accumulator": "f23",
    "entry-throws": "entry threw an exception",
    "entry-crashes": "crashed while it was loaded",
    "entry-exits": "ended|exit",
    "crashes-in-a-constructor": "crashed while it was loaded",
}


class Plugins(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.temporary.name).resolve()

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def plugin(self, fault):
        path = self.folder / f"lib{fault}.so"
        if not path.exists():
            shutil.copy(FAULTY, path)
        return path

    def run_with(self, *paths, more=(), only=CASE.format("*"), changes={}, **how):
        """Runs the case of all those plugins; the exit code, the outcomes by id, and what was said."""
        output = self.folder / "report"
        shutil.rmtree(output, ignore_errors=True)
        command = [PROGRAM, "run", "--no-config", "--only", only, "--out", str(output), *more]
        for path in paths:
            command += ["--plugin", str(path)]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, timeout=PATIENCE, env={**os.environ, **changes}, **how)
        self.said = (done.stdout + done.stderr).decode()  # raises for what is no UTF-8
        report = output / "report.json"
        outcomes = json.loads(report.read_text())["outcomes"] if report.exists() else []
        return done.returncode, {outcome["id"]: outcome for outcome in outcomes}

    def load_case(self, outcomes, path):
        """The only case that names that file."""
        found = [each for each in outcomes.values() if each["id"].startswith("load/") and str(path) in each["reason"]]
        self.assertEqual(len(found), 1, f"{path}: {[each['id'] for each in outcomes.values()]}\n{self.said}")
        return found[0]

    def test_each_costs_its_own_case_and_no_other(self):
        # one that is right comes last: all the others have done their worst by then
        paths = [self.plugin(fault) for fault in (*LOADING, *sorted(RUNNING, key=lambda fault: fault == "right"))]
        code, outcomes = self.run_with(*paths, more=["--timeout", str(TIMEOUT)])
        self.assertEqual(code, 1, self.said)
        self.assertEqual(len(outcomes), len(RUNNING) + len(LOADING), sorted(outcomes))
        for fault, (verdict, reason) in RUNNING.items():
            with self.subTest(fault=fault):
                outcome = outcomes[CASE.format(fault)]
                told = "\n".join([outcome["reason"], *outcome.get("diagnosis", [])])
                self.assertEqual(outcome["verdict"], verdict, told)
                self.assertRegex(told, re.compile(reason, re.DOTALL))
        for fault, reason in LOADING.items():
            with self.subTest(fault=fault):
                outcome = self.load_case(outcomes, self.plugin(fault))
                self.assertEqual(outcome["verdict"], "error")
                self.assertRegex(outcome["reason"], reason)
        self.assertLess(len(self.said), 200_000, "what a plugin prints floods the tool's output")
        self.assertNotIn("\x1b", self.said, "a plugin's message reaches the terminal with its control characters")

    def test_files_that_are_no_plugins(self):
        text, folder = self.folder / "libtext.so", self.folder / "libfolder.so"
        text.write_text("This is no library.\n")
        folder.mkdir()
        cut = self.folder / "libcut.so"
        cut.write_bytes(Path(FAULTY).read_bytes()[:3000])
        no_entry = next(line.split()[-1] for line in Path("/proc/self/maps").read_text().splitlines() if "/libc.so" in line or "/libc-" in line)
        reasons = {self.folder / "libabsent.so": "no such|not there|does not exist|not found|No such", text: "header|ELF|library|short",
                   folder: "folder|directory", cut: "crashed while it was loaded|too short", Path(no_entry): "assay_plugin_entry"}
        code, outcomes = self.run_with(*reasons, self.plugin("right"))
        self.assertEqual(code, 1, self.said)
        self.assertEqual(outcomes[CASE.format("right")]["verdict"], "pass")
        self.assertEqual(len(outcomes), len(reasons) + 1)
        for path, reason in reasons.items():
            with self.subTest(path=path):
                outcome = self.load_case(outcomes, path)
                self.assertEqual(outcome["verdict"], "error")
                self.assertRegex(outcome["reason"], reason)

    def test_the_command_told_of_one_that_cannot_be_loaded_runs_beside_others_and_in_a_shell(self):
        broken = self.folder / "libit's.so"
        broken.write_text("This is no library.\n")
        _, outcomes = self.run_with(broken, self.plugin("right"))
        command = self.load_case(outcomes, broken)["reproduce"]
        self.assertTrue(command.startswith("assay run "), command)
        again = subprocess.run(["bash", "-c", command.replace("assay", '"$ASSAY"', 1)], cwd=self.folder, env={**os.environ, "ASSAY": PROGRAM}, capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual(again.returncode, 1, again.stdout + again.stderr)
        self.assertRegex(again.stdout, "1 case: 0 passed, 0 failed, 1 with an error")

    def test_exit_codes(self):
        for fault, expected in {"right": 0, "refuses-late": 2, "untouched": 1, "crashes": 1, "next-abi": 1}.items():
            code, outcomes = self.run_with(self.plugin(fault))
            self.assertEqual((code, len(outcomes)), (expected, 1), f"{fault}: {self.said}")

    def test_what_a_plugin_does_when_it_is_unloaded_does_not_choose_the_exit_code(self):
        for more in [], ["--no-isolate"]:
            code, outcomes = self.run_with(self.plugin("untouched-and-exits-in-a-destructor"), more=more)
            self.assertEqual((code, len(outcomes)), (1, 1), self.said)

    def test_one_that_cannot_be_loaded_is_tried_once_and_workers_do_without(self):
        tried = self.folder / "tried"
        tried.unlink(missing_ok=True)
        code, outcomes = self.run_with(self.plugin("next-abi"), self.plugin("right"), more=["--jobs", "2"], changes={"ASSAY_TEST_LOADS": str(tried)})
        self.assertEqual((code, len(outcomes)), (1, 2), self.said)
        self.assertRegex(self.load_case(outcomes, self.plugin("next-abi"))["reason"], LOADING["next-abi"])
        self.assertEqual([line.split()[0] for line in tried.read_text().splitlines()].count("next-abi"), 1, tried.read_text())

    def test_with_isolation_only_other_processes_load_plugins(self):
        for more, here in ([], False), (["--no-isolate"], True):
            loads = self.folder / "loads"
            loads.unlink(missing_ok=True)
            command = [PROGRAM, "run", "--no-config", "--only", CASE.format("right"), "--plugin", str(self.plugin("right")), *more]
            running = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env={**os.environ, "ASSAY_TEST_LOADS": str(loads)})
            said = running.communicate(timeout=PATIENCE)[0].decode()
            self.assertEqual(running.returncode, 0, said)
            self.assertEqual(f"right {running.pid}" in loads.read_text().splitlines(), here, loads.read_text())

    def test_how_a_worker_ends_is_known_where_the_signal_of_ending_children_is_ignored(self):
        ignore = functools.partial(signal.signal, signal.SIGCHLD, signal.SIG_IGN)
        code, outcomes = self.run_with(self.plugin("aborts"), preexec_fn=ignore)
        self.assertEqual((code, outcomes[CASE.format("aborts")]["labels"]["ended"]), (1, "signal 6"), self.said)

    def test_a_locale_that_a_plugin_chooses_changes_no_number(self):
        locales = self.folder / "locales"
        locales.mkdir()
        try:
            made = subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", str(locales / "de_DE.UTF-8")], capture_output=True, text=True)
        except FileNotFoundError:
            self.skipTest("no localedef is installed, which makes a locale with decimal commas")
        if not (locales / "de_DE.UTF-8").exists():
            self.skipTest(f"localedef makes no locale with decimal commas: {made.stderr}")
        told = []
        for folder in self.folder, locales:  # without that locale, and with it
            code, outcomes = self.run_with(self.plugin("chooses-a-locale"), more=["--no-isolate", "--tolerance", "atol=1.5e-10"], changes={"LOCPATH": str(folder)})
            self.assertEqual((code, len(outcomes)), (1, 1), self.said)
            (outcome,) = outcomes.values()
            told.append(json.dumps({key: outcome.get(key) for key in ("reason", "derivation", "diagnosis", "tables")}))
        self.assertRegex(told[0], r"1\.5e-10")
        self.assertEqual(told[0], told[1])

    def test_two_of_one_name(self):
        other = self.folder / "other"
        other.mkdir()
        shutil.copy(FAULTY, other / "libright.so")
        code, outcomes = self.run_with(self.plugin("right"), other / "libright.so")
        self.assertEqual(code, 1, self.said)
        self.assertEqual(outcomes[CASE.format("right")]["verdict"], "pass")
        self.assertRegex(self.load_case(outcomes, other / "libright.so")["reason"], "right")

    def test_one_that_cannot_be_loaded_takes_no_name_of_another(self):
        broken = self.folder / "broken"
        broken.mkdir()
        (broken / "libright.so").write_text("This is no library.\n")
        code, outcomes = self.run_with(broken / "libright.so", self.plugin("right"))
        self.assertEqual((code, len(outcomes)), (1, 2), self.said)
        self.assertEqual(outcomes[CASE.format("right")]["verdict"], "pass")
        self.load_case(outcomes, broken / "libright.so")

    def test_without_isolation_what_can_be_caught_is(self):
        faults = ["throws", "throws-a-number", "unknown-status", "errs", "overwrites-input", "one-past-the-end", "untouched", "right"]
        code, outcomes = self.run_with(*map(self.plugin, faults), more=["--no-isolate"])
        self.assertEqual(code, 1, self.said)
        for fault in faults:
            self.assertEqual(outcomes[CASE.format(fault)]["verdict"], RUNNING[fault][0], fault)

    def test_without_isolation_no_exit_passes(self):
        code, outcomes = self.run_with(self.plugin("exits-quickly"), more=["--no-isolate"])
        self.assertEqual((code, outcomes), (2, {}), self.said)
        self.assertIn("ended this process by exit", self.said)

    def test_a_process_that_a_kernel_forks_does_not_run_on(self):
        code, outcomes = self.run_with(self.plugin("forks"), more=["--no-isolate"])  # waits for all that hold its output
        self.assertEqual((code, len(outcomes)), (0, 1), self.said)
        self.assertEqual(self.said.count("1 passed"), 1, self.said)

    def test_a_plugin_alone_is_listed_and_explained(self):
        listed = subprocess.run([PROGRAM, "list", "cases", "--no-config", "--plugin", self.plugin("right")], capture_output=True, text=True, timeout=PATIENCE)
        self.assertIn(CASE.format("right") + "\n", listed.stdout, listed.stderr)
        explained = subprocess.run([PROGRAM, "explain", "--no-config", "--plugin", self.plugin("right"), CASE.format("right")], capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual(explained.returncode, 0, explained.stderr)
        self.assertIn("rel_i", explained.stdout)


if __name__ == "__main__":
    unittest.main()
