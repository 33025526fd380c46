#pragma once

#include "assay/frameworks/detail/node_attributes.hpp"

#include <utility>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE const GraphAttribute* attribute_of(const GraphNode& node, const char* name) {
  for (const GraphAttribute& own : node.attributes)
    if (own.name == name) return &own;
  return nullptr;
}

ASSAY_DETAIL_HEADER_INLINE std::int64_t integer_of(const GraphNode& node, const char* name, std::int64_t otherwise) {
  const GraphAttribute* const own = attribute_of(node, name);
  return own != nullptr ? own->integer : otherwise;
}

ASSAY_DETAIL_HEADER_INLINE double real_of(const GraphNode& node, const char* name, double otherwise) {
  const GraphAttribute* const own = attribute_of(node, name);
  return own != nullptr ? static_cast<double>(own->real) : otherwise;
}

ASSAY_DETAIL_HEADER_INLINE std::string text_of(const GraphNode& node, const char* name, const char* otherwise) {
  const GraphAttribute* const own = attribute_of(node, name);
  return own != nullptr ? own->text : otherwise;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<std::int64_t> integers_of(const GraphNode& node, const char* name,
                                                                 std::vector<std::int64_t> otherwise) {
  const GraphAttribute* const own = attribute_of(node, name);
  return own != nullptr && !own->integers.empty() ? own->integers : std::move(otherwise);
}

ASSAY_DETAIL_HEADER_INLINE std::vector<std::int64_t> integers_in(const GraphTensor& tensor) {
  std::vector<std::int64_t> values;
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    const double value = value_at(tensor, i);
    // They have no exact double.
    values.push_back(value >= 0x1p62 ? INT64_MAX : value <= -0x1p62 ? INT64_MIN : static_cast<std::int64_t>(value));
  }
  return values;
}

}  // namespace assay::inline v0::detail
