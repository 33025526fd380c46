#pragma once

#include <map>
#include <string>
#include <vector>

#include "assay/report/prometheus.hpp"
#include "assay/telemetry/recording.hpp"

namespace assay::inline v0 {

/// The last readings of a recording as metrics, assay_telemetry_<quantity>_<unit>{device, sensor}, each with its
/// _present; assay_telemetry_throttled{reason} for each reason of each device, and assay_telemetry_device_present. A
/// sensor that its device does not offer is left out; two of one name become "name" and "name 2". `labels` are added to
/// each sample. O(sensors · log sensors).
[[nodiscard]] std::vector<MetricFamily> telemetry_metrics(const Recording& recording,
                                                          const std::map<std::string, std::string>& labels = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/fleet/node/telemetry_metrics.ipp"
#endif
