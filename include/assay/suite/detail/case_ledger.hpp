#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/outcome.hpp"
#include "assay/suite/case.hpp"
#include "assay/suite/detail/attempts.hpp"
#include "assay/suite/detail/perform.hpp"
#include "assay/suite/run_options.hpp"

namespace assay::inline v0::detail {

/// Who listens to a run, without its type.
struct CaseListener {
  std::function<void(const std::string&)> case_started;
  std::function<void(const Outcome&)> case_finished;
};

/// What has come of each case of a run so far. Cases are named by their turn, the position in the order of execution.
class CaseLedger {
 public:
  CaseLedger(const Suite& suite, std::vector<std::size_t> order, const RunOptions& options, CaseListener listener)
      : suite_(suite),
        order_(std::move(order)),
        options_(options),
        listener_(std::move(listener)),
        pages_(order_.size()) {}

  [[nodiscard]] std::size_t size() const noexcept { return order_.size(); }
  [[nodiscard]] bool complete() const noexcept { return finished_ == order_.size(); }
  [[nodiscard]] const Case& case_at(std::size_t turn) const { return suite_[order_[turn]]; }

  /// Tells the listener that a case has begun, at its first attempt.
  void begin(std::size_t turn) {
    if (pages_[turn].begun) return;
    pages_[turn].begun = true;
    listener_.case_started(case_at(turn).id);
  }

  /// A line for the diagnosis of the attempt that comes next.
  void note(std::size_t turn, std::string line) { pages_[turn].notes.push_back(std::move(line)); }

  /// Enters what came of an attempt. Returns whether another is due; if not, the case is finished.
  [[nodiscard]] bool enter(std::size_t turn, Outcome outcome, double seconds, bool may_retry) {
    Page& page = pages_[turn];
    complete_outcome(outcome, turn, seconds);
    for (std::string& line : page.notes) outcome.diagnosis.push_back(std::move(line));
    page.notes.clear();
    page.attempts.add(std::move(outcome), options_.retries);
    if (page.attempts.another() && may_retry) return true;
    finish(turn);
    return false;
  }

  /// Finishes a case whose retries will not be made, if it was ever tried.
  void settle_for_less(std::size_t turn) {
    if (pages_[turn].attempts.made() > 0 && !pages_[turn].outcome) finish(turn);
  }

  [[nodiscard]] std::vector<Outcome> take_outcomes() {
    std::vector<Outcome> outcomes;
    for (Page& page : pages_)
      if (page.outcome) outcomes.push_back(*std::move(page.outcome));
    return outcomes;
  }

 private:
  struct Page {
    Attempts attempts;
    std::vector<std::string> notes;
    std::optional<Outcome> outcome;
    bool begun = false;
  };

  void complete_outcome(Outcome& outcome, std::size_t turn, double seconds) const {
    detail::complete(outcome, case_at(turn), options_, seconds);
  }

  void finish(std::size_t turn) {
    Page& page = pages_[turn];
    page.outcome = page.attempts.conclude(options_.retries);
    ++finished_;
    listener_.case_finished(*page.outcome);
  }

  const Suite& suite_;
  const std::vector<std::size_t> order_;
  const RunOptions& options_;
  const CaseListener listener_;
  std::vector<Page> pages_;
  std::size_t finished_ = 0;
};

}  // namespace assay::inline v0::detail
