#pragma once

#include "assay/serving/openai_answer.hpp"

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "assay/report/text.hpp"

namespace assay::inline v0 {
namespace detail {

using AnswerJson = nlohmann::json;

/// The member as an object of that kind, or nothing.
inline const AnswerJson* member_of(const AnswerJson& object, const char* name) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(name);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

inline std::string text_member(const AnswerJson& object, const char* name) {
  const AnswerJson* value = member_of(object, name);
  return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
}

inline std::optional<std::uint64_t> count_member(const AnswerJson& object, const char* name) {
  const AnswerJson* value = member_of(object, name);
  return value != nullptr && value->is_number_unsigned() ? std::optional(value->get<std::uint64_t>()) : std::nullopt;
}

inline std::string error_text(const AnswerJson& error) {
  if (error.is_string()) return error.get<std::string>();
  const std::string message = text_member(error, "message");
  return message.empty() ? error.dump(-1, ' ', false, AnswerJson::error_handler_t::replace) : message;
}

/// Reads payloads into one record.
class AnswerReader {
 public:
  AnswerReader(std::int64_t time_ns, RequestRecord& record) : time_ns_(time_ns), record_(record) {}

  bool take(const AnswerJson& json) {
    if (const AnswerJson* error = member_of(json, "error")) return fail(error_text(*error));
    if (text_member(json, "object") == "error") return fail(error_text(json));
    if (const AnswerJson* usage = member_of(json, "usage")) take_usage(*usage);
    if (json.is_object() && json.contains("type") && json["type"].is_string()) return take_typed(json);
    if (const AnswerJson* choices = member_of(json, "choices"); choices != nullptr && choices->is_array()) {
      for (const AnswerJson& choice : *choices) take_choice(choice);
      if (choices->empty()) add(AnswerEventKind::usage, 0, "");
    } else if (const AnswerJson* output = member_of(json, "output"); output != nullptr && output->is_array()) {
      take_output(*output);
      if (text_member(json, "status") == "completed") add(AnswerEventKind::finish, 0, "stop");
    } else {
      add(AnswerEventKind::empty, 0, "");
    }
    return true;
  }

 private:
  void add(AnswerEventKind kind, std::uint32_t choice, std::string text) {
    AnswerEvent event;
    event.kind = kind;
    event.time_ns = time_ns_;
    event.choice = choice;
    event.counted = counted_;
    event.text = std::move(text);
    record_.events.push_back(std::move(event));
  }

  bool fail(std::string message) {
    record_.end = RequestEnd::stream_error;
    record_.reason = "the server reported: " + clipped(visible(message), 300);
    add(AnswerEventKind::error, 0, std::move(message));
    return false;
  }

  void take_usage(const AnswerJson& usage) {
    const auto first = [&](const char* name, const char* other) {
      const auto value = count_member(usage, name);
      return value ? value : count_member(usage, other);
    };
    const auto keep = [](std::optional<std::uint64_t>& to, const std::optional<std::uint64_t>& value) {
      if (value) to = value;
    };
    keep(record_.usage.prompt, first("prompt_tokens", "input_tokens"));
    keep(record_.usage.completion, first("completion_tokens", "output_tokens"));
    counted_ = first("completion_tokens", "output_tokens").value_or(0);
    for (const char* name : {"prompt_tokens_details", "input_tokens_details"})
      if (const AnswerJson* details = member_of(usage, name))
        keep(record_.usage.cached, count_member(*details, "cached_tokens"));
    for (const char* name : {"completion_tokens_details", "output_tokens_details"})
      if (const AnswerJson* details = member_of(usage, name))
        keep(record_.usage.reasoning, count_member(*details, "reasoning_tokens"));
  }

  /// Text, reasoning and tool calls of a delta or a message. Whether there was any.
  bool take_message(const AnswerJson& message, std::uint32_t choice) {
    const std::size_t before = record_.events.size();
    for (const char* name : {"reasoning_content", "reasoning"})
      if (std::string text = text_member(message, name); !text.empty()) {
        add(AnswerEventKind::reasoning, choice, std::move(text));
        break;
      }
    for (const char* name : {"content", "refusal"})
      if (std::string text = text_member(message, name); !text.empty())
        add(AnswerEventKind::text, choice, std::move(text));
    if (const AnswerJson* calls = member_of(message, "tool_calls"); calls != nullptr && calls->is_array())
      for (const AnswerJson& call : *calls)
        if (const AnswerJson* function = member_of(call, "function"))
          if (std::string text = text_member(*function, "name") + text_member(*function, "arguments"); !text.empty())
            add(AnswerEventKind::tool, choice, std::move(text));
    return record_.events.size() > before;
  }

