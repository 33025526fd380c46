#include "assay/suite/runner.hpp"

#include <atomic>
#include <cfenv>
#include <cstddef>
#include <functional>
#include <new>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "assay/core/misuse.hpp"
#include "assay/suite/seed.hpp"
#include "testing/catch.hpp"

#if defined(__unix__) || defined(__APPLE__)
#include <sys/wait.h>
#include <unistd.h>
#endif

namespace {

using assay::Case;
using assay::CaseContext;
using assay::Outcome;
using assay::Run;
using assay::RunOptions;
using assay::Suite;
using assay::Verdict;

Case case_of(const std::string& id, std::function<Outcome(const CaseContext&)> run) {
  Case entry;
  entry.id = id;
  entry.labels = {{"operation", "test"}, {"data", id}};
  entry.run = std::move(run);
  return entry;
}

Outcome with(Verdict verdict, const std::string& reason = {}) {
  Outcome outcome;
  outcome.verdict = verdict;
  outcome.reason = reason;
  return outcome;
}

Case passing(const std::string& id) {
  return case_of(id, [](const CaseContext&) { return with(Verdict::pass); });
}

std::vector<std::size_t> all_of(const Suite& suite) {
  std::vector<std::size_t> chosen(suite.size());
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  return chosen;
}

/// Writes down what it is told, and whether two calls ever overlapped.
struct Recorder {
  std::vector<std::string> calls;
  std::size_t outcomes_at_finish = 0;
  std::atomic<int> inside{0};
  std::atomic<bool> overlapped{false};

  void note(const std::string& what) {
    if (++inside != 1) overlapped = true;
    calls.push_back(what);
    std::this_thread::yield();
    --inside;
  }
  void started(const Run& run) {
    note("started " + std::to_string(run.planned_cases) + "/" + std::to_string(run.outcomes.size()));
  }
  void case_started(const std::string& id) { note("case " + id); }
  void case_finished(const Outcome& outcome) {
    note("done " + outcome.id + " " + std::string(name_of(outcome.verdict)));
  }
  void finished(const Run& run) {
    outcomes_at_finish = run.outcomes.size();
    note("finished");
  }
};

Run run_all(const Suite& suite, const RunOptions& options = {}) {
  assay::NullObserver observer;
  return run_suite(suite, all_of(suite), options, {}, observer);
}

Outcome run_one(Case entry) {
  return run_all({std::move(entry)}).outcomes.at(0);
}

}  // namespace

TEST_CASE("a run carries what it was told and completes its outcomes", "[suite]") {
  RunOptions options;
  options.seed = 7;
  options.repetitions = 3;
  options.title = "nightly";
  options.command = "assay run";
  options.reproduce_with = "assay run --tolerance strict";
  assay::Environment environment;
  environment.host_name = "somewhere";
  CaseContext seen;
  const Suite suite{case_of("a/b", [&](const CaseContext& context) {
    seen = context;
    return with(Verdict::pass);
  })};
  assay::NullObserver observer;
  const Run run = run_suite(suite, {0}, options, environment, observer);
  CHECK(run.title == "nightly");
  CHECK(run.command == "assay run");
  CHECK(run.seed == 7);
  CHECK(run.environment.host_name == "somewhere");
  CHECK(run.planned_cases == 1);
  CHECK(run.duration_seconds > 0);
  CHECK(run.exit_code() == 0);
  CHECK(seen.seed == assay::case_seed(7, "a/b"));
  CHECK(seen.repetitions == 3);
  const Outcome& outcome = run.outcomes.at(0);
  CHECK(outcome.id == "a/b");
  CHECK(outcome.verdict == Verdict::pass);
  CHECK(outcome.reason.empty());
  CHECK(outcome.label("data") == "a/b");
  CHECK(outcome.seed == seen.seed);
  CHECK(outcome.duration_seconds > 0);
  CHECK(outcome.reproduce == "assay run --tolerance strict --only 'a/b' --seed 7 --repeat 3");
}

