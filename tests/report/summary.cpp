#include "assay/report/summary.hpp"

#include <algorithm>

#include "report/sample_run.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

TEST_CASE("every outcome is counted once, under its verdict") {
  const Run run = sample_run();
  const Summary summary = summarize(run);
  CHECK(summary.total.cases == run.outcomes.size());
  std::size_t cases = 0;
  for (const SummaryRow& row : summary.rows) {
    std::size_t verdicts = 0;
    for (const Verdict verdict : all_verdicts) verdicts += row.count(verdict);
    CHECK(verdicts == row.cases);
    cases += row.cases;
  }
  CHECK(cases == run.outcomes.size());
  for (const Verdict verdict : all_verdicts) CHECK(summary.total.count(verdict) == run.count(verdict));
}

TEST_CASE("rows come in one order, whatever the order of the outcomes") {
  Run run = sample_run();
  const Summary forwards = summarize(run);
  std::reverse(run.outcomes.begin(), run.outcomes.end());
  const Summary backwards = summarize(run);
  CHECK(summary_table(forwards).rows == summary_table(backwards).rows);
  CHECK(forwards.rows[1].backend == "onednn");
  CHECK(forwards.rows[2].backend == "openblas");
}

TEST_CASE("the worst ratio is that of cases which computed something, and NaN is worst of all") {
  Run run;
  const auto add = [&](Verdict verdict, double ratio) {
    run.outcomes.push_back(sample_outcome(std::to_string(run.outcomes.size()), verdict));
    run.outcomes.back().measure(measurement::worst_error_ratio, ratio);
  };
  add(Verdict::pass, 0.25);
  add(Verdict::error, 99);
  add(Verdict::unsupported, 99);
  add(Verdict::skipped, 99);
  CHECK(summarize(run).total.worst_error_ratio == 0.25);
  CHECK(summarize(run).total.worst_case == "0");
  add(Verdict::fail, 7);
  CHECK(summarize(run).total.worst_error_ratio == 7.0);
  add(Verdict::fail, std::numeric_limits<double>::quiet_NaN());
  add(Verdict::fail, std::numeric_limits<double>::infinity());
  CHECK(std::isnan(summarize(run).total.worst_error_ratio.value()));
  CHECK(summarize(run).total.worst_case == "5");
}

TEST_CASE("the table has the columns that a reader looks for, and a cell for each") {
  Run run;
  run.outcomes = {sample_outcome("a", Verdict::pass), sample_outcome("b", Verdict::unsupported, "eigen")};
  const Table table = summary_table(summarize(run));
  CHECK(table.columns == std::vector<std::string>{"backend", "operation", "formats", "cases", "pass", "fail",
                                                  "unsupported", "worst error/allowed", "time"});
  REQUIRE(table.rows.size() == 3);
  for (const auto& row : table.rows) CHECK(row.size() == table.columns.size());
  CHECK(table.rows[0] == std::vector<std::string>{"eigen", "gemm", "f32", "1", "0", "0", "1", "-", "12.5 ms"});
  CHECK(table.rows[2][0] == "all");
  CHECK(table.rows[2][3] == "2");
  CHECK(summary_table(summarize(Run())).rows.empty());
}

TEST_CASE("labels that are missing are no reason to lose a case") {
  Run run;
  run.outcomes.emplace_back();
  CHECK(summary_table(summarize(run)).rows[0][0] == "-");
}

