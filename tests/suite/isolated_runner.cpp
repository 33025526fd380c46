#include "assay/suite/isolated_runner.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "assay/suite/detail/outcome_codec.hpp"
#include "assay/suite/serve_cases.hpp"
#include "suite/misbehaving_cases.hpp"
#include "testing/catch.hpp"
#include "testing/under_sanitizer.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

/// The path instead of "/proc/self/exe", which is another program under valgrind.
const std::vector<std::string> this_program{std::filesystem::read_symlink("/proc/self/exe"),
                                            "serves the misbehaving suite to a runner"};

std::vector<std::size_t> all_of(const Suite& suite) {
  std::vector<std::size_t> chosen(suite.size());
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  return chosen;
}

Run run_all(const Suite& suite, const RunOptions& options = {}, const IsolationOptions& isolation = {}) {
  NullObserver observer;
  return run_isolated(suite, all_of(suite), options, isolation, {}, observer);
}

Outcome run_one(Case entry, const RunOptions& options = {}, const IsolationOptions& isolation = {}) {
  return run_all({std::move(entry)}, options, isolation).outcomes.at(0);
}

/// What must not depend on where a case ran.
std::string timeless(Outcome outcome) {
  outcome.duration_seconds = 0;
  return detail::encode_outcome(outcome);
}

struct Recorder {
  std::vector<std::string> calls;
  void started(const Run& run) { calls.push_back("started " + std::to_string(run.planned_cases)); }
  void case_started(const std::string& id) { calls.push_back("case " + id); }
  void case_finished(const Outcome& outcome) { calls.push_back("done " + outcome.id); }
  void finished(const Run& run) { calls.push_back("finished " + std::to_string(run.outcomes.size())); }
};

/// Sanitizers turn the signals of faults into exit codes.
bool ended_as(const Outcome& outcome, const std::string& wanted) {
  const std::string ended = outcome.label("ended");
  return ended == wanted ||
         (under_sanitizer() && wanted.rfind("signal", 0) == 0 && ended.rfind("exit ", 0) == 0 && ended != "exit 0");
}

}  // namespace

TEST_CASE("serves the misbehaving suite to a runner", "[.worker]") {
  if (const auto served = serve_cases(misbehaving_suite()); !served) FAIL(served.error().message);
}

TEST_CASE("kernels that misbehave cost themselves and no other", "[suite][isolation]") {
  Suite suite = misbehaving_suite();
  suite.pop_back();  // the glutton
  RunOptions options;
  options.seed = 11;
  options.repetitions = 2;
  options.reproduce_with = "assay run";
  IsolationOptions isolation;
  isolation.timeout_seconds = under_sanitizer() ? 20 : 2;  // they take their time to describe a fault
  const bool executed = GENERATE(false, true);
  if (executed) isolation.command = this_program;
  options.jobs = GENERATE(1u, 4u);
  CAPTURE(executed, options.jobs);

  Recorder recorder;
  const Run run = run_isolated(suite, all_of(suite), options, isolation, {}, recorder);
  REQUIRE(run.outcomes.size() == suite.size());
  CHECK(recorder.calls.size() == 2 * suite.size() + 2);
  CHECK(recorder.calls.front() == "started " + std::to_string(suite.size()));
  CHECK(recorder.calls.back() == "finished " + std::to_string(suite.size()));

  std::size_t next_misbehavior = 0;
  for (std::size_t i = 0; i < suite.size(); ++i) {
    const Outcome& outcome = run.outcomes[i];
    CAPTURE(outcome.id, outcome.reason, outcome.diagnosis);
    CHECK(outcome.id == suite[i].id);
    CHECK(outcome.seed == case_seed(11, suite[i].id));
    CHECK(outcome.label("operation") == "test");
    CHECK(outcome.reproduce == "assay run --only '" + outcome.id + "' --seed 11 --repeat 2");
    if (outcome.id.rfind("good/", 0) == 0) {
      Suite alone{suite[i]};
      NullObserver observer;
      CHECK(timeless(outcome) == timeless(run_suite(alone, options, {}, observer).outcomes.at(0)));
      continue;
    }
    const Misbehavior& misbehavior = misbehaviors().at(next_misbehavior++);
    if (misbehavior.ended == nullptr) {
      const bool throws = std::string(misbehavior.name) == "throw";
      CHECK(outcome.verdict == (throws ? Verdict::error : Verdict::pass));
      CHECK(outcome.label("ended").empty());
      continue;
    }
    CHECK(outcome.verdict == Verdict::error);
    CHECK(ended_as(outcome, misbehavior.ended));
    CHECK(outcome.duration_seconds > 0);
    if (outcome.label("ended") == "signal 11") {
      CHECK(outcome.measurement("signal") == 11);
      CHECK_THAT(outcome.reason, contains("signal 11 (SIGSEGV: invalid memory access"));
    }
    if (outcome.label("ended") == "exit 3") CHECK(outcome.measurement("exit_code") == 3);
    if (outcome.label("ended") == "timeout")
      CHECK_THAT(outcome.reason, contains(under_sanitizer() ? "within 20 s" : "within 2 s"));
  }
  CHECK(next_misbehavior == misbehaviors().size());
}

