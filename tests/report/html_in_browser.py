"""html_in_browser.py PROGRAM: opens the HTML report in a headless Chromium and uses it as a reader does.

PROGRAM is the test program of the area report; it writes the pages. Exit status 77, which ctest calls skipped, where no
Chromium is installed.
"""

import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

BROWSERS = ["chromium", "chromium-browser", "google-chrome", "chrome"]

# Runs in the page: steps that return what they found, as JSON in an element that --dump-dom shows.
HARNESS = """
<script>
window.addEventListener('load', function () { setTimeout(async function () {
  var shown = function () { return Array.prototype.filter.call(document.querySelectorAll('[data-seconds]'), function (node) { return !node.hidden && !node.closest('section').hidden; }); };
  var ids = function () { return shown().map(function (node) { return node.querySelector('.id').textContent; }); };
  var pause = function (ms) { return new Promise(function (done) { setTimeout(done, ms); }); };
  var type = function (text) { var box = document.getElementById('words'); box.value = text; box.dispatchEvent(new Event('input', {bubbles: true})); };
  var choose = function (id, value) { var box = document.getElementById(id); box.value = value; box.dispatchEvent(new Event('change', {bubbles: true})); };
  var matches = function () { return document.getElementById('matches').textContent; };
  var result;
  try { result = await (async function () { STEPS })(); } catch (error) { result = {exception: String(error)}; }
  var box = document.createElement('pre');
  box.id = 'result';
  box.textContent = JSON.stringify(result);
  document.body.appendChild(box);
  if (window.parent !== window) window.parent.postMessage(box.textContent, '*');
}, 50); });
</script>
"""

FRAME = """<!DOCTYPE html><title>frame</title><body style="margin:0"><iframe style="border:0" width="390" height="844" src="%s"></iframe>
<script>addEventListener('message', function (event) { var box = document.createElement('pre'); box.id = 'result'; box.textContent = event.data;
document.body.appendChild(box); });</script>"""


class Browser:
    def __init__(self, program, folder):
        self.program, self.folder, self.failures, self.checks = program, pathlib.Path(folder), 0, 0

    def open(self, page, steps, fragment="", phone=False):
        """What the steps returned. A console message or an uncaught exception is a failure."""
        text = (self.folder / page).read_text(encoding="utf-8").replace("</body></html>", HARNESS.replace("STEPS", steps) + "</body></html>")
        path = self.folder / "opened.html"
        path.write_text(text, encoding="utf-8")
        address = path.as_uri() + fragment
        if phone:
            (self.folder / "frame.html").write_text(FRAME % html.escape(address), encoding="utf-8")
            address = (self.folder / "frame.html").as_uri()
        command = [self.program, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={self.folder}/profile", "--window-size=1280,1600",
                   "--virtual-time-budget=20000", "--enable-logging=stderr", "--log-level=0", "--hide-scrollbars", "--dump-dom", address]
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", errors="replace", timeout=100)
        console = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
        self.check(not console, "no message on the console", console[:3])
        found = re.search(r'<pre id="result">(.*?)</pre>', done.stdout, re.DOTALL)
        if not found:
            raise SystemExit(f"the page gave no result; the browser said:\n{done.stderr[-2000:]}")
        return json.loads(html.unescape(found.group(1)))

    def check(self, condition, what, found=None):
        self.checks += 1
        if not condition:
            self.failures += 1
            print(f"FAILED: {what}; found {found!r}")


