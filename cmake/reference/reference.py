#!/usr/bin/env python3
"""reference.py [--html] [--list] SOURCE WORK: the reference of the public headers, and the guide, by doxygen.

Without --html nothing is rendered: symbols without a docstring and warnings are looked for. --list prints the symbols that have
none, with the lines that declare them. Leaves the declarations as XML in WORK/declarations, which api_surface.py reads.
Exit status: 0 right, 1 faults, 77 (skipped) where doxygen is missing.
"""

import argparse
import collections
import pathlib
import re
import shutil
import subprocess
import sys

import conventions
import guide
import headers

HERE = pathlib.Path(__file__).resolve().parent


def run_doxygen(work, name, settings):
    configuration = (HERE / "Doxyfile").read_text(encoding="utf-8")
    settings = {"OUTPUT_DIRECTORY": work / name, "WARN_LOGFILE": work / f"{name}.log"} | settings
    for key, value in settings.items():
        configuration += f'{key} = {value}\n'
    (work / name).mkdir(parents=True, exist_ok=True)
    path = work / f"{name}.doxyfile"
    path.write_text(configuration, encoding="utf-8")
    log = work / f"{name}.log"
    log.unlink(missing_ok=True)
    done = subprocess.run(["doxygen", str(path)], capture_output=True, text=True, cwd=work)
    if done.returncode != 0:
        sys.exit(f"doxygen failed with exit status {done.returncode}:\n{done.stdout}{done.stderr}")
    return log.read_text(encoding="utf-8") if log.exists() else ""


def start_of_declaration(lines, line):
    """The index of the first line of the declaration whose name stands on the line of number `line`."""
    index = line - 1
    while index > 0:
        before = re.sub(r"\s*//.*", "", lines[index - 1]).rstrip()
        if not before or before.endswith((";", "{", "}", ":", "*/")) or before.lstrip().startswith("#"):
            break
        index -= 1
    return index


def conventional_edits(compounds):
    """For each header what to write before which line, and the block of comments to add at its end."""
    rules = conventions.Conventions(compounds)
    rules.types = frozenset(rules.by_name) | enumerations(compounds)
    before, after = collections.defaultdict(dict), collections.defaultdict(list)
    for compound in compounds:
        if not compound.documented and compound.specializes in rules.by_name:
            primary = compound.specializes.removeprefix("assay::")
            before[compound.file.removeprefix("assay/")].setdefault(compound.line, f"`{primary}` for these arguments.")
        for member in compound.members:
            if member.documented or member.protection == "private":
                continue
            sentence = rules.sentence(compound, member)
            if sentence is None:
                continue
            relative = member.file.removeprefix("assay/")
            if member.kind in ("variable", "typedef") and "<" not in member.name:
                tag = {"variable": "var", "typedef": "typedef"}[member.kind]
                after[relative].append(f"/** \\{tag} {compound.name}::{member.name}\n{sentence} */")
            else:
                before[relative].setdefault(member.line, sentence)

    def edit(relative, text):
        lines = text.split("\n")
        for line, sentence in before[relative].items():
            start = start_of_declaration(lines, line)
            indent = len(lines[start]) - len(lines[start].lstrip())
            lines[start] = f"{lines[start][:indent]}/** {sentence} */ {lines[start][indent:]}"
        return "\n".join(lines) + "\n".join(after[relative]) + ("\n" if after[relative] else "")

    return edit


