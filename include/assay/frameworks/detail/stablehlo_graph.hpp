#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "assay/frameworks/detail/node_attributes.hpp"
#include "assay/frameworks/detail/stablehlo_builder.hpp"
#include "assay/frameworks/graph/operator_graph.hpp"

namespace assay::inline v0::detail {

/// A graph of ONNX's on its way to StableHLO: what its tensors have become so far.
class StableHloGraph : public StableHloBuilder {
 public:
  StableHloGraph(const OperatorGraph& graph, bool highest_precision);

  [[nodiscard]] static bool has(const GraphNode& node, std::size_t input) { return has_input(node, input); }
  [[nodiscard]] HloValue in(const GraphNode& node, std::size_t input);
  /// Before casts that only widened it.
  [[nodiscard]] HloValue unwidened(const GraphNode& node, std::size_t input);
  void out(const GraphNode& node, const HloValue& value, std::size_t output = 0);
  void mark_widened(const GraphNode& node, const HloValue& before);
  [[nodiscard]] static bool wants(const GraphNode& node, std::size_t output) { return wants_output(node, output); }
  /// An input that must be a constant list of integers.
  [[nodiscard]] HloExtents list(const GraphNode& node, std::size_t input);

  [[nodiscard]] static const GraphAttribute* attribute(const GraphNode& node, const char* name) {
    return attribute_of(node, name);
  }
  [[nodiscard]] static std::int64_t integer(const GraphNode& node, const char* name, std::int64_t otherwise) {
    return integer_of(node, name, otherwise);
  }
  [[nodiscard]] static double real(const GraphNode& node, const char* name, double otherwise) {
    return real_of(node, name, otherwise);
  }
  [[nodiscard]] static std::string text(const GraphNode& node, const char* name, const char* otherwise) {
    return text_of(node, name, otherwise);
  }
  [[nodiscard]] static HloExtents integers_of(const GraphNode& node, const char* name, HloExtents otherwise) {
    return detail::integers_of(node, name, std::move(otherwise));
  }
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

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/detail/stablehlo_graph.ipp"
#endif
