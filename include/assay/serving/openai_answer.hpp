#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "assay/core/config.hpp"
#include "assay/serving/request_record.hpp"

/// What OpenAI-compatible servers answer, as events. All dialects are read, whichever was asked for: llama.cpp's
/// `reasoning_content` and usage without choices, vLLM's `reasoning` and counts with every event, transformers' usage in
/// the finish event without an end mark, `message` where a `delta` is due, Responses' typed events.
namespace assay::inline v0 {

/// Appends what one payload of the stream carries. False where the stream is over: by its end mark, by an error of the
/// server, or since the payload is no JSON; the record's `end` and `reason` tell which. O(payload).
bool take_stream_payload(std::string_view payload, std::int64_t time_ns, RequestRecord& record);

/// Appends what an answer that is not streamed carries, all at the time of its end. False as above. O(body).
bool take_whole_answer(std::string_view body, std::int64_t time_ns, RequestRecord& record);

/// The message of an error answer: the server's own words, else the beginning of what it sent instead of JSON.
[[nodiscard]] std::string error_message_of(std::string_view body);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/serving/openai_answer.ipp"
#endif
