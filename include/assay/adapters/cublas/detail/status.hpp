#pragma once

#include <cublas_v2.h>

#include <string>

#include "assay/core/result.hpp"

namespace assay::inline v0::detail {

/// What a call of cuBLAS or cuBLASLt gave, with its name and the library's own words. `about`, if any, says of what
/// problem.
[[nodiscard]] inline Result<void> cublas_result(const std::string& call, cublasStatus_t status,
                                                const std::string& about = "") {
  if (status == CUBLAS_STATUS_SUCCESS) return {};
  const std::string text = call + ": " + cublasGetStatusName(status) + ", " + cublasGetStatusString(status) +
                           (about.empty() ? "" : " (" + about + ")");
  switch (status) {
    case CUBLAS_STATUS_NOT_SUPPORTED: return failure(ErrorKind::unsupported, text);
    case CUBLAS_STATUS_ARCH_MISMATCH:
      return failure(ErrorKind::unsupported, text + "; the device lacks what these formats need");
    case CUBLAS_STATUS_ALLOC_FAILED:
      return failure(ErrorKind::out_of_memory, text + "; free memory or use a smaller problem");
    case CUBLAS_STATUS_INVALID_VALUE: return failure(ErrorKind::invalid, text);
    default: return failure(ErrorKind::device, text);
  }
}

}  // namespace assay::inline v0::detail
