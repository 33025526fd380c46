#pragma once

#include <cudnn_graph.h>

#include <string>

#include "assay/core/result.hpp"

namespace assay::inline v0::detail {

/// What a call of cuDNN gave, with its name, the status and the library's own reason. `about`, if any, says of what
/// problem.
[[nodiscard]] inline Result<void> cudnn_result(const std::string& call, cudnnStatus_t status,
                                               const std::string& about = "") {
  if (status == CUDNN_STATUS_SUCCESS) return {};
  char reason[1024] = {};
  cudnnGetLastErrorString(reason, sizeof reason);
  std::string text = call + ": " + cudnnGetErrorString(status);
  if (reason[0] != 0) text += std::string(", ") + reason;
  if (!about.empty()) text += " (" + about + ")";
  const int code = static_cast<int>(status);
  if (code / 1000 == 3) return failure(ErrorKind::unsupported, text);
  if (code / 1000 == 2) return failure(ErrorKind::unsupported, text + "; cuDNN takes the problem for invalid");
  if (status == CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED ||
      status == CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED)
    return failure(ErrorKind::out_of_memory, text + "; free memory or use a smaller problem");
  return failure(ErrorKind::device, text);
}

}  // namespace assay::inline v0::detail
