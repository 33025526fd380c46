#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "assay/collectives/coordinator.hpp"
#include "assay/training/detail/byte_archive.hpp"

namespace assay::inline v0::detail {

/// Every rank's record, on every rank; or the first rank's error, on every rank. Errors: `timed_out`, naming who has
/// not told in time.
template <class Record>
[[nodiscard]] Result<std::vector<Record>> gather_records(Coordinator& coordinator, const Result<Record>& mine,
                                                         Deadline deadline) {
  auto exchanged = coordinator.exchange(mine ? "+" + to_bytes(mine.value()) : "-" + mine.error().message, deadline);
  if (!mine) return mine.propagate();
  if (!exchanged) return exchanged.propagate();
  std::vector<Record> records(exchanged.value().size());
  for (std::size_t rank = 0; rank < records.size(); ++rank) {
    const auto& text = exchanged.value()[rank];
    const std::string who = "rank " + std::to_string(rank);
    if (!text) return failure(ErrorKind::timed_out, who + " has not told in time what it computed");
    if (text->empty() || text->front() == '-')
      return failure(ErrorKind::aborted, who + " did not come to the end: " + (text->empty() ? "" : text->substr(1)));
    if (!from_bytes(std::string_view(*text).substr(1), records[rank]))
      return failure(ErrorKind::malformed,
                     "what " + who + " computed cannot be read: is it another version of this program?");
  }
  return records;
}

}  // namespace assay::inline v0::detail
