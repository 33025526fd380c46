#include "assay/report/console.hpp"

#include <functional>
#include <thread>

#include "report/sample_run.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

/// What the action prints.
std::string printed(const ConsoleOptions& options, const std::function<void(Console&)>& action) {
  std::FILE* file = std::tmpfile();
  REQUIRE(file != nullptr);
  {
    Console console(file, options);
    action(console);
  }
  std::string text(static_cast<std::size_t>(std::ftell(file)), '\0');
  std::rewind(file);
  REQUIRE(std::fread(text.data(), 1, text.size(), file) == text.size());
  std::fclose(file);
  return text;
}

std::string printed_run(const Run& run, ConsoleOptions options = {}) {
  return printed(options, [&](Console& console) {
    console.started(run);
    for (const Outcome& outcome : run.outcomes) {
      console.case_started(outcome.id);
      console.case_finished(outcome);
    }
    console.finished(run);
  });
}

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

}  // namespace

TEST_CASE("a file gets plain lines: no escapes, no rewriting, whatever the outcomes hold") {
  const std::string text = printed_run(sample_run());
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(text.find('\r') == std::string::npos);
  CHECK_THAT(text, contains("Default suite: 9 cases, seed 18446744073709551615\n"));
  CHECK_THAT(text, contains("unsupported:\n  1 × because of unsupported\n"));
  CHECK(text.substr(text.size() - closing_line(sample_run()).size() - 1) == closing_line(sample_run()) + "\n");
}

TEST_CASE("a failure is told when it occurs, with its cause and how to see it again") {
  const std::string text = printed({}, [](Console& console) {
    Outcome outcome = sample_failure();
    outcome.diagnosis.push_back("a fourth line");
    console.case_finished(outcome);
  });
  CHECK(
      text ==
      "fail gemm/onednn/bf16-f32-bf16/512x768x14336/normal\n"
      "  129 of 393216 elements lie outside their acceptance interval; the worst is 41.7 times the allowed error away\n"
      "  · all violations lie in columns 704–767, the last tile of 64: an N tail\n"
      "  · the errors have the size of one dropped product: a k index skipped\n"
      "  · two runs gave equal bits: not a race\n"
      "  · and 1 more, in the report\n"
      "  again: assay run --only gemm/onednn/bf16-f32-bf16/512x768x14336/normal\n");
}

TEST_CASE("undecided cases are counted by reason, not listed among the failures") {
  Run run;
  run.planned_cases = 3;
  for (const char* id : {"a", "b", "c"}) {
    Outcome outcome;
    outcome.id = id;
    outcome.verdict = Verdict::inconclusive;
    outcome.reason = "no bound holds";
    run.outcomes.push_back(outcome);
  }
  const std::string text = printed_run(run);
  CHECK_THAT(text, contains("inconclusive:\n  3 × no bound holds\n"));
  CHECK(occurrences(text, "no bound holds") == 1);
}

TEST_CASE("a pass is told in verbose mode only") {
  const auto finish = [](Console& console) { console.case_finished(sample_outcome("the/id", Verdict::pass)); };
  CHECK(printed({}, finish).empty());
  ConsoleOptions verbose;
  verbose.verbosity = Verbosity::verbose;
  CHECK(printed(verbose, finish) == "pass the/id  12.5 ms\n");
  CHECK_THAT(printed(verbose, [](Console& console) { console.case_finished(sample_failure()); }),
             contains("accept iff out"));
}

