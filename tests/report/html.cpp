#include "assay/report/html.hpp"

#include <cstdlib>
#include <random>

#include "report/rich_run.hpp"
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
  const std::string body =
      page.substr(0, page.find("<script>")).erase(page.find("<style>"), page.find("</style>") - page.find("<style>"));
  std::vector<std::string> open;
  for (std::size_t at = body.find('<'); at != std::string::npos; at = body.find('<', at + 1)) {
    const std::size_t end = body.find('>', at);
    if (end == std::string::npos) return "a tag is not closed";
    const std::string tag = body.substr(at + 1, end - at - 1);
    std::string name = tag.substr(tag[0] == '/' ? 1 : 0);
    name = name.substr(0, name.find_first_of(" \n"));
    if (tag[0] == '!' || tag.back() == '/' || name == "meta" || name == "input" || name == "wbr" || name == "style")
      continue;
    if (tag[0] != '/') {
      open.push_back(name);
    } else {
      if (name == "style") continue;
      if (open.empty() || open.back() != name)
        return "</" + name + "> closes " + (open.empty() ? "nothing" : open.back());
      open.pop_back();
    }
  }
  return open == std::vector<std::string>{"html", "body"} ? "" : std::to_string(open.size()) + " elements stay open";
}

/// The sample run with every byte there is in every text.
Run hostile_run() {
  Run run = sample_run();
  std::string all = nasty_text() + " ]]> --> \xEF\xBF\xBE \xC2\x85 ";
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  Environment& machine = run.environment;
  for (std::string* text : {&run.title, &run.command, &machine.host_name, &machine.processor, &machine.compiler,
                            &machine.started_at, &machine.assay_version})
    *text = all;
  for (Outcome& outcome : run.outcomes) {
    outcome.id += all;
    outcome.reason = outcome.reproduce = all;
    outcome.diagnosis = {all};
    outcome.derivation = {all, all + " = " + all + "; " + all + ": x"};
    for (const char* label : {"backend", "operation", "formats", "data", "check", "ended"})
      outcome.labels[label] = all + std::string(name_of(outcome.verdict));
    outcome.tables.push_back({"last output" + all, {all}, {{all}, {}, {all}}});
    outcome.measurements.push_back({all, 1, all});
    outcome.series.push_back({all, all, all, {{1, 2}, {2, 3}}});
    outcome.heat_maps.push_back({all, 1, 1, 1, 1, {2}});
  }
  return run;
}

std::size_t listed_cases(const std::string& page) {
  return occurrences(page, " data-seconds=\"");
}

}  // namespace

TEST_CASE("the page holds the run: totals, environment, failures first, all that is known of each") {
  const std::string page = html_text(sample_run());
  for (const char* part :
       {"could not be computed · Default suite</title>", "Example Processor 9000", "OpenBLAS", "0.3.21, SkylakeX",
        "64 GiB", "18446744073709551615", "an N tail", "accept iff out", "18</td><td class=\"unit\">ulp",
        "3.21</td><td class=\"unit\">ms", "The worst elements", "error / allowed by tile", "Worst error against K",
        "assay run --only gemm/onednn/bf16-f32-bf16/512x768x14336/normal", "because of unsupported"})
    CHECK_THAT(page, contains(part));
  std::size_t last = 0;
  for (const Verdict verdict : verdicts_by_urgency) {
    const std::size_t at = page.find("<section id=\"cases-" + std::string(name_of(verdict)) + "\"");
    REQUIRE(at != std::string::npos);
    CHECK(at > last);
    last = at;
  }
  CHECK(listed_cases(page) == sample_run().outcomes.size());
  CHECK(unbalanced(page).empty());
}

