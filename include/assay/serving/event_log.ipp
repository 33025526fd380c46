#pragma once

#include "assay/serving/event_log.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "assay/report/read_file.hpp"
#include "assay/report/text.hpp"
#include "assay/serving/aiperf_export.hpp"
#include "assay/serving/detail/numbered_lines.hpp"

namespace assay::inline v0 {
namespace detail {

inline void put_usage(nlohmann::ordered_json& json, const char* name, const std::optional<std::uint64_t>& value) {
  if (value) json[name] = *value;
}

inline std::optional<std::uint64_t> get_usage(const nlohmann::json& json, const char* name) {
  return json.contains(name) ? std::optional(json.at(name).get<std::uint64_t>()) : std::nullopt;
}

/// The position of a name in a list of them.
template <class Names>
std::size_t position_of(const Names& names, const std::string& name) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::string event_line(const RequestRecord& record, std::int64_t origin_ns) {
  using Json = nlohmann::ordered_json;
  const auto time = [&](std::int64_t ns) { return ns == 0 ? 0 : ns - origin_ns; };
  Json json{{"id", record.id},
            {"user", record.user},
            {"prompt", record.prompt},
            {"scheduled_ns", time(record.scheduled_ns)},
            {"started_ns", time(record.started_ns)},
            {"sent_ns", time(record.sent_ns)},
            {"end_ns", time(record.end_ns)},
            {"end", name_of(record.end)},
            {"status", record.status},
            {"reason", record.reason},
            {"attempts", record.attempts},
            {"done_mark", record.done_mark},
            {"kernel_times", record.kernel_times},
            {"most_tokens", record.most_tokens}};
  if (record.retry_after) json["retry_after"] = *record.retry_after;
  Json& usage = json["usage"] = Json::object();
  detail::put_usage(usage, "prompt", record.usage.prompt);
  detail::put_usage(usage, "completion", record.usage.completion);
  detail::put_usage(usage, "cached", record.usage.cached);
  detail::put_usage(usage, "reasoning", record.usage.reasoning);
  Json& events = json["events"] = Json::array();
  for (const AnswerEvent& event : record.events)
    events.push_back(
        {name_of(event.kind), time(event.time_ns), event.choice, event.shared_read ? 1 : 0, event.counted, event.text});
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

ASSAY_DETAIL_HEADER_INLINE Result<RequestRecord> record_of_line(std::string_view line) {
  const auto json = nlohmann::json::parse(line, nullptr, false);
  if (!json.is_object()) return failure(ErrorKind::malformed, "a line of events is no object of JSON");
  try {
    RequestRecord record;
    json.at("id").get_to(record.id);
    json.at("user").get_to(record.user);
    json.at("prompt").get_to(record.prompt);
    json.at("scheduled_ns").get_to(record.scheduled_ns);
    json.at("started_ns").get_to(record.started_ns);
    json.at("sent_ns").get_to(record.sent_ns);
    json.at("end_ns").get_to(record.end_ns);
    json.at("status").get_to(record.status);
    json.at("reason").get_to(record.reason);
    json.at("attempts").get_to(record.attempts);
    json.at("done_mark").get_to(record.done_mark);
    json.at("kernel_times").get_to(record.kernel_times);
    json.at("most_tokens").get_to(record.most_tokens);
    const std::size_t end = detail::position_of(request_end_names, json.at("end").get<std::string>());
    if (end == request_end_names.size())
      return failure(ErrorKind::malformed,
                     "'" + visible(json.at("end").get<std::string>()) + "' is no end of a request");
    record.end = static_cast<RequestEnd>(end);
    if (json.contains("retry_after")) record.retry_after = json.at("retry_after").get<double>();
    const auto& usage = json.at("usage");
    record.usage = {detail::get_usage(usage, "prompt"), detail::get_usage(usage, "completion"),
                    detail::get_usage(usage, "cached"), detail::get_usage(usage, "reasoning")};
    for (const auto& entry : json.at("events")) {
      const std::size_t kind = detail::position_of(answer_event_names, entry.at(0).get<std::string>());
      if (kind == answer_event_names.size())
        return failure(ErrorKind::malformed, "'" + visible(entry.at(0).get<std::string>()) + "' is no kind of event");
      record.events.push_back({static_cast<AnswerEventKind>(kind), entry.at(1).get<std::int64_t>(),
                               entry.at(2).get<std::uint32_t>(), entry.at(3).get<int>() != 0,
                               entry.at(4).get<std::uint64_t>(), entry.at(5).get<std::string>()});
    }
    return record;
  } catch (const nlohmann::json::exception& exception) {
    return failure(ErrorKind::malformed, std::string("a line of events is not as it is to be: ") + exception.what());
  }
}

namespace detail {
inline Result<std::optional<RequestRecord>> own_record(std::string_view line) {
  auto record = record_of_line(line);
  if (!record) return record.propagate();
  return std::optional(std::move(record).value());
}
}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<RequestRecord>> read_event_log(const std::filesystem::path& path) {
  const auto text = read_file(path, "a file of events");
  if (!text) return text.propagate();
  const bool exported = is_aiperf_export(text.value());
  std::vector<RequestRecord> records;
  for (detail::NumberedLines lines(text.value()); lines.next();) {
    if (lines.line().empty()) continue;
    auto record = exported ? record_of_aiperf_line(lines.line()) : detail::own_record(lines.line());
    if (!record && !lines.whole()) break;
    if (!record)
      return failure(ErrorKind::malformed,
                     "'" + path.string() + "', line " + std::to_string(lines.number()) + ": " + record.error().message);
    if (!record.value()) continue;
    records.push_back(std::move(*std::move(record).value()));
    if (exported) records.back().id = records.size() - 1;
  }
  return records;
}

}  // namespace assay::inline v0
