#include "assay/report/junit.hpp"

#include <algorithm>

#include "report/sample_run.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

// schema_oracle.py holds the documents against schemas, counts them with another parser and compares them with the exit
// code.

namespace {

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t number = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++number;
  return number;
}

std::string junit_of(Verdict verdict, bool require_conclusive = false) {
  Run run;
  run.outcomes = {sample_outcome("gemm/openblas/f32/1x2x3/normal", verdict)};
  return junit_text(run, require_conclusive);
}

std::string escaped(std::string_view text, detail::XmlPlace place = detail::XmlPlace::content) {
  std::string xml;
  detail::append_xml(xml, text, place);
  return xml;
}

}  // namespace

TEST_CASE("each verdict becomes the element that readers count as they should") {
  CHECK_THAT(junit_of(Verdict::pass),
             contains("<testcase classname=\"gemm.openblas.f32\" name=\"1x2x3/normal\" time=\"0.012500\"/>"));
  CHECK_THAT(
      junit_of(Verdict::fail),
      contains("<failure message=\"because of fail\" type=\"assay.fail\">because of fail\nreproduce: assay run"));
  CHECK_THAT(junit_of(Verdict::error), contains("<error message=\"because of error\" type=\"assay.error\">"));
  CHECK_THAT(junit_of(Verdict::skipped), contains("<skipped message=\"skipped: because of skipped\">skipped: "));
  CHECK_THAT(junit_of(Verdict::unsupported), contains("<skipped message=\"unsupported: because"));
  CHECK_THAT(junit_of(Verdict::new_baseline), contains("<skipped message=\"new baseline: because"));
  CHECK_THAT(junit_of(Verdict::inconclusive), contains("<skipped message=\"inconclusive: because"));
  CHECK_THAT(junit_of(Verdict::inconclusive, true), contains("<failure message=\"inconclusive: because"));
  for (const Verdict verdict : all_verdicts) {
    INFO(name_of(verdict));
    CHECK(count_of(junit_of(verdict), "\"1x2x3/normal\" time=\"0.012500\"/>") == (verdict == Verdict::pass ? 1 : 0));
  }
}

TEST_CASE("suites are sorted and counted, and tell where and with what") {
  Run run = sample_run();
  std::swap(run.outcomes.front(), run.outcomes.back());
  const std::string xml = junit_text(run);
  CHECK(count_of(xml, "<testsuite ") == 3);
  CHECK(xml.find("name=\"gemm.eigen") < xml.find("name=\"gemm.onednn.bf16-f32-bf16\""));
  CHECK(xml.find("name=\"gemm.onednn") < xml.find("name=\"gemm.openblas.f32\""));
  CHECK_THAT(
      xml,
      contains(
          "id=\"2\" hostname=\"bench-7\" timestamp=\"2025-01-02T03:04:05\" tests=\"7\" failures=\"1\" errors=\"1\" "
          "skipped=\"4\" time=\"0.087\""));
  CHECK_THAT(xml, contains("<property name=\"seed\" value=\"18446744073709551615\"/>"));
  CHECK_THAT(xml, contains("<property name=\"library.OpenBLAS\" value=\"0.3.21, SkylakeX\"/>"));
  CHECK_THAT(xml, contains("<property name=\"worst_error_ratio\" value=\"41.7\"/>"));
  CHECK_THAT(xml, contains("\npass gemm/openblas/f32/128x128x3000/pass seed=7 error/allowed=0.420\n"));
  for (const char* text : {"an N tail", "E = g(K)·u·Σ|a·b|", "max_absolute_error = 0.281", "\nseed: 7"})
    CHECK_THAT(xml, contains(text));
}

