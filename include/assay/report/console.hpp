#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdio>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include "assay/core/run.hpp"
#include "assay/report/progress.hpp"
#include "assay/report/summary.hpp"
#include "assay/report/terminal.hpp"
#include "assay/report/text.hpp"
#include "assay/report/text_table.hpp"

namespace assay::inline v0 {

/// How much is told.
enum class Verbosity {
  quiet,   ///< what failed, at the end, and the closing line
  normal,  ///< progress on a terminal, failures as they occur, the final table
  verbose  ///< also a line for every case, and the derivation of the tolerance with every failure
};

/// How a run is told.
struct ConsoleOptions {
  Verbosity verbosity = Verbosity::normal;
  std::optional<bool> terminal;  ///< draw progress; empty: if the stream is a terminal that can rewrite a line
  std::optional<bool> color;     ///< empty: if it is such a terminal and NO_COLOR is not set
  /// How long a stream that is no terminal stays silent before a line of progress shows that the run lives.
  std::chrono::milliseconds heartbeat{30000};
  std::size_t diagnosis_lines = 3;  ///< of each failure, at most
  std::size_t listed_cases = 20;    ///< failed cases in the final list
  std::size_t listed_reasons = 10;  ///< different reasons for inconclusive, unsupported and skipped cases
};

/// Observes a run and tells it on a stream (which the caller owns and closes; write errors show in its `ferror`).
/// Plain lines on files and pipes, with one of progress where nothing else was printed for long; on a terminal also
/// colours and one line of progress that rewrites itself: at every start of a case, so that it names the one that hangs
/// or crashes, else at most ten times a second, and once a second if nothing happens.
/// Between `started` and `finished` (or destruction) a thread of its own keeps the clock.
/// Thread safety: all members may be called from several threads at once.
class Console {
 public:
  /// Misuse: a null stream.
  explicit Console(std::FILE* stream = stdout, ConsoleOptions options = {})
      : stream_(stream),
        options_(options),
        terminal_(options.terminal.value_or(can_rewrite_lines(stream))),
        color_(options.color.value_or(options.terminal.value_or(true) && colors_welcome(stream))) {}
  ~Console() { stop_clock(); }
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;

  /// Before the first case; `run.planned_cases` is known.
  void started(const Run& run) {
    stop_clock();
    const std::lock_guard lock(mutex_);
    progress_ = Progress(run.planned_cases);
    start_ = std::chrono::steady_clock::now();
    if (options_.verbosity == Verbosity::quiet) return;
    print(paint(bold, visible(run.title.empty() ? "assay" : run.title)) + ": " + std::to_string(run.planned_cases) +
          (run.planned_cases == 1 ? " case" : " cases") + ", seed " + std::to_string(run.seed));
    start_clock();
  }

  void case_started(const std::string& id) {
    const std::lock_guard lock(mutex_);
    progress_.case_started(id, elapsed());
    if (terminal_) draw_progress();
  }

  void case_finished(const Outcome& outcome) {
    const std::lock_guard lock(mutex_);
    progress_.case_finished(outcome.id, is_bad(outcome.verdict), elapsed());
    if (options_.verbosity == Verbosity::quiet) return;
    if (is_bad(outcome.verdict))
      print_bad(outcome);
    else if (options_.verbosity == Verbosity::verbose)
      print(one_line(outcome));
    if (terminal_ && std::chrono::steady_clock::now() - last_drawing_ >= std::chrono::milliseconds(100)) draw_progress();
  }

  /// After the last case: the table, what failed, what was not offered, and the closing line.
  void finished(const Run& run) {
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
    print(paint(exit_code == 1 ? red : exit_code == 0 && run.count(Verdict::inconclusive) == 0 ? green : yellow, closing_line(run)));
  }

 private:
  static constexpr const char* bold = "1";
  static constexpr const char* faint = "2";
  static constexpr const char* red = "31";
  static constexpr const char* green = "32";
  static constexpr const char* yellow = "33";

  static bool is_bad(Verdict verdict) { return verdict == Verdict::fail || verdict == Verdict::error; }
  static const char* color_of(Verdict verdict) {
    return verdict == Verdict::pass ? green : verdict == Verdict::fail || verdict == Verdict::error ? red : yellow;
  }
  [[nodiscard]] std::string paint(const char* code, std::string_view text) const {
    return color_ ? std::string("\x1b[") + code + "m" + std::string(text) + "\x1b[0m" : std::string(text);
  }

