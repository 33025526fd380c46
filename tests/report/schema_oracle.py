"""schema_oracle.py PROGRAM SOURCES own|official: other people's validators read the reports that the test program writes.

`own`: the JSON report against include/assay/report/run.schema.json, the JUnit report against
tests/report/junit.xsd, both read and counted by Python. `official`: SARIF, OCP and JUnit reports against the
official schemas in the folder that ASSAY_SCHEMA_FOLDER names, laid out as
  sarif-schema-2.1.0.json    of oasis-tcs/sarif-spec
  ocp/*.json                 json_spec/output of opencomputeproject/ocp-diag-core
  *.xsd                      any schema of JUnit: junit-10.xsd of jenkinsci/xunit-plugin, JUnit.xsd of windyroad/JUnit-Schema
Each validator must also refuse a report that was spoilt on purpose. Exit status 77, which ctest calls skipped, with the
reason, where a validator or the folder is not there.
"""

import copy
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml


def skip(reason):
    print("skipped:", reason)
    sys.exit(77)


def reports(folder, ending):
    paths = sorted(glob.glob(os.path.join(folder, "*" + ending)))
    assert len(paths) == 10, paths
    return paths


def load(path):
    def refuse(constant):
        raise ValueError(f"{path}: {constant} is not JSON")

    with open(path, encoding="utf-8") as file:
        return json.load(file, parse_constant=refuse)


def check_all(validator, documents, spoilt):
    """Every document is valid; every one of `spoilt` (what is wrong -> document) is not."""
    for name, document in documents:
        for error in validator.iter_errors(document):
            raise AssertionError(f"{name}: at {list(error.absolute_path)}: {error.message[:300]}")
    for what, document in spoilt.items():
        assert not validator.is_valid(document), f"the schema does not mind {what}"


def spoil(document, path, value=None):
    """A copy with the member at `path` replaced, or removed if no value is given."""
    document = copy.deepcopy(document)
    place = document
    for step in path[:-1]:
        place = place[step]
    if value is None:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return document


def check_json(jsonschema, folder, sources):
    schema = load(os.path.join(sources, "include/assay/report/run.schema.json"))
    jsonschema.Draft202012Validator.check_schema(schema)
    documents = [(path, load(path)) for path in reports(folder, ".json")]
    sample = load(os.path.join(folder, "sample.json"))
    spoilt = {
        "an unknown verdict": spoil(sample, ["outcomes", 0, "verdict"], "passed"),
        "a missing id": spoil(sample, ["outcomes", 0, "id"]),
        "a seed that is a number": spoil(sample, ["seed"], 3),
        "another schema": spoil(sample, ["schema"], "assay-run/0"),
    }
    check_all(jsonschema.Draft202012Validator(schema), documents, spoilt)
    print("json:", len(documents), "reports valid,", len(spoilt), "spoilt ones refused")


def xml_valid(schema, path):
    run = subprocess.run(["xmllint", "--huge", "--noout", "--schema", schema, path], capture_output=True, text=True)
    return run.returncode == 0, run.stderr[:500]


def check_xml(folder, schema):
    paths = reports(folder, ".xml")
    for path in paths:
        valid, message = xml_valid(schema, path)
        assert valid, message
    return paths


def check_junit(folder, sources):
    schema = os.path.join(sources, "tests/report/junit.xsd")
    paths = check_xml(folder, schema)
    for path in paths:
        root = xml.parse(path).getroot()
        for suite in root:
            cases = suite.findall("testcase")
            assert int(suite.get("tests")) == len(cases), path
            for element, count in [("failure", "failures"), ("error", "errors"), ("skipped", "skipped")]:
                assert int(suite.get(count)) == sum(case.find(element) is not None for case in cases), (path, count)
        name = os.path.basename(path)[:-4]
        # Red exactly where the JSON report says that the run did not pass.
        run = load(os.path.join(folder, name + ".json"))
        verdicts = [outcome["verdict"] for outcome in run["outcomes"]]
        passed = (not {"fail", "error"} & set(verdicts) and bool({"pass", "new_baseline"} & set(verdicts))
                  and len(verdicts) >= run["planned_cases"])
        red = any(int(suite.get("failures")) + int(suite.get("errors")) for suite in root)
        assert red == (not passed), name
        green = sum(len(case) == 0 for case in root.iter("testcase"))
        assert green == verdicts.count("pass"), (name, "something undecided reads as passed")

    with open(os.path.join(folder, "sample.xml"), encoding="utf-8") as file:
        sample = file.read()
    spoilt = {
        "a count that is not there": sample.replace(" errors=", " faults=", 1),
        "two verdicts": sample.replace("</failure>", "</failure><skipped message='x'>x</skipped>", 1),
        "a case without a name": sample.replace(" name=\"128x128x3000/fail\"", "", 1),
        "two cases of one name": sample.replace("/fail\" time", "/pass\" time", 1),
        "a negative time": sample.replace("time=\"0.012500\"", "time=\"-1\"", 1),
        "an open element": sample.replace("</testcase>", "", 1),
    }
    for what, text in spoilt.items():
        assert text != sample, what
        path = os.path.join(folder, "spoilt.xml~")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        assert not xml_valid(schema, path)[0], f"the schema does not mind {what}"
    print("junit:", len(paths), "reports valid,", len(spoilt), "spoilt ones refused")


