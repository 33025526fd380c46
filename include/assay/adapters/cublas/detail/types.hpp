#pragma once

#include <library_types.h>

#include <cstdint>
#include <optional>

#include "assay/formats/element_format.hpp"
#include "assay/formats/small_formats.hpp"
#include "assay/formats/tfloat32.hpp"

namespace assay::inline v0::detail {

/// cuBLAS's name of a format, where it has one. TF32 is stored as float32 is.
[[nodiscard]] inline std::optional<cudaDataType_t> cuda_type_of(const ElementFormat& format) {
  if (format == element_format<float64>()) return CUDA_R_64F;
  if (format == element_format<float32>() || format == element_format<tfloat32>()) return CUDA_R_32F;
  if (format == element_format<float16>()) return CUDA_R_16F;
  if (format == element_format<bfloat16>()) return CUDA_R_16BF;
  if (format == element_format<float8_e4m3fn>()) return CUDA_R_8F_E4M3;
  if (format == element_format<float8_e5m2>()) return CUDA_R_8F_E5M2;
  if (format == element_format<std::int8_t>()) return CUDA_R_8I;
  if (format == element_format<std::int32_t>()) return CUDA_R_32I;
  return std::nullopt;
}

}  // namespace assay::inline v0::detail
