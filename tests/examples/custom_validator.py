"""custom_validator.py PROGRAM FOLDER: runs examples/custom_validator, and judges by other means what it says of itself: its TAP by Perl's
harness, its posits by an encoder on strings of bits, its store by killing writers and by damaging the file.
"""

import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from fractions import Fraction

failures = []


def check(condition, what):
    if not condition:
        failures.append(what)


def posit_value(code):
    """The number of an 8-bit code with two exponent bits, by the standard's definition on strings; None for NaR."""
    if code == 0:
        return Fraction(0)
    if code == 0x80:
        return None
    if code > 0x80:
        return -posit_value(256 - code)
    bits = format(code, "08b")[1:]
    run = len(bits) - len(bits.lstrip(bits[0]))
    regime = run - 1 if bits[0] == "1" else -run
    rest = bits[run + 1:] + "00"
    fraction = rest[2:]
    return (1 + Fraction(int(fraction or "0", 2), 2 ** len(fraction))) * Fraction(2) ** (4 * regime + int(rest[:2], 2))


def posit_code(value):
    """Nearest as the standard has it: the endless string of bits is cut after 8, and rounded to even as an integer."""
    if value == 0:
        return 0
    size, scale = abs(value), 0
    if size >= 2 ** 24 or size <= Fraction(1, 2 ** 24):
        code = 127 if size >= 1 else 1
        return 256 - code if value < 0 else code
    while size >= 2:
        size, scale = size / 2, scale + 1
    while size < 1:
        size, scale = size * 2, scale - 1
    regime, exponent = divmod(scale, 4)
    bits = ("1" * (regime + 1) + "0" if regime >= 0 else "0" * -regime + "1") + format(exponent, "02b")
    rest = size - 1
    while len(bits) < 80:
        rest *= 2
        bits += "1" if rest >= 1 else "0"
        rest -= rest >= 1
    code, left = int(bits[:7], 2), bits[7:]
    if left[0] == "1" and ("1" in left[1:] or rest != 0 or code % 2 == 1):
        code += 1
    code = min(max(code, 1), 127)
    return 256 - code if value < 0 else code


