#pragma once

#include "assay/hardware/power.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

#include "assay/core/config.hpp"
#include "assay/core/misuse.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/hardware/detail/recorded_device.hpp"
#include "assay/report/text.hpp"
#include "assay/telemetry/throttle_reason.hpp"
#include "assay/telemetry/validity.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string watts_text(double watts) {
  return printed_number(watts, 4) + " W";
}
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string share_of_time_text(double share) {
  return printed_number(100 * share, 3) + " %";
}

/// Judges the power of one device of a recording.
class PowerJudge {
 public:
  PowerJudge(const Recording& recording, const PowerOptions& options, Outcome& outcome)
      : recording_(recording), options_(options), outcome_(outcome) {
    begin_ = recording.begin_nanoseconds + nanoseconds(options.ramp_seconds);
    end_ = recording.end_nanoseconds;
  }

  void judge() {
    const auto energy = recording_.sensor_of(0, Quantity::energy);
    if (!energy || (!recording_.last_value(*energy) && unsupported_throughout(*energy))) {
      outcome_.verdict = Verdict::unsupported;
      outcome_.reason =
          "the device counts no energy, and sustained power is not told from samples; use a source that does (NVML, "
          "AMD SMI, RAPL)";
      return;
    }
    if (!find_target()) return;
    if (recording_.duration_seconds() <
        options_.ramp_seconds + std::max(options_.least_seconds, options_.window_seconds)) {
      undecided("too_short", "the recording has " + duration_text(recording_.duration_seconds()) + "; a ramp of " +
                                 duration_text(options_.ramp_seconds) + " and " +
                                 duration_text(options_.least_seconds) + " after it are needed: record for longer");
      return;
    }
    ValidityOptions asked;
    asked.quantities = {Quantity::energy};
    asked.longest_gap_seconds = options_.longest_gap_seconds;
    if (const Validity validity = check_validity(recording_, asked, begin_, end_); !validity.valid()) {
      set_inconclusive(outcome_, validity);
      return;
    }
    if (limit_changed_) {
      undecided("limit_changed", "the enforced limit changed while power was measured; keep it, and record again");
      return;
    }
    measure(*energy);
  }

 private:
  [[nodiscard]] static std::int64_t nanoseconds(double seconds) { return static_cast<std::int64_t>(seconds * 1e9); }

  void undecided(const std::string& code, const std::string& text) {
    outcome_.verdict = Verdict::inconclusive;
    outcome_.reason = code + ": " + text;
    outcome_.labels["reason_codes"] = code;
  }

  [[nodiscard]] bool unsupported_throughout(std::size_t sensor) const {
    for (const Reading& reading : recording_.readings[sensor])
      if (reading.state != ReadingState::unsupported) return false;
    return true;
  }

  bool find_target() {
    std::optional<double> lowest, highest;
    for (const std::size_t sensor : recording_.sensors_of(0, Quantity::power_limit)) {
      if (recording_.sensors[sensor].limits != "enforced") continue;
      std::optional<double> before;  // the window: what is read seldom was read before it
      for (const Reading& reading : recording_.readings[sensor]) {
        if (!reading.has_value() || !(reading.value > 0)) continue;
        if (reading.nanoseconds <= begin_) {
          before = reading.value;
          continue;
        }
        lowest = std::min(lowest.value_or(reading.value), reading.value);
        highest = std::max(highest.value_or(reading.value), reading.value);
      }
      if (before) {
        lowest = std::min(lowest.value_or(*before), *before);
        highest = std::max(highest.value_or(*before), *before);
      }
      if (lowest) break;
    }
    if (!lowest) {
      undecided("no_limit",
                "the enforced power limit cannot be read, so it is not known what the device is held to; run as "
                "root, or use a source that tells it");
      return false;
    }
    limit_changed_ = *highest - *lowest > 0.01 * *highest;
    outcome_.measure("enforced_limit", *lowest, "W");
    outcome_.derivation.push_back("enforced limit: " + watts_text(*lowest));
    target_ = *lowest;
    if (options_.specification_watts > 0) {
      outcome_.measure("specification", options_.specification_watts, "W");
      outcome_.derivation.push_back("specification: " + watts_text(options_.specification_watts));
      if (!limit_changed_ && *lowest < (1 - options_.tolerance) * options_.specification_watts) {
        outcome_.verdict = Verdict::skipped;
        outcome_.reason = "the enforced limit is " + watts_text(*lowest) + ", below the specification of " +
                          watts_text(options_.specification_watts) +
                          ": the device is not allowed the power that it is to be "
                          "judged by; raise the limit, or judge by it alone";
        return false;
      }
      target_ = std::min(target_, options_.specification_watts);
    } else {
      outcome_.derivation.push_back("specification: not given, so the limit alone is the target");
    }
    outcome_.measure("target", target_, "W");
    outcome_.derivation.push_back("target: " + watts_text(target_) + ", within " +
                                  watts_text((1 - options_.tolerance) * target_) + " to " +
                                  watts_text((1 + options_.tolerance) * target_));
    return true;
  }

