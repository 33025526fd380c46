#pragma once

#include "assay/accuracy/sample_file.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <utility>

#include "assay/accuracy/accuracy_outcome.hpp"
#include "assay/accuracy/detail/unicode.hpp"
#include "assay/core/config.hpp"
#include "assay/report/read_file.hpp"
#include "assay/report/text.hpp"

namespace assay::inline v0 {

namespace detail {

/// Why a line is refused.
struct RefusedLine {
  std::string why;
};

/// NaN, Infinity and -Infinity, which Python writes and JSON lacks, as texts.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string with_quoted_not_numbers(std::string_view text) {
  std::string quoted;
  bool inside = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (inside && text[i] == '\\' && i + 1 < text.size()) {
      quoted += text[i++];
    } else if (text[i] == '"') {
      inside = !inside;
    } else if (!inside) {
      bool found = false;
      for (const std::string_view name : {"NaN", "-Infinity", "Infinity"})
        if (text.substr(i, name.size()) == name) {
          ((quoted += '"') += name) += '"';
          i += name.size() - 1;
          found = true;
          break;
        }
      if (found) continue;
    }
    quoted += text[i];
  }
  return quoted;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE double sample_number(const nlohmann::json& value, const char* member) {
  if (value.is_number()) return value.get<double>();
  if (value.is_null()) return std::numeric_limits<double>::quiet_NaN();
  if (value == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (value == "Infinity") return std::numeric_limits<double>::infinity();
  if (value == "-Infinity") return -std::numeric_limits<double>::infinity();
  throw RefusedLine{"\"" + std::string(member) + "\" has " + clipped(visible(value.dump()), 40) +
                    ", which is no number"};
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string sample_text(const nlohmann::json& value, const char* member) {
  if (value.is_string()) return value.get<std::string>();
  throw RefusedLine{"\"" + std::string(member) + "\" is " + clipped(visible(value.dump()), 40) + "; give a text"};
}

ASSAY_DETAIL_HEADER_INLINE void read_member(SampleRecord& record, bool& has_id, const std::string& name,
                                            const nlohmann::json& value) {
  const auto numbers = [&](const char* member, double sign) {
    if (!value.is_array()) throw RefusedLine{"\"" + name + "\" is no list of numbers"};
    if (!record.numbers.empty()) throw RefusedLine{"\"" + name + "\" stands beside other numbers; give one of them"};
    for (const nlohmann::json& number : value) record.numbers.push_back(sign * sample_number(number, member));
  };
  if (name == "id") {
    if (!value.is_string() && !value.is_number_integer())
      throw RefusedLine{"\"id\" is neither text nor a whole number"};
    record.id = value.is_string() ? value.get<std::string>() : value.dump();
    has_id = true;
  } else if (name == "text") {
    record.texts.push_back(sample_text(value, "text"));
  } else if (name == "texts") {
    if (!value.is_array()) throw RefusedLine{"\"texts\" is no list of texts"};
    for (const nlohmann::json& text : value) record.texts.push_back(sample_text(text, "texts"));
  } else if (name == "label") {
    if (!value.is_number_integer()) throw RefusedLine{"\"label\" is no whole number"};
    record.label = value.get<std::int64_t>();
  } else if (name == "passed") {
    if (!value.is_boolean()) throw RefusedLine{"\"passed\" is neither true nor false"};
    record.passed = value.get<bool>();
  } else if (name == "scores" || name == "losses") {
    numbers(name.c_str(), 1);
  } else if (name == "logprobs") {
    numbers("logprobs", -1);
  }
}

/// Calls `read(number, line)` of each line that is not empty, or of each if `all`.
template <class Read>
void visit_lines(std::string_view text, bool all, Read read) {
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    ++number;
    if (all || !stripped(line).empty()) read(number, line);
    begin = end + 1;
  }
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Failure bad_line(const std::string& name, std::size_t line,
                                                          const std::string& why) {
  return failure(ErrorKind::malformed, "'" + name + "', line " + std::to_string(line) + ": " + why);
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<SampleFile> parse_sample_lines(std::string_view text, const std::string& name,
                                                                 bool repeated_ids) {
  SampleFile file{name, false, {}};
  std::optional<Failure> refused;
  std::size_t with_ids = 0, without_id = 0;
  detail::visit_lines(text, false, [&](std::size_t number, std::string_view line) {
    if (refused) return;
    try {
      nlohmann::json json = nlohmann::json::parse(line, nullptr, false);
      if (json.is_discarded()) json = nlohmann::json::parse(detail::with_quoted_not_numbers(line), nullptr, false);
      if (!json.is_object()) throw detail::RefusedLine{"this is no JSON object: " + clipped(visible(line), 60)};
      SampleRecord record;
      record.line = number;
      bool has_id = false;
      for (const auto& [member, value] : json.items()) detail::read_member(record, has_id, member, value);
      if (has_id)
        ++with_ids;
      else
        record.id = std::to_string(number), without_id = number;
      file.records.push_back(std::move(record));
    } catch (const detail::RefusedLine& reason) {
      refused = detail::bad_line(name, number, reason.why);
    }
  });
  if (refused) return *refused;
  if (with_ids > 0 && with_ids < file.records.size())
    return detail::bad_line(name, without_id, "\"id\" is missing, which other lines have");
  file.has_ids = with_ids > 0;
  std::unordered_map<std::string_view, std::size_t> lines;
  if (file.has_ids && !repeated_ids)
    for (const SampleRecord& record : file.records) {
      const auto [earlier, is_new] = lines.emplace(record.id, record.line);
      if (!is_new)
        return detail::bad_line(name, record.line,
                                "the id '" + clipped(visible(record.id), 60) + "' stands in line " +
                                    std::to_string(earlier->second) + " already");
    }
  return file;
}

ASSAY_DETAIL_HEADER_INLINE Result<SampleFile> parse_text_lines(std::string_view text, const std::string& name) {
  SampleFile file{name, false, {}};
  std::optional<Failure> refused;
  detail::visit_lines(text, true, [&](std::size_t number, std::string_view line) {
    if (refused) return;
    if (const std::size_t at = detail::first_not_utf8(line); at != std::string_view::npos)
      refused = detail::bad_line(name, number, "byte " + std::to_string(at + 1) + " is not UTF-8; convert the file");
    file.records.push_back({std::to_string(number), number, {std::string(line)}, {}, {}, {}});
  });
  if (refused) return *refused;
  return file;
}

ASSAY_DETAIL_HEADER_INLINE Result<SampleFile> read_sample_file(const std::filesystem::path& path) {
  const Result<std::string> text = read_file(path, "a file of samples: JSON lines, or one text a line");
  if (!text) return text.propagate();
  const std::string extension = path.extension().string();
  if (extension == ".jsonl" || extension == ".ndjson" || extension == ".json")
    return parse_sample_lines(text.value(), path.string(), false);
  return parse_text_lines(text.value(), path.string());
}

ASSAY_DETAIL_HEADER_INLINE Result<void> align_samples(SampleFile& predictions, const SampleFile& references) {
  if (!predictions.has_ids || !references.has_ids) {
    if (predictions.records.size() == references.records.size()) return {};
    return failure(ErrorKind::malformed,
                   "'" + predictions.path + "' has " + std::to_string(predictions.records.size()) + " samples and '" +
                       references.path + "' has " + std::to_string(references.records.size()) +
                       "; without ids in both, line i belongs to line i: give ids, or as many lines");
  }
  std::unordered_map<std::string_view, std::size_t> place;
  for (std::size_t i = 0; i < predictions.records.size(); ++i) place.emplace(predictions.records[i].id, i);
  std::vector<std::string> missing, unused;
  std::vector<SampleRecord> ordered;
  for (const SampleRecord& reference : references.records) {
    const auto found = place.find(reference.id);
    if (found == place.end()) {
      missing.push_back("'" + clipped(visible(reference.id), 60) + "' (line " + std::to_string(reference.line) +
                        " of '" + references.path + "')");
      continue;
    }
    ordered.push_back(predictions.records[found->second]);
    place.erase(found);
  }
  for (const SampleRecord& record : predictions.records)
    if (place.count(record.id) > 0)
      unused.push_back("'" + clipped(visible(record.id), 60) + "' (line " + std::to_string(record.line) + ")");
  if (!missing.empty())
    return failure(ErrorKind::malformed, "'" + predictions.path + "' lacks " + std::to_string(missing.size()) + " of " +
                                             std::to_string(references.records.size()) +
                                             " ids: " + listed_names(missing));
  if (!unused.empty())
    return failure(ErrorKind::malformed, "'" + predictions.path + "' has " + std::to_string(unused.size()) +
                                             " ids that '" + references.path + "' lacks: " + listed_names(unused));
  predictions.records = std::move(ordered);
  return {};
}

}  // namespace assay::inline v0