TEST_CASE("quiet tells findings and the closing line") {
  Run run;
  run.outcomes = {sample_outcome("a", Verdict::pass), sample_outcome("b", Verdict::fail),
                  sample_outcome("c", Verdict::unsupported)};
  ConsoleOptions quiet;
  quiet.verbosity = Verbosity::quiet;
  quiet.terminal = true;
  quiet.color = false;
  CHECK(printed_run(run, quiet) ==
        "failed: openblas (1 of 2 cases)\n1 × gemm on openblas: because of fail\n  assay run --only b\n"
        "3 cases: 1 passed, 1 failed, 1 unsupported in 0 s\n");
  run.outcomes[1] = sample_outcome("b", Verdict::inconclusive);
  CHECK(printed_run(run, quiet) == "3 cases: 1 passed, 0 failed, 1 inconclusive, 1 unsupported in 0 s\n");
  run.require_conclusive = true;
  CHECK(printed_run(run, quiet) ==
        "\ninconclusive:\n  1 × because of inconclusive\n3 cases: 1 passed, 0 failed, 1 inconclusive, 1 unsupported in "
        "0 s; "
        "what is inconclusive counts as failed, since every case was to decide\n");
}

TEST_CASE("on a terminal one line of progress names the case that runs, and leaves no trace") {
  Run run;
  run.planned_cases = 3;
  ConsoleOptions options;
  options.terminal = true;
  options.color = false;
  const std::string text = printed(options, [&](Console& console) {
    console.started(run);
    console.case_started("first/case");
    console.case_started("second/case");
    console.case_finished(sample_outcome("first/case", Verdict::pass));
    console.case_started("third/case");
    console.finished(run);
  });
  CHECK_THAT(text, contains("\r\x1b[2K0/3  first/case"));
  CHECK_THAT(text, contains("first/case and 1 more"));
  CHECK_THAT(text, contains("\r\x1b[2K1/3  "));
  const std::string after_last_drawing = text.substr(text.rfind("\r\x1b[2K"));
  CHECK(after_last_drawing == "\r\x1b[2K\n0 cases in 0 s; cut short: 3 of 3 planned cases did not run\n");
}

TEST_CASE("the line of progress is never wider than the terminal") {
  ConsoleOptions options;
  options.terminal = true;
  options.color = false;
  const std::string text = printed(options, [](Console& console) { console.case_started(std::string(500, 'x')); });
  CHECK(display_width(text) == 79 + std::string("\r\x1b[2K").size());
}

TEST_CASE("on a terminal the clock moves while nothing happens, and the case that hangs stays named") {
  Run run;
  run.planned_cases = 2;
  ConsoleOptions options;
  options.terminal = true;
  options.color = false;
  const std::string text = printed(options, [&](Console& console) {
    console.started(run);
    console.case_started("the/hanging/case");
    std::this_thread::sleep_for(std::chrono::milliseconds(1300));
  });
  CHECK_THAT(text, contains("\r\x1b[2K0/2  1 s  the/hanging/case"));
}

TEST_CASE("a file hears of a long run now and then, in plain lines; a quiet run says nothing") {
  Run run;
  run.planned_cases = 2;
  ConsoleOptions options;
  options.heartbeat = std::chrono::milliseconds(20);
  const auto hang = [&](Console& console) {
    console.started(run);
    console.case_started("the/hanging/case");
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  };
  const std::string text = printed(options, hang);
  CHECK_THAT(text, contains("\n0/2  the/hanging/case\n"));
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(text.find('\r') == std::string::npos);
  options.verbosity = Verbosity::quiet;
  CHECK(printed(options, hang).empty());
}

TEST_CASE("on a terminal passes redraw the line at most ten times a second, starts at once") {
  Run run;
  run.planned_cases = 1000;
  ConsoleOptions options;
  options.terminal = true;
  options.color = false;
  double seconds = 0;
  const std::string text = printed(options, [&](Console& console) {
    console.started(run);
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < 1000; ++i) console.case_finished(sample_outcome("case", Verdict::pass));
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    console.case_started("the/next");
  });
  CHECK(static_cast<double>(occurrences(text, "\r\x1b[2K")) <= 10 * seconds + 3);
  CHECK_THAT(text, contains("\r\x1b[2K1000/1000  "));
  CHECK_THAT(text, contains("the/next"));
}