def enumerations(compounds):
    return frozenset(f"{compound.name}::{member.name}" for compound in compounds for member in compound.members if member.kind == "enum")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--html", action="store_true")
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()
    if shutil.which("doxygen") is None:
        print("skipped: doxygen is not installed")
        return 77
    source, work = arguments.source.resolve(), arguments.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    version = subprocess.run(["doxygen", "--version"], capture_output=True, text=True).stdout.split()[0]

    # Once as the headers are: what they declare, and what is said of it.
    copies = work / "include"
    if headers.copy_headers(source, copies) == 0:
        sys.exit(f"no headers below '{source}/include/assay'")
    shutil.rmtree(work / "declarations", ignore_errors=True)
    run_doxygen(work, "declarations", {
        "INPUT": copies / "assay", "STRIP_FROM_PATH": copies, "STRIP_FROM_INC_PATH": copies, "GENERATE_XML": "YES",
        "XML_OUTPUT": ".", "XML_PROGRAMLISTING": "NO", "EXTRACT_ALL": "YES", "WARNINGS": "NO", "WARN_IF_DOC_ERROR": "NO"})
    compounds = conventions.read_compounds(work / "declarations")

    # Once more with what conventions say of them, in groups, one an area; and the guide.
    group = lambda relative, text: headers.grouped(text, headers.area_of(relative))
    headers.copy_headers(source, copies, [conventional_edits(compounds), group])
    pages = guide.write_pages(source, work / "guide")
    shutil.rmtree(work / "html", ignore_errors=True)
    log = run_doxygen(work, "rendered", {
        "INPUT": f"{work / 'guide'} {copies / 'assay'}", "STRIP_FROM_PATH": f"{copies} {work / 'guide'}", "STRIP_FROM_INC_PATH": copies,
        "PROJECT_NUMBER": version_of(source), "WARN_IF_UNDOCUMENTED": "YES",
        "IMAGE_PATH": work / "guide" / "images", "USE_MDFILE_AS_MAINPAGE": work / "guide" / "main.md"} | html_settings(work, arguments.html))
    return report(log, source, work, version, pages, arguments.list)


def version_of(source):
    match = re.search(r'version = "([0-9.]+)"', (source / "include/assay/core/version.hpp").read_text(encoding="utf-8"))
    return match.group(1) if match else ""


def html_settings(work, wanted):
    if not wanted:
        # Something must be made, or doxygen does not look at references.
        return {"GENERATE_XML": "YES", "XML_OUTPUT": ".", "XML_PROGRAMLISTING": "NO"}
    return {"GENERATE_HTML": "YES", "HTML_OUTPUT": work / "html", "LAYOUT_FILE": HERE / "layout.xml",
            "HTML_EXTRA_FILES": " ".join(str(path) for path in sorted((work / "guide" / "images").iterdir())), "HTML_EXTRA_STYLESHEET": HERE / "style.css",
            "GENERATE_TREEVIEW": "YES", "DISABLE_INDEX": "YES", "SEARCHENGINE": "YES", 
            "HTML_COLORSTYLE_SAT": 40, "HTML_DYNAMIC_SECTIONS": "YES", "SOURCE_BROWSER": "NO", "VERBATIM_HEADERS": "NO",
            "HTML_TIMESTAMP": "NO", "ENUM_VALUES_PER_LINE": 1}


def report(log, source, work, version, pages, listed):
    missing, faults = collections.defaultdict(list), []
    for line in dict.fromkeys(log.splitlines()):
        match = re.match(r"(.*?):(\d+): (?:warning: )?(?:(Member|Compound) (.*) is not documented\.)?(.*)", line)
        if match and match.group(3):
            path = pathlib.Path(match.group(1))
            relative = path.relative_to(work / "include").as_posix() if path.is_absolute() else path.as_posix()
            missing[pathlib.PurePath(relative).parts[1].removesuffix(".hpp")].append((relative, int(match.group(2)), match.group(4)))
        elif line.strip():
            faults.append(line.replace(str(work / "include"), "include").replace(str(work / "guide") + "/", ""))
    count = sum(map(len, missing.values()))
    for area, symbols in sorted(missing.items()):
        for relative, number, symbol in sorted(set(symbols)):
            text = ""
            if listed:
                text = "\n    " + (source / "include" / relative).read_text(encoding="utf-8").split("\n")[number - 1].strip()
            print(f"include/{relative}:{number}: no docstring: {symbol}{text}")
    for fault in faults:
        print(fault)
    for area, symbols in sorted(missing.items()):
        print(f"{area}: {len(symbols)} without a docstring")
    print(f"doxygen {version}, {pages} pages of the guide: {count} public symbols without a docstring, {len(faults)} warnings")
    if count:
        print("Give each a `///` docstring: what it is, in which unit, what must hold, what goes wrong. CONTRIBUTING.md tells which need none.")
    return 1 if count or faults else 0


if __name__ == "__main__":
    sys.exit(main())
