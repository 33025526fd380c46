"""Every block of code of every README.md and of the other pages at the root is compiled, run, parsed or otherwise held to account.

  python3 snippets.py generate SOURCE OUT COMPONENTS…
                                             writes units for what was found, and prints UNIT file components, or STATUS message
  python3 snippets.py list SOURCE            what becomes of each block
  python3 snippets.py test SOURCE PROGRAM [ASSAY [PROGRAMS…]]
                                             PROGRAM was made of the generated sources; ASSAY is the tool, PROGRAMS are examples by path

A block says what it needs in a comment before it, which readers do not see:

  ```cpp, no comment        with a main: compiled and run, exit code 0. Without: declarations, compiled
  <!-- snippet: exit 1 -->                   its main, or a command of a block of sh, ends with this code
  <!-- snippet: prints -->                   its main prints the next block of text, in which … stands for anything
  <!-- snippet: body … -->                   statements; what follows the first line is put before them (includes, variables), or
  <!-- snippet: body returning TYPE … -->    a function that returns something, or
  <!-- snippet: test case … -->              a test case of Catch2
  <!-- snippet: same as FILE -->             the block is that file, which something else compiles
  <!-- snippet: run, exit 1, says TEXT -->   sh: run in a folder of the page's own, in which its other blocks ran before; TEXT must be in what it prints
  <!-- snippet: keep NAME -->                json, toml, sh …: written to that file in the folder of the page
  <!-- snippet: left out: REASON -->         nothing is checked

Commands of the tool in blocks of sh that are not run are given to it to parse. json, toml, python and its sessions (pycon) are parsed, cmake is run in
script mode with stand-ins that know the components.
"""

import ast
import doctest
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

FENCE = re.compile(r"^(?P<comment><!-- snippet:(?:(?!-->).)*-->\n)?```(?P<language>\w*)\n(?P<text>.*?)^```$", re.S | re.M)
LANGUAGES = {"cpp", "c", "sh", "json", "toml", "python", "pycon", "cmake", "text", ""}
NOWHERE = "/no/such/settings.toml"


@dataclass
class Block:
    page: Path
    line: int
    language: str
    text: str
    how: str = ""  # the first line of the comment
    before: str = ""  # the other lines
    following: "Block | None" = field(default=None, repr=False)

    def __str__(self):
        return f"{self.page}:{self.line}"

    @property
    def name(self):
        return re.sub(r"\W", "_", f"on_{self.page.parent}_{self.line}")

    @property
    def exit_code(self):
        found = re.search(r"\bexit (\d+)", self.how)
        return int(found[1]) if found else 0

    @property
    def has_main(self):
        return re.search(r"^int main\(", self.text, re.M) is not None

    @property
    def left_out(self):
        return self.how.startswith("left out")


def pages(source):
    found = [path for folder in ("include", "examples", "bench", "tests", "cmake") for path in (source / folder).rglob("*.md")]
    return sorted([*found, *source.glob("*.md")])


def blocks_of(source, page):
    text, blocks = page.read_text(encoding="utf-8"), []
    for found in FENCE.finditer(text):
        comment = (found["comment"] or "").removeprefix("<!-- snippet:").rstrip().removesuffix("-->").strip()
        how, _, before = comment.partition("\n")
        line = text[: found.start("text")].count("\n") + 1
        block = Block(page.relative_to(source), line, found["language"], found["text"], how.strip(), before)
        if blocks:
            blocks[-1].following = block
        blocks.append(block)
    fences = len(re.findall(r"^ *```", text, re.M))
    if fences != 2 * len(blocks):
        sys.exit(f"{page}: {fences} fences and {len(blocks)} blocks: fences stand at the beginning of a line, and are closed by ``` alone")
    if text.count("<!-- snippet:") != sum(bool(block.how) for block in blocks):
        sys.exit(f"{page}: a comment 'snippet:' stands directly before its block")
    return blocks


def all_blocks(source):
    return [block for page in pages(source) for block in blocks_of(source, page)]


# --- C++ ----------------------------------------------------------------------------------------------------------------


def leaves(source):
    text = (source / "cmake/components.cmake").read_text(encoding="utf-8")
    listed = re.search(r"set\(ASSAY_LEAVES\n(.*?)\)\n\n", text, re.S)[1]
    return [(re.compile(pattern), needs.split("+")) for pattern, needs in re.findall(r'"(.*)=([\w+]+)"', listed)]


def components_of(code, known):
    needed = set()
    for header in re.findall(r'#include "assay/([^"]+)"', code):
        for pattern, components in known:
            if pattern.fullmatch(header):
                needed.update(components)
                break
    return tuple(sorted(needed))


def with_line(block, text, offset=0):
    return f'#line {block.line + offset} "{block.page}"\n{text}'


