#pragma once

#include "assay/plugin/staging_plan.hpp"

#include <algorithm>
#include <cstdint>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

/// What an operand and its guards cover.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE StagedBlock covered_by(const Operand& operand) {
  Index first = 0, last = operand.size() == 0 ? -1 : 0;
  for (int d = 0; d < operand.rank && last >= 0; ++d)
    (operand.strides[d] < 0 ? first : last) += (operand.extents[d] - 1) * operand.strides[d];
  auto* const data = static_cast<unsigned char*>(operand.data);
  return {data + first * operand.format.bytes - operand.guard_bytes,
          data + (last + 1) * operand.format.bytes + operand.guard_bytes};
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE StagingPlan plan_staging(const PluginRequest& request, std::size_t alignment) {
  StagingPlan plan;
  plan.places.resize(request.tensors.size());
  for (const PluginTensor& tensor : request.tensors) {
    if (!tensor.operand.present() || tensor.operand.data == nullptr) continue;
    StagedBlock block = detail::covered_by(tensor.operand);
    if (block.begin == block.end) continue;
    for (std::size_t i = 0; i < plan.blocks.size();) {
      const StagedBlock& other = plan.blocks[i];
      if (other.end <= block.begin || block.end <= other.begin) {
        ++i;
        continue;
      }
      block.begin = std::min(block.begin, other.begin);
      block.end = std::max(block.end, other.end);
      plan.blocks.erase(plan.blocks.begin() + static_cast<std::ptrdiff_t>(i));
    }
    plan.blocks.push_back(block);
  }
  std::vector<bool> placed(plan.blocks.size());
  for (std::size_t t = 0; t < request.tensors.size(); ++t) {
    const Operand& operand = request.tensors[t].operand;
    auto* const data = static_cast<unsigned char*>(operand.data);
    if (!operand.present() || data == nullptr) continue;
    for (std::size_t i = 0; i < plan.blocks.size(); ++i) {
      StagedBlock& block = plan.blocks[i];
      if (data < block.begin || data > block.end || block.begin == block.end) continue;
      const auto ahead = static_cast<std::size_t>(data - block.begin);
      if (!placed[i])
        block.offset = (reinterpret_cast<std::uintptr_t>(data) % 64 + alignment - ahead % alignment) % alignment;
      placed[i] = true;
      plan.places[t] = {i, block.offset + ahead, true};
      break;
    }
  }
  return plan;
}

}  // namespace assay::inline v0
