#pragma once

#include <string>

#include "assay/core/result.hpp"
#include "assay/frameworks/graph/operator_graph.hpp"

namespace assay::inline v0 {

/// How a module asks for products.
struct StableHloOptions {
  /// Ask for products of float32 that keep all of its bits; else `DEFAULT`, which a TPU answers with bfloat16.
  bool highest_precision = false;
};

/// A graph of ONNX's operators as a module of StableHLO, in text, as compilers of XLA's family read it. Its function
/// `main` has the graph's inputs as arguments, in their order and by their names, and names its results by the
/// attribute `jax.result_info`.
///
/// One operator becomes one operation wherever StableHLO has it in that format; widening casts before a product or a
/// convolution become its own accumulation. What it has not is composed; what 16-bit formats would round in between is
/// computed in float32.
///
/// `unsupported`, with the operator or the attribute, for what cannot be expressed; `invalid` for graphs that
/// `check_graph` refuses, and for shapes that do not fit. O(nodes + elements of constants).
[[nodiscard]] Result<std::string> write_stablehlo(const OperatorGraph& graph, const StableHloOptions& options = {});

/// Whether there is a lowering of that operator of ONNX's.
[[nodiscard]] bool has_stablehlo(const std::string& operation);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/stablehlo/write_stablehlo.ipp"
#endif
