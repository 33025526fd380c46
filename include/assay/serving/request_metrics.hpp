#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "assay/serving/request_record.hpp"
#include "assay/serving/token_count.hpp"

namespace assay::inline v0 {

/// What one answer took: pure functions of its events. Times are in seconds from the *scheduled* time; what does not
/// exist (no first token, no second one) is empty, and never 0.
struct RequestMetrics {
  std::optional<double> first_token;  ///< TTFT: to the first output that is not empty, of whichever kind
  AnswerEventKind first_kind = AnswerEventKind::text;  ///< of which kind that was
  std::optional<double> first_answer_token;            ///< TTFAT: to the first text or tool call behind reasoning
  std::optional<double> end_to_end;                    ///< to the last output
  std::optional<double> whole;                         ///< to the end of the answer, marks and counts included
  std::optional<double> per_token;                     ///< TPOT: (E2E − TTFT)/(n − 1), n ≥ 2 tokens
  /// (E2E − TTFT)/(n − k), k tokens in the first event: the pace of a server that sends several tokens an event
  std::optional<double> per_later_token;
  std::optional<double> output_speed;  ///< tokens a second behind the first event; 1/`per_later_token`
  std::vector<double> event_gaps;      ///< between output events, in seconds
  std::vector<double> token_gaps;      ///< ITL: a gap before an event of k tokens is k gaps of its kth part
  TokenCount tokens;
  double client_delay = 0;       ///< from the scheduled time until the client turned to it
  bool first_is_bound = false;   ///< more came in one read with the first output: TTFT is an upper bound
  std::size_t shared_reads = 0;  ///< output events that shared a read
  bool served = false;           ///< complete, with output

  /// The longest gap between output events, in seconds; 0 where there is none.
  [[nodiscard]] double longest_gap() const noexcept {
    double longest = 0;
    for (const double gap : event_gaps) longest = gap > longest ? gap : longest;
    return longest;
  }
};

/// O(events + tokens). Definitions: MLPerf Inference (TTFT, TPOT), Artificial Analysis (TTFAT, output speed).
[[nodiscard]] RequestMetrics request_metrics(const RequestRecord& record, const TokenCounter& counter = {});

/// What a request is to keep, in seconds; what is empty is not asked for.
struct ServiceLevel {
  std::optional<double> first_token;  ///< TTFT
  std::optional<double> per_token;    ///< TPOT
  std::optional<double> end_to_end;   ///< to the last output
  std::optional<double> longest_gap;  ///< between output events

  /// Whether anything is asked for.
  [[nodiscard]] bool any() const noexcept { return first_token || per_token || end_to_end || longest_gap; }
};

/// Whether the answer came and kept all that is asked for. One token has no pace, and keeps any.
[[nodiscard]] bool keeps(const RequestMetrics& metrics, const ServiceLevel& level);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/serving/request_metrics.ipp"
#endif
