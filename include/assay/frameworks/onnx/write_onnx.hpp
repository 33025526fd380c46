#pragma once

#include <string>

#include "assay/frameworks/graph/operator_graph.hpp"

namespace assay::inline v0 {

/// The tensor as a TensorProto of ONNX, its data raw. Precondition: `bytes` or `strings` are as its extents say.
/// O(bytes).
[[nodiscard]] std::string write_onnx_tensor(const GraphTensor& tensor);

/// The model as a ModelProto of ONNX. Local functions, of which only the number is known, are not written.
[[nodiscard]] std::string write_onnx_model(const GraphModel& model);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/onnx/write_onnx.ipp"
#endif
