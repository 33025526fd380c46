#pragma once

#include <map>
#include <string>
#include <vector>

#include "assay/io/safetensors_entry.hpp"
#include "assay/report/text.hpp"
#include "assay/tensor/strided_view.hpp"

namespace assay::inline v0::detail {

/// The reference implementation's limit, so that a file that it refuses is refused here.
inline constexpr std::size_t longest_safetensors_header = 100'000'000;
inline constexpr std::size_t safetensors_length_bytes = 8;

struct SafetensorsHeader {
  std::vector<SafetensorsEntry> entries;  ///< in the order of their data
  std::map<std::string, std::string> metadata;
};

/// A name that came from a file, fit for a message.
[[nodiscard]] inline std::string shown_name(const std::string& name) {
  return "'" + clipped(visible(name), 80) + "'";
}

/// Bytes of a tensor of that shape; negative if the product of the extents, those of 0 left out, exceeds 2^63 − 1 bits
/// or the last byte would not be full.
[[nodiscard]] Index safetensors_bytes(SafetensorsType type, const std::vector<Index>& shape);

/// Whether what the header says of one tensor agrees with itself.
[[nodiscard]] Result<void> check_safetensors_entry(const SafetensorsEntry& entry);

/// Brings the tensors into the order of their data, and checks that they cover all `data_bytes` of it without overlap.
[[nodiscard]] Result<void> order_safetensors_entries(std::vector<SafetensorsEntry>& entries, std::size_t data_bytes);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/io/detail/safetensors_header.ipp"
#endif
