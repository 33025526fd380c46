#include "assay/performance/history_jsonl.hpp"

#include "fuzz/fuzz.hpp"

namespace {

using namespace assay;

/// The runs of a history as they were appended.
std::vector<HistoryRun> runs_of(const History& history) {
  std::vector<HistoryRun> runs;
  for (const RunOrigin& origin : history.runs) runs.push_back({origin, {}});
  for (const HistorySeries& series : history.series)
    for (const SeriesPoint& point : series.points)
      runs.at(point.run).points.push_back({series.name,
                                           series.configuration,
                                           {series.metric, series.unit, series.direction, point.samples, point.note}});
  return runs;
}

std::string text_of(const History& history) {
  std::string text;
  for (const HistoryRun& run : runs_of(history)) text += detail::history_line(run) + "\n";
  return text;
}

void read_and_write(std::string_view text) {
  Result<History> read = detail::read_history_lines(text, "history.jsonl");
  if (!read) return fuzz::promise_message(read.error().message);
  drop_repeated_runs(read.value(), "history.jsonl");  // lines that differ may say the same
  const std::string written = text_of(read.value());
  const Result<History> again = detail::read_history_lines(written, "history.jsonl");
  fuzz::promise(again.has_value(), "what is written can be read");
  fuzz::promise(again.value().runs == read.value().runs, "runs are the same");
  fuzz::promise(text_of(again.value()) == written, "their points are the same");
}

/// The lines as they are; then each with the checksum that it ought to have, which mutations do not hit upon.
void history(std::string_view text) {
  read_and_write(text);
  std::string checked;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t sum = line.rfind(detail::checksum_head);
    checked += detail::checked_line(std::string(line.substr(0, sum))) + "\n";
  }
  read_and_write(checked);
}

const fuzz::Registration registration_of_history("history", history);

}  // namespace
