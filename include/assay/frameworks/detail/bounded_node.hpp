#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/frameworks/fusions/bounded_evaluation.hpp"

namespace assay::inline v0::detail {

/// Half a unit in the last place of float32 at 1, and what functions may be off beside it.
inline constexpr double unit = 0x1p-24, function_ulps = 32 * unit, function_floor = 0x1p-22;

[[nodiscard]] inline double gamma_of(std::int64_t terms) {
  const double n = static_cast<double>(terms) * unit;
  return n / (1 - n);
}

[[nodiscard]] inline BoundedTensor empty_like(std::vector<std::int64_t> extents) {
  std::int64_t size = 1;
  for (const std::int64_t extent : extents) size *= extent;
  BoundedTensor tensor{std::move(extents), {}, {}};
  tensor.values.assign(static_cast<std::size_t>(size), 0);
  tensor.errors.assign(static_cast<std::size_t>(size), 0);
  return tensor;
}

/// One node with its operands, of which those that are not given are null.
class BoundedNode {
 public:
  BoundedNode(const GraphNode& node, std::vector<const BoundedTensor*> operands)
      : node_(node), operands_(std::move(operands)) {}

  [[nodiscard]] const std::string& operation() const { return node_.operation; }
  [[nodiscard]] const BoundedTensor& at(std::size_t i) const { return *operands_[i]; }
  [[nodiscard]] bool has(std::size_t i) const { return i < operands_.size() && operands_[i] != nullptr; }
  [[nodiscard]] std::int64_t integer(const char* name, std::int64_t otherwise) const {
    for (const GraphAttribute& attribute : node_.attributes)
      if (attribute.name == name) return attribute.integer;
    return otherwise;
  }
  [[nodiscard]] double real(const char* name, double otherwise) const {
    for (const GraphAttribute& attribute : node_.attributes)
      if (attribute.name == name) return static_cast<double>(attribute.real);
    return otherwise;
  }
  [[nodiscard]] std::vector<std::int64_t> integers(const char* name, std::vector<std::int64_t> otherwise) const {
    for (const GraphAttribute& attribute : node_.attributes)
      if (attribute.name == name) return attribute.integers;
    return otherwise;
  }
  [[nodiscard]] Failure unsupported(const std::string& what) const {
    return failure(ErrorKind::unsupported, node_.operation + " " + what + " has no bound here");
  }

 private:
  const GraphNode& node_;
  std::vector<const BoundedTensor*> operands_;
};

/// Results of nodes with their bounds, as `evaluate_with_bounds` says. Precondition: the operands are there that ONNX
/// requires.
[[nodiscard]] Result<BoundedTensor> bounded_product(const BoundedNode& node);
[[nodiscard]] Result<BoundedTensor> bounded_rows(const BoundedNode& node);
[[nodiscard]] Result<BoundedTensor> bounded_layer_norm(const BoundedNode& node);
[[nodiscard]] Result<BoundedTensor> bounded_transposed(const BoundedNode& node);
[[nodiscard]] Result<BoundedTensor> bounded_convolution(const BoundedNode& node);
[[nodiscard]] Result<BoundedTensor> bounded_batch_norm(const BoundedNode& node);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/detail/bounded_node.ipp"
#endif
