#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/frameworks/operations/operation_graph.hpp"

namespace assay::inline v0::detail {

using GraphExtents = std::vector<std::int64_t>;

/// Builds an `OperationGraph` tensor by tensor. The first thing that cannot be said is kept, and told at the end.
class GraphBuilder {
 public:
  /// The operand at that position as an input; its name.
  std::string input(int position, const ElementFormat& format, GraphExtents extents, bool transposed = false);
  /// A node with one output, whose name it gives.
  std::string node(std::string operation, std::vector<std::string> inputs, std::vector<GraphAttribute> attributes = {});
  /// A node with several outputs, empty names for those that are not wanted.
  void node_with(std::string operation, std::vector<std::string> inputs, std::vector<std::string> outputs,
                 std::vector<GraphAttribute> attributes = {});
  std::string constant(const ElementFormat& format, GraphExtents extents, const std::vector<double>& values);
  std::string scalar(const ElementFormat& format, double value) { return constant(format, {}, {value}); }
  /// A list of 64-bit integers.
  std::string integers(const GraphExtents& values);
  /// The tensor in another format, or itself.
  std::string cast(const std::string& tensor, const ElementFormat& from, const ElementFormat& to);
  /// Makes a tensor of that format and extents the operand at that position.
  void output(int position, const std::string& tensor, const ElementFormat& format, GraphExtents extents);
  /// The operators are those of that version of ONNX or a later one.
  void needs_opset(std::int64_t version);
  void refuse(std::string reason) {
    if (!refused_) refused_ = Error{ErrorKind::unsupported, std::move(reason)};
  }
  void open_for_nan(std::string what) { graph_.open_for_nan = std::move(what); }
  /// For infinities, too.
  void open_for_special(std::string what) {
    graph_.open_for_nan = std::move(what);
    graph_.open_for_infinity = true;
  }

  [[nodiscard]] Result<OperationGraph> finish();

 private:
  [[nodiscard]] TensorType type_of(const ElementFormat& format);
  [[nodiscard]] std::string fresh() { return "t" + std::to_string(count_++); }

  OperationGraph graph_;
  std::optional<Error> refused_;
  int count_ = 0;
};

/// An attribute from whatever number.
[[nodiscard]] inline GraphAttribute whole(const char* name, std::int64_t value) {
  return GraphAttribute(name, value);
}
[[nodiscard]] inline GraphAttribute fraction(const char* name, double value) {
  return GraphAttribute(name, static_cast<float>(value));
}

/// The format in which several roundings in a row do no harm to what is stored in these: float64 beside that, else
/// float32.
[[nodiscard]] inline ElementFormat wide_format(const ElementFormat& a, const ElementFormat& b) {
  const ElementFormat f64 = element_format<float64>();
  return a == f64 || b == f64 ? f64 : element_format<float32>();
}
/// The format of an operator that stands alone: that of its operands where they have one, else a wide one.
[[nodiscard]] inline ElementFormat operator_format(const ElementFormat& a, const ElementFormat& b) {
  return a == b ? a : wide_format(a, b);
}

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/detail/graph_builder.ipp"
#endif
