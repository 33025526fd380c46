#pragma once

#include <string>

#include "assay/core/result.hpp"
#include "assay/hardware/processor_topology.hpp"

namespace assay::inline v0 {

/// The topology as hwloc tells it, on any system that hwloc knows. `xml`: a file that `lstopo FILE.xml` wrote, of
/// another machine (its processors are then not allowed to this process); empty: of this machine, or of what hwloc's
/// environment variables name. A leaf: component `hwloc`. Error `unsupported`: hwloc can tell nothing; `malformed`.
[[nodiscard]] Result<ProcessorTopology> hwloc_topology(const std::string& xml = "");

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/hardware/hwloc_topology.ipp"
#endif
