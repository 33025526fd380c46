#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/frameworks/graph/graph_tensor.hpp"

namespace assay::inline v0 {

/// The interfaces of foreign runtimes that there are doors to.
enum class ForeignRuntime { onnx_runtime, pjrt, openvino, torch, tensorflow };

/// What computes the nodes of a graph: a part of a runtime that has a vendor's name.
struct ExecutionProvider {
  std::string name = "cpu";                                    ///< as the runtime spells it
  std::vector<std::pair<std::string, std::string>> options{};  ///< keys and values of the provider's own
  std::string library{};  ///< a plugin library that registers it; empty: it is part of the runtime
};

/// How a graph is compiled and run: what changes bits, and so is part of a backend's name.
struct ExecutionMode {
  ExecutionProvider provider;
  int optimization_level = 99;  ///< 0 none, 1 basic, 2 extended, 99 all; of ONNX Runtime
  int threads = 1;              ///< of one operator
  ForeignRuntime runtime = ForeignRuntime::onnx_runtime;
  bool highest_precision = false;  ///< products are asked to keep all bits of float32; of PJRT
};

/// A model in the runtime's own language, and how it is run.
struct GraphProgram {
  std::string model;  ///< bytes of an ONNX model; of PJRT a module of StableHLO in text
  ExecutionMode mode;
};

/// Which provider computed a node, and how.
struct NodeAssignment {
  std::string node;       ///< its name
  std::string operation;  ///< of the operator
  std::string provider;   ///< as the runtime spells it
  /// Its kernel, as the runtime names it, where it does: "brgemm_avx512_bf16".
  std::string execution{};
};

/// What a run gave.
struct GraphRun {
  std::vector<GraphTensor> outputs;  ///< in the model's order
  /// Nodes as they were computed, fused ones by the name of what they became; none where the runtime tells of none.
  std::vector<NodeAssignment> assignment;
};

/// What a runtime says of itself.
struct ExecutorDescription {
  std::string version;                 ///< as the runtime tells it
  std::vector<std::string> providers;  ///< as the runtime spells them
};

/// A foreign runtime that computes graphs. `run` compiles a program, unless it is the one that it ran last, binds the
/// tensors to the model's inputs by their names, runs it once and tells who computed what.
///
/// Errors: `unsupported` where the runtime or the provider refuses the model; `device` where it fails, crashes, or
/// gives what it did not declare; `timed_out`; `not_found` where there is no such provider. Thread safety: one thread
/// at a time.
template <class E>
concept GraphExecutor = requires(E& executor, const GraphProgram& program, const std::vector<GraphTensor>& inputs) {
  { executor.describe() } -> std::same_as<Result<ExecutorDescription>>;
  { executor.run(program, inputs) } -> std::same_as<Result<GraphRun>>;
};

}  // namespace assay::inline v0