  /// Power over each window that ends at a reading of the counter and begins `window_seconds` before.
  [[nodiscard]] std::vector<std::pair<double, double>> windows(std::size_t sensor) const {
    std::vector<const Reading*> readings;
    for (const Reading& reading : recording_.between(sensor, begin_, end_))
      if (reading.has_value()) readings.push_back(&reading);
    std::vector<std::pair<double, double>> found;
    std::vector<double> joules{0};  // counted since the first reading
    for (std::size_t i = 1; i < readings.size(); ++i) {
      CounterChange change;
      add_step(change, recording_.sensors[sensor], readings[i - 1]->count, readings[i]->count);
      joules.push_back(joules.back() + change.amount);
    }
    for (std::size_t last = 1, first = 0; last < readings.size(); ++last) {
      while (first + 1 < last &&
             readings[last]->nanoseconds - readings[first + 1]->nanoseconds >= nanoseconds(options_.window_seconds))
        ++first;
      const double seconds = static_cast<double>(readings[last]->nanoseconds - readings[first]->nanoseconds) * 1e-9;
      if (seconds < options_.window_seconds * (1 - 1e-6)) continue;
      found.emplace_back(recording_.seconds(readings[last]->nanoseconds), (joules[last] - joules[first]) / seconds);
    }
    return found;
  }

