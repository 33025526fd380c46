#pragma once

#include "assay/suite/detail/crash_outcome.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE Outcome crash_outcome(const Ending& ending, std::string_view output,
                                                 std::size_t tail_bytes) {
  Outcome outcome = error_outcome(reason_of(ending));
  outcome.labels["ended"] = label_of(ending);
  if (ending.kind == Ending::Kind::signal) outcome.measure("signal", ending.number);
  if (ending.kind == Ending::Kind::exit) outcome.measure("exit_code", ending.number);

  const std::string_view tail = tail_of(output, tail_bytes);
  const std::vector<std::string> lines = printable_lines(tail);
  if (lines.empty()) {
    outcome.diagnosis.push_back("it had printed nothing");
    return outcome;
  }
  outcome.diagnosis.push_back("the last that it printed: " + lines.back());
  Table table{tail.size() < output.size() ? "last output (cut)" : "last output", {"standard output and error"}, {}};
  for (const std::string& line : lines) table.rows.push_back({line});
  outcome.tables.push_back(std::move(table));
  return outcome;
}

}  // namespace assay::inline v0::detail
