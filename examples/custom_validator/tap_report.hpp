#pragma once

// Path 4 of README.md: a new report, written while the run goes.

#include <algorithm>
#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>

#include "assay/core/result.hpp"
#include "assay/report/text.hpp"
#include "assay/suite/run_observer.hpp"

namespace custom {

using namespace assay;

/// The Test Anything Protocol, version 13 (testanything.org), which Perl's harness reads, too: a line a case as soon as
/// it has ended, with a block of YAML where it did not pass, so that `prove`, Jenkins or a pipe may follow. Nothing
/// undecided reads as passed: an inconclusive case is "not ok" and TODO, which harnesses count apart; what was not run
/// is SKIP; a run that was cut short or decided nothing bails out, as its exit code says. A `RunObserver`.
class TapReport {
 public:
  /// Precondition: `out` outlives this.
  explicit TapReport(std::ostream& out) : out_(out) {}

  void started(const Run& run) {
    out_ << "TAP version 13\n1.." << run.planned_cases << "\n# " << visible(run.title) << ", seed " << run.seed
         << std::endl;
  }
  void case_started(const std::string&) {}
  void case_finished(const Outcome& outcome) {
    const Verdict verdict = outcome.verdict;
    const bool bad = verdict == Verdict::fail || verdict == Verdict::error,
               undecided = verdict == Verdict::inconclusive;
    out_ << (bad || undecided ? "not ok " : "ok ") << ++written_ << " - " << description(outcome.id);
    if (undecided) out_ << " # TODO inconclusive: " << description(outcome.reason);
    if (!bad && !undecided && verdict != Verdict::pass)
      out_ << " # SKIP " << name_of(verdict) << ": " << description(outcome.reason);
    out_ << '\n';
    if (bad) {
      out_ << "  ---\n";
      line("verdict", name_of(verdict));
      line("message", outcome.reason);
      if (!outcome.diagnosis.empty()) line("diagnosis", outcome.diagnosis.front());
      if (const auto ratio = outcome.measurement(measurement::worst_error_ratio))
        line("error_over_allowed", number_text(*ratio));
      line("seed", std::to_string(outcome.seed));
      if (!outcome.reproduce.empty()) line("reproduce", outcome.reproduce);
      out_ << "  ...\n";
    }
    out_.flush();
  }
  void finished(const Run& run) {
    if (run.outcomes.size() < run.planned_cases)
      out_ << "Bail out! " << run.outcomes.size() << " of " << run.planned_cases << " planned cases ran" << std::endl;
    else if (run.exit_code() == 2)
      out_ << "Bail out! nothing was decided" << std::endl;
  }

  /// Whether all of it was written: a full disk must not read as a short report. Errors: `io`.
  [[nodiscard]] Result<void> complete() const {
    if (out_.good()) return {};
    return failure(ErrorKind::io, "the TAP report could not be written after case " + std::to_string(written_) +
                                      "; is the disk full?");
  }

 private:
  static std::string escaped(std::string_view text, std::string_view special) {
    std::string result;
    for (const char letter : visible(text)) {
      if (special.find(letter) != std::string_view::npos) result += '\\';
      result += letter;
    }
    return result;
  }
  static std::string description(std::string_view text) { return escaped(text, "\\#"); }
  void line(std::string_view name, std::string_view text) {
    out_ << "  " << name << ": \"" << escaped(text, "\\\"") << "\"\n";
  }

  std::ostream& out_;
  std::size_t written_ = 0;
};
static_assert(RunObserver<TapReport>);

}  // namespace custom
