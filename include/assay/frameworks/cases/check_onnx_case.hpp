#pragma once

#include <functional>
#include <string>

#include "assay/core/outcome.hpp"
#include "assay/frameworks/cases/onnx_case.hpp"
#include "assay/frameworks/door/graph_executor.hpp"

namespace assay::inline v0 {

/// Runs a program: any `GraphExecutor`, without its type.
using RunProgram = std::function<Result<GraphRun>(const GraphProgram&, const std::vector<GraphTensor>&)>;

/// Runs a case of ONNX's and judges its outputs by ONNX's own tolerance: |y − expected| ≤ absolute +
/// relative·|expected|, NaN where NaN is expected, infinities the same, types and extents the same. `backend` names the
/// mode in the outcome's id, onnx/BACKEND/OPERATION/CASE.
///
/// Fail: other numbers, types or extents. Unsupported: the runtime refuses the model. Inconclusive: data that are not
/// compared, or an operator whose output is drawn at random. Error: everything else that the runtime does.
[[nodiscard]] Outcome check_onnx_case(const OnnxCase& own, const std::string& backend, const ExecutionMode& mode,
                                      const RunProgram& run);

/// What ONNX's tolerance says of one output; empty where it is right. O(elements).
[[nodiscard]] std::string onnx_mismatch(const GraphTensor& output, const GraphTensor& expected, double relative,
                                        double absolute);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/cases/check_onnx_case.ipp"
#endif
