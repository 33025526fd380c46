#pragma once

#include <string>
#include <vector>

#include "assay/frameworks/detail/torch_library.hpp"

namespace assay::inline v0::detail {

/// A graph of ONNX's operators on its way through PyTorch's dispatcher.
class TorchGraph : public EagerGraph {
 public:
  explicit TorchGraph(const TorchLibrary& library) : library_(library) {}

  /// The outputs of an operator, by its name and overload, "aten::topk" or "aten::sort.stable", called with all
  /// arguments of its schema; tensors without a handle where it failed.
  std::vector<EagerTensor> compute(const std::string& name, const std::vector<TorchArgument>& arguments,
                                   std::size_t outputs);
  /// Of an operator with one output.
  EagerTensor compute(const std::string& name, const std::vector<TorchArgument>& arguments) {
    return compute(name, arguments, 1)[0];
  }
  EagerTensor reshape(const EagerTensor& x, const EagerExtents& extents) override;
  /// x + factor·y, which the dispatcher's stack cannot say: the factor is a Scalar.
  EagerTensor add(const EagerTensor& x, const EagerTensor& y, bool subtract);
  /// alpha·a·b + beta·c of matrices, likewise; c is not read where beta is 0.
  EagerTensor add_product(const EagerTensor& c, const EagerTensor& a, const EagerTensor& b, double alpha, double beta);

 protected:
  EagerTensor bring(const GraphTensor& tensor) override;
  GraphTensor fetch(const EagerTensor& tensor) override;
  [[nodiscard]] Operator mapping(const std::string& operation) const override;
  [[nodiscard]] const char* framework() const override { return "PyTorch"; }

 private:
  /// The function that adds takes its factor as a real number, which PyTorch refuses for integers: a sum of two.
  EagerTensor add_integers(const EagerTensor& x, const EagerTensor& y);
  EagerTensor taken(Result<EagerTensor> tensor);

  const TorchLibrary& library_;
};

/// A mapping as the shared graph calls it.
template <auto map>
void torch_mapping(EagerGraph& graph, const GraphNode& node) {
  map(static_cast<TorchGraph&>(graph), node);
}

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/detail/torch_graph.ipp"
#endif
