"""What the labs share: the tool `assay`, its reports, and pictures in SVG that need no package."""

import json
import math
import os
import shlex
import shutil
import subprocess
from pathlib import Path

TOOL = os.environ.get("ASSAY") or shutil.which("assay")
COLORS = ["#0b6e99", "#c2410c", "#4d7c0f", "#7e22ce", "#a16207", "#475569"]


def assay(*arguments, code=0, lines=14, seconds=300):
    """Runs the tool, shows the beginning of what it says, holds it to its exit code (several: any of them), and returns all it said."""
    if TOOL is None:
        raise FileNotFoundError("the tool assay is neither in the variable ASSAY nor on PATH; cmake/validate.sh builds build/release/bin/assay")
    words = [str(each) for each in arguments]
    done = subprocess.run([TOOL, *words, "--no-config"], capture_output=True, text=True, encoding="utf-8", timeout=seconds)
    said = (done.stdout + done.stderr).rstrip()
    shown = said.splitlines()
    print("$ assay", shlex.join(words))
    print("\n".join(line[:150] for line in shown[:lines]) + (f"\n… {len(shown) - lines} lines more" if len(shown) > lines else ""))
    print(f"[exit code {done.returncode}]\n")
    codes = code if isinstance(code, (tuple, set)) else (code,)
    assert done.returncode in codes, f"exit code {done.returncode}, and {code} belongs there: {said[-800:]}"
    return said


def outcomes(file):
    """The outcomes of a report.json, by id."""
    return {each["id"]: each for each in json.loads(Path(file).read_text(encoding="utf-8"))["outcomes"]}


def measured(outcome, name):
    """A measurement of an outcome; None where it was not taken."""
    found = [each["value"] for each in outcome.get("measurements", []) if each["name"] == name]
    return float(found[0]) if found else None


class Picture:
    """An SVG in a file of the working folder; notebooks show it."""

    def __init__(self, file, svg):
        self.svg = svg
        Path(file).write_text(svg, encoding="utf-8")

    def _repr_svg_(self):
        return self.svg


