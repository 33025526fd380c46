#pragma once

#include "assay/hardware/load_telemetry.hpp"

#include <algorithm>
#include <map>

#include "assay/core/config.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/hardware/detail/recorded_device.hpp"
#include "assay/report/text.hpp"
#include "assay/suite/glob.hpp"
#include "assay/telemetry/throttle_reason.hpp"
#include "assay/telemetry/validity.hpp"

namespace assay::inline v0 {

namespace detail {

/// The id of the device that another one's sensors belong to; empty: it stands for itself.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string owner_of(const Recording& recording, std::size_t device) {
  const std::string& id = recording.devices[device].id;
  for (const TelemetryDevice& other : recording.devices)
    if (other.kind == "gpu" && other.id != id && other.parent == id && id.compare(0, 4, "pci/") == 0 &&
        recording.devices[device].kind != "port")
      return other.id;
  for (const char* start : {"rapl/package-", "hwmon/coretemp."}) {
    const std::size_t size = std::string_view(start).size();
    if (id.compare(0, size, start) != 0) continue;
    const std::string owner = "processor/" + id.substr(size);  // a part of a zone, "0/dram", finds nobody
    if (recording.device(owner)) return owner;
  }
  return {};
}

/// Judges the sensors of one device of a joined recording.
class SensorJudge {
 public:
  SensorJudge(const Recording& recording, std::size_t device, const LoadTelemetryOptions& options)
      : recording_(recording), device_(device), options_(options) {}

  [[nodiscard]] Outcome judge() {
    const TelemetryDevice& device = recording_.devices[device_];
    outcome_.id = "hardware/sensors/" + device.id;
    outcome_.labels = {{"operation", "sensors"}, {"backend", "host"}, {"device", device.id}};
    outcome_.duration_seconds = recording_.duration_seconds();
    if (!device.name.empty()) outcome_.derivation.push_back("device: " + device.name);
    gate();
    for (std::size_t sensor = 0; sensor < recording_.sensors.size(); ++sensor)
      if (recording_.sensors[sensor].device == device_) {
        judge_counter(sensor);
        judge_state(sensor);
      }
    judge_links();
    decide();
    return std::move(outcome_);
  }

 private:
  [[nodiscard]] const std::string& id() const { return recording_.devices[device_].id; }

  void fail(std::string why) {
    if (failures_++ == 0) outcome_.reason = why;
    outcome_.diagnosis.push_back(std::move(why));
  }

  [[nodiscard]] bool unsupported_throughout(std::size_t sensor) const {
    const std::vector<Reading>& readings = recording_.readings[sensor];
    return std::all_of(readings.begin(), readings.end(),
                       [](const Reading& reading) { return reading.state == ReadingState::unsupported; });
  }

  void gate() {
    ValidityOptions asked;
    asked.devices = {id()};
    asked.longest_gap_seconds = options_.thermal.longest_gap_seconds;
    for (std::size_t sensor = 0; sensor < recording_.sensors.size(); ++sensor) {
      const Sensor& described = recording_.sensors[sensor];
      if (described.device != device_) continue;
      ++sensors_;
      values_ += recording_.last_value(sensor) ? 1 : 0;
      for (const Reading& reading : recording_.readings[sensor])
        if (reading.state == ReadingState::failed && why_failed_.empty()) why_failed_ = reading.reason;
      if (!described.limits.empty() || unsupported_throughout(sensor)) continue;
      if (std::find(asked.quantities.begin(), asked.quantities.end(), described.quantity) == asked.quantities.end())
        asked.quantities.push_back(described.quantity);
    }
    validity_ = check_validity(recording_, asked);
    for (const Invalidity& reason : validity_.reasons)
      if (reason.code == "device_lost") fail(reason.text);
  }

