#pragma once

#include <optional>
#include <string_view>

#include "assay/collectives/element_type.hpp"
#include "assay/collectives/reduction_operator.hpp"

namespace assay::inline v0 {

/// How nccl-tests names a type ("half", "float", …), for scripts that read its tables; types that it lacks have our
/// names.
[[nodiscard]] constexpr std::string_view nccl_name_of(ElementType type) noexcept {
  switch (type) {
    case ElementType::float16: return "half";
    case ElementType::float32: return "float";
    case ElementType::float64: return "double";
    case ElementType::bfloat16: return "bfloat16";
    case ElementType::float8_e4m3fn: return "f8e4m3";
    case ElementType::float8_e5m2: return "f8e5m2";
    default: return name_of(type);
  }
}

/// The same of a reduction ("sum", "prod", "max", "min", "avg", "mulsum").
[[nodiscard]] constexpr std::string_view nccl_name_of(ReductionOperator reduction) noexcept {
  switch (reduction) {
    case ReductionOperator::product: return "prod";
    case ReductionOperator::minimum: return "min";
    case ReductionOperator::maximum: return "max";
    case ReductionOperator::average: return "avg";
    case ReductionOperator::premultiplied_sum: return "mulsum";
    case ReductionOperator::sum: break;
  }
  return "sum";
}

/// A type by our name or by nccl-tests'.
[[nodiscard]] constexpr std::optional<ElementType> element_type_by_any_name(std::string_view name) noexcept {
  for (const ElementType type : all_element_types)
    if (name == name_of(type) || name == nccl_name_of(type)) return type;
  return std::nullopt;
}

/// The same of a reduction.
[[nodiscard]] constexpr std::optional<ReductionOperator> reduction_by_any_name(std::string_view name) noexcept {
  for (const ReductionOperator reduction : all_reductions)
    if (name == name_of(reduction) || name == nccl_name_of(reduction)) return reduction;
  return std::nullopt;
}

}  // namespace assay::inline v0
