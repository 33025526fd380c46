"""The links, pictures and figures of all pages.

  python3 pages.py SOURCE [--external | --online]    --external lists links to elsewhere, --online asks for them, too

Every relative link and picture leads to a file, every anchor to a heading of it. Figures on a page that stand in bench/README.md are
marked by a comment before a paragraph or a table:

  <!-- figures: PIECE | PIECE … -->       each piece stands in bench/README.md word for word, and every number of the paragraph in a piece
  <!-- figures by column: ROW: TITLE | TITLE … -->
                                          each row of the table names a column of the tables TITLE there; its cells are theirs in the row ROW
"""

import re
import sys
import unicodedata
import urllib.request
from pathlib import Path

NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?")


def without_code(text):
    text = re.sub(r"^```.*?^```$", lambda found: "\n" * found[0].count("\n"), text, flags=re.S | re.M)
    return re.sub(r"`[^`\n]*`", "", text)


def anchors_of(text):
    """As GitHub makes them of headings: small letters, no punctuation, dashes for blanks."""
    anchors, seen = set(), {}
    for heading in re.findall(r"^#{1,6} +(.*?)#* *$", re.sub(r"^```.*?^```$", "", text, flags=re.S | re.M), re.M):
        heading = re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", lambda found: found[1] or "", heading)
        slug = "".join(letter for letter in heading.strip().lower() if letter in " -_" or unicodedata.category(letter)[0] in "LN").replace(" ", "-")
        number = seen.get(slug, 0)
        seen[slug] = number + 1
        anchors.add(slug if number == 0 else f"{slug}-{number}")
    return anchors


def links_of(text):
    text = without_code(text)
    for found in re.finditer(r"\]\(([^)\s]+)\)|<(?:img|a)\b[^>]*\b(?:src|href)=\"([^\"]+)\"|<(https?://[^>]+)>", text):
        yield text[: found.start()].count("\n") + 1, next(filter(None, found.groups()))


def tables_of(text):
    """Title to rows, each a list of cells; the title is the heading above."""
    tables, title, rows = {}, "", []
    for line in [*text.splitlines(), ""]:
        if line.startswith("#"):
            title = line.lstrip("# ").strip()
        if line.startswith("|"):
            rows.append([cell.strip() for cell in line.strip().strip("|").split("|")])
        elif rows:
            tables.setdefault(title, rows)
            rows = []
    return tables


class Pages:
    def __init__(self, source):
        self.source, self.wrong, self.links, self.figures, self.external = source, [], 0, 0, {}
        folders = [path for folder in ("include", "examples", "bench", "tests", "cmake", ".ci") if (source / folder).exists() for path in (source / folder).rglob("*.md")]
        self.pages = {page: page.read_text(encoding="utf-8") for page in sorted([*folders, *source.glob("*.md")])}
        self.anchors = {page: anchors_of(text) for page, text in self.pages.items()}
        self.bench = self.pages[source / "bench/README.md"]
        self.tables = tables_of(self.bench)

    def complain(self, page, line, what):
        self.wrong.append(f"{page.relative_to(self.source)}:{line}: {what}")

    def check_links(self, page, text):
        for line, link in links_of(text):
            self.links += 1
            if re.match(r"https?://|mailto:", link):
                self.external.setdefault(link, f"{page.relative_to(self.source)}:{line}")
                continue
            path, _, anchor = link.partition("#")
            target = (page.parent / path).resolve() if path else page
            if not target.exists():
                self.complain(page, line, f"{link} leads to nothing")
            elif self.source not in [target, *target.parents]:
                self.complain(page, line, f"{link} leads out of the project")
            elif anchor and anchor not in self.anchors.get(target, ()):
                self.complain(page, line, f"{link}: {path or 'the page'} has no heading of that name")

    def check_figures(self, page, text):
        for found in re.finditer(r"^<!-- figures( by column)?: (.*?) -->\n+((?:[^\n]+\n)+)", text, re.S | re.M):
            line = text[: found.start()].count("\n") + 1
            (self.check_columns if found[1] else self.check_pieces)(page, line, found[2], found[3])

    def check_pieces(self, page, line, pieces, paragraph):
        pieces = [piece.strip() for piece in pieces.split("|")]
        for piece in pieces:
            if re.sub(r"\s+", " ", piece) not in re.sub(r"\s+", " ", self.bench):
                self.complain(page, line, f"bench/README.md does not say '{piece}'")
        known = set(NUMBER.findall(" ".join(pieces)))
        for number in NUMBER.findall(without_code(re.sub(r"\]\([^)]*\)", "]", paragraph))):
            self.figures += 1
            if number not in known:
                self.complain(page, line, f"the figure {number} is in none of the pieces")

    def check_columns(self, page, line, where, table):
        row_name, _, titles = where.partition(":")
        titles = [title.strip() for title in titles.split("|")]
        for row in tables_of("# table\n" + table)["table"][2:]:
            for title, cell in zip(titles, row[1:], strict=True):
                self.figures += 1
                there = self.tables.get(title)
                if there is None:
                    return self.complain(page, line, f"bench/README.md has no table '{title}'")
                name = row[0].strip("*")
                if name not in there[0]:
                    self.complain(page, line, f"'{title}' has no column '{name}'")
                    continue
                expected = next(values for values in there if values[0] == row_name.strip())[there[0].index(name)]
                if cell.strip("* %") != expected:
                    self.complain(page, line, f"{name}: {cell}, where '{title}' has {expected}")
        return None

    def check(self):
        for page, text in self.pages.items():
            self.check_links(page, text)
            self.check_figures(page, text)
        if self.figures < 20:
            self.wrong.append(f"only {self.figures} figures are compared with bench/README.md: were their marks lost?")


def main():
    pages = Pages(Path(sys.argv[1]).resolve())
    pages.check()
    print(f"{len(pages.pages)} pages, {pages.links} links, {pages.figures} figures")
    for link, place in sorted(pages.external.items()):
        if "--external" in sys.argv or "--online" in sys.argv:
            print(f"{place}: {link}")
        if "--online" in sys.argv:
            try:
                urllib.request.urlopen(urllib.request.Request(link, method="HEAD", headers={"User-Agent": "assay"}), timeout=20)
            except OSError as error:
                pages.wrong.append(f"{place}: {link}: {error}")
    for complaint in pages.wrong:
        print(complaint, file=sys.stderr)
    return 1 if pages.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