def _escaped(text):
    return str(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _text(x, y, text, size=12, anchor="start", color="#1f2937", more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{color}" {more}>{_escaped(text)}</text>'


def _frame(file, width, height, title, parts):
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" font-family="sans-serif">'
            f'<title>{_escaped(title)}</title><rect width="{width}" height="{height}" fill="white"/>')
    return Picture(file, head + _text(16, 26, title, 15, more='font-weight="bold"') + "".join(parts) + "</svg>\n")


def bars(file, title, values, unit="", limit=None, logarithmic=False, colors=None):
    """Horizontal bars, a name each; None is told as absent. `limit` is a line that they are held against."""
    rows = list(values.items())
    numbers = [value for _, value in rows if value is not None and (value > 0 or not logarithmic)] + ([limit] if limit else [])
    most, least = max(numbers, default=1) or 1, min(numbers, default=0)
    left, width, height = 18 + 7.2 * max(len(str(name)) for name, _ in rows), 760, 66 + 26 * len(rows)
    room = width - left - 100
    low = 10 ** math.floor(math.log10(least) - 0.3) if logarithmic else 0

    def place(value):
        return left + (room * math.log(max(value, low) / low) / math.log(most / low) if logarithmic else room * max(value, 0) / most)

    parts = []
    for i, (name, value) in enumerate(rows):
        y = 44 + 26 * i
        parts.append(_text(left - 8, y + 14, name, anchor="end"))
        if value is None:
            parts.append(_text(left + 4, y + 14, "not here", color="#6b7280", more='font-style="italic"'))
        else:
            color = colors[i] if colors else COLORS[1] if limit and value > limit else COLORS[0]
            parts.append(f'<rect x="{left:.1f}" y="{y}" width="{max(place(value) - left, 1):.1f}" height="18" fill="{color}"/>' + _text(place(value) + 6, y + 14, f"{value:.3g} {unit}".strip()))
    if limit:
        parts.append(f'<line x1="{place(limit):.1f}" x2="{place(limit):.1f}" y1="38" y2="{height - 22}" stroke="#111827" stroke-dasharray="4 3"/>' + _text(place(limit), height - 6, f"limit {limit:g} {unit}".strip(), 11, "middle"))
    return _frame(file, width, height, title, parts)


def lines(file, title, series, x="", y="", log_x=False, log_y=False, zero=True, level=None, marks=(), named=()):
    """Lines with points, a name each; `level` is a line across, `marks` are (x, text), `named` points alone, (x, y, name)."""
    width, height, left, right, top, bottom = 760, 400, 70, 16, 60, 52
    points = [(float(a), float(b)) for each in [*series.values(), [(a, b) for a, b, _ in named]] for a, b in each]
    of_x, of_y = [a for a, _ in points], [b for _, b in points] + ([level] if level is not None else [])

    def scale(values, log, begin, end, from_zero):
        low, high = min(values), max(values)
        if log:
            low, high = math.log10(low), math.log10(high)
        elif from_zero:
            low = min(low, 0)
        pad = 0 if high > low else 1
        low, high = low - pad, high + pad
        place = lambda value: begin + (end - begin) * ((math.log10(value) if log else value) - low) / (high - low)
        if log:
            decades = range(math.floor(low), math.ceil(high) + 1)
            ticks = [factor * 10.0 ** e for e in decades for factor in ((1, 2, 5) if high - low < 3 else (1,))]
            ticks = [tick for tick in ticks if low - 1e-9 <= math.log10(tick) <= high + 1e-9]
        else:
            step = 10 ** math.floor(math.log10((high - low) / 4))
            step *= next(factor for factor in (1, 2, 5, 10) if (high - low) / (step * factor) <= 6)
            ticks = [step * i for i in range(math.ceil(low / step), math.floor(high / step + 1e-9) + 1)]
        return place, ticks

    at_x, ticks_x = scale(of_x, log_x, left, width - right, False)
    at_y, ticks_y = scale(of_y, log_y, height - bottom, top, zero)
    parts = []
    for tick in ticks_x:
        parts.append(f'<line x1="{at_x(tick):.1f}" x2="{at_x(tick):.1f}" y1="{top}" y2="{height - bottom}" stroke="#e5e7eb"/>' + _text(at_x(tick), height - bottom + 16, f"{tick:g}", 11, "middle"))
    for tick in ticks_y:
        parts.append(f'<line x1="{left}" x2="{width - right}" y1="{at_y(tick):.1f}" y2="{at_y(tick):.1f}" stroke="#e5e7eb"/>' + _text(left - 6, at_y(tick) + 4, f"{tick:g}", 11, "end"))
    parts.append(_text((left + width - right) / 2, height - 10, x, 12, "middle") + _text(left, top - 8, y, 12))
    if level is not None:
        parts.append(f'<line x1="{left}" x2="{width - right}" y1="{at_y(level):.1f}" y2="{at_y(level):.1f}" stroke="#111827" stroke-dasharray="4 3"/>')
    for place, text in marks:
        parts.append(f'<line x1="{at_x(place):.1f}" x2="{at_x(place):.1f}" y1="{top}" y2="{height - bottom}" stroke="#111827" stroke-dasharray="2 3"/>' + _text(at_x(place) + 4, height - bottom - 8, text, 11))
    taken = []
    for a, b, name in sorted(named, key=lambda each: -each[1]):
        end, y_text = at_x(a) > width - 140, at_y(b) + 4
        while any(abs(y_text - other) < 13 and abs(at_x(a) - beside) < 130 for beside, other in taken):
            y_text += 13
        taken.append((at_x(a), y_text))
        parts.append(f'<circle cx="{at_x(a):.1f}" cy="{at_y(b):.1f}" r="4" fill="{COLORS[1]}"/>' + _text(at_x(a) + (-8 if end else 8), y_text, name, 11, "end" if end else "start"))
    legend = width - right
    for i, (name, each) in reversed(list(enumerate(series.items()))):
        color = COLORS[i % len(COLORS)]
        path = " ".join(f"{at_x(a):.1f},{at_y(b):.1f}" for a, b in each)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2"/>' + "".join(f'<circle cx="{at_x(a):.1f}" cy="{at_y(b):.1f}" r="3" fill="{color}"/>' for a, b in each))
        legend -= 22 + 6.6 * len(name)
        parts.append(f'<rect x="{legend:.1f}" y="{top - 18}" width="12" height="12" fill="{color}"/>' + _text(legend + 16, top - 8, name, 11))
    return _frame(file, width, height, title, parts)


def grid(file, title, rows, columns, values, colors):
    """Cells with a word each; `values[row][column]` is the word, `colors[word]` its color."""
    left, width = 18 + 7.2 * max(len(str(row)) for row in rows), 760
    step, height = (width - left - 12) / len(columns), 66 + 24 * len(rows)
    parts = [_text(left + step * (j + 0.5), 54, column, 11, "middle") for j, column in enumerate(columns)]
    for i, row in enumerate(rows):
        y = 60 + 24 * i
        parts.append(_text(left - 8, y + 16, row, anchor="end"))
        for j, column in enumerate(columns):
            word = values[row][column]
            parts.append(f'<rect x="{left + step * j + 1:.1f}" y="{y}" width="{step - 2:.1f}" height="22" fill="{colors.get(word, "#e5e7eb")}"/>' + _text(left + step * (j + 0.5), y + 15, word, 11, "middle"))
    return _frame(file, width, height, title, parts)