  void measure(std::size_t energy) {
    const auto found = windows(energy);
    if (found.empty()) {
      undecided("too_short", "no two readings of the energy counter are a window of " +
                                 duration_text(options_.window_seconds) +
                                 " apart; poll more often, or record for longer");
      return;
    }
    std::vector<double> watts;
    std::size_t within = 0, below = 0;
    Series course{"power, averaged over " + duration_text(options_.window_seconds), "time (s)", "power (W)", {}};
    const std::size_t step = found.size() / 1000 + 1;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const double power = found[i].second;
      watts.push_back(power);
      // Limits are rounded to watts by drivers, so bounds are met with a billionth to spare.
      const bool low = power<(1 - options_.tolerance) * target_*(1 - 1e-9), high = power>(1 + options_.tolerance) *
                       target_ * (1 + 1e-9);
      within += low || high ? 0 : 1;
      below += low ? 1 : 0;
      if (i % step == 0) course.points.push_back(found[i]);
    }
    const double share = static_cast<double>(within) / static_cast<double>(found.size());
    const auto [lowest, highest] = std::minmax_element(watts.begin(), watts.end());
    const double middle = median_of(watts), mean = mean_value(watts);
    outcome_.measure("windows", static_cast<double>(found.size()));
    outcome_.measure("share_within", share);
    outcome_.measure("mean_power", mean, "W");
    outcome_.measure("median_power", middle, "W");
    outcome_.measure("lowest_window", *lowest, "W");
    outcome_.measure("highest_window", *highest, "W");
    outcome_.series.push_back(std::move(course));
    if (contradicted(mean)) return;
    const std::string told = share_of_time_text(share) + " of " + std::to_string(found.size()) + " windows of " +
                             duration_text(options_.window_seconds) + " are within " +
                             share_of_time_text(options_.tolerance) + " of " + watts_text(target_);
    if (share >= options_.required_share) {
      outcome_.verdict = Verdict::pass;
      outcome_.derivation.push_back(told);
      return;
    }
    outcome_.verdict = Verdict::fail;
    const double off = middle / target_ - 1;
    outcome_.reason = told + ", and " + share_of_time_text(options_.required_share) + " are required; the median is " +
                      watts_text(middle) + " (" + (off > 0 ? "+" : "") + share_of_time_text(off) + ")";
    explain(below * 2 >= found.size() - within);
  }

  /// A counter with another unit, or of another device, is no measure of this one's power.
  [[nodiscard]] bool contradicted(double mean) {
    const auto gauge = recording_.sensor_of(0, Quantity::power);
    if (!gauge) return false;
    const WindowValues sampled = values_within(recording_, *gauge, begin_, end_);
    if (sampled.values.size() < 10) return false;
    const double average = mean_value(sampled.values);
    outcome_.measure("mean_of_gauge", average, "W");
    if (average <= 0 || std::fabs(mean - average) <= 0.2 * std::max(mean, average)) return false;
    undecided("energy_disagrees", "the energy counter says " + watts_text(mean) + " and the power gauge " +
                                      watts_text(average) +
                                      ": one of them has another unit, or is another device's (MIG, a primary die)");
    return true;
  }

  void explain(bool low) {
    if (!low) {
      outcome_.diagnosis.push_back(
          "the device takes more than it is allowed: its limit is not enforced, or the counter counts more "
          "than the device (MIG, two dies, a board)");
      return;
    }
    const auto sensor = recording_.sensor_of(0, Quantity::throttle_reasons);
    std::size_t polls = 0, thermal = 0, brake = 0, capped = 0, idle = 0;
    if (sensor)
      for (const Reading& reading : recording_.between(*sensor, begin_, end_)) {
        if (!reading.has_value()) continue;
        ++polls;
        thermal += (reading.count & thermal_reasons) != 0 ? 1 : 0;
        brake += has_reason(reading.count, ThrottleReason::power_brake) ? 1 : 0;
        capped += has_reason(reading.count, ThrottleReason::power_cap) ? 1 : 0;
        idle += has_reason(reading.count, ThrottleReason::idle) ? 1 : 0;
      }
    const auto tell = [&](std::size_t count, const std::string& text) {
      if (polls > 0 && count * 20 >= polls)
        outcome_.diagnosis.push_back(
            text + ": in " + share_of_time_text(static_cast<double>(count) / static_cast<double>(polls)) + " of polls");
    };
    tell(thermal, "heat held the clocks down");
    tell(brake, "the power brake held the clocks down: look at the machine's supplies");
    tell(idle, "the device was idle: the load did not reach it");
    tell(capped,
         "the power cap held the clocks down although power was below it: a limit of another unit, or peaks that "
         "the average does not show");
    if (outcome_.diagnosis.empty())
      outcome_.diagnosis.push_back(
          "no throttle reason was told: the load does not ask for full power, or does not last");
  }

  const Recording& recording_;
  const PowerOptions& options_;
  Outcome& outcome_;
  std::int64_t begin_, end_;
  double target_ = 0;
  bool limit_changed_ = false;
};

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Outcome judge_power(const Recording& recording, const std::string& device,
                                               const PowerOptions& options) {
  expect(options.tolerance > 0 && options.required_share > 0 && options.required_share <= 1 &&
             options.ramp_seconds >= 0 && options.window_seconds > 0 && options.specification_watts >= 0,
         [] {
           return std::string(
               "Power is judged with a tolerance, a window and a share above 0, the share at most 1; a ramp "
               "and a specification of at least 0.");
         });
  Outcome outcome;
  outcome.id = "power/" + device;
  outcome.labels = {{"operation", "power"}, {"device", device}};
  outcome.duration_seconds = recording.duration_seconds();
  std::vector<std::string> ids{device};
  ids.insert(ids.end(), options.related.begin(), options.related.end());
  const auto own = detail::recorded_device(recording, ids);
  if (!own) {
    outcome.verdict = Verdict::inconclusive;
    outcome.reason = "device_missing: " + device + " is not in the recording; is it there, and is its driver loaded?";
    outcome.labels["reason_codes"] = "device_missing";
    return outcome;
  }
  detail::PowerJudge(*own, options, outcome).judge();
  return outcome;
}

}  // namespace assay::inline v0