def check_posits(program):
    values = [posit_value(code) for code in range(256)]
    asked = []
    for code in range(1, 127):
        for number in (float((values[code] + values[code + 1]) / 2), float(values[code])):
            for near in (number, number * (1 + 2.0 ** -52), number * (1 - 2.0 ** -53)):
                asked += [near, -near]
    draw = random.Random(1)
    asked += [draw.choice([-1, 1]) * draw.random() * 2.0 ** draw.randint(-30, 30) for _ in range(20000)]
    # where exponent bits are cut off the boundary is a power of two, not the midpoint
    asked += [sign * 2.0 ** power * near for power in range(-26, 27) for sign in (1, -1) for near in (1, 1 + 2.0 ** -52, 1 - 2.0 ** -53)]
    done = subprocess.run([program, "posits"], input="\n".join(map(float.hex, asked)), capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    for code, line in enumerate(lines[:256]):
        number = line.split()[1]
        due = posit_value(code)
        check("nan" in number if due is None else Fraction(float.fromhex(number)) == due, f"posit code {code} is {number}, due is {due}")
    check(len(lines) == 256 + len(asked), "a line for every number")
    for number, line in zip(asked, lines[256:]):
        nearest, _, toward_zero, up, down = map(int, line.split())
        exact = Fraction(number)
        check(nearest == posit_code(exact), f"{number.hex()} is encoded to {nearest}, due is {posit_code(exact)}")
        check(abs(values[toward_zero]) <= abs(exact), f"{number.hex()} toward zero")
        check(values[down] <= exact or down == 129, f"{number.hex()} downward")
        check(values[up] >= exact or up == 127, f"{number.hex()} upward")


def check_store(program, folder):
    log = os.path.join(folder, "killed.log")
    told = set()
    for round_ in range(6):
        writer = subprocess.Popen([program, "write", log], stdout=subprocess.PIPE, text=True)
        time.sleep(0.02 + 0.03 * round_)
        writer.send_signal(signal.SIGKILL)
        told |= {line for line in writer.communicate()[0].split("\n")[:-1]}
        found = dict(line.split() for line in subprocess.run([program, "read", log], capture_output=True, text=True, check=True).stdout.splitlines())
        check(all(state == "whole" for state in found.values()), f"a record is torn after writer {round_} was killed")
        check(told <= set(found), f"a record that was saved is gone after writer {round_} was killed: {sorted(told - set(found))[:3]}")
    check(len(told) > 0, "writers were killed before they had saved anything")

    with open(log, "rb") as file:
        whole = file.read()
    first = whole.index(b"\n") + 1

    def read(content):
        damaged = os.path.join(folder, "damaged.log")
        with open(damaged, "wb") as file:
            file.write(content)
        done = subprocess.run([program, "read", damaged], capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr

    check(read(b"")[:2] == (0, ""), "an empty file is an empty store")
    check(read(whole[:first + 10])[:2] == (0, ""), "an unfinished entry is ignored")
    for place in (0, 3, first - 20, first - 2, first, first + 500):
        spoilt = bytearray(whole)
        spoilt[place] ^= 4
        code, _, said = read(bytes(spoilt))
        check(code == 2 and "is damaged at byte 0" in said, f"a changed byte {place} is to be told: {code} {said}")
    check(read(b"\n" * 100)[0] == 2, "lines without a sum are damage")
    check(read(os.urandom(100000))[0] in (0, 2), "noise ends no process")
    done = subprocess.run([program, "read", os.path.join(folder, "nowhere.log")], capture_output=True, text=True)
    check(done.returncode == 2 and "No such file" in done.stderr, "a log that is not there is not opened to be read")


def check_tap(folder):
    with open(os.path.join(folder, "custom_validator.tap")) as file:
        text = file.read()
    results = re.findall(r"^(not ok|ok) (\d+) - (\S+)$", text, re.MULTILINE)
    check(text.startswith("TAP version 13\n1..72\n") and [int(number) for _, number, _ in results] == list(range(1, 73)), "the plan and the cases of the TAP report")
    check(all((state == "ok") == ("/sequential/" in name) for state, _, name in results if "/sequential/" in name), "right kernels are ok")
    if shutil.which("prove") is None:
        print("left out: TAP is not read by prove, which is not installed")
        return
    done = subprocess.run(["prove", "--exec", "cat", "custom_validator.tap"], cwd=folder, capture_output=True, text=True)
    failed = sum(state == "not ok" for state, _, _ in results)
    check("Parse errors" not in done.stdout and f"Failed {failed}/72 subtests" in done.stdout, f"prove reads something else:\n{done.stdout}")


def check_sources(source):
    for name in sorted(os.listdir(source)):
        if not name.endswith((".hpp", ".cpp")):
            continue
        with open(os.path.join(source, name)) as file:
            lines = file.read().splitlines()
        check(not any("detail::" in line or "/detail/" in line for line in lines), f"{name} names what is not for users")
        check(name == "main.cpp" or len(lines) <= 165, f"{name} has {len(lines)} lines; a path has 165 at most")


def main(program, source):
    program = os.path.abspath(program)
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([program], cwd=folder, capture_output=True, text=True)
        said = done.stdout
        check(done.returncode == 0 and said.endswith("every faulty subject was caught, and no right one accused\n"), f"exit code {done.returncode}:\n{said}{done.stderr}")
        check(len(re.findall(r"^  faulty .* accused ", said, re.MULTILINE)) == 17, "17 faulty subjects are accused")
        check(len(re.findall(r"^  right .* left in peace ", said, re.MULTILINE)) == 21, "21 right subjects are left in peace")
        ratios = [float(ratio) for ratio in re.findall(r"^  \S+ +([0-9.]+) in \d+ cases, \d+ undecided$", said, re.MULTILINE)]
        check(len(ratios) == 16 and 0.1 <= max(ratios) <= 1, f"right kernels reach {ratios} of E")
        check_tap(folder)
        check_posits(program)
        check_store(program, folder)
    check_sources(source)
    for failure in failures[:20]:
        print(failure)
    print(f"{len(failures)} failures")
    return 1 if failures else 0


sys.exit(main(sys.argv[1], sys.argv[2]))
