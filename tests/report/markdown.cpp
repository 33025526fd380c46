#include "assay/report/markdown.hpp"

#include "report/sample_run.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;
using detail::fenced_markdown;
using detail::inline_markdown;

TEST_CASE("text shows as it is, and nothing comes of it") {
  CHECK(inline_markdown("worst_error_ratio 0.42, 12.5 ms, -inf, because: so", 99) ==
        "worst_error_ratio 0.42, 12.5 ms, -inf, because: so");
  CHECK(inline_markdown("a|b `c` *d* ~e~ [f](g) <h> &amp; \\ $i$", 99) ==
        "a&#124;b &#96;c&#96; &#42;d&#42; &#126;e&#126; &#91;f&#93;(g) &#60;h&#62; &#38;amp; &#92; &#36;i&#36;");
  CHECK(inline_markdown("_a_ __b__", 99) == "&#95;a&#95; &#95;&#95;b&#95;&#95;");
  CHECK(inline_markdown("@someone #12 a@b # @", 99) == "@<!-- -->someone #<!-- -->12 a@<!-- -->b # @");
  CHECK(inline_markdown("http://a:b", 99) == "http&#58;//a:b");
  CHECK(inline_markdown("- a", 99) == "&#45; a");
  CHECK(inline_markdown("12. a", 99) == "12&#46; a");
  CHECK(inline_markdown("    a", 99) == "&#32;   a");
  CHECK(inline_markdown("1\n2\x1b", 99) == "1&#92;n2&#92;x1b");
  CHECK(inline_markdown("abcdef", 4) == "abc…");
}

TEST_CASE("no text closes the block that it stands in") {
  CHECK(fenced_markdown("a\nb", 99) == "```\na\nb\n```\n");
  CHECK(fenced_markdown("```\nx", 99) == "````\n```\nx\n````\n");
  CHECK(fenced_markdown("a````b\x1b", 99) == "`````\na````b\\x1b\n`````\n");
  CHECK(fenced_markdown("abcdef", 4) == "```\nabc…\n```\n");
}

TEST_CASE("the summary says first whether the run passed") {
  Run run;
  run.title = "Nightly";
  CHECK_THAT(markdown_text(run),
             contains("## Nightly\n\n**Not decided.** 0 cases in 0 s; nothing was decided\n\nseed 0"));
  run.outcomes = {sample_outcome("gemm/openblas/f32/1/n", Verdict::pass)};
  run.planned_cases = 1;
  CHECK_THAT(markdown_text(run), contains("**Passed.** 1 case: 1 passed, 0 failed"));
  CHECK_THAT(markdown_text(run), !contains("<details>"));
  run.planned_cases = 3;
  CHECK_THAT(
      markdown_text(run),
      contains("**Not decided.** 1 case: 1 passed, 0 failed in 0 s; cut short: 2 of 3 planned cases did not run"));
  run.outcomes.push_back(sample_outcome("gemm/openblas/f32/2/n", Verdict::error));
  CHECK_THAT(markdown_text(run), contains("**Failed.** 2 cases"));
}

TEST_CASE("a run whose cases are all to decide has failed where one does not, and says so") {
  Run run;
  run.outcomes = {sample_outcome("a", Verdict::pass), sample_outcome("b", Verdict::inconclusive)};
  run.planned_cases = 2;
  CHECK_THAT(markdown_text(run), contains("**Passed.** 2 cases"));
  run.require_conclusive = true;
  CHECK_THAT(markdown_text(run),
             contains("**Failed.** 2 cases: 1 passed, 0 failed, 1 inconclusive in 0 s; what is inconclusive counts"));
}

