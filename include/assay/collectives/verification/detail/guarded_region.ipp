#pragma once

#include "assay/collectives/verification/detail/guarded_region.hpp"

#include <algorithm>
#include <cstring>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE GuardedRegion& GuardedRegion::operator=(GuardedRegion&& other) noexcept {
  std::swap(memory_, other.memory_);
  std::swap(start_, other.start_);
  std::swap(before_, other.before_);
  std::swap(bytes_, other.bytes_);
  std::swap(stage_, other.stage_);
  return *this;
}

ASSAY_DETAIL_HEADER_INLINE Result<GuardedRegion> GuardedRegion::make(std::shared_ptr<const CollectiveMemory> memory,
                                                                     std::size_t bytes, std::size_t shift) {
  GuardedRegion region;
  region.before_ = guard + shift;
  region.bytes_ = bytes;
  auto start = memory->allocate(region.total());
  if (!start) return start.propagate();
  region.start_ = static_cast<unsigned char*>(start.value());
  if (!memory->host_accessible) region.stage_.resize(region.total());
  region.memory_ = std::move(memory);
  std::memset(region.host(), guard_byte, region.before_);
  std::memset(region.host() + region.before_ + bytes, guard_byte, guard);
  return Result<GuardedRegion>(std::move(region));  // spelled out: nvcc would copy
}

ASSAY_DETAIL_HEADER_INLINE std::ptrdiff_t GuardedRegion::altered_guard() {
  std::ptrdiff_t altered = 0;
  const auto intact = [](unsigned char byte) { return byte == guard_byte; };
  unsigned char* const behind = host() + before_ + bytes_;
  if (unsigned char* const found = std::find_if_not(behind, behind + guard, intact); found != behind + guard)
    altered = found - behind + 1;
  for (std::size_t distance = before_; altered == 0 && distance > 0;
       --distance)  // from the far end: guards are intact but for faults
    if (host()[before_ - distance] != guard_byte) altered = -static_cast<std::ptrdiff_t>(distance);
  if (altered != 0) {
    std::memset(host(), guard_byte, before_);
    std::memset(behind, guard_byte, guard);
  }
  return altered;
}

}  // namespace assay::inline v0::detail