TEST_CASE("the first line says what came of the run") {
  const auto said = [](const std::vector<Verdict>& verdicts, std::size_t planned = 0, const char* check = "") {
    Run run;
    for (const Verdict verdict : verdicts) {
      run.outcomes.push_back(sample_outcome("case-" + std::to_string(run.outcomes.size()), verdict));
      run.outcomes.back().labels["check"] = check;
    }
    run.planned_cases = planned;
    return detail::run_verdict(run).text;
  };
  CHECK(said({}) == "Nothing ran");
  CHECK(said({Verdict::pass}) == "The one computed case passed");
  CHECK(said({Verdict::pass, Verdict::pass, Verdict::unsupported}) == "All 2 computed cases passed");
  CHECK(said({Verdict::pass, Verdict::inconclusive}) == "1 of 2 computed cases passed, none failed");
  CHECK(said({Verdict::pass, Verdict::fail}) == "1 of 2 cases failed");
  CHECK(said({Verdict::fail, Verdict::fail, Verdict::error}) == "2 of 3 cases failed, 1 could not be computed");
  CHECK(said({Verdict::error}) == "1 of 1 case could not be computed");
  CHECK(said({Verdict::unsupported, Verdict::inconclusive}) == "Nothing was decided");
  CHECK(said({Verdict::pass}, 3) == "Cut short: 1 case passed, the rest is unknown");
  CHECK(said({Verdict::new_baseline}) == "0 passed, 1 new baseline");
  CHECK(said({Verdict::pass, Verdict::pass}, 0, "residual") == "All 2 computed cases passed, by quick checks only");
  Run every_case_decides;
  every_case_decides.outcomes = {sample_outcome("a", Verdict::pass), sample_outcome("b", Verdict::inconclusive)};
  every_case_decides.require_conclusive = true;
  CHECK(detail::run_verdict(every_case_decides).text == "1 of 2 cases inconclusive, and every case was to decide");
  CHECK(std::string(detail::run_verdict(every_case_decides).style) == "fail");
}

TEST_CASE("passes of quick checks look different from full ones, wherever they are counted or listed") {
  Run run;
  for (const char* check : {"", "residual", "sampled", "full"}) {
    run.outcomes.push_back(sample_outcome(std::string("case-") + check, Verdict::pass));
    if (*check != '\0') run.outcomes.back().labels["check"] = check;
  }
  const std::string page = html_text(run);
  for (const char* part :
       {"<b>2</b> passed in full", "<b>2</b> passed a quick check", "2 passes are those of quick checks",
        "≈2<span class=\"sr\"> of them by quick checks", "<b class=\"quick\">≈</b>", ">residual check</span>",
        ">sampled check</span>", "what it cannot see may still be wrong"})
    CHECK_THAT(page, contains(part));
  CHECK(occurrences(page, "<b class=\"quick\">") == 2);
  CHECK(occurrences(page, "<b class=\"pass\">") == 2);
  run.outcomes = {run.outcomes[0], run.outcomes[3]};
  const std::string full = html_text(run);
  CHECK(full.find("passed a quick check") == std::string::npos);
  CHECK(full.find("<b class=\"quick\">") == std::string::npos);
  CHECK(full.find("full check") == std::string::npos);
}

TEST_CASE("a case that ended its process shows how, and what it had printed, line for line") {
  Run run;
  run.outcomes = {sample_outcome("a", Verdict::error)};
  run.outcomes[0].labels["ended"] = "signal 11";
  run.outcomes[0].tables.push_back(
      {"last output (cut)", {"standard output and error"}, {{"  one <tag>"}, {""}, {"three"}}});
  const std::string page = html_text(run);
  CHECK_THAT(page, contains("<span class=\"badge error\">signal 11</span>"));
  CHECK_THAT(page, contains("<h3>last output (cut)</h3>"));
  CHECK_THAT(page, contains("<pre class=\"output\" tabindex=\"0\">  one &lt;tag&gt;\n\nthree\n</pre>"));
  CHECK(unbalanced(page).empty());
}

TEST_CASE("retries are told as attempts") {
  Outcome outcome = sample_outcome("a", Verdict::fail);
  const auto told = [&](double attempts, double rate) {
    Outcome retried = outcome;
    retried.measure("attempts", attempts);
    retried.measure("failure_rate", rate);
    return detail::attempts_text(retried);
  };
  CHECK(told(4, 0.25) == "failed 1 of 4 attempts");
  CHECK(told(3, 1) == "failed 3 of 3 attempts");
  CHECK(told(1, 1).empty());
  CHECK(told(std::numeric_limits<double>::infinity(), 0.5).empty());
  CHECK(told(4, std::numeric_limits<double>::quiet_NaN()).empty());
  CHECK(detail::attempts_text(outcome).empty());
}

