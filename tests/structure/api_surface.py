"""api_surface.py --record FOLDER [--update] DECLARATIONS: the public interface, a line a declaration, against a recorded one.

DECLARATIONS is the folder of XML that cmake/reference/reference.py leaves. The record is FOLDER/<area>.txt, sorted lines: kind,
template head, declaration. A line that is gone or changed may break somebody's build. --update writes the record.
Exit status: 0 the same, 1 different, 77 (skipped) where doxygen is of another version than the one that made the record.
"""

import argparse
import collections
import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree

MOST_SHOWN = 40


def text(node):
    return re.sub(r"\s+", " ", "".join(node.itertext())).strip() if node is not None else ""


def template_head(node):
    parameters = node.find("templateparamlist")
    if parameters is None:
        return ""
    shown = []
    for parameter in parameters.findall("param"):
        name = text(parameter.find("declname"))
        default = parameter.find("defval")
        written = text(parameter.find("type")) + (" " + name if name else "") + (" = " + text(default) if default is not None else "")
        shown.append(written)
    return f"template <{', '.join(shown)}> "


def area_of(path):
    parts = pathlib.PurePath(path).parts
    return parts[1].removesuffix(".hpp") if len(parts) > 1 and parts[0] == "assay" else None


def member_line(member, scope):
    kind, name = member.get("kind"), member.findtext("name")
    qualified = f"{scope}::{name}" if scope else name
    head, type_, arguments = template_head(member), text(member.find("type")), text(member.find("argsstring"))
    if kind in ("function", "friend"):
        constraint = text(member.find("requiresclause"))
        return f"{kind} {head}{'requires ' + constraint + ' ' if constraint else ''}{type_ + ' ' if type_ else ''}{qualified}{arguments}"
    if kind == "define":
        return f"define {name}"
    if kind == "enum":
        values = ", ".join(value.findtext("name") for value in member.findall("enumvalue"))
        return f"enum {'class ' if member.get('strong') == 'yes' else ''}{qualified} {{{values}}}"
    static = "static " if member.get("static") == "yes" and not type_.startswith("static") else ""
    return f"{kind} {head}{static}{type_} {qualified}{arguments}"


def is_detail(name):
    return "detail" in re.split(r"[^\w]+", name)


def read_surface(folder):
    surface = collections.defaultdict(set)
    version = None
    for path in sorted(folder.glob("*.xml")):
        root = ElementTree.parse(path).getroot()
        version = version or root.get("version")
        for compound in root.iter("compounddef"):
            kind, name = compound.get("kind"), compound.findtext("compoundname")
            location = compound.find("location")
            if is_detail(name) or compound.get("prot", "public") != "public" or kind not in ("class", "struct", "union", "concept", "namespace", "file"):
                continue
            if kind in ("class", "struct", "union"):
                bases = ", ".join(text(base) for base in compound.findall("basecompoundref") if base.get("prot") == "public" and not is_detail(text(base)))
                if area := area_of(location.get("file")):
                    surface[area].add(f"{kind} {template_head(compound)}{name}{' : ' + bases if bases else ''}")
            elif kind == "concept":
                if area := area_of(location.get("file")):
                    surface[area].add("concept " + text(compound.find("initializer")))
            scope = "" if kind == "file" else name
            for member in compound.iter("memberdef"):
                file = member.find("location").get("declfile") or member.find("location").get("file")
                area = area_of(file)
                if area is None or member.get("prot") != "public" or is_detail(member.findtext("name")) or is_detail(file):
                    continue
                if kind == "file" and (member.get("kind") == "define" and not member.findtext("name").startswith("ASSAY_") or
                                       "ASSAY_DETAIL" in member.findtext("name") or not file.endswith(".h")):
                    continue
                surface[area].add(member_line(member, scope))
    return surface, version


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("declarations", type=pathlib.Path)
    parser.add_argument("--record", type=pathlib.Path, required=True)
    parser.add_argument("--update", action="store_true")
    arguments = parser.parse_args()
    surface, version = read_surface(arguments.declarations)
    if not surface:
        print(f"skipped: no declarations in '{arguments.declarations}'; doxygen is missing, or the test `reference` did not run")
        return 77

    maker = arguments.record / "doxygen_version"
    if arguments.update:
        arguments.record.mkdir(exist_ok=True)
        for path in arguments.record.glob("*.txt"):
            path.unlink()
        for area, lines in surface.items():
            (arguments.record / f"{area}.txt").write_text("\n".join(sorted(lines)) + "\n", encoding="utf-8")
        maker.write_text(version + "\n", encoding="utf-8")
        print(f"{sum(map(len, surface.values()))} declarations of {len(surface)} areas recorded with doxygen {version}")
        return 0

    made_by = maker.read_text(encoding="utf-8").strip() if maker.exists() else "?"
    if made_by != version:
        print(f"skipped: the record was made with doxygen {made_by}, and this is {version}, which writes declarations in another way")
        return 77
    removed, added = [], []
    for area in sorted(set(surface) | {path.stem for path in arguments.record.glob("*.txt")}):
        path = arguments.record / f"{area}.txt"
        recorded = set(path.read_text(encoding="utf-8").splitlines()) if path.exists() else set()
        removed += [f"{area}: {line}" for line in sorted(recorded - surface[area])]
        added += [f"{area}: {line}" for line in sorted(surface[area] - recorded)]
    for title, lines in (("gone or changed", removed), ("new", added)):
        for line in lines[:MOST_SHOWN]:
            print(f"{'-' if lines is removed else '+'} {line}")
        if len(lines) > MOST_SHOWN:
            print(f"… and {len(lines) - MOST_SHOWN} more that are {title}")
    print(f"{sum(map(len, surface.values()))} public declarations: {len(removed)} gone or changed, {len(added)} new")
    if removed:
        print("What is gone or changed may break a build that uses it. CONTRIBUTING.md says how declarations are deprecated before they go; if this is"
              " meant, say so in CHANGELOG.md.")
    if removed or added:
        print("Record the interface with --update.")
    return 1 if removed or added else 0


if __name__ == "__main__":
    sys.exit(main())