TEST_CASE("the command that runs a case again holds in a shell, whatever its id", "[suite]") {
  const Suite suite{passing("a/it's $HOME")};
  RunOptions options;
  options.reproduce_with = "assay run";
  Recorder recorder;
  const Run run = run_suite(suite, all_of(suite), options, {}, recorder);
  CHECK(run.outcomes.at(0).reproduce == "assay run --only 'a/it'\\''s $HOME' --seed 0");
}

TEST_CASE("what a case has filled in stays", "[suite]") {
  const Outcome outcome = run_one(case_of("a", [](const CaseContext&) {
    Outcome own = with(Verdict::fail, "off by one");
    own.id = "a";
    own.labels = {{"data", "mine"}};
    own.seed = 5;
    own.duration_seconds = 123;
    own.reproduce = "do it again";
    return own;
  }));
  CHECK(outcome.verdict == Verdict::fail);
  CHECK(outcome.reason == "off by one");
  CHECK(outcome.label("data") == "mine");
  CHECK(outcome.label("operation") == "test");
  CHECK(outcome.seed == 5);
  CHECK(outcome.duration_seconds == 123);
  CHECK(outcome.reproduce == "do it again");
}

TEST_CASE("an exception is an error with its message, and the run goes on", "[suite]") {
  struct Odd {};
  const Suite suite{
      case_of("logic", [](const CaseContext&) -> Outcome { throw std::runtime_error("the device is on fire"); }),
      case_of("memory", [](const CaseContext&) -> Outcome { throw std::bad_alloc(); }),
      case_of("misuse", [](const CaseContext&) -> Outcome { assay::misuse("m is -1"); }),
      case_of("odd", [](const CaseContext&) -> Outcome { throw Odd{}; }),
      case_of("mute", [](const CaseContext&) -> Outcome { throw std::runtime_error(""); }),
      passing("last")};
  const Run run = run_all(suite);
  REQUIRE(run.outcomes.size() == 6);
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(run.outcomes[i].verdict == Verdict::error);
    CHECK(run.outcomes[i].id == suite[i].id);
    CHECK(run.outcomes[i].label("operation") == "test");
    CHECK(run.outcomes[i].seed == assay::case_seed(0, suite[i].id));
  }
  CHECK(run.outcomes[0].reason == "the case threw an exception: the device is on fire");
  CHECK(run.outcomes[1].reason.find("std::bad_alloc") != std::string::npos);
  CHECK(run.outcomes[2].reason == "the case threw an exception: m is -1");
  CHECK(run.outcomes[3].reason == "the case threw something that is not a std::exception");
  CHECK(run.outcomes[4].reason == "the case threw an exception without a message");
  CHECK(run.outcomes[5].verdict == Verdict::pass);
  CHECK(run.exit_code() == 1);
}

TEST_CASE("an outcome other than a pass needs a reason", "[suite]") {
  for (const Verdict verdict : {Verdict::fail, Verdict::error, Verdict::inconclusive}) {
    const Outcome outcome = run_one(case_of("a", [=](const CaseContext&) { return with(verdict); }));
    CHECK(outcome.verdict == verdict);
    CHECK(outcome.reason == "no reason given");
  }
  for (const Verdict verdict : {Verdict::skipped, Verdict::unsupported, Verdict::new_baseline}) {
    const Outcome mute = run_one(case_of("a", [=](const CaseContext&) { return with(verdict); }));
    CHECK(mute.verdict == Verdict::error);
    CHECK(mute.reason.find("no reason given for '" + std::string(name_of(verdict)) + "'") == 0);
    const Outcome outcome = run_one(case_of("a", [=](const CaseContext&) { return with(verdict, "because"); }));
    CHECK(outcome.verdict == verdict);
    CHECK(outcome.reason == "because");
  }
  CHECK(run_one(case_of("a", [](const CaseContext&) { return Outcome{}; })).verdict == Verdict::inconclusive);
}

