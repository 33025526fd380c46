"""dashboard_in_browser.py PROGRAM: opens the dashboard in a headless Chromium and uses it as a release manager does.

PROGRAM is the test program of the area release; it writes the pages. Exit status 77, which ctest calls skipped, where no
Chromium is installed.
"""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "report"))
from html_in_browser import Browser, main  # noqa: E402

# Short names for what the steps look at.
TOOLS = """
var rows = function () { return Array.prototype.slice.call(document.querySelectorAll('#rows .outcome')); };
var named = function (name) { return rows().map(function (row) { return row.querySelector(name).textContent; }); };
var pick = function (verdict) { document.querySelector('.pick[data-verdict=' + verdict + ']').click(); };
var detail = function () { var box = document.getElementById('detail'); return box.hidden ? '' : box.textContent; };
var verdicts = function () { return Array.from(new Set(rows().map(function (row) { return row.querySelector('b').title; }))); };
"""


def look(browser, page, steps, fragment="", phone=False):
    return browser.open(page, TOOLS + steps, fragment, phone)


def many_outcomes(browser):
    found = look(browser, "large.html", """
      var began = performance.now();
      type('m512 tile'); await pause(200);
      var words = matches();
      var box = document.getElementById('rows');
      type(''); await pause(200);
      var all = matches(), drawn = rows().length;
      box.scrollTop = box.scrollHeight; box.dispatchEvent(new Event("scroll"));  // without a screen no frame would tell
      var last = rows().map(function (row) { return Number(row.getAttribute('aria-posinset')); }).pop(), far = rows().length;
      var timed = function (action) { var start = performance.now(); action(); return performance.now() - start; };
      var click = timed(function () { pick('fail'); }), fails = matches(), kinds = verdicts();
      pick('fail');
      var sorted = timed(function () { choose('sort', 'ratio'); }), ratios = named('.ratio').slice(0, 12).map(function (text) { return text === '∞' ? Infinity : Number(text); });
      return {all: all, words: words, drawn: drawn, far: far, last: last, fails: fails, kinds: kinds, ratios: ratios, click: click, sort: sorted, ready: began,
              resources: performance.getEntriesByType('resource').length};""")
    total = int(found["all"].split()[0])
    browser.check(total > 50_000 and found["all"] == f"{total} outcomes", "50,000 outcomes are there", found)
    browser.check(found["resources"] == 0, "nothing is loaded", found)
    browser.check(0 < found["drawn"] < 100 and 0 < found["far"] < 100, "only rows that are seen exist", found)
    browser.check(found["last"] == total, "the last one can be scrolled to", found)
    browser.check(found["words"] == f"0 of {total} outcomes", "words that no outcome has together choose none", found)
    browser.check(found["fails"] == f"17 of {total} outcomes" and found["kinds"] == ["fail"], "a verdict chooses its outcomes", found)
    browser.check(found["ratios"] == sorted(found["ratios"], reverse=True) and found["ratios"][0] > 500, "sorted by error / allowed", found)
    print(f"{total} outcomes: script done {found['ready']:.0f} ms after the navigation began; a verdict chosen in {found['click']:.1f} ms, sorted anew in {found['sort']:.0f} ms")


def filters(browser):
    found = look(browser, "sample.html", """
      var everything = matches();
      type('Driver=560.35  GEMM m512'); await pause(200);
      var words = {n: matches(), hash: location.hash, in: Array.from(new Set(named('.in').map(function (text) { return /driver=560.35/.test(text); })))};
      document.getElementById('clear').click();
      choose('label-operation', ' softmax'); choose('label-formats', ' f32.f32.f32');
      var labels = {n: matches(), hash: location.hash, ids: named('.id')};
      pick('pass'); pick('error');
      var both = {hash: location.hash, kinds: verdicts()};
      document.getElementById('clear').click();
      choose('in-run', '3');
      var run = {n: matches(), hash: location.hash, names: Array.from(new Set(named('.in')))};
      document.getElementById('clear').click();
      return {everything: everything, words: words, labels: labels, both: both, run: run, cleared: matches(), hash: location.hash};""")
    total = found["everything"]
    browser.check(found["words"]["n"] == f"14 of {total}" and found["words"]["in"] == [True], "words are found in id and run, whatever their case", found["words"])
    browser.check(all(name.startswith("softmax/cuda/f32.f32.f32/") for name in found["labels"]["ids"]) and len(found["labels"]["ids"]) > 3, "labels narrow", found["labels"])
    browser.check("operation=softmax" in found["labels"]["hash"] and "formats=f32.f32.f32" in found["labels"]["hash"], "the address holds them", found["labels"])
    browser.check("verdict=pass%2Cerror" in found["both"]["hash"] and found["both"]["kinds"] == ["pass"], "verdicts add up", found["both"])
    browser.check(found["run"]["hash"] == "#run=3" and len(found["run"]["names"]) == 1, "one run alone", found["run"])
    browser.check(found["cleared"] == total and found["hash"] in ("", "#"), "Clear shows all again", found)

    found = look(browser, "sample.html", "return {n: matches(), words: document.getElementById('words').value, kinds: verdicts()};", "#verdict=error&text=bus")
    browser.check(found["n"].startswith("1 of ") and found["kinds"] == ["error"] and found["words"] == "bus", "an address gives its view again", found)
    found = look(browser, "sample.html", "return {n: matches()};", "#cell=999&run=-3&verdict=moon&backend=nobody&sort=x&text=%00%FF%3Cscript%3E")
    browser.check("exception" not in found, "an address of nonsense does no harm", found)


