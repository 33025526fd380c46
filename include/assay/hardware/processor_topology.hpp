#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "assay/core/result.hpp"

namespace assay::inline v0 {

/// A hardware thread, and where it lies. −1: the system does not tell.
struct LogicalProcessor {
  int number = 0;        ///< the system's
  int core = -1;         ///< within its package
  int package = -1;      ///< the socket
  int numa_node = -1;    ///< the memory that is near
  bool allowed = false;  ///< this process may run on it

  friend bool operator==(const LogicalProcessor&, const LogicalProcessor&) = default;
};

/// The processors that are online, ascending by number, and the caches.
struct ProcessorTopology {
  std::vector<LogicalProcessor> processors;
  std::size_t last_level_cache_bytes = 0;  ///< all instances of it together; 0: unknown
  std::string source;                      ///< "sysfs", "hwloc 2.9.0"

  /// The numbers of those on which this process may run, or of all.
  [[nodiscard]] std::vector<int> numbers(bool allowed_only = true) const;
  /// The NUMA nodes that have processors, ascending; one, −1, where none are known.
  [[nodiscard]] std::vector<int> numa_nodes() const;
  /// The processors of a node on which this process may run.
  [[nodiscard]] std::vector<int> processors_of(int numa_node) const;
  /// "processor 3 (package 0, core 1, NUMA node 0)".
  [[nodiscard]] std::string describe(int number) const;
};

/// "0-3,8,10-11" → numbers, ascending. Error `malformed`.
[[nodiscard]] Result<std::vector<int>> parse_processor_list(std::string_view text);

/// Processors on which this thread may run, ascending; empty where the system does not tell.
[[nodiscard]] std::vector<int> allowed_processors();

/// Reads the topology that Linux shows below `root`; for hwloc's, see hwloc_topology.hpp. Errors: `unsupported` where
/// there is none, `malformed`.
[[nodiscard]] Result<ProcessorTopology> read_processor_topology(
    const std::filesystem::path& root = "/sys/devices/system");

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/hardware/processor_topology.ipp"
#endif
