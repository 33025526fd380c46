#pragma once

#include <cstring>
#include <string>

#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif

namespace assay::inline v0::detail {

/// The processor's model name where the system tells it (Linux), else the machine architecture.
[[nodiscard]] std::string processor_name();

/// The machine's memory; 0 if the system does not say.
[[nodiscard]] double host_memory_bytes();

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/core/processor.ipp"
#endif