def drill_down(browser):
    found = look(browser, "sample.html", """
      var cell = document.querySelector('td.failed a');
      cell.click(); await pause(100);
      var failing = {title: cell.title, hash: location.hash, n: matches(), text: detail(), cells: document.querySelectorAll('#detail tbody td').length, in: Array.from(new Set(named('.in'))),
                     selected: document.querySelectorAll('[aria-selected=true]').length};
      var key = function (name) { document.getElementById('rows').dispatchEvent(new KeyboardEvent('keydown', {key: name, bubbles: true})); return document.querySelector('#detail h3').textContent; };
      var below = key('ArrowDown'), above = key('ArrowUp'), end = key('End');
      document.querySelector('#detail .close').click();
      var closed = detail();
      document.querySelector('td.certified a').click(); await pause(100);
      var right = {text: detail(), kinds: verdicts()};
      document.querySelector('td.conflict a').click(); await pause(100);
      var conflict = {n: matches(), text: detail()};
      document.querySelector('td.hole a').click(); await pause(100);
      var target = document.querySelector(location.hash);
      return {failing: failing, below: below, above: above, end: end, closed: closed, right: right, conflict: conflict, hole: {text: target.textContent, visible: target.getBoundingClientRect().height > 0}};""")
    failing = found["failing"]
    browser.check(failing["hash"].startswith("#cell=") and failing["n"].startswith("42 of "), "a cell leads to the outcomes behind it", failing)
    browser.check("an N tail" in failing["text"] and "worst elements" in failing["text"] and failing["cells"] > 20, "the failing elements are there at once, with the diagnosis", failing)
    browser.check(len(failing["in"]) == 1 and all(part in failing["title"] for part in failing["in"][0].split()), "and they are of that combination", failing)
    browser.check(failing["selected"] == 1 and found["below"] != found["above"] and "m512" in found["above"] and found["end"] != found["below"], "arrow keys move", found)
    browser.check(found["closed"] == "" and found["right"] == {"text": "", "kinds": ["pass"]}, "a certified cell opens no failure", found["right"])
    browser.check(found["conflict"]["n"].startswith("84 of ") and "fell off the bus" in found["conflict"]["text"], "both runs of a conflict are shown", found["conflict"])
    browser.check(found["hole"]["visible"] and "nobody tested it" in found["hole"]["text"], "a hole says that nobody tested it", found["hole"])

    found = look(browser, "sample.html", """
      document.querySelector('#gate a[href^="#failure-"]').click(); await pause(100);
      var node = document.querySelector(location.hash);
      return {open: node.open, heat: node.querySelectorAll('svg.heat').length, text: node.querySelector('.where').textContent};""")
    browser.check(found["open"] and "runs that decide it" in found["text"], "the gate's findings lead to the failure", found)


def trends(browser):
    found = look(browser, "trends.html", """
      var search = document.getElementById('metrics'), seen = function () { return Array.prototype.filter.call(document.querySelectorAll('.metric'), function (node) { return !node.hidden; }).length; };
      var before = seen(), look_for = function (text) { search.value = text; search.dispatchEvent(new Event('input', {bubbles: true})); return seen(); };
      var one = look_for('ALL_reduce bytes'), none = look_for('no such metric'), all = look_for('');
      return {before: before, one: one, none: none, all: all, changes: document.querySelectorAll('.change').length, worse: document.querySelectorAll('.change.worse').length};""")
    browser.check(found["before"] == found["all"] == 1003 and found["one"] == 1 and found["none"] == 0, "metrics are found by words", found)
    browser.check(found["worse"] >= 4, "changes are marked", found)


def widths(browser):
    for page in ("sample.html", "large.html", "hostile.html", "empty.html", "trends.html"):
        for phone in (True, False):
            found = look(browser, page, """
              Array.prototype.slice.call(document.querySelectorAll('details')).slice(0, 60).forEach(function (node) { node.open = true; });
              if (document.querySelector('td.failed a')) { document.querySelector('td.failed a').click(); await pause(50); }
              return {inner: document.documentElement.clientWidth, width: document.documentElement.scrollWidth};""", "", phone)
            browser.check("exception" not in found and found["width"] <= found["inner"], f"{page} fits its width", found)
            browser.check("exception" in found or not phone or found["inner"] == 390, "the phone is as wide as one", found)


def without_script(browser):
    page = (browser.folder / "sample.html").read_text(encoding="utf-8")
    (browser.folder / "plain.html").write_text(re.sub(r"<script>.*?</script>", "", page, flags=re.DOTALL), encoding="utf-8")
    found = look(browser, "plain.html", """
      document.querySelector('td.failed a').click(); await pause(50);
      var shown = function (selector) { return getComputedStyle(document.querySelector(selector)).display; };
      var failure = document.querySelector('#failure-0');
      failure.open = true;
      return {explorer: document.getElementById('explorer').hidden, note: shown('.scriptless'), search: shown('#trend-search'), hash: location.hash, cells: document.querySelectorAll('table.matrix td').length,
              charts: document.querySelectorAll('svg.trend').length, gate: document.querySelectorAll('#gate .gate').length, failure: failure.textContent};""")
    browser.check(found["explorer"] and found["note"] != "none" and found["search"] == "none", "what needs the script does not show without it", found)
    browser.check(found["hash"].startswith("#combination-") and found["cells"] == 81 and found["charts"] == 43 and found["gate"] == 4, "all else is there", found)
    browser.check("an N tail" in found["failure"] and "worst elements" in found["failure"], "failures with their elements, too", found["failure"][:200])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], (many_outcomes, filters, drill_down, trends, widths, without_script), ("sample.html", "hostile.html", "empty.html")))
