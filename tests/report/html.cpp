#include "assay/report/html.hpp"

#include <random>

#include "report/sample_run.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

/// Empty if every element that is opened is closed in its order, else what is wrong.
std::string unbalanced(const std::string& page) {
  const std::string body = page.substr(0, page.find("<script>")).erase(page.find("<style>"), page.find("</style>") - page.find("<style>"));
  std::vector<std::string> open;
  for (std::size_t at = body.find('<'); at != std::string::npos; at = body.find('<', at + 1)) {
    const std::size_t end = body.find('>', at);
    if (end == std::string::npos) return "a tag is not closed";
    const std::string tag = body.substr(at + 1, end - at - 1);
    std::string name = tag.substr(tag[0] == '/' ? 1 : 0);
    name = name.substr(0, name.find_first_of(" \n"));
    if (tag[0] == '!' || tag.back() == '/' || name == "meta" || name == "input" || name == "wbr" || name == "style") continue;
    if (tag[0] != '/') {
      open.push_back(name);
    } else {
      if (name == "style") continue;
      if (open.empty() || open.back() != name) return "</" + name + "> closes " + (open.empty() ? "nothing" : open.back());
      open.pop_back();
    }
  }
  return open == std::vector<std::string>{"html", "body"} ? "" : std::to_string(open.size()) + " elements stay open";
}

}  // namespace

TEST_CASE("the page holds the run: totals, environment, failures first, all that is known of each") {
  const std::string page = html_text(sample_run());
  for (const char* part :
       {"<title>Default suite</title>", "Example Processor 9000", "OpenBLAS", "0.3.21, SkylakeX", "64 GiB", "18446744073709551615",
        "an N tail", "accept iff out", "18 ulp", "3.21 ms", "The worst elements", "error / allowed by tile", "Worst error against K",
        "assay run --only gemm/onednn/bf16-f32-bf16/512x768x14336/normal", "because of unsupported"})
    CHECK_THAT(page, contains(part));
  std::size_t last = 0;
  for (const Verdict verdict : verdicts_by_urgency) {
    const std::size_t at = page.find("<section id=\"cases-" + std::string(name_of(verdict)) + "\"");
    REQUIRE(at != std::string::npos);
    CHECK(at > last);
    last = at;
  }
  CHECK(occurrences(page, "data-case>") + occurrences(page, "data-case open>") == sample_run().outcomes.size());
  CHECK(unbalanced(page).empty());
}

TEST_CASE("nothing in a run can break out of its place in the page") {
  const std::string page = html_text(sample_run());
  CHECK(occurrences(page, "<script>") == 1);
  CHECK(page.find("alert(1)</script>") == std::string::npos);
  CHECK(page.find('\x1b') == std::string::npos);
  CHECK(unbalanced(page).empty());
}

TEST_CASE("the page loads nothing") {
  const std::string page = html_text(sample_run());
  for (const char* part : {"http://", "https://", "src=", "@import", "url("}) CHECK(page.find(part) == std::string::npos);
}

TEST_CASE("runs of which little is known make a page") {
  const std::string empty = html_text(Run());
  CHECK_THAT(empty, contains("No case ran, so nothing is known"));
  CHECK(unbalanced(empty).empty());

  Run cut;
  cut.planned_cases = 4;
  cut.outcomes.emplace_back();
  cut.outcomes[0].heat_maps.emplace_back();
  cut.outcomes[0].series.emplace_back();
  cut.outcomes[0].tables.push_back({"ragged", {"a", "b"}, {{"1"}, {"1", "2", "3"}}});
  const std::string page = html_text(cut);
  CHECK_THAT(page, contains("3 of 4 planned cases did not run"));
  CHECK(unbalanced(page).empty());

  Run undecided;
  undecided.outcomes = {sample_outcome("a", Verdict::unsupported)};
  CHECK_THAT(html_text(undecided), contains("nothing was decided about any kernel"));
}

TEST_CASE("the worst failure comes first") {
  Run run;
  for (const double ratio : {2.0, 40.0, 7.0}) {
    run.outcomes.push_back(sample_outcome("ratio-" + number_text(ratio), Verdict::fail));
    run.outcomes.back().measure(measurement::worst_error_ratio, ratio);
  }
  const std::string page = html_text(run);
  CHECK(page.find(">ratio-40<") < page.find(">ratio-7<"));
  CHECK(page.find(">ratio-7<") < page.find(">ratio-2<"));
}

TEST_CASE("10,000 cases stay within the bound, mostly passed or all failed") {
  Run run = large_run(10'000);
  const std::string mostly_passed = html_text(run);
  CHECK(mostly_passed.size() < 5'000'000);
  CHECK(occurrences(mostly_passed, " data-case>") + occurrences(mostly_passed, " data-case open>") == 10'000);
  CHECK(unbalanced(mostly_passed).empty());

  for (Outcome& outcome : run.outcomes) {
    const std::string id = outcome.id;
    outcome = sample_failure();
    outcome.id = id;
  }
  const std::string failed = html_text(run);
  CHECK(failed.size() < 15'000'000);
  CHECK_THAT(failed, contains("are in the JSON report"));
  CHECK(unbalanced(failed).empty());
}

TEST_CASE("what does not fit is counted, not dropped in silence") {
  HtmlOptions options;
  options.bytes_with_charts = options.bytes_with_details = options.bytes = 20'000;
  const Run run = large_run(1000);
  const std::string page = html_text(run, options);
  CHECK(page.size() < 60'000);
  const std::size_t listed = occurrences(page, " data-case>") + occurrences(page, " data-case open>");
  CHECK_THAT(page, contains(std::to_string(1000 - listed) + " more cases are counted above and not listed"));
  CHECK(unbalanced(page).empty());
}

TEST_CASE("a page is written whole, or the reason is told") {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("assay-html-" + std::to_string(std::random_device()()) + ".html");
  REQUIRE(write_html(sample_run(), path));
  CHECK(std::filesystem::file_size(path) == html_text(sample_run()).size());
  std::filesystem::remove(path);
  CHECK_FALSE(write_html(sample_run(), path / "absent" / "x.html"));
}