TEST_CASE("derivations become steps of names and values") {
  const auto steps = detail::derivation_steps(
      "L = 64 roundings of u = 1e-7 (f32; even); errors may align: g = L·u; a long remark without a name");
  REQUIRE(steps.size() == 3);
  CHECK(steps[0].name == "L");
  CHECK(steps[0].text == "= 64 roundings of u = 1e-7 (f32; even)");
  CHECK(steps[1].name == "errors may align");
  CHECK(steps[1].text == "g = L·u");
  CHECK(steps[2].name.empty());
  CHECK(detail::derivation_steps("").empty());
  CHECK(detail::derivation_steps("; ; ").empty());
  CHECK(detail::derivation_steps(")) ( x").size() == 1);
}

TEST_CASE("a distribution of error / allowed is drawn as bars, other series as lines") {
  Run run;
  run.outcomes = {rich_failure("eigen", "f32.f32.f32", 0, 0)};
  const std::string page = html_text(run);
  CHECK_THAT(page, contains("allowed ◂ 1 ▸ refuted"));
  CHECK(page.find("class=\"line\"") == std::string::npos);
  run.outcomes[0].series[0].title = "another";
  CHECK_THAT(html_text(run), contains("class=\"line\""));
}

TEST_CASE("every counted cell of the overview leads somewhere: without the script to a place, with it to a choice") {
  Run run = rich_run(600);
  const std::string page = html_text(run);
  std::size_t links = 0;
  for (std::size_t at = page.find("href=\"#"); at != std::string::npos; at = page.find("href=\"#", at + 1), ++links) {
    const std::string anchor = page.substr(at + 7, page.find('"', at + 7) - at - 7);
    INFO(anchor);
    CHECK(page.find("id=\"" + anchor + "\"") != std::string::npos);
  }
  CHECK(links > 30);
  std::size_t failing = 0;
  for (std::size_t i = 0; i < run.outcomes.size(); ++i)
    if (run.outcomes[i].verdict == Verdict::fail && run.outcomes[i].label("backend") == "eigen") failing = i;
  CHECK_THAT(page,
             contains("href=\"#case-" + std::to_string(failing) +
                      "\" data-filter=\"verdict=fail&amp;operation=gemm&amp;backend=eigen&amp;formats=f16.f16.f16\""));
}

TEST_CASE("families of operations and backends are seen as a grid first, many rows folded") {
  Run run;
  for (int i = 0; i < 30; ++i)
    for (const char* backend : {"host", "onednn"})
      for (const char* formats : {"f32", "bf16"}) {
        run.outcomes.push_back(sample_outcome("id" + std::to_string(i),
                                              *backend == 'o' && i == 7   ? Verdict::fail
                                              : *backend == 'o' && i == 8 ? Verdict::unsupported
                                                                          : Verdict::pass,
                                              backend, formats));
        run.outcomes.back().labels["operation"] = "operation" + std::to_string(i);
      }
  const std::string page = html_text(run);
  CHECK_THAT(page, contains("120 rows</small>") && contains("<table class=\"counts\">"));
  CHECK_THAT(page, contains("data-filter=\"verdict=fail&amp;family=operation7&amp;backend=onednn\"><span "
                            "aria-hidden=\"true\">✗</span> "
                            "2<span class=\"sr\"> failed</span></a></td>"));
  CHECK_THAT(page, contains("data-filter=\"verdict=unsupported&amp;family=operation8&amp;backend=onednn\"><span "
                            "aria-hidden=\"true\">∅</span><span class=\"sr\"> 2 unsupported"));
  CHECK(page.find("<table class=\"counts\">") < page.find("<table class=\"overview\">"));
  CHECK(unbalanced(page).empty());
  Run single = rich_run(600);
  for (Outcome& outcome : single.outcomes) outcome.labels["family"] = outcome.labels["backend"] = "one";
  CHECK(html_text(single).find("<table class=\"counts\">") == std::string::npos);
}

