#pragma once

#include "assay/hardware/bandwidth/transfers.hpp"

#include <algorithm>

#include "assay/core/config.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/report/text.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Outcome judge_transfers(std::span<const TransferMeasurement> measurements,
                                                   const std::string& backend, const TransferOptions& options) {
  Outcome outcome;
  outcome.id = "hardware/bandwidth/transfers";
  outcome.labels = {{"operation", "bandwidth"}, {"backend", backend}};
  outcome.verdict = Verdict::pass;
  Table table{"between host and device", {"direction", "bytes", "GB/s", "median GB/s", "wrong words"}, {}};
  double alone = 0, both = 0;
  const auto fail = [&](const std::string& reason) {
    if (outcome.verdict == Verdict::fail) return;
    outcome.verdict = Verdict::fail;
    outcome.reason = reason;
  };
  for (const TransferMeasurement& entry : measurements) {
    const std::string name(name_of(entry.direction));
    const bool twice = entry.direction == TransferDirection::both;
    const double rate = entry.bytes_per_second;
    (twice ? both : alone) = std::max(twice ? both : alone, rate);
    outcome.measure(name, rate / 1e9, "GB/s");
    table.rows.push_back({name, std::to_string(entry.bytes), number_text(rate / 1e9),
                          number_text(entry.median_bytes_per_second / 1e9), std::to_string(entry.wrong_words)});
    const std::string told = name + ": " + number_text(rate / 1e9) + " GB/s are ";
    if (entry.wrong_words > 0)
      fail(name + ": " + std::to_string(entry.wrong_words) + " words did not arrive as they were sent; the first is " +
           std::to_string(entry.first_wrong));
    else if (!(rate > 0))
      fail(name + ": the rate is 0");
    else if (options.theoretical && rate > (twice ? 2 : 1) * *options.theoretical)
      fail(told + "more than the link's " + number_text(*options.theoretical / 1e9) +
           " GB/s a direction: nothing was copied, or the figure is wrong");
    else if (!twice && options.theoretical && rate < options.least_share * *options.theoretical)
      fail(told + "less than " + number_text(100 * options.least_share) + " % of the link's " +
           number_text(*options.theoretical / 1e9) + " GB/s; look at its width and speed (assay telemetry list)");
  }
  if (alone > 0 && both > 0) outcome.measure("overlap", both / alone);
  outcome.tables.push_back(std::move(table));
  if (measurements.empty()) {
    outcome.verdict = Verdict::inconclusive;
    outcome.reason = "nothing was measured";
  }
  return outcome;
}

}  // namespace assay::inline v0
