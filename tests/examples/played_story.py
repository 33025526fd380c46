"""What tests of stories share: a script that prints each command, what it said and its exit code is played once."""

import re
import subprocess
import tempfile
from pathlib import Path


class PlayedStory:
    """For a TestCase that gives `command(folder)`, the script's command line, and `seconds`, the time it may take."""

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.folder = Path(cls.temporary.name).resolve() / "story"
        done = subprocess.run(["bash", *map(str, cls.command(cls.folder))], capture_output=True, encoding="utf-8", timeout=cls.seconds)
        cls.said, cls.code = done.stdout + done.stderr, done.returncode
        cls.steps = [(command, int(code), text) for command, text, code in re.findall(r"^\$ (.*?)\n(.*?)^\[exit code (\d+)\]$", done.stdout, re.DOTALL | re.MULTILINE)]

    def step(self, pattern, code, number=0):
        """What the command of that pattern said, which ended with that code."""
        found = [step for step in self.steps if re.search(pattern, step[0])]
        self.assertGreater(len(found), number, self.said[-4000:])
        command, exit_code, text = found[number]
        self.assertEqual(code, exit_code, command + "\n" + text)
        return text