def check_sarif(jsonschema, folder, schemas):
    schema = load(os.path.join(schemas, "sarif-schema-2.1.0.json"))
    documents = [(path, load(path)) for path in reports(folder, ".sarif")]
    sample = load(os.path.join(folder, "sample.sarif"))
    result = ["runs", 0, "results", 0]
    spoilt = {
        "a result without a message": spoil(sample, result + ["message"]),
        "an unknown level": spoil(sample, result + ["level"], "fatal"),
        "no word on success": spoil(sample, ["runs", 0, "invocations", 0, "executionSuccessful"]),
        "a tool without a name": spoil(sample, ["runs", 0, "tool", "driver", "name"]),
    }
    check_all(jsonschema.Draft4Validator(schema, format_checker=jsonschema.FormatChecker()), documents, spoilt)
    print("sarif:", len(documents), "reports valid,", len(spoilt), "spoilt ones refused")


def check_ocp(jsonschema, folder, schemas):
    parts = [load(path) for path in glob.glob(os.path.join(schemas, "ocp", "*.json"))]
    root = load(os.path.join(schemas, "ocp", "root.json"))
    try:
        from referencing import Registry, Resource

        registry = Registry().with_resources([(part["$id"], Resource.from_contents(part)) for part in parts])
        validator = jsonschema.Draft202012Validator(root, registry=registry)
    except ImportError:  # jsonschema before 4.18
        resolver = jsonschema.RefResolver.from_schema(root, store={part["$id"]: part for part in parts})
        validator = jsonschema.Draft202012Validator(root, resolver=resolver)
    lines = []
    for path in reports(folder, ".jsonl"):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        assert text.endswith("\n") and text.isascii(), path
        artifacts = [json.loads(line) for line in text.splitlines()]
        assert [artifact["sequenceNumber"] for artifact in artifacts] == list(range(len(artifacts))), path
        times = [artifact["timestamp"] for artifact in artifacts]
        assert times == sorted(times), path
        lines += [(f"{path}, line {i + 1}", artifact) for i, artifact in enumerate(artifacts[:500] + artifacts[-5:])]
    end = lines[-1][1]
    ending = ["testRunArtifact", "testRunEnd"]
    spoilt = {
        "an unknown status": spoil(end, ending + ["status"], "PASS"),
        "an end without a result": spoil(end, ending + ["result"]),
        "a member that the specification has not": spoil(end, ending + ["color"], "red"),
        "no number": spoil(end, ["sequenceNumber"]),
    }
    check_all(validator, lines, spoilt)
    print("ocp:", len(lines), "artifacts valid,", len(spoilt), "spoilt ones refused")


def main(program, sources, official):
    if not shutil.which("xmllint"):
        skip("xmllint is not installed (Debian and Ubuntu: apt-get install libxml2-utils)")
    try:
        import jsonschema
    except ImportError:
        skip("Python's jsonschema is not installed (Debian and Ubuntu: apt-get install python3-jsonschema)")
    schemas = os.environ.get("ASSAY_SCHEMA_FOLDER", "")
    if official and not schemas:
        skip("ASSAY_SCHEMA_FOLDER names no folder with the official schemas (schema_oracle.py tells which)")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "[.oracle]"], check=True, env=dict(os.environ, ASSAY_REPORT_FOLDER=folder), stdout=subprocess.DEVNULL)
        if official:
            check_sarif(jsonschema, folder, schemas)
            check_ocp(jsonschema, folder, schemas)
            for schema in sorted(glob.glob(os.path.join(schemas, "*.xsd"))):
                print("junit:", len(check_xml(folder, schema)), "reports valid by", os.path.basename(schema))
        else:
            check_json(jsonschema, folder, sources)
            check_junit(folder, sources)


main(sys.argv[1], sys.argv[2], sys.argv[3] == "official")
