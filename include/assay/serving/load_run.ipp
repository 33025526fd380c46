#pragma once

#include "assay/serving/load_run.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "assay/core/monotonic_time.hpp"
#include "assay/report/text.hpp"
#include "assay/serving/answer_check.hpp"
#include "assay/serving/detail/numbered_lines.hpp"
#include "assay/serving/detail/stream_loop.hpp"

namespace assay::inline v0 {
namespace detail {

/// Which prompt stands at a position: the same number, the same prompt.
inline std::uint64_t prompt_number(const LoadPlan& plan, std::uint64_t position) {
  const std::size_t distinct = plan.prompts.empty() ? plan.workload.distinct : plan.prompts.size();
  return distinct > 0 ? position % distinct : position;
}

/// Makes the requests of a plan, one after the other.
class PlanReader {
 public:
  explicit PlanReader(const LoadPlan& plan) : plan_(plan) {}

  [[nodiscard]] Result<PlannedRequest> make(double at, std::uint64_t user, const TraceEntry* entry = nullptr) {
    GenerationRequest request = plan_.request;
    PlannedRequest planned;
    if (entry != nullptr) request.max_tokens = entry->output_tokens;
    request.prompt =
        entry != nullptr ? trace_prompt(*entry, plan_.workload, position_) : planned_prompt(plan_, position_);
    const std::uint64_t name = entry == nullptr ? prompt_number(plan_, position_) : position_;
    ++position_;
    auto body = request_body(request);
    if (!body) return body.propagate();
    planned.at = at;
    planned.user = user;
    planned.prompt =
        request.prompt.size() <= 400 ? request.prompt : clipped(request.prompt, 300) + " #" + std::to_string(name);
    planned.path = request_path(request.interface);
    planned.body = std::move(body).value();
    planned.most_tokens = request.max_tokens;
    return planned;
  }

