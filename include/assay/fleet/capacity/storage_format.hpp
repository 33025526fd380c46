#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "assay/core/nearest_name.hpp"
#include "assay/core/result.hpp"

namespace assay::inline v0 {

/// How weights or cached keys and values are stored: bytes an element, scales of blocks included.
struct StorageFormat {
  std::string_view name;  ///< of static storage
  double bytes = 2;       ///< an element
};

/// Formats by name. Blocks: q8_0, q4_0 (ggml: 32 elements and a 16-bit scale), q4_k, q5_k, q6_k (ggml: 144, 176, 210
/// bytes of 256 elements), mxfp8, mxfp6, mxfp4 (OCP: an 8-bit scale of 32), nvfp4 (an 8-bit scale of 16), int4_g128 (a
/// 16-bit scale of 128).
inline constexpr std::array<StorageFormat, 16> storage_formats{{{"f32", 4},
                                                                {"bf16", 2},
                                                                {"f16", 2},
                                                                {"fp8", 1},
                                                                {"int8", 1},
                                                                {"int4", 0.5},
                                                                {"int4_g128", 0.5 + 2.0 / 128},
                                                                {"q8_0", 34.0 / 32},
                                                                {"q4_0", 18.0 / 32},
                                                                {"q4_k", 144.0 / 256},
                                                                {"q5_k", 176.0 / 256},
                                                                {"q6_k", 210.0 / 256},
                                                                {"mxfp8", 33.0 / 32},
                                                                {"mxfp6", 25.0 / 32},
                                                                {"mxfp4", 17.0 / 32},
                                                                {"nvfp4", 9.0 / 16}}};

/// Error `not_found`, with the nearest name.
[[nodiscard]] inline Result<StorageFormat> storage_format_named(std::string_view name) {
  std::vector<std::string> names;
  for (const StorageFormat& format : storage_formats) {
    if (format.name == name) return format;
    names.emplace_back(format.name);
  }
  return failure(ErrorKind::not_found, unknown_name("storage format", name, names));
}

}  // namespace assay::inline v0