def without_includes(text):
    return re.sub(r"^#include .*$", "", text, flags=re.M)


def unit_of(block):
    """A snippet in a namespace of its own, its main renamed."""
    text, name = without_includes(block.text), block.name
    before = without_includes(block.before)
    if block.has_main:
        text = re.sub(r"^int main\(\)", "int snippet_main(int, char**)", text, flags=re.M)
        text = re.sub(r"^int main\(", "int snippet_main(", text, flags=re.M)
        start = text.index("int snippet_main(")
        end = text.index("\n}", start)
        if "\n" not in text[start:end]:
            sys.exit(f"{block}: main is expected to end with a line of its own")
        text = text[:end] + "\n  return 0;" + text[end:]
        register = f'const bool registered = snippets::add("{name}", snippet_main);\n'
    else:
        register = ""
        if block.how.startswith("body"):
            result = re.sub(r"^body( returning )?|[,;].*", "", block.how).strip() or "void"
            declarations, _, variables = before.rpartition("\n---\n")
            return f"namespace {name} {{\n{declarations}\n{result} snippet() {{\n{variables}\n{with_line(block, text)}}}\n}}\n"
        if block.how.startswith("test case"):
            return f'namespace {name} {{\nTEST_CASE("{name}") {{\n{before}\n{with_line(block, text)}}}\n}}\n'
    return f"namespace {name} {{\n{before}\n{with_line(block, text)}{register}}}\n"


def compiled(block):
    return block.language == "cpp" and not block.left_out and not block.how.startswith("same as")


# Their headers go with no others in a unit: Catch2's macros have common names, CUDA's and HIP's have types of the same names.
ALONE = ("catch2", "gtest", "cuda", "cuda_headers", "hip")


def generate(source, out, here):
    """A unit of all that goes together: most of what a snippet costs is what it includes. `here`: the components that were found."""
    known, units = leaves(source), {}
    for block in all_blocks(source):
        if compiled(block):
            code = block.before + "\n" + block.text
            components = set(components_of(code, known))
            if "catch2/" in code:
                components.add("catch2")
            if missing := sorted(components - set(here)):
                print(f"STATUS {block} is left out: {', '.join(missing)} not found")
                continue
            apart = tuple(sorted(components)) if components & set(ALONE) else ("together",)
            members, needed = units.setdefault(apart, ([], set()))
            members.append(block)
            needed |= components
    out.mkdir(parents=True, exist_ok=True)
    kept = set()
    for group, (blocks, components) in sorted(units.items()):
        includes = dict.fromkeys(line for block in blocks for line in re.findall(r"^#include .*$", block.before + "\n" + block.text, re.M))
        includes = dict.fromkeys(re.sub(r"\s*//.*", "", line) for line in includes)
        # A unit's own headers before the standard's would hide what they forget to include; tests of headers see to that.
        text = "\n".join([*includes, "", "namespace snippets { bool add(const char* name, int (*run)(int, char**)); }", "", *map(unit_of, blocks)])
        if "catch2" in components:
            text += '\nint run_tests(int, char**);\nconst bool catch2_registered = snippets::add("catch2", run_tests);\n'
        name = "snippets_" + "_".join(group) + ".cpp"
        kept.add(name)
        if not (out / name).exists() or (out / name).read_text(encoding="utf-8") != text:
            (out / name).write_text(text, encoding="utf-8")
        print("UNIT", name, *sorted(components))
    for old in out.glob("snippets_*.cpp"):
        if old.name not in kept:
            old.unlink()


# --- running and parsing --------------------------------------------------------------------------------------------------


