#pragma once

#include "assay/validators/minimize/case_file.hpp"

#include <charconv>
#include <cmath>
#include <limits>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

/// A number where it stands for the code and no other, else the code: "0x7fc1".
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE nlohmann::ordered_json json_of_code(const ElementFormat& format,
                                                                             std::uint64_t code) {
  const double value = format.decode(code);
  if (std::isfinite(value) && format.encode(value) == code) return value;
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(code));
  return text;
}

/// Throws what the JSON library throws, or a message.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::uint64_t code_of_json(const ElementFormat& format,
                                                                    const nlohmann::ordered_json& json) {
  if (json.is_number()) return format.encode(json.get<double>());
  const std::string text = json.get<std::string>();
  std::uint64_t code = 0;
  const char* const end = text.data() + text.size();
  if (text.rfind("0x", 0) != 0 || std::from_chars(text.data() + 2, end, code, 16).ptr != end)
    throw std::string("a value is '" + text + "'; it must be a number or a code such as \"0x7fc1\"");
  return code;
}

/// Texts of fields are numbers, true, false or words.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE nlohmann::ordered_json json_of_field(const std::string& text) {
  const auto json = nlohmann::ordered_json::parse(text, nullptr, false);
  return json.is_number() || json.is_boolean() ? json : nlohmann::ordered_json(text);
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::uint64_t seed_of_json(const nlohmann::ordered_json& json) {
  const std::string text = json.get<std::string>();
  std::uint64_t seed = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), seed).ptr != text.data() + text.size() || text.empty())
    throw std::string("the seed is '" + text + "'; it must be a whole number in quotes");
  return seed;
}

template <std::integral N>
[[nodiscard]] N whole_number_of_json(const nlohmann::ordered_json& json, const std::string& what, N least) {
  if (!json.is_number_unsigned() || !std::in_range<N>(json.get<std::uint64_t>()) || json.get<N>() < least)
    throw what + " is " + json.dump() + "; it must be a whole number from " + std::to_string(least) + " to " +
        std::to_string(std::numeric_limits<N>::max());
  return json.get<N>();
}

template <class E>
[[nodiscard]] E enum_of_json(const nlohmann::ordered_json& json, const char* what) {
  const auto value = enum_named<E>(json.get<std::string>());
  if (!value) throw std::string(what) + " '" + json.get<std::string>() + "' is unknown";
  return *value;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE CaseRecord case_of_json(const nlohmann::ordered_json& json) {
  if (json.at("schema") != case_schema)
    throw "the schema is " + json.at("schema").dump() + "; this version reads \"" + case_schema + "\"";
  CaseRecord record;
  record.id = json.at("id").get<std::string>();
  record.verdict = enum_of_json<Verdict>(json.at("verdict"), "the verdict");
  record.reason = json.value("reason", "");
  for (const auto& [name, value] : json.at("problem").items())
    record.problem.push_back({name, value.is_string() ? value.get<std::string>() : value.dump()});
  if (json.contains("pattern")) {
    record.data = json.at("pattern").get<std::string>();
    record.seed = seed_of_json(json.at("seed"));
  } else {
    for (const auto& own : json.at("operands")) {
      RecordedOperand operand{own.at("name").get<std::string>(), own.at("format").get<std::string>(), {}, {}};
      for (const auto& extent : own.at("extents"))
        operand.extents.push_back(whole_number_of_json(extent, "an extent of " + operand.name, Index{0}));
      const auto format = element_format_named(operand.format);
      if (!format) throw std::string("the format '" + operand.format + "' of " + operand.name + " is unknown");
      for (const auto& value : own.at("values")) operand.codes.push_back(code_of_json(*format, value));
      record.operands.push_back(std::move(operand));
    }
    record.rounding = enum_of_json<RoundingModel>(json.at("rounding"), "the rounding model");
  }
  if (json.contains("row_padding"))
    record.row_padding = whole_number_of_json(json.at("row_padding"), "row_padding", Index{0});
  if (json.contains("misalignment"))
    record.misalignment = whole_number_of_json(json.at("misalignment"), "misalignment", Index{0});
  if (json.contains("repetitions"))
    record.repetitions = whole_number_of_json(json.at("repetitions"), "repetitions", 1u);
  record.require_determinism = json.value("require_determinism", false);
  record.tolerance = json.value("tolerance", "derived");
  return record;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::string case_text(const CaseRecord& record) {
  nlohmann::ordered_json json{
      {"schema", case_schema}, {"id", record.id}, {"verdict", name_of(record.verdict)}, {"reason", record.reason}};
  json["problem"] = nlohmann::ordered_json::object();
  for (const RecordedField& field : record.problem) json["problem"][field.name] = detail::json_of_field(field.value);
  if (record.operands.empty()) {
    json["pattern"] = record.data;
    json["seed"] = std::to_string(record.seed);
  } else {
    json["rounding"] = enum_name(record.rounding);
    for (const RecordedOperand& operand : record.operands) {
      nlohmann::ordered_json values = nlohmann::ordered_json::array();
      const auto format = element_format_named(operand.format);
      expect(format.has_value(), [&] {
        return "the format '" + operand.format + "' of " + operand.name + " has no name that could be read back";
      });
      for (const std::uint64_t code : operand.codes) values.push_back(detail::json_of_code(*format, code));
      json["operands"].push_back({{"name", operand.name},
                                  {"format", operand.format},
                                  {"extents", operand.extents},
                                  {"values", std::move(values)}});
    }
  }
  if (record.row_padding != 0) json["row_padding"] = record.row_padding;
  if (record.misalignment != 0) json["misalignment"] = record.misalignment;
  if (record.repetitions != 1) json["repetitions"] = record.repetitions;
  if (record.require_determinism) json["require_determinism"] = true;
  json["tolerance"] = record.tolerance;
  std::string text;
  for (const auto& [name, value] : json.items()) {
    text += (text.empty() ? "{\n " : ",\n ") + nlohmann::ordered_json(name).dump() + ": ";
    std::string lines;
    for (const auto& [member, own] : value.items())
      if (value.is_structured())
        lines += (lines.empty() ? "\n  " : ",\n  ") +
                 (value.is_object() ? nlohmann::ordered_json(member).dump() + ": " : std::string()) +
                 detail::case_line(own);
    text += value.is_structured() ? (value.is_object() ? "{" : "[") + lines + (value.is_object() ? "\n }" : "\n ]")
                                  : detail::case_line(value);
  }
  return text + "\n}\n";
}

ASSAY_DETAIL_HEADER_INLINE Result<CaseRecord> read_case_text(std::string_view text) {
  try {
    return detail::case_of_json(nlohmann::ordered_json::parse(text));
  } catch (const nlohmann::json::exception& error) {
    return failure(ErrorKind::malformed, error.what());
  } catch (const std::string& wrong) {
    return failure(ErrorKind::malformed, wrong);
  }
}

}  // namespace assay::inline v0