TEST_CASE("an outcome with another case's id is an error of this case", "[suite]") {
  const Outcome outcome = run_one(case_of("mine", [](const CaseContext&) {
    Outcome foreign = with(Verdict::pass);
    foreign.id = "yours";
    return foreign;
  }));
  CHECK(outcome.id == "mine");
  CHECK(outcome.verdict == Verdict::error);
  CHECK(outcome.reason.find("'yours'") != std::string::npos);
}

TEST_CASE("outcomes stand in the order of the suite, for any choice and number of jobs", "[suite]") {
  Suite suite;
  for (int i = 0; i < 200; ++i)
    suite.push_back(case_of(std::to_string(i), [i](const CaseContext&) {
      for (int turn = 0; turn < (i % 7) * 3; ++turn) std::this_thread::yield();
      return with(i % 10 == 3 ? Verdict::fail : Verdict::pass, i % 10 == 3 ? "three" : "");
    }));
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < 200; i += 2) chosen.push_back(199 - i);
  for (const unsigned jobs : {1u, 4u, 1000u}) {
    RunOptions options;
    options.jobs = jobs;
    Recorder recorder;
    const Run run = run_suite(suite, chosen, options, {}, recorder);
    REQUIRE(run.outcomes.size() == 100);
    for (std::size_t i = 0; i < 100; ++i) {
      CHECK(run.outcomes[i].id == std::to_string(2 * i + 1));
      CHECK((run.outcomes[i].verdict == Verdict::fail) == ((2 * i + 1) % 10 == 3));
    }
    CHECK(run.count(Verdict::fail) == 20);
    CHECK_FALSE(recorder.overlapped);
    CHECK(recorder.calls.size() == 202);
    CHECK(recorder.calls.front() == "started 100/0");
    CHECK(recorder.calls.back() == "finished");
    CHECK(recorder.outcomes_at_finish == 100);
  }
}

TEST_CASE("four jobs run four cases at the same time", "[suite]") {
  std::atomic<int> waiting{0};
  Suite suite;
  for (int i = 0; i < 4; ++i)
    suite.push_back(case_of(std::to_string(i), [&](const CaseContext&) {
      ++waiting;
      while (waiting < 4) std::this_thread::yield();
      return with(Verdict::pass);
    }));
  RunOptions options;
  options.jobs = 4;
  CHECK(run_all(suite, options).count(Verdict::pass) == 4);
}

TEST_CASE("an observer hears of every case, in order if one runs at a time", "[suite]") {
  const Suite suite{passing("a"), case_of("b", [](const CaseContext&) { return with(Verdict::fail, "no"); }),
                    passing("c")};
  Recorder recorder;
  static_cast<void>(run_suite(suite, {2, 1}, {}, {}, recorder));
  CHECK(recorder.calls ==
        std::vector<std::string>{"started 2/0", "case b", "done b fail", "case c", "done c pass", "finished"});
}

TEST_CASE("after a stop request running cases end, the rest stays unrun, and what ran is kept", "[suite]") {
  std::atomic<bool> stop{false};
  Suite suite{passing("0"), passing("1"),
              case_of("2",
                      [&](const CaseContext&) {
                        stop = true;
                        return with(Verdict::pass);
                      }),
              passing("3"), passing("4")};
  RunOptions options;
  options.stop = &stop;
  Recorder recorder;
  const Run run = run_suite(suite, all_of(suite), options, {}, recorder);
  CHECK(run.planned_cases == 5);
  REQUIRE(run.outcomes.size() == 3);
  CHECK(run.outcomes[2].id == "2");
  CHECK(run.cases_not_run == std::vector<std::string>{"3", "4"});
  CHECK(run.exit_code() == 2);
  CHECK(recorder.calls.back() == "finished");
  CHECK(recorder.outcomes_at_finish == 3);
  options.jobs = 3;
  const Run nothing = run_suite(suite, all_of(suite), options, {}, recorder);
  CHECK(nothing.outcomes.empty());
  CHECK(nothing.planned_cases == 5);
}

