#pragma once

#include <filesystem>

#include "assay/fleet/node/node_health.hpp"

namespace assay::inline v0 {

/// What the kernel tells of a node without any vendor's library: accelerators on PCI (display, 3D and processing
/// classes) with the width and speed of their links and AER counters; EDAC's memory errors; versions of the drivers
/// nvidia, amdgpu, habanalabs, xe; processors and memory; whether the clock is synchronized; free space of the
/// manifest's disks; how many of the manifest's paths there are (readings "path:<glob>" count). What is not there is
/// not in the result; what is there and cannot be read is `failed`. sysfs is read as `SysfsSource` does; a device that
/// could have a link and has none has a width of 0. `root` stands before every path.
[[nodiscard]] NodeObservation probe_node(const NodeManifest& manifest, const std::filesystem::path& root = "/");

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/fleet/node/probe_node.ipp"
#endif
