"""Docstrings that the house's conventions give.

What a reader learns from a concept, from a primary template, from the line that a member stands on, or from the description of
its type is not said again at every member: CONTRIBUTING.md tells which members that is. Here they get the sentence that leads
the reader there. Whatever is left without a docstring is a fault.
"""

import collections
import pathlib
import re
import xml.etree.ElementTree as ElementTree

Member = collections.namedtuple("Member", "id kind name owner owner_kind file line column documented definition type arguments protection text")
Compound = collections.namedtuple("Compound", "kind name documentation documented specializes members file line text bases")

SPECIAL = re.compile(r"=\s*(default|delete)\s*$")
COMPARISONS = {"operator==", "operator!=", "operator<", "operator<=", "operator>", "operator>=", "operator<=>"}


def text_of(node):
    """Text with `code` in backticks."""
    if node is None:
        return ""
    parts = [node.text or ""]
    for child in node:
        inner = text_of(child)
        parts.append(f"`{inner}`" if child.tag == "computeroutput" else inner)
        parts.append(child.tail or "")
    return "".join(parts)


def read_compounds(folder):
    compounds = []
    for path in sorted(pathlib.Path(folder).glob("*.xml")):
        if not re.match(r"(class|struct|union|concept|namespace)", path.name):
            continue
        for node in ElementTree.parse(path).getroot().iter("compounddef"):
            kind, name = node.get("kind"), node.findtext("compoundname")
            if node.get("prot", "public") != "public" or not name.startswith("assay") or "detail" in re.split(r"\W+", name):
                continue
            documentation = (text_of(node.find("briefdescription")) + " " + text_of(node.find("detaileddescription"))).strip()
            members = []
            for entry in node.iter("memberdef"):
                location = entry.find("location")
                own = (text_of(entry.find("briefdescription")) + text_of(entry.find("detaileddescription"))).strip()
                file = location.get("declfile") or location.get("file")
                line = location.get("declline") or location.get("line")
                members.append(
                    Member(entry.get("id"), entry.get("kind"), entry.findtext("name"), name, kind, file, int(line), int(location.get("column") or 0),
                           bool(own), entry.findtext("definition") or "", text_of(entry.find("type")), entry.findtext("argsstring") or "",
                           entry.get("prot"), own))
            location = node.find("location")
            primary = name.split("<")[0].strip() if "<" in name else None
            compounds.append(Compound(kind, name, documentation, bool((text_of(node.find("briefdescription")) + text_of(node.find("detaileddescription"))).strip()),
                                      primary, members, location.get("file"), int(location.get("line")), text_of(node.find("initializer")),
                                      [re.sub(r"<.*", "", text_of(base)).strip() for base in node.findall("basecompoundref")]))
    return compounds


def names_in_code(documentation):
    """The identifiers that stand in `code`."""
    return {name for code in re.findall(r"`([^`]*)`", documentation) for name in re.findall(r"[A-Za-z_]\w*", code)}


def spoken_of(member, documentation):
    if member.name in names_in_code(documentation):
        return True
    return member.kind == "variable" and len(member.name) >= 3 and re.search(rf"\b{re.escape(member.name)}\b", documentation) is not None


class Conventions:
    def __init__(self, compounds):
        self.by_name = {compound.name: compound for compound in compounds}
        self.aliases = {member.name: re.findall(r"[A-Za-z_]\w+", member.type)
                        for compound in compounds for member in compound.members if member.kind == "typedef" and compound.kind == "namespace"}
        self.concepts = {compound.name: self.requirements(compound) for compound in compounds if compound.kind == "concept"}

    @staticmethod
    def requirements(concept):
        """Members that the concept requires, and names that its description explains."""
        own_name = concept.name.rpartition("::")[2]
        required = set(re.findall(r"(?:::|\.)(?:template )?([A-Za-z_]\w*)", re.sub(r"\b(std|Rounding|Overflow|RoundingModel|ErrorKind|SaveMode)(::\w+)+", "", concept.text))) - {own_name}
        return required, names_in_code(concept.documentation)

    def models(self, compound):
        """Concepts that the type is a model of, by the names of its members."""
        own = {member.name for member in compound.members}
        return [name for name, (required, explained) in self.concepts.items()
                if required & explained and len(required & own) >= 0.7 * len(required)]

    def bases_of(self, compound):
        for name in compound.bases:
            base = self.by_name.get(name) or self.by_name.get("assay::" + name)
            if base is None:  # an alias: BasicHost by Host
                base = next((self.by_name.get("assay::" + target) for target in self.aliases.get(name.removeprefix("assay::"), ())), None)
            if base is not None and base is not compound:
                yield base
                yield from self.bases_of(base)

    def sentence(self, compound, member):
        """What the convention says of an undocumented member; None where it says nothing."""
        special = SPECIAL.search(member.arguments)
        short = compound.name.removeprefix("assay::").split("<")[0].strip()
        if member.kind in ("function", "friend") and special:
            if member.name in COMPARISONS:
                return "Compares member by member."
            if special.group(1) == "delete":
                return "Not copied: there is one of each."
            if "&&" in member.arguments:
                return "What is moved from may be destroyed and assigned to."
            return "As the compiler makes it."
        if member.kind == "function" and member.name.startswith("~"):
            return "Gives back what it holds."
        # One declaration: `Index rows, columns;` has one docstring.
        for other in compound.members:
            if other.documented and other.kind == member.kind == "variable" and (other.file, other.line) == (member.file, member.line):
                return other.text
        general = member.name.split("<")[0].strip()  # a specialized variable, as in `works_as_host< B >`
        if general != member.name and any(other.name == general and other.documented for other in compound.members):
            return f"`{general}` for these arguments."
        if compound.specializes and (primary := self.by_name.get(compound.specializes)):
            if any(other.name == member.name and other.documented for other in primary.members) or member.name in names_in_code(primary.documentation):
                return f"As in `{primary.name.removeprefix('assay::')}`."
        for base in self.bases_of(compound):
            if any(other.name == member.name and (other.documented or self.sentence(base, other)) for other in base.members):
                return f"As in `{base.name.removeprefix('assay::')}`."
        for concept in self.models(compound):
            if member.name in self.concepts[concept][1]:
                return f"As the concept `{concept.removeprefix('assay::')}` asks for."
        if compound.kind in ("struct", "class", "union") and spoken_of(member, compound.documentation):
            return f"See the description of `{short}`."
        # A documented function object: its description says what a call does, and its data are what the call reads.
        if compound.documented and any(other.name == "operator()" for other in compound.members):
            if member.name == "operator()":
                return f"The call: see the description of `{short}`."
            if member.kind == "variable":
                return f"Read by the call: see the description of `{short}`."
        if member.kind == "variable" and compound.kind == "struct":
            named = re.search(r"\b(\w+)\W*$", re.sub(r"<.*>", "", member.type))
            element = re.match(r"(?:std::)?(?:vector|optional|array|span)<\s*(?:const )?(?:assay::)?(\w+)", member.type.replace("< ", "<"))
            for found in (named, element):
                if found and "assay::" + found.group(1) in self.types:
                    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", found.group(1)).lower()
                    if member.name.rstrip("s") in words.rstrip("s") or words.rstrip("s") in member.name:
                        return f"See `{found.group(1)}`."
        if member.kind == "function":
            for other in compound.members:
                if other.name == member.name and other.documented and other.file == member.file and other.kind == member.kind:
                    return f"The same for other arguments: see `{member.name}`."
        return None

    types = frozenset()
