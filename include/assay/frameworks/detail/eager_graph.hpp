#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/frameworks/detail/node_attributes.hpp"
#include "assay/frameworks/door/graph_executor.hpp"

namespace assay::inline v0::detail {

using EagerExtents = std::vector<std::int64_t>;

/// A tensor of a framework: its handle, which it owns, and what the framework says of it.
struct EagerTensor {
  std::shared_ptr<void> handle;
  TensorType type = TensorType::float32;
  EagerExtents extents;

  [[nodiscard]] std::int64_t rank() const { return static_cast<std::int64_t>(extents.size()); }
};

/// A graph of ONNX's operators on its way through a framework that computes operators one by one: what its tensors have
/// become so far. The first thing that fails is kept, and what follows it is not computed.
class EagerGraph {
 public:
  /// Writes a node in the framework's operators.
  using Mapping = void (*)(EagerGraph& graph, const GraphNode& node);
  /// How an operator is mapped, and the attributes that the mapping heeds, separated by blanks.
  struct Operator {
    Mapping map = nullptr;
    const char* attributes = "";
  };

  EagerGraph() = default;
  EagerGraph(const EagerGraph&) = delete;
  EagerGraph& operator=(const EagerGraph&) = delete;
  virtual ~EagerGraph() = default;

  /// Computes a model's outputs from these inputs. Errors: `unsupported` with the operator, the attribute or the
  /// version that has no mapping, or what the framework refuses; `device` for what it fails.
  [[nodiscard]] Result<GraphRun> run(const GraphModel& model, const std::vector<GraphTensor>& inputs);

  [[nodiscard]] EagerTensor in(const GraphNode& node, std::size_t input);
  void out(const GraphNode& node, const EagerTensor& value, std::size_t output = 0);
  /// An input that must be a constant list of integers.
  [[nodiscard]] EagerExtents list(const GraphNode& node, std::size_t input);
  /// The attribute `axis`, counted from the front.
  [[nodiscard]] std::int64_t axis(const GraphNode& node, const EagerTensor& x, std::int64_t otherwise);
  /// Axes of a reduction's second input, counted from the front; all of them where there is none.
  [[nodiscard]] EagerExtents axes(const GraphNode& node, const EagerTensor& x);

  /// Another operator of ONNX as this framework computes it.
  EagerTensor apply(const char* operation, const std::vector<EagerTensor>& inputs,
                    std::vector<GraphAttribute> attributes = {});
  EagerTensor convert(const EagerTensor& x, TensorType type);
  /// float32 of narrower floats, others as they are.
  EagerTensor wide(const EagerTensor& x);
  EagerTensor constant(const GraphTensor& tensor);
  EagerTensor scalar(TensorType type, double value) { return constant(tensor_of_values("", type, {}, {value})); }
  /// A list of 64-bit integers.
  EagerTensor integers(const EagerExtents& values);
  /// Elementwise with a number.
  EagerTensor scaled(const EagerTensor& x, double factor) { return apply("Mul", {x, scalar(x.type, factor)}); }
  [[nodiscard]] virtual EagerTensor reshape(const EagerTensor& x, const EagerExtents& extents) = 0;
  /// The elements of a tensor, which may be computed.
  [[nodiscard]] GraphTensor fetched(const EagerTensor& tensor) { return refused() ? GraphTensor{} : fetch(tensor); }
  /// Elements from `from` on to before `to` along an axis.
  EagerTensor slice(const EagerTensor& x, std::int64_t axis, std::int64_t from, std::int64_t to, std::int64_t step = 1);

  void refuse(ErrorKind kind, std::string reason) {
    if (!refused_) refused_ = Error{kind, std::move(reason)};
  }
  void refuse(std::string reason) { refuse(ErrorKind::unsupported, std::move(reason)); }
  [[nodiscard]] bool refused() const { return refused_.has_value(); }

 protected:
  /// Takes a tensor into the framework, which may use its memory as long as the run lasts.
  [[nodiscard]] virtual EagerTensor bring(const GraphTensor& tensor) = 0;
  /// Its elements, densely.
  [[nodiscard]] virtual GraphTensor fetch(const EagerTensor& tensor) = 0;
  /// The mapping of an operator; one without a function where there is none.
  [[nodiscard]] virtual Operator mapping(const std::string& operation) const = 0;
  [[nodiscard]] virtual const char* framework() const = 0;
  /// Notes that the framework's operator of that name computed the current node on that device.
  void note(const std::string& kernel, const std::string& device);

 private:
  void map_node(const GraphNode& node);

  std::map<std::string, EagerTensor> values_;
  std::map<std::string, const GraphTensor*> constants_;
  std::vector<std::unique_ptr<GraphTensor>> own_;  ///< tensors that mappings made
  std::vector<const GraphNode*> path_;             ///< the node that is computed, and below it what it is composed of
  std::vector<NodeAssignment> assignment_;
  std::optional<Error> refused_;
};

/// How operators of a family are mapped, and the row of one; without a function where it is of another family.
using EagerTable = std::map<std::string, EagerGraph::Operator>;
[[nodiscard]] inline EagerGraph::Operator row_of(const EagerTable& table, const std::string& operation) {
  const auto found = table.find(operation);
  return found != table.end() ? found->second : EagerGraph::Operator{};
}

/// The oldest version of ONNX's operators whose meaning the mappings follow.
inline constexpr std::int64_t oldest_eager_opset = 21;

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/detail/eager_graph.ipp"
#endif
