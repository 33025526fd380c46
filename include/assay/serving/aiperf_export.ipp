#pragma once

#include "assay/serving/aiperf_export.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "assay/serving/openai_answer.hpp"

namespace assay::inline v0 {
namespace detail {

/// Appends a response: an event of a stream, or a whole body.
inline void take_aiperf_response(const nlohmann::json& response, RequestRecord& record) {
  const auto time_ns = response.at("perf_ns").get<std::int64_t>();
  record.end_ns = time_ns;
  if (response.contains("text")) {
    (void)take_whole_answer(response.at("text").get<std::string>(), time_ns, record);
    return;
  }
  for (const auto& packet : response.at("packets")) {
    const std::string value = packet.contains("value") ? packet.at("value").get<std::string>() : std::string();
    if (packet.at("name").get<std::string>() == "data")
      (void)take_stream_payload(value, time_ns, record);
    else
      record.events.push_back({AnswerEventKind::comment, time_ns, 0, false, 0, {}});
  }
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE bool is_aiperf_export(std::string_view text) {
  const std::string_view first = text.substr(0, text.find('\n'));
  return first.find("\"start_perf_ns\"") != std::string_view::npos &&
         first.find("\"benchmark_phase\"") != std::string_view::npos;
}

ASSAY_DETAIL_HEADER_INLINE Result<std::optional<RequestRecord>> record_of_aiperf_line(std::string_view line) {
  const auto json = nlohmann::json::parse(line, nullptr, false);
  if (!json.is_object()) return failure(ErrorKind::malformed, "a line of the export is no object of JSON");
  try {
    const auto& metadata = json.at("metadata");
    if (metadata.at("benchmark_phase").get<std::string>() == "warmup") return std::optional<RequestRecord>();
    RequestRecord record;
    record.user = metadata.at("session_num").get<std::uint64_t>();
    record.prompt = metadata.value("conversation_id", "");
    record.scheduled_ns = record.started_ns = record.sent_ns = json.at("start_perf_ns").get<std::int64_t>();
    record.end_ns = record.started_ns;
    if (const auto& status = json.at("status"); status.is_number()) record.status = status.get<int>();
    for (const auto& response : json.at("responses")) detail::take_aiperf_response(response, record);
    const auto error = json.find("error");
    if (error != json.end() && error->is_object()) {
      record.end = record.status >= 400 ? RequestEnd::http_error : RequestEnd::truncated;
      record.reason = error->at("message").get<std::string>();
    } else if (metadata.value("was_cancelled", false)) {
      record.end = RequestEnd::canceled;
      record.reason = "AIPerf ended it";
    } else if (record.end == RequestEnd::complete && !record.done_mark && record.finish_reason().empty()) {
      record.end = RequestEnd::truncated;
      record.reason = "the export has no end of the answer";
    }
    return std::optional(std::move(record));
  } catch (const nlohmann::json::exception& exception) {
    return failure(ErrorKind::malformed,
                   std::string("a line of the export is not as AIPerf 0.13 writes it: ") + exception.what());
  }
}

}  // namespace assay::inline v0