TEST_CASE("a process that a case leaves behind does not hide that a later case closes the channel",
          "[suite][isolation]") {
  Suite suite;
  for (const char* const name : {"fork", "close all and hang"})
    for (const Misbehavior& entry : misbehaviors())
      if (std::string(entry.name) == name) suite.push_back(bad_case(entry));
  IsolationOptions isolation;
  isolation.timeout_seconds = 20;
  const Run run = run_all(suite, {}, isolation);
  REQUIRE(run.outcomes.size() == 2);
  CHECK(run.outcomes[0].verdict == Verdict::pass);
  CHECK(run.outcomes[1].label("ended") == "channel");
}

TEST_CASE("a case that eats memory is stopped at the limit", "[suite][isolation]") {
  const Suite suite = misbehaving_suite();
  const std::size_t last = suite.size() - 1;
  IsolationOptions isolation;
  isolation.memory_bytes = std::size_t{256} << 20;
  if (GENERATE(false, true)) isolation.command = this_program;
  NullObserver observer;
  const Run run = run_isolated(suite, {0, last - 1, last}, {}, isolation, {}, observer);
  REQUIRE(run.outcomes.size() == 3);
  CHECK(run.outcomes[0].label("ended").empty());
  CHECK(run.outcomes[1].label("ended").empty());
  CHECK(run.outcomes[2].verdict == Verdict::error);
  CHECK(run.outcomes[2].label("ended") == "memory");
  CHECK_THAT(run.outcomes[2].reason, contains("more than the limit of 256 MiB"));
}

TEST_CASE("the last that a crashed case printed is told, printable and not without end", "[suite][isolation]") {
  const Suite suite = misbehaving_suite();
  const auto find = [&](const std::string& id) {
    for (const Case& entry : suite)
      if (entry.id == id) return entry;
    throw std::out_of_range(id);
  };
  IsolationOptions isolation;
  SECTION("a line") {
    isolation.output_tail_bytes = std::size_t{1} << 20;  // a sanitizer's description of the fault may follow
    const Outcome outcome = run_one(find("bad/segfault"), {}, isolation);
    REQUIRE(outcome.tables.size() == 1);
    CHECK(outcome.tables[0].title == "last output");
    CHECK(outcome.tables[0].rows.at(0).at(0) == "about to touch nothing");
  }
  SECTION("megabytes") {
    isolation.output_tail_bytes = 1000;
    const Outcome outcome = run_one(find("bad/print and crash"), {}, isolation);
    REQUIRE_FALSE(outcome.diagnosis.empty());
    if (!under_sanitizer()) CHECK(outcome.diagnosis[0] == "the last that it printed: the \\x1b[31mlast\\x1b[0m words");
    REQUIRE(outcome.tables.size() == 1);
    CHECK(outcome.tables[0].title == "last output (cut)");
    CHECK(outcome.tables[0].rows.size() >= 8);
    CHECK(outcome.tables[0].rows.size() <= 12);
    CHECK(outcome.tables[0].rows[0][0] == std::string(99, 'x'));
  }
  SECTION("nothing, though the case before in the same process did") {
    const Suite pair{case_of("chatty",
                             [](const CaseContext&) {
                               std::puts("hello");
                               return outcome_with(Verdict::pass);
                             }),
                     find("bad/_exit 3")};
    const Run run = run_all(pair, {}, isolation);
    CHECK(run.outcomes[0].verdict == Verdict::pass);
    CHECK(run.outcomes[0].tables.empty());
    CHECK(run.outcomes[1].tables.empty());
    REQUIRE(run.outcomes[1].diagnosis.size() == 2);
    CHECK(run.outcomes[1].diagnosis[0] == "it had printed nothing");
    CHECK(run.outcomes[1].diagnosis[1] == "its process had run 1 case before it, the last 'chatty'");
  }
}