TEST_CASE("table, folded cases, and the reasons of what was not judged") {
  const std::string text = markdown_text(sample_run());
  CHECK_THAT(text, contains("\n\n| backend | operation | formats | cases | pass | fail |"));
  CHECK_THAT(text, contains("\n| --- | --- | --- | ---: |"));
  CHECK_THAT(text, contains("\n| onednn | gemm | bf16-f32-bf16 | 1 | 0 | 1 |"));
  CHECK_THAT(text, contains("### 3 failed\n\n<details><summary><code>gemm/openblas/f32/128x128x3000/fail</code> "
                            "because of fail</summary>\n\n"));
  CHECK_THAT(text, contains("### 1 with an error\n\n<details>"));
  CHECK_THAT(text, contains("### 1 inconclusive\n\n<details>"));
  CHECK_THAT(text, contains("\n- two runs gave equal bits: not a race\n"));
  CHECK_THAT(text, contains("- E = g(K)·u·Σ&#124;a·b&#124; with u = 2⁻²⁴\n"));
  CHECK_THAT(text, contains("```\nassay run --only gemm/onednn/bf16-f32-bf16/512x768x14336/normal\n```\n"));
  CHECK_THAT(text, contains("- 1 unsupported – because of unsupported\n"));
  CHECK_THAT(text, !contains("\x1b"));
  Run without_commands = sample_run();
  for (Outcome& outcome : without_commands.outcomes) outcome.reproduce.clear();
  CHECK_THAT(markdown_text(without_commands), !contains("<script") && contains("&#60;script&#62;"));
}

TEST_CASE("a summary stays within its bytes, and counts what it leaves out") {
  Run run = large_run(10'000);
  for (const std::size_t most :
       {markdown_least_bytes, std::size_t{20'000}, markdown_comment_bytes, markdown_step_summary_bytes}) {
    const std::string text = markdown_text(run, most);
    INFO(most);
    CHECK(text.size() <= most);
    CHECK_THAT(text, contains("### 100 failed"));
    CHECK_THAT(text, contains("10000 cases: 8900 passed, 100 failed"));
    CHECK((text.find("more, for which there is no room here") != std::string::npos) == (most <= 20'000));
  }

  // Failures without end do not hide that there are errors and undecided cases.
  for (std::size_t i = 0; i < run.outcomes.size(); ++i) {
    run.outcomes[i].verdict = i % 1000 == 1 ? Verdict::error : i % 1000 == 2 ? Verdict::inconclusive : Verdict::fail;
    run.outcomes[i].labels["operation"] = "operation " + std::to_string(i);
  }
  const std::string flood = markdown_text(run);
  CHECK(flood.size() <= markdown_comment_bytes);
  for (const char* heading :
       {"### 9980 failed", "### 10 with an error", "### 10 inconclusive", "further rows are left out here"})
    CHECK_THAT(flood, contains(heading));

  // Of too many rows, those that somebody must look at go first.
  Run rows;
  for (int i = 0; i < 300; ++i)
    rows.outcomes.push_back(sample_outcome("id", Verdict::pass, "backend " + std::to_string(i)));
  rows.outcomes.push_back(sample_outcome("id", Verdict::inconclusive, "z", "last"));
  CHECK_THAT(markdown_text(rows, markdown_least_bytes),
             contains("| z | gemm | last | 1 | 0 | 0 | 1 |") && contains("further rows are left out"));

  // Formats are folded before any row is left out.
  Run formats;
  for (int i = 0; i < 300; ++i)
    formats.outcomes.push_back(sample_outcome("id", Verdict::pass, "a", "format " + std::to_string(i)));
  CHECK_THAT(markdown_text(formats, markdown_least_bytes),
             contains("| a | gemm | 300 formats | 300 | 300 | 0 |") && !contains("further rows are left out"));

  // Nothing but markup in every text, and each text far too long.
  std::string bars(5'000, '|');
  Run wide = sample_run();
  wide.title = wide.command = wide.environment.host_name = wide.environment.processor =
      wide.environment.operating_system = bars;
  wide.environment.assay_version = bars;
  for (int copy = 0; copy < 60; ++copy) wide.outcomes.push_back(wide.outcomes[static_cast<std::size_t>(copy % 7)]);
  for (std::size_t i = 0; i < wide.outcomes.size(); ++i) {
    Outcome& outcome = wide.outcomes[i];
    outcome.reason = outcome.reproduce = bars + std::to_string(i);
    outcome.labels["formats"] = std::to_string(i) + bars;
    outcome.diagnosis.assign(40, bars);
  }
  for (const std::size_t most :
       {markdown_least_bytes, std::size_t{10'000}, std::size_t{30'000}, markdown_comment_bytes})
    CHECK(markdown_text(wide, most).size() <= most);
}

#if defined(__cpp_exceptions)
TEST_CASE("too little room is misuse") {
  CHECK_THROWS_AS(markdown_text(Run(), markdown_least_bytes - 1), Misuse);
}
#endif