TEST_CASE("an exception out of an observer ends the run and reaches the caller", "[suite]") {
  struct Fragile {
    std::atomic<int> finished_cases{0};
    void started(const Run&) {}
    void case_started(const std::string&) {}
    void case_finished(const Outcome&) {
      if (++finished_cases == 2) throw std::runtime_error("the disk is full");
    }
    void finished(const Run&) {}
  };
  Suite suite;
  for (int i = 0; i < 50; ++i) suite.push_back(passing(std::to_string(i)));
  for (const unsigned jobs : {1u, 4u}) {
    Fragile observer;
    RunOptions options;
    options.jobs = jobs;
    CHECK_THROWS_WITH(run_suite(suite, all_of(suite), options, {}, observer), "the disk is full");
    CHECK(observer.finished_cases < 50);
  }
}

#if defined(__unix__) || defined(__APPLE__)
TEST_CASE("a process that a case forks ends where the case returns", "[suite]") {
  const ::pid_t process = ::getpid();
  ::pid_t forked = -1;
  const Run run = run_all({case_of("forks", [&](const CaseContext&) {
    forked = ::fork();
    return with(Verdict::pass);
  })});
  if (::getpid() != process) ::_exit(1);  // it came too far
  CHECK(run.count(Verdict::pass) == 1);
  int status = -1;
  REQUIRE(::waitpid(forked, &status, 0) == forked);
  CHECK(status == 0);
}
#endif

TEST_CASE("a case that changes the rounding mode is told of, and the next one runs as if nothing had happened",
          "[suite]") {
  int rounding_of_next = -1;
  const Suite suite{case_of("rude",
                            [](const CaseContext&) {
                              std::fesetround(FE_UPWARD);
                              return with(Verdict::pass);
                            }),
                    case_of("next", [&](const CaseContext&) {
                      rounding_of_next = std::fegetround();
                      return with(Verdict::pass);
                    })};
  const Run run = run_all(suite);
  REQUIRE(run.outcomes[0].diagnosis.size() == 1);
  CHECK(run.outcomes[0].diagnosis[0].find("floating-point environment changed (it rounds upward); it was restored") !=
        std::string::npos);
  CHECK(run.outcomes[1].diagnosis.empty());
  CHECK(rounding_of_next == FE_TONEAREST);
  CHECK(std::fegetround() == FE_TONEAREST);
}

TEST_CASE("cases run in the default environment and the caller's own is given back", "[suite]") {
  std::fesetround(FE_DOWNWARD);
  int rounding_inside = -1;
  const Suite suite{case_of("a", [&](const CaseContext&) {
    rounding_inside = std::fegetround();
    return with(Verdict::pass);
  })};
  const Run run = run_all(suite);
  const int rounding_after = std::fegetround();
  std::fesetround(FE_TONEAREST);
  CHECK(rounding_inside == FE_TONEAREST);
  CHECK(rounding_after == FE_DOWNWARD);
  CHECK(run.outcomes[0].diagnosis.empty());
}

TEST_CASE("a suite or a choice that contradicts itself is misuse", "[suite]") {
  assay::NullObserver observer;
  const auto run = [&](const Suite& suite, const std::vector<std::size_t>& chosen, const RunOptions& options = {}) {
    static_cast<void>(run_suite(suite, chosen, options, {}, observer));
  };
  const Suite good{passing("a"), passing("b")};
  CHECK_THROWS_AS(run({passing("a"), passing("b"), passing("a")}, {1}), assay::Misuse);
  CHECK_THROWS_WITH(run({passing("a"), passing("a")}, {0}), "two cases of the suite have the id 'a'; ids are unique");
  CHECK_THROWS_AS(run({passing("")}, {0}), assay::Misuse);
  CHECK_THROWS_AS(run({case_of("a", nullptr)}, {0}), assay::Misuse);
  CHECK_THROWS_AS(run(good, {2}), assay::Misuse);
  CHECK_THROWS_AS(run(good, {0, 0}), assay::Misuse);
  RunOptions options;
  options.jobs = 0;
  CHECK_THROWS_AS(run(good, {0}, options), assay::Misuse);
  options = {};
  options.repetitions = 0;
  CHECK_THROWS_AS(run(good, {0}, options), assay::Misuse);
  CHECK_NOTHROW(run(good, {0, 1}));
}

