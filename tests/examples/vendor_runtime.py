"""vendor_runtime.py PROGRAM: the runtime's right kernels pass where the data lie, each erratum is caught, what fails late or has no
memory is an error and no pass, and the runtime counts what travels."""

import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

program = sys.argv[1]
bad = []


def check(held, what):
    if not held:
        bad.append(what)
        print("does not hold:", what)


def run(*arguments):
    done = subprocess.run([program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=240)
    return done.returncode, done.stdout + done.stderr


def count(text, what):
    found = re.search(r"(\d+) " + what, text.split("cases: ")[-1])
    return int(found.group(1)) if found else 0


with tempfile.TemporaryDirectory() as folder:
    junit = os.path.join(folder, "vrt.xml")
    code, text = run("--junit", junit)
    check(code == 0 and count(text, "passed") > 500 and "0 failed" in text and "error in" not in text, f"right kernels pass: {text[-2000:]}")
    check("140 × vrt has no softmax with mask, logarithm or temperature" in text, "what is not offered is unsupported, with its reason")
    check(text.count(" 0 not given back") == 2, "all memory is given back")
    suites = xml.etree.ElementTree.parse(junit).getroot()
    cases = list(suites.iter("testcase"))
    skipped = [case for case in cases if case.find("skipped") is not None]
    check(len(cases) - len(skipped) == count(text, "passed") and len(cases) > len(skipped) > 0, "JUnit tells the same")

# One row of 32000 floats: input and output stay in private memory, 256 kB; what travels is what was found.
code, text = run("--only", "softmax/vrt_private/f32.f32/1x32000x1/normal")
copied = re.search(r"vrt_private: \d+ buffers of (\d+) bytes.*copied (\d+) bytes to the device, (\d+) to the host; 1 kernels", text)
check(code == 0 and copied is not None, f"one case runs: {text}")
if copied:
    held, to_device, to_host = map(int, copied.groups())
    check(held > 256000 and to_device == 0 and to_host < 8000, f"of {held} bytes {to_device} travel to the device and {to_host} to the host")
code, text = run("--touch-private-memory")
check(code != 0 and "private memory holds" not in text, f"the host cannot read private memory: exit code {code}, {text}")

code, text = run("--errata", "1", "--only", "gemm/vrt*/bf16.f32.bf16/m31-n37-k41-nn-row/uniform")
check(code == 1 and count(text, "failed") == 2, f"dropped products are caught in both kinds of memory: {text}")
check("certain: missing_work" in text and "the terms k = 40 of 41 are left out" in text, f"dropped products are diagnosed: {text}")
code, text = run("--errata", "1", "--only", "*/vrt_private/*")
check(code == 1 and count(text, "failed") > 80 and not re.search(r"fail (softmax|rmsnorm|gelu)/", text), "only gemm is accused of them")
for erratum, operation in ("2", "softmax"), ("4", "rmsnorm"):
    code, text = run("--errata", erratum, "--only", operation + "/*")
    check(code == 1 and count(text, "failed") > 20 and f"fail {operation}/vrt_private/" in text, f"erratum {erratum} of {operation} is caught: {text[-500:]}")

code, text = run("--errata", "8", "--only", "gelu/vrt_private/f32.f32/*")
check(code == 1 and count(text, "passed") == 0 and "launch failed: work that was submitted to the stream failed" in text, f"late failures are errors: {text}")
code, text = run("--memory", "0", "--only", "gelu/vrt_private/f32.f32/*")
check(code == 1 and count(text, "passed") == 0 and "could not allocate" in text and "with an error" in text, f"exhausted memory is an error: {text}")

print("vendor_runtime:", "all holds" if not bad else f"{len(bad)} do not hold")
sys.exit(1 if bad else 0)