TEST_CASE("without formats, nothing but the formats is lost") {
  Run run;
  for (const char* backend : {"a", "b"})
    for (const char* formats : {"f32", "bf16", "f16"}) {
      run.outcomes.push_back(sample_outcome(std::string(backend) + formats,
                                            *formats == 'b' ? Verdict::fail : Verdict::pass, backend, formats));
      run.outcomes.back().measure(measurement::worst_error_ratio, *formats == 'b' ? 3 : 0.5);
    }
  run.outcomes.push_back(sample_outcome("c", Verdict::unsupported, "c", "f32"));
  const Summary folded = without_formats(summarize(run));
  REQUIRE(folded.rows.size() == 3);
  for (const std::size_t row : {0u, 1u}) {
    CHECK(folded.rows[row].formats == "3 formats");
    CHECK(folded.rows[row].cases == 3);
    CHECK(folded.rows[row].count(Verdict::pass) == 2);
    CHECK(folded.rows[row].count(Verdict::fail) == 1);
    CHECK(folded.rows[row].worst_error_ratio == 3.0);
    CHECK(folded.rows[row].worst_case == (row == 0 ? "abf16" : "bbf16"));
    CHECK(folded.rows[row].duration_seconds == Approx(3 * run.outcomes[0].duration_seconds));
  }
  CHECK(folded.rows[2].formats == "f32");
  CHECK(folded.total.cases == 7);
}

TEST_CASE("rows that somebody must look at come first, else in their order") {
  Run run;
  for (const auto& [backend, verdict] : {std::pair{"a", Verdict::pass},
                                         {"b", Verdict::fail},
                                         {"c", Verdict::unsupported},
                                         {"d", Verdict::error},
                                         {"e", Verdict::inconclusive}})
    run.outcomes.push_back(sample_outcome(backend, verdict, backend));
  std::string order;
  for (const SummaryRow& row : urgent_first(summarize(run)).rows) order += row.backend;
  CHECK(order == "bdeac");
}

TEST_CASE("the closing line names every verdict that occurred, and what was not done") {
  Run run;
  run.duration_seconds = 2;
  CHECK(closing_line(run) == "0 cases in 2 s; nothing was decided");
  run.outcomes.push_back(sample_outcome("a", Verdict::pass));
  CHECK(closing_line(run) == "1 case: 1 passed, 0 failed in 2 s");
  run.planned_cases = 5;
  CHECK(closing_line(run) == "1 case: 1 passed, 0 failed in 2 s; cut short: 4 of 5 planned cases did not run");
  CHECK(closing_line(sample_run()) ==
        "9 cases: 1 passed, 3 failed, 1 with an error, 1 inconclusive, 1 new baseline, 1 unsupported, 1 skipped in "
        "12.3 s");
  run.planned_cases = 1;
  run.require_conclusive = true;
  CHECK(closing_line(run) == "1 case: 1 passed, 0 failed in 2 s");
  run.outcomes[0].verdict = Verdict::inconclusive;
  CHECK(closing_line(run) ==
        "1 case: 0 passed, 0 failed, 1 inconclusive in 2 s; what is inconclusive counts as failed, since every case "
        "was to decide");
}

TEST_CASE("reasons are grouped, the most frequent first") {
  Run run;
  for (const char* reason : {"no bf16", "no f16", "no bf16"}) {
    run.outcomes.push_back(sample_outcome("a", Verdict::unsupported));
    run.outcomes.back().reason = reason;
  }
  run.outcomes.push_back(sample_outcome("b", Verdict::skipped));
  CHECK(grouped_reasons(run, Verdict::unsupported) ==
        std::vector<std::pair<std::string, std::size_t>>{{"no bf16", 2}, {"no f16", 1}});
}

TEST_CASE("every verdict has its place in the order of urgency") {
  for (const Verdict verdict : all_verdicts)
    CHECK(std::count(verdicts_by_urgency.begin(), verdicts_by_urgency.end(), verdict) == 1);
}

TEST_CASE("by backend every case is counted once") {
  const Run run = sample_run();
  const Summary all = summarize(run), folded = by_backend(all);
  std::size_t cases = 0;
  for (const SummaryRow& row : folded.rows) cases += row.cases;
  CHECK(cases == run.outcomes.size());
  CHECK(folded.rows.size() < all.rows.size() + 1);
  CHECK(folded.total.cases == all.total.cases);
}