TEST_CASE("a case that closes its output is told of, and the next one has it again", "[suite][isolation]") {
  const Suite suite{case_of("rude",
                            [](const CaseContext&) {
                              ::close(1);
                              return outcome_with(Verdict::pass);
                            }),
                    case_of("next", [](const CaseContext&) -> Outcome {
                      std::puts("I am here");
                      ::_exit(1);
                    })};
  const Run run = run_all(suite);
  REQUIRE(run.outcomes[0].diagnosis.size() == 1);
  CHECK(run.outcomes[0].verdict == Verdict::pass);
  CHECK_THAT(run.outcomes[0].diagnosis[0],
             contains("closed or replaced its process's standard output; it was restored"));
  CHECK(run.outcomes[1].diagnosis.at(0) == "the last that it printed: I am here");
}

TEST_CASE("isolated outcomes and their order are those of a run in this process", "[suite][isolation]") {
  Suite suite;
  for (int i = 0; i < 300; ++i) suite.push_back(good_case(i));
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < suite.size(); i += 2) chosen.push_back(suite.size() - 1 - i);
  RunOptions options;
  options.seed = 5;
  options.title = "nightly";
  options.command = "assay run --isolate";
  options.jobs = GENERATE(1u, 3u, 1000u);
  IsolationOptions isolation;
  isolation.recycle_after = GENERATE(std::size_t{0}, std::size_t{7});
  if (options.jobs == 1000) isolation.recycle_after = 1;
  Environment environment;
  environment.host_name = "somewhere";
  NullObserver observer;
  Recorder recorder;
  const Run here = run_suite(suite, chosen, options, environment, observer);
  const Run there = run_isolated(suite, chosen, options, isolation, environment, recorder);
  CHECK(there.title == "nightly");
  CHECK(there.command == "assay run --isolate");
  CHECK(there.seed == 5);
  CHECK(there.environment.host_name == "somewhere");
  CHECK(there.planned_cases == chosen.size());
  CHECK(there.duration_seconds > 0);
  REQUIRE(there.outcomes.size() == here.outcomes.size());
  for (std::size_t i = 0; i < here.outcomes.size(); ++i)
    CHECK(timeless(there.outcomes[i]) == timeless(here.outcomes[i]));
  CHECK(recorder.calls.size() == 2 * chosen.size() + 2);
}

TEST_CASE("one worker performs many cases, and is replaced when asked for", "[suite][isolation]") {
  Suite suite;
  for (int i = 0; i < 10; ++i)
    suite.push_back(case_of(std::to_string(i), [](const CaseContext&) {
      Outcome outcome = outcome_with(Verdict::pass);
      outcome.measure("process", ::getpid());
      return outcome;
    }));
  const auto distinct = [&](std::size_t recycle_after) {
    IsolationOptions isolation;
    isolation.recycle_after = recycle_after;
    std::set<double> processes;
    for (const Outcome& outcome : run_all(suite, {}, isolation).outcomes)
      processes.insert(outcome.measurement("process").value_or(0));
    CHECK(processes.count(::getpid()) == 0);
    return processes.size();
  };
  CHECK(distinct(0) == 1);
  CHECK(distinct(5) == 2);
  CHECK(distinct(4) == 3);
  CHECK(distinct(1) == 10);
}

TEST_CASE("an empty choice starts no worker and decides nothing", "[suite][isolation]") {
  Recorder recorder;
  const Run run = run_isolated({}, {}, {}, {}, {}, recorder);
  CHECK(run.outcomes.empty());
  CHECK(run.exit_code() == 2);
  CHECK(recorder.calls == std::vector<std::string>{"started 0", "finished 0"});
}