TEST_CASE("colors come when asked for, and only then") {
  ConsoleOptions options;
  options.color = true;
  CHECK_THAT(printed_run(sample_run(), options), contains("\x1b[31mfail\x1b[0m"));
  options.color = false;
  options.terminal = true;
  CHECK(printed_run(sample_run(), options).find("\x1b[31m") == std::string::npos);
}

TEST_CASE("long lists are bounded and say what they leave out") {
  Run run;
  for (int i = 0; i < 50; ++i) {
    run.outcomes.push_back(sample_outcome("f" + std::to_string(i), Verdict::fail));
    run.outcomes.push_back(sample_outcome("u" + std::to_string(i), Verdict::unsupported));
    run.outcomes.back().reason = "reason " + std::to_string(i);
  }
  const std::string text = printed(ConsoleOptions{}, [&](Console& console) { console.finished(run); });
  CHECK_THAT(text, contains("50 × gemm on openblas: because of fail\n  assay run --only f0\n"));
  CHECK(occurrences(text, "because of fail") == 1);
  CHECK_THAT(text, contains("and 40 other reasons\n"));
}

TEST_CASE("a table that is too long folds its formats") {
  Run run;
  for (std::size_t i = 0; i < rows_at_a_glance; ++i)
    run.outcomes.push_back(sample_outcome("id", Verdict::pass, "host", "format " + std::to_string(i)));
  const auto text = [&] { return printed(ConsoleOptions{}, [&](Console& console) { console.finished(run); }); };
  CHECK(occurrences(text(), "format ") == rows_at_a_glance);
  run.outcomes.push_back(sample_outcome("id", Verdict::pass, "host", "another"));
  CHECK_THAT(text(), contains(std::to_string(rows_at_a_glance + 1) + " formats") && !contains("format 1"));
}

TEST_CASE("of failures of one cause the first is told, of many causes a few, and in verbose mode all") {
  const auto fail = [](Console& console, const char* reason) {
    Outcome outcome = sample_outcome("case", Verdict::fail);
    outcome.reason = reason;
    console.case_finished(outcome);
  };
  const auto action = [&](Console& console) {
    for (const char* reason : {"a 1", "a 2", "b", "c", "d", "e", "f", "g", "g"}) fail(console, reason);
  };
  const std::string text = printed({}, action);
  CHECK(occurrences(text, "fail case\n") == 5);
  CHECK(occurrences(text, "further failures are counted, and grouped at the end\n") == 1);
  ConsoleOptions verbose;
  verbose.verbosity = Verbosity::verbose;
  CHECK(occurrences(printed(verbose, action), "fail case\n") == 9);
}

TEST_CASE("findings stand at the end, in few lines, whatever has failed") {
  Run run = large_run(3000);
  for (std::size_t i = 0; i < run.outcomes.size(); ++i)
    run.outcomes[i].labels["operation"] = "operation " + std::to_string(i % 100 + i / 100);
  const std::string text = printed({}, [&](Console& console) { console.finished(run); });
  const std::size_t begin = text.rfind("\npassed: ");
  REQUIRE(begin != std::string::npos);
  CHECK(occurrences(text.substr(begin + 1), "\n") <= 25 + 2);  // and an empty line and the closing one
  CHECK_THAT(text, contains("more findings, of "));
}

TEST_CASE("a locale without letters beyond ASCII gets none") {
  ConsoleOptions options;
  options.ascii = true;
  for (const char letter : printed_run(sample_run(), options)) CHECK((letter & 0x80) == 0);
}

TEST_CASE("cases may finish on several threads") {
  ConsoleOptions verbose;
  verbose.verbosity = Verbosity::verbose;
  const std::string text = printed(verbose, [](Console& console) {
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 4; ++thread)
      threads.emplace_back([&console] {
        for (int i = 0; i < 100; ++i) {
          console.case_started("same");
          console.case_finished(sample_outcome("same", Verdict::error));
        }
      });
    for (std::thread& thread : threads) thread.join();
  });
  CHECK(occurrences(text, "error same\n  because of error\n  again: assay run --only same\n") == 400);
}
