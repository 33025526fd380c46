#include "assay/release/dashboard_html.hpp"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <random>
#include <regex>

#include "release/sample_dashboard.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}
bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string part_of(const std::string& page, const std::string& id) {
  const std::size_t begin = page.find("<section id=\"" + id + "\"");
  return begin == std::string::npos ? "" : page.substr(begin, page.find("</section>", begin) - begin);
}
std::string data_of(const std::string& page) {
  const std::size_t begin = page.find("id=\"data\">") + 10;
  return page.substr(begin, page.find("</script>", begin) - begin);
}

/// One metric, a value a run.
Dashboard trend_of(const std::vector<double>& values, Direction direction = Direction::lower_is_better,
                   const std::string& unit = "s") {
  Dashboard dashboard;
  dashboard.history.emplace();
  for (std::size_t i = 0; i < values.size(); ++i) {
    HistoryRun run;
    run.origin.time = *parse_utc_time(sample_time(i));
    run.origin.labels = {{"version", "v" + std::to_string(i)}};
    run.points.push_back({"bench", {}, {"metric", unit, direction, {values[i]}, ""}});
    dashboard.history->add(run);
  }
  return dashboard;
}

/// Every byte there is, in every text.
Dashboard hostile_dashboard() {
  Dashboard dashboard = sample_dashboard(6);
  std::string all = nasty_text() + " ]]> --> </script><!-- \xEF\xBF\xBE \xC2\x85 ";
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  dashboard.title = all;
  for (DashboardRun& run : dashboard.runs) {
    run.run.title = run.run.environment.host_name = run.run.environment.started_at = all;
    for (Outcome& outcome : run.run.outcomes) {
      outcome.id += all;
      outcome.reason += all;
      outcome.reproduce = all;
      outcome.diagnosis = {all, all + "\n" + all};
      outcome.labels["backend"] = outcome.labels["data"] = all;
      outcome.tables.push_back({all, {all}, {{all}, {}, {all, all}}});
    }
  }
  for (Outcome& outcome : dashboard.gate->outcomes) {
    outcome.reason += all;
    outcome.labels["gate"] = all;
    outcome.diagnosis.push_back(all);
    for (Table& table : outcome.tables) table.title = all;
  }
  for (MatrixAxis& axis : dashboard.compatibility->axes) axis.name += all;
  for (CompatibilityConflict& conflict : dashboard.compatibility->conflicts) conflict.what += all;
  for (Certification& certification : dashboard.compatibility->certifications)
    certification.by = certification.environment = certification.host = all;
  for (HistorySeries& series : dashboard.history->series) {
    series.key += all;
    series.unit = series.metric = all;
  }
  for (RunOrigin& origin : dashboard.history->runs) origin.labels["version"] = all;
  dashboard.history->warnings = {all};
  return dashboard;
}

}  // namespace

TEST_CASE("the answer of the gate stands above everything, and without one nothing is approved") {
  Dashboard dashboard = sample_dashboard(3);
  std::string page = dashboard_html(dashboard);
  CHECK(has(page, "<p class=\"verdict fail\"><span aria-hidden=\"true\">✗</span> Blocked</p>"));
  CHECK(has(page, "<title>Blocked · Release 1.12</title>"));
  const std::string gate = part_of(page, "gate");
  CHECK(gate.find("kernels/correctness") <
        gate.find("models/perplexity"));  // violated before cannot tell, hard before soft
  CHECK(gate.find("models/perplexity") < gate.find("kernels/margin"));
  CHECK(has(gate, "cannot tell: saw no results"));
  CHECK(occurrences(gate, "<small>14 times</small>") ==
        2);  // one line for one id in each of two gates, however many combinations
  CHECK(has(gate, "href=\"#failure-0\""));
  CHECK(has(gate, "waived by ada until 2026-02-05: known on B200 (ticket 7)"));
  CHECK(has(gate, "ends on 2026-02-05, in 5 days"));
  CHECK(has(gate, "1 gate passed"));

  for (const auto& [verdict, text] :
       {std::pair{Verdict::pass, "pass\"><span aria-hidden=\"true\">✓</span> Approved"},
        {Verdict::error, "inconclusive\"><span aria-hidden=\"true\">?</span> The gate cannot tell"}}) {
    dashboard.gate->outcomes[0].verdict = verdict;
    CHECK(has(dashboard_html(dashboard), text));
  }
  dashboard.gate->outcomes.clear();
  CHECK(has(dashboard_html(dashboard), "The gate gave no answer"));
  dashboard.gate.reset();
  page = dashboard_html(dashboard);
  CHECK_FALSE(has(page, "Approved"));
  CHECK(has(page, "outcomes failed or could not be computed"));
  for (DashboardRun& run : dashboard.runs)
    std::erase_if(run.run.outcomes, [](const Outcome& outcome) {
      return outcome.verdict == Verdict::fail || outcome.verdict == Verdict::error;
    });
  CHECK(has(dashboard_html(dashboard), "class=\"verdict inconclusive\""));
  CHECK(has(dashboard_html(dashboard), "no gate judged it"));
  CHECK(has(dashboard_html(Dashboard()), "There are no results"));
}