  void judge_counter(std::size_t sensor) {
    const Sensor& described = recording_.sensors[sensor];
    const bool replays = described.quantity == Quantity::link_replays;
    if (!replays && described.quantity != Quantity::corrected_errors &&
        described.quantity != Quantity::uncorrected_errors && described.quantity != Quantity::repaired_rows)
      return;
    const bool of_link = replays || described.name.compare(0, 4, "pcie") == 0;
    if (of_link && described.name.find(' ') != std::string::npos && described.name != "pcie nonfatal" &&
        described.name != "pcie fatal")
      return;  // a kind of error, which the sum has, too
    const CounterChange change = counter_change(described, recording_.readings[sensor]);
    if (change.resets > 0)
      resets_.push_back(described.text() + " of " + id() + " was set back: what it counted in between is unknown");
    if (change.steps == 0) return;
    ++counters_;
    if (!(change.amount > 0)) return;
    outcome_.measure(described.text(), change.amount);
    const std::string told = described.text() + " of " + id() + " rose by " + printed_number(change.amount);
    const double minutes = std::max(1.0, recording_.duration_seconds() / 60);
    if (of_link && described.quantity != Quantity::uncorrected_errors &&
        change.amount <= options_.link_errors_a_minute * minutes)
      outcome_.derivation.push_back(told + ", fewer than " + printed_number(options_.link_errors_a_minute) +
                                    " a minute, which links correct");
    else
      fail(told + " while the machine worked");
  }

  void judge_state(std::size_t sensor) {
    const Sensor& described = recording_.sensors[sensor];
    const auto last = recording_.last_value(sensor);
    if (!last) return;
    if (described.quantity == Quantity::recovery_action && *last > 0)
      fail("the driver asks that " + id() + " be " +
           (*last == 1   ? "reset"
            : *last == 2 ? "rebooted with its machine"
                         : "drained"));
    if (described.quantity == Quantity::link_state) {
      (*last > 0 ? up_ : down_).push_back(described.name);
      const std::vector<Reading>& readings = recording_.readings[sensor];
      const bool was_up =
          std::any_of(readings.begin(), readings.end(), [](const Reading& r) { return r.has_value() && r.value > 0; });
      if (was_up && !(*last > 0)) fail("the link " + described.name + " of " + id() + " went down");
    }
  }

  void judge_links() {
    if (!down_.empty() && !up_.empty())
      fail(std::to_string(down_.size()) + " of " + std::to_string(down_.size() + up_.size()) + " links of " + id() +
           " are down, the first is " + down_.front());
    else if (!down_.empty())
      outcome_.derivation.push_back("all " + std::to_string(down_.size()) + " links are down: they are not used here");
  }

  void decide() {
    outcome_.measure("sensors", static_cast<double>(sensors_));
    outcome_.measure("sensors_with_value", static_cast<double>(values_));
    if (failures_ > 0) {
      outcome_.verdict = Verdict::fail;
      if (!validity_.valid()) outcome_.labels["reason_codes"] = validity_.codes();
      return;
    }
    if (values_ == 0 && why_failed_.empty()) {
      outcome_.verdict = Verdict::unsupported;
      outcome_.reason = "none of the " + std::to_string(sensors_) + " sensors of " + id() + " is offered";
      return;
    }
    if (!validity_.valid()) {
      set_inconclusive(outcome_, validity_);
      return;
    }
    if (!resets_.empty()) {
      outcome_.verdict = Verdict::inconclusive;
      outcome_.labels["reason_codes"] = "counter_reset";
      outcome_.reason = "counter_reset: " + resets_.front();
      return;
    }
    if (values_ == 0) {
      outcome_.verdict = Verdict::inconclusive;
      outcome_.labels["reason_codes"] = "no_value";
      outcome_.reason = "no_value: " + why_failed_;
      return;
    }
    outcome_.verdict = Verdict::pass;
    outcome_.derivation.push_back(std::to_string(values_) + " of " + std::to_string(sensors_) +
                                  " sensors told values from the beginning to the end");
    outcome_.derivation.push_back(counters_ > 0 ? std::to_string(counters_) + " counters of errors did not rise"
                                                : "no counter of errors is offered: errors would not show");
  }

  const Recording& recording_;
  std::size_t device_;
  const LoadTelemetryOptions& options_;
  Outcome outcome_;
  Validity validity_;
  std::vector<std::string> resets_, up_, down_;
  std::string why_failed_;
  std::size_t failures_ = 0, sensors_ = 0, values_ = 0, counters_ = 0;
};

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE bool matches_any(const std::vector<std::string>& patterns,
                                                          const std::string& id) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const std::string& pattern) { return glob_matches(pattern, id); });
}

