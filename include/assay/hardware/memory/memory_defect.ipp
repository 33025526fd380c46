#pragma once

#include "assay/hardware/memory/memory_defect.hpp"

#include "assay/core/config.hpp"
#include "assay/hardware/detail/hexadecimal.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::string MemoryDefect::text() const {
  std::string bits;
  int count = 0;
  for (int bit = 0; bit < 64; ++bit) {
    if ((flipped() >> bit & 1) == 0) continue;
    if (++count <= 8) bits += (bits.empty() ? "" : ",") + std::to_string(bit);
  }
  if (count > 8) bits = std::to_string(count) + " bits";
  return "offset " + detail::hexadecimal(offset, 12) +
         (address != 0 ? ", address " + detail::hexadecimal(address, 12) : "") +
         (physical ? ", physical " + detail::hexadecimal(*physical, 12) : ", physical unknown") + ": expected " +
         detail::hexadecimal(expected) + ", read " + detail::hexadecimal(actual) + " (bit " + bits + "), again " +
         detail::hexadecimal(reread) +
         (recovered()        ? ": right the second time"
          : reread == actual ? ": the same"
                             : ": something else") +
         "; " + test + ", element " + std::to_string(element + 1) + ", operation " + std::to_string(operation + 1) +
         ", background " + background + (processor >= 0 ? ", processor " + std::to_string(processor) : "");
}

}  // namespace assay::inline v0
