"""The public headers as doxygen can read them: copies, line for line."""

import pathlib
import re
import shutil

FOLDERS_WITH_GROUPS = {"kernels", "adapters"}


def area_of(relative):
    """`kernels/gemm/bound.hpp` is of kernels_gemm, `core/run.hpp` of core, an umbrella of its area."""
    parts = pathlib.PurePath(relative).parts
    if len(parts) == 1:
        return parts[0].removesuffix(".hpp").removesuffix(".h")
    return "_".join(parts[:2]) if parts[0] in FOLDERS_WITH_GROUPS and len(parts) > 2 else parts[0]


def readable(text):
    # doxygen 1.9 takes `inline v0` for the namespace's name, and `/*` in a raw string for a comment.
    text = re.sub(r"\bnamespace assay::inline v0", "namespace assay", text)
    # Namespaces that keep a linker from mixing units compiled with different options are no part of a name.
    text = re.sub(r"^inline namespace ASSAY_DETAIL_\w+ \{|^\}  // (inline )?namespace ASSAY_DETAIL_\w+", "", text, flags=re.M)
    # Specializations of other libraries' templates, whose scopes doxygen does not know.
    text = re.sub(r"^(?:///[^\n]*\n)*template <[^\n]*>\n(?:class|struct) (?:Catch|std)::.*?^\};$", lambda match: "\n" * match.group(0).count("\n"),
                  text, flags=re.M | re.S)
    return re.sub(r'R"(\w*)\(.*?\)\1"', lambda match: '""' + "\n" * match.group(0).count("\n"), text, flags=re.S)


def readable_c(text, group):
    """The C interface has plain comments, of what follows or, behind a declaration, of what stands before."""
    # Two lines more in front, two empty ones less behind: lines keep their numbers.
    text = re.sub(r"\A/\*", rf"/** \\file\n \\ingroup {group}\n", text).replace("\n\n", "\n", 2)
    text = re.sub(r"^( *)/\* ", r"\1/** ", text, flags=re.M)
    return re.sub(r"(?<=[;,\w}]) +/\* ", " /**< ", text)


def grouped(text, group):
    """What the namespace holds, as members of a group: areas are what readers go by, and the namespace is one."""
    # The comment takes the place of the empty line behind the brace, so that lines keep their numbers.
    text, opened = re.subn(r"^(namespace assay\b(?!::detail)[\w:]* \{)\n$", rf"\1 /** \\addtogroup {group}\n@{{ */", text, flags=re.M)
    return re.sub(r"^(\}  // namespace assay\b(?!::inline v0::detail|::detail).*)$", r"/** @} */ \1", text, flags=re.M) if opened else text


def copy_headers(source, target, edits=None):
    """Copies what is public; `edits` are functions from (relative path, text) to text, applied in order."""
    shutil.rmtree(target, ignore_errors=True)
    root = source / "include" / "assay"
    count = 0
    for path in sorted([*root.rglob("*.hpp"), *root.rglob("*.h")]):
        relative = path.relative_to(root)
        if "detail" in relative.parts:
            continue
        text = path.read_text(encoding="utf-8")
        text = readable_c(text, area_of(relative)) if path.suffix == ".h" else readable(text)
        for edit in edits or []:
            text = edit(relative.as_posix(), text)
        copy = target / "assay" / relative
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(text, encoding="utf-8")
        count += 1
    return count
