#pragma once

#include "assay/serving/token_count.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace assay::inline v0 {
namespace detail {

/// A total shared out: a token each, and what is left by the bytes that events carry. Where there are fewer tokens than
/// events, a part of one each.
inline void share_out_tokens(TokenCount& count, const std::vector<const AnswerEvent*>& outputs, std::uint64_t total) {
  std::size_t bytes = 0;
  for (const AnswerEvent* event : outputs) bytes += event->text.size();
  count.total = total;
  const auto tokens = static_cast<double>(total), events = static_cast<double>(outputs.size());
  const double each = std::min(1.0, tokens / events), left = tokens - each * events;
  for (const AnswerEvent* event : outputs)
    count.per_event.push_back(
        each + left * (bytes > 0 ? static_cast<double>(event->text.size()) / static_cast<double>(bytes) : 1 / events));
}

/// The server's running count with every event. It is of all choices together only where there is one.
inline bool count_by_event(TokenCount& count, const std::vector<const AnswerEvent*>& outputs) {
  std::uint64_t before = 0;
  for (const AnswerEvent* event : outputs) {
    if (event->counted < before || event->counted == 0 || event->choice != 0) return false;
    before = event->counted;
  }
  if (outputs.empty()) return false;
  before = 0;
  for (const AnswerEvent* event : outputs) {
    count.per_event.push_back(static_cast<double>(event->counted - before));
    before = event->counted;
  }
  count.total = before;
  return true;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE TokenCount count_tokens(const RequestRecord& record, const TokenCounter& counter) {
  std::vector<const AnswerEvent*> outputs;
  std::map<std::pair<std::uint32_t, AnswerEventKind>, std::string> texts;
  for (const AnswerEvent& event : record.events) {
    if (!is_output(event.kind)) continue;
    outputs.push_back(&event);
    if (counter) texts[{event.choice, event.kind}] += event.text;
  }
  TokenCount count;
  if (counter) {
    std::uint64_t total = 0;
    for (const auto& [key, text] : texts) total += counter(text);
    count.source = TokenSource::tokenizer;
    detail::share_out_tokens(count, outputs, total);
    return count;
  }
  if (detail::count_by_event(count, outputs)) {
    count.source = TokenSource::server_per_event;
    // Tokens without text of their own, an end token for one, are counted with no event.
    count.total = std::max(count.total, record.usage.completion.value_or(0));
    return count;
  }
  const bool told = record.usage.completion.has_value();
  count.source = told ? TokenSource::server_total : TokenSource::events;
  if (told) {
    detail::share_out_tokens(count, outputs, *record.usage.completion);
    return count;
  }
  count.total = outputs.size();
  count.per_event.assign(outputs.size(), 1);
  return count;
}

}  // namespace assay::inline v0
