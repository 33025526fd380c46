#pragma once

#include <string>
#include <vector>

#include "assay/frameworks/detail/tensorflow_library.hpp"

namespace assay::inline v0::detail {

/// A graph of ONNX's operators on its way through TensorFlow's eager execution.
class TensorFlowGraph : public EagerGraph {
 public:
  explicit TensorFlowGraph(const TensorFlowLibrary& library) : library_(library) {}

  /// The outputs of an operator; tensors without a handle where it failed.
  std::vector<EagerTensor> compute_all(const TensorFlowCall& call);
  /// Of an operator with one output.
  EagerTensor compute(const char* name, std::vector<EagerTensor> inputs,
                      std::vector<TensorFlowAttribute> attributes = {}) {
    return compute_all({name, std::move(inputs), std::move(attributes), false, 1})[0];
  }
  EagerTensor reshape(const EagerTensor& x, const EagerExtents& extents) override;
  EagerTensor transpose(const EagerTensor& x, const EagerExtents& order);
  /// A list of 32-bit integers.
  EagerTensor short_integers(const EagerExtents& values);

 protected:
  EagerTensor bring(const GraphTensor& tensor) override;
  GraphTensor fetch(const EagerTensor& tensor) override;
  [[nodiscard]] Operator mapping(const std::string& operation) const override;
  [[nodiscard]] const char* framework() const override { return "TensorFlow"; }

 private:
  const TensorFlowLibrary& library_;
};

/// A mapping as the shared graph calls it.
template <auto map>
void tensorflow_mapping(EagerGraph& graph, const GraphNode& node) {
  map(static_cast<TensorFlowGraph&>(graph), node);
}

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/detail/tensorflow_graph.ipp"
#endif