TEST_CASE("a failing case runs again with its seed to measure how often it fails, and stays failed", "[suite]") {
  std::vector<std::uint64_t> seeds;
  std::atomic<bool> stop{false};
  RunOptions options;
  options.seed = 3;
  options.retries = 3;
  options.stop = &stop;
  int failures = 1;
  bool throws = false;
  bool stops = false;
  const auto run = [&] {
    seeds.clear();
    return run_all({case_of("moody",
                            [&](const CaseContext& context) {
                              seeds.push_back(context.seed);
                              if (stops) stop = true;
                              const bool fails = static_cast<int>(seeds.size()) <= failures;
                              if (fails && throws) throw std::runtime_error("attempt " + std::to_string(seeds.size()));
                              Outcome outcome = with(fails ? Verdict::fail : Verdict::pass,
                                                     fails ? "attempt " + std::to_string(seeds.size()) : "");
                              if (fails) outcome.diagnosis = {"K tail"};
                              return outcome;
                            })},
                   options)
        .outcomes.at(0);
  };
  SECTION("now and then") {
    const Outcome outcome = run();
    CHECK(outcome.verdict == Verdict::fail);
    CHECK(outcome.reason == "attempt 1");
    CHECK(outcome.measurement("attempts") == 4);
    CHECK(outcome.measurement("failure_rate") == 0.25);
    CHECK(outcome.diagnosis == std::vector<std::string>{"failed in 1 of 4 attempts: intermittent", "K tail"});
    CHECK(seeds == std::vector<std::uint64_t>(4, assay::case_seed(3, "moody")));
  }
  SECTION("always") {
    failures = 100;
    const Outcome outcome = run();
    CHECK(outcome.measurement("failure_rate") == 1);
    CHECK(outcome.diagnosis == std::vector<std::string>{"K tail", "failed in all 4 attempts"});
  }
  SECTION("by exceptions") {
    throws = true;
    failures = 2;
    const Outcome outcome = run();
    CHECK(outcome.verdict == Verdict::error);
    CHECK(outcome.reason == "the case threw an exception: attempt 1");
    CHECK(outcome.measurement("failure_rate") == 0.5);
  }
  SECTION("never") {
    failures = 0;
    const Outcome outcome = run();
    CHECK(seeds.size() == 1);
    CHECK(outcome.measurements.empty());
    CHECK(outcome.diagnosis.empty());
  }
  SECTION("once, as the run is stopped") {
    stops = true;
    const Outcome outcome = run();
    CHECK(seeds.size() == 1);
    CHECK(outcome.verdict == Verdict::fail);
    CHECK(outcome.measurement("attempts") == 1);
    CHECK(outcome.diagnosis.back() == "it was not tried again: the run was stopped");
  }
  SECTION("without retries") {
    options.retries = 0;
    const Outcome outcome = run();
    CHECK(seeds.size() == 1);
    CHECK(outcome.measurements.empty());
    CHECK(outcome.diagnosis == std::vector<std::string>{"K tail"});
  }
}

TEST_CASE("what is neither failed nor passed is not tried again", "[suite]") {
  for (const Verdict verdict : {Verdict::inconclusive, Verdict::skipped, Verdict::unsupported, Verdict::new_baseline}) {
    int calls = 0;
    RunOptions options;
    options.retries = 5;
    const Run run = run_all({case_of("a",
                                     [&](const CaseContext&) {
                                       ++calls;
                                       return with(verdict, "because");
                                     })},
                            options);
    CHECK(calls == 1);
    CHECK(run.outcomes.at(0).measurements.empty());
  }
}