TEST_CASE("a failure is told once, with its diagnosis, since when, and what its runs have in common") {
  const std::string failures = part_of(dashboard_html(sample_dashboard(3)), "failures");
  CHECK(occurrences(failures, "class=\"case failure\"") == 3);
  CHECK(has(failures,
            "fails in 14 of 52 runs that decide it; all of them, and none of the others, with <b>driver=560.35</b>"));
  CHECK(has(failures, "fails in 3 of 52 runs"));
  CHECK_FALSE(has(failures, "<b>device=B200</b>"));  // it passes there with another toolkit
  CHECK(has(failures, "an N tail"));
  CHECK(has(failures, "worst elements"));
  CHECK(has(failures, "class=\"heat"));
  CHECK(failures.find("2026-01-13") < failures.find("2026-01-12"));  // newest first

  DashboardOptions options;
  options.listed_failures = 1;
  options.charted_failures = 0;
  const std::string less = part_of(dashboard_html(sample_dashboard(3), options), "failures");
  CHECK(occurrences(less, "class=\"case failure\"") == 1);
  CHECK(has(less, "and 2 more"));
  CHECK_FALSE(has(less, "class=\"heat"));
}

TEST_CASE("every combination that was promised has its cell, and holes are holes") {
  const Dashboard dashboard = sample_dashboard(3);
  const std::string matrix = part_of(dashboard_html(dashboard), "matrix");
  const std::string table = matrix.substr(matrix.find("<table"), matrix.find("</table>") - matrix.find("<table"));
  const CompatibilityReport& report = *dashboard.compatibility;
  CHECK(occurrences(table, "<td") == 81);
  CHECK(occurrences(table, "<td class=\"hole") == report.count(CompatibilityState::hole));
  CHECK(occurrences(table, "<td class=\"failed") == report.count(CompatibilityState::failed));
  CHECK(occurrences(table, "<td class=\"certified") == report.count(CompatibilityState::certified));
  CHECK(occurrences(table, "<td class=\"conflict") == 1);
  CHECK(occurrences(table, "<td class=\"excluded") == 81 - report.entries.size());
  CHECK(report.count(CompatibilityState::hole) == 3);
  for (std::size_t i = 0; i < report.entries.size(); ++i) {
    const std::string number = std::to_string(i);
    CHECK(occurrences(table, "href=\"#combination-" + number + "\"") == 1);
    CHECK(occurrences(matrix, "id=\"combination-" + number + "\"") == 1);
  }
  CHECK(has(table, "driver=560.35 cuda=12.4 framework=pytorch-2.7 device=A100: failed"));
  CHECK(has(matrix, "nobody tested it"));
  CHECK(has(matrix, "by nightly farm, 2026-01-1"));
  CHECK(has(matrix, "href=\"#failure-0\""));  // without a script a cell leads to the failing elements, too
  CHECK(has(matrix, "says pass, results/again.json"));

  DashboardOptions options;
  options.matrix_cells = 80;
  options.listed_combinations = 5;
  const std::string pairs = part_of(dashboard_html(dashboard, options), "matrix");
  CHECK(has(pairs, "<h3>driver × cuda</h3>"));
  CHECK(has(pairs, "<h3>framework × device</h3>"));
  CHECK(has(pairs, "and 49 more"));
}

