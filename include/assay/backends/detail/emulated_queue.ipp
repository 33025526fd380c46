#pragma once

#include "assay/backends/detail/emulated_queue.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE EmulatedQueue::~EmulatedQueue() {
  if (operations_.empty()) return;
  const std::string ended =
      "a stream ended with " + std::to_string(operations_.size()) + " operations that nobody had waited for, ";
  report_(ended + "the first of them " + operations_.front().name + "; synchronize streams before they end",
          EmulatedMisuse::abandoned_work);
  for (const Operation& operation : operations_) {
    const auto* freed = freed_of(operation);
    if (freed == nullptr) continue;
    report_(ended + "of which " + operation.name + " uses " + std::to_string(freed->bytes) +
                " bytes that were freed; keep buffers until the stream was waited for (synchronize)",
            EmulatedMisuse::freed_and_abandoned);
    break;
  }
}

ASSAY_DETAIL_HEADER_INLINE void EmulatedQueue::run_until(std::uint64_t submitted) {
  while (done_ < submitted && !operations_.empty()) {
    const Operation operation = std::move(operations_.front());
    operations_.pop_front();
    ++done_;
    if (const auto* freed = freed_of(operation); freed != nullptr)
      report_("operation " + std::to_string(done_) + " of a stream, " + operation.name + ", uses " +
                  std::to_string(freed->bytes) +
                  " bytes that were freed before it ran; keep buffers until the stream was waited for (synchronize)",
              EmulatedMisuse::freed_memory);
    else
      operation.run();
  }
}

}  // namespace assay::inline v0::detail
