"""Plays the story of examples/release, and checks what each of its steps says, with its exit code and its reason.

  python3 release.py RELEASE_PROGRAM ASSAY [unittest options]
"""

import json
import re
import subprocess
import sys
import unittest
from pathlib import Path

from played_story import PlayedStory

RELEASE, ASSAY = (str(Path(sys.argv.pop(1)).resolve()) for _ in range(2))
STORY = Path(__file__).resolve().parent.parent.parent / "examples/release/story.sh"


class Story(PlayedStory, unittest.TestCase):
    seconds = 280

    @classmethod
    def command(cls, folder):
        return [STORY, ASSAY, RELEASE, folder]

    def test_the_story_comes_to_its_end(self):
        self.assertEqual(0, self.code, self.said[-3000:])
        self.assertGreaterEqual(len(self.steps), 16)

    def test_baselines_are_recorded_and_compared_and_an_absent_one_is_no_pass(self):
        self.step("baseline record", 0)
        self.step("baseline compare.*m33", 0)
        self.assertRegex(self.step("baseline compare.*m1-n1", 2), "baseline")

    def test_drift_and_step_are_found_and_what_is_steady_is_not_accused(self):
        self.assertIn("120 runs", self.step("history import", 0))
        said = self.step("history scan", 1)
        outcomes = {outcome["id"]: outcome for outcome in json.loads((self.folder / "scan/report.json").read_text())["outcomes"]}
        percent = {name: next(entry["value"] for entry in outcome["measurements"] if entry["name"] == "regression_percent") for name, outcome in outcomes.items()}
        bad = {name for name, outcome in outcomes.items() if outcome["verdict"] == "fail"}
        self.assertTrue(bad and all("gemm" in name or "attention" in name for name in bad), said)
        for name, value in percent.items():
            if "gemm" in name:
                self.assertTrue(10 < value < 12.5, (name, value))  # 1.01^11
            elif "attention" in name:
                self.assertTrue(2.5 < value < 3.5, (name, value))
            elif "all_reduce" in name:
                self.assertTrue(-5.5 < value < -4.5, (name, value))
            else:
                self.assertTrue(abs(value) < 0.5, (name, value))

    def test_the_slower_kernel_is_measured_whatever_the_clock_says(self):
        self.assertRegex(self.step("release slower", 0), "3 % more work: (regressed|not_regressed|rerun): .")

    def test_the_matrix_has_no_impossible_corner_and_shows_its_holes(self):
        self.assertEqual(54, self.step("matrix shard", 0).count("c-") - self.step("matrix shard", 0).count("assay: "))
        said = self.step("matrix report", 1)
        self.assertRegex(said, r"54 combinations: 3\d certified, 1\d failed, 2 holes")
        report = json.loads((self.folder / "compatibility/compatibility.json").read_text())
        driver = [axis["name"] for axis in report["axes"]].index("driver")
        for entry in report["combinations"]:
            self.assertEqual(entry["state"] == "failed", entry["values"][driver] == "560.35" and entry["state"] != "hole", entry)
        self.assertIn("52 of 54 combinations have results, 2 to do", self.step("matrix status", 2))

    def test_the_gate_blocks_for_the_two_right_reasons(self):
        said = self.step("assay gate results scan/report.json --policy policy.json --today", 1)
        self.assertRegex(said, r"BLOCKED .*2 of 2 hard gates are violated")
        self.assertRegex(said, r"✗ kernels/correctness: .*bad")
        self.assertRegex(said, r"gemm/accelerator/bf16.f32.bf16/m31-n37-k41")
        self.assertRegex(said, r"✗ release/performance: .*regression_percent = 1[012]\.")
        self.assertNotRegex(said, "softmax|layer_norm|conv")

    def test_without_results_nobody_can_tell(self):
        self.assertRegex(self.step("gate nothing", 2), "CANNOT TELL.*there are no results")

    def test_waivers_hold_until_they_expire(self):
        said = self.step("--today 2026-03-15", 0)
        self.assertRegex(said, "APPROVED")
        self.assertRegex(said, "ada.*2026-03-15")
        said = self.step("--today 2026-03-16", 1)
        self.assertRegex(said, "BLOCKED.*2 of 2 hard gates")
        self.assertEqual(2, len(re.findall(r"expired on 2026-03-15 and is void; it would have let \d+ through", said)), said)

    def test_the_dashboard_shows_all_of_it(self):
        self.step("assay report", 0)
        page = (self.folder / "dashboard.html").read_text(encoding="utf-8")
        self.assertIn("</span> Blocked</p>", page)
        self.assertIn("with <b>driver=560.35</b>", page)
        self.assertEqual(2, page.count("<td class=\"hole"))
        self.assertEqual(81 - 54, page.count("<td class=\"excluded"))
        self.assertRegex(page, r"3\.\d % worse from 1\.8 on")
        self.assertIn("expired on 2026-03-15 and is void", page)
        self.assertNotRegex(page[:50_000], r"https?://|\bsrc=|url\(")

    def test_a_folder_that_is_there_is_left_alone(self):
        done = subprocess.run(["bash", str(STORY), ASSAY, RELEASE, str(self.folder)], capture_output=True, encoding="utf-8", timeout=60)
        self.assertEqual(2, done.returncode)
        self.assertIn("is there already", done.stderr)


if __name__ == "__main__":
    unittest.main()