TEST_CASE("the first screen has whose kernels passed, the findings, and families beside backends") {
  Run run = rich_run(600);
  for (Outcome& outcome : run.outcomes) outcome.labels["family"] = "products";
  const std::string page = html_text(run);
  const std::size_t standing = page.find("<p>failed: "), findings = page.find("<h2>Findings "),
                    grid = page.find("<table class=\"counts\">"), facts = page.find("class=\"facts\"");
  REQUIRE(standing != std::string::npos);
  CHECK(standing < findings);
  CHECK(findings < grid);
  CHECK(grid < facts);
  CHECK_THAT(page, contains("family=products&amp;backend=") && contains("For example <a href=\"#case-"));
  CHECK(unbalanced(page).empty());
}

TEST_CASE("the page of a large run stays below 5 MB") {
  CHECK(html_text(large_run(20000)).size() < 5'000'000);
}

TEST_CASE("labels of any bytes travel through the address") {
  CHECK(detail::percent_encoded("a b&c=d/é\"") == "a%20b%26c%3Dd%2F%C3%A9%22");
  CHECK(detail::percent_encoded("bf16.f32-x_9") == "bf16.f32-x_9");
}

TEST_CASE("nothing in a run can break out of its place in the page") {
  for (const Run& run : {sample_run(), hostile_run()}) {
    const std::string page = html_text(run);
    CHECK(occurrences(page, "<script>") == 1);
    CHECK(page.find("alert(1)</script>") == std::string::npos);
    CHECK(page.find('\x1b') == std::string::npos);
    CHECK(unbalanced(page).empty());
  }
}

TEST_CASE("the page loads nothing") {
  const std::string page = html_text(sample_run());
  for (const char* part : {"http://", "https://", "src=", "@import", "url(", "fetch(", "import("})
    CHECK(page.find(part) == std::string::npos);
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

  Run single;
  single.outcomes = {sample_outcome("a", Verdict::pass)};
  CHECK_THAT(html_text(single), contains("data-name=\"case\">1</td>"));

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
  const std::string whole = html_text(run), page = whole.substr(whole.find("id=\"cases\""));
  CHECK(page.find(">ratio-40<") < page.find(">ratio-7<"));
  CHECK(page.find(">ratio-7<") < page.find(">ratio-2<"));
}

TEST_CASE("10,000 cases stay within the bound, mostly passed or all failed") {
  Run run = large_run(10'000);
  const std::string mostly_passed = html_text(run);
  CHECK(mostly_passed.size() < 5'000'000);
  CHECK(listed_cases(mostly_passed) == 10'000);
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
  const std::size_t listed = listed_cases(page);
  CHECK_THAT(page, contains(std::to_string(1000 - listed) + " more cases are counted above and not listed"));
  CHECK(unbalanced(page).empty());
}

TEST_CASE("figures of the caller stand below the overview, with their style") {
  HtmlOptions options;
  options.figures = "<h2 id=\"own\">Own</h2>\n";
  options.figures_style = ".own{color:red}";
  const std::string page = html_text(sample_run(), options);
  CHECK(page.find(".own{color:red}") < page.find("</style>"));
  CHECK(page.find("id=\"own\"") > page.find("Overview"));
  CHECK(page.find("id=\"own\"") < page.find("id=\"cases\""));
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

// Run by html_in_browser.py, which opens what is written here.
TEST_CASE("pages for a browser", "[.browser]") {
  const char* folder = std::getenv("ASSAY_HTML_FOLDER");
  REQUIRE(folder != nullptr);
  const std::filesystem::path pages(folder);
  REQUIRE(write_html(rich_run(3000), pages / "rich.html"));
  REQUIRE(write_html(rich_run(10'000), pages / "large.html"));
  REQUIRE(write_html(sample_run(), pages / "sample.html"));
  REQUIRE(write_html(hostile_run(), pages / "hostile.html"));
  REQUIRE(write_html(Run(), pages / "empty.html"));
  Run flat = sample_run();
  flat.outcomes.front().measure(measurement::worst_error_ratio, 1e9);  // so that the strips have the most decades
  for (const auto& [rows, columns] : {std::pair<std::size_t, std::size_t>{4, 128}, {2, 64}, {128, 4}, {1, 8}})
    flat.outcomes.front().heat_maps.push_back(
        {"flat", rows, columns, 1000, 1000, std::vector<double>(rows * columns, 0.5)});
  REQUIRE(write_html(flat, pages / "flat.html"));
}