class Tester:
    def __init__(self, source, program, assay=None, programs=()):
        self.source, self.program, self.assay = source, program, assay
        self.wrong, self.counts = [], {}
        self.parsed = set()
        self.bin = Path(tempfile.mkdtemp(prefix="snippets-"))
        for path in filter(None, [assay, *programs]):
            (self.bin / Path(path).name).symlink_to(Path(path).resolve())
        self.here = set(subprocess.run([program], capture_output=True, text=True).stdout.split()) if program else set()

    def close(self):
        shutil.rmtree(self.bin, ignore_errors=True)

    def check_test_cases(self):
        if "catch2" in self.here:
            done = subprocess.run([self.program], env={**os.environ, "SNIPPET": "catch2"}, capture_output=True, text=True, timeout=120)
            if done.returncode != 0:
                self.wrong.append(done.stdout)
            self.count("programs of test cases run")

    def folder(self, block):
        path = self.bin / "work" / re.sub(r"\W", "_", str(block.page))
        path.mkdir(parents=True, exist_ok=True)
        return path

    def count(self, what):
        self.counts[what] = self.counts.get(what, 0) + 1

    def complain(self, block, what):
        self.wrong.append(f"{block}: {what}")

    def check(self, block):
        if block.language not in LANGUAGES:
            return self.complain(block, f"the language '{block.language}' is not among {sorted(LANGUAGES)}")
        if block.left_out:
            if not re.match(r"left out: \S.{9,}", block.how):
                self.complain(block, "left out without a reason")
            return self.count("left out, with a reason")
        if block.how.startswith("keep "):
            path = self.folder(block) / block.how.removeprefix("keep ").split()[0]
            path.write_text(block.text, encoding="utf-8")
        if block.how.startswith("same as "):
            file = self.source / block.how.removeprefix("same as ").strip()
            if file.read_text(encoding="utf-8") != block.text:
                self.complain(block, f"is not {file.relative_to(self.source)}")
            return self.count("same as a file")
        check = getattr(self, "check_" + (block.language or "text"))
        check(block)

    def check_text(self, block):
        self.count("text")

    def check_c(self, block):
        done = subprocess.run(["cc", "-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-fsyntax-only", f"-I{self.source}/include", "-x", "c", "-"], input=block.before + "\n" + block.text, capture_output=True, text=True)
        if done.returncode != 0:
            self.complain(block, done.stderr)
        self.count("C compiled")

    def check_json(self, block):
        try:
            json.loads(re.sub(r"(^|\s)//.*", "", block.text))  # files of people may have comments
        except ValueError as error:
            self.complain(block, error)
        self.count("json parsed")

    def check_toml(self, block):
        try:
            tomllib.loads(block.text)
        except tomllib.TOMLDecodeError as error:
            self.complain(block, error)
        self.count("toml parsed")

    def check_python(self, block):
        try:
            ast.parse(block.text)
        except SyntaxError as error:
            self.complain(block, error)
        self.count("python parsed")

    def check_pycon(self, block):
        for example in doctest.DocTestParser().get_examples(block.text):
            try:
                ast.parse(example.source)
            except SyntaxError as error:
                self.complain(block, error)
        self.count("sessions of python parsed")

    def check_cmake(self, block):
        known = re.search(r"set\(ASSAY_COMPONENTS ([^)]*)\)", (self.source / "cmake/components.cmake").read_text())[1].split() + ["compiled"]
        script = "cmake_minimum_required(VERSION 3.25)\nset(known " + " ".join(known) + ")\n" + CMAKE_STAND_INS + block.text
        with tempfile.NamedTemporaryFile("w", suffix=".cmake") as file:
            file.write(script)
            file.flush()
            done = subprocess.run(["cmake", "-P", file.name], capture_output=True, text=True)
        if done.returncode != 0:
            self.complain(block, done.stderr)
        self.count("cmake run with stand-ins")

    def check_cpp(self, block):
        if not self.program:
            return self.count("C++ not run: no program was given")
        if not block.has_main or not compiled(block):
            return self.count("C++ compiled" if compiled(block) else "C++ elsewhere")
        if block.name not in self.here:
            return self.count("C++ not run: its components are not here")
        done = subprocess.run([self.program], env={**os.environ, "SNIPPET": block.name}, cwd=self.folder(block), capture_output=True, text=True, timeout=120)
        if done.returncode != block.exit_code:
            self.complain(block, f"exit code {done.returncode} where {block.exit_code} was expected\n{done.stdout}{done.stderr}")
        if "prints" in block.how:
            self.compare(block, done.stdout, block.following)
        self.count("C++ run")

    def compare(self, block, printed, shown):
        if shown is None or shown.language != "text":
            return self.complain(block, "says that it prints the next block, which is no text")
        pattern = ".*?".join(re.escape(part) for part in shown.text.rstrip("\n").split("…"))
        if not re.fullmatch(pattern, printed.rstrip("\n"), re.S):
            self.complain(block, f"prints\n{printed}\nand the page shows\n{shown.text}")
        self.count("outputs compared")

    def check_sh(self, block):
        if block.how.startswith("run"):
            if not self.assay:
                return self.count("sh not run: the tool was not given")
            environment = {**os.environ, "PATH": f"{self.bin}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8", "ASSAY": str(self.source)}
            done = subprocess.run(["bash", "-c", "set -e\n" + block.text], cwd=self.folder(block), capture_output=True, text=True, timeout=300, env=environment)
            if done.returncode != block.exit_code:
                self.complain(block, f"exit code {done.returncode} where {block.exit_code} was expected\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
            said = re.search(r"\bsays (.*)", block.how)
            if said and said[1].strip() not in done.stdout:
                self.complain(block, f"does not say '{said[1].strip()}'\n{done.stdout[-3000:]}")
            if "prints" in block.how:
                self.compare(block, done.stdout, block.following)
            return self.count("sh run")
        done = subprocess.run(["bash", "-n"], input=block.text, capture_output=True, text=True)
        if done.returncode != 0:
            return self.complain(block, done.stderr)
        for line in re.sub(r"\\\n", " ", block.text).splitlines():
            words = shlex.split(line, comments=True) if line.count("'") % 2 == 0 else []
            separators = [number for number, word in enumerate(words) if word in ("&&", "||", "|", ";")]
            for begin, end in zip([0, *(number + 1 for number in separators)], [*separators, len(words)]):
                command = words[begin:end]
                for number, word in enumerate(command[:-1]):
                    if Path(word).name == "assay" and re.fullmatch(r"[a-z-]+", command[number + 1]) and command[number + 1] not in ("man", "complete") and command[0] not in ("cmake", "docker"):
                        self.parse(block, command[number + 1:])
                        break
        self.count("sh parsed")

    def parse(self, block, arguments):
        """The settings file is looked for when the options have been understood: where it is missing is all that is wrong."""
        if not self.assay:
            return self.count("commands not parsed: the tool was not given")
        if tuple(arguments) in self.parsed:
            return None
        self.parsed.add(tuple(arguments))
        shard = {"CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "2"}  # for --shard from-env
        done = subprocess.run([self.assay, *arguments, "--config", NOWHERE], env={**os.environ, **shard}, capture_output=True, text=True, timeout=60)
        if done.returncode != 2 or NOWHERE not in done.stderr:
            self.complain(block, f"assay {shlex.join(arguments)}\n{done.stderr}")
        return self.count("commands parsed")


CMAKE_STAND_INS = """
function(find_package name)
  if(name STREQUAL "assay")
    cmake_parse_arguments(PARSE_ARGV 1 given "CONFIG;REQUIRED" "" "COMPONENTS")
    foreach(component IN LISTS given_COMPONENTS)
      if(NOT component IN_LIST known)
        message(FATAL_ERROR "there is no component '${component}'")
      endif()
    endforeach()
  endif()
endfunction()
function(target_link_libraries target)
  foreach(library IN LISTS ARGN)
    if(library MATCHES "^assay::(.*)" AND NOT CMAKE_MATCH_1 STREQUAL "assay" AND NOT CMAKE_MATCH_1 IN_LIST known)
      message(FATAL_ERROR "there is no target '${library}'")
    endif()
  endforeach()
endfunction()
foreach(name IN ITEMS add_subdirectory add_executable add_library project FetchContent_Declare FetchContent_MakeAvailable target_sources)
  cmake_language(EVAL CODE "function(${name})\\nendfunction()")
endforeach()
"""

DISPATCHER = """#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace snippets {
struct Snippet { const char* name; int (*run)(int, char**); };
std::vector<Snippet>& all() { static std::vector<Snippet> list; return list; }
bool add(const char* name, int (*run)(int, char**)) { all().push_back({name, run}); return true; }
}

// Without the environment variable SNIPPET it lists its snippets; arguments are the snippet's own.
int main(int count, char** arguments) {
  const char* name = std::getenv("SNIPPET");
  for (const snippets::Snippet& snippet : snippets::all()) {
    if (name == nullptr) std::puts(snippet.name);
    else if (std::strcmp(name, snippet.name) == 0) return snippet.run(count, arguments);
  }
  return name == nullptr ? 0 : 99;
}
"""


def main():
    mode, source = sys.argv[1], Path(sys.argv[2]).resolve()
    if mode == "generate":
        out = Path(sys.argv[3])
        generate(source, out, sys.argv[4:])
        dispatcher = out / "dispatcher.cpp"
        if not dispatcher.exists() or dispatcher.read_text() != DISPATCHER:
            dispatcher.write_text(DISPATCHER)
        return 0
    if mode == "list":
        for block in all_blocks(source):
            print(block, block.language or "(no language)", "|", block.how or ("main" if block.has_main else "-"))
        return 0
    program = str(Path(sys.argv[3]).resolve()) if len(sys.argv) > 3 and sys.argv[3] else None
    assay = str(Path(sys.argv[4]).resolve()) if len(sys.argv) > 4 and os.access(sys.argv[4], os.X_OK) else None
    tester = Tester(source, program, assay, [path for path in sys.argv[5:] if os.access(path, os.X_OK)])
    try:
        for block in all_blocks(source):
            try:
                tester.check(block)
            except subprocess.TimeoutExpired as error:
                tester.complain(block, error)
        tester.check_test_cases()
    finally:
        tester.close()
    for what, number in sorted(tester.counts.items()):
        print(f"{number:4} {what}")
    for complaint in tester.wrong:
        print(complaint, file=sys.stderr)
    return 1 if tester.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