def filters(browser):
    found = browser.open("rich.html", "return {count: shown().length, matches: matches(), resources: performance.getEntriesByType('resource').length};")
    everything = found["count"]
    browser.check(everything > 3000 and found["matches"] == f"{everything} cases", "all cases are shown at first", found)
    browser.check(found["resources"] == 0, "nothing is loaded", found)

    found = browser.open("rich.html", """
      var visible = Array.prototype.filter.call(document.querySelectorAll('section'), function (node) { return node.offsetHeight > 0; });
      return {ids: ids(), matches: matches(), open: shown()[0].open, sections: visible.map(function (node) { return node.id; })};""", "#verdict=fail&text=M2048%20eigen")
    browser.check(found["ids"] == ["gemm/eigen/f16.f16.f16/m2048-n512-k4096-nn-row/normal"], "words and verdict of the address choose one case", found)
    browser.check(found["sections"] == ["cases-fail"], "sections without a match do not show", found)
    browser.check(found["open"] is True and found["matches"] == f"1 of {everything} cases shown", "a single match is open and counted", found)

    found = browser.open("rich.html", """
      document.querySelector('.chip[data-verdict=fail]').click();
      var first = {n: shown().length, hash: location.hash};
      document.querySelector('.chip[data-verdict=error]').click();
      var both = {n: shown().length, hash: location.hash, pressed: document.querySelectorAll('.chip[aria-pressed=true]').length};
      choose('label-ended', 'signal 11');
      var ended = {ids: ids(), hash: location.hash};
      document.getElementById('clear').click();
      var cleared = {n: shown().length, hash: location.hash};
      choose('label-check', 'sampled');
      var sampled = shown();
      return {first: first, both: both, ended: ended, cleared: cleared, sampled: sampled.length,
              badges: sampled.filter(function (node) { return node.querySelector('.badge.quick') && node.querySelector('b.quick'); }).length};""")
    browser.check(found["first"] == {"n": 4, "hash": "#verdict=fail"}, "a chip chooses a verdict", found["first"])
    browser.check(found["both"] == {"n": 8, "hash": "#verdict=fail%2Cerror", "pressed": 2}, "chips add up", found["both"])
    browser.check(len(found["ended"]["ids"]) == 1 and "ended=signal+11" in found["ended"]["hash"], "labels narrow further", found["ended"])
    browser.check(found["cleared"]["n"] == everything and found["cleared"]["hash"] in ("", "#"), "Clear shows all again", found["cleared"])
    browser.check(found["sampled"] > 50 and found["badges"] == found["sampled"], "every quick pass has its badge and symbol", found)

    found = browser.open("rich.html", """
      type('no such case'); await pause(300);
      var none = {n: shown().length, told: !document.getElementById('nothing').hidden};
      type('  M64-N64   SIGNAL '); await pause(300);
      return {none: none, ids: ids(), hash: location.hash};""")
    browser.check(found["none"] == {"n": 0, "told": True}, "no match is told", found)
    browser.check(found["ids"] == ["gemm/onednn/f32.f32.f32/m64-n64-k37-tt-row/normal"], "words are found in id and reason, whatever their case", found)

    found = browser.open("rich.html", """
      document.querySelector('a[data-filter*="verdict=fail&operation=gemm&backend=eigen"]').click(); await pause(50);
      var linked = ids();
      location.hash = '#cases-unsupported'; await pause(50);
      location.hash = '#case-3'; await pause(50);
      var target = document.getElementById('case-3');
      return {linked: linked, all: shown().length, open: target.parentElement.open, visible: target.getBoundingClientRect().height > 0};""")
    browser.check(found["linked"] == ["gemm/eigen/f16.f16.f16/m2048-n512-k4096-nn-row/normal"], "a failing cell leads to its cases", found)
    browser.check(found["all"] == everything and found["open"] and found["visible"], "an anchor shows its case, though filtered away and folded in", found)

    found = browser.open("sample.html", "return {n: shown().length, matches: matches()};", "#verdict=nonsense&backend=nobody&sort=moon&text=%00%FF%3Cscript%3E")
    browser.check("exception" not in found, "an address of nonsense does no harm", found)


def sorting(browser):
    found = browser.open("rich.html", """
      var before = ids();
      choose('sort', 'ratio');
      var ratios = shown().map(function (node) { return [node.closest('section').dataset.verdict, node.dataset.ratio || '-1']; });
      choose('sort', 'time');
      var times = shown().map(function (node) { return [node.closest('section').dataset.verdict, Number(node.dataset.seconds)]; });
      choose('sort', 'id');
      var names = shown().map(function (node) { return [node.closest('section').dataset.verdict, node.querySelector('.id').textContent]; });
      choose('sort', '');
      var after = ids();
      return {ratios: ratios, times: times, names: names, restored: JSON.stringify(before) === JSON.stringify(after), hash: location.hash};""")

    def ordered(entries, key, reverse):
        groups = {}
        for verdict, value in entries:
            groups.setdefault(verdict, []).append(key(value))
        return all(values == sorted(values, reverse=reverse) for values in groups.values())

    browser.check(ordered(found["ratios"], lambda text: float(text), True), "sorted by error / allowed")
    browser.check(ordered(found["times"], float, True), "sorted by time")
    browser.check(ordered(found["names"], str, False), "sorted by id")
    browser.check(found["restored"], "the groups come back as they were", found["hash"])


def tools(browser):
    found = browser.open("rich.html", """
      var svg = document.querySelector('.case[open] svg.heat'), line = svg.closest('figure').querySelector('.readout');
      var key = function (name) { svg.dispatchEvent(new KeyboardEvent('keydown', {key: name, bubbles: true})); return line.textContent; };
      key('ArrowRight');
      var origin = line.textContent, beside = key('ArrowRight'), below = key('ArrowDown');
      var box = svg.getBoundingClientRect();
      svg.dispatchEvent(new PointerEvent('pointermove', {bubbles: true, clientX: box.right - 1, clientY: box.bottom - 1}));
      var corner = line.textContent;
      document.dispatchEvent(new KeyboardEvent('keydown', {key: '/', bubbles: true}));
      document.execCommand = function () { return true; };
      Object.defineProperty(window, 'isSecureContext', {value: false});
      var button = document.querySelector('.case[open] .copy');
      button.click();
      return {origin: origin, beside: beside, below: below, corner: corner, focus: document.activeElement.id || document.activeElement.className, copied: button.textContent,
              textareas: document.querySelectorAll('textarea').length};""", "#verdict=fail&text=m2048")
    browser.check(re.fullmatch(r"rows 0–31, columns 0–15: 0\.\d+", found["origin"]) is not None, "arrow keys begin at the first cell", found)
    browser.check(found["beside"].startswith("rows 0–31, columns 16–31: ") and found["below"].startswith("rows 32–63, columns 16–31: "), "and move by cells", found)
    browser.check(found["corner"].startswith("rows 2016–2047, columns 496–511: "), "the pointer tells its cell", found)
    browser.check(found["copied"] == "Copied" and found["textareas"] == 0, "a command is copied without the clipboard interface", found)


