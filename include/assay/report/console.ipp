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
  failures_.clear();
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
  if (is_bad(outcome.verdict) && is_told(outcome))
    print_bad(outcome);
  else if (!is_bad(outcome.verdict) && options_.verbosity == Verbosity::verbose)
    print(one_line(outcome));
  if (terminal_ && std::chrono::steady_clock::now() - last_drawing_ >= std::chrono::milliseconds(100)) draw_progress();
}

ASSAY_DETAIL_HEADER_INLINE void Console::finished(const Run& run) {
  stop_clock();
  const std::lock_guard lock(mutex_);
  progress_.nothing_runs();
  erase_progress();
  const bool talkative = options_.verbosity != Verbosity::quiet;
  if (talkative && !run.outcomes.empty()) print_table(run);
  if (talkative || run.require_conclusive) print_reasons(run, Verdict::inconclusive);
  if (talkative) {
    print_reasons(run, Verdict::unsupported);
    print_reasons(run, Verdict::skipped);
    print("");
  }
  print_findings(run);
  const int exit_code = run.exit_code();
  print(paint(exit_code == 1                                            ? red
              : exit_code == 0 && run.count(Verdict::inconclusive) == 0 ? green
                                                                        : yellow,
              closing_line(run)));
}

ASSAY_DETAIL_HEADER_INLINE void Console::draw_progress() {
  if (options_.verbosity == Verbosity::quiet) return;
  const std::size_t width = terminal_columns(stream_);
  const std::string line = ascii_ ? ascii_text(progress_.line(elapsed())) : progress_.line(elapsed());
  const std::string shown = clipped(line, width > 1 ? width - 1 : 1);
  std::fputs(("\r\x1b[2K" + paint(faint, ascii_ ? ascii_text(shown).substr(0, width) : shown)).c_str(), stream_);
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
  if (summary.rows.size() > rows_at_a_glance) summary = by_backend(summary);
  const std::vector<std::string> lines = text_lines(summary_table(summary), table_columns(stream_));
  const bool whole = lines.size() == summary.rows.size() + 2 + (summary.rows.size() > 1 ? 1 : 0);
  print("");
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!whole) {  // too narrow for a table
      print(lines[i]);
      continue;
    }
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

ASSAY_DETAIL_HEADER_INLINE bool Console::is_told(const Outcome& outcome) {
  if (options_.verbosity == Verbosity::verbose) return true;
  const bool first = ++failures_[detail::finding_key(outcome)] == 1;
  if (first && failures_.size() <= options_.shown_failures) return true;
  if (first && failures_.size() == options_.shown_failures + 1)
    print("further failures are counted, and grouped at the end");
  return false;
}

ASSAY_DETAIL_HEADER_INLINE void Console::print_findings(const Run& run) {
  const std::size_t columns = table_columns(stream_);
  const std::vector<std::string> lines = findings_lines(run, options_.finding_lines, columns > 0 ? columns : 160);
  for (const std::string& line : lines)
    print(line.rfind("  ", 0) == 0 ? paint(faint, line) : line.rfind("failed:", 0) == 0 ? paint(red, line) : line);
  if (!lines.empty() && options_.verbosity != Verbosity::quiet) print("");
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
