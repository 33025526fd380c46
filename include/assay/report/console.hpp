#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdio>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "assay/core/run.hpp"
#include "assay/report/findings.hpp"
#include "assay/report/progress.hpp"
#include "assay/report/summary.hpp"
#include "assay/report/terminal.hpp"
#include "assay/report/text.hpp"
#include "assay/report/text_table.hpp"

namespace assay::inline v0 {

/// How much is told.
enum class Verbosity {
  quiet,   ///< findings, at the end, and the closing line
  normal,  ///< progress on a terminal, the first failure of each of a few causes as it occurs, the final table, findings
  verbose  ///< also a line for every case and every failure, and the derivation of the tolerance with every failure
};

/// How a run is told.
struct ConsoleOptions {
  Verbosity verbosity = Verbosity::normal;
  std::optional<bool> terminal;  ///< draw progress; empty: if the stream is a terminal that can rewrite a line
  std::optional<bool> color;     ///< empty: if it is such a terminal and NO_COLOR is not set
  std::optional<bool> ascii;  ///< no letters beyond ASCII; empty: if the locale is "C" or "POSIX" (`ascii_asked_for`)
  /// How long a stream that is no terminal stays silent before a line of progress shows that the run lives.
  std::chrono::milliseconds heartbeat{30000};
  std::size_t diagnosis_lines = 3;  ///< of each failure, at most
  std::size_t shown_failures = 5;   ///< told one by one as they occur, each of a cause of its own; the rest is counted
  std::size_t finding_lines = 25;   ///< that the findings take at the end, at most; 6 or more
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
        color_(options.color.value_or(options.terminal.value_or(true) && colors_welcome(stream))),
        ascii_(options.ascii.value_or(ascii_asked_for())) {}
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

  /// After the last case: the table, what was not offered, findings, and the closing line.
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
    std::fputs(((ascii_ ? ascii_text(line) : line) + "\n").c_str(), stream_);
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

  /// Whether a failure is told as it occurs, being the first of a cause; the others are counted.
  [[nodiscard]] bool is_told(const Outcome& outcome);

  void print_table(const Run& run);

  void print_findings(const Run& run);

  void print_reasons(const Run& run, Verdict verdict);

  std::FILE* stream_;
  ConsoleOptions options_;
  bool terminal_;
  bool color_;
  bool ascii_;
  std::map<std::string, std::size_t> failures_;  ///< that occurred, by cause
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
