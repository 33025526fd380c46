#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "assay/performance/import_options.hpp"

namespace assay::inline v0::detail {

/// One run as a reader of results gathers it: samples of one metric come together, in seconds where they are times, and
/// what cannot be kept is told.
class ImportedRun {
 public:
  explicit ImportedRun(const ImportOptions& options) : options_(options) {
    imported_.runs.emplace_back();
    imported_.has_time = false;
  }

  [[nodiscard]] RunOrigin& origin() { return imported_.runs.front().origin; }
  void note(const std::string& text) { note_once(imported_.notes, text); }

  /// When it was measured, as a file writes it; told where it cannot be read.
  void measured_at(const std::string& time);

  /// A sample of a metric of a subject; a subject is a benchmark's name and what tells its variants apart.
  void add(const HistoryPoint& subject, const std::string& metric, const std::string& unit, double sample,
           const std::string& note = {});

  [[nodiscard]] Imported finish() {
    finish_import(imported_, options_);
    return std::move(imported_);
  }

 private:
  const ImportOptions& options_;
  Imported imported_;
  std::map<std::string, std::size_t> points_;
};

/// The words of a line, cut at blanks.
[[nodiscard]] std::vector<std::string> words_of_line(std::string_view line);

/// The lines of a text, without their ends.
[[nodiscard]] std::vector<std::string_view> lines_of(std::string_view text);

/// The text without blanks at both ends.
[[nodiscard]] std::string_view without_blanks(std::string_view text) noexcept;

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/performance/detail/imported_run.ipp"
#endif
