#pragma once

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "testing/store_conformance.hpp"

namespace assay::testing {

/// What became of the records of writers that were killed.
struct KillReport {
  unsigned rounds = 0;
  unsigned killed_while_writing = 0;  ///< after their first acknowledged record
  std::size_t acknowledged = 0;
  std::size_t lost = 0;        ///< acknowledged, and neither there nor replaced by a later one
  std::size_t torn = 0;        ///< there, and not what anybody wrote
  std::size_t unreadable = 0;  ///< the store failed afterwards
};

/// The record of a generation: says which it is, and has a content that only it has.
inline std::string generation_record(unsigned generation) {
  return std::to_string(generation) + ";" + bytes_of(20'000 + generation % 5 * 10'000, generation);
}

/// Writes records, killed with SIGKILL at random moments, by processes that acknowledge each record after its save.
/// Precondition: no store of this place is open in this process (SQLite's files must not be inherited).
template <class Open>
KillReport kill_writers(const Open& open, unsigned rounds, unsigned seed) {
  constexpr unsigned keys = 5;
  KillReport report;
  std::mt19937 random(seed);
  for (unsigned round = 0; round < rounds; ++round) {
    const auto key_of = [&](unsigned generation) {
      return "r" + std::to_string(round) + "-" + std::to_string(generation % keys);
    };
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    const pid_t writer = ::fork();
    REQUIRE(writer >= 0);
    if (writer == 0) {
      ::close(ends[0]);
      try {
        auto store = open();
        for (unsigned generation = 0;; ++generation) {
          const auto saved = store.save(key_of(generation), generation_record(generation),
                                        generation < keys ? SaveMode::create : SaveMode::replace);
          if (!saved || !saved.value() || ::write(ends[1], &generation, sizeof generation) != sizeof generation) break;
        }
      } catch (...) {
      }
      ::_exit(1);
    }
    ::close(ends[1]);
    std::map<std::string, unsigned> acknowledged;
    const auto hear = [&] {
      unsigned generation = 0;
      if (::read(ends[0], &generation, sizeof generation) != sizeof generation) return false;
      acknowledged[key_of(generation)] = generation;
      ++report.acknowledged;
      return true;
    };
    if (round % 5 != 0) static_cast<void>(hear());  // others die while they open the store, or early
    std::this_thread::sleep_for(std::chrono::microseconds(std::uniform_int_distribution<int>(0, 25'000)(random)));
    REQUIRE(::kill(writer, SIGKILL) == 0);
    while (hear()) {
    }
    ::close(ends[0]);
    int status = 0;
    REQUIRE(::waitpid(writer, &status, 0) == writer);
    REQUIRE(WIFSIGNALED(status));  // it did not end by itself, for want of a store
    ++report.rounds;
    report.killed_while_writing += acknowledged.empty() ? 0 : 1;

    const auto store = open();
    for (unsigned number = 0; number < keys; ++number) {
      const std::string key = key_of(number);
      const auto record = store.load(key);
      const auto expected = acknowledged.find(key);
      if (!record) {
        ++report.unreadable;
      } else if (!record.value()) {
        report.lost += expected != acknowledged.end() ? 1 : 0;
      } else {
        const unsigned found = static_cast<unsigned>(std::atoi(record.value()->c_str()));
        if (*record.value() != generation_record(found) || found % keys != number)
          ++report.torn;
        else if (expected != acknowledged.end() && found < expected->second)
          ++report.lost;
      }
    }
  }
  return report;
}

/// The table's row of a report.
inline std::string row_of(const std::string& store, const KillReport& report) {
  std::string row = "| " + store;
  for (const std::size_t number : {std::size_t{report.rounds}, std::size_t{report.killed_while_writing},
                                   report.acknowledged, report.lost, report.torn, report.unreadable})
    row += " | " + std::to_string(number);
  return row + " |";
}

template <class Open>
void check_killed_writers(const Open& open, unsigned rounds, unsigned seed = 1) {
  const KillReport report = kill_writers(open, rounds, seed);
  INFO(row_of("", report));
  CHECK(report.rounds == rounds);
  CHECK(report.killed_while_writing >= rounds * 4 / 5);  // or nothing was tested
  CHECK(report.lost == 0);
  CHECK(report.torn == 0);
  CHECK(report.unreadable == 0);
}

}  // namespace assay::testing
