#pragma once

#include "assay/telemetry/validity.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "assay/core/config.hpp"
#include "assay/core/printed_number.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string telemetry_seconds(double seconds) {
  return printed_number(seconds, 4) + " s";
}

/// Judges one device of a recording.
class DeviceValidity {
 public:
  DeviceValidity(const Recording& recording, const ValidityOptions& options, std::size_t device, std::int64_t begin,
                 std::int64_t end, Validity& validity)
      : recording_(recording), options_(options), device_(device), begin_(begin), end_(end), validity_(validity) {}

  void check() {
    if (const Reading* lost = first_lost()) {
      add("device_lost", id() + " was lost after " + telemetry_seconds(recording_.seconds(lost->nanoseconds)) + " (" +
                             lost->reason + "); look at the kernel's log, and reset it or take it out of service");
      return;  // all else follows from it
    }
    for (const Quantity quantity : options_.quantities) check(quantity);
  }

 private:
  [[nodiscard]] const std::string& id() const { return recording_.devices[device_].id; }

  void add(std::string code, std::string text) {
    validity_.reasons.push_back({std::move(code), id(), std::move(text)});
  }

  [[nodiscard]] const Reading* first_lost() const {
    const Reading* first = nullptr;
    for (std::size_t sensor = 0; sensor < recording_.sensors.size(); ++sensor) {
      if (recording_.sensors[sensor].device != device_) continue;
      for (const Reading& reading : recording_.between(sensor, begin_, end_))
        if (reading.state == ReadingState::lost && (first == nullptr || reading.nanoseconds < first->nanoseconds))
          first = &reading;
    }
    return first;
  }

  /// One sensor that told throughout is enough: a second one may be unsupported.
  void check(Quantity quantity) {
    const std::vector<std::size_t> sensors = recording_.sensors_of(device_, quantity);
    if (sensors.empty()) {
      add("no_sensor", id() + " has no sensor of " + std::string(name_of(quantity)) +
                           "; the source does not offer it: try another source");
      return;
    }
    std::optional<Invalidity> first;
    for (const std::size_t sensor : sensors) {
      const std::optional<Invalidity> wrong = fault_of(sensor);
      if (!wrong) return;
      if (!first || (first->code == "no_value" && wrong->code != "no_value")) first = wrong;
    }
    validity_.reasons.push_back(*first);
  }

  [[nodiscard]] std::optional<Invalidity> fault_of(std::size_t sensor) const {
    const Sensor& described = recording_.sensors[sensor];
    const std::string what = described.text() + " of " + id();
    const auto fault = [&](const char* code, const std::string& text) {
      return std::optional(Invalidity{code, id(), text});
    };
    const double longest = described.seldom ? options_.longest_seldom_seconds : options_.longest_gap_seconds;
    const std::int64_t most = static_cast<std::int64_t>(longest * 1e9);
    std::int64_t last = begin_;
    std::string why;
    bool any = false;
    CounterChange change;
    std::uint64_t count = 0;
    // What is read seldom was often read before the window, and that counts.
    const std::int64_t from = described.seldom ? begin_ - most : begin_;
    for (const Reading& reading : recording_.between(sensor, from, end_)) {
      if (!reading.has_value()) {
        why = reading.reason;
        continue;
      }
      if (any && reading.nanoseconds < last)
        return fault("time_backward",
                     "a reading of " + what + " is older than the one before it; the recording is damaged");
      if (reading.nanoseconds - last > most)
        return fault(any ? "gap" : "begin_not_covered",
                     what + " told nothing for " +
                         telemetry_seconds(static_cast<double>(reading.nanoseconds - last) * 1e-9) +
                         (any ? "" : " from the beginning on") + ", more than " + telemetry_seconds(longest) +
                         (why.empty() ? "" : " (" + why + ")"));
      if (any && is_counter(described.quantity)) add_step(change, described, count, reading.count);
      any = true;
      last = reading.nanoseconds;
      count = reading.count;
    }
    if (!any) return fault("no_value", what + " has no value" + (why.empty() ? "" : ": " + why));
    if (end_ - last > most)
      return fault("end_not_covered", what + " told nothing for the last " +
                                          telemetry_seconds(static_cast<double>(end_ - last) * 1e-9) + ", more than " +
                                          telemetry_seconds(longest) + (why.empty() ? "" : " (" + why + ")"));
    if (change.resets > 0)
      return fault("counter_reset", what + " was set back " + std::to_string(change.resets) +
                                        " times: what it counted in between is unknown; was the driver reloaded?");
    return std::nullopt;
  }

  const Recording& recording_;
  const ValidityOptions& options_;
  std::size_t device_;
  std::int64_t begin_, end_;
  Validity& validity_;
};

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::string Validity::codes() const {
  std::vector<std::string> seen;
  std::string text;
  for (const Invalidity& reason : reasons) {
    if (std::find(seen.begin(), seen.end(), reason.code) != seen.end()) continue;
    seen.push_back(reason.code);
    text += (text.empty() ? "" : ",") + reason.code;
  }
  return text;
}

ASSAY_DETAIL_HEADER_INLINE std::string Validity::text() const {
  if (reasons.empty()) return {};
  const std::string more = reasons.size() > 1 ? "; and " + std::to_string(reasons.size() - 1) + " more" : "";
  return reasons.front().code + ": " + reasons.front().text + more;
}

ASSAY_DETAIL_HEADER_INLINE Validity check_validity(const Recording& recording, const ValidityOptions& options,
                                                   std::int64_t begin, std::int64_t end) {
  Validity validity;
  if (recording.devices.empty() && options.devices.empty())
    validity.reasons.push_back(
        {"no_device", "", "the recording has no device: no source found any; `assay telemetry list` tells why"});
  std::vector<std::size_t> judged;
  for (const std::string& id : options.devices)
    if (const auto device = recording.device(id))
      judged.push_back(*device);
    else
      validity.reasons.push_back(
          {"device_missing", id,
           "the device " + id + " is not in the recording; is it there, and is its driver loaded?"});
  if (options.devices.empty())
    for (std::size_t device = 0; device < recording.devices.size(); ++device) judged.push_back(device);
  for (const std::size_t device : judged)
    detail::DeviceValidity(recording, options, device, begin, end, validity).check();
  return validity;
}

}  // namespace assay::inline v0
