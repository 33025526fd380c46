#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdio>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
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
/// colors and one line of progress that rewrites itself: at every start of a case, so that it names the one that hangs
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
  void started(const Run& run);

  void case_started(const std::string& id) {
    const std::lock_guard lock(mutex_);
    progress_.case_started(id, elapsed());
    if (terminal_) draw_progress();
  }

  void case_finished(const Outcome& outcome);

  /// After the last case: the table, what failed, what was not offered, and the closing line.
  void finished(const Run& run);

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

  void draw_progress();

  /// Redraws a terminal every second, and breaks the silence of a file.
  void keep_clock();
  void start_clock();
  void stop_clock();

  [[nodiscard]] std::string one_line(const Outcome& outcome) const;

  void print_lines(const std::vector<std::string>& lines, std::size_t most) {
    for (std::size_t i = 0; i < lines.size() && i < most; ++i) print("  · " + visible(lines[i]));
    if (lines.size() > most)
      print(paint(faint, "  · and " + std::to_string(lines.size() - most) + " more, in the report"));
  }

  void print_bad(const Outcome& outcome);

  void print_table(const Run& run);

  void print_bad_cases(const Run& run);

  void print_reasons(const Run& run, Verdict verdict);

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

#if !defined(ASSAY_COMPILED)
#include "assay/report/console.ipp"
#endif
