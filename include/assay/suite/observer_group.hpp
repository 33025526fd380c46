#pragma once

#include <string>
#include <tuple>

#include "assay/core/outcome.hpp"
#include "assay/core/run.hpp"
#include "assay/suite/run_observer.hpp"

namespace assay::inline v0 {

/// Tells several observers of one run, in the order in which they are given: a console and a log, say. Refers to them,
/// and they must outlive it. An exception out of one of them keeps those behind it from being told, and ends the run as
/// `RunObserver` has it.
///
///   ObserverGroup both(console, log); run_suite(suite, options, environment, both);
template <RunObserver... Observers>
class ObserverGroup {
 public:
  /// Refers to the observers; they must outlive the group.
  explicit ObserverGroup(Observers&... observers) : observers_(observers...) {}

  void started(const Run& run) {
    each([&](auto& observer) { observer.started(run); });
  }
  void case_started(const std::string& id) {
    each([&](auto& observer) { observer.case_started(id); });
  }
  void case_finished(const Outcome& outcome) {
    each([&](auto& observer) { observer.case_finished(outcome); });
  }
  void finished(const Run& run) {
    each([&](auto& observer) { observer.finished(run); });
  }

 private:
  template <class Tell>
  void each(Tell tell) {
    std::apply([&](auto&... all) { (tell(all), ...); }, observers_);
  }

  std::tuple<Observers&...> observers_;
};

}  // namespace assay::inline v0
