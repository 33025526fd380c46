#pragma once

#include "assay/frameworks/stablehlo/write_stablehlo.hpp"

#include "assay/core/config.hpp"
#include "assay/frameworks/detail/stablehlo_elementwise.hpp"
#include "assay/frameworks/detail/stablehlo_images.hpp"
#include "assay/frameworks/detail/stablehlo_lanes.hpp"
#include "assay/frameworks/detail/stablehlo_layout.hpp"
#include "assay/frameworks/detail/stablehlo_products.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] inline HloLowering lowering_of(const std::string& operation) {
  for (const auto family : {elementwise_lowering, lane_lowering, layout_lowering, product_lowering, image_lowering})
    if (const HloLowering own = family(operation); own != nullptr) return own;
  return nullptr;
}

/// Whether a name can stand in the module as it is.
[[nodiscard]] inline bool is_plain_name(const std::string& name) {
  for (const char letter : name)
    if (!(letter == '_' || (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') ||
          (letter >= 'A' && letter <= 'Z')))
      return false;
  return !name.empty();
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE bool has_stablehlo(const std::string& operation) {
  return detail::lowering_of(operation) != nullptr;
}

ASSAY_DETAIL_HEADER_INLINE Result<std::string> write_stablehlo(const OperatorGraph& graph,
                                                               const StableHloOptions& options) {
  if (auto checked = check_graph(graph); !checked) return checked.propagate();
  std::string arguments, types, names;
  for (const GraphValue& input : graph.inputs) {
    bool known = input.has_shape;
    for (const std::int64_t extent : input.extents) known &= extent >= 0;
    if (!detail::is_plain_name(input.name) || !known)
      return failure(ErrorKind::unsupported, "input '" + input.name + "' has no plain name, or no known extents");
    arguments += (arguments.empty() ? "%" : ", %") + input.name + ": " + detail::hlo_type(input.type, input.extents);
  }
  detail::StableHloGraph own(graph, options.highest_precision);
  for (const GraphNode& node : graph.nodes) {
    const detail::HloLowering lowering = node.domain.empty() ? detail::lowering_of(node.operation) : nullptr;
    if (lowering == nullptr) own.refuse("there is no StableHLO for " + node.operation);
    if (own.refused()) break;
    lowering(own, node);
  }
  for (const GraphValue& output : graph.outputs) {
    if (own.refused()) break;
    const detail::HloValue* const value = own.find(output.name);
    if (value == nullptr || !detail::is_plain_name(output.name)) {
      own.refuse("output '" + output.name + "' has no plain name, or is an input that goes through");
      break;
    }
    if (value->type != output.type || value->extents != output.extents)
      own.refuse(ErrorKind::invalid, "output '" + output.name + "' becomes " + shape_text(value->type, value->extents) +
                                         " and is declared " + shape_text(output.type, output.extents));
    const std::string type = detail::hlo_type(*value);
    types += (types.empty() ? "" : ", ") + type + " {jax.result_info = \"" + output.name + "\"}";
    names += (names.empty() ? "" : ", ") + value->name;
  }
  if (own.refused()) return Failure{*own.refused()};
  std::string plain;
  for (const GraphValue& output : graph.outputs)
    plain += (plain.empty() ? "" : ", ") + detail::hlo_type(output.type, output.extents);
  return "module @assay {\n  func.func public @main(" + arguments + ") -> (" + types + ") {\n" + own.body() +
         "    return " + names + " : " + plain + "\n  }\n}\n";
}

}  // namespace assay::inline v0