TEST_CASE("a document is red exactly when the exit code is not 0") {
  const auto red = [](const Run& run, bool require_conclusive = false) {
    const std::string xml = junit_text(run, require_conclusive);
    return xml.find("<failure ") != std::string::npos || xml.find("<error ") != std::string::npos;
  };
  CHECK(red(Run()));
  CHECK_THAT(junit_text(Run()),
             contains("<error message=\"nothing was decided: none of 0 cases computed something to judge\""));
  for (const Verdict first : all_verdicts)
    for (const Verdict second : all_verdicts)
      for (const std::size_t planned : {2u, 3u})
        for (const bool require_conclusive : {false, true}) {
          Run run;
          run.outcomes = {sample_outcome("a", first), sample_outcome("b", second)};
          run.planned_cases = planned;
          INFO(name_of(first) << ", " << name_of(second) << ", planned " << planned << ", conclusive "
                              << require_conclusive);
          CHECK(red(run, require_conclusive) == (run.exit_code(require_conclusive) != 0));
          run.require_conclusive = require_conclusive;
          CHECK(red(run) == (run.exit_code() != 0));
        }
  Run cut_short;
  cut_short.outcomes = {sample_outcome("a", Verdict::fail)};
  cut_short.planned_cases = 10;
  CHECK_THAT(junit_text(cut_short),
             contains("<error message=\"cut short: 9 of 10 planned cases did not run\" type=\"assay.shortfall\">"));
  CHECK_THAT(junit_text(cut_short), contains("<property name=\"reported_cases\" value=\"1\"/>"));
}

TEST_CASE("cases keep names of their own, since readers drop the second of a name") {
  Run run;
  for (const char* id :
       {"gemm/openblas/f32/1/n", "gemm/openblas/f32/1/n", "gemm/openblas/f32/1/n (2)", "other", "", " \n"})
    run.outcomes.push_back(sample_outcome(id, Verdict::pass));
  const std::string xml = junit_text(run);
  for (const char* name : {"\"1/n\"", "\"1/n (2)\"", "\"1/n (2) (2)\"", "\"other\"", "\"case\"", "\"case (2)\""})
    CHECK(count_of(xml, std::string(" name=") + name + " time") == 1);
  run.outcomes = {Outcome()};
  CHECK_THAT(junit_text(run), contains("classname=\"assay.case\" name=\"case\""));
  CHECK_THAT(junit_text(run), contains("hostname=\"localhost\" timestamp=\"1970-01-01T00:00:00\""));
}

TEST_CASE("whatever the bytes, the text is XML 1.0") {
  CHECK(escaped("a<b>&\"c\" ]]>") == "a&lt;b&gt;&amp;&quot;c&quot; ]]&gt;");
  CHECK(escaped("1\n2\t3\r4") == "1\n2\t3&#13;4");
  CHECK(escaped("1\n2\t3\r4", detail::XmlPlace::attribute) == "1&#10;2&#9;3&#13;4");
  CHECK(escaped(std::string_view("\0\x1b\x7f", 3)) == "␀␛␡");
  CHECK(escaped("\xFF \xED\xA0\x80 \xEF\xBF\xBE \xEF\xBF\xBF \xC3") == "� ��� � � �");
  CHECK(escaped("ü∑漢😀") == "ü∑漢😀");

  Run run = sample_run();
  for (Outcome& outcome : run.outcomes)
    for (int byte = 0; byte < 256; ++byte) outcome.reason += outcome.id += static_cast<char>(byte);
  const std::string xml = junit_text(run);
  std::size_t wrong = 0;
  for (std::string_view rest = xml; !rest.empty();
       rest.remove_prefix(std::max<std::size_t>(utf8_sequence_length(rest), 1)))
    wrong += utf8_sequence_length(rest) == 0 ||
                     (static_cast<unsigned char>(rest[0]) < 0x20 && rest[0] != '\n' && rest[0] != '\t')
                 ? 1
                 : 0;
  CHECK(wrong == 0);
}

TEST_CASE("durations that are none count as none") {
  Run run;
  run.outcomes = {sample_outcome("a", Verdict::pass), sample_outcome("b", Verdict::pass),
                  sample_outcome("c", Verdict::pass)};
  run.outcomes[0].duration_seconds = std::numeric_limits<double>::quiet_NaN();
  run.outcomes[1].duration_seconds = -1;
  CHECK_THAT(junit_text(run), contains("time=\"0.013\""));
  run.outcomes[1].duration_seconds = std::numeric_limits<double>::infinity();
  run.outcomes[2].duration_seconds = 1e-7;
  CHECK_THAT(junit_text(run), contains("time=\"0.000\""));
}

TEST_CASE("10,000 outcomes") {
  const std::string xml = junit_text(large_run(10'000));
  CHECK(count_of(xml, "<testcase ") == 10'000);
  CHECK(count_of(xml, "<failure ") == 100);
  CHECK(count_of(xml, "<skipped ") == 1'000);
}
