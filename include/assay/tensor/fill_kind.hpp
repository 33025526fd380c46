#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace assay::inline v0 {

/// The data patterns of the default suites. What each means for an operation's operands, and which rounding model then
/// holds, the operation says (for one tensor: tensor/fill.hpp; for GEMM: kernels/gemm/fill.hpp).
enum class FillKind {
  uniform,        ///< U(0, 1]: no cancellation, so that fixed relative tolerances are at their blindest
  normal,         ///< N(0, 1): the everyday case
  log_uniform,    ///< magnitudes spread over many binades
  exact_integer,  ///< every partial sum and the output are integers that the formats hold
  one_hot,        ///< one non-zero term a sum: shows addressing
  constant,       ///< equal terms: rounding errors that all point the same way
  canceling,      ///< large partial sums, small results
  swamping,       ///< one large term and many too small for a narrow accumulator
  near_tie,       ///< results at and just beside the midpoint of two output values
  subnormal,      ///< operands below the smallest normal number
  extreme,        ///< the largest and smallest values, overflow and underflow due
  special         ///< NaN, ±infinity and ±0 sprinkled over normal data
};

/// In the order in which suites go through them.
inline constexpr std::array<FillKind, 12> all_fill_kinds{
    FillKind::uniform,  FillKind::normal,    FillKind::log_uniform, FillKind::exact_integer,
    FillKind::one_hot,  FillKind::constant,  FillKind::canceling,   FillKind::swamping,
    FillKind::near_tie, FillKind::subnormal, FillKind::extreme,     FillKind::special};

/// The name in case ids and on the command line.
[[nodiscard]] constexpr std::string_view name_of(FillKind kind) noexcept {
  switch (kind) {
    case FillKind::uniform: return "uniform";
    case FillKind::normal: return "normal";
    case FillKind::log_uniform: return "log_uniform";
    case FillKind::exact_integer: return "exact_integer";
    case FillKind::one_hot: return "one_hot";
    case FillKind::constant: return "constant";
    case FillKind::canceling: return "canceling";
    case FillKind::swamping: return "swamping";
    case FillKind::near_tie: return "near_tie";
    case FillKind::subnormal: return "subnormal";
    case FillKind::extreme: return "extreme";
    case FillKind::special: return "special";
  }
  return "normal";
}

/// The kind of that name; nothing where the name is unknown.
[[nodiscard]] constexpr std::optional<FillKind> fill_kind_named(std::string_view name) noexcept {
  for (FillKind kind : all_fill_kinds)
    if (name_of(kind) == name) return kind;
  return std::nullopt;
}

}  // namespace assay::inline v0