  void erase_progress() {
    if (!progress_shown_) return;
    std::fputs("\r\x1b[2K", stream_);
    progress_shown_ = false;
  }
  void print(const std::string& line) {
    erase_progress();
    std::fputs((line + "\n").c_str(), stream_);
    std::fflush(stream_);
    last_drawing_ = std::chrono::steady_clock::now();
  }
  [[nodiscard]] double elapsed() const {
    if (start_ == std::chrono::steady_clock::time_point{}) return 0;
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

  void draw_progress() {
    if (options_.verbosity == Verbosity::quiet) return;
    const std::size_t width = terminal_columns(stream_);
    std::fputs(("\r\x1b[2K" + paint(faint, clipped(progress_.line(elapsed()), width > 1 ? width - 1 : 1))).c_str(), stream_);
    std::fflush(stream_);
    progress_shown_ = true;
    last_drawing_ = std::chrono::steady_clock::now();
  }

  /// Redraws a terminal every second, and breaks the silence of a file.
  void keep_clock() {
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
  void start_clock() {
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
  void stop_clock() {
    {
      const std::lock_guard lock(mutex_);
      clock_is_to_stop_ = true;
    }
    clock_stops_.notify_all();
    if (clock_.joinable()) clock_.join();
  }

  [[nodiscard]] std::string one_line(const Outcome& outcome) const {
    std::string line = paint(color_of(outcome.verdict), name_of(outcome.verdict)) + " " + visible(outcome.id);
    if (const auto ratio = outcome.measurement(measurement::worst_error_ratio)) line += "  error/allowed " + number_text(*ratio);
    line += "  " + duration_text(outcome.duration_seconds);
    if (!computed(outcome.verdict) && !outcome.reason.empty()) line += "  " + paint(faint, visible(outcome.reason));
    return line;
  }

  void print_lines(const std::vector<std::string>& lines, std::size_t most) {
    for (std::size_t i = 0; i < lines.size() && i < most; ++i) print("  · " + visible(lines[i]));
    if (lines.size() > most) print(paint(faint, "  · and " + std::to_string(lines.size() - most) + " more, in the report"));
  }

  void print_bad(const Outcome& outcome) {
    print(paint(color_of(outcome.verdict), name_of(outcome.verdict)) + " " + paint(bold, visible(outcome.id)));
    print("  " + visible(outcome.reason.empty() ? "no reason was given" : outcome.reason));
    print_lines(outcome.diagnosis, options_.diagnosis_lines);
    if (options_.verbosity == Verbosity::verbose && !outcome.derivation.empty()) {
      print("  the tolerance:");
      print_lines(outcome.derivation, outcome.derivation.size());
    }
    if (!outcome.reproduce.empty()) print("  again: " + visible(outcome.reproduce));
  }

  void print_table(const Run& run) {
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

  void print_bad_cases(const Run& run) {
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

  void print_reasons(const Run& run, Verdict verdict) {
    const auto reasons = grouped_reasons(run, verdict);
    if (reasons.empty()) return;
    print("\n" + std::string(name_of(verdict)) + ":");
    for (std::size_t i = 0; i < reasons.size() && i < options_.listed_reasons; ++i)
      print("  " + std::to_string(reasons[i].second) + " × " +
            visible(reasons[i].first.empty() ? "no reason was given" : reasons[i].first));
    if (reasons.size() > options_.listed_reasons)
      print("  and " + std::to_string(reasons.size() - options_.listed_reasons) + " other reasons");
  }

  std::FILE* stream_;
  ConsoleOptions options_;
  bool terminal_;
  bool color_;
  std::mutex mutex_;
  Progress progress_;
  std::thread clock_;
  std::condition_variable clock_stops_;
  bool clock_is_to_stop_ = false;
  std::chrono::steady_clock::time_point last_drawing_{};  ///< of progress, or the last line printed
  std::chrono::steady_clock::time_point start_{};
  bool progress_shown_ = false;
};

}  // namespace assay::inline v0
