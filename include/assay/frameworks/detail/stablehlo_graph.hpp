#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "assay/frameworks/detail/stablehlo_builder.hpp"
#include "assay/frameworks/graph/operator_graph.hpp"

namespace assay::inline v0::detail {

/// A graph of ONNX's on its way to StableHLO: what its tensors have become so far.
class StableHloGraph : public StableHloBuilder {
 public:
  StableHloGraph(const OperatorGraph& graph, bool highest_precision);

  [[nodiscard]] static bool has(const GraphNode& node, std::size_t input) {
    return input < node.inputs.size() && !node.inputs[input].empty();
  }
  [[nodiscard]] HloValue in(const GraphNode& node, std::size_t input);
  /// Before casts that only widened it.
  [[nodiscard]] HloValue unwidened(const GraphNode& node, std::size_t input);
  void out(const GraphNode& node, const HloValue& value, std::size_t output = 0);
  void mark_widened(const GraphNode& node, const HloValue& before);
  [[nodiscard]] static bool wants(const GraphNode& node, std::size_t output) {
    return output < node.outputs.size() && !node.outputs[output].empty();
  }
  /// An input that must be a constant list of integers.
  [[nodiscard]] HloExtents list(const GraphNode& node, std::size_t input);

  [[nodiscard]] static const GraphAttribute* attribute(const GraphNode& node, const char* name);
  [[nodiscard]] static std::int64_t integer(const GraphNode& node, const char* name, std::int64_t otherwise);
  [[nodiscard]] static double real(const GraphNode& node, const char* name, double otherwise);
  [[nodiscard]] static std::string text(const GraphNode& node, const char* name, const char* otherwise);
  [[nodiscard]] static HloExtents integers_of(const GraphNode& node, const char* name, HloExtents otherwise);
  /// The attribute `axis`, counted from the front.
  [[nodiscard]] std::int64_t axis(const GraphNode& node, const HloValue& x, std::int64_t otherwise);

  [[nodiscard]] bool highest_precision() const { return highest_precision_; }
  [[nodiscard]] const HloValue* find(const std::string& name) const;

 private:
  std::map<std::string, HloValue> values_, widened_;
  std::map<std::string, const GraphTensor*> constants_;
  bool highest_precision_;
};

/// How a node's operator is written.
using HloLowering = void (*)(StableHloGraph& graph, const GraphNode& node);

/// Those of families of operators; null of others.
[[nodiscard]] HloLowering elementwise_lowering(const std::string& operation);
[[nodiscard]] HloLowering lane_lowering(const std::string& operation);
[[nodiscard]] HloLowering layout_lowering(const std::string& operation);
[[nodiscard]] HloLowering product_lowering(const std::string& operation);
[[nodiscard]] HloLowering image_lowering(const std::string& operation);

/// x·yᵀ and the like, summed as `type`: dimensions by the numbers of dot_general.
[[nodiscard]] HloValue hlo_dot(StableHloGraph& graph, const HloValue& a, const HloValue& b, const HloExtents& batch,
                               std::int64_t contract_a, std::int64_t contract_b, TensorType type);

/// x − max(x) along axes and its logarithm of the sum of exponentials, in float32 or float64.
struct HloLogSum {
  HloValue shifted, logarithm;
};
[[nodiscard]] HloLogSum hlo_log_sum(StableHloGraph& graph, const HloValue& x, const HloExtents& axes);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/detail/stablehlo_elementwise.ipp"
#include "assay/frameworks/detail/stablehlo_graph.ipp"
#include "assay/frameworks/detail/stablehlo_images.ipp"
#include "assay/frameworks/detail/stablehlo_lanes.ipp"
#include "assay/frameworks/detail/stablehlo_layout.ipp"
#include "assay/frameworks/detail/stablehlo_products.ipp"
#endif
