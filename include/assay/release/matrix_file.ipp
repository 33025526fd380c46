#pragma once

#include "assay/release/matrix_file.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

/// {"driver": ">= 550", "cuda": "12.6 | 12.8"}
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::vector<MatrixCondition> read_conditions(MatrixReader& reader,
                                                                                      const nlohmann::json& json) {
  std::vector<MatrixCondition> conditions;
  reader.each_member(json, [&](const std::string& axis, const nlohmann::json& value) {
    const std::string text = reader.text(value);
    if (reader.error.empty())
      conditions.push_back({axis, reader.accepted(parse_version_constraint(text), VersionConstraint())});
  });
  return conditions;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string conditions_text(const std::vector<MatrixCondition>& conditions) {
  std::string text;
  for (const MatrixCondition& condition : conditions)
    text += (text.empty() ? "" : " and ") + condition.axis + " " + condition.constraint.text;
  return text;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE MatrixRule read_matrix_rule(MatrixReader& reader, const nlohmann::json& json) {
  MatrixRule rule;
  if (json.is_string()) return reader.accepted(parse_matrix_rule(json.get<std::string>()), rule);
  if (!reader.object(json, {"name", "rule", "when", "requires", "excludes", "reason"})) return rule;
  if (reader.has(json, "rule")) {
    if (reader.has(json, "when") || reader.has(json, "requires") || reader.has(json, "excludes"))
      return reader.refuse(
                 "a rule is a text, \"rule\", or members \"when\" and \"requires\" or \"excludes\", not both"),
             rule;
    reader.member(json, "rule", [&](const nlohmann::json& text) {
      const std::string given = reader.text(text);
      if (reader.error.empty()) rule = reader.accepted(parse_matrix_rule(given), rule);
    });
  } else {
    if (!reader.has(json, "when") || reader.has(json, "requires") == reader.has(json, "excludes"))
      return reader.refuse("a rule has \"when\", and either \"requires\" or \"excludes\""), rule;
    rule.kind = reader.has(json, "requires") ? MatrixRule::Kind::needs : MatrixRule::Kind::excludes;
    reader.member(json, "when",
                  [&](const nlohmann::json& conditions) { rule.when = read_conditions(reader, conditions); });
    for (const char* name : {"requires", "excludes"})
      reader.member(json, name,
                    [&](const nlohmann::json& conditions) { rule.then = read_conditions(reader, conditions); });
    rule.name = conditions_text(rule.when) + (rule.kind == MatrixRule::Kind::needs ? " requires " : " excludes ") +
                conditions_text(rule.then);
  }
  reader.text(json, "name", rule.name);
  reader.text(json, "reason", rule.reason);
  return rule;
}

ASSAY_DETAIL_HEADER_INLINE VersionMatrix read_matrix_form(MatrixReader& reader, const nlohmann::json& json) {
  VersionMatrix matrix;
  if (!reader.object(json, {"schema", "title", "axes", "rules"}, {"schema", "axes"})) return matrix;
  reader.schema(json, matrix_schema);
  reader.text(json, "title", matrix.title);
  reader.member(json, "axes", [&](const nlohmann::json& axes) {
    reader.each(axes, [&](const nlohmann::json& entry) {
      MatrixAxis axis;
      if (!reader.object(entry, {"name", "values"}, {"name", "values"})) return;
      reader.text(entry, "name", axis.name);
      reader.texts(entry, "values", axis.values);
      matrix.axes.push_back(std::move(axis));
    });
  });
  reader.member(json, "rules", [&](const nlohmann::json& rules) {
    reader.each(rules, [&](const nlohmann::json& rule) { matrix.rules.push_back(read_matrix_rule(reader, rule)); });
  });
  if (reader.error.empty())
    if (const auto checked = check(matrix); !checked) reader.refuse(checked.error().message);
  return matrix;
}

}  // namespace assay::inline v0::detail