/// Whether a device told that it worked; nothing where it does not tell.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::optional<bool> told_busy(const Recording& load, std::size_t device,
                                                                       const LoadTelemetryOptions& options) {
  const auto share = [&](std::size_t sensor, auto busy) -> std::optional<bool> {
    double polls = 0, worked = 0;
    for (const Reading& reading : load.between(sensor, load.begin_nanoseconds, load.end_nanoseconds)) {
      if (!reading.has_value()) continue;
      ++polls;
      worked += busy(reading) ? 1 : 0;
    }
    if (polls == 0) return std::nullopt;
    return worked >= options.busy_share * polls;
  };
  if (const auto sensor = load.sensor_of(device, Quantity::utilization); sensor && load.last_value(*sensor))
    return share(*sensor, [&](const Reading& reading) { return reading.value >= options.busy_utilization; });
  // That it is idle is told by reasons; that it is busy is not.
  if (const auto sensor = load.sensor_of(device, Quantity::throttle_reasons); sensor && load.last_value(*sensor))
    if (const auto busy =
            share(*sensor, [](const Reading& reading) { return !has_reason(reading.count, ThrottleReason::idle); });
        busy && !*busy)
      return false;
  return std::nullopt;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Outcome judge_load_power(const Recording& load, std::size_t device,
                                                                  const LoadTelemetryOptions& options) {
  const std::string& id = load.devices[device].id;
  const auto skipped = [&](std::string why) {
    Outcome outcome;
    outcome.labels = {{"operation", "power"}, {"device", id}};
    outcome.verdict = Verdict::skipped;
    outcome.reason = std::move(why);
    return outcome;
  };
  const bool loaded = matches_any(options.loaded, id);
  const auto busy = told_busy(load, device, options);
  if (!loaded && !busy.value_or(false))
    return skipped(busy ? "the device told that it was not busy: this load does not run on it, and sustained power is "
                          "judged under full load"
                        : "nothing says that the device was under full load; run one on it, and name it as loaded");
  if (!options.steady_load && !loaded) return skipped("the load changes, and power is judged under one that does not");
  PowerOptions how = options.power;
  how.related.clear();
  for (const auto& [pattern, watts] : options.specifications)
    if (glob_matches(pattern, id)) how.specification_watts = watts;
  std::optional<double> by_default;
  if (!(how.specification_watts > 0))
    for (const std::size_t sensor : load.sensors_of(device, Quantity::power_limit))
      if (load.sensors[sensor].limits == "default") by_default = load.last_value(sensor);
  if (by_default && *by_default > 0) how.specification_watts = *by_default;
  Outcome outcome = judge_power(load, id, how);
  if (by_default && *by_default > 0)
    outcome.derivation.push_back("specification: taken from the device's default limit, for none was given");
  return outcome;
}

/// Why messages may have been missed: the log was not read, not to the end, or lines were overwritten first. Empty
/// where none was.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string missed_messages(const Recording& recording, std::size_t device) {
  bool any = false;
  for (std::size_t sensor = 0; sensor < recording.sensors.size(); ++sensor) {
    if (recording.sensors[sensor].device != device || recording.readings[sensor].empty()) continue;
    any = true;
    const Reading& last = recording.readings[sensor].back();
    if (!last.has_value()) return "the log could not be read to the end: " + last.reason;
    if (recording.sensors[sensor].name == "overrun" && last.value > 0)
      return "messages were overwritten before they were read";
  }
  return any ? "" : "the log was never read";
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Outcome judge_kernel_messages(const Recording& recording, std::size_t device) {
  Outcome outcome;
  outcome.id = "hardware/kernel_log";
  outcome.labels = {{"operation", "kernel_log"}, {"backend", "host"}};
  outcome.duration_seconds = recording.duration_seconds();
  std::size_t fatal = 0;
  for (const TelemetryEvent& event : recording.events) {
    const std::string text = event.kind + (event.code != 0 ? " " + std::to_string(event.code) : "") +
                             (event.device.empty() ? "" : " of " + event.device) + ": " +
                             clipped(visible(event.text), 160);
    if (event.fatal && fatal++ == 0) outcome.reason = text + "; it asks for: " + event.action;
    if (outcome.diagnosis.size() < 20) outcome.diagnosis.push_back(text);
  }
  outcome.measure("events", static_cast<double>(recording.events.size()));
  outcome.verdict = fatal > 0 ? Verdict::fail : Verdict::pass;
  if (fatal > 0) return outcome;
  outcome.reason = missed_messages(recording, device);
  if (!outcome.reason.empty())
    outcome.verdict = Verdict::inconclusive;
  else
    outcome.derivation.push_back(std::to_string(recording.events.size()) +
                                 " messages of faults, none of which is fatal to a device");
  return outcome;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Recording join_devices(Recording recording) {
  std::vector<std::size_t> place(recording.devices.size());
  std::vector<TelemetryDevice> kept;
  std::vector<std::pair<std::size_t, std::string>> owned;
  for (std::size_t device = 0; device < recording.devices.size(); ++device) {
    const std::string owner = detail::owner_of(recording, device);
    if (!owner.empty()) {
      owned.emplace_back(device, owner);
      continue;
    }
    place[device] = kept.size();
    kept.push_back(recording.devices[device]);
  }
  for (const auto& [device, owner] : owned) place[device] = place[*recording.device(owner)];
  for (Sensor& sensor : recording.sensors) sensor.device = place[sensor.device];
  recording.devices = std::move(kept);
  return recording;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<Outcome> judge_load_telemetry(const Recording& joined,
                                                                     const LoadTelemetryOptions& options) {
  std::vector<Outcome> outcomes;
  const bool none = std::all_of(joined.sensors.begin(), joined.sensors.end(),
                                [&](const Sensor& sensor) { return joined.devices[sensor.device].kind == "kernel"; });
  if (none) {
    Outcome outcome;
    outcome.id = "hardware/sensors";
    outcome.labels = {{"operation", "sensors"}, {"backend", "host"}};
    outcome.verdict = Verdict::unsupported;
    outcome.reason =
        "no sensor of power, temperature, clocks or errors was found: none of them is judged; `assay telemetry list` "
        "tells what was looked for";
    outcomes.push_back(std::move(outcome));
  }
  const Recording load = part_of(joined, options.load_begin.value_or(joined.begin_nanoseconds),
                                 options.load_end.value_or(joined.end_nanoseconds));
  ThermalOptions heat = options.thermal;
  heat.related.clear();
  for (std::size_t device = 0; device < joined.devices.size(); ++device) {
    const TelemetryDevice& described = joined.devices[device];
    if (described.kind == "kernel") {
      outcomes.push_back(detail::judge_kernel_messages(joined, device));
      continue;
    }
    const auto has = [&](Quantity quantity) { return joined.sensor_of(device, quantity).has_value(); };
    const bool any = std::any_of(joined.sensors.begin(), joined.sensors.end(),
                                 [&](const Sensor& sensor) { return sensor.device == device; });
    if (!any) continue;
    outcomes.push_back(detail::SensorJudge(joined, device, options).judge());
    const auto add = [&](const char* what, Outcome outcome) {
      outcome.id = std::string("hardware/") + what + "/" + described.id;
      outcome.labels["backend"] = "host";
      outcomes.push_back(std::move(outcome));
    };
    const bool accelerator = described.kind == "gpu" || described.kind == "accelerator";
    const bool works = accelerator || described.id.compare(0, 10, "processor/") == 0 || has(Quantity::power_limit);
    if (!works) continue;
    if (has(Quantity::energy) || has(Quantity::power)) add("power", detail::judge_load_power(load, device, options));
    const bool throttling =
        has(Quantity::throttle_reasons) || has(Quantity::throttle_time) || has(Quantity::throttle_count);
    if ((has(Quantity::temperature) || has(Quantity::temperature_margin)) && (throttling || accelerator))
      add("thermal", judge_thermal(load, described.id, heat));
  }
  return outcomes;
}

}  // namespace assay::inline v0
