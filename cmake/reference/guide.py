"""The guide as doxygen can read it: the README of the project, of areas, examples and benches, which stay as they are."""

import pathlib
import re
import shutil

from headers import area_of

# Tags that Markdown may hold as they are; what else stands in angle brackets is text.
TAGS = "img|br|b|i|em|strong|code|sub|sup|p|table|tr|td|th|details|summary|a|kbd"

OUTLINE = [("Areas, from the ground up", "include/assay/*/README.md"), ("Within areas", "include/assay/*/*/README.md"), ("Examples", "examples/*/README.md"),
           ("Figures and devices", "bench/README.md"), ("Figures and devices", "tests/*/README.md"), ("Taking part", "CONTRIBUTING.md"),
           ("Taking part", "CHANGELOG.md")]


def identifier(path):
    """`include/assay/core/README.md` is page_core, with `examples/ci/README.md` page_examples_ci."""
    words = [part for part in pathlib.PurePath(path).with_suffix("").parts if part not in ("include", "assay", "README")]
    if "examples" in path and "assay" in pathlib.PurePath(path).parts:
        words = ["examples", "assay"]
    return "page_" + "_".join(words or ["main"]).lower()


def slug(title):
    """The fragment by which a heading is linked to, as the usual viewers of Markdown make it."""
    return re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-")


class Page:
    def __init__(self, source, path):
        self.path, self.id = path, identifier(path)
        # Comments (the frames of snippets that a test compiles) are for those who edit the page.
        self.text = re.sub(r"<!--.*?-->\n?", "", (source / path).read_text(encoding="utf-8"), flags=re.S)
        heading = re.search(r"^# +(.*?) *$", self.text, flags=re.M)
        self.title = heading.group(1).replace("`", "") if heading else path


class Guide:
    def __init__(self, source, target):
        self.source, self.target = source, target
        self.pages, self.chapters, self.images = {}, {}, {}

    def collect(self):
        self.pages["README.md"] = Page(self.source, "README.md")
        for chapter, pattern in OUTLINE:
            levels = self.levels()
            for path in sorted(self.source.glob(pattern), key=lambda path: (levels.get(path.parent.name, 9) if pattern.startswith("include") else 0, path)):
                page = Page(self.source, path.relative_to(self.source).as_posix())
                self.pages[page.path] = page
                self.chapters.setdefault(chapter, []).append(page)

    def levels(self):
        """The level of each area, as the architecture has it."""
        table = self.source / "tests/structure/architecture.hpp"
        return {area: int(level) for area, level in re.findall(r'\{"(\w+)", (\d)\}', table.read_text(encoding="utf-8"))} if table.exists() else {}

    def resolve(self, page, address):
        path, _, fragment = address.partition("#")
        target = (self.source / page.path).parent / path if path else self.source / page.path
        try:
            relative = target.resolve().relative_to(self.source).as_posix()
        except ValueError:
            return None, fragment
        if (self.source / relative / "README.md").is_file():
            relative = (pathlib.PurePosixPath(relative) / "README.md").as_posix()
        return relative, fragment

    def image(self, page, address):
        relative, _ = self.resolve(page, address)
        if relative is None or not (self.source / relative).is_file():
            return address
        name = page.id + "_" + pathlib.PurePath(relative).name
        self.images[name] = self.source / relative
        return name

    def link(self, page, match):
        text, address = match.group(1), match.group(2)
        if re.match(r"[a-z]+:", address):
            return match.group(0)
        relative, fragment = self.resolve(page, address)
        if relative in self.pages:
            there = self.pages[relative]
            anchored = fragment and any(slug(title) == fragment for title in re.findall(r"^#+ +(.*)$", there.text, flags=re.M))
            return f"[{text}](@ref {there.id}{'_' + fragment if anchored else ''})"
        if relative and relative.startswith("include/assay/") and relative.endswith((".hpp", "/")) and "/detail/" not in relative:
            return f"[{text}](@ref {area_of(relative.removeprefix('include/assay/'))})"
        return text

    def prose(self, page, text):
        """One stretch of Markdown without code."""
        text = re.sub(r"!\[([^\]]*)\]\(([^)\s]+)\)", lambda m: f'<img src="{self.image(page, m[2])}" alt="{m[1]}">', text)
        text = re.sub(r'(<img [^>]*src=")([^"]+)(")', lambda m: m[1] + self.image(page, m[2]) + m[3] if not m[2].startswith("page_") else m[0], text)
        text = re.sub(r"<(?!/?(?:%s)\b|https?:)" % TAGS, "&lt;", text)
        return re.sub(r"[\\@](?=\w)(?!ref )", r"\\\g<0>", text)

    def render(self, page):
        lines, fenced = [], False
        for line in page.text.split("\n"):
            if line.lstrip().startswith("```"):
                fenced = not fenced
            elif not fenced and not line.startswith("    "):
                # Links first: their texts may hold code.
                line = re.sub(r"(?<!!)\[((?:[^\[\]`]|`[^`]*`)+)\]\(([^)\s]+)\)", lambda match: self.link(page, match), line)
                pieces = re.split(r"(`+[^`]*`+)", line)
                line = "".join(piece if i % 2 else self.prose(page, piece) for i, piece in enumerate(pieces))
                if heading := re.match(r"(#+) +(.*?) *$", line):
                    name = page.id if heading[1] == "#" else f"{page.id}_{slug(heading[2])}"
                    line = f"{heading[1]} {heading[2].replace('`', '')} {{#{name}}}"
            lines.append(line)
        text = "\n".join(lines)
        if match := re.fullmatch(r"include/assay/(\w+)/README\.md", page.path):
            text += f"\n\n---\n\nThe reference of all that this area declares: [{match[1]}](@ref {match[1]}).\n"
        return text

    def contents(self):
        """A page that leads to all others, in the order in which one reads them."""
        text = "# Guide {#page_guide}\n\n"
        for chapter, pages in self.chapters.items():
            text += f"## {chapter}\n\n" + "".join(f"- @subpage {page.id} \"{page.title}\"\n" for page in pages) + "\n"
        return text

    def groups(self):
        """The groups that headers.py puts declarations into."""
        root = self.source / "include" / "assay"
        text = ""
        for folder in sorted(path for path in root.iterdir() if path.is_dir()):
            area = folder.name
            page = self.pages.get(f"include/assay/{area}/README.md")
            about = f"What these are for, with examples: @ref {page.id} \"{page.title}\"." if page else f"`assay/{area}/`"
            text += f"/** \\defgroup {area} {area}\n{about} */\n"
            for inner in sorted({area_of(path.relative_to(root).as_posix()) for path in folder.rglob("*.hpp") if "detail" not in path.parts} - {area}):
                text += f"/** \\defgroup {inner} {inner.removeprefix(area + '_')}\n\\ingroup {area}\n`assay/{area}/{inner.removeprefix(area + '_')}/` */\n"
        return text

    def write(self):
        shutil.rmtree(self.target, ignore_errors=True)
        (self.target / "images").mkdir(parents=True)
        self.collect()
        for page in self.pages.values():
            name = "main.md" if page.path == "README.md" else page.id + ".md"
            (self.target / name).write_text(self.render(page), encoding="utf-8")
        (self.target / "a_guide.md").write_text(self.contents(), encoding="utf-8")
        (self.target / "groups.dox").write_text(self.groups(), encoding="utf-8")
        for name, path in self.images.items():
            shutil.copyfile(path, self.target / "images" / name)
        return len(self.pages)


def write_pages(source, target):
    return Guide(source, target).write()