  void take_choice(const AnswerJson& choice) {
    const auto index = static_cast<std::uint32_t>(count_member(choice, "index").value_or(0));
    bool any = false;
    if (std::string text = text_member(choice, "text"); !text.empty()) {
      add(AnswerEventKind::text, index, std::move(text));
      any = true;
    }
    for (const char* name : {"delta", "message"})
      if (const AnswerJson* message = member_of(choice, name)) {
        if (take_message(*message, index))
          any = true;
        else if (message->contains("role")) {
          add(AnswerEventKind::role, index, text_member(*message, "role"));
          any = true;
        }
      }
    if (std::string reason = text_member(choice, "finish_reason"); !reason.empty())
      add(AnswerEventKind::finish, index, std::move(reason));
    else if (!any)
      add(AnswerEventKind::empty, index, "");
  }

  /// An event of the Responses interface.
  bool take_typed(const AnswerJson& json) {
    const std::string type = json["type"].get<std::string>();
    const auto ends_with = [&](std::string_view end) {
      return type.size() >= end.size() && std::string_view(type).substr(type.size() - end.size()) == end;
    };
    if (type == "error") return fail(error_text(json));
    if (const AnswerJson* response = member_of(json, "response")) {
      if (const AnswerJson* usage = member_of(*response, "usage")) take_usage(*usage);
      if (const AnswerJson* error = member_of(*response, "error")) return fail(error_text(*error));
    }
    if (std::string text = text_member(json, "delta"); ends_with(".delta") && !text.empty()) {
      add(type.find("reasoning") != std::string::npos       ? AnswerEventKind::reasoning
          : type.find("function_call") != std::string::npos ? AnswerEventKind::tool
                                                            : AnswerEventKind::text,
          static_cast<std::uint32_t>(count_member(json, "output_index").value_or(0)), std::move(text));
    } else if (type == "response.completed" || type == "response.incomplete") {
      add(AnswerEventKind::finish, 0, type == "response.completed" ? "stop" : "length");
      record_.done_mark = true;
    } else {
      add(AnswerEventKind::empty, 0, "");
    }
    return true;
  }

  /// The messages of a whole answer of the Responses interface.
  void take_output(const AnswerJson& output) {
    for (const AnswerJson& item : output) {
      const AnswerJson* content = member_of(item, "content");
      if (content == nullptr || !content->is_array()) continue;
      for (const AnswerJson& part : *content)
        add(text_member(item, "type") == "reasoning" ? AnswerEventKind::reasoning : AnswerEventKind::text, 0,
            text_member(part, "text"));
    }
  }

  std::int64_t time_ns_;
  RequestRecord& record_;
  std::uint64_t counted_ = 0;
};

inline bool take_answer_text(std::string_view text, const char* what, std::int64_t time_ns, RequestRecord& record) {
  const AnswerJson json = AnswerJson::parse(text, nullptr, false);
  if (!json.is_object()) {
    record.end = RequestEnd::malformed;
    record.reason = std::string(what) + " is no object of JSON: '" + clipped(visible(text), 80) + "'";
    return false;
  }
  return AnswerReader(time_ns, record).take(json);
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE bool take_stream_payload(std::string_view payload, std::int64_t time_ns,
                                                    RequestRecord& record) {
  if (payload == "[DONE]") {
    AnswerEvent event;
    event.kind = AnswerEventKind::done;
    event.time_ns = time_ns;
    record.events.push_back(std::move(event));
    record.done_mark = true;
    return false;
  }
  return detail::take_answer_text(payload, "an event of the stream", time_ns, record);
}

ASSAY_DETAIL_HEADER_INLINE bool take_whole_answer(std::string_view body, std::int64_t time_ns, RequestRecord& record) {
  return detail::take_answer_text(body, "the answer", time_ns, record);
}

ASSAY_DETAIL_HEADER_INLINE std::string error_message_of(std::string_view body) {
  const detail::AnswerJson json = detail::AnswerJson::parse(body, nullptr, false);
  if (json.is_object())
    for (const char* name : {"error", "detail", "message"})
      if (const detail::AnswerJson* error = detail::member_of(json, name))
        return clipped(visible(detail::error_text(*error)), 300);
  return body.empty() ? "nothing was said" : "'" + clipped(visible(body), 120) + "'";
}

}  // namespace assay::inline v0
