"""What was asked is what runs, or it is an error: every command, every action, every option.

  python3 options.py ASSAY [unittest options]

Commands, actions and options are read from help, as a user reads them. A settings file that does not exist is what is wrong with a
command line that is understood, so that nothing runs.
"""

import re
import subprocess
import sys
import unittest
from pathlib import Path

ASSAY = str(Path(sys.argv.pop(1)).resolve())
NOWHERE = "/no/such/settings.toml"
SETTINGS = {"--help", "--config", "--no-config"}


def assay(*arguments):
    done = subprocess.run([ASSAY, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout + done.stderr


def help_of(*command):
    code, text = assay(*command, "--help")
    assert code == 0, text
    return text


def commands():
    return [line.split()[0] for line in help_of().split("Subcommands:\n")[1].split("\n\n")[0].splitlines()]


def options_of(text):
    """Long names, each with whether it takes a value, and what help says of it."""
    found = {}
    for entry in re.split(r"\n(?=  -)", text.split("\nExamples:")[0])[1:]:
        named = re.match(r"  (?:-\w,)?(--[\w-]+)(?:,-\w)?( \S+(?: \.\.\.)?)?(?:\s{2,}|\n|$)(.*)", entry.split("\n\n")[0], re.S)
        if named:
            found[named[1]] = (named[2] is not None, " ".join(named[3].split()))
    return found


def actions_of(text):
    positional = re.search(r"(?m)^  (?:action|what) (\S+)", text)
    return positional[1].split("|") if positional and "|" in positional[1] else []


HELP = {command: help_of(command) for command in commands()}
WITH_ACTIONS = {command: actions_of(text) for command, text in HELP.items() if actions_of(text)}


class EveryOption(unittest.TestCase):
    def test_help_is_read_right(self):
        self.assertGreaterEqual(len(HELP), 16)
        self.assertLessEqual({"collectives", "history", "baseline", "matrix", "faults", "list", "telemetry", "hardware", "pipeline"}, set(WITH_ACTIONS))
        self.assertEqual(WITH_ACTIONS["collectives"], ["sweep", "verify", "preflight", "links", "predict"])
        for command in ("run", "collectives", "baseline"):
            self.assertGreater(len(options_of(HELP[command])), 20, command)

    def test_an_unknown_option_comes_with_the_nearest_one(self):
        for command, text in HELP.items():
            name = max((option for option in options_of(text) if option not in SETTINGS), key=len, default="--config")
            typed = name[:-2] + name[-1] + name[-2] + "x"
            with self.subTest(f"{command} {typed}"):
                code, said = assay(command, typed)
                self.assertEqual(code, 2)
                self.assertIn(name, said)

    def test_an_option_is_refused_by_the_actions_that_do_not_use_it_and_by_no_other(self):
        """A refusal says which actions use the option: all others must refuse it, in the same words, and these must not."""
        pairs = refused = 0
        for command, actions in WITH_ACTIONS.items():
            for option, (takes_value, _) in options_of(HELP[command]).items():
                if option in SETTINGS or option == "--preflight":
                    continue
                given = [f"{option}=1"] if takes_value else [option]
                users, refusers = set(), set()
                for action in actions:
                    pairs += 1
                    code, said = assay(command, action, *self.names_of(command), *given, "--config", NOWHERE)
                    self.assertEqual(code, 2)
                    told = re.search(rf"{option} is for ([\w, -]+), and assay {command} {action} does not use it", said)
                    if told:
                        refusers.add(action)
                        users.add(told[1])
                refused += len(refusers)
                with self.subTest(f"{command} {option}"):
                    self.assertLessEqual(len(users), 1)
                    if users:
                        self.assertEqual(set(re.split(r", | and ", users.pop())), set(actions) - refusers)
        self.assertGreater(pairs, 300)
        self.assertGreater(refused, 200)

    def test_what_help_says_an_option_is_of_is_what_takes_it(self):
        checked = 0
        for command, actions in WITH_ACTIONS.items():
            for option, (takes_value, text) in options_of(HELP[command]).items():
                said = re.match(r"of (\w+)(?: and (\w+))?(?: together)?(?::| \()", text)
                if not said or said[1] not in actions:
                    continue
                named = {action for action in said.groups() if action in actions}
                given = [f"{option}=1"] if takes_value else [option]
                for action in set(actions) - named:
                    with self.subTest(f"{command} {action} {option}"):
                        code, answer = assay(command, action, *self.names_of(command), *given, "--config", NOWHERE)
                        self.assertEqual(code, 2)
                        self.assertRegex(answer, rf"{option} is for [\w, -]+, and assay {command} {action} does not use it")
                        checked += 1
        self.assertGreater(checked, 15)

    @staticmethod
    def names_of(command):
        """What the command requires beside its action."""
        names = ["x"] if re.search(r"(?m)^Usage: .*\[OPTIONS\] \S+ [a-z]", HELP[command]) else []
        return names + [f"{option}=1" for option in re.findall(r"(?m)^  (?:-\w,)?(--[\w-]+) \S+ REQUIRED", HELP[command])]


if __name__ == "__main__":
    unittest.main()
