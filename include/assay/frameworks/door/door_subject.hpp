#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/frameworks/door/door_worker.hpp"
#include "assay/frameworks/operations/all_operation_graphs.hpp"
#include "assay/validators/gemm_operand_array.hpp"
#include "assay/validators/gemm_subject.hpp"
#include "assay/validators/operation_subject.hpp"

namespace assay::inline v0 {

/// What a door's first launch since `clear` was. Of a case that is the launch on its own data.
struct DoorRecord {
  std::string digest;   ///< of all elements of the outputs, in hexadecimal; empty: nothing was computed
  std::string lowered;  ///< nodes that were computed in a narrower format than the graph's, see `lowered_nodes`

  /// Forgets it: the next launch is the first.
  void clear() { *this = {}; }
  /// Notes a launch, if it is the first. O(bytes).
  void note(const OperatorGraph& graph, const GraphRun& run);
};

/// Is shown every launch that gave the outputs which the graph declares, in the thread that launches.
using LaunchObserver = std::function<void(const OperatorGraph&, const GraphRun&)>;

/// A foreign runtime in one mode, as whose kernels graphs of operations run: host memory, and copies to the runtime's
/// process and back. Copies share the process.
struct Door {
  std::string name;                    ///< of the backend in ids: "ort.cpu.level99"
  ExecutionMode mode;                  ///< provider, level and threads
  std::shared_ptr<DoorWorker> worker;  ///< the runtime's process
  std::string absent;         ///< not empty: the runtime is not here, with what to install; there is no worker then
  LaunchObserver launched{};  ///< may be empty
};

/// Runs a graph on operands: packs inputs densely, and writes the outputs' elements where they belong, and nothing
/// beside them.
///
/// Errors: `GraphExecutor`'s; `unsupported` for NaN where ONNX leaves open what it becomes; `device` for outputs that
/// are missing, or of another type or other extents than the graph declares.
[[nodiscard]] Result<void> run_on_door(const Door& door, const Result<OperationGraph>& graph,
                                       const OperandArray& operands);

/// Whether problems of that operation can be written as graphs.
template <class Op>
concept HasOperationGraph = requires(const typename Op::Problem& problem) {
  operation_graph(problem);
};

/// What a runtime makes of an operation's problems, as a subject of every validator.
template <Operation Op>
requires HasOperationGraph<Op>
[[nodiscard]] OperationSubject<Op> door_subject(Door door) {
  OperationSubject<Op> subject;
  subject.name = door.name;
  subject.run = [door = std::move(door)](const typename Op::Problem& problem, const OperandArray& operands) {
    return run_on_door(door, operation_graph(problem), operands);
  };
  return subject;
}

/// The same of a product.
template <class Op>
[[nodiscard]] GemmSubject<Op> door_gemm_subject(Door door) {
  GemmSubject<Op> subject;
  subject.name = door.name;
  subject.run = [door = std::move(door)](const GemmProblem& problem, const typename Op::Arguments& arguments) {
    return run_on_door(
        door,
        gemm_graph(problem, element_format<typename Op::FormatA>(), element_format<typename Op::FormatB>(),
                   element_format<typename Op::Accumulator>(), element_format<typename Op::FormatC>()),
        detail::operands_of(arguments));
  };
  return subject;
}

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/door/door_subject.ipp"
#endif
