"""reference_itself.py SOURCE WORK: cmake/reference/reference.py and api_surface.py, on a small tree in WORK that breaks each of their rules."""

import pathlib
import shutil
import subprocess
import sys

SOURCE, WORK = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
HEADER = """#pragma once

namespace assay::inline v0 {

/// A length, and `twice` it.
struct Length {
  double meters = 0;  ///< negative: backwards
  double twice = 0;
  friend bool operator==(const Length&, const Length&) = default;
};

/// What models lengths. `measure(length)` gives meters.
template <class M>
concept Measure = requires(const M& model, Length length) { model.measure(length); };

/// A `Measure`.
struct Ruler {
  double measure(Length length) const { return length.meters; }
};

/// The longer one of two.
template <class T>
[[nodiscard]] inline T longer(T left, T right) {
  return left < right ? right : left;
}

namespace detail {
struct Hidden {};
}  // namespace detail

}  // namespace assay::inline v0
"""
failures = checks = 0


def check(condition, what, output):
    global failures, checks
    checks += 1
    if not condition:
        failures += 1
        print(f"FAILED: {what}\n{output}")


def run(*command):
    done = subprocess.run([sys.executable, "-B", *map(str, command)], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def reference(header, page="# Core\n\nLengths.\n"):
    shutil.rmtree(WORK, ignore_errors=True)
    core = WORK / "tree/include/assay/core"
    core.mkdir(parents=True)
    (WORK / "tree/README.md").write_text("# Small\n\nSee [core](include/assay/core/README.md).\n", encoding="utf-8")
    (core / "README.md").write_text(page, encoding="utf-8")
    (core / "version.hpp").write_text('#pragma once\n\nnamespace assay::inline v0 {\n\n/// Of the tree.\ninline constexpr const char* version = "1.2.3";\n\n}  // namespace assay::inline v0\n', encoding="utf-8")
    (core / "length.hpp").write_text(header, encoding="utf-8")
    return run(SOURCE / "cmake/reference/reference.py", WORK / "tree", WORK / "out")


def surface(*arguments):
    return run(SOURCE / "tests/structure/api_surface.py", WORK / "out/declarations", "--record", SURFACE, *arguments)


SURFACE = WORK.parent / (WORK.name + "_record")
shutil.rmtree(SURFACE, ignore_errors=True)

status, output = reference(HEADER)
if status == 77:
    print(output, end="")
    sys.exit(77)
check(status == 0 and " 0 public symbols without a docstring, 0 warnings" in output, "a documented header is accepted", output)
status, output = surface("--update")
check(status == 0 and " 1 areas " in output, "the interface is recorded", output)
recorded = (SURFACE / "core.txt").read_text(encoding="utf-8")
check("assay::longer(T left, T right)" in recorded and "variable double assay::Length::meters" in recorded and "Hidden" not in recorded, "what is public is in the record", recorded)
status, output = surface()
check(status == 0, "the same interface is accepted", output)

# The interface changes, and the check says which line.
for name, before, after, found in [
        ("a function that is gone", "longer(T left", "longest(T left", "- core: function template <class T> T assay::longer(T left, T right)"),
        ("another type", "double meters", "float meters", "- core: variable double assay::Length::meters"),
        ("another signature", "T left, T right", "T left, const T& right", "assay::longer(T left, T right)"),
        ("a concept that asks for more", "model.measure(length); }", "model.measure(length); model.name(); }", "- core: concept"),
        ("a new member", "double twice = 0;", "double twice = 0;\n  int count = 0;  ///< of them", "+ core: variable int assay::Length::count")]:
    reference(HEADER.replace(before, after))
    status, output = surface()
    check(status == 1 and found in output and "--update" in output, name, output)
(SURFACE / "doxygen_version").write_text("0.1\n", encoding="utf-8")
status, output = surface()
check(status == 77 and "0.1" in output, "another doxygen's record is no judge", output)

# Docstrings that are missing, and mistakes in them.
for name, before, after, found in [
        ("a function without a docstring", "/// The longer one of two.\n", "", "longer(T left, T right)"),
        ("a type without a docstring", "/// A `Measure`.\n", "", "assay::Ruler"),
        ("a member without a docstring", "  ///< negative: backwards", "", "meters (variable)"),
        ("a member that its type does not speak of", ", and `twice` it", "", "twice (variable)"),
        ("a model of a concept that does not explain its member", "`measure(length)` gives meters.", "", "measure(Length length)"),
        ("an unknown command", "The longer one", "The \\longer one", "unknown command")]:
    status, output = reference(HEADER.replace(before, after))
    check(status == 1 and found in output, name, output)
status, output = reference(HEADER, "# Core\n\nSee [nothing](@ref nowhere).\n")
check(status == 1 and "nowhere" in output, "a page that refers to nothing", output)

print(f"{checks} checks, {failures} failed")
sys.exit(1 if failures else 0)
