#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "assay/core/nearest_name.hpp"
#include "assay/core/result.hpp"

namespace assay::inline v0 {

/// A way from one device, or one network adapter, to another: each message of m bytes takes latency + m / bandwidth.
struct Link {
  std::string_view name = "link";  ///< for reports; of static storage
  double latency_seconds = 0;      ///< α: what a message costs beside its bytes, software included
  double line_rate = 1e9;          ///< bytes a second in one direction, as the data sheet has it
  double protocol_efficiency = 1;  ///< the share of it that payload reaches, in (0, 1]

  /// Bytes of payload a second in one direction; 1/β.
  [[nodiscard]] constexpr double bandwidth() const noexcept { return line_rate * protocol_efficiency; }
};

/// Links by name. Line rates are those of data sheets, of all links of one device together. Latencies, and the
/// efficiency of NVLink and PCIe, are those by which NCCL chooses algorithms (NVIDIA/nccl src/graph/tuning.cc: ring,
/// protocol Simple; topo.h: 20, 20, 20.6 and 40.1 GB/s a link); NDR's is what NVIDIA/nccl-tests#290 measured, 46 to 48
/// GB/s; xGMI's stands in AMD's "Understanding RCCL bandwidth and xGMI performance" (48 of 64 GB/s). RoCE: headers on
/// packets of 4 KiB take 2 %; another 4 % is our estimate.
inline constexpr std::array<Link, 16> known_links{{
    {"nvlink2", 3.4e-6, 150e9, 0.80},
    {"nvlink3", 3.4e-6, 300e9, 0.80},
    {"nvlink4", 3.4e-6, 450e9, 0.824},
    {"nvlink5", 3.4e-6, 900e9, 0.802},
    {"pcie3", 5.7e-6, 15.75e9, 0.76},
    {"pcie4", 5.7e-6, 31.5e9, 0.76},
    {"pcie5", 5.7e-6, 63e9, 0.76},
    {"pcie6", 5.7e-6, 121e9, 0.76},
    {"xgmi3", 3.4e-6, 448e9, 0.75},
    {"ib_edr", 14e-6, 12.5e9, 0.96},
    {"ib_hdr", 14e-6, 25e9, 0.96},
    {"ib_ndr", 14e-6, 50e9, 0.96},
    {"ib_xdr", 14e-6, 100e9, 0.96},
    {"roce_100", 14e-6, 12.5e9, 0.94},
    {"roce_200", 14e-6, 25e9, 0.94},
    {"roce_400", 14e-6, 50e9, 0.94},
}};

/// Error `not_found`, with the nearest name.
[[nodiscard]] inline Result<Link> link_named(std::string_view name) {
  std::vector<std::string> names;
  for (const Link& link : known_links) {
    if (link.name == name) return link;
    names.emplace_back(link.name);
  }
  return failure(ErrorKind::not_found, unknown_name("link", name, names));
}

}  // namespace assay::inline v0