def widths(browser):
    for page, fragment, phone in [("rich.html", "", True), ("rich.html", "#sort=ratio", True), ("sample.html", "", True), ("hostile.html", "", True), ("empty.html", "", True), ("rich.html", "", False),
                                  ("sample.html", "", False)]:
        found = browser.open(page, """
          Array.prototype.forEach.call(document.querySelectorAll('section[data-verdict=fail] details,section[data-verdict=error] details'), function (node) { node.open = true; });
          return {inner: document.documentElement.clientWidth, width: document.documentElement.scrollWidth};""", fragment, phone)
        browser.check(found["inner"] == (390 if phone else 1280), "the window has the width that was asked for", found)
        browser.check(found["width"] <= found["inner"], f"{page}{fragment} does not scroll sideways at {found['inner']} px", found)
    labels = """
      var apart = function (spans) { var last = -1e9, fits = true; Array.prototype.forEach.call(spans, function (span) {
        var box = span.getBoundingClientRect(); fits = fits && box.top >= last - 1; last = box.bottom; }); return fits; };
      Array.prototype.forEach.call(document.querySelectorAll('details'), function (node) { node.open = true; });
      var rows = document.querySelectorAll('.heat-rows'), strips = document.querySelectorAll('.strip-axis span');
      return {maps: rows.length, strips: strips.length, apart: Array.prototype.every.call(rows, function (row) { return apart(row.children); }),
              within: Array.prototype.every.call(strips, function (span) { var box = span.getBoundingClientRect(), own = span.parentElement.getBoundingClientRect();
                return box.left >= own.left - 1 && box.right <= own.right + 1; })};"""
    for phone in [True, False]:
        found = browser.open("flat.html", labels, "", phone)
        browser.check(found["maps"] > 0 and found["strips"] > 0, "a page has maps and strips", found)
        browser.check(found["apart"], f"labels of rows do not overlap ({'phone' if phone else 'desktop'})", found)
        browser.check(found["within"], f"labels of strips stay within them ({'phone' if phone else 'desktop'})", found)


def without_script(browser):
    page = (browser.folder / "rich.html").read_text(encoding="utf-8")
    (browser.folder / "still.html").write_text(re.sub(r"<script>.*?</script>", "", page, flags=re.DOTALL), encoding="utf-8")
    found = browser.open("still.html", """
      return {form: getComputedStyle(document.getElementById('filters')).display, copy: getComputedStyle(document.querySelector('.copy')).display,
              open: document.querySelectorAll('.case[open]').length, n: shown().length};""")
    browser.check(found["form"] == "none" and found["copy"] == "none", "controls that need the script do not show without it", found)
    browser.check(found["open"] == 1 and found["n"] > 3000, "all cases are there without the script", found)


def validity(browser, pages):
    tidy = shutil.which("tidy")
    if tidy is None:
        print("not checked for valid HTML: tidy is not installed")
        return
    for page in pages:
        done = subprocess.run([tidy, "-errors", "-quiet", "-utf8", "--drop-empty-elements", "no", str(browser.folder / page)], capture_output=True, text=True)
        browser.check(done.stderr == "", f"{page} is valid HTML", done.stderr[:500])


def main(program, parts, pages):
    """Opens what the program's test [.browser] writes: each part takes a Browser, and the pages are to be valid HTML."""
    chromium = next((path for path in map(shutil.which, BROWSERS) if path), None)
    if chromium is None:
        print("skipped: no Chromium is installed (Debian and Ubuntu: apt-get install chromium)")
        return 77
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        subprocess.run([program, "[.browser]"], check=True, env=dict(os.environ, ASSAY_HTML_FOLDER=folder), stdout=subprocess.DEVNULL)
        browser = Browser(chromium, folder)
        for part in parts:
            part(browser)
        validity(browser, pages)
        print(f"{browser.checks} checks, {browser.failures} failed")
        return 1 if browser.failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], (filters, sorting, tools, widths, without_script), ("rich.html", "sample.html", "hostile.html", "empty.html")))
