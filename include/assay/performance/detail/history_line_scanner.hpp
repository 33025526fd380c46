#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "assay/performance/detail/history_line_reader.hpp"

namespace assay::inline v0::detail {

/// Adds the runs of lines to a history, as `HistoryLineReader` does, five times as fast where a line is as
/// `history_line` writes it: the text of a point before its samples is looked up as a whole, and only samples are read.
/// A line that is anything else, or has a series that is new, goes to the reader. What is searched for, such as
/// ,"samples":[ , cannot stand within a text of JSON, where quotes are escaped.
class HistoryLineScanner {
 public:
  explicit HistoryLineScanner(History& history) : history_(history), reader_(history) {}

  /// As `HistoryLineReader::read`. `line` ends with its checksum, of `end_length` characters.
  [[nodiscard]] std::string read(std::string_view line, std::size_t end_length);

 private:
  static constexpr std::string_view points_head = ",\"points\":[", samples_head = ",\"samples\":[",
                                    note_head = ",\"note\":\"", time_head = ",\"time\":\"";
  static constexpr std::size_t time_length = 24;  ///< 2025-01-02T03:04:05.678Z

  struct Known {
    std::size_t series;
    Direction direction;
  };
  struct Found {
    std::size_t series, end_of_samples;
    std::string_view note;
  };
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const noexcept { return std::hash<std::string_view>()(text); }
  };

  /// Reads points, each {…,"samples":[…]} or with a note behind; false where anything else stands.
  bool scan(std::string_view points);

  void commit();

  /// Adds a run whose head, all before its points, is that of the line before but for its time; false if it is another.
  bool begin_as_before(std::string_view head);

  /// Remembers what the reader made of the points of a line, up to the first that `history_line` would not have
  /// written.
  void learn(std::string_view points);

  History& history_;
  HistoryLineReader reader_;
  std::string head_;
  std::string shared_;  ///< what follows the time in the head of the run that was added last
  std::vector<Found> found_;
  std::vector<double> samples_;
  std::unordered_map<std::string, Known, Hash, std::equal_to<>> known_;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/performance/detail/history_line_scanner.ipp"
#endif
