#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "adapters/cudnn/graph_interpreter.hpp"
#include "assay/backends/host.hpp"
#include "assay/kernels/operation.hpp"
#include "testing/catch.hpp"

namespace assay::testing {

/// Operands of a problem in host memory, with gaps behind each row where `gap` is above 0.
class HostOperands {
 public:
  HostOperands(const std::vector<OperandSpec>& specs, Index gap, double (*value)(std::size_t operand, Index element))
      : specs_(specs), memory_(specs.size()) {
    operands_.count = static_cast<int>(specs.size());
    for (std::size_t position = 0; position < specs.size(); ++position) {
      const OperandSpec& spec = specs[position];
      if (!spec.present) continue;
      Operand& operand = operands_[static_cast<int>(position)];
      operand.format = spec.format;
      operand.rank = static_cast<int>(spec.extents.size());
      Index stride = 1;
      for (int d = operand.rank - 1; d >= 0; --d) {
        operand.extents[d] = spec.extents[static_cast<std::size_t>(d)];
        operand.strides[d] = stride;
        stride *= operand.extents[d];
        if (d == operand.rank - 1 && d > 0 && spec.name.rfind("weights", 0) != 0)
          stride += gap;  // cuDNN has no filters with gaps
      }
      memory_[position].resize(static_cast<std::size_t>(stride * 8));
      operand.data = memory_[position].data();
      for (Index e = 0; e < operand.size(); ++e)
        operand.store(e, spec.role == OperandRole::input ? value(position, e) : 77);
    }
  }
  [[nodiscard]] const OperandArray& operands() const { return operands_; }
  /// Values of all outputs, one after the other.
  [[nodiscard]] std::vector<double> outputs() const {
    std::vector<double> values;
    for (std::size_t position = 0; position < specs_.size(); ++position)
      if (specs_[position].present && specs_[position].role != OperandRole::input)
        for (Index e = 0; e < operands_[static_cast<int>(position)].size(); ++e)
          values.push_back(operands_[static_cast<int>(position)].load(e));
    return values;
  }

 private:
  std::vector<OperandSpec> specs_;
  std::vector<std::vector<unsigned char>> memory_;
  OperandArray operands_;
};

/// The largest difference, relative to 1 or to the value where that is larger, between what a graph says and what
/// Assay's own kernel makes of the same problem.
template <class Op, class MakeGraph>
[[nodiscard]] double told_otherwise(const typename Op::Problem& problem, Index gap, double (*value)(std::size_t, Index),
                                    MakeGraph make_graph) {
  const auto specs = Op::operands(problem);
  REQUIRE(specs);
  HostOperands told(specs.value(), gap, value), computed(specs.value(), gap, value);
  const detail::CudnnGraph graph = make_graph(told.operands());
  INFO((graph.status() ? "" : graph.status().error().message));
  REQUIRE(graph.status());
  CudnnGraphInterpreter(graph).run(graph);
  Host host(1);
  auto stream = host.make_stream().value();
  REQUIRE(Op::portable(host, stream, problem, computed.operands()));
  const std::vector<double> left = told.outputs(), right = computed.outputs();
  double worst = 0;
  for (std::size_t i = 0; i < left.size(); ++i) {
    const double difference = std::fabs(left[i] - right[i]) / std::max(1.0, std::fabs(right[i]));
    worst = difference <= worst ? worst : difference;  // NaN counts
  }
  return worst;
}

}  // namespace assay::testing
