#pragma once

#include "assay/io/detail/safetensors_header.hpp"

#include <algorithm>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE Index safetensors_bytes(SafetensorsType type, const std::vector<Index>& shape) {
  Index bits = safetensors_facts(type).bits;
  bool empty = false;
  for (const Index extent : shape) {
    if (extent == 0)
      empty = true;
    else
      bits = checked_product(bits, extent);
    if (bits < 0) return -1;
  }
  if (empty) return 0;
  return bits % 8 == 0 ? bits / 8 : -1;
}

ASSAY_DETAIL_HEADER_INLINE Result<void> check_safetensors_entry(const SafetensorsEntry& entry) {
  const std::string tensor = "tensor " + shown_name(entry.name) + ": ";
  if (entry.end < entry.begin)
    return failure(ErrorKind::malformed, tensor + "data_offsets [" + std::to_string(entry.begin) + ", " +
                                             std::to_string(entry.end) + "] end before they begin");
  const Index bytes = safetensors_bytes(entry.type, entry.shape);
  const SafetensorsTypeFacts& facts = safetensors_facts(entry.type);
  if (bytes < 0)
    return failure(ErrorKind::malformed, tensor + "its shape times the " + std::to_string(facts.bits) + " bits of " +
                                             facts.name + " exceeds 2^63 − 1 bits or fills no whole number of bytes");
  if (bytes != entry.byte_count())
    return failure(ErrorKind::malformed, tensor + "its shape and " + facts.name + " need " + std::to_string(bytes) +
                                             " bytes, its data_offsets [" + std::to_string(entry.begin) + ", " +
                                             std::to_string(entry.end) + "] hold " +
                                             std::to_string(entry.byte_count()));
  return {};
}

ASSAY_DETAIL_HEADER_INLINE Result<void> order_safetensors_entries(std::vector<SafetensorsEntry>& entries,
                                                                  std::size_t data_bytes) {
  std::sort(entries.begin(), entries.end(), [](const SafetensorsEntry& a, const SafetensorsEntry& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end != b.end ? a.end < b.end : a.name < b.name;
  });
  Index covered = 0;
  const std::string* previous = nullptr;
  for (const SafetensorsEntry& entry : entries) {
    const std::string begins =
        "tensor " + shown_name(entry.name) + " begins at byte " + std::to_string(entry.begin) + " of the data, ";
    const std::string before = previous != nullptr
                                   ? "that of " + shown_name(*previous) + " ends at " + std::to_string(covered)
                                   : "which must begin at 0";
    if (entry.begin > covered) return failure(ErrorKind::malformed, begins + before + ": no bytes may lie between");
    if (entry.begin < covered) return failure(ErrorKind::malformed, begins + before + ": tensors must not overlap");
    covered = entry.end;
    previous = &entry.name;
  }
  if (static_cast<std::size_t>(covered) != data_bytes)
    return failure(ErrorKind::malformed,
                   "the header's tensors have " + std::to_string(covered) + " bytes of data, the file has " +
                       std::to_string(data_bytes) +
                       (static_cast<std::size_t>(covered) > data_bytes ? "; was it copied whole?" : ""));
  return {};
}

}  // namespace assay::inline v0::detail
