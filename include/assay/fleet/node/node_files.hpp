#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "assay/core/result.hpp"
#include "assay/fleet/node/node_health.hpp"
#include "assay/report/prometheus.hpp"

namespace assay::inline v0 {

inline constexpr const char* node_manifest_schema = "assay-node/1";     ///< name and version of the form
inline constexpr const char* node_state_schema = "assay-node-state/1";  ///< name and version of the form

/// Reads a manifest: JSON with comments; README.md of the area explains the form. Errors: `malformed`, with the place; members that are not known are refused with the nearest name.
[[nodiscard]] Result<NodeManifest> parse_node_manifest(std::string_view text);
/// The same from a file. Errors: also `not_found`, `io`.
[[nodiscard]] Result<NodeManifest> read_node_manifest(const std::filesystem::path& path);

/// A manifest of what was found: a beginning, to be read before it is trusted.
[[nodiscard]] std::string node_manifest_text(const NodeObservation& observation);

/// Reads the state of the last check; an empty one where there is no such file. Errors: `malformed`, `io`.
[[nodiscard]] Result<NodeState> read_node_state(const std::filesystem::path& path);
/// Writes it, whole or not at all: who is killed in between leaves the old one. Errors: as `write_file`.
[[nodiscard]] Result<void> write_node_state(const NodeState& state, const std::filesystem::path& path);

/// Readings as CSV: device, reading, value, state (value, unsupported, failed, lost; empty: value). Errors: `malformed`,
/// `not_found`, with the line.
[[nodiscard]] Result<std::vector<NodeReading>> parse_node_readings(std::string_view csv);

/// A report and its observation as metrics: assay_node_check_level (0 OK to 3 UNKNOWN), devices present and expected,
/// assay_device_present of each expected device, and each reading as assay_device_<name>.
[[nodiscard]] std::vector<MetricFamily> node_metrics(const NodeReport& report, const NodeManifest& manifest,
                                                     const NodeObservation& observation);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/fleet/node/node_files.ipp"
#endif