TEST_CASE("a command that serves no cases is told of, and not tried for ever", "[suite][isolation]") {
  Suite suite;
  for (int i = 0; i < 20; ++i) suite.push_back(good_case(i));
  IsolationOptions isolation;
  isolation.start_seconds = 0.5;
  std::string told;
  SECTION("it is not there") {
    isolation.command = {"/no/such/program"};
    told = "No such file or directory";
  }
  SECTION("it ends at once") {
    isolation.command = {"sh", "-c", "echo what is a worker; exit 4"};
    told = "it ended by exit code 4; the last that it printed: what is a worker";
  }
  SECTION("it does something else") {
    isolation.command = {"sleep", "600"};
    told = "it ended by timeout";
  }
  SECTION("it speaks another language") {
    isolation.command = {"sh", "-c", "eval \"echo GET / HTTP/1.1 >&$ASSAY_WORKER_CHANNEL\"; sleep 600"};
    told = "it ended by channel lost";
  }
  RunOptions options;
  options.jobs = 3;
  Recorder recorder;
  const Run run = run_isolated(suite, all_of(suite), options, isolation, {}, recorder);
  REQUIRE(run.outcomes.size() == 20);
  CHECK(run.count(Verdict::error) == 20);
  CHECK_THAT(
      run.outcomes[0].reason,
      matches("no case can be run: a worker, '.*', failed to start [3-5] times in a row, at last because (.|\n)*"));
  CHECK_THAT(run.outcomes[19].reason, contains(told));
  CHECK(run.outcomes[19].id == "good/19");
  CHECK(recorder.calls.size() == 42);
}

TEST_CASE("a command has variables of its own, instead of this process's and beside them", "[suite][isolation]") {
  REQUIRE(::setenv("ASSAY_TEST_SHARED", "inherited", 1) == 0);
  REQUIRE(::setenv("ASSAY_TEST_INHERITED", "inherited", 1) == 0);
  IsolationOptions isolation;
  isolation.command = {"sh", "-c", "echo $ASSAY_TEST_INHERITED $ASSAY_TEST_SHARED $ASSAY_TEST_OWN; exit 4"};
  isolation.environment = {"ASSAY_TEST_OWN=own=1", "ASSAY_TEST_SHARED=own"};
  const Outcome outcome = run_one(good_case(0), {}, isolation);
  CHECK_THAT(outcome.reason, contains("the last that it printed: inherited own own=1"));
}

TEST_CASE("an environment without a command is misuse", "[suite][isolation]") {
  IsolationOptions isolation;
  isolation.environment = {"OMP_NUM_THREADS=1"};
  CHECK_THROWS_WITH(run_one(good_case(0), {}, isolation),
                    contains("IsolationOptions::environment is set without a command"));
}

TEST_CASE("a worker with another suite gives an error for the case that it lacks", "[suite][isolation]") {
  Suite suite = misbehaving_suite();
  suite.insert(suite.begin() + 1, case_of("mine", [](const CaseContext&) { return outcome_with(Verdict::pass); }));
  suite.resize(3);
  IsolationOptions isolation;
  isolation.command = this_program;
  const Run run = run_all(suite, {}, isolation);
  CHECK(run.outcomes[0].verdict == Verdict::pass);
  CHECK(run.outcomes[1].verdict == Verdict::error);
  CHECK(run.outcomes[1].id == "mine");
  CHECK_THAT(run.outcomes[1].reason, contains("the worker's suite has no such case"));
  CHECK(run.outcomes[2].verdict == Verdict::fail);
}

TEST_CASE("a worker that dies between two cases is told of, and the next case runs in another", "[suite][isolation]") {
  const Suite suite{case_of("deafens its process",
                            [](const CaseContext&) {
                              misbehavior::to_all_descriptors([](int descriptor) { ::shutdown(descriptor, SHUT_RD); });
                              return outcome_with(Verdict::pass);
                            }),
                    good_case(0), good_case(2)};
  const Run run = run_all(suite);
  REQUIRE(run.outcomes.size() == 3);
  CHECK(run.count(Verdict::pass) == 3);
  CHECK(run.outcomes[0].diagnosis.empty());
  CHECK(run.outcomes[1].diagnosis ==
        std::vector<std::string>{"before this case began, the process that was to run it ended by exit code 0, after "
                                 "'deafens its process'; it ran in another"});
  CHECK(run.outcomes[2].diagnosis.empty());
}

