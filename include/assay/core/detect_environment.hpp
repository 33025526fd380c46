#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "assay/core/environment.hpp"
#include "assay/core/processor.hpp"
#include "assay/core/version.hpp"

#if defined(__unix__) || defined(__APPLE__)
#include <sys/utsname.h>
#endif

namespace assay::inline v0 {

namespace detail {

/// The distribution's name for people from the text of an os-release file; empty if it has none.
[[nodiscard]] std::string pretty_name_of(std::string_view os_release);

/// Those that change what kernels compute, or which kernel a library chooses.
[[nodiscard]] std::string instruction_sets();

/// UTC as ISO 8601, to the second: "2024-02-29T23:59:59Z".
[[nodiscard]] std::string iso_8601(std::chrono::system_clock::time_point time);

}  // namespace detail

/// The host's part of the environment record, now: what a system does not tell stays empty or 0. `compiler_flags` is
/// the macro ASSAY_COMPILER_FLAGS (a string literal), where the build defines it; `devices` and `libraries` are left to
/// backends and adapters. Reads /proc and /etc/os-release on Linux; costs about a millisecond.
[[nodiscard]] Environment detect_environment();

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/core/detect_environment.ipp"
#endif
