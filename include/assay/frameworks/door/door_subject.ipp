#pragma once

#include "assay/frameworks/door/door_subject.hpp"

#include <algorithm>

#include "assay/core/config.hpp"
#include "assay/frameworks/door/lowered_precision.hpp"
#include "assay/frameworks/onnx/write_onnx.hpp"
#include "assay/frameworks/stablehlo/write_stablehlo.hpp"
#include "assay/suite/seed.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] inline Operand exchanged(Operand operand) {
  const int d = operand.rank - 1;
  if (d < 1) return operand;
  std::swap(operand.extents[d], operand.extents[d - 1]);
  std::swap(operand.strides[d], operand.strides[d - 1]);
  return operand;
}

[[nodiscard]] inline bool has_open_values(const Operand& operand, bool infinities) {
  for (Index i = 0; operand.format.is_float() && i < operand.size(); ++i) {
    const double value = operand.load(i);
    if (is_nan(value) || (infinities && is_infinite(value))) return true;
  }
  return false;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE void DoorRecord::note(const OperatorGraph& graph, const GraphRun& run) {
  if (!digest.empty()) return;
  std::uint64_t hash = 0;
  for (const GraphTensor& output : run.outputs)
    hash = detail::splitmix64_finalize(hash) ^ detail::fowler_noll_vo_1a(output.bytes);
  for (int digit = 0; digit < 16; ++digit) digest += "0123456789abcdef"[(hash >> (60 - 4 * digit)) & 15];
  lowered = lowered_text(lowered_nodes(graph, run.assignment));
}

ASSAY_DETAIL_HEADER_INLINE Result<void> run_on_door(const Door& door, const Result<OperationGraph>& graph,
                                                    const OperandArray& operands) {
  if (!door.absent.empty()) return failure(ErrorKind::unsupported, door.absent);
  if (!graph) return graph.propagate();
  const OperationGraph& own = graph.value();
  std::vector<GraphTensor> inputs;
  for (const GraphOperand& input : own.inputs) {
    const Operand operand = input.transposed ? detail::exchanged(operands[input.position]) : operands[input.position];
    if (!own.open_for_nan.empty() && detail::has_open_values(operand, own.open_for_infinity))
      return failure(ErrorKind::unsupported, own.open_for_nan + "; there are such values in this input");
    inputs.push_back({input.tensor, input.type, input.extents, packed_bytes(operand), {}});
    if (inputs.back().byte_size() != static_cast<std::int64_t>(inputs.back().bytes.size()))
      return failure(ErrorKind::invalid, "the graph declares " + shape_text(input.type, input.extents) +
                                             " for an operand of " + std::to_string(operand.size()) + " elements of " +
                                             operand.format.name);
  }
  std::string program;
  if (door.mode.runtime == ForeignRuntime::pjrt) {
    auto module = write_stablehlo(own.model.graph, {door.mode.highest_precision});
    if (!module) return module.propagate();
    program = std::move(module).value();
  } else {
    program = write_onnx_model(own.model);
  }
  auto run = door.worker->run({std::move(program), door.mode}, inputs);
  if (!run) return run.propagate();
  for (const GraphOperand& due : own.outputs) {
    const auto& outputs = run.value().outputs;
    const auto found = std::find_if(outputs.begin(), outputs.end(),
                                    [&](const GraphTensor& output) { return output.name == due.tensor; });
    if (found == outputs.end()) return failure(ErrorKind::device, door.name + " gave no output '" + due.tensor + "'");
    if (found->type != due.type || found->extents != due.extents)
      return failure(ErrorKind::device, door.name + " gave the output '" + due.tensor + "' as " +
                                            shape_text(found->type, found->extents) + "; the model declares " +
                                            shape_text(due.type, due.extents));
    if (auto written = unpack_into(operands[due.position], found->bytes); !written) return written;
  }
  if (door.launched) door.launched(own.model.graph, run.value());
  return {};
}

}  // namespace assay::inline v0
