"""Plays the story of examples/release/driver_story.sh, from a driver's first commit to its second release, and checks every step.

  python3 driver_release.py ASSAY FOLDER_OF_THE_EXAMPLE [unittest options]; what needs git or a C compiler that is not here is skipped
"""

import json
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

from played_story import PlayedStory

ASSAY, EXAMPLE = (Path(sys.argv.pop(1)).resolve() for _ in range(2))
STORY = EXAMPLE / "driver_story.sh"
TAIL = "gemm/mine/f32.f32.f32/m31-n37-k41-nn-row/normal"


@unittest.skipUnless(shutil.which("git") and shutil.which("cc"), "git or cc is not here")
class Story(PlayedStory, unittest.TestCase):
    seconds = 1200

    @classmethod
    def command(cls, folder):
        return [STORY, ASSAY, folder]

    def rows(self, release):
        gates = json.loads((self.folder / release / "report/report.json").read_text())["outcomes"]
        return {gate["id"].removeprefix("gate/"): gate for gate in gates if "/" in gate["id"]}

    def test_the_story_comes_to_its_end(self):
        self.assertEqual(0, self.code, self.said[-4000:])
        self.assertGreaterEqual(len(self.steps), 30)

    def test_the_checklist_tells_which_stage_answers_each_row(self):
        said = self.step("print-checklist", 0)
        for row, stage in {"kernels/GEMM": "kernels", "hardware/memory": "memory", "release/baselines": "baselines"}.items():
            self.assertRegex(said, f"{row} +hard +{stage}")
        self.assertRegex(said, "release/performance +soft +performance")

    def test_the_first_release_is_approved_once_its_notes_are_read(self):
        self.assertRegex(self.step("certify --plan plan.json --out v1.0$", 2), "release/notes.*\n(.*\n)*no certificate: not every row is answered")
        self.assertRegex(self.step("certify --plan plan.json --out v1.0 --by Grace", 0), "kernels +pass +ended before.*not repeated(.*\n)*certificate: v1.0/certificate.json")
        self.assertRegex(self.step("certify --verify v1.0", 0), "valid: signed by Grace")

    def test_the_candidate_is_blocked_by_the_row_of_the_fault_and_no_other_of_correctness(self):
        said = self.step("--out v1.1-rc1", 1)
        self.assertRegex(said, r"BLOCKED")
        self.assertRegex(said, r"✗ kernels/GEMM")
        self.assertIn("no certificate: the release is blocked", said)
        self.assertFalse((self.folder / "v1.1-rc1/certificate.json").exists())
        bad = {row for row, gate in self.rows("v1.1-rc1").items() if gate["verdict"] == "fail"}
        self.assertEqual(bad, {"kernels/GEMM", "release/baselines"})  # what was recorded of 1.0 differs, too
        outcomes = {each["id"]: each for each in json.loads((self.folder / "v1.1-rc1/evidence/kernels/report.json").read_text())["outcomes"]}
        self.assertEqual(outcomes[TAIL]["verdict"], "fail")
        self.assertRegex("\n".join(outcomes[TAIL]["diagnosis"]), "missing_work.*k = 40 of 41")
        for name, each in outcomes.items():
            operation, shape = name.split("/")[0], name.split("/")[3]
            lost = operation == "gemm" and int(re.search(r"-k(\d+)", shape)[1]) % 4 != 0
            if not lost:
                self.assertNotIn(each["verdict"], ("fail", "error"), name)

    def test_the_bound_is_explained_and_the_case_made_small(self):
        self.assertRegex(self.step("assay run .*--only", 1), "missing_work, terms_missing.*k = 40 of 41")
        self.assertRegex(self.step("assay explain", 0), "(?i)accept|bound|error")
        said = self.step("assay minimize", 0)
        shape = re.search(r"^m(\d+)-n(\d+)-k(\d+).* runs: ", said, re.MULTILINE)
        self.assertLessEqual(int(shape[1]) * int(shape[2]) * int(shape[3]), 8, said)
        self.assertTrue((self.folder / "smallest.json").exists())

    def test_the_guilty_commit_is_named(self):
        said = self.step("git bisect run", 0)
        guilty = re.search(r"([0-9a-f]{40}) is the first bad commit", said)
        self.assertTrue(guilty, said)
        message = subprocess.run(["git", "-C", self.folder / "driver", "log", "-1", "--format=%s", guilty[1]], capture_output=True, text=True, check=True).stdout.strip()
        self.assertEqual(message, "Products four at a time")

    def test_what_is_mended_is_approved_and_signed(self):
        said = self.step("--out v1.1 --previous", 0)
        self.assertRegex(said, "APPROVED(.*\n)*certificate: v1.1/certificate.json")
        rows = self.rows("v1.1")
        self.assertEqual({row for row, gate in rows.items() if gate["verdict"] != "pass"} - {"release/performance"}, set())  # a warning at most
        self.assertTrue((self.folder / "v1.1/report/report.html").read_text().startswith("<!DOCTYPE html>"))
        notes = (self.folder / "v1.1/report/report.md").read_text()
        for row in rows:
            self.assertIn(row, notes)

    def test_what_changed_since_is_told(self):
        self.assertRegex(self.step("profile.*--compare", 1), "(?i)order|sequential|products")
        said = self.step("history show", 0)
        self.assertRegex(said, "gemm/f32/192")
        self.assertEqual(4, len(self.step("git log --oneline v1.0..v1.1", 0).splitlines()))

    def test_a_forged_certificate_is_void(self):
        self.assertRegex(self.step("--verify v1.1", 0), "valid: signed by Grace")
        self.assertRegex(self.step("--verify forged", 1), "changed: evidence/kernels/report.json(.*\n)*void")

    def test_a_folder_that_is_there_is_left_alone(self):
        done = subprocess.run(["bash", str(STORY), str(ASSAY), str(self.folder)], capture_output=True, encoding="utf-8", timeout=60)
        self.assertEqual(2, done.returncode)
        self.assertIn("is there already", done.stderr)


if __name__ == "__main__":
    unittest.main()