 private:
  const LoadPlan& plan_;
  std::uint64_t position_ = 0;
};

inline Result<std::vector<PlannedRequest>> planned_arrivals(const LoadPlan& plan, PlanReader& reader) {
  std::vector<PlannedRequest> requests;
  const auto add = [&](double at, const TraceEntry* entry) -> Result<void> {
    auto request = reader.make(at, requests.size(), entry);
    if (!request) return request.propagate();
    requests.push_back(std::move(request).value());
    return {};
  };
  const auto enough = [&] { return plan.requests > 0 && requests.size() >= plan.requests; };
  if (!plan.trace.empty()) {
    for (const TraceEntry& entry : plan.trace) {
      if (enough() || entry.at >= plan.seconds) break;
      if (auto added = add(entry.at, &entry); !added) return added.propagate();
    }
    return requests;
  }
  ArrivalOptions arrivals = plan.arrivals;
  arrivals.seconds = plan.seconds;
  const auto times = arrival_times(arrivals);
  if (!times) return times.propagate();
  for (const double time : times.value()) {
    if (enough()) break;
    if (auto added = add(time, nullptr); !added) return added.propagate();
  }
  return requests;
}

inline Result<std::vector<RequestRecord>> run_users(const ServerAddress& server, const LoadPlan& plan,
                                                    PlanReader& reader, StreamClientOptions options, double seconds,
                                                    std::size_t most) {
  std::vector<PlannedRequest> first;
  for (std::size_t user = 0; user < plan.users && (most == 0 || user < most); ++user) {
    auto request = reader.make(0, user);
    if (!request) return request.propagate();
    first.push_back(std::move(request).value());
  }
  std::size_t begun = first.size();
  const std::int64_t last = monotonic_nanoseconds() + static_cast<std::int64_t>(seconds * 1e9);
  options.next = [&](const RequestRecord& record) -> std::optional<PlannedRequest> {
    if ((most > 0 && begun >= most) || monotonic_nanoseconds() >= last) return std::nullopt;
    auto next = reader.make(plan.pause + (record.end == RequestEnd::complete ? 0 : 0.1), record.user);
    if (!next) return std::nullopt;
    ++begun;
    return std::move(next).value();
  };
  return run_requests(server, std::move(first), options);
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::string trace_prompt(const TraceEntry& entry, const WorkloadOptions& options,
                                                    std::uint64_t position) {
  WorkloadOptions workload = options;
  workload.words = entry.input_words;
  if (entry.blocks.empty()) return workload_prompt(workload, position);
  constexpr std::size_t block_words = 512;
  workload.words = 0;
  workload.distinct = 1;
  std::string prompt = workload_prompt(workload, 0);  // the salt, and what all share
  std::size_t left = entry.input_words;
  // Words by number, without a salt: of a block from a seed of its own kind, of what no block covers from the
  // request's.
  const auto words = [](std::size_t count, std::uint64_t seed, std::uint64_t number) {
    return workload_prompt({count, 0, 0, false, seed}, number);
  };
  for (std::size_t i = 0; i < entry.blocks.size() && left > 0; ++i) {
    const std::size_t count = std::min(left, block_words);
    prompt += (i > 0 ? " " : "") + words(count, options.seed + 0xB10C, entry.blocks[i]);
    left -= count;
  }
  if (left > 0) prompt += " " + words(left, options.seed, position);
  return prompt;
}

ASSAY_DETAIL_HEADER_INLINE std::string planned_prompt(const LoadPlan& plan, std::uint64_t position) {
  if (plan.prompts.empty()) return workload_prompt(plan.workload, position);
  return plan.prompts[static_cast<std::size_t>(position % plan.prompts.size())];
}

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<RequestRecord>> run_load(const ServerAddress& server,
                                                                       const LoadPlan& plan,
                                                                       StreamClientOptions options) {
  if (!(plan.seconds > 0) || !(plan.pause >= 0))
    return failure(ErrorKind::invalid, "a load needs seconds above 0 in which requests begin, and no negative pause");
  detail::PlanReader reader(plan);
  if (plan.warm_up > 0) {
    StreamClientOptions quiet = options;
    quiet.ended = nullptr;
    LoadPlan warm = plan;
    warm.users = plan.users > 0 ? plan.users : 1;
    if (auto warmed = detail::run_users(server, warm, reader, quiet, 1e6, plan.warm_up); !warmed) return warmed;
  }
  if (plan.users > 0) return detail::run_users(server, plan, reader, std::move(options), plan.seconds, plan.requests);
  auto requests = detail::planned_arrivals(plan, reader);
  if (!requests) return requests.propagate();
  return run_requests(server, std::move(requests).value(), options);
}

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<TraceEntry>> trace_from_text(std::string_view text) {
  std::vector<TraceEntry> trace;
  for (detail::NumberedLines lines(text); lines.next();) {
    const std::string_view line = lines.line();
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const auto json = nlohmann::json::parse(line, nullptr, false);
    const auto member = [&](const char* name) {
      return json.is_object() && json.contains(name) && json[name].is_number();
    };
    if (!member("timestamp") || !member("input_length") || !member("output_length"))
      return failure(ErrorKind::malformed, "line " + std::to_string(lines.number()) +
                                               " of the trace has no numbers timestamp, input_length, output_length");
    const double at = json["timestamp"].get<double>() * 1e-3, input = json["input_length"].get<double>(),
                 output = json["output_length"].get<double>();
    if (!(at >= 0 && at < 1e9) || !(input >= 0 && input < 1e7) || !(output >= 0 && output < 1e7) ||
        (!trace.empty() && at < trace.back().at))
      return failure(ErrorKind::invalid,
                     "line " + std::to_string(lines.number()) +
                         " of the trace goes back in time, or its numbers are negative or too large");
    TraceEntry entry{at, static_cast<std::size_t>(input), static_cast<std::uint64_t>(output)};
    if (json.contains("hash_ids")) {
      const auto refused = [&] {
        return failure(ErrorKind::malformed, "line " + std::to_string(lines.number()) +
                                                 " of the trace has hash_ids that are no list of numbers");
      };
      if (!json["hash_ids"].is_array()) return refused();
      for (const auto& block : json["hash_ids"]) {
        if (!block.is_number_unsigned()) return refused();
        entry.blocks.push_back(block.get<std::uint64_t>());
      }
    }
    trace.push_back(std::move(entry));
  }
  if (trace.empty()) return failure(ErrorKind::malformed, "the trace has no request");
  return trace;
}

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<std::string>> prompts_from_text(std::string_view text) {
  std::vector<std::string> prompts;
  for (detail::NumberedLines lines(text); lines.next();) {
    std::string_view line = lines.line();
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.empty()) continue;
    const std::string place = "line " + std::to_string(lines.number()) + " of the prompts";
    if (!is_utf8(line)) return failure(ErrorKind::malformed, place + " is no UTF-8; convert the file");
    const auto json = line.front() == '{' ? nlohmann::json::parse(line, nullptr, false) : nlohmann::json();
    if (json.is_object() && json.contains("prompt") && json["prompt"].is_string())
      prompts.push_back(json["prompt"].get<std::string>());
    else if (json.is_object())
      return failure(ErrorKind::malformed, place + " is an object without a text `prompt`");
    else
      prompts.emplace_back(line);
  }
  if (prompts.empty()) return failure(ErrorKind::malformed, "there are no prompts");
  return prompts;
}

ASSAY_DETAIL_HEADER_INLINE Result<std::string> first_model(const ServerAddress& server, const std::string& key) {
  PlannedRequest request;
  request.method = "GET";
  request.path = "/models";
  StreamClientOptions options;
  options.keep_bodies = true;
  options.key = key;
  options.deadline = 30;
  const auto records = run_requests(server, {request}, options);
  if (!records) return records.propagate();
  const RequestRecord& record = records.value().front();
  if (record.status == 0) return failure(ErrorKind::io, "the server does not answer: " + record.reason);
  const auto json = nlohmann::json::parse(record.body, nullptr, false);
  if (json.is_object() && json.contains("data") && json["data"].is_array() && !json["data"].empty() &&
      json["data"][0].is_object() && json["data"][0].contains("id") && json["data"][0]["id"].is_string())
    return json["data"][0]["id"].get<std::string>();
  return std::string();
}

}  // namespace assay::inline v0
