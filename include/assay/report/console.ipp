#pragma once

#include "assay/report/console.hpp"

#include <algorithm>
#include <system_error>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE void Console::started(const Run& run) {
  stop_clock();
  const std::lock_guard lock(mutex_);
  progress_ = Progress(run.planned_cases);
  start_ = std::chrono::steady_clock::now();
  if (options_.verbosity == Verbosity::quiet) return;
  print(paint(bold, visible(run.title.empty() ? "assay" : run.title)) + ": " + std::to_string(run.planned_cases) +
        (run.planned_cases == 1 ? " case" : " cases") + ", seed " + std::to_string(run.seed));
  start_clock();
}

ASSAY_DETAIL_HEADER_INLINE void Console::case_finished(const Outcome& outcome) {
  const std::lock_guard lock(mutex_);
  progress_.case_finished(outcome.id, is_bad(outcome.verdict), elapsed());
  if (options_.verbosity == Verbosity::quiet) return;
  if (is_bad(outcome.verdict))
    print_bad(outcome);
  else if (options_.verbosity == Verbosity::verbose)
    print(one_line(outcome));
  if (terminal_ && std::chrono::steady_clock::now() - last_drawing_ >= std::chrono::milliseconds(100)) draw_progress();
}

ASSAY_DETAIL_HEADER_INLINE void Console::finished(const Run& run) {
  stop_clock();
  const std::lock_guard lock(mutex_);
  progress_.nothing_runs();
  erase_progress();
  if (options_.verbosity != Verbosity::quiet && !run.outcomes.empty()) print_table(run);
  print_bad_cases(run);
  if (options_.verbosity != Verbosity::quiet) {
    print_reasons(run, Verdict::inconclusive);
    print_reasons(run, Verdict::unsupported);
    print_reasons(run, Verdict::skipped);
    print("");
  }
  const int exit_code = run.exit_code();
  print(paint(exit_code == 1                                            ? red
              : exit_code == 0 && run.count(Verdict::inconclusive) == 0 ? green
                                                                        : yellow,
              closing_line(run)));
}

ASSAY_DETAIL_HEADER_INLINE void Console::draw_progress() {
  if (options_.verbosity == Verbosity::quiet) return;
  const std::size_t width = terminal_columns(stream_);
  std::fputs(("\r\x1b[2K" + paint(faint, clipped(progress_.line(elapsed()), width > 1 ? width - 1 : 1))).c_str(),
             stream_);
  std::fflush(stream_);
  progress_shown_ = true;
  last_drawing_ = std::chrono::steady_clock::now();
}

ASSAY_DETAIL_HEADER_INLINE void Console::keep_clock() {
  const std::chrono::milliseconds period =
      terminal_ ? std::chrono::milliseconds(1000) : std::max(options_.heartbeat, std::chrono::milliseconds(1));
  std::unique_lock lock(mutex_);
  while (!clock_stops_.wait_until(lock, last_drawing_ + period, [&] { return clock_is_to_stop_; })) {
    if (std::chrono::steady_clock::now() - last_drawing_ < period) continue;
    if (terminal_)
      draw_progress();
    else
      print(progress_.line(elapsed()));
  }
}

ASSAY_DETAIL_HEADER_INLINE void Console::start_clock() {
  clock_is_to_stop_ = false;
#if defined(__cpp_exceptions)
  try {
    clock_ = std::thread([this] { keep_clock(); });
  } catch (const std::system_error&) {  // no thread to be had: the line moves with the cases alone
  }
#else
  clock_ = std::thread([this] { keep_clock(); });
#endif
}

ASSAY_DETAIL_HEADER_INLINE void Console::stop_clock() {
  {
    const std::lock_guard lock(mutex_);
    clock_is_to_stop_ = true;
  }
  clock_stops_.notify_all();
  if (clock_.joinable()) clock_.join();
}

ASSAY_DETAIL_HEADER_INLINE std::string Console::one_line(const Outcome& outcome) const {
  std::string line = paint(color_of(outcome.verdict), name_of(outcome.verdict)) + " " + visible(outcome.id);
  if (const auto ratio = outcome.measurement(measurement::worst_error_ratio))
    line += "  error/allowed " + number_text(*ratio);
  line += "  " + duration_text(outcome.duration_seconds);
  if (!computed(outcome.verdict) && !outcome.reason.empty()) line += "  " + paint(faint, visible(outcome.reason));
  return line;
}

ASSAY_DETAIL_HEADER_INLINE void Console::print_bad(const Outcome& outcome) {
  print(paint(color_of(outcome.verdict), name_of(outcome.verdict)) + " " + paint(bold, visible(outcome.id)));
  print("  " + visible(outcome.reason.empty() ? "no reason was given" : outcome.reason));
  print_lines(outcome.diagnosis, options_.diagnosis_lines);
  if (options_.verbosity == Verbosity::verbose && !outcome.derivation.empty()) {
    print("  the tolerance:");
    print_lines(outcome.derivation, outcome.derivation.size());
  }
  if (!outcome.reproduce.empty()) print("  again: " + visible(outcome.reproduce));
}

ASSAY_DETAIL_HEADER_INLINE void Console::print_table(const Run& run) {
  Summary summary = summarize(run);
  if (summary.rows.size() > rows_at_a_glance) summary = without_formats(summary);
  const std::vector<std::string> lines = text_lines(summary_table(summary));
  print("");
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const bool of_row = i >= 2 && i - 2 < summary.rows.size();
    const bool bad = of_row && summary.rows[i - 2].count(Verdict::fail) + summary.rows[i - 2].count(Verdict::error) > 0;
    if (i == 0)
      print(paint(bold, lines[i]));
    else if (i >= 2 && !of_row)
      print(lines[1] + "\n" + lines[i]);
    else
      print(bad ? paint(red, lines[i]) : lines[i]);
  }
}

ASSAY_DETAIL_HEADER_INLINE void Console::print_bad_cases(const Run& run) {
  std::size_t total = 0;
  for (const Verdict verdict : {Verdict::fail, Verdict::error, Verdict::inconclusive})
    for (const Outcome& outcome : run.outcomes) {
      if (verdict == Verdict::inconclusive && !run.require_conclusive) continue;
      if (outcome.verdict != verdict || ++total > options_.listed_cases) continue;
      if (total == 1 && options_.verbosity != Verbosity::quiet) print("");
      print(paint(color_of(verdict), name_of(verdict)) + " " + visible(outcome.id) +
            (outcome.reason.empty() ? "" : paint(faint, ": " + visible(outcome.reason))));
    }
  if (total > options_.listed_cases) print("and " + std::to_string(total - options_.listed_cases) + " more");
}

ASSAY_DETAIL_HEADER_INLINE void Console::print_reasons(const Run& run, Verdict verdict) {
  const auto reasons = grouped_reasons(run, verdict);
  if (reasons.empty()) return;
  print("\n" + std::string(name_of(verdict)) + ":");
  for (std::size_t i = 0; i < reasons.size() && i < options_.listed_reasons; ++i)
    print("  " + std::to_string(reasons[i].second) + " × " +
          visible(reasons[i].first.empty() ? "no reason was given" : reasons[i].first));
  if (reasons.size() > options_.listed_reasons)
    print("  and " + std::to_string(reasons.size() - options_.listed_reasons) + " other reasons");
}

}  // namespace assay::inline v0
