#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "assay/tolerance/chosen.hpp"
#include "assay/validators/failures/diagnosis_options.hpp"

namespace assay::inline v0 {

/// How an output is judged. Only the full check looks at every element; the others say in their outcomes what they
/// cannot see, and carry the label "check".
enum class GemmCheckMethod {
  full,      ///< a reference for every element: O(m·n·k)
  residual,  ///< C·x against A·(B·x) for random x: O(m·k + k·n + m·n)
  sampled    ///< some elements exactly: O((m + n)·k)
};

/// In the order of `GemmCheckMethod`.
inline constexpr std::array<GemmCheckMethod, 3> all_gemm_check_methods{GemmCheckMethod::full, GemmCheckMethod::residual,
                                                                       GemmCheckMethod::sampled};

/// The name on the command line and in reports.
[[nodiscard]] constexpr std::string_view name_of(GemmCheckMethod method) noexcept {
  switch (method) {
    case GemmCheckMethod::full: return "full";
    case GemmCheckMethod::residual: return "residual";
    case GemmCheckMethod::sampled: return "sampled";
  }
  return "full";
}

/// The method of that name; nothing where the name is unknown.
[[nodiscard]] constexpr std::optional<GemmCheckMethod> gemm_check_method_named(std::string_view name) noexcept {
  for (GemmCheckMethod method : all_gemm_check_methods)
    if (name_of(method) == name) return method;
  return std::nullopt;
}

/// What a check asks for beside the right numbers.
struct GemmCheckOptions {
  ChosenTolerance tolerance;
  bool require_determinism = false;  ///< with repetitions > 1: fail where runs differ in any bit, instead of noting it
  GemmCheckMethod method = GemmCheckMethod::full;  ///< of the cases of a suite
  DiagnosisOptions diagnosis;                      ///< of failures of the full check, on backends that run on the host
};

}  // namespace assay::inline v0