TEST_CASE("retries measure a failure rate across crashes", "[suite][isolation]") {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);  // counts the attempts, which have no memory of each other
  REQUIRE(::fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0);
  const Suite suite{case_of("moody",
                            [&](const CaseContext&) {
                              char counted[16];
                              const auto earlier = ::read(ends[0], counted, sizeof counted);
                              const std::string all(static_cast<std::size_t>(earlier < 0 ? 1 : earlier + 1), 'x');
                              static_cast<void>(!::write(ends[1], all.data(), all.size()));
                              if (all.size() == 1) std::abort();
                              if (all.size() == 3) return outcome_with(Verdict::fail, "third time");
                              return outcome_with(Verdict::pass);
                            }),
                    case_of("hopeless", [](const CaseContext&) -> Outcome { ::_exit(2); }), good_case(0)};
  RunOptions options;
  options.retries = 3;
  const Run run = run_all(suite, options);
  CHECK(run.outcomes[0].verdict == Verdict::error);
  CHECK(run.outcomes[0].label("ended") == "signal 6");
  CHECK(run.outcomes[0].measurement("attempts") == 4);
  CHECK(run.outcomes[0].measurement("failure_rate") == 0.5);
  CHECK(run.outcomes[0].diagnosis.at(0) == "failed in 2 of 4 attempts: intermittent");
  CHECK(run.outcomes[1].measurement("failure_rate") == 1);
  CHECK(run.outcomes[1].diagnosis.back() == "failed in all 4 attempts");
  CHECK_FALSE(run.outcomes[2].measurement("attempts"));
  CHECK(run.exit_code() == 1);
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST_CASE("after a stop request running cases end and no other begins", "[suite][isolation]") {
  struct Stopper : Recorder {
    std::atomic<bool> stop{false};
    std::string at;
    void case_started(const std::string& id) {
      Recorder::case_started(id);
      if ("case " + id == at) stop = true;
    }
    void case_finished(const Outcome& outcome) {
      Recorder::case_finished(outcome);
      if ("done " + outcome.id == at) stop = true;
    }
  };
  Suite suite;
  for (int i = 0; i < 50; ++i) suite.push_back(good_case(i));
  Stopper observer;
  observer.at = GENERATE("case good/20", "done good/20");
  RunOptions options;
  options.stop = &observer.stop;
  const Run run = run_isolated(suite, all_of(suite), options, {}, {}, observer);
  CHECK(run.planned_cases == 50);
  REQUIRE(run.outcomes.size() == 21);
  CHECK(run.outcomes[20].id == "good/20");
  CHECK(run.exit_code() != 0);
  CHECK(observer.calls.back() == "finished 21");
  CHECK(observer.calls.size() == 2 + 2 * 21);
  options.jobs = 4;
  CHECK(run_isolated(suite, all_of(suite), options, {}, {}, observer).outcomes.empty());
}

TEST_CASE("a stop request cuts retries short and keeps the failure", "[suite][isolation]") {
  std::atomic<bool> stop{false};
  struct Stopper : NullObserver {
    std::atomic<bool>* stop;
    void case_started(const std::string&) { *stop = true; }
  } observer{{}, &stop};
  RunOptions options;
  options.stop = &stop;
  options.retries = 1000;
  const Suite suite{case_of("bad", [](const CaseContext&) { return outcome_with(Verdict::fail, "wrong"); })};
  const Run run = run_isolated(suite, {0}, options, {}, {}, observer);
  REQUIRE(run.outcomes.size() == 1);
  CHECK(run.outcomes[0].reason == "wrong");
  CHECK(run.outcomes[0].measurement("attempts") == 1);
}

TEST_CASE("an exception out of an observer kills the workers and reaches the caller", "[suite][isolation]") {
  struct Fragile : NullObserver {
    int finished_cases = 0;
    void case_finished(const Outcome&) {
      if (++finished_cases == 2) throw std::runtime_error("the disk is full");
    }
  };
  Suite suite;
  for (int i = 0; i < 50; ++i) suite.push_back(good_case(i));
  suite[3] = case_of("hang", [](const CaseContext&) -> Outcome { misbehavior::hang(); });
  Fragile observer;
  RunOptions options;
  options.jobs = GENERATE(1u, 4u);
  CHECK_THROWS_WITH(run_isolated(suite, all_of(suite), options, {}, {}, observer), "the disk is full");
  CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);  // no child is left
}

