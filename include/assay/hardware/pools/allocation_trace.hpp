#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "assay/core/result.hpp"

namespace assay::inline v0 {

/// One allocation or its end.
struct AllocationEvent {
  bool free = false;            ///< the end of one
  std::uint64_t id = 0;         ///< of the allocation
  std::size_t bytes = 0;        ///< of an allocation
  std::size_t alignment = 256;  ///< a power of two, in bytes

  friend bool operator==(const AllocationEvent&, const AllocationEvent&) = default;
};

/// What a program took and gave back, in order.
using AllocationTrace = std::vector<AllocationEvent>;

/// Lines `alloc ID BYTES [ALIGNMENT]` and `free ID`; empty ones and those that begin with # are skipped. Errors:
/// `malformed`, with the line: an id that lives already, or is freed and does not live; an alignment that is no power
/// of two, or above 2 MiB.
[[nodiscard]] Result<AllocationTrace> read_allocation_trace(std::string_view text);

/// The form that `read_allocation_trace` reads.
[[nodiscard]] std::string allocation_trace_text(const AllocationTrace& trace);

/// A trace as servers of language models make it: caches of random lengths, in blocks of 4 KiB, and scratch memory of
/// many sizes, so that what is free lies between what lives. Most `living_bytes` live at once.
[[nodiscard]] AllocationTrace serving_trace(std::size_t events, std::size_t living_bytes, std::uint64_t seed);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/hardware/pools/allocation_trace.ipp"
#endif
