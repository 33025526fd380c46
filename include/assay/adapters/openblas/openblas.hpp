#pragma once

#include <cblas.h>

#include <string>
#include <string_view>

#include "assay/backends/host.hpp"

#if !defined(OPENBLAS_VERSION)
#error \
    "assay: <cblas.h> is not OpenBLAS's; put OpenBLAS's include directory first (Debian: libopenblas-dev; pkg-config --cflags openblas)."
#endif

namespace assay::inline v0 {

/// OpenBLAS on the host's memory. Its kernels return when they are done and use OpenBLAS's own threads.
struct OpenBlas : Host {
  using Host::Host;

  [[nodiscard]] std::string_view name() const { return "openblas"; }

  /// The library that runs, not the one compiled against: version, build options, and the kernels chosen for this
  /// processor.
  [[nodiscard]] static std::string version() {
    std::string configuration = openblas_get_config();
    constexpr std::string_view prefix = "OpenBLAS ";
    if (configuration.starts_with(prefix)) configuration.erase(0, prefix.size());
    while (configuration.ends_with(' ')) configuration.pop_back();
    return configuration + ", kernels for " + openblas_get_corename() + ", " +
           std::to_string(openblas_get_num_threads()) + " threads";
  }
};

}  // namespace assay::inline v0
