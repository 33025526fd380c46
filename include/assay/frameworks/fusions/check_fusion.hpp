#pragma once

#include <string>

#include "assay/core/outcome.hpp"
#include "assay/frameworks/cases/check_onnx_case.hpp"
#include "assay/frameworks/fusions/fusion_graphs.hpp"

namespace assay::inline v0 {

/// Holds what a compiler makes of a whole graph against the same graph computed node by node by the same runtime, and
/// both against the bound of `evaluate_with_bounds`. The outcome is fusion/BACKEND/f32/PATTERN/uniform.
///
/// Fail: a number of the whole graph, or of a node by itself on what the nodes before it gave, is off by more than the
/// bound. The diagnosis tells which node is wrong by itself; where none is, it compiles ever longer beginnings of the
/// graph and tells at which node the wrong ones begin: what is wrong is the compiler's work. In a pass, too, it is told
/// whether both ways give the same bits, and which is farther from the truth: measurements `elements_that_differ`,
/// `fused_error_ratio`, `unfused_error_ratio`.
/// Unsupported: the runtime refuses the graph or a node. Error: all else that it does.
[[nodiscard]] Outcome check_fusion(const FusionGraph& own, const std::string& backend, const ExecutionMode& mode,
                                   const RunProgram& run);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/fusions/check_fusion.ipp"
#endif
