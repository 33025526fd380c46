#pragma once

#include "assay/fleet/roofline/operation_work.hpp"

#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <sstream>

#include "assay/core/config.hpp"
#include "assay/core/nearest_name.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/report/text.hpp"

namespace assay::inline v0 {

namespace detail {

inline constexpr const char* product_extents[] = {"m", "n", "k"};
inline constexpr const char* row_extents[] = {"rows", "columns"};
inline constexpr const char* attention_extents[] = {"batch", "heads", "queries", "keys", "head_size"};
inline constexpr const char* grouped_attention_extents[] = {"batch",   "heads", "kv_heads",
                                                            "queries", "keys",  "head_size"};
inline constexpr const char* convolution_extents[] = {"batch", "channels", "filters", "height",
                                                      "width", "kernel",   "stride"};
inline constexpr const char* element_extents[] = {"elements", "inputs"};
inline constexpr const char* pooling_extents[] = {"batch", "channels", "height", "width", "kernel", "stride"};
inline constexpr const char* count_extents[] = {"elements"};

[[nodiscard]] inline double output_pixels(double height, double width, double stride) {
  return std::ceil(height / stride) * std::ceil(width / stride);  // padded: as many as strides fit
}

inline constexpr OperationFormula formulas[] = {
    {"gemm", product_extents, "2mnk", "mk + kn + mn", [](const double* e) { return 2 * e[0] * e[1] * e[2]; },
     [](const double* e) { return e[0] * e[2] + e[2] * e[1] + e[0] * e[1]; }},
    {"linear", product_extents, "2mnk + mn", "mk + kn + n + mn",
     [](const double* e) { return 2 * e[0] * e[1] * e[2] + e[0] * e[1]; },
     [](const double* e) { return e[0] * e[2] + e[2] * e[1] + e[1] + e[0] * e[1]; }},
    {"attention", grouped_attention_extents, "4bhqkd + 5bhqk", "2bhqd + 2b kv kd (scores stay on chip)",
     [](const double* e) { return e[0] * e[1] * e[3] * e[4] * (4 * e[5] + 5); },
     [](const double* e) { return 2 * e[0] * e[1] * e[3] * e[5] + 2 * e[0] * e[2] * e[4] * e[5]; }},
    {"attention_backward", attention_extents, "10bhqkd + 8bhqk", "4bhqd + 4bhkd (scores are computed again)",
     [](const double* e) { return e[0] * e[1] * e[2] * e[3] * (10 * e[4] + 8); },
     [](const double* e) { return 4 * e[0] * e[1] * (e[2] + e[3]) * e[4]; }},
    {"convolution", convolution_extents, "2bcf r^2 pixels", "bc hw + fc r^2 + bf pixels",
     [](const double* e) { return 2 * e[0] * e[1] * e[2] * e[5] * e[5] * output_pixels(e[3], e[4], e[6]); },
     [](const double* e) {
       return e[0] * e[1] * e[3] * e[4] + e[2] * e[1] * e[5] * e[5] + e[0] * e[2] * output_pixels(e[3], e[4], e[6]);
     }},
    {"pooling", pooling_extents, "bc r^2 pixels", "bc hw + bc pixels",
     [](const double* e) { return e[0] * e[1] * e[4] * e[4] * output_pixels(e[2], e[3], e[5]); },
     [](const double* e) { return e[0] * e[1] * (e[2] * e[3] + output_pixels(e[2], e[3], e[5])); }},
    {"softmax", row_extents, "5rc", "2rc", [](const double* e) { return 5 * e[0] * e[1]; },
     [](const double* e) { return 2 * e[0] * e[1]; }},
    {"softmax_backward", row_extents, "4rc", "3rc", [](const double* e) { return 4 * e[0] * e[1]; },
     [](const double* e) { return 3 * e[0] * e[1]; }},
    {"normalization", row_extents, "8rc", "2rc + 2c", [](const double* e) { return 8 * e[0] * e[1]; },
     [](const double* e) { return 2 * e[0] * e[1] + 2 * e[1]; }},
    {"normalization_backward", row_extents, "14rc", "3rc + 3c", [](const double* e) { return 14 * e[0] * e[1]; },
     [](const double* e) { return 3 * e[0] * e[1] + 3 * e[1]; }},
    {"cross_entropy", row_extents, "5rc", "rc + r", [](const double* e) { return 5 * e[0] * e[1]; },
     [](const double* e) { return e[0] * e[1] + e[0]; }},
    {"reduction", row_extents, "rc", "rc + r", [](const double* e) { return e[0] * e[1]; },
     [](const double* e) { return e[0] * e[1] + e[0]; }},
    {"elementwise", element_extents, "n inputs", "n (inputs + 1)", [](const double* e) { return e[0] * e[1]; },
     [](const double* e) { return e[0] * (e[1] + 1); }},
    {"rotary_embedding", row_extents, "3rc", "2rc + c", [](const double* e) { return 3 * e[0] * e[1]; },
     [](const double* e) { return 2 * e[0] * e[1] + e[1]; }},
    {"optimizer", count_extents, "12n (Adam)", "7n: parameter and moments twice, gradient",
     [](const double* e) { return 12 * e[0]; }, [](const double* e) { return 7 * e[0]; }},
    {"dropout", count_extents, "2n", "2n", [](const double* e) { return 2 * e[0]; },
     [](const double* e) { return 2 * e[0]; }},
    {"gather", row_extents, "0", "2rc", [](const double*) { return 0.0; },
     [](const double* e) { return 2 * e[0] * e[1]; }},
    {"rearrangement", count_extents, "0", "2n", [](const double*) { return 0.0; },
     [](const double* e) { return 2 * e[0]; }},
    {"triad", count_extents, "2n", "3n (STREAM: a = b + s c)", [](const double* e) { return 2 * e[0]; },
     [](const double* e) { return 3 * e[0]; }}};

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE double OperationWork::intensity() const noexcept {
  return bytes > 0 ? flop / bytes : std::numeric_limits<double>::infinity();
}

ASSAY_DETAIL_HEADER_INLINE std::span<const OperationFormula> operation_formulas() noexcept {
  return detail::formulas;
}

ASSAY_DETAIL_HEADER_INLINE OperationWork RooflineProblem::work(double element_bytes) const {
  return {formula->count_flop(extents.data()), formula->count_elements(extents.data()) * element_bytes};
}

ASSAY_DETAIL_HEADER_INLINE Result<RooflineProblem> parse_problem(std::string_view text) {
  std::istringstream words{std::string(text)};
  std::string operation;
  words >> operation;
  std::vector<std::string> names;
  RooflineProblem problem;
  for (const OperationFormula& formula : detail::formulas) {
    names.emplace_back(formula.operation);
    if (formula.operation == operation) problem.formula = &formula;
  }
  if (problem.formula == nullptr)
    return failure(ErrorKind::not_found, unknown_name("operation with a formula", operation, names));
  const std::vector<std::string> extents(problem.formula->extents.begin(), problem.formula->extents.end());
  std::vector<std::optional<double>> values(extents.size());
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    std::size_t at = 0;
    while (at < extents.size() && extents[at] != name) ++at;
    if (at == extents.size())
      return failure(ErrorKind::not_found, unknown_name("extent of " + operation, name, extents));
    const auto value = equals == std::string::npos ? std::nullopt : detail::read_number(word.substr(equals + 1));
    if (!value || !(*value >= 1 && *value <= 1e15) || *value != std::floor(*value))
      return failure(ErrorKind::invalid, "'" + visible(word) + "' of " + operation +
                                             ": give a whole number of 1 or more, as in " + name + "=4096");
    if (values[at]) return failure(ErrorKind::invalid, operation + ": '" + name + "' is given twice");
    values[at] = value;
  }
  problem.name = operation;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    if (!values[i]) return failure(ErrorKind::invalid, operation + ": '" + extents[i] + "' is missing");
    problem.extents.push_back(*values[i]);
    problem.name += " " + extents[i] + "=" + detail::printed_number(*values[i], 0, std::chars_format::fixed);
  }
  return problem;
}

}  // namespace assay::inline v0
