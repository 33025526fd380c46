"""pytest --assay-out: what was judged, with parameters and diagnosis, in a report."""

import json

pytest_plugins = ["pytester"]

TEST = """
import assay, numpy, pytest

@pytest.mark.parametrize("scale", [1.0, 1.01])
def test_relu(scale):
    x = numpy.linspace(-1, 1, 64, dtype="f4")
    assay.assert_correct("relu", numpy.maximum(x, 0) * numpy.float32(scale), [x])
"""


def test_a_report_is_written(pytester):
    pytester.makepyfile(TEST)
    result = pytester.runpytest_subprocess("--assay-out", "found")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*fail relu/given/f32.f32*", "*assay: 1 fail, 1 pass; found/report.html*"])
    report = json.loads((pytester.path / "found" / "report.json").read_text(encoding="utf-8"))
    failed = [outcome for outcome in report["outcomes"] if outcome["verdict"] == "fail"]
    assert len(report["outcomes"]) == 2 and len(failed) == 1
    assert failed[0]["labels"]["parameter scale"] == "1.01" and "test_relu[1.01]" in failed[0]["reproduce"]
    assert "actual" in failed[0]["reason"]
    assert "test_relu" in (pytester.path / "found" / "report.html").read_text(encoding="utf-8")


def test_without_the_option_nothing_is_written(pytester):
    pytester.makepyfile(TEST)
    pytester.runpytest_subprocess().assert_outcomes(passed=1, failed=1)
    assert not list(pytester.path.glob("**/report.json"))