TEST_CASE("workers die with their runner, even in a case that hangs", "[suite][isolation]") {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const Suite suite{case_of("hang", [&](const CaseContext&) -> Outcome {
    static_cast<void>(!::write(ends[1], "x", 1));
    misbehavior::hang();
  })};
  const pid_t runner = ::fork();
  if (runner == 0) {
    static_cast<void>(run_all(suite));
    ::_exit(0);
  }
  ::close(ends[1]);
  char byte = 0;
  REQUIRE(::read(ends[0], &byte, 1) == 1);  // the case runs
  ::kill(runner, SIGKILL);
  REQUIRE(::waitpid(runner, nullptr, 0) == runner);
  pollfd waiting{ends[0], POLLIN, 0};
  REQUIRE(::poll(&waiting, 1, 30'000) == 1);
  CHECK(::read(ends[0], &byte, 1) == 0);  // nobody holds the other end any more
  ::close(ends[0]);
}

TEST_CASE("the terminal's interrupt does not reach a worker, and the runner's handlers are not the worker's",
          "[suite][isolation]") {
  struct sigaction mine {
  }, before{};
  mine.sa_handler = [](int) {};
  ::sigaction(SIGUSR1, &mine, &before);
  const Outcome outcome = run_one(case_of("look", [](const CaseContext&) {
    Outcome seen = outcome_with(Verdict::pass);
    struct sigaction current {};
    ::sigaction(SIGUSR1, nullptr, &current);
    seen.measure("default", current.sa_handler == SIG_DFL ? 1 : 0);
    seen.measure("group", ::getpgrp());
    seen.measure("process", ::getpid());
    return seen;
  }));
  ::sigaction(SIGUSR1, &before, nullptr);
  CHECK(outcome.measurement("default") == 1);
  CHECK(outcome.measurement("group") == outcome.measurement("process"));
}

TEST_CASE("a program that does not wait for its children learns that a case ended, if not how", "[suite][isolation]") {
  struct sigaction ignore {
  }, before{};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGCHLD, &ignore, &before);
  const Run run = run_all({case_of("exit", [](const CaseContext&) -> Outcome { ::_exit(3); }), good_case(0)});
  ::sigaction(SIGCHLD, &before, nullptr);
  CHECK(run.outcomes.at(0).verdict == Verdict::error);
  CHECK(run.outcomes.at(0).label("ended") == "unknown");
  CHECK_THAT(run.outcomes.at(0).reason, contains("somebody else took its status"));
  CHECK(run.outcomes.at(1).verdict == Verdict::pass);
}

TEST_CASE("a limit of memory below the program's own is told as the reason why nothing runs", "[suite][isolation]") {
  IsolationOptions isolation;
  isolation.memory_bytes = 4096;
  isolation.command = {"sleep", "600"};
  const Outcome outcome = run_one(good_case(0), {}, isolation);
  CHECK(outcome.verdict == Verdict::error);
  CHECK_THAT(outcome.reason, contains("too much memory"));
  CHECK_THAT(outcome.reason, contains("more than the limit of 0.003906 MiB"));
}

TEST_CASE("an outcome too large to send is an error of its case", "[suite][isolation]") {
  const Suite suite{case_of("large",
                            [](const CaseContext&) {
                              Outcome outcome = outcome_with(Verdict::pass);
                              outcome.heat_maps = {{"map", 1, 9'000'000, 1, 1, std::vector<double>(9'000'000)}};
                              return outcome;
                            }),
                    case_of("sizeable", [](const CaseContext&) {
                      Outcome outcome = outcome_with(Verdict::pass);
                      outcome.heat_maps = {{"map", 1, 1'000'000, 1, 1, std::vector<double>(1'000'000, 2.5)}};
                      return outcome;
                    })};
  const Run run = run_all(suite);
  CHECK(run.outcomes[0].verdict == Verdict::error);
  CHECK_THAT(run.outcomes[0].reason, contains("the outcome takes 72000"));
  CHECK(run.outcomes[1].verdict == Verdict::pass);
  CHECK(run.outcomes[1].heat_maps.at(0).at(0, 999'999) == 2.5);
}

TEST_CASE("a run that contradicts itself is misuse, and starts nothing", "[suite][isolation]") {
  NullObserver observer;
  const Suite suite{good_case(0)};
  IsolationOptions isolation;
  isolation.timeout_seconds = -1;
  CHECK_THROWS_AS(run_isolated(suite, {0}, {}, isolation, {}, observer), Misuse);
  isolation.timeout_seconds = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(run_isolated(suite, {0}, {}, isolation, {}, observer), Misuse);
  CHECK_THROWS_AS(run_isolated(suite, {0, 0}, {}, {}, {}, observer), Misuse);
  RunOptions options;
  options.jobs = 0;
  CHECK_THROWS_AS(run_isolated(suite, {0}, options, {}, {}, observer), Misuse);
  options.jobs = 1;
  options.outputs = [](const Case&, const ObservedOutput&) {};
  CHECK_THROWS_AS(run_isolated(suite, {0}, options, {}, {}, observer), Misuse);
}
