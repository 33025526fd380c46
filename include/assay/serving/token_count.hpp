#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "assay/core/config.hpp"
#include "assay/serving/request_record.hpp"

namespace assay::inline v0 {

/// Whose word a count of tokens is.
enum class TokenSource {
  server_per_event,  ///< the server counted with every event
  tokenizer,         ///< a tokenizer counted the text
  server_total,      ///< the server counted the whole; what each event has is estimated by its bytes
  events             ///< nobody counted: an event is taken for a token, which is an estimate of both
};
/// The name in reports.
[[nodiscard]] constexpr std::string_view name_of(TokenSource source) noexcept {
  switch (source) {
    case TokenSource::server_per_event: return "server, per event";
    case TokenSource::tokenizer: return "tokenizer";
    case TokenSource::server_total: return "server, shared out by bytes";
    case TokenSource::events: return "events, an estimate";
  }
  return "events, an estimate";
}

/// Counts the tokens of a text: the reference tokenizer by which servers with different ones are compared.
using TokenCounter = std::function<std::uint64_t(std::string_view)>;

/// How many tokens the output events of a record carry.
struct TokenCount {
  TokenSource source = TokenSource::events;
  std::uint64_t total = 0;        ///< of the whole answer, all choices
  std::vector<double> per_event;  ///< of each output event, in order; `total` less what came without text
  /// Whether `total` itself is no more than an estimate.
  [[nodiscard]] bool estimated() const noexcept { return source == TokenSource::events; }
};

/// Counts by the best there is: `counter` if given (a common tokenizer: whole reassembled text of each choice and kind,
/// shared out by bytes), else what the server said with each event, else its total, else events.
/// O(events + text), and what `counter` costs.
[[nodiscard]] TokenCount count_tokens(const RequestRecord& record, const TokenCounter& counter = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/serving/token_count.ipp"
#endif
