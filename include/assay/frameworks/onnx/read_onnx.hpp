#pragma once

#include <string>
#include <string_view>

#include "assay/core/result.hpp"
#include "assay/frameworks/graph/operator_graph.hpp"

namespace assay::inline v0 {

/// A TensorProto of ONNX, of any element type. Nothing that the bytes say of themselves is trusted: what is allocated
/// is at most some times what is there.
///
/// Errors: `malformed` for broken messages, negative or overflowing extents, data of another length than the extents
/// and the type; `unsupported` for data in another file, which is never opened, and for segments.
[[nodiscard]] Result<GraphTensor> read_onnx_tensor(std::string_view bytes);

/// A ModelProto of ONNX. Graphs in attributes are read 32 levels deep at most. Whether the graph can be computed is
/// told by `check_graph`.
///
/// Errors: those of tensors; `malformed` for broken messages, missing graphs and names that no value has.
[[nodiscard]] Result<GraphModel> read_onnx_model(std::string_view bytes);

/// The bytes of a file of 2 GiB at most, which is protobuf's own limit. Errors: `not_found`, `io`, `malformed`.
[[nodiscard]] Result<std::string> read_whole_file(const std::string& path);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/onnx/read_onnx.ipp"
#endif
