#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "assay/suite/case.hpp"
#include "assay/suite/seed.hpp"

/// Kernels that no program should have to survive, and good ones among which they stand.
namespace assay::testing {

inline Case case_of(std::string id, std::function<Outcome(const CaseContext&)> run) {
  Case entry;
  entry.id = std::move(id);
  entry.labels = {{"operation", "test"}};
  entry.run = std::move(run);
  return entry;
}

inline Outcome outcome_with(Verdict verdict, std::string reason = {}) {
  Outcome outcome;
  outcome.verdict = verdict;
  outcome.reason = std::move(reason);
  return outcome;
}

/// Every field set, with the numbers that are hard to pass on.
inline Outcome rich_outcome(std::uint64_t seed) {
  Outcome outcome = outcome_with(Verdict::fail, "off by \"one\" … \x01");
  outcome.diagnosis = {"first", "", "third\nline"};
  outcome.derivation = {"a step"};
  outcome.measure("nothing", std::numeric_limits<double>::quiet_NaN());
  outcome.measure("worst", std::numeric_limits<double>::infinity(), "ulp");
  outcome.measure("small", -std::numeric_limits<double>::denorm_min(), "s");
  outcome.measure("zero", -0.0, "");
  outcome.measure("seed", static_cast<double>(seed % 1000));
  outcome.tables = {{"table", {"a", "b"}, {{"1", "2"}, {"3", ""}}}, {}};
  outcome.series = {{"series",
                     "x in s",
                     "y",
                     {{0, 1}, {std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity()}}}};
  outcome.heat_maps = {{"map", 2, 3, 16, -1, {1, 2, 3, 4, 5, std::numeric_limits<double>::quiet_NaN()}}, {}};
  outcome.labels = {{"data", "rich"}, {"", std::string("\0", 1)}};
  return outcome;
}

inline Case good_case(int number) {
  return case_of("good/" + std::to_string(number), [number](const CaseContext& context) {
    if (number % 3 == 1) return rich_outcome(context.seed);
    Outcome outcome =
        outcome_with(number % 5 == 4 ? Verdict::inconclusive : Verdict::pass, number % 5 == 4 ? "who knows" : "");
    outcome.measure("repetitions", context.repetitions);
    return outcome;
  });
}

namespace misbehavior {

inline int overflow_the_stack(int depth) {
  volatile char frame[4096];
  frame[depth % 4096] = static_cast<char>(depth);
  volatile int deeper = depth + 1;
  return deeper > 0 ? overflow_the_stack(deeper) + frame[0] : 0;
}

[[noreturn]] inline void hang() {
  for (volatile unsigned turns = 0;;) turns = turns + 1;
}

inline void to_all_descriptors(void (*action)(int)) {
  ::signal(SIGPIPE,
           SIG_IGN);  // a pipe that the test's own parent left open, and nobody reads, would end the process first
  for (int descriptor = 3; descriptor < 256; ++descriptor)
    if (::fcntl(descriptor, F_GETFD) >= 0) action(descriptor);
}

/// Half a GiB, and then waits for what comes of it.
[[noreturn]] inline void eat_memory() {
  std::vector<std::string> eaten;
  for (char i = 1; i <= 32; ++i) eaten.emplace_back(std::size_t{16} << 20, i);
  hang();
}

inline void fork_a_grandchild() {
  if (::fork() != 0) return;
  ::sleep(600);
  ::_exit(0);
}

inline void print_megabytes(int megabytes) {
  const std::string line = std::string(99, 'x') + "\n";
  for (int i = 0; i < megabytes * 10'000; ++i) std::fputs(line.c_str(), i % 2 == 0 ? stdout : stderr);
}

}  // namespace misbehavior

/// What a case does, and how its end is labeled; nothing for one that survives itself.
struct Misbehavior {
  const char* name;
  const char* ended;
  void (*act)();
};

inline const std::vector<Misbehavior>& misbehaviors() {
  using namespace misbehavior;
  static const std::vector<Misbehavior> all{
      {"segfault", "signal 11",
       [] {
         std::printf("about to touch nothing\n");
         int* volatile nowhere = nullptr;
         *const_cast<volatile int*>(nowhere) = 1;
       }},
      {"abort", "signal 6", [] { std::abort(); }},
      {"divide", "signal 8",
       [] {
         volatile int zero = 0;
         volatile int quotient = 1;
         quotient = quotient / zero;
         std::raise(SIGFPE);  // where the hardware does not trap
       }},
      {"illegal instruction", "signal 4", [] { std::raise(SIGILL); }},
      {"stack overflow", "signal 11", [] { static_cast<void>(overflow_the_stack(1)); }},
      {"hang", "timeout", [] { hang(); }},
      {"deaf hang", "timeout",
       [] {
         std::signal(SIGTERM, SIG_IGN);
         std::signal(SIGINT, SIG_IGN);
         for (;;) ::sleep(1);
       }},
      {"exit 0", "exit 0", [] { std::exit(0); }},
      {"_exit 3", "exit 3", [] { ::_exit(3); }},
      {"kill itself", "signal 9", [] { ::kill(::getpid(), SIGKILL); }},
      {"close all", "channel", [] { to_all_descriptors([](int descriptor) { ::close(descriptor); }); }},
      {"close all and hang", "channel",
       [] {
         to_all_descriptors([](int descriptor) { ::close(descriptor); });
         hang();
       }},
      {"scribble", "channel",
       [] { to_all_descriptors([](int descriptor) { static_cast<void>(!::write(descriptor, "garbage", 7)); }); }},
      {"scribble much", "channel",
       [] {
         to_all_descriptors([](int descriptor) {
           const std::vector<char> garbage(3'000'000, '\0');
           static_cast<void>(!::write(descriptor, garbage.data(), garbage.size()));
         });
       }},
      {"print and crash", "signal 6",
       [] {
         print_megabytes(10);
         std::printf("the \x1b[31mlast\x1b[0m words\n");
         std::abort();
       }},
      {"fork and crash", "signal 6",
       [] {
         fork_a_grandchild();
         std::abort();
       }},
      {"fork", nullptr, [] { fork_a_grandchild(); }},
      {"fork and forget", nullptr, [] { static_cast<void>(!::fork()); }},
      {"print", nullptr, [] { print_megabytes(10); }},
      {"close output", nullptr,
       [] {
         ::close(1);
         ::close(2);
       }},
      {"throw", nullptr, [] { throw std::runtime_error("thrown"); }},
  };
  return all;
}

/// "bad/<name>".
inline Case bad_case(const Misbehavior& misbehavior) {
  return case_of(std::string("bad/") + misbehavior.name, [act = misbehavior.act](const CaseContext&) {
    act();
    return outcome_with(Verdict::pass);
  });
}

/// Every misbehavior between good cases; and last, as only a limit of memory ends it, a glutton.
inline Suite misbehaving_suite() {
  Suite suite;
  int number = 0;
  for (const Misbehavior& entry : misbehaviors()) {
    for (int i = 0; i < 3; ++i) suite.push_back(good_case(number++));
    suite.push_back(bad_case(entry));
  }
  suite.push_back(good_case(number));
  suite.push_back(case_of("glutton", [](const CaseContext&) -> Outcome { misbehavior::eat_memory(); }));
  return suite;
}

}  // namespace assay::testing