TEST_CASE("a matrix of one axis, and of none, has a page") {
  Dashboard dashboard;
  VersionMatrix matrix;
  matrix.axes = {{"driver", {"1", "2"}}};
  dashboard.compatibility = compatibility_report(matrix, expand(matrix).value().combinations, {});
  CHECK(occurrences(dashboard_html(dashboard), "<td class=\"hole\">") == 2);
  dashboard.compatibility = CompatibilityReport();
  CHECK(has(dashboard_html(dashboard), "0 combinations"));
}

TEST_CASE("levels and their changes are marked, in the direction that the metric has") {
  std::vector<double> values;
  for (int i = 0; i < 24; ++i) values.push_back((i < 12 ? 1.0 : 1.05) + 0.001 * (i * 7 % 5));
  const std::string worse = part_of(dashboard_html(trend_of(values)), "trends");
  CHECK(has(worse, "class=\"change worse\""));
  CHECK(has(worse, "5.0 % worse from v12 on: 1.00 s → 1.05 s"));
  CHECK(has(worse, "the level of 1 changed by 1 % or more"));
  CHECK(has(part_of(dashboard_html(trend_of(values, Direction::higher_is_better, "items/s")), "trends"),
            "5.0 % better from v12 on"));

  DashboardOptions options;
  options.minimum_effect = 0.06;
  CHECK(has(part_of(dashboard_html(trend_of(values), options), "trends"), "the level of none changed"));

  std::vector<double> steady;
  for (int i = 0; i < 24; ++i) steady.push_back(1 + 0.01 * ((i * 11 + i * i * 3) % 7));
  const std::string level = part_of(dashboard_html(trend_of(steady)), "trends");
  CHECK_FALSE(has(level, "class=\"change "));
  CHECK(has(level, "<circle"));
}

TEST_CASE("metrics that changed come first, and a drift of a percent a release does not hide") {
  Dashboard dashboard;
  dashboard.history = sample_history(30);
  const std::string trends = part_of(dashboard_html(dashboard), "trends");
  CHECK(has(trends, "60 runs, 33 metrics: the level of 3 changed"));
  CHECK(trends.find("gemm/m4096") < trends.find("attention/b8"));
  CHECK(trends.find("attention/b8") <
        trends.find("all_reduce/1GiB"));  // the worst first, what got better last of those that changed
  CHECK(trends.find("all_reduce/1GiB") < trends.find("softmax/n256"));
  CHECK(occurrences(trends, "<details class=\"case metric\" open>") == 3);

  DashboardOptions options;
  options.bytes_of_charts = 1;
  const std::string lines = part_of(dashboard_html(dashboard, options), "trends");
  CHECK(occurrences(lines, "<svg class=\"series trend\"") == 1);
  CHECK(occurrences(lines, "class=\"row metric\"") == 32);
}

