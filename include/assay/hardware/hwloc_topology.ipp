#pragma once

#include "assay/hardware/hwloc_topology.hpp"

#include <algorithm>
#include <memory>
#include <type_traits>

#include <hwloc.h>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<ProcessorTopology> hwloc_topology(const std::string& xml) {
  const auto refuse = [&](const char* what) {
    return failure(xml.empty() ? ErrorKind::unsupported : ErrorKind::malformed,
                   std::string("hwloc ") + what + (xml.empty() ? "" : " from '" + xml + "'"));
  };
  hwloc_topology_t made = nullptr;
  if (hwloc_topology_init(&made) != 0) return refuse("could not be started");
  const std::unique_ptr<std::remove_pointer_t<hwloc_topology_t>, decltype(&hwloc_topology_destroy)> owner(
      made, &hwloc_topology_destroy);
  if (!xml.empty() && hwloc_topology_set_xml(made, xml.c_str()) != 0) return refuse("could read no topology");
  hwloc_topology_set_flags(made, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
  if (hwloc_topology_load(made) != 0) return refuse("could load no topology");
  ProcessorTopology topology;
  const unsigned version = hwloc_get_api_version();
  topology.source = "hwloc " + std::to_string(version >> 16) + "." + std::to_string(version >> 8 & 0xFF) + "." +
                    std::to_string(version & 0xFF);
  const std::vector<int> allowed = xml.empty() ? allowed_processors() : std::vector<int>();
  for (hwloc_obj_t unit = nullptr; (unit = hwloc_get_next_obj_by_type(made, HWLOC_OBJ_PU, unit)) != nullptr;) {
    const auto ancestor = [&](hwloc_obj_type_t type) {
      const hwloc_obj_t found = hwloc_get_ancestor_obj_by_type(made, type, unit);
      return found == nullptr || found->os_index == HWLOC_UNKNOWN_INDEX ? -1 : static_cast<int>(found->os_index);
    };
    LogicalProcessor processor{static_cast<int>(unit->os_index), ancestor(HWLOC_OBJ_CORE), ancestor(HWLOC_OBJ_PACKAGE),
                               -1, false};
    for (hwloc_obj_t node = nullptr; (node = hwloc_get_next_obj_by_type(made, HWLOC_OBJ_NUMANODE, node)) != nullptr;)
      if (node->cpuset != nullptr && hwloc_bitmap_isset(node->cpuset, unit->os_index) != 0 && processor.numa_node < 0)
        processor.numa_node = static_cast<int>(node->os_index);
    processor.allowed = std::binary_search(allowed.begin(), allowed.end(), processor.number);
    topology.processors.push_back(processor);
  }
  if (topology.processors.empty()) return refuse("knows no processors");
  std::sort(topology.processors.begin(), topology.processors.end(),
            [](const LogicalProcessor& a, const LogicalProcessor& b) { return a.number < b.number; });
  for (const hwloc_obj_type_t level :
       {HWLOC_OBJ_L5CACHE, HWLOC_OBJ_L4CACHE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L1CACHE}) {
    for (hwloc_obj_t cache = nullptr; (cache = hwloc_get_next_obj_by_type(made, level, cache)) != nullptr;)
      topology.last_level_cache_bytes += static_cast<std::size_t>(cache->attr->cache.size);
    if (topology.last_level_cache_bytes > 0) break;
  }
  return topology;
}

}  // namespace assay::inline v0
