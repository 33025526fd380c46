#pragma once

#include "assay/fleet/node/telemetry_metrics.hpp"

#include <array>
#include <optional>
#include <set>
#include <utility>

#include "assay/core/config.hpp"
#include "assay/telemetry/throttle_reason.hpp"

namespace assay::inline v0 {

namespace detail {

struct TelemetryMetricName {
  const char* name;
  const char* unit;
  const char* help;
};

/// By quantity, in the order of `Quantity`; reasons of throttling have samples of another kind.
inline constexpr std::array<TelemetryMetricName, quantity_count> telemetry_metric_names{{
    {"temperature_celsius", "celsius", "Temperature of a place of a device."},
    {"temperature_limit_celsius", "celsius", "Temperature at which a device slows down or stops."},
    {"temperature_margin_celsius", "celsius", "How far a device is below its limit."},
    {"power_watts", "watts", "Power that a device takes."},
    {"power_limit_watts", "watts", "Power that a device may take."},
    {"energy_joules_total", "joules", "Energy that a device has taken."},
    {"clock_hertz", "hertz", "Clock of a part of a device."},
    {"clock_limit_hertz", "hertz", "Highest clock of a part of a device."},
    {"throttled", "", "Whether a reason holds the clocks of a device down."},
    {"throttle_seconds_total", "seconds", "How long clocks were held down."},
    {"throttle_events_total", "", "How often clocks were held down."},
    {"utilization_ratio", "ratio", "Share of time in which a device worked."},
    {"fan_rpm", "", "Revolutions of a fan per minute."},
    {"fan_ratio", "ratio", "Speed of a fan, of the most."},
    {"voltage_volts", "volts", "Voltage of a part of a device."},
    {"current_amperes", "amperes", "Current of a part of a device."},
    {"errors_corrected_total", "", "Errors of memory or link that were corrected."},
    {"errors_uncorrected_total", "", "Errors of memory or link that were not."},
    {"repaired_rows_total", "", "Rows or pages of memory that were replaced."},
    {"link_lanes", "", "Lanes of a link."},
    {"link_lanes_maximum", "", "Lanes that a link could have."},
    {"link_transfers_per_second", "", "Speed of a lane."},
    {"link_transfers_per_second_maximum", "", "Speed that a lane could have."},
    {"link_replays_total", "", "Packets that a link repeated."},
    {"link_up", "", "Whether a link is up."},
    {"recovery_action", "", "What the driver asks for: 0 nothing, 1 reset, 2 reboot, 3 drain, 4 drain and reset."},
    {"events_total", "", "Messages of the kernel about a class of faults."},
}};

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::vector<MetricFamily> telemetry_metrics(
    const Recording& recording, const std::map<std::string, std::string>& labels) {
  std::map<Quantity, MetricFamily> families;
  MetricFamily present{
      "assay_telemetry_device_present", MetricKind::gauge, {}, "Whether a device of telemetry still answers.", {}};
  std::vector<bool> lost(recording.devices.size(), false);
  std::set<std::map<std::string, std::string>> used[quantity_count];
  for (std::size_t sensor = 0; sensor < recording.sensors.size(); ++sensor) {
    const Sensor& described = recording.sensors[sensor];
    if (recording.readings[sensor].empty()) continue;
    const Reading& last = recording.readings[sensor].back();
    if (last.state == ReadingState::lost) lost[described.device] = true;
    if (last.state == ReadingState::unsupported) continue;
    const detail::TelemetryMetricName& words =
        detail::telemetry_metric_names[static_cast<std::size_t>(described.quantity)];
    MetricFamily& family = families[described.quantity];
    family.name = std::string("assay_telemetry_") + words.name;
    family.unit = words.unit;
    family.help = words.help;
    family.presence = true;
    family.kind = is_counter(described.quantity) ? MetricKind::counter : MetricKind::gauge;
    std::map<std::string, std::string> own = labels;
    own["device"] = recording.devices[described.device].id;
    if (described.quantity == Quantity::throttle_reasons) {
      family.presence = false;
      for (const ThrottleReason reason : all_throttle_reasons) {
        own["reason"] = std::string(name_of(reason));
        if (used[static_cast<std::size_t>(described.quantity)].insert(own).second)
          family.samples.push_back(
              {own, last.has_value() ? std::optional(has_reason(last.count, reason) ? 1.0 : 0.0) : std::nullopt});
      }
      continue;
    }
    const std::string name =
        described.name + (described.limits.empty() ? "" : (described.name.empty() ? "" : " ") + described.limits);
    own["sensor"] = name;
    for (int number = 2; !used[static_cast<std::size_t>(described.quantity)].insert(own).second; ++number)
      own["sensor"] = name + (name.empty() ? "" : " ") + std::to_string(number);
    family.samples.push_back({own, last.has_value() ? std::optional(last.value) : std::nullopt});
  }
  for (std::size_t device = 0; device < recording.devices.size(); ++device) {
    std::map<std::string, std::string> own = labels;
    own["device"] = recording.devices[device].id;
    present.samples.push_back({own, lost[device] ? 0.0 : 1.0});
  }
  std::vector<MetricFamily> all;
  if (!present.samples.empty()) all.push_back(std::move(present));
  for (auto& [quantity, family] : families) all.push_back(std::move(family));
  return all;
}

}  // namespace assay::inline v0