TEST_CASE("series that are short, constant, zero, negative, huge or no numbers do no harm") {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const std::vector<double>& values : std::vector<std::vector<double>>{{1},
                                                                            {0},
                                                                            {0, 0, 0, 0, 0, 0, 0},
                                                                            {-1, -2, -3, -4, -5, -6, -7, -8},
                                                                            {1e150, -1e150, 1e150, 1e150, 1e150, 1e150},
                                                                            {5e-324, 5e-324, 1e-320},
                                                                            {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
                                                                            {0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1}}) {
    const std::string trends = part_of(dashboard_html(trend_of(values)), "trends");
    CHECK_FALSE(has(trends, "nan"));
    CHECK_FALSE(has(trends, "NaN"));
    CHECK_FALSE(has(trends, "inf"));
    CHECK(has(trends, "<svg class=\"series trend\""));
  }
  Dashboard broken = trend_of({1, 2, 3, 4});
  broken.history->series[0].points[1].samples = {infinity};
  broken.history->series[0].points[2].samples = {std::nan("")};
  broken.history->series[0].points[3].samples.clear();
  CHECK(has(part_of(dashboard_html(broken), "trends"), "3 runs without numbers left out"));
  broken.history->series[0].points[0].samples.clear();
  CHECK(has(part_of(dashboard_html(broken), "trends"), "no numbers"));
  broken.history->series[0].points.clear();
  CHECK(has(part_of(dashboard_html(broken), "trends"), "no numbers"));
  std::vector<double> years;
  for (int i = 0; i < 2000; ++i) years.push_back(1 + 0.01 * ((i * 37) % 11));
  CHECK(part_of(dashboard_html(trend_of(years)), "trends").size() < 30'000);
}

TEST_CASE("all outcomes are in the page, some bytes each, and details of those that failed") {
  const Dashboard dashboard = sample_dashboard(200);
  std::size_t count = 0;
  for (const DashboardRun& run : dashboard.runs) count += run.run.outcomes.size();
  const std::string page = dashboard_html(dashboard), data = data_of(page);
  CHECK(has(page, "All outcomes <small>" + std::to_string(count) + "</small>"));
  const auto numbers_in = [&](const std::string& name) {
    const std::size_t begin = data.find("\"" + name + "\":[") + name.size() + 4;
    return occurrences(data.substr(begin, data.find(']', begin) - begin), ",") + 1;
  };
  for (const char* column : {"id", "run", "ratio", "seconds", "reason", "detail"}) CHECK(numbers_in(column) == count);
  CHECK(data.substr(data.find("\"verdict\":\"") + 11).find('"') == count);
  CHECK(data.size() < 40 * count);
  CHECK(occurrences(data, "an N tail") == 1);  // equal details once, whatever number of combinations

  DashboardOptions options;
  options.bytes_of_details = 10;
  CHECK(has(dashboard_html(dashboard, options), "Of 18 that did not pass the details are left out"));
}

TEST_CASE("nothing in a name, a reason or a path becomes markup, script or the end of either") {
  const std::string page = dashboard_html(hostile_dashboard());
  CHECK(occurrences(page, "<script") == 3);
  CHECK(occurrences(page, "</script>") == 3);
  CHECK_FALSE(has(page, "<script>alert"));
  CHECK(occurrences(page, "</style>") == 1);
  const std::string data = data_of(page);
  CHECK(data.find_first_of("<\x01\x7F") == std::string::npos);
  std::string_view rest = page;
  while (utf8_sequence_length(rest) > 0) rest.remove_prefix(utf8_sequence_length(rest));
  CHECK(rest.empty());
}

TEST_CASE("a page loads nothing") {
  const std::string page = dashboard_html(sample_dashboard(3));
  CHECK(std::regex_search(page, std::regex("default-src 'none'")));
  CHECK_FALSE(std::regex_search(page.substr(0, 60'000), std::regex("(https?://|src=|url\\(|@import)")));
}

TEST_CASE("a dashboard is written whole, or the reason is told") {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("assay-dashboard-" + std::to_string(std::random_device()()) + ".html");
  REQUIRE(write_dashboard(Dashboard(), path));
  CHECK(std::filesystem::file_size(path) == dashboard_html(Dashboard()).size());
  std::filesystem::remove(path);
  CHECK_FALSE(write_dashboard(Dashboard(), path / "absent" / "x.html"));
}

// Run by dashboard_in_browser.py, which opens what is written here.
TEST_CASE("dashboards for a browser", "[.browser]") {
  const char* folder = std::getenv("ASSAY_HTML_FOLDER");
  REQUIRE(folder != nullptr);
  const std::filesystem::path pages(folder);
  REQUIRE(write_dashboard(sample_dashboard(40), pages / "sample.html"));
  REQUIRE(write_dashboard(sample_dashboard(970), pages / "large.html"));
  REQUIRE(write_dashboard(hostile_dashboard(), pages / "hostile.html"));
  REQUIRE(write_dashboard(Dashboard(), pages / "empty.html"));
  Dashboard trends;
  trends.history = sample_history(1000);
  REQUIRE(write_dashboard(trends, pages / "trends.html"));
}
