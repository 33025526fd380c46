#include "assay/performance/history_store.hpp"

#include "performance/history_conformance.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

/// A store in memory, right unless told which mistake to make.
struct MemoryHistory {
  std::vector<HistoryRun>* runs;
  enum class Mistake { none, forgets_notes, rounds, loses_the_third, merges, accepts_all } mistake = Mistake::none;

  Result<void> append(HistoryRun run) {
    if (mistake != Mistake::accepts_all)
      if (const auto checked = check_history_run(run); !checked) return checked;
    if (mistake == Mistake::loses_the_third && runs->size() == 2) return {};
    for (HistoryPoint& point : run.points) {
      if (mistake == Mistake::forgets_notes) point.metric.note.clear();
      if (mistake == Mistake::merges) point.configuration.clear();
      for (double& sample : point.metric.samples)
        if (mistake == Mistake::rounds) sample = static_cast<float>(sample);
    }
    runs->push_back(std::move(run));
    return {};
  }
  Result<History> load() {
    History history;
    for (const HistoryRun& run : *runs) history.add(run);
    drop_repeated_runs(history, "memory");
    return history;
  }
};
static_assert(HistoryStore<MemoryHistory>);

/// How many violations all checks find in a store that makes one mistake.
std::size_t violations(MemoryHistory::Mistake mistake) {
  std::vector<HistoryRun> first, second;
  return keeps_what_it_was_given([&] {
           return MemoryHistory{&first, mistake};
         }).size() +
         refuses_what_it_cannot_keep([&] {
           return MemoryHistory{&second, mistake};
         }).size();
}

}  // namespace

TEST_CASE("the conformance test accepts a right store and catches each mistake of a wrong one") {
  using enum MemoryHistory::Mistake;
  CHECK(violations(none) == 0);
  for (const auto mistake : {forgets_notes, rounds, loses_the_third, merges, accepts_all}) {
    CAPTURE(static_cast<int>(mistake));
    CHECK(violations(mistake) > 0);
  }
}

TEST_CASE("the conformance test catches a store that keeps nothing for other processes") {
  std::vector<HistoryRun> runs;
  CHECK_FALSE(takes_many_writers([&] { return MemoryHistory{&runs}; }, 2, 2).empty());
}
